"""Prints the breaking changes that griffe finds between two versions of a package."""
import json
import sys

import griffe
from griffe._internal import diff

name, old, new = sys.argv[1:4]


def load(directory):
    return griffe.load(name, search_paths=[directory], allow_inspection=False, resolve_aliases=True, resolve_external=False)


def remember(find):
    """Makes a function of griffe say which objects it compared, and skip what it cannot resolve."""

    def found(old, new, **options):
        try:
            for change in find(old, new, **options):
                if not hasattr(change, "before"):
                    change.before, change.after = old, new
                elif old.is_alias and (old.is_function or old.is_attribute):
                    change.inherited = old
                yield change
        except griffe.AliasResolutionError:
            return  # such as an import of another package within a class

    return found


def is_public(object):
    """Says of imports of other packages that they are not public, instead of raising an exception."""
    try:
        return alias_is_public(object)
    except griffe.AliasResolutionError:
        return False


alias_is_public = griffe.Alias.is_public.fget
griffe.Alias.is_public = property(is_public)


def target(object):
    return object.final_target if object.is_alias else object


def aliases(old, new, *, seen_paths):
    """Compares what griffe takes as seen because of the old object alone: a member that a class inherited or inherits."""
    try:
        pair = [target(o).path for o in (old, new)]
    except griffe.AliasResolutionError:
        judged[old.path] = set()
        return
    if pair[0] != pair[1] and (old.path, *pair) not in pairs:
        pairs.add((old.path, *pair))
        seen_paths.discard(pair[0])
    yield from compare_aliases(old, new, seen_paths=seen_paths)


pairs = set()
judged = {}  # the names of the members that griffe compares, of each class with members that it does not read


def is_open(kind):
    """Reports whether a class inherits from classes that griffe does not read, such as those of other distributions."""
    try:
        return any(
            sum(str(b).split("[")[0].rpartition(".")[2] not in WITHOUT_MEMBERS for b in c.bases) > sum(b.is_class for b in c.resolved_bases)
            for c in [kind, *kind.mro()]
        )
    except (ValueError, griffe.AliasResolutionError):
        return True


WITHOUT_MEMBERS = ("object", "ABC", "Exception", "Generic", "Protocol")


def classes(old, new, *, seen_paths):
    """Compares two classes, and remembers which of their members are known."""
    if is_open(old) or is_open(new):
        known = {name for name in old.all_members if name in new.all_members or not is_open(new)}
        judged[old.path] = known if is_open(old) else known | {*new.all_members}
    yield from compare_classes(old, new, seen_paths=seen_paths)


def attributes(old, new):
    """Remembers attributes that are other names of functions and classes, which griffe does not follow."""
    if any(names_another(o) and o.labels != {"instance-attribute"} for o in (old, new)):
        named.append(old.path)
    yield from ()


named = []
diff._attribute_incompatibilities = attributes
compare_classes = diff._class_incompatibilities
diff._class_incompatibilities = classes
compare_aliases = diff._alias_incompatibilities
diff._alias_incompatibilities = aliases
diff._function_incompatibilities = remember(diff._function_incompatibilities)
diff._type_based_yield = remember(diff._type_based_yield)


def split(path):
    """Returns the module that a path begins with and the rest."""
    module, names = before, path.split(".")[1:]
    at = 1
    for name in names:
        module = module.members.get(name)
        if module is None or module.is_alias or not module.is_module:
            break
        at += 1
    parts = path.split(".")
    return ".".join(parts[:at]), ".".join(parts[at:])


def path_of(change):
    """Returns the path of the object in the old version."""
    if isinstance(change, griffe.ObjectRemovedBreakage):
        return change.obj.path
    if hasattr(change, "inherited"):
        owners = [o.parent.path.rpartition(".")[2] for o in (change.before, change.after)]
        if owners[0] != owners[1] or owners[0].startswith("_"):
            return change.inherited.path  # the class inherits another member, has its own, or inherits from a private class
    return change.before.path


def imports_package(object):
    """Reports whether an object is an import of a package, its own or another, that the module does not list in __all__."""
    if object.name in map(str, object.parent.exports or ()):
        return False
    try:
        return object.is_alias and not target(object).path.startswith(name + ".")
    except griffe.AliasResolutionError:
        return True


