"""Lists the names that builtin classes and compiled modules have in any version of Python and on any platform.

It also lists those of some modules that compute their names.

It reads typeshed's stubs of the standard library, and the interpreter that runs it. Usage:

    python3 test/check/compiled.py TYPESHED/stdlib > internal/ecosystem/python/modules/compiled.txt

Each line of the output contains the name of a module or class, and its attributes.
"""

import ast
import builtins
import importlib
import pathlib
import re
import sys
import sysconfig

typeshed = pathlib.Path(sys.argv[1])
library = pathlib.Path(sysconfig.get_path("stdlib"))
computed = {"os", "signal", "socket", "ssl", "datetime", "dataclasses", "hashlib", "inspect", "multiprocessing", "plistlib", "sqlite3", "sqlite3.dbapi2", "tracemalloc", "turtle"}
computed |= {"curses", "curses.panel", "dbm.gnu", "dbm.ndbm", "dis", "http.client", "importlib.metadata", "multiprocessing.context", "pickle", "tokenize", "xml.etree.ElementTree"}
classes = [str, bytes, bytearray, int, bool, list, tuple, dict, set, frozenset, range, slice, memoryview]
classes += [c for c in vars(builtins).values() if isinstance(c, type) and issubclass(c, BaseException) and set(dir(c)) > set(dir(BaseException))]


def parse(module):
    path = typeshed / module.replace(".", "/")
    for file in (path.with_suffix(".pyi"), path / "__init__.pyi"):
        if file.exists():
            return ast.parse(file.read_text())
    return ast.Module([], [])


def names(body, found):
    """Adds the names that statements bind under any condition."""
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.Assign(targets=targets):
                found.update(t.id for t in targets if isinstance(t, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
            case ast.ImportFrom(module=module, names=[ast.alias(name="*")], level=0):
                names(parse(module).body, found)
            case ast.ImportFrom(names=aliases) | ast.Import(names=aliases):
                found.update(a.asname for a in aliases if a.asname == a.name)
            case ast.If():
                names(node.body + node.orelse, found)
    return found


def main():
    starred = set(re.findall(r"from (\w+) import \*", "".join(file.read_text() for file in library.glob("*.py"))))
    modules = {file.stem for file in typeshed.iterdir()} & (sys.stdlib_module_names | starred)
    modules -= {"audioop", "msilib", "nis", "ossaudiodev", "spwd", "_tracemalloc", "posix", "nt", "_socket"}
    modules = {m for m in modules if not (library / (m + ".py")).exists() and not (library / m).exists() and (m in starred or not m.startswith("_"))} | computed
    for module in sorted(modules):
        found = names(parse(module).body, set())
        try:
            found.update(dir(importlib.import_module(module)))
        except ImportError:
            pass
        if module == "sys":  # of other implementations, debug builds, frozen programs and older versions
            found |= {"frozen", "pypy_version_info", "pypy_translation_info", "gettotalrefcount", "getobjects", "maxint", "real_prefix", "setcheckinterval", "setdefaultencoding", "exc_clear", "subversion"}
        print(module, *sorted(n for n in found if not n.startswith("__")))
    stubs = {node.name: node for node in parse("builtins").body if isinstance(node, ast.ClassDef)}
    for c in sorted(set(classes), key=lambda c: c.__name__):
        found = set(dir(c))
        for base in c.__mro__:
            names(getattr(stubs.get(base.__name__), "body", []), found)
        print("builtins." + c.__name__, *sorted(n for n in found if not n.startswith("__")))


main()
