package program

import (
	"slices"
	"strings"
)

// keyedContainer evaluates the call of container(keyedBy:) of a decoder or encoder, whose types the standard library declares.
func (w *walker) keyedContainer(first, i int) (value, int) {
	a, end := w.arguments(i + 1)
	if a == nil || !slices.Equal(a.labels, []string{"keyedBy"}) || len(a.closures) > 0 {
		return value{}, end
	}
	for _, d := range w.program.wordsOf().declarations["container"] {
		if result := strings.TrimSpace(d.decl.Result); !strings.HasPrefix(result, "KeyedDecodingContainer<") && !strings.HasPrefix(result, "KeyedEncodingContainer<") {
			return value{}, end // it may be a member of the program
		}
	}
	system := "KeyedEncodingContainer"
	if w.at(first-1) == "try" {
		system = "KeyedDecodingContainer"
	}
	return w.containerOf(system, w.metatype(a.starts[0])), end
}

// containerOf returns a container with the given keys, or an unknown value if these are unknown.
func (w *walker) containerOf(system string, key value) value {
	if key.t == nil || w.program.wordsOf().globals[system] {
		return value{}
	}
	if n := len(w.frames); key.t.name == "CodingKeys" && (n == 0 || w.frames[n-1].t != key.t.parent) {
		return value{} // the compiler may create keys for the innermost type
	}
	return value{system: system, args: []value{key}}
}

// containerCall returns the result of a method of a keyed container, and evaluates keys without a type, such as .name.
func (w *walker) containerCall(v value, name string, a *arguments) value {
	if len(v.args) != 1 {
		return value{}
	}
	for n, label := range a.labels {
		if label == "forKey" || name == "contains" && n == 0 {
			w.implicit(v.args[0], a.starts[n])
		}
	}
	switch {
	case len(a.labels) == 0:
	case name == "decode" && a.labels[0] == "_":
		return w.metatype(a.starts[0])
	case name == "decodeIfPresent" && a.labels[0] == "_":
		if decoded := w.metatype(a.starts[0]); decoded.isKnown() {
			return optional(decoded)
		}
	case name == "nestedContainer" && a.labels[0] == "keyedBy":
		return w.containerOf(v.system, w.metatype(a.starts[0]))
	}
	return value{}
}