def names_another(object):
    """Reports whether an attribute is another name of a function or a class, or wraps the one that has its name."""
    value = getattr(object, "value", None)
    if isinstance(value, griffe.ExprCall):
        return any(str(argument) == object.name for argument in value.arguments)
    return isinstance(value, (griffe.ExprName, griffe.ExprAttribute))


def is_self(change):
    """Reports whether a change concerns the parameter for the object on which a method is called."""
    function, parameter = (change.after, change.new_value) if change.old_value is None else (change.before, change.old_value)
    function, parameters = target(function), list(target(function).parameters)
    return function.parent.is_class and "staticmethod" not in function.labels and parameters[0].name == parameter.name


def counts(change):
    """Leaves out what is no difference for programs."""
    if ".__main__." in path_of(change):
        return False  # a program
    last = path_of(change).rpartition(".")[2]
    if last.startswith("__") and last != "__init__":
        return False  # Docent does not list special methods
    if isinstance(change, griffe.ObjectRemovedBreakage) and (not change.obj.runtime or imports_package(change.obj)):
        return False  # only type checkers see it, or it is no part of the package
    if change.kind in (griffe.BreakageKind.PARAMETER_REMOVED, griffe.BreakageKind.PARAMETER_ADDED_REQUIRED) and is_self(change):
        return False  # its name means nothing
    if change.kind is griffe.BreakageKind.OBJECT_CHANGED_KIND and any(
        str(d.value).endswith("cached_property") for o in (change.before, change.after) for d in getattr(o, "decorators", ())
    ):
        return False  # griffe takes it for a function
    if change.kind is griffe.BreakageKind.RETURN_CHANGED_TYPE and change.new_value is None:
        return False  # it is no longer declared
    if change.kind is griffe.BreakageKind.CLASS_REMOVED_BASE:
        old_bases, new_bases = ([str(b) for b in bases or [] if str(b) != "object"] for bases in (change.old_value, change.new_value))
        return len(old_bases) > len(new_bases)  # object is Python 2's way to write a class
    value = change.old_value
    if change.kind is griffe.BreakageKind.PARAMETER_REMOVED and value.kind in (
        griffe.ParameterKind.var_positional,
        griffe.ParameterKind.var_keyword,
    ):
        return all(p.kind is not value.kind for p in change.after.parameters)  # their names mean nothing
    return True


def modules(module):
    """Returns the modules that griffe compares, each with the names that it does."""
    yield module.path, " ".join(name for name, member in module.members.items() if member.is_public)
    for member in module.members.values():
        if not member.is_alias and member.is_module and member.is_public:
            yield from modules(member)


before = load(old)
for module, names in modules(before):
    print(json.dumps({"package": module, "kind": "module", "text": names}))
for change in griffe.find_breaking_changes(before, load(new)):
    if not counts(change):
        continue
    replaced = change.kind is griffe.BreakageKind.OBJECT_CHANGED_KIND and not change.before.is_alias and change.before.is_module
    kind = "removed" if replaced or isinstance(change, griffe.ObjectRemovedBreakage) else "changed"
    package, path = split(path_of(change))
    inherited = ""
    if hasattr(change, "inherited") and change.inherited.path != path_of(change):
        inherited = split(change.inherited.path)[1]
    if change.kind is griffe.BreakageKind.OBJECT_CHANGED_KIND and (names_another(change.before) or names_another(change.after)):
        kind = "named"  # griffe does not follow the assignment
    owner, _, member = path_of(change).rpartition(".")
    if kind == "removed" and member not in judged.get(owner, member):
        kind = "named"  # the class may inherit it
    print(json.dumps({"package": package, "path": path, "kind": kind, "text": change.kind.value, "inherited": inherited}))
for path, names in judged.items():
    package, path = split(path)
    if path:  # Otherwise the class has the name of a module.
        print(json.dumps({"package": package, "path": path, "kind": "open", "text": " ".join(names)}))
for path in named:
    package, path = split(path)
    print(json.dumps({"package": package, "path": path, "kind": "named", "text": "it has the name of another object"}))
