package jsonschema

import (
	"bytes"
	"slices"
	"strconv"
	"sync"
)

// Options tune Compile. The zero value is right for schemas of tools.
type Options struct {
	// Resources are further schemas that $ref and $schema may name, by absolute URI. Nothing is ever fetched.
	Resources map[string][]byte
	// AssertFormat makes the formats email, uri, date and date-time refuse strings. Others, and without it all,
	// only annotate.
	AssertFormat bool
	// Strict also refuses what the metaschema of the dialect refuses but validation does not care about, such as
	// a required that names a property twice.
	Strict bool
	// Dialect is assumed for a schema without `$schema`. Default: DefaultDialect.
	Dialect string

	MaxSchemaSize  int // bytes of a schema document; default 4 MiB
	MaxSchemaDepth int // nesting of a schema document; default 256
	MaxSubschemas  int // over all documents; default 20,000
	MaxDepth       int // schemas applied inside of each other while validating; default 5,000
	MaxSteps       int // work to validate one value; default 1,000,000 plus 16 a byte
	MaxFailures    int // failures that a ValidationError lists; default 8
}

func (o *Options) withDefaults() Options {
	var r Options
	if o != nil {
		r = *o
	}
	if r.Dialect == "" {
		r.Dialect = DefaultDialect
	}
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

// Schema is a compiled schema. It can be used from any number of goroutines at once.
type Schema struct {
	root   *node
	shared *shared
}

// shared is what all schemas of one Compile have in common.
type shared struct {
	maxDepth, maxSteps, maxFailures int
	scoped                          bool                    // some $dynamicRef depends on the dynamic scope
	places                          func() map[string]*node // of the document, by fragment
}

// Compile prepares a schema, which may be an object or a boolean. The error is a *CompileError that says
// where the fault is. A $ref may lead to any place of the schema itself, to the metaschemas and to
// Options.Resources; a reference to anything else is an error.
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

// placesOf names the nodes of a document.
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

// MustCompile is Compile for schemas that are part of a program. It panics on an error.
func MustCompile(schema string) *Schema {
	s, err := Compile([]byte(schema), nil)
	if err != nil {
		panic(err)
	}
	return s
}

// Sub returns the schema at a place of the compiled document, such as "#/$defs/CallToolResult" or "#anchor".
func (s *Schema) Sub(fragment string) (*Schema, error) {
	n := s.shared.places()[fragment]
	if n == nil {
		return nil, &CompileError{Location: fragment, Message: "there is no schema at this place"}
	}
	return &Schema{n, s.shared}, nil
}

// compiler turns values into nodes. Nodes are made empty when first referred to and filled from a queue, so
// that schemas may refer to each other in circles and long chains need no stack.
type compiler struct {
	opts      Options
	resources map[string]*resource
	places    map[*value]place
	order     []*value // those in places, as they were found
	nodes     map[*value]*node
	patterns  map[string]*pattern
	// patternSum is the size of all patterns.
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

// finish fills the queued nodes and settles what depends on all of them.
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
	for _, n := range c.all { // what only the compiler needs can go
		n.src = nil
	}
	for _, res := range c.resources {
		res.root, res.anchors, res.dynamic = nil, nil, nil
	}
	return nil
}

// collectDynamic makes nodes of all dynamic anchors once there is a $dynamicRef that may want them.
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

// settleDynamic turns each $dynamicRef that can only go to one place into an ordinary reference.
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

// settle notes what a filled node does not need to look at.
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

// followAlias shortens a chain of references to its end. Where the dynamic scope matters, only steps within
// one resource are shortened.
func (n *node) followAlias(scoped bool) {
	chain := 0
	for n.alias != nil {
		a := n.alias
		if scoped && a.res != n.res {
			n.alias = nil
			return
		}
		if a.alias == nil || a.alias == a || chain > 1000 {
			return
		}
		if scoped && a.alias.res != a.res {
			return
		}
		n.alias = a.alias
		chain++
	}
}

// findLoops reports a schema that applies itself to the same value again and again.
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
				return m.spot.fail("", "it applies itself to the same value without end; a reference back to a schema must stand below properties or items")
			case 0:
				state[m] = busy
				stack = append(stack, frame{m, m.sameValue()})
			}
		}
	}
	return nil
}

// sameValue lists the schemas that n applies to the value itself.
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
