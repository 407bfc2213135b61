"""Answers questions with the library packaging: JSON on standard input and output."""
import json
import sys

from packaging.markers import InvalidMarker, Marker, UndefinedComparison, UndefinedEnvironmentName
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

data = json.load(sys.stdin)
environments = []
for e in data["environments"]:
    values = dict(e["Values"])
    for name, names in (e["Sets"] or {}).items():
        values[name] = set(names)
    environments.append(values)


def version(text):
    try:
        return Version(text)
    except InvalidVersion:
        return None


def quoted(texts):
    return "[" + " ".join(go_quote(t) for t in texts) + "]"


def go_quote(text):
    out = ['"']
    for c in text:
        if c in '"\\':
            out.append("\\" + c)
        elif c == "\n":
            out.append("\\n")
        elif c == "\u00a0":
            out.append("\\u00a0")
        else:
            out.append(c)
    return "".join(out) + '"'


def boolean(value):
    return "true" if value else "false"


def evaluated(marker):
    out = []
    for e in environments:
        try:
            out.append(boolean(marker.evaluate(e)))
        except (UndefinedComparison, UndefinedEnvironmentName):
            out.append("error")
    return " ".join(out)


def answer(kind, args):
    if kind == "version":
        a, b = version(args[0]), version(args[1])
        if a is None or b is None:
            return f"refused {boolean(a is not None)} {boolean(b is not None)}"
        return f"{a} {b} {(a > b) - (a < b)} {boolean(a.is_prerelease)}"
    if kind in ("specifier", "filter"):
        try:
            s = SpecifierSet(args[0])
        except InvalidSpecifier:
            return "refused"
        if kind == "specifier":
            return boolean(s.contains(args[1]))
        return quoted(s.filter(args[1:]))
    if kind == "marker":
        try:
            return evaluated(Marker(args[0]))
        except InvalidMarker:
            return "refused"
    try:
        r = Requirement(args[0])
    except InvalidRequirement:
        return "refused"
    # The parsed extras are a set: their order is taken from the text.
    extras = sorted(r.extras, key=args[0].find)
    marker = evaluated(r.marker) if r.marker else ""
    return f"{canonicalize_name(r.name)} {quoted(extras)} {len(list(r.specifier))} {go_quote(r.url or '')} {marker}"


json.dump([answer(q["kind"], q["args"]) for q in data["questions"]], sys.stdout)
