package jsonschema

import (
	"math"
	"slices"
	"strings"
)

// fill stores the keywords of a schema in its node.
func (c *compiler) fill(n *node) error {
	v := n.src
	if v.kind == kindBool {
		if !v.isTrue() {
			n.types = 0
		}
		return nil
	}
	f := filler{c: c, n: n, v: v, d: n.res.dialect}
	if ref := v.get("$ref"); ref != nil {
		target, err := f.ref("$ref", ref)
		if err != nil {
			return err
		}
		f.place().ref = target
		if f.d.draft == draft7 {
			return nil
		}
	}
	for i, key := range v.keys {
		if err := f.keyword(key, v.items[i]); err != nil {
			return err
		}
	}
	f.relations()
	return nil
}

// filler compiles the keywords of one schema object, v, into the node n.
type filler struct {
	c *compiler
	n *node
	v *value
	d dialect
}

func (f *filler) fail(keyword, message string) error {
	return f.n.spot.fail(keyword, message)
}

func (f *filler) place() *inPlaceRules {
	if f.n.inPlace == nil {
		f.n.inPlace = &inPlaceRules{}
	}
	return f.n.inPlace
}

func (f *filler) number() *numberRules {
	if f.n.number == nil {
		f.n.number = &numberRules{low: math.MinInt64, high: math.MaxInt64}
	}
	return f.n.number
}

func (f *filler) str() *stringRules {
	if f.n.str == nil {
		f.n.str = &stringRules{maxLength: -1}
	}
	return f.n.str
}

func (f *filler) array() *arrayRules {
	if f.n.array == nil {
		f.n.array = &arrayRules{maxItems: -1, minContains: 1, maxContains: -1,
			containsEvaluates: f.d.draft == draft2020}
	}
	return f.n.array
}

func (f *filler) object() *objectRules {
	if f.n.object == nil {
		f.n.object = &objectRules{maxProperties: -1}
	}
	return f.n.object
}

func (f *filler) ref(keyword string, ref *value) (*node, error) {
	target, _, err := f.c.resolve(ref, f.n.res, f.n.spot, keyword)
	if err != nil {
		return nil, err
	}
	return f.c.node(target), nil
}

// keyword reads a member of a schema. It ignores unknown keywords, as JSON Schema requires.
func (f *filler) keyword(key string, v *value) error {
	switch key {
	case "$dynamicRef", "$recursiveRef":
		return f.dynamicRef(key, v)
	case "contentEncoding", "contentMediaType", "title", "description", "$comment":
		if v.kind != kindString {
			return f.fail(key, "it must be a string, not "+show(v))
		}
		return nil
	case "format":
		return f.format(v)
	}
	if f.d.vocab&vocabApplicator != 0 {
		if known, err := f.applicator(key, v); known {
			return err
		}
	}
	if f.d.vocab&vocabValidation != 0 {
		if known, err := f.assertion(key, v); known {
			return err
		}
	}
	return nil
}

func (f *filler) dynamicRef(key string, v *value) error {
	if (key == "$dynamicRef") != (f.d.draft == draft2020) || f.d.draft == draft7 {
		return nil
	}
	target, owner, err := f.c.resolve(v, f.n.res, f.n.spot, key)
	if err != nil {
		return err
	}
	name := ""
	if key == "$dynamicRef" {
		_, name, _ = strings.Cut(v.str, "#")
	}
	p := f.place()
	if p.ref != nil { // next to a $ref, this is an additional schema
		wrapped := &node{types: typeAny, res: f.n.res, spot: f.n.spot, inPlace: &inPlaceRules{ref: p.ref}}
		f.c.all = append(f.c.all, wrapped)
		p.allOf = append(p.allOf, wrapped)
	}
	p.ref = f.c.node(target)
	if owner.dynamic[name] == target {
		p.dynamic, p.isDynamic = name, true
	}
	return nil
}

