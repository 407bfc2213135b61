package manifest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// These constants limit the evaluation of a manifest.
const (
	maxSteps    = 400_000
	maxCalls    = 100     // maximum nesting of function calls
	maxText     = 1 << 20 // maximum length of a string in bytes
	maxProblems = 20
)

// interpreter evaluates the declarations of a manifest: literals, collections,
// functions, closures, types, conditions and loops. Anything else has the value
// unknown, and an unknown condition does not hold.
type interpreter struct {
	types    map[string]*declared
	globals  *scope
	steps    int
	calls    int
	problems []problem
	pkg      *object // the last Package object that was created
}

// declared is a type that the manifest declares or extends.
type declared struct {
	name     string
	declared bool // whether the manifest declares it
	fields   []*node
	statics  map[string][]*node // static functions and variables
	methods  map[string][]*node // functions and computed variables
	inits    []*node
	cases    map[string]*node
	values   map[string]value // values of static variables that were evaluated
}

// leave specifies how a block ended.
type leave uint8

const (
	onward leave = iota
	returned
	broke
	continued
)

func newInterpreter() *interpreter {
	return &interpreter{types: map[string]*declared{}, globals: &scope{}}
}

func (in *interpreter) problem(line int, format string, args ...any) {
	p := problem{line, fmt.Sprintf(format, args...)}
	if len(in.problems) < maxProblems && !slices.Contains(in.problems, p) {
		in.problems = append(in.problems, p)
	}
}

// step counts steps. It returns false when the limit is exceeded.
func (in *interpreter) step(n int) bool {
	in.steps += n
	return in.steps < maxSteps
}

// run evaluates a manifest.
func (in *interpreter) run(root *node) {
	in.collect(root.kids, "")
	for _, s := range root.kids {
		if s.kind == nFunc || s.kind == nVar && s.body != nil {
			in.globals.declare(s.names0(), &function{node: s, env: in.globals})
		}
	}
	for _, s := range root.kids {
		if s.kind == nFunc || s.kind == nType || s.kind == nVar && s.body != nil {
			continue
		}
		in.exec(s, in.globals, "")
	}
	if in.steps >= maxSteps {
		in.problem(1, "it takes too long to evaluate")
	}
}

func (n *node) names0() string {
	if n.kind == nFunc {
		return n.text
	}
	if len(n.names) > 0 {
		return n.names[0]
	}
	return ""
}

// collect records types and extensions.
func (in *interpreter) collect(kids []*node, within string) {
	for _, s := range kids {
		if s.kind != nType {
			continue
		}
		name := s.text
		if within != "" {
			name = within + "." + name
		}
		t := in.typ(name)
		t.declared = t.declared || s.names[0] != "extension"
		for _, m := range s.kids {
			in.member(t, m)
		}
		in.collect(s.kids, name)
	}
}

func (in *interpreter) typ(name string) *declared {
	t := in.types[name]
	if t == nil {
		t = &declared{name: name, statics: map[string][]*node{}, methods: map[string][]*node{}, cases: map[string]*node{}, values: map[string]value{}}
		in.types[name] = t
	}
	return t
}

func (in *interpreter) member(t *declared, m *node) {
	switch m.kind {
	case nBlock:
		for _, k := range m.kids {
			k.static = k.static || m.static
			in.member(t, k)
		}
	case nCase:
		t.cases[m.text] = m
	case nFunc:
		switch {
		case m.text == "init":
			t.inits = append(t.inits, m)
		case m.static:
			t.statics[m.text] = append(t.statics[m.text], m)
		default:
			t.methods[m.text] = append(t.methods[m.text], m)
		}
	case nVar:
		switch {
		case m.static:
			t.statics[m.names0()] = append(t.statics[m.names0()], m)
		case m.body != nil:
			t.methods[m.names0()] = append(t.methods[m.names0()], m)
		default:
			t.fields = append(t.fields, m)
		}
	}
}

