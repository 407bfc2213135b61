package jsonschema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxShown      = 60  // bytes of a value that a message repeats
	maxNamesShown = 20  // property names or allowed values that a message lists
	maxListShown  = 400 // bytes of such a list
	maxForms      = 4   // branches of anyOf that a message goes into
)

// fault is a failure as the walk notes it; words are made of those that are reported.
type fault struct {
	n        *node
	pos      int // of the value
	keyword  string
	a, b     int // what the keyword needs: an index, a count, a position
	branches [][]fault
}

// fail notes a failure when failures are collected. It always returns false. For keywords about one member a
// is the position of its key.
func (v *validator) fail(n *node, pos int, keyword string, a int) bool {
	return v.failAt(n, pos, keyword, a, 0)
}

func (v *validator) failAt(n *node, pos int, keyword string, a, b int) bool {
	if v.collect && len(v.faults) < maxFaultsIn {
		v.faults = append(v.faults, fault{n: n, pos: pos, keyword: keyword, a: a, b: b})
	}
	return false
}

func (v *validator) failDependent(n *node, pos, _, need, name int) bool {
	return v.failAt(n, pos, "dependentRequired", need, name)
}

// wrongType notes that the type of the value is not allowed, and passes over the value.
func (v *validator) wrongType(n *node, pos int) (end int, ok bool) {
	if !v.collect {
		return -1, false
	}
	v.fail(n, pos, "type", 0)
	return v.skip(pos), false
}

// failBranches walks the branches once more and keeps what is wrong in each.
func (v *validator) failBranches(n *node, pos int, keyword string, branches []*node) {
	if !v.collect || len(v.faults) >= maxFaultsIn {
		return
	}
	f := fault{n: n, pos: pos, keyword: keyword}
	outer := v.faults
	for _, b := range branches {
		v.faults = nil
		words, text := len(v.words), len(v.text)
		v.check(b, pos, noMarks)
		v.words, v.text = v.words[:words], v.text[:text]
		if v.fatal != nil {
			return
		}
		f.branches = append(f.branches, v.faults)
	}
	v.faults = append(outer, f)
}

// report puts the collected failures into words.
func (v *validator) report() error {
	e := &ValidationError{}
	limit := v.shared.maxFailures
	for _, f := range v.flatten(v.faults) {
		if len(e.Failures) == limit {
			e.More = true
			break
		}
		out := Failure{Pointer: v.pointer(f.pos), Keyword: f.keyword, Schema: f.n.loc, Message: v.message(&f)}
		if !slices.Contains(e.Failures, out) {
			e.Failures = append(e.Failures, out)
		}
	}
	if len(e.Failures) == 0 {
		return ErrMalformed // the two walks disagree, which well-formed text never causes
	}
	return e
}

// flatten replaces an anyOf or oneOf by the failures of the one branch that was meant, where that is plain.
func (v *validator) flatten(faults []fault) []fault {
	var out []fault
	for _, f := range faults {
		if meant := f.meant(); meant != nil {
			out = append(out, v.flatten(meant)...)
		} else {
			out = append(out, f)
		}
	}
	return out
}

// meant returns the failures of the only branch that the value does not miss altogether: by its type, or by a
// constant that tells branches apart.
func (f *fault) meant() []fault {
	var meant []fault
	for _, b := range f.branches {
		if slices.ContainsFunc(b, func(x fault) bool { return x.misses(f.pos) }) {
			continue
		}
		if meant != nil {
			return nil
		}
		meant = b
	}
	return meant
}

func (f *fault) misses(pos int) bool {
	switch f.keyword {
	case "type", "enum":
		return f.pos == pos
	case "const":
		return true
	case "anyOf", "oneOf":
		return f.pos == pos && !slices.ContainsFunc(f.branches, func(b []fault) bool {
			return !slices.ContainsFunc(b, func(x fault) bool { return x.misses(pos) })
		})
	}
	return false
}