// applicator reads a keyword with subschemas. known is false for any other keyword.
func (f *filler) applicator(key string, v *value) (known bool, err error) {
	sub := f.c.node
	switch key {
	case "allOf":
		f.place().allOf = append(f.place().allOf, f.subs(v)...)
	case "anyOf":
		f.place().anyOf = f.subs(v)
	case "oneOf":
		f.place().oneOf = f.subs(v)
	case "not":
		f.place().not = sub(v)
	case "if":
		f.place().cond = sub(v)
	case "then":
		if f.v.get("if") != nil {
			f.place().then = sub(v)
		}
	case "else":
		if f.v.get("if") != nil {
			f.place().els_ = sub(v)
		}
	case "properties":
		o := f.object()
		for i, name := range v.keys {
			o.names.list[o.names.add(name)].node = sub(v.items[i])
		}
	case "patternProperties":
		for i, source := range v.keys {
			p, err := f.pattern(key, source)
			if err != nil {
				return true, err
			}
			f.object().patterns = append(f.object().patterns, patternNode{p, sub(v.items[i])})
		}
	case "additionalProperties":
		f.object().additional = sub(v)
	case "propertyNames":
		f.object().propertyNames = sub(v)
	case "dependentSchemas":
		if f.d.draft == draft7 {
			return true, nil
		}
		for i, name := range v.keys {
			f.dependency(name, nil, sub(v.items[i]))
		}
	case "dependencies":
		return true, f.dependencies(v)
	case "prefixItems":
		if f.d.draft == draft2020 {
			f.array().prefix = f.subs(v)
		}
	case "items":
		if v.kind == kindArray {
			f.array().prefix = f.subs(v)
		} else {
			f.array().rest = sub(v)
		}
	case "additionalItems":
		if items := f.v.get("items"); f.d.draft != draft2020 && items != nil && items.kind == kindArray {
			f.array().rest = sub(v)
		}
	case "contains":
		f.array().contains = sub(v)
	case "unevaluatedItems":
		if f.d.vocab&vocabUnevaluated != 0 && f.d.draft != draft7 {
			f.array().unevaluated = sub(v)
		}
	case "unevaluatedProperties":
		if f.d.vocab&vocabUnevaluated != 0 && f.d.draft != draft7 {
			f.object().unevaluated = sub(v)
		}
	default:
		return false, nil
	}
	return true, nil
}

func (f *filler) subs(v *value) []*node {
	list := make([]*node, len(v.items))
	for i, item := range v.items {
		list[i] = f.c.node(item)
	}
	return list
}

func (f *filler) dependency(name string, needs []string, n *node) {
	o := f.object()
	d := dependency{name: o.names.add(name), node: n}
	o.names.track(d.name)
	for _, need := range needs {
		i := o.names.add(need)
		o.names.track(i)
		d.needs = append(d.needs, i)
	}
	if n != nil {
		o.dependentSchemas = append(o.dependentSchemas, d)
	} else {
		o.dependentRequired = append(o.dependentRequired, d)
	}
}

func (f *filler) dependencies(v *value) error {
	for i, name := range v.keys {
		if v.items[i].kind != kindArray {
			f.dependency(name, nil, f.c.node(v.items[i]))
			continue
		}
		needs, err := f.strings("dependencies", v.items[i])
		if err != nil {
			return err
		}
		f.dependency(name, needs, nil)
	}
	return nil
}

// assertion reads a keyword that checks a value and has no subschemas. known is false for any other
// keyword.
func (f *filler) assertion(key string, v *value) (known bool, err error) {
	switch key {
	case "type":
		return true, f.types(v)
	case "enum":
		if v.kind != kindArray {
			return true, f.fail(key, "it must be a list of values, not "+show(v))
		}
		f.n.enum = newValueSet(v.items)
	case "const":
		f.n.constant = newValueSet([]*value{v})
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return true, f.bound(key, v)
	case "multipleOf":
		if v.kind != kindNumber || parseDecimal(v.raw).isZero() || v.raw[0] == '-' {
			return true, f.fail(key, "it must be a number above 0, not "+show(v))
		}
		if len(v.raw) > maxDivisorText {
			return true, f.fail(key, "it has more than "+itoa(maxDivisorText)+" characters")
		}
		f.number().multiple = newDivisor(v.raw)
	case "minLength":
		f.str().minLength, err = f.count(key, v)
	case "maxLength":
		f.str().maxLength, err = f.count(key, v)
	case "minItems":
		f.array().minItems, err = f.count(key, v)
	case "maxItems":
		f.array().maxItems, err = f.count(key, v)
	case "minContains":
		if f.d.draft != draft7 {
			f.array().minContains, err = f.count(key, v)
		}
	case "maxContains":
		if f.d.draft != draft7 {
			f.array().maxContains, err = f.count(key, v)
		}
	case "minProperties":
		f.object().minProperties, err = f.count(key, v)
	case "maxProperties":
		f.object().maxProperties, err = f.count(key, v)
	case "uniqueItems":
		if v.kind != kindBool {
			return true, f.fail(key, "it must be true or false, not "+show(v))
		}
		f.array().unique = v.isTrue()
	case "pattern":
		if v.kind != kindString {
			return true, f.fail(key, "it must be a string, not "+show(v))
		}
		p, err := f.pattern(key, v.str)
		if err != nil {
			return true, err
		}
		f.str().patterns = append(f.str().patterns, p)
	case "required":
		return true, f.required(v)
	case "dependentRequired":
		return true, f.dependentRequired(v)
	default:
		return false, nil
	}
	return true, err
}

