package jsonschema

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"sync"
)

// Options configure Compile. The zero value is suitable for the schemas of tools.
type Options struct {
	// Resources are additional schemas that $ref and $schema can refer to, by absolute URI. Nothing
	// is ever fetched.
	Resources map[string][]byte
	// AssertFormat makes validation check the formats email, uri, date and date-time. Other formats
	// are always annotations. Without AssertFormat, all formats are annotations.
	AssertFormat bool
	// Strict makes Compile check the schema against the metaschema of its dialect. This also
	// detects mistakes that validation ignores, such as a duplicate name in required.
	Strict bool
	// Dialect is the `$schema` of a schema that has none. Default: DefaultDialect.
	Dialect string

	MaxSchemaSize  int // maximum size in bytes of a schema document; default 4 MiB
	MaxSchemaDepth int // maximum nesting depth of a schema document; default 256
	MaxSubschemas  int // maximum number of subschemas in all documents; default 20,000
	MaxDepth       int // maximum nesting depth of schemas that validation applies; default 5,000
	MaxSteps       int // maximum number of steps of one validation; default 1,000,000 plus 16 per byte of the value
	MaxFailures    int // maximum number of failures in a ValidationError; default 8
}

func (o *Options) withDefaults() Options {
	var r Options
	if o != nil {
		r = *o
	}
	r.Dialect = cmp.Or(r.Dialect, DefaultDialect)
	for _, d := range [...]struct {
		n     *int
		value int
	}{
		{&r.MaxSchemaSize, 4 << 20}, {&r.MaxSchemaDepth, 256}, {&r.MaxSubschemas, 20_000},
		{&r.MaxDepth, 5_000}, {&r.MaxFailures, 8},
	} {
		if *d.n <= 0 {
			*d.n = d.value
		}
	}
	return r
}

// Schema is a compiled schema. It is safe for concurrent use.
type Schema struct {
	root   *node
	shared *shared
}

// shared is the state that all schemas of one call to Compile share.
type shared struct {
	maxDepth, maxSteps, maxFailures int
	scoped                          bool                    // whether a $dynamicRef depends on the dynamic scope
	places                          func() map[string]*node // returns the nodes of the document by fragment
}