// message says what is wrong in one sentence, without the place.
func (v *validator) message(f *fault) string {
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
		return v.shown(f.pos) + " does not match the pattern " + quote(n.str.patterns[f.b].source)
	case "format":
		return v.shown(f.pos) + " is not " + n.str.format.what
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return v.shown(f.pos) + boundWords[f.keyword] + n.number.bounds[f.b].text
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
		return v.shown(f.pos) + " is what the schema excludes"
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
	case "minItems":
		return fmt.Sprintf("must have at least %s, not %d", plural(a.minItems, "item"), f.b)
	case "maxItems":
		return fmt.Sprintf("must have at most %s, not %d", plural(a.maxItems, "item"), f.b)
	case "uniqueItems":
		return v.shown(f.b) + " is in the list twice, but items must be unique"
	case "minContains":
		return fmt.Sprintf("must contain at least %s that %s the schema of contains, not %d",
			plural(a.minContains, "item"), matchVerb(a.minContains), f.b)
	case "maxContains":
		return fmt.Sprintf("must contain at most %s that %s the schema of contains, not %d",
			plural(a.maxContains, "item"), matchVerb(a.maxContains), f.b)
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
		return fmt.Sprintf("must have at least %s, not %d", pluralWord(o.minProperties, "property", "properties"), f.b)
	case "maxProperties":
		return fmt.Sprintf("must have at most %s, not %d", pluralWord(o.maxProperties, "property", "properties"), f.b)
	case "required":
		return "missing required property " + quote(o.names.list[f.b].text) + propertyList(o)
	case "dependentRequired":
		return fmt.Sprintf("property %s is required when there is %s",
			quote(o.names.list[f.a].text), quote(o.names.list[f.b].text))
	case "additionalProperties", "unevaluatedProperties":
		key := v.keyAt(f.a)
		s := "unknown property " + quote(key)
		if near := nearest(key, o); near != "" {
			s += ", did you mean " + quote(near) + "?"
		}
		return s + propertyList(o)
	}
	return ""
}

// propertyList names the properties of an object schema, to be put after a sentence.
func propertyList(o *objectRules) string {
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

// joinShort lists texts, as many as a message can bear.
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

// branchMessage tells what each alternative would have wanted.
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

// pointer returns the JSON Pointer of the value or key at pos.
func (v *validator) pointer(pos int) string {
	var b strings.Builder
	d := v.data
	i := skipSpace(d, 0)
	for i >= 0 && i < pos && (d[i] == '{' || d[i] == '[') {
		object := d[i] == '{'
		closing := d[i] + 2
		inner := i + 1
		for n := 0; ; n++ {
			next, done := nextElement(d, inner, n == 0, closing)
			if done || next < 0 {
				return b.String()
			}
			val := next
			if object {
				if val = keyEnd(d, next); val < 0 {
					return b.String()
				}
			}
			end := skipValue(d, val)
			if end < 0 {
				return b.String()
			}
			if pos >= end {
				inner = end
				continue
			}
			if !object {
				b.WriteString("/" + strconv.Itoa(n))
			} else if pos != next || pos == val {
				b.WriteString("/" + escapePointer(cutString(v.keyAt(next), maxShown)))
			}
			i = val
			break
		}
	}
	return b.String()
}

// keyAt returns the string that starts at pos.
func (v *validator) keyAt(pos int) string {
	end, escaped := scanString(v.data, pos)
	if end < 0 {
		return ""
	}
	raw := v.data[pos+1 : end-1]
	if !escaped {
		return string(raw)
	}
	return string(appendUnescaped(nil, raw))
}

func (v *validator) runes(pos int) int { return utf8.RuneCountInString(v.keyAt(pos)) }

// shown returns the value at pos, cut to what a message can bear.
func (v *validator) shown(pos int) string {
	end := skipValue(v.data, pos)
	if end < 0 {
		return "the value"
	}
	k, _ := kindAt(v.data[pos])
	if end-pos <= maxShown {
		return string(v.data[pos:end])
	}
	switch k {
	case kindString:
		return quote(v.keyAt(pos))
	case kindNumber:
		return string(v.data[pos:pos+maxShown]) + "…"
	}
	return "this " + strings.TrimPrefix(strings.TrimPrefix(k.String(), "an "), "a ")
}

// shownWithType names the type of the value at pos, with the value when that says more.
func (v *validator) shownWithType(pos int) string {
	k, ok := kindAt(v.data[pos])
	switch {
	case !ok:
		return "this value"
	case k == kindNull || k == kindObject || k == kindArray:
		return k.String()
	}
	return k.String() + " (" + v.shown(pos) + ")"
}

// show describes a value of a schema for an error about the schema.
func show(v *value) string {
	switch v.kind {
	case kindObject, kindArray, kindNull:
		return v.kind.String()
	}
	return showShort(v)
}

func showShort(v *value) string {
	if len(v.raw) <= maxShown {
		return string(v.raw)
	}
	if v.kind == kindString {
		return quote(v.str)
	}
	return cutString(string(v.raw), maxShown) + "…"
}

// cutString returns at most n bytes of s, whole characters only.
func cutString(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
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

// nearest returns the property that key is most likely meant to be, or "".
func nearest(key string, o *objectRules) string {
	best, bestDistance := "", len(key)/3+2
	for _, n := range o.names.list {
		if n.node == nil || len(n.text) > maxShown || len(key) > maxShown {
			continue
		}
		if d := distance(fold(key), fold(n.text)); d < bestDistance {
			best, bestDistance = n.text, d
		}
	}
	return best
}

// fold makes names comparable that differ in case and separators only.
func fold(s string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(s))
}

// distance counts the edits of single bytes that lead from a to b.
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