// block evaluates statements. It returns the value of the last expression.
func (in *interpreter) block(n *node, env *scope, hint string) (value, leave) {
	if n == nil {
		return absent{}, onward
	}
	var last value = absent{}
	for _, s := range n.kids {
		if s.kind == nFunc {
			env.declare(s.text, &function{node: s, env: env, self: env.self, typ: env.typ})
		}
	}
	for _, s := range n.kids {
		v, l := in.exec(s, env, hint)
		if l != onward {
			return v, l
		}
		last = v
	}
	return last, onward
}

// exec evaluates a statement.
func (in *interpreter) exec(n *node, env *scope, hint string) (value, leave) {
	if !in.step(1) {
		return unknown{}, returned
	}
	switch n.kind {
	case nBlock:
		if n.text == "vars" {
			return in.block(n, env, hint)
		}
		return in.block(n, env.child(), hint)
	case nVar:
		in.declare(n, env)
		return absent{}, onward
	case nFunc, nType, nCase:
		return absent{}, onward
	case nIf:
		return in.branch(n, env, hint)
	case nGuard:
		if !in.holds(n.conds, env) {
			v, l := in.block(n.body, env.child(), hint)
			if l == onward {
				l = returned
			}
			return v, l
		}
		return absent{}, onward
	case nFor:
		return in.loop(n, env, hint)
	case nWhile:
		for in.step(1) && in.holds(n.conds, env) {
			v, l := in.block(n.body, env.child(), hint)
			if l == returned {
				return v, l
			}
			if l == broke {
				break
			}
		}
		return absent{}, onward
	case nSwitch:
		v, l := in.choose(n, env, hint)
		if l == broke {
			l = onward
		}
		return v, l
	case nReturn:
		if len(n.kids) == 0 {
			return absent{}, returned
		}
		return in.eval(n.kids[0], env, hint), returned
	case nLeave:
		switch n.text {
		case "continue":
			return absent{}, continued
		case "break":
			return absent{}, broke
		case "throw":
			return absent{}, returned
		}
		return absent{}, onward
	case nAssign:
		in.assign(n, env)
		return absent{}, onward
	}
	return in.eval(n, env, hint), onward
}

// declare evaluates let or var.
func (in *interpreter) declare(n *node, env *scope) {
	if n.body != nil {
		env.declare(n.names0(), &function{node: n, env: env, self: env.self, typ: env.typ})
		return
	}
	var v value = absent{}
	if len(n.kids) > 0 {
		v = copied(in.eval(n.kids[0], env, n.typ))
	}
	if l, ok := v.(*list); ok && l.elem == "" {
		if elem := elementType(n.typ); elem != "" {
			v = &list{elem, l.items}
		}
	}
	if len(n.names) == 1 {
		env.declare(n.names[0], v)
		return
	}
	t, _ := v.(*tuple)
	for i, name := range n.names {
		if t != nil && i < len(t.items) {
			env.declare(name, t.items[i])
		} else {
			env.declare(name, unknown{})
		}
	}
}

// copied returns a copy of an instance of a struct that the manifest declares.
// Objects of PackageDescription are references and are not copied.
func copied(v value) value {
	if o, ok := v.(*object); ok && o.ctor == "" && o.typ != "Package" && o.typ != "" {
		c := *o
		c.labels, c.values = slices.Clone(o.labels), slices.Clone(o.values)
		return &c
	}
	return v
}

// holds reports whether all conditions hold. They may declare variables in env.
func (in *interpreter) holds(conds []*node, env *scope) bool {
	for _, c := range conds {
		switch c.kind {
		case nLetCond:
			v := in.eval(c.kids[0], env, "")
			if _, ok := v.(absent); ok {
				return false
			}
			if _, ok := v.(unknown); ok {
				in.problem(c.line, "a condition depends on something that only the compiler knows, and is assumed to be false")
				return false
			}
			env.declare(c.names[0], v)
		case nUnitCond:
			if c.text == "#unavailable" {
				return false
			}
		default:
			yes, known := truth(in.eval(c, env, ""))
			if !known {
				in.problem(c.line, "a condition depends on something that only the compiler knows, and is assumed to be false")
			}
			if !yes || !known {
				return false
			}
		}
	}
	return true
}

