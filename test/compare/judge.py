"""Prints the breaking changes that griffe finds between two versions of a package."""
import json
import sys

import griffe

name, old, new = sys.argv[1:4]


def load(directory):
    return griffe.load(name, search_paths=[directory], allow_inspection=False, resolve_aliases=True, resolve_external=False)


def split(path):
    """Returns the module that a path begins with and the rest."""
    module, names = before, path.split(".")[1:]
    at = 1
    for name in names:
        module = module.members.get(name)
        if module is None or not module.is_module:
            break
        at += 1
    parts = path.split(".")
    return ".".join(parts[:at]), ".".join(parts[at:])


def counts(change):
    """Leaves out what is no difference for programs."""
    last = change.obj.path.rpartition(".")[2]
    if last.startswith("__") and last != "__init__":
        return False  # Docent does not list special methods
    if change.kind is griffe.BreakageKind.CLASS_REMOVED_BASE:
        old_bases, new_bases = ([str(b) for b in bases or [] if str(b) != "object"] for bases in (change.old_value, change.new_value))
        return len(old_bases) > len(new_bases)  # object is Python 2's way to write a class
    value = change.old_value
    if change.kind is griffe.BreakageKind.PARAMETER_REMOVED and getattr(value, "kind", None) in (
        griffe.ParameterKind.var_positional,
        griffe.ParameterKind.var_keyword,
    ):
        return False  # their names mean nothing
    return True


before = load(old)
for change in griffe.find_breaking_changes(before, load(new)):
    try:
        if not counts(change):
            continue
    except Exception:
        pass
    kind = "removed" if isinstance(change, griffe.ObjectRemovedBreakage) else "changed"
    package, path = split(change.obj.path)
    print(json.dumps({"package": package, "path": path, "kind": kind, "text": change.kind.value}))
