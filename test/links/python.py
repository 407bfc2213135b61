"""Asks griffe what the names in the annotations and bases of packages mean.

usage: python.py SITE PACKAGE... >> judge.jsonl

Prints one JSON object for each public class, function and attribute.
"""

import builtins
import json
import sys
import typing
import warnings

import griffe
import typing_extensions

warnings.simplefilter("ignore")
site = sys.argv[1]
loader = griffe.GriffeLoader(search_paths=[site, *sys.path], allow_inspection=False)


def resolved(path):
    """The object that a path leads to, after all aliases; None if nobody knows it."""
    try:
        top = path.partition(".")[0]
        if top not in loader.modules_collection.members:
            loader.load(top, try_relative_path=False)
        found = loader.modules_collection.get_member(path)
        return found.final_target if found.is_alias else found
    except Exception:
        return None


def names(expression):
    """The names in an expression. Of a.b only b is one."""
    if isinstance(expression, griffe.ExprAttribute):
        yield expression.last
        return
    if isinstance(expression, griffe.ExprName):
        yield expression
        return
    if isinstance(expression, griffe.Expr):
        for part in expression.iterate(flat=False):
            if part is not expression:
                yield from names(part)


def reference(name):
    try:
        path = name.canonical_path
    except Exception:
        return None
    if path.startswith("builtins.") or "." not in path:
        return {"name": name.name, "none": True}
    last = path.rpartition(".")[2]
    if path == "typing_extensions." + last and getattr(typing_extensions, last, None) is getattr(typing, last, path):
        path = "typing." + last  # the interpreter says that they are the same
    target = resolved(path)
    if target is None or not target.lineno:
        return None
    value = str(target.value) if target.is_attribute else ""
    if hasattr(builtins, value):
        return {"name": name.name, "none": True}
    variable = value.partition("(")[0].rpartition(".")[2] in ("TypeVar", "ParamSpec", "TypeVarTuple")
    module = target.module.path.split(".")
    return {
        "name": name.name,
        "declared": target.name,
        "at": [f"{target.filepath}:{target.lineno}"],
        "package": "|".join(".".join(module[: n + 1]) for n in range(len(module))),
        "hidden": variable or any(p.startswith("_") for p in target.path.split(".")),
    }


def expressions(thing):
    if thing.is_function:
        for p in thing.parameters:
            yield p.annotation
        yield thing.returns
    elif thing.is_class:
        yield from thing.bases
    elif thing.is_attribute:
        yield thing.annotation


def walk(thing, module, prefix):
    for name, member in list(thing.members.items()):
        if name.startswith("_") or member.is_alias or member.is_module:
            continue
        path = prefix + name
        found = [reference(n) for e in expressions(member) if e is not None for n in names(e)]
        found = [r for r in found if r]
        if found:
            print(json.dumps({"language": "python", "package": module, "symbol": path, "references": found}))
        if member.is_class:
            walk(member, module, path + ".")


def modules(module):
    if any(part.startswith("_") for part in module.path.split(".")):
        return
    yield module
    for member in list(module.members.values()):
        if not member.is_alias and member.is_module:
            yield from modules(member)


for package in sys.argv[2:]:
    for module in modules(loader.load(package, try_relative_path=False)):
        walk(module, module.path, "")
