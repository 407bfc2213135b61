package jsonschema

// typeSet is a set of JSON types. integer is a separate type; the type number has the bits of
// integer and fraction.
type typeSet uint8

const (
	typeNull typeSet = 1 << iota
	typeBoolean
	typeInteger
	typeFraction // a number that is not an integer
	typeString
	typeArray
	typeObject

	typeNumber = typeInteger | typeFraction
	typeAny    = typeNull | typeBoolean | typeNumber | typeString | typeArray | typeObject
)

// node is a compiled schema. The schema false allows no types. Nodes are shared, and do not change
// after Compile.
type node struct {
	types   typeSet
	trivial bool // whether the schema checks nothing
	bare    bool // whether the schema checks nothing except in inPlace
	layers  bool // whether the schema has in-place or unevaluated keywords
	// lengthOnly is true if only the length of a string is checked.
	lengthOnly     bool
	number         *numberRules
	str            *stringRules
	array          *arrayRules
	object         *objectRules
	enum, constant *valueSet
	inPlace        *inPlaceRules
	alias          *node // the target if the schema consists only of $ref
	res            *resource
	spot           *spot
	src            *value
	plan           *plan // defaults in the schema, or nil
}

type numberRules struct {
	low, high int64 // bounds for integers
	bounds    []bound
	multiple  *divisor
}

// bound is one of minimum, maximum, exclusiveMinimum and exclusiveMaximum.
type bound struct {
	keyword   string
	text      string
	limit     decimal
	upper     bool
	exclusive bool
}

// breaks reports whether d violates the bound.
func (b *bound) breaks(d decimal) bool {
	c := d.cmp(b.limit)
	if b.upper {
		c = -c
	}
	return c < 0 || c == 0 && b.exclusive
}

type stringRules struct {
	minLength, maxLength int // maxLength is -1 without a maximum
	patterns             []*pattern
	format               *format // format to check, or nil
}

type arrayRules struct {
	minItems, maxItems       int // maxItems is -1 without a maximum
	prefix                   []*node
	rest                     *node // schema of the items after prefix
	contains                 *node
	minContains, maxContains int
	containsEvaluates        bool // whether contains marks items as evaluated for unevaluatedItems
	unique                   bool
	unevaluated              *node
}

type objectRules struct {
	minProperties, maxProperties int // maxProperties is -1 without a maximum
	names                        nameTable
	patterns                     []patternNode
	additional                   *node
	propertyNames                *node
	required                     []int // indexes in names of the required members
	requiredMask                 uint64
	dependentRequired            []dependency
	dependentSchemas             []dependency
	unevaluated                  *node
}

type patternNode struct {
	pattern *pattern
	node    *node
}

// dependency is a requirement that applies if a member is present. It consists of other members, or
// of a schema for the object.
type dependency struct {
	name  int
	needs []int
	node  *node
}

// nameTable contains the member names of a schema, in the schema's order.
type nameTable struct {
	list    []name
	index   map[string]int // indexes by name, if there are many names
	tracked int            // number of names whose presence is recorded
}

type name struct {
	text string
	node *node // schema in properties, or nil if the name occurs only in another keyword
	bit  int   // index among the tracked names, or -1 if its presence is not recorded
}

const mapFrom = 9 // number of names from which a map is faster

// find returns the index of key, or -1. It tries hint first, because members usually occur in the
// order of the schema.
func (t *nameTable) find(key []byte, hint int) int {
	if hint < len(t.list) && string(key) == t.list[hint].text {
		return hint
	}
	if t.index != nil {
		if i, ok := t.index[string(key)]; ok {
			return i
		}
		return -1
	}
	for i := range t.list {
		if string(key) == t.list[i].text {
			return i
		}
	}
	return -1
}

// add returns the index of text, which it adds if it is new.
func (t *nameTable) add(text string) int {
	if i := t.find([]byte(text), 0); i >= 0 {
		return i
	}
	t.list = append(t.list, name{text: text, bit: -1})
	n := len(t.list)
	if n == mapFrom {
		t.index = make(map[string]int)
		for i := range t.list {
			t.index[t.list[i].text] = i
		}
	} else if n > mapFrom {
		t.index[text] = n - 1
	}
	return n - 1
}

// track makes validation record whether an object contains the name with index i.
func (t *nameTable) track(i int) {
	if t.list[i].bit < 0 {
		t.list[i].bit = t.tracked
		t.tracked++
	}
}

// inPlaceRules are the keywords that apply subschemas to the value itself, such as allOf.
type inPlaceRules struct {
	ref              *node
	dynamic          string // anchor of $dynamicRef to search for in the dynamic scope; the search starts at ref
	isDynamic        bool
	allOf            []*node
	anyOf            []*node
	oneOf            []*node
	not              *node
	cond, then, els_ *node
}
