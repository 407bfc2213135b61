"""Says what the interpreter and griffe know of the modules of a package.

usage: oracle.py inspect MODULE | oracle.py griffe MODULE

Writes one JSON object for each public module: its public names with kind,
signature, docstring and members. It imports the package, so it runs in a
process of its own.
"""

import ast
import enum
import glob
import importlib
import importlib.machinery
import importlib.util
import inspect
import json
import logging
import os
import pkgutil
import re
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
        self.imports, self.declared, self.loops, self.stars = {}, set(), set(), []
        self.module = module

    def visit_Import(self, node):
        for a in node.names:
            name = a.asname or a.name.partition(".")[0]
            self.imports[name] = (a.name, a.asname == a.name)

    def visit_ImportFrom(self, node):
        for a in node.names:
            if a.name == "*":
                base = getattr(self.module, "__package__", None) or ""
                self.stars.append(importlib.util.resolve_name("." * node.level + (node.module or ""), base) if node.level else node.module)
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

    def visit_If(self, node):
        if isinstance(node.test, ast.Constant) and not node.test.value:
            node = ast.If(node.test, [], node.orelse)  # never runs
        self.generic_visit(node)

    def visit_Lambda(self, node):
        pass

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_Lambda

    def visit_NamedExpr(self, node):
        self.loops.add(node.target.id)


# The names of the module at hand that no statement of its source binds.
RUNNING = set()