func (in *interpreter) branch(n *node, env *scope, hint string) (value, leave) {
	inner := env.child()
	if in.holds(n.conds, inner) {
		return in.block(n.body, inner, hint)
	}
	if len(n.kids) == 0 {
		return absent{}, onward
	}
	return in.exec(n.kids[0], env, hint)
}

func (in *interpreter) loop(n *node, env *scope, hint string) (value, leave) {
	for _, item := range in.items(in.eval(n.kids[0], env, ""), n.line) {
		if !in.step(1) {
			break
		}
		inner := env.child()
		bind(inner, n.names, item)
		if len(n.kids) > 1 && !in.holds(n.kids[1:], inner) {
			continue
		}
		v, l := in.block(n.body, inner, hint)
		if l == returned {
			return v, l
		}
		if l == broke {
			break
		}
	}
	return absent{}, onward
}

// bind declares names for a value, or for the elements of a tuple.
func bind(env *scope, names []string, v value) {
	if len(names) == 1 {
		env.declare(names[0], v)
		return
	}
	t, _ := v.(*tuple)
	for i, name := range names {
		if t != nil && i < len(t.items) {
			env.declare(name, t.items[i])
		} else {
			env.declare(name, unknown{})
		}
	}
}

// items returns the items that a loop iterates over.
func (in *interpreter) items(v value, line int) []value {
	switch v := v.(type) {
	case *list:
		return v.items
	case *dict:
		pairs := make([]value, len(v.keys))
		for i := range v.keys {
			pairs[i] = &tuple{[]string{"key", "value"}, []value{v.keys[i], v.values[i]}}
		}
		return pairs
	case absent, environment:
	default:
		in.problem(line, "a loop iterates over something that only the compiler knows, and is skipped")
	}
	return nil
}

func (in *interpreter) choose(n *node, env *scope, hint string) (value, leave) {
	subject := in.eval(n.kids[0], env, "")
	if _, ok := subject.(unknown); ok {
		in.problem(n.line, "a switch depends on something that only the compiler knows, so its default is used")
	}
	for _, arm := range n.kids[1:] {
		matched := len(arm.conds) == 0
		for _, pattern := range arm.conds {
			if pattern.kind == nBad {
				continue
			}
			same, known := equal(subject, in.eval(pattern, env, typeOf(subject)))
			matched = matched || same && known
		}
		if matched {
			return in.block(arm.body, env.child(), hint)
		}
	}
	return absent{}, onward
}

// assign evaluates an assignment.
func (in *interpreter) assign(n *node, env *scope) {
	left, hint := n.kids[0], ""
	if n.text != "=" {
		old := in.eval(left, env, "")
		right := in.eval(n.kids[1], env, in.typeAt(left, old))
		in.store(left, env, in.operate(strings.TrimSuffix(n.text, "="), old, right, n.line))
		return
	}
	if left.kind == nMember {
		hint = hintOf("", left.text)
	}
	in.store(left, env, copied(in.eval(n.kids[1], env, hint)))
}

// typeAt returns the type of the variable that an expression refers to, if it
// is known.
func (in *interpreter) typeAt(n *node, v value) string {
	if t := typeOf(v); t != "" && t != "[]" {
		return t
	}
	if n.kind == nMember {
		return hintOf("", n.text)
	}
	return ""
}

// store assigns a value to the variable that an expression refers to.
func (in *interpreter) store(n *node, env *scope, v value) {
	switch n.kind {
	case nName:
		if n.text == "_" {
			return
		}
		if s := env.find(n.text); s != nil {
			s.vars[n.text] = v
			return
		}
		if self, ok := env.self.(*object); ok {
			self.set(n.text, v)
		}
	case nMember:
		if base, ok := in.eval(n.kids[0], env, "").(*object); ok {
			base.set(n.text, v)
			return
		}
		in.problem(n.line, "an assignment could not be interpreted")
	case nIndex:
		if len(n.args) != 1 {
			return
		}
		key := in.eval(n.args[0].value, env, "")
		switch base := in.eval(n.kids[0], env, "").(type) {
		case *dict:
			in.store(n.kids[0], env, base.with(key, v))
		case *list:
			if i, ok := key.(int64); ok && i >= 0 && int(i) < len(base.items) && in.step(len(base.items)) {
				items := slices.Clone(base.items)
				items[i] = v
				in.store(n.kids[0], env, &list{base.elem, items})
			}
		}
	default:
		in.problem(n.line, "an assignment could not be interpreted")
	}
}

