"""Compares the parts of Python declarations that Docent reads with what the interpreter says.

usage: parts.py modules PACKAGE…            prints the names of the public modules
       parts.py compare [list] < CALLABLES  compares; CALLABLES is what "python parts" prints

inspect.signature says which parameters there are, of which kind, and which have a default. ast
says how types and defaults are written. A name in a type is right if Docent's target, imported,
is the same object as the name in the module that has the function.
"""

import ast
import builtins
import importlib
import inspect
import json
import os
import sys
import types
import typing
import warnings

KINDS = {"POSITIONAL_ONLY": "p", "POSITIONAL_OR_KEYWORD": "n", "VAR_POSITIONAL": "*", "KEYWORD_ONLY": "k", "VAR_KEYWORD": "**"}
WANTED = {"parameters": 99, "kinds": 99, "optional": 99, "defaults": 99, "types": 99, "results": 99, "references": 98}


def module_of(name):
    return importlib.import_module(name)


def function_of(module, path):
    """The Python function at a path, without what wraps it; None if there is none."""
    value = module
    for name in path.split("."):
        value = inspect.getattr_static(value, name) if inspect.isclass(value) and name in vars(value) else getattr(value, name)
    if isinstance(value, (staticmethod, classmethod)):
        value = value.__func__
    if inspect.isclass(value):
        return None
    if not isinstance(value, types.FunctionType) or hasattr(value, "__wrapped__"):
        return None
    if value.__code__.co_name != path.rpartition(".")[2] or value.__qualname__ != path:
        return None  # a decorator made it, or it is inherited
    return value


TREES = {}


def node_of(function):
    """The declaration of a function in the source code."""
    file = function.__code__.co_filename
    if file not in TREES:
        nodes = {}
        try:
            with open(file, "rb") as f:
                for node in ast.walk(ast.parse(f.read())):
                    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                        first = min([d.lineno for d in node.decorator_list] + [node.lineno])
                        nodes[node.name, first] = node
        except (OSError, SyntaxError):
            pass
        TREES[file] = nodes
    return TREES[file].get((function.__name__, function.__code__.co_firstlineno)) or TREES[file].get((function.__code__.co_name, function.__code__.co_firstlineno))


class Unquoted(ast.NodeTransformer):
    """Replaces annotations that are written as strings."""

    def visit_Subscript(self, node):
        name = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
        if name == "Literal":
            return node
        if name == "Annotated" and isinstance(node.slice, ast.Tuple):
            return self.visit(node.slice.elts[0])  # Docent leaves documentation out
        return self.generic_visit(node)

    def visit_Constant(self, node):
        if isinstance(node.value, str):
            try:
                return self.visit(ast.parse(node.value.strip(), mode="eval").body)
            except SyntaxError:
                pass
        return node


def normal(text):
    try:
        return ast.unparse(Unquoted().visit(ast.parse(text.strip().lstrip("*"), mode="eval").body))
    except SyntaxError:
        return text


ENVIRONMENTS = {}


def environment(function):
    """The names that annotations of a function may use."""
    name = function.__module__
    if name not in ENVIRONMENTS:
        names = dict(function.__globals__)
        try:
            with open(sys.modules[name].__file__, "rb") as f:
                tree = ast.parse(f.read())
        except (OSError, SyntaxError, KeyError, AttributeError, TypeError):
            tree = ast.Module([], [])
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                for statement in node.body:
                    try:
                        scope = dict(names)
                        exec(compile(ast.Module([statement], []), "", "exec"), scope)
                        names.update({k: v for k, v in scope.items() if k not in names})
                    except BaseException:
                        pass
        ENVIRONMENTS[name] = names
    return ENVIRONMENTS[name]


def value_of(function, owner, text):
    names = environment(function)
    first = text.partition(".")[0]
    if first not in names and not hasattr(builtins, first):
        scope = owner
        for name in [n for n in function.__qualname__.split(".")[:-1] if n != "<locals>"]:
            scope = getattr(scope, name, None)
            if scope is not None and first in vars(scope):
                return eval(text, {first: vars(scope)[first]})
    return eval(text, names)


def target_of(ref):
    value = module_of(ref["package"])
    path = ref["path"].removeprefix(ref["package"] + ".")
    for name in path.split(".") if path else []:
        if isinstance(value, types.ModuleType) and not hasattr(value, name):
            return environment_of(value).get(name)
        value = inspect.getattr_static(value, name) if inspect.isclass(value) else getattr(value, name)
    return value