// Compile compiles a schema, which is an object or a boolean. The error is a *CompileError with the
// location of the mistake. A $ref can refer to the schema itself, the metaschemas and
// Options.Resources; other references are errors.
func Compile(schema []byte, opts *Options) (*Schema, error) {
	c := &compiler{
		opts:      opts.withDefaults(),
		resources: map[string]*resource{},
		places:    map[*value]place{},
		nodes:     map[*value]*node{},
		patterns:  map[string]*pattern{},
	}
	res, err := c.load(bytes.Clone(schema), rootURI, "")
	if err != nil {
		return nil, err
	}
	local := make([]*node, len(c.order))
	for i, v := range slices.Clone(c.order) {
		local[i] = c.node(v)
	}
	anchors := make(map[string]*node, len(res.anchors))
	for name, v := range res.anchors {
		anchors[name] = c.node(v)
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	if c.opts.Strict {
		if err := checkMetaschema(schema, res.dialect.draft); err != nil {
			return nil, err
		}
	}
	s := &Schema{root: local[0], shared: &shared{
		maxDepth:    c.opts.MaxDepth,
		maxSteps:    c.opts.MaxSteps,
		maxFailures: c.opts.MaxFailures,
		scoped:      c.scoped,
	}}
	s.shared.places = sync.OnceValue(func() map[string]*node { return placesOf(local, anchors) })
	return s, nil
}

// placesOf returns the nodes of a document by fragment.
func placesOf(local []*node, anchors map[string]*node) map[string]*node {
	m := make(map[string]*node, len(local)+len(anchors))
	for _, n := range local {
		m[n.spot.String()] = n
	}
	for name, n := range anchors {
		m["#"+name] = n
	}
	return m
}

// MustCompile is like Compile, but panics on an error.
func MustCompile(schema string) *Schema {
	s, err := Compile([]byte(schema), nil)
	if err != nil {
		panic(err)
	}
	return s
}

// Sub returns the subschema at a fragment of the compiled document, such as
// "#/$defs/CallToolResult" or "#anchor". It returns an error if there is no schema.
func (s *Schema) Sub(fragment string) (*Schema, error) {
	n := s.shared.places()[fragment]
	if n == nil {
		return nil, &CompileError{Location: fragment, Message: "there is no schema at this location"}
	}
	return &Schema{n, s.shared}, nil
}

// compiler turns values into nodes. It creates an empty node at the first reference to it, and
// fills the node from a queue. Therefore references can be circular, and long chains of references
// do not need a deep stack.
type compiler struct {
	opts      Options
	resources map[string]*resource
	places    map[*value]place
	order     []*value // keys of places in the order in which the documents contain them
	nodes     map[*value]*node
	patterns  map[string]*pattern
	// patternSum is the estimated number of instructions of all patterns.
	patternSum int
	queue      []*node
	all        []*node
	scoped     bool
}

// node returns the node of an indexed schema.
func (c *compiler) node(v *value) *node {
	if n := c.nodes[v]; n != nil {
		return n
	}
	p := c.places[v]
	n := &node{types: typeAny, res: p.res, spot: p.spot, src: v}
	c.nodes[v] = n
	c.queue = append(c.queue, n)
	c.all = append(c.all, n)
	return n
}

// finish fills the queued nodes, and then computes the properties that depend on all nodes.
func (c *compiler) finish() error {
	for {
		for len(c.queue) > 0 {
			n := c.queue[0]
			c.queue = c.queue[1:]
			if err := c.fill(n); err != nil {
				return err
			}
		}
		c.collectDynamic()
		if len(c.queue) == 0 {
			break
		}
	}
	c.settleDynamic()
	for _, n := range c.all {
		n.settle()
	}
	for _, n := range c.all {
		n.followAlias(c.scoped)
	}
	if err := c.findLoops(); err != nil {
		return err
	}
	c.planDefaults()
	for _, n := range c.all { // release data that only the compiler needs
		n.src = nil
	}
	for _, res := range c.resources {
		res.root, res.anchors, res.dynamic = nil, nil, nil
	}
	return nil
}

// collectDynamic creates the nodes of all dynamic anchors, if there is a $dynamicRef.
func (c *compiler) collectDynamic() {
	if !slices.ContainsFunc(c.all, func(n *node) bool { return n.inPlace != nil && n.inPlace.isDynamic }) {
		return
	}
	for _, res := range c.resources {
		for name, v := range res.dynamic {
			if res.dynamicNodes[name] == nil {
				if res.dynamicNodes == nil {
					res.dynamicNodes = map[string]*node{}
				}
				res.dynamicNodes[name] = c.node(v)
			}
		}
	}
}

// settleDynamic replaces each $dynamicRef that has a single possible target by an ordinary
// reference.
func (c *compiler) settleDynamic() {
	count := map[string]int{}
	seen := map[*resource]bool{}
	for _, res := range c.resources {
		if !seen[res] {
			seen[res] = true
			for name := range res.dynamic {
				count[name]++
			}
		}
	}
	for _, n := range c.all {
		if p := n.inPlace; p != nil && p.isDynamic {
			if count[p.dynamic] < 2 {
				p.isDynamic = false
			} else {
				c.scoped = true
			}
		}
	}
}

// settle records which checks a filled node does not need.
func (n *node) settle() {
	n.bare = n.number == nil && n.str == nil && n.array == nil && n.object == nil &&
		n.enum == nil && n.constant == nil && n.types == typeAny
	n.lengthOnly = n.str != nil && len(n.str.patterns) == 0 && n.str.format == nil && n.enum == nil && n.constant == nil
	n.trivial = n.bare && n.inPlace == nil
	n.layers = n.inPlace != nil || n.array != nil && n.array.unevaluated != nil ||
		n.object != nil && n.object.unevaluated != nil
	if n.bare && n.inPlace != nil && n.inPlace.isRefAlone() {
		n.alias = n.inPlace.ref
	}
}

func (p *inPlaceRules) isRefAlone() bool {
	return p.ref != nil && !p.isDynamic && len(p.allOf)+len(p.anyOf)+len(p.oneOf) == 0 &&
		p.not == nil && p.cond == nil
}

// followAlias replaces a chain of references by its end. If the dynamic scope matters, it follows
// only references within one resource.
func (n *node) followAlias(scoped bool) {
	chain := 0
	for n.alias != nil {
		a := n.alias
		if scoped && a.res != n.res {
			n.alias = nil
			return
		}
		if a.alias == nil || a.alias == a || chain > 1000 || scoped && a.alias.res != a.res {
			return
		}
		n.alias = a.alias
		chain++
	}
}

// findLoops returns an error for a schema that would apply itself to the same value without end.
func (c *compiler) findLoops() error {
	const busy, done = 1, 2
	state := make(map[*node]uint8, len(c.all))
	type frame struct {
		n    *node
		next []*node
	}
	for _, start := range c.all {
		if state[start] != 0 {
			continue
		}
		state[start] = busy
		stack := []frame{{start, start.sameValue()}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.next) == 0 {
				state[top.n] = done
				stack = stack[:len(stack)-1]
				continue
			}
			m := top.next[0]
			top.next = top.next[1:]
			switch state[m] {
			case busy:
				return m.spot.fail("", "it applies itself endlessly to the same value; a recursive reference must be inside properties or items")
			case 0:
				state[m] = busy
				stack = append(stack, frame{m, m.sameValue()})
			}
		}
	}
	return nil
}

// sameValue returns the schemas that n applies to the same value as itself.
func (n *node) sameValue() (list []*node) {
	if p := n.inPlace; p != nil {
		list = slices.Concat(p.allOf, p.anyOf, p.oneOf, []*node{p.ref, p.not, p.cond, p.then, p.els_})
	}
	if n.object != nil {
		for _, d := range n.object.dependentSchemas {
			list = append(list, d.node)
		}
	}
	return slices.DeleteFunc(list, func(m *node) bool { return m == nil })
}

func itoa(n int) string { return strconv.Itoa(n) }
