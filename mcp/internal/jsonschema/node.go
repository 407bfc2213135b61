package jsonschema

// typeSet is a set of JSON types. Integers are a type of their own: a number schema has both bits.
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

// node is a compiled schema. The schema false allows no type. Nodes are shared and never change once Compile returns.
type node struct {
	types   typeSet
	trivial bool // nothing to check
	bare    bool // nothing to check but what inPlace applies
	layers  bool // has in-place or unevaluated keywords
	// lengthOnly: of strings, the text does not matter
	lengthOnly     bool
	number         *numberRules
	str            *stringRules
	array          *arrayRules
	object         *objectRules
	enum, constant *valueSet
	inPlace        *inPlaceRules
	alias          *node // the node is a $ref alone: what it refers to
	res            *resource
	spot           *spot
	src            *value
	plan           *plan // defaults
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

// breaks reports whether d is on the wrong side.
func (b *bound) breaks(d decimal) bool {
	c := d.cmp(b.limit)
	if b.upper {
		c = -c
	}
	return c < 0 || c == 0 && b.exclusive
}

type stringRules struct {
	minLength, maxLength int // maxLength -1: none
	patterns             []*pattern
	format               *format // only when formats are asserted
}

type arrayRules struct {
	minItems, maxItems       int // maxItems -1: none
	prefix                   []*node
	rest                     *node // items after prefix
	contains                 *node
	minContains, maxContains int
	containsEvaluates        bool // contains counts for unevaluatedItems
	unique                   bool
	unevaluated              *node
}

type objectRules struct {
	minProperties, maxProperties int // maxProperties -1: none
	names                        nameTable
	patterns                     []patternNode
	additional                   *node
	propertyNames                *node
	required                     []int // indexes into names
	requiredMask                 uint64
	dependentRequired            []dependency
	dependentSchemas             []dependency
	unevaluated                  *node
}

type patternNode struct {
	pattern *pattern
	node    *node
}

// dependency is what the presence of a member asks for: other members or a schema for the whole object.
type dependency struct {
	name  int
	needs []int
	node  *node
}

// nameTable holds the member names that a schema mentions, in its order.
type nameTable struct {
	list    []name
	index   map[string]int // with many names
	tracked int            // names whose presence matters
}

type name struct {
	text string
	node *node // from properties; nil when only mentioned elsewhere
	bit  int   // place among the tracked names, -1 when presence does not matter
}

const mapFrom = 9 // names from which a map beats comparing

// find returns the index of key in the table, or -1. Members usually come in the order of the schema, so hint
// is looked at first.
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

// add returns the index of text, adding it when it is new.
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

// track makes the presence of the name at i known after a pass over an object.
func (t *nameTable) track(i int) {
	if t.list[i].bit < 0 {
		t.list[i].bit = t.tracked
		t.tracked++
	}
}

// inPlaceRules are the keywords that apply further schemas to the same value.
type inPlaceRules struct {
	ref              *node
	dynamic          string // $dynamicRef: the anchor to look for in the dynamic scope; ref is where it starts
	isDynamic        bool
	allOf            []*node
	anyOf            []*node
	oneOf            []*node
	not              *node
	cond, then, els_ *node
}