def environment_of(module):
    probe = types.FunctionType((lambda: None).__code__, vars(module))
    probe.__module__ = module.__name__
    return environment(probe)


class Judge:
    def __init__(self, listing):
        self.listing, self.figures, self.callables, self.skipped = listing, {k: [0, 0] for k in WANTED}, 0, 0

    def count(self, what, right, where, *values):
        self.figures[what][1] += 1
        if right:
            self.figures[what][0] += 1
        elif self.listing:
            print("\t%s: %s" % (where, what), *values)
        return right

    def compare(self, c):
        where = c["module"] + "." + c["path"]
        try:
            module = module_of(c["module"])
            function = function_of(module, c["path"])
            node = function and node_of(function)
        except BaseException:
            node = None
        if not node or not c["file"].endswith(".py") or c["forms"] > 1 or os.path.exists(function.__code__.co_filename + "i"):
            self.skipped += 1
            return
        self.callables += 1
        signature = inspect.signature(function)
        want = list(signature.parameters.values())
        got = c["params"]
        first = node.args.posonlyargs + node.args.args
        if len(want) > len(got) and first and not any(p["self"] for p in got) and "." in c["path"] and "staticmethod" not in [ast.unparse(d) for d in node.decorator_list]:
            want = want[1:]  # self and cls are not written
        if not self.count("parameters", [p.name for p in want] == [p["name"] for p in got], where, [p["name"] for p in got], [p.name for p in want]):
            return
        self.count("kinds", all(KINDS[w.kind.name] == g["kind"] for w, g in zip(want, got)), where, [(g["name"], g["kind"]) for g in got])
        self.count("optional", all((w.default is not w.empty) == g["optional"] for w, g in zip(want, got) if g["kind"] in "pnk"), where, [(g["name"], g["optional"]) for g in got])
        written = {a.arg: a for a in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg] if a}
        defaults = dict(zip([a.arg for a in reversed(first)], reversed(node.args.defaults)))
        defaults.update({a.arg: d for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults) if d})
        for g in got:
            a = written.get(g["name"])
            if a is None:
                continue
            if g["name"] in defaults:
                text = ast.unparse(defaults[g["name"]])
                self.count("defaults", normal(g["default"]) == normal(text), where, g["name"], repr(g["default"]), "not", text)
            self.type("types", where, function, module, g["type"], a.annotation)
        if c["path"].rpartition(".")[2] != "__init__":
            self.type("results", where, function, module, c["result"], node.returns)

    def type(self, what, where, function, module, got, annotation):
        if annotation is None:
            if got is not None:
                self.count(what, False, where, got["text"], "not written")
            return
        text = ast.unparse(annotation)
        if not self.count(what, got is not None and normal(got["text"]) == normal(text), where, got and got["text"], "not", text):
            return
        for ref in got["refs"]:
            try:
                want = value_of(function, module, ref["text"])
            except BaseException:
                continue
            if ref["local"]:
                right = type(want).__name__ in ("TypeVar", "ParamSpec", "ParamSpecArgs", "ParamSpecKwargs", "TypeVarTuple")
            elif ref["builtin"]:
                right = getattr(builtins, ref["text"], None) is want or ref["text"] == "None"
            elif ref["known"]:
                try:
                    have = target_of(ref)
                    right = have is want or have == want
                except BaseException:
                    right = False
            else:
                right = False
            self.count("references", right, where, ref, want)


def main():
    warnings.simplefilter("ignore")
    if sys.argv[1] == "modules":
        sys.argv[1:2] = []
        import pkgutil

        for top in sys.argv[1:]:
            root = importlib.import_module(top)
            found = [root]
            print(top)
            while found:
                parent = found.pop(0)
                for info in pkgutil.iter_modules(getattr(parent, "__path__", []), parent.__name__ + "."):
                    if info.name.rpartition(".")[2].startswith("_") or info.name.rpartition(".")[2] in ("tests", "test", "conftest"):
                        continue
                    try:
                        found.append(importlib.import_module(info.name))
                    except BaseException:
                        continue
                    print(info.name)
        return 0
    judge = Judge("list" in sys.argv)
    for line in sys.stdin:
        judge.compare(json.loads(line))
    print("%d functions (%d are not written in Python, are decorated, or have overloads or a stub)" % (judge.callables, judge.skipped))
    failed = False
    for what, (right, total) in judge.figures.items():
        share = 100 * right / max(total, 1)
        failed = failed or share < WANTED[what]
        print("  %-12s %8d %7.2f" % (what, total, share))
    return 1 if failed else 0


sys.exit(main())
