"""Says what the interpreter and griffe know of the modules of a package.

usage: oracle.py inspect MODULE | oracle.py griffe MODULE

Writes one JSON object for each public module: its public names with kind,
signature, docstring and members. It imports the package, so it runs in a
process of its own.
"""

import ast
import enum
import importlib
import inspect
import json
import os
import pkgutil
import sys
import types
import typing
import warnings

SKIPPED = {"tests", "test", "conftest", "setup", "__main__"}


def public(name):
    return not name.startswith("_")


def modules(top):
    """The public modules of a package that can be imported."""
    if top == "django":
        from django.conf import settings

        settings.configure()
        importlib.import_module("django").setup()
    root = importlib.import_module(top)
    yield root
    if not hasattr(root, "__path__"):
        return
    found = [root]
    while found:
        parent = found.pop(0)
        for info in pkgutil.iter_modules(parent.__path__, parent.__name__ + "."):
            last = info.name.rpartition(".")[2]
            if not public(last) or last in SKIPPED:
                continue
            try:
                module = importlib.import_module(info.name)
            except BaseException:
                continue
            if getattr(module, "__name__", "") != info.name:
                continue
            yield module
            if info.ispkg and hasattr(module, "__path__"):
                found.append(module)


class Bound(ast.NodeVisitor):
    """How the names of a module are bound, by its source."""

    def __init__(self, module):
        self.imports, self.declared, self.loops, self.stars = {}, set(), set(), 0
        self.module = module

    def visit_Import(self, node):
        for a in node.names:
            name = a.asname or a.name.partition(".")[0]
            self.imports[name] = (a.name, a.asname == a.name)

    def visit_ImportFrom(self, node):
        for a in node.names:
            if a.name == "*":
                self.stars += 1
            else:
                source = node.module or ""
                if node.level:
                    source = "."
                self.imports[a.asname or a.name] = (source, a.asname == a.name)

    def visit_FunctionDef(self, node):
        self.declared.add(node.name)

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef

    def visit_For(self, node):
        for n in ast.walk(node.target):
            if isinstance(n, ast.Name):
                self.loops.add(n.id)
        for n in node.body + node.orelse:
            self.visit(n)

    def visit_With(self, node):
        for item in node.items:
            if isinstance(item.optional_vars, ast.Name):
                self.loops.add(item.optional_vars.id)
        for n in node.body:
            self.visit(n)

    def visit_Assign(self, node):
        for t in node.targets:
            for n in ast.walk(t):
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                    self.declared.add(n.id)

    def visit_AnnAssign(self, node):
        if isinstance(node.target, ast.Name) and node.value is not None:
            self.declared.add(node.target.id)

    def visit_Lambda(self, node):
        pass

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_Lambda

    def visit_NamedExpr(self, node):
        self.loops.add(node.target.id)


# The names of the module at hand that no statement of its source binds.
RUNNING = set()


def names(module):
    """The names that users import from a module."""
    RUNNING.clear()
    if "__all__" in vars(module):
        return [n for n in module.__all__ if isinstance(n, str)]
    file = getattr(module, "__file__", None) or ""
    if file.endswith(".so"):  # compiled from Python
        source = file[: file.rindex("/") + 1] + file[file.rindex("/") + 1 :].partition(".")[0] + ".py"
        if os.path.exists(source):
            file = source
    bound = None
    if file.endswith(".py"):
        with open(file, "rb") as f:
            try:
                tree = ast.parse(f.read())
            except SyntaxError:
                tree = None
        if tree is not None:
            bound = Bound(module)
            bound.visit(tree)
    RUNNING.clear()
    package = hasattr(module, "__path__")
    top = module.__name__.partition(".")[0]
    result = []
    for name, value in vars(module).items():
        if not public(name):
            continue
        if bound is not None and (name not in bound.declared or name in bound.imports):
            if name in bound.imports:
                source, explicit = bound.imports[name]
                own = source == "." or source.partition(".")[0] == top
                if isinstance(value, types.ModuleType):
                    if not explicit or getattr(sys.modules.get(module.__name__ + "." + name), "__name__", "") == module.__name__ + "." + name:
                        continue
                if not explicit and not (package and own):
                    continue
            elif name in bound.loops:
                continue
            elif isinstance(value, types.ModuleType):
                continue
        elif isinstance(value, types.ModuleType) and bound is None:
            continue
        if bound is not None and name not in bound.declared and name not in bound.imports and not bound.stars:
            RUNNING.add(name)
        if bound is not None and isinstance(value, types.ModuleType) and value.__name__ == module.__name__ + "." + name:
            continue
        result.append(name)
    return result


KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "p",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "n",
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.KEYWORD_ONLY: "k",
    inspect.Parameter.VAR_KEYWORD: "**",
}


def parameters(signature):
    return [[p.name, KINDS[p.kind], p.default is not p.empty] for p in signature.parameters.values()]


def signatures(value):
    """All signatures of a callable: its own, and its overloads."""
    found = []
    try:
        found.append(parameters(inspect.signature(value)))
    except (ValueError, TypeError, NameError, AttributeError):
        pass
    except Exception:
        pass
    if hasattr(typing, "get_overloads"):
        try:
            found += [parameters(inspect.signature(o)) for o in typing.get_overloads(value)]
        except Exception:
            pass
    return found