// with returns a copy of a dictionary with a key set to a value.
func (d *dict) with(key, v value) *dict {
	c := &dict{slices.Clone(d.keys), slices.Clone(d.values)}
	for i, k := range c.keys {
		if same, known := equal(k, key); same && known {
			c.values[i] = v
			return c
		}
	}
	c.keys, c.values = append(c.keys, key), append(c.values, v)
	return c
}

// text evaluates a string literal.
func (in *interpreter) text(n *node, env *scope) value {
	var b strings.Builder
	for _, s := range source.Segments(n.text) {
		if s.Expr == "" {
			b.WriteString(s.Text)
			continue
		}
		if !in.step(len(s.Expr) / 16) {
			return unknown{}
		}
		root, _ := parse(s.Expr, func(string) bool { return false })
		var v value = unknown{}
		if len(root.kids) == 1 {
			v = in.eval(root.kids[0], env, "")
		}
		t, ok := describe(v)
		if !ok || b.Len()+len(t) > maxText || !in.step(len(t)/64) {
			return unknown{}
		}
		b.WriteString(t)
	}
	return b.String()
}

// operate applies a binary operator.
func (in *interpreter) operate(op string, a, b value, line int) value {
	switch op {
	case "==", "===", "!=", "!==":
		same, known := equal(a, b)
		if !known {
			return unknown{}
		}
		return same == (op[0] == '=')
	case "+":
		return in.add(a, b)
	case "<", ">", "<=", ">=":
		return compare(op, a, b)
	}
	if low, ok := a.(string); ok && (op == "..<" || op == "...") { // the operands are versions, which are strings
		o := &object{ctor: "range", line: line}
		if op == "..." {
			o.ctor = "closedRange"
		}
		o.set("lower", low)
		o.set("upper", b)
		return o
	}
	x, okX := a.(int64)
	y, okY := b.(int64)
	if !okX || !okY {
		return unknown{}
	}
	switch op {
	case "-":
		return x - y
	case "*":
		return x * y
	case "/", "%":
		if y == 0 {
			return unknown{}
		}
		if op == "/" {
			return x / y
		}
		return x % y
	case "..<", "...":
		if op == "..." {
			y++
		}
		l := &list{elem: "Int"}
		for i := x; i < y && in.step(1); i++ {
			l.items = append(l.items, i)
		}
		return l
	}
	in.problem(line, "the operator %.10s could not be interpreted", op)
	return unknown{}
}

func (in *interpreter) add(a, b value) value {
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok && len(x)+len(y) <= maxText && in.step((len(x)+len(y))/64) {
			return x + y
		}
	case int64:
		if y, ok := b.(int64); ok {
			return x + y
		}
	case *list:
		if y, ok := b.(*list); ok && in.step(len(x.items)+len(y.items)) {
			elem := x.elem
			if elem == "" {
				elem = y.elem
			}
			return &list{elem, slices.Concat(x.items, y.items)}
		}
		if _, ok := b.(absent); ok {
			return x
		}
	case *dict:
		// operators on dictionaries are not supported
	}
	return unknown{}
}

func compare(op string, a, b value) value {
	var c int
	switch x := a.(type) {
	case int64:
		y, ok := b.(int64)
		if !ok {
			return unknown{}
		}
		c = int(min(max(x-y, -1), 1))
	case string:
		y, ok := b.(string)
		if !ok {
			return unknown{}
		}
		c = strings.Compare(x, y)
	default:
		return unknown{}
	}
	switch op {
	case "<":
		return c < 0
	case ">":
		return c > 0
	case "<=":
		return c <= 0
	}
	return c >= 0
}

// number parses an integer literal.
func number(s string) value {
	if n, err := strconv.ParseInt(s, 0, 64); err == nil {
		return n
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return unknown{}
}