const maxDivisorText = 1000 // maximum length in bytes of a number in multipleOf

func (f *filler) required(v *value) error {
	names, err := f.strings("required", v)
	if err != nil {
		return err
	}
	o := f.object()
	for _, name := range names {
		i := o.names.add(name)
		o.names.track(i)
		o.required = append(o.required, i)
	}
	return nil
}

func (f *filler) dependentRequired(v *value) error {
	if f.d.draft == draft7 {
		return nil
	}
	if v.kind != kindObject {
		return f.fail("dependentRequired", "it must be an object of lists of names, not "+show(v))
	}
	for i, name := range v.keys {
		needs, err := f.strings("dependentRequired", v.items[i])
		if err != nil {
			return err
		}
		f.dependency(name, needs, nil)
	}
	return nil
}

func (f *filler) strings(key string, v *value) ([]string, error) {
	if v.kind != kindArray {
		return nil, f.fail(key, "it must be a list of names, not "+show(v))
	}
	list := make([]string, len(v.items))
	for i, item := range v.items {
		if item.kind != kindString {
			return nil, f.fail(key, "it must be a list of names, but one is "+show(item))
		}
		list[i] = item.str
	}
	return list, nil
}

var typeNames = map[string]typeSet{
	"null": typeNull, "boolean": typeBoolean, "integer": typeInteger, "number": typeNumber,
	"string": typeString, "array": typeArray, "object": typeObject,
}

func (f *filler) types(v *value) error {
	list := []*value{v}
	if v.kind == kindArray {
		list = v.items
	}
	var set typeSet
	for _, item := range list {
		t := typeNames[item.str]
		if item.kind != kindString || t == 0 {
			return f.fail("type", show(item)+" is not a type; the types are null, boolean, integer, number, string, array and object")
		}
		set |= t
	}
	if set == 0 {
		return f.fail("type", "it must name at least one type")
	}
	f.n.types = set
	return nil
}

// maxCount replaces larger limits on lengths, which no value can reach.
const maxCount = 1 << 28

// count returns the length that v specifies, at most maxCount. It returns an error if v is not a valid length.
func (f *filler) count(key string, v *value) (int, error) {
	if v.kind == kindNumber {
		if n, exact := parseDecimal(v.raw).floor(); exact && n >= 0 {
			return int(min(n, maxCount)), nil
		}
	}
	return 0, f.fail(key, "it must be an integer of 0 or more, not "+show(v))
}

func (f *filler) bound(key string, v *value) error {
	if v.kind != kindNumber {
		return f.fail(key, "it must be a number, not "+show(v))
	}
	b := bound{
		keyword:   key,
		text:      string(v.raw),
		limit:     parseDecimal(slices.Clone(v.raw)),
		upper:     strings.HasSuffix(key, "aximum"),
		exclusive: strings.HasPrefix(key, "ex"),
	}
	r := f.number()
	r.bounds = append(r.bounds, b)
	n, exact := b.limit.floor()
	switch {
	case b.upper && b.exclusive && exact:
		if n == math.MinInt64 {
			r.high, r.low = math.MinInt64, math.MaxInt64
			return nil
		}
		r.high = min(r.high, n-1)
	case b.upper:
		r.high = min(r.high, n)
	case exact && !b.exclusive:
		r.low = max(r.low, n)
	case n == math.MaxInt64:
		r.high, r.low = math.MinInt64, math.MaxInt64
	default:
		r.low = max(r.low, n+1)
	}
	return nil
}

func (f *filler) format(v *value) error {
	if v.kind != kindString {
		return f.fail("format", "it must be a string, not "+show(v))
	}
	if f.c.opts.AssertFormat || f.d.vocab&vocabFormatAssertion != 0 {
		if fm := formats[v.str]; fm != nil {
			f.str().format = fm
		}
	}
	return nil
}

func (f *filler) pattern(key, source string) (*pattern, error) {
	if p := f.c.patterns[source]; p != nil {
		return p, nil
	}
	p, err := newPattern(source)
	if err != nil {
		return nil, f.fail(key, "the pattern "+quote(source)+" "+err.Error())
	}
	if f.c.patternSum += p.size; f.c.patternSum > maxPatternsSum {
		return nil, f.fail(key, "the patterns of the schema are too large together")
	}
	f.c.patterns[source] = p
	return p, nil
}

// relations computes the fields that depend on several keywords.
func (f *filler) relations() {
	if o := f.n.object; o != nil && o.names.tracked <= 64 {
		for _, i := range o.required {
			o.requiredMask |= 1 << o.names.list[i].bit
		}
	}
}
