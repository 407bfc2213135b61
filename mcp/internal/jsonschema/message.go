package jsonschema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// message returns a sentence that describes a fault, without its location.
func (v *validator) message(f *fault) string {
	if f.ofKey {
		key := *f
		key.ofKey = false
		return "property name " + quote(v.keyAt(f.pos)) + ": " + v.message(&key)
	}
	n := f.n
	switch f.keyword {
	case "type":
		if n.types == 0 {
			return "no value is allowed here"
		}
		return "must be " + typeList(n.types) + ", not " + v.shownWithType(f.pos)
	case "enum":
		return v.shown(f.pos) + " is not one of the allowed values: " + valueList(n.enum.values)
	case "const":
		return "must be " + showShort(n.constant.values[0]) + ", not " + v.shown(f.pos)
	case "minLength":
		return fmt.Sprintf("must have at least %s, not %d", plural(n.str.minLength, "character"), v.runes(f.pos))
	case "maxLength":
		return fmt.Sprintf("must have at most %s, not %d", plural(n.str.maxLength, "character"), v.runes(f.pos))
	case "pattern":
		return v.shown(f.pos) + " does not match the pattern " + quote(n.str.patterns[f.a].source)
	case "format":
		return v.shown(f.pos) + " is not " + n.str.format.what
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return v.shown(f.pos) + boundWords[f.keyword] + n.number.bounds[f.a].text
	case "multipleOf":
		return v.shown(f.pos) + " is not a multiple of " + n.number.multiple.text
	}
	if n.array != nil {
		if s := v.arrayMessage(f); s != "" {
			return s
		}
	}
	if n.object != nil {
		if s := v.objectMessage(f); s != "" {
			return s
		}
	}
	switch f.keyword {
	case "not":
		return v.shown(f.pos) + " is excluded by the schema"
	case "oneOf":
		if f.branches == nil {
			return "matches more than one of the alternatives where exactly one is allowed"
		}
	}
	return v.branchMessage(f)
}

var boundWords = map[string]string{
	"minimum":          " is less than the minimum ",
	"maximum":          " is more than the maximum ",
	"exclusiveMinimum": " is not more than ",
	"exclusiveMaximum": " is not less than ",
}

func (v *validator) arrayMessage(f *fault) string {
	a := f.n.array
	switch f.keyword {
	case "items":
		return fmt.Sprintf("must have at most %s", plural(len(a.prefix), "item"))
	case "minItems":
		return fmt.Sprintf("must have at least %s, not %d", plural(a.minItems, "item"), f.a)
	case "maxItems":
		return fmt.Sprintf("must have at most %s, not %d", plural(a.maxItems, "item"), f.a)
	case "uniqueItems":
		return v.shown(f.a) + " is in the list twice, but items must be unique"
	case "minContains":
		return fmt.Sprintf("must contain at least %s that %s the schema of contains, not %d",
			plural(a.minContains, "item"), matchVerb(a.minContains), f.a)
	case "maxContains":
		return fmt.Sprintf("must contain at most %s that %s the schema of contains, not %d",
			plural(a.maxContains, "item"), matchVerb(a.maxContains), f.a)
	}
	return ""
}

func matchVerb(n int) string {
	if n == 1 {
		return "matches"
	}
	return "match"
}

func (v *validator) objectMessage(f *fault) string {
	o := f.n.object
	switch f.keyword {
	case "minProperties":
		return fmt.Sprintf("must have at least %s, not %d", pluralWord(o.minProperties, "property", "properties"), f.a)
	case "maxProperties":
		return fmt.Sprintf("must have at most %s, not %d", pluralWord(o.maxProperties, "property", "properties"), f.a)
	case "required":
		names := make([]string, len(f.list))
		for i, name := range f.list {
			names[i] = quote(o.names.list[name].text)
		}
		if len(names) == 1 {
			return "missing required property " + names[0]
		}
		return "missing required properties " + joinShort(names)
	case "dependentRequired":
		return fmt.Sprintf("property %s is required with %s",
			quote(o.names.list[f.a].text), quote(o.names.list[f.b].text))
	case "additionalProperties", "unevaluatedProperties":
		key := v.keyAt(f.a)
		s := "unknown property " + quote(key)
		if near := nearest(key, o); near != "" {
			s += ", did you mean " + quote(near) + "?"
		}
		return s
	}
	return ""
}