def given(module, tree, bound):
    """The names that a module gives when it is asked for them (PEP 562): of those that
    its source imports, or that __getattr__ and the tables of the module spell."""
    lazy = "__getattr__" in vars(module) or type(module) is not types.ModuleType
    if not lazy:
        return []
    spelled = {n for n, (_, explicit) in bound.imports.items() if explicit}
    if type(module) is not types.ModuleType:  # what stands in its place gives what it imports under "if False:"
        spelled |= {a.asname or a.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for a in node.names}
    if "__getattr__" in vars(module):
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.Assign, ast.AnnAssign)) and (not isinstance(node, ast.FunctionDef) or node.name == "__getattr__"):
                spelled |= {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    found = []
    for name in sorted(spelled):
        if not name.isidentifier() or not public(name) or name in vars(module):
            continue
        try:
            value = getattr(module, name)
        except BaseException:
            continue
        if not isinstance(value, types.ModuleType):
            found.append(name)
    return found


def path_of(module):
    file = getattr(module, "__file__", None) or ""
    if not file and type(module) is not types.ModuleType and "." in getattr(module, "__name__", ""):  # what stands in its place
        parent = sys.modules.get(module.__name__.rpartition(".")[0])
        spec = importlib.machinery.PathFinder.find_spec(module.__name__, getattr(parent, "__path__", []))
        file = spec and spec.origin or ""
    if file.endswith(".so"):  # compiled from Python
        source = file[: file.rindex("/") + 1] + file[file.rindex("/") + 1 :].partition(".")[0] + ".py"
        if os.path.exists(source):
            file = source
    return file


def parsed(module):
    """The source of a module, and how it binds its names."""
    file = path_of(module)
    if not file.endswith(".py"):
        return None, None
    with open(file, "rb") as f:
        try:
            tree = ast.parse(f.read())
        except SyntaxError:
            return None, None
    bound = Bound(module)
    bound.visit(tree)
    return tree, bound


def reexported(module):
    """The names that the stub of a module says to be public (PEP 484): what it declares, and
    import a as a. The stub lies beside it; that of the standard library is mypy's."""
    file = path_of(module)
    stub = file[: file.rindex("/") + 1] + file[file.rindex("/") + 1 :].partition(".")[0] + ".pyi" if "/" in file else ""
    if module.__name__.partition(".")[0] in sys.stdlib_module_names:
        mypy = importlib.util.find_spec("mypy")
        for ending in ("", "/__init__") if mypy else ():
            path = os.path.dirname(mypy.origin) + "/typeshed/stdlib/" + module.__name__.replace(".", "/") + ending + ".pyi"
            stub = path if os.path.exists(path) else stub
    if not os.path.exists(stub):
        return set()
    with open(stub, "rb") as f:
        try:
            tree = ast.parse(f.read())
        except SyntaxError:
            return set()
    bound = Bound(module)
    bound.visit(tree)
    return {n for n in bound.declared if public(n)} | {n for n, (_, explicit) in bound.imports.items() if explicit}


def starred(bound, seen=()):
    """The names that the star imports of a module bind; not those that the other module
    has only once it has run: setattr(sys.modules[__name__], name, value)."""
    found = set()
    for name in bound.stars:
        star = sys.modules.get(name)
        if star is None or name in seen:
            continue
        if "__all__" in vars(star):
            found |= set(star.__all__)
            continue
        names = {n for n in vars(star) if public(n)}
        _, inner = parsed(star)
        if inner is not None:
            names &= inner.declared | set(inner.imports) | inner.loops | starred(inner, (*seen, name))
        found |= names
    return found


def outermost(name):
    """The outermost package that a module is in, below the namespaces that distributions share."""
    parts = name.split(".")
    for i in range(1, len(parts)):
        if getattr(sys.modules.get(".".join(parts[:i])), "__file__", None):
            return ".".join(parts[:i])
    return name


def imported(module, name, value):
    """Whether a compiled module has a function or class of another module."""
    other = getattr(value, "__module__", None)
    if not callable(value) or not isinstance(other, str) or other == module.__name__ or other not in sys.modules:
        return False
    return getattr(sys.modules[other], name, None) is value and not hasattr(sys.modules[other], "__path__")


def names(module):
    """The names that users import from a module."""
    RUNNING.clear()
    if "__all__" in vars(module):
        listed = [n for n in module.__all__ if isinstance(n, str)]
        tree, bound = parsed(module)
        if not isinstance(module, types.ModuleType):
            RUNNING.update(listed)
        elif bound is not None:
            own = set(dir(type(module))) | {i.name for i in pkgutil.iter_modules(getattr(module, "__path__", []))}
            spelled = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
            own |= starred(bound)
            RUNNING.update(n for n in listed if n not in bound.declared and n not in bound.imports and n not in bound.loops and n not in own and n not in spelled)
        return listed
    tree, bound = parsed(module)
    stub = reexported(module)
    package = hasattr(module, "__path__")
    top = outermost(module.__name__)
    result = []
    stars = starred(bound) if bound is not None else set()
    for name, value in list(vars(module).items()):
        if not public(name):
            continue
        if name in stub and not isinstance(value, types.ModuleType):
            result.append(name)
            continue
        if bound is not None and (name not in bound.declared or name in bound.imports):
            if name in bound.imports:
                source, explicit = bound.imports[name]
                # _pytest is the private part of pytest; what another distribution has is not given on.
                own = source == "." or (source + ".").startswith((top + ".", "_" + top + "."))
                if isinstance(value, types.ModuleType):
                    if not explicit or getattr(sys.modules.get(module.__name__ + "." + name), "__name__", "") == module.__name__ + "." + name:
                        continue
                if not explicit and not (package and own):
                    continue
            elif name in bound.loops:
                continue
            elif isinstance(value, types.ModuleType):
                continue
        elif bound is None and (isinstance(value, types.ModuleType) or imported(module, name, value)):
            continue
        if bound is not None and name not in bound.declared and name not in bound.imports and name not in stars:
            RUNNING.add(name)
        if bound is not None and isinstance(value, types.ModuleType) and value.__name__ == module.__name__ + "." + name:
            continue
        result.append(name)
    if bound is not None:
        result += [n for n in given(module, tree, bound) if n not in result]
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


def by_name(model):
    """The call of a model of pydantic with the names of its fields, where it takes these
    as well as the aliases that a function generates, which its signature has."""
    config = getattr(model, "model_config", None)
    fields = getattr(model, "__pydantic_fields__", None)
    if not isinstance(config, dict) or not isinstance(fields, dict) or not (config.get("populate_by_name") or config.get("validate_by_name")):
        return []
    extra = [["extra_data", "**", False]] if config.get("extra") == "allow" else []
    named = {name: f.alias if f.alias_priority == 2 and f.alias.isidentifier() else name for name, f in fields.items()}
    return [[[named[name], "k", not f.is_required()] for name, f in fields.items()] + extra]


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
    """Whether a class has no source and no stub: no file says which members it has."""
    module = sys.modules.get(owner.__module__)
    file = getattr(module, "__file__", None) or ""
    if file.endswith(".py") or module is None:
        return False
    if owner.__module__.partition(".")[0] in sys.stdlib_module_names:
        return True
    if not file.endswith(".so"):
        return False
    base = file[: file.rindex("/") + 1] + file[file.rindex("/") + 1 :].partition(".")[0]
    return not any(os.path.exists(base + ext) for ext in (".py", ".pyi", ".pyx"))


WORDS = {}


def spelled(owner, name):
    """Whether the source of the module that a class is declared in spells a name."""
    module = owner.__module__
    if module not in WORDS:
        file = path_of(sys.modules[module]) if module in sys.modules else ""
        WORDS[module] = None
        if file.endswith(".py") and os.path.exists(file):
            with open(file, errors="replace") as f:
                WORDS[module] = set(re.findall(r"\w+", f.read()))
    return WORDS[module] is None or name in WORDS[module]


CYTHON = {}


def source_of_cython(name):
    """The names that the Cython sources beside a module bind below something; empty if there are none."""
    if name not in CYTHON:
        file = getattr(sys.modules.get(name), "__file__", None) or ""
        texts = []
        if file.endswith(".so") and os.path.exists(file[: file.rindex("/") + 1] + file[file.rindex("/") + 1 :].partition(".")[0] + ".pyx"):
            for other in glob.glob(os.path.dirname(file) + "/*.p[yx][xi]"):
                with open(other, errors="replace") as f:
                    texts.append(f.read())
        CYTHON[name] = set(re.findall(r"^[ \t]+(?:[^\n(=]*[ \t*])?(\w+)[ \t]*(?:[=(:,#]|$)", "\n".join(texts), re.M))
    return CYTHON[name]


def members(cls):
    result = {}
    cython = {o.__module__: source_of_cython(o.__module__) for o in cls.__mro__ if source_of_cython(o.__module__)}
    for owner in cls.__mro__:
        optional = owner is not cls and compiled(owner)
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
            if owner.__module__ in cython and name not in cython[owner.__module__]:
                entry["made_running"] = True
            if not spelled(owner, name):  # setattr(cls, "visit_" + node, …)
                entry["made_running"] = True
            if optional:
                entry["optional"] = True
            elif owner is not cls:
                entry["within"], entry["called"] = owner.__module__, owner.__qualname__
            if owner is not cls:  # where they are declared, they are compared
                result[name] = entry
                continue
            if what == "function":
                entry["signatures"] = signatures(value)
                entry["doc"] = doc(value)
                entry["code"] = hasattr(inspect.unwrap(value), "__code__")
            elif isinstance(raw, property):
                entry["doc"] = doc(raw)
                entry["code"] = True
            result[name] = entry
    return result


SOURCES = {}


def undeclared(cls):
    """Whether the source of the module that a class names does not declare it: it is
    compiled, so that no file has its docstring."""
    name = cls.__module__
    if name not in SOURCES:
        SOURCES[name] = parsed(sys.modules[name])[1] if name in sys.modules else None
    bound = SOURCES[name]
    return compiled(cls) or bound is not None and cls.__qualname__.partition(".")[0] not in bound.declared and "." not in cls.__qualname__ and not any(hasattr(v, "__code__") for v in vars(cls).values())


def entry(value):
    what = kind(value)
    e = {"kind": what}
    if what in ("class", "function"):
        e["within"], e["called"] = getattr(value, "__module__", None) or "", getattr(value, "__qualname__", "")
    if getattr(value, "__pydantic_complete__", True) is False:
        value.model_rebuild()  # which pydantic does at the first use
    if what == "class":
        e["signatures"] = signatures(value) + by_name(value)
        e["doc"] = doc(value)
        text = value.__doc__ or ""
        own = vars(value).get("__doc__")
        # What enum writes for a class without a docstring was "An enumeration." until 3.12.
        e["made"] = text.startswith(value.__name__ + "(") or text == "An enumeration." or not isinstance(own, str) or any(own == b.__doc__ for b in value.__mro__[1:]) or undeclared(value)
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
        for info in pkgutil.iter_modules(getattr(module, "__path__", [])):
            if result.get(info.name, {"kind": "module"})["kind"] == "module":
                result[info.name] = {"kind": "module", "optional": True}
        for name in result:
            result[name]["made_running"] = name in RUNNING
        out = {"module": module.__name__, "doc": doc(module), "names": result, "all": "__all__" in vars(module)}
        yield out


def griffed(top):
    import griffe

    loader = griffe.GriffeLoader(allow_inspection=False)
    loader.load(top, try_relative_path=False)
    try:
        loader.resolve_aliases(implicit=False, external=None)  # with _pytest, which is of pytest
    except griffe.AliasResolutionError:
        pass  # by a star import of what was not loaded: the others are resolved when they are asked for
    letters = {"positional-only": "p", "positional or keyword": "n", "variadic positional": "*", "keyword-only": "k", "variadic keyword": "**"}

    def function(f):
        return [[p.name.lstrip("*"), letters[p.kind.value], p.default is not None and p.kind.value[:8] != "variadic"] for p in f.parameters]

    logging.disable(logging.CRITICAL)  # what griffe finds amiss in docstrings

    def parameters_of(docstring):
        """The parameters that a docstring documents, by the one of griffe's readers that finds most."""
        kinds = (griffe.DocstringSectionKind.parameters, griffe.DocstringSectionKind.other_parameters)
        found = []
        for style in ("google", "numpy", "sphinx"):
            names = [p.name for s in docstring.parse(style) if s.kind in kinds for p in s.value]
            found = max(found, names, key=len)
        return found

    def described(target):
        e = {"kind": {"attribute": "value"}.get(target.kind.value, target.kind.value)}
        if target.is_function:
            e["signatures"] = [function(target)] + [function(o) for o in target.overloads or []]
        if target.docstring:
            e["doc"] = inspect.cleandoc(target.docstring.value)
            e["params"] = parameters_of(target.docstring)
        if target.is_class:
            e["members"] = {n: described(m) for n, m in target.members.items() if not m.is_alias}
            if "__init__" not in e["members"]:
                try:
                    e["inherited"] = {"__init__": described(target.all_members["__init__"].final_target)}
                except Exception:
                    pass
        return e

    def walk(module):
        result = {}
        for name, member in module.members.items():
            try:
                if member.is_module and not member.is_alias:
                    continue
                if not member.is_public and not (member.is_class and not member.is_alias):
                    continue
                target = member.final_target if member.is_alias else member
            except Exception:
                result[name] = {"kind": "alias"}
                continue
            result[name] = described(target)
        yield {"module": module.path, "names": result, "doc": inspect.cleandoc(module.docstring.value) if module.docstring else ""}
        for name, member in module.members.items():
            if not member.is_alias and member.is_module and name not in SKIPPED:
                yield from walk(member)

    first = top.partition(".")[0]
    for name in (first, "_" + first):
        if name in loader.modules_collection:
            yield from walk(loader.modules_collection[name])


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