def doc(value):
    text = getattr(value, "__doc__", None)
    return inspect.cleandoc(text) if isinstance(text, str) else ""


def kind(value):
    if inspect.isclass(value):
        return "class"
    if inspect.ismodule(value):
        return "module"
    if inspect.isroutine(value):
        return "function"
    return "value"


def compiled(owner):
    """Whether a class of the interpreter has no Python source."""
    top = owner.__module__.partition(".")[0]
    if top not in sys.stdlib_module_names:
        return False
    return not (getattr(sys.modules.get(owner.__module__), "__file__", None) or "").endswith(".py")


def members(cls):
    result = {}
    for owner in cls.__mro__:
        if owner is not cls and compiled(owner):
            continue
        if owner.__module__ in ("builtins", "typing", "typing_extensions", "abc") and owner.__name__ in dir(sys.modules[owner.__module__]) or owner.__module__ == "builtins":
            continue
        for name, raw in vars(owner).items():
            if not public(name) or name in result:
                continue
            if isinstance(owner, enum.EnumMeta) and name in ("_generate_next_value_",):
                continue
            if isinstance(raw, (staticmethod, classmethod)):
                what, value = "function", raw.__func__
            elif inspect.isclass(raw):
                what, value = "class", raw
            elif inspect.isroutine(raw) and not inspect.isdatadescriptor(raw):
                what, value = "function", raw
            else:
                what, value = "value", raw
            entry = {"kind": what, "own": owner is cls}
            if what == "function":
                entry["signatures"] = signatures(value)
                entry["doc"] = doc(value)
                entry["code"] = hasattr(inspect.unwrap(value), "__code__")
            elif isinstance(raw, property):
                entry["doc"] = doc(raw)
                entry["code"] = True
            result[name] = entry
    return result


def entry(value):
    what = kind(value)
    e = {"kind": what}
    if what in ("class", "function"):
        e["within"], e["called"] = getattr(value, "__module__", None) or "", getattr(value, "__qualname__", "")
    if getattr(value, "__pydantic_complete__", True) is False:
        value.model_rebuild()  # which pydantic does at the first use
    if what == "class":
        e["signatures"] = signatures(value)
        e["doc"] = doc(value)
        text = value.__doc__ or ""
        e["made"] = text.startswith(value.__name__ + "(") or not isinstance(vars(value).get("__doc__"), str)
        e["members"] = members(value)
        e["code"] = True
        e["init"] = any("__init__" in vars(c) and hasattr(vars(c)["__init__"], "__code__") for c in value.__mro__)
    elif what == "function":
        e["signatures"] = signatures(value)
        e["doc"] = doc(value)
        e["code"] = hasattr(inspect.unwrap(value), "__code__")
    return e


def inspected(top):
    for module in modules(top):
        result = {}
        try:
            listed = names(module)
        except Exception as e:
            print(module.__name__, repr(e), file=sys.stderr)
            continue
        for name in listed:
            try:
                value = getattr(module, name)
            except BaseException:
                result[name] = {"kind": "broken"}
                continue
            try:
                result[name] = entry(value)
            except Exception as e:
                print(module.__name__, name, repr(e), file=sys.stderr)
        result.pop("", None)
        for name in result:
            result[name]["made_running"] = name in RUNNING
        out = {"module": module.__name__, "doc": doc(module), "names": result, "all": "__all__" in vars(module)}
        yield out


def griffed(top):
    import griffe

    loader = griffe.GriffeLoader(allow_inspection=False)
    loader.load(top, try_relative_path=False)
    loader.resolve_aliases(implicit=False, external=False)
    letters = {"positional-only": "p", "positional or keyword": "n", "variadic positional": "*", "keyword-only": "k", "variadic keyword": "**"}

    def function(f):
        return [[p.name.lstrip("*"), letters[p.kind.value], p.default is not None and p.kind.value[:8] != "variadic"] for p in f.parameters]

    def described(target):
        e = {"kind": {"attribute": "value"}.get(target.kind.value, target.kind.value)}
        if target.is_function:
            e["signatures"] = [function(target)] + [function(o) for o in target.overloads or []]
        if target.docstring:
            e["doc"] = inspect.cleandoc(target.docstring.value)
        if target.is_class:
            e["members"] = {n: described(m) for n, m in target.members.items() if not m.is_alias}
        return e

    def walk(module):
        result = {}
        for name, member in module.members.items():
            try:
                if not member.is_public or member.is_module and not member.is_alias:
                    continue
                target = member.final_target if member.is_alias else member
            except Exception:
                result[name] = {"kind": "alias"}
                continue
            result[name] = described(target)
        yield {"module": module.path, "names": result, "doc": module.docstring.value if module.docstring else ""}
        for name, member in module.members.items():
            if not member.is_alias and member.is_module and public(name) and name not in SKIPPED:
                yield from walk(member)

    yield from walk(loader.modules_collection[top.partition(".")[0]])


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(10_000)
    out = os.fdopen(os.dup(1), "w")  # what packages print goes elsewhere
    os.dup2(2, 1)
    judge = {"inspect": inspected, "griffe": griffed}[sys.argv[1]]
    for record in judge(sys.argv[2]):
        out.write(json.dumps(record) + "\n")
    out.flush()
    os._exit(0)


main()