// propertyList returns the allowed properties of an object, for a message about a missing or
// unknown property. It returns "" if there are none.
func (f *fault) propertyList() string {
	o := f.n.object
	if o == nil || f.keyword != "required" && f.keyword != "additionalProperties" && f.keyword != "unevaluatedProperties" {
		return ""
	}
	var names []string
	for _, n := range o.names.list {
		if n.node != nil {
			names = append(names, n.text)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; properties are: " + joinShort(names)
}

// joinShort returns the strings joined with commas. It shortens long strings, and replaces the strings
// beyond a limit by their number.
func joinShort(list []string) string {
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == maxNamesShown || b.Len() > maxListShown {
			fmt.Fprintf(&b, "and %d more", len(list)-i)
			break
		}
		if len(s) > maxShown {
			s = cutString(s, maxShown) + "…"
		}
		b.WriteString(s)
	}
	return b.String()
}

func valueList(values []*value) string {
	list := make([]string, 0, maxNamesShown+1)
	for _, x := range values {
		list = append(list, showShort(x))
	}
	return joinShort(list)
}

// branchMessage returns the requirements of each alternative as text.
func (v *validator) branchMessage(f *fault) string {
	var types typeSet
	var values []*value
	onlyTypes, onlyValues := true, true
	for _, b := range f.branches {
		if len(b) != 1 || b[0].pos != f.pos {
			onlyTypes, onlyValues = false, false
			break
		}
		switch x := b[0]; x.keyword {
		case "type":
			types |= x.n.types
			onlyValues = false
		case "const":
			values = append(values, x.n.constant.values...)
			onlyTypes = false
		case "enum":
			values = append(values, x.n.enum.values...)
			onlyTypes = false
		default:
			onlyTypes, onlyValues = false, false
		}
	}
	switch {
	case onlyTypes && types != 0:
		return "must be " + typeList(types) + ", not " + v.shownWithType(f.pos)
	case onlyValues && len(values) > 0:
		return v.shown(f.pos) + " is not one of the allowed values: " + valueList(values)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "matches none of the %d alternatives: ", len(f.branches))
	for i, branch := range f.branches {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == maxForms {
			fmt.Fprintf(&b, "and %d more", len(f.branches)-i)
			break
		}
		fmt.Fprintf(&b, "(%d) ", i+1)
		if flat := v.flatten(branch); len(flat) > 0 {
			x := flat[0]
			if x.pos != f.pos {
				b.WriteString(v.pointer(x.pos) + ": ")
			}
			if x.branches == nil {
				b.WriteString(v.message(&x))
			} else {
				b.WriteString("matches none of its own alternatives")
			}
		}
	}
	return b.String()
}

var typeWords = []struct {
	set  typeSet
	word string
}{
	{typeString, "a string"}, {typeNumber, "a number"}, {typeInteger, "an integer"}, {typeBoolean, "a boolean"},
	{typeArray, "an array"}, {typeObject, "an object"}, {typeNull, "null"},
}

func typeList(set typeSet) string {
	var words []string
	for _, t := range typeWords {
		if set&t.set == t.set {
			words = append(words, t.word)
			set &^= t.set
		}
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func plural(n int, word string) string { return pluralWord(n, word, word+"s") }

func pluralWord(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// nearest returns the property that key probably means, or "". It prefers a property that differs
// only in case and separators, then one with a small edit distance, then one that contains key or
// is contained in it.
func nearest(key string, o *objectRules) string {
	if len(key) > maxShown {
		return ""
	}
	key = fold(key)
	best, bestDistance := "", (len(key)+1)/3+1
	for _, n := range o.names.list {
		if n.node == nil || len(n.text) > maxShown {
			continue
		}
		have := fold(n.text)
		d := distance(key, have)
		if d >= bestDistance && best == "" && min(len(key), len(have)) > 2 &&
			(strings.Contains(have, key) || strings.Contains(key, have)) {
			d = bestDistance - 1
		}
		if d < bestDistance {
			best, bestDistance = n.text, d
		}
	}
	return best
}

// fold returns s in lower case and without separators, for comparisons.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// distance returns the edit distance of a and b in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
