package manifest

import (
	"cmp"
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
	types    map[typ]*declared
	globals  *scope
	steps    int
	calls    int
	problems []problem
	pkg      *object // the last Package object that was created
}

// declared is a type that the manifest declares or extends.
type declared struct {
	typ         typ
	declared    bool // whether the manifest declares it
	fields      []*varDecl
	staticVars  map[string]*varDecl
	staticFuncs map[string][]*funcDecl
	getters     map[string]*varDecl
	methods     map[string][]*funcDecl
	inits       []*funcDecl
	cases       map[string]*caseDecl
	order       []*caseDecl      // cases in the order of their declarations
	values      map[string]value // values of static variables that were evaluated
}

// leave specifies how a block ended.
type leave uint8

const (
	onward leave = iota
	returned
	broke
	continued
)

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
func (in *interpreter) run(root *block) {
	in.collect(root, typ{})
	for _, s := range root.stmts {
		switch s := s.(type) {
		case *funcDecl:
			in.globals.declare(s.name, &function{code: &s.code, env: in.globals})
		case *varDecl:
			if s.getter != nil {
				in.declare(s, in.globals)
			}
		}
	}
	for _, s := range root.stmts {
		if v, ok := s.(*varDecl); !ok || v.getter == nil {
			in.exec(s, in.globals, typ{})
		}
	}
	if in.steps >= maxSteps {
		in.problem(1, "it takes too long to evaluate")
	}
}

// name returns the name of a variable that is not a tuple.
func (v *varDecl) name() string {
	if len(v.names) > 0 {
		return v.names[0]
	}
	return ""
}

// collect records types and extensions.
func (in *interpreter) collect(b *block, within typ) {
	for _, s := range b.stmts {
		d, ok := s.(*typeDecl)
		if !ok {
			continue
		}
		full := d.typ
		if within.known() {
			full = typ{within.member(d.typ.name).name, d.typ.depth}
		}
		t := in.declaredType(full)
		t.declared = t.declared || !d.extension
		for _, m := range d.members.stmts {
			t.add(m)
		}
		in.collect(d.members, full)
	}
}

func (in *interpreter) declaredType(t typ) *declared {
	d := in.types[t]
	if d == nil {
		d = &declared{
			typ: t, staticVars: map[string]*varDecl{}, staticFuncs: map[string][]*funcDecl{}, getters: map[string]*varDecl{}, methods: map[string][]*funcDecl{},
			cases: map[string]*caseDecl{}, values: map[string]value{},
		}
		in.types[t] = d
	}
	return d
}

// add records a member. If several variables have the same name, the first one counts.
func (d *declared) add(member node) {
	switch m := member.(type) {
	case *declList:
		for _, decl := range m.decls {
			d.add(decl)
		}
	case *caseDecl:
		if d.cases[m.name] == nil {
			d.order = append(d.order, m)
		}
		d.cases[m.name] = m
	case *funcDecl:
		switch {
		case m.name == "init":
			d.inits = append(d.inits, m)
		case m.static:
			d.staticFuncs[m.name] = append(d.staticFuncs[m.name], m)
		default:
			d.methods[m.name] = append(d.methods[m.name], m)
		}
	case *varDecl:
		vars := d.getters
		switch {
		case m.static:
			vars = d.staticVars
		case m.getter == nil:
			d.fields = append(d.fields, m)
			return
		}
		if vars[m.name()] == nil {
			vars[m.name()] = m
		}
	}
}

// block evaluates statements. It returns the value of the last expression.
func (in *interpreter) block(stmts []node, env *scope, hint typ) (value, leave) {
	var last value = absent{}
	for _, s := range stmts {
		if f, ok := s.(*funcDecl); ok {
			env.declare(f.name, &function{code: &f.code, env: env, self: env.self, typ: env.typ})
		}
	}
	for _, s := range stmts {
		v, l := in.exec(s, env, hint)
		if l != onward {
			return v, l
		}
		last = v
	}
	return last, onward
}

// exec evaluates a statement.
func (in *interpreter) exec(n node, env *scope, hint typ) (value, leave) {
	if !in.step(1) {
		return unknown{}, returned
	}
	switch n := n.(type) {
	case *block:
		return in.block(n.stmts, env.child(), hint)
	case *declList:
		return in.block(n.decls, env, hint)
	case *varDecl:
		in.declare(n, env)
	case *funcDecl, *typeDecl, *caseDecl: // These are already declared.
	case *ifStmt:
		return in.branch(n, env, hint)
	case *guardStmt:
		if !in.holds(n.conds, env) {
			v, l := in.block(n.body.stmts, env.child(), hint)
			if l == onward {
				l = returned
			}
			return v, l
		}
	case *forStmt:
		return in.loop(n, env, hint)
	case *whileStmt:
		for first := n.repeat; in.step(1) && (first || in.holds(n.conds, env)); first = false {
			v, l := in.block(n.body.stmts, env.child(), hint)
			if l == returned {
				return v, l
			}
			if l == broke {
				break
			}
		}
	case *switchStmt:
		v, l := in.choose(n, env, hint)
		if l == broke {
			l = onward
		}
		return v, l
	case *returnStmt:
		if n.value == nil {
			return absent{}, returned
		}
		return in.eval(n.value, env, hint), returned
	case *jumpStmt:
		switch n.keyword {
		case "continue":
			return absent{}, continued
		case "break":
			return absent{}, broke
		case "throw":
			return absent{}, returned
		}
	case *assignStmt:
		in.assign(n, env)
	default:
		return in.eval(n, env, hint), onward
	}
	return absent{}, onward
}

// declare evaluates let or var.
func (in *interpreter) declare(n *varDecl, env *scope) {
	if n.getter != nil {
		env.declare(n.name(), &function{code: n.getter, env: env, self: env.self, typ: env.typ})
		return
	}
	var v value = absent{}
	if n.value != nil {
		v = copied(in.eval(n.value, env, n.typ))
	}
	bind(env, n.names, typed(v, n.typ))
}

// typed returns v. If it is an array whose elements have an unknown type, their type is
// taken from the type of the array.
func typed(v value, t typ) value {
	if l, ok := v.(*list); ok && l.elem == (typ{}) && t.depth > 0 {
		return &list{t.elem(), l.items}
	}
	return v
}

// copied returns a copy of an instance of a struct that the manifest declares.
// Objects of PackageDescription are references and are not copied.
func copied(v value) value {
	if o, ok := v.(*object); ok && o.ctor == "" && o.typ != named("Package") && o.typ.known() {
		c := *o
		c.labels, c.values = slices.Clone(o.labels), slices.Clone(o.values)
		return &c
	}
	return v
}

// holds reports whether all conditions hold. They may declare variables in env.
func (in *interpreter) holds(conds []node, env *scope) bool {
	for _, c := range conds {
		switch c := c.(type) {
		case *bindCond:
			v := in.eval(c.value, env, typ{})
			if _, ok := v.(absent); ok {
				return false
			}
			if _, ok := v.(unknown); ok {
				in.problem(c.at(), undecided)
				return false
			}
			env.declare(c.name, v)
		case *availableCond:
			if !c.holds {
				return false
			}
		default:
			if !in.isTrue(in.eval(c, env, typ{}), c.at()) {
				return false
			}
		}
	}
	return true
}

const undecided = "a condition depends on something that only the compiler knows, and is assumed to be false"

// isTrue returns the value of a condition. A condition that is unknown is a problem, and false.
func (in *interpreter) isTrue(v value, line int) bool {
	yes, known := truth(v)
	if !known {
		in.problem(line, undecided)
	}
	return yes && known
}

func (in *interpreter) branch(n *ifStmt, env *scope, hint typ) (value, leave) {
	if inner := env.child(); in.holds(n.conds, inner) {
		return in.block(n.body.stmts, inner, hint)
	}
	if n.other == nil {
		return absent{}, onward
	}
	return in.exec(n.other, env, hint)
}

func (in *interpreter) loop(n *forStmt, env *scope, hint typ) (value, leave) {
	for _, item := range in.items(in.eval(n.sequence, env, typ{}), n.at()) {
		if !in.step(1) {
			break
		}
		inner := env.child()
		bind(inner, n.names, item)
		if n.where != nil && !in.holds([]node{n.where}, inner) {
			continue
		}
		v, l := in.block(n.body.stmts, inner, hint)
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

func (in *interpreter) choose(n *switchStmt, env *scope, hint typ) (value, leave) {
	subject := in.eval(n.subject, env, typ{})
	if _, ok := subject.(unknown); ok {
		in.problem(n.at(), "a switch depends on something that only the compiler knows, so its default is used")
	}
	for _, arm := range n.arms {
		matched := len(arm.patterns) == 0
		for _, pattern := range arm.patterns {
			if _, bad := pattern.(*badExpr); bad {
				continue
			}
			v := in.eval(pattern, env, typeOf(subject))
			same, known := equal(subject, v)
			if numbers, ok := v.(*list); ok && typeOf(subject) == named("Int") { // a range
				same, known = in.contains(numbers, []evaluated{{value: subject}}) == true, true
			}
			matched = matched || same && known
		}
		if matched {
			return in.block(arm.body.stmts, env.child(), hint)
		}
	}
	return absent{}, onward
}

// assign evaluates an assignment.
func (in *interpreter) assign(n *assignStmt, env *scope) {
	if n.op != "=" {
		old := in.eval(n.left, env, typ{})
		right := in.eval(n.right, env, typeAt(n.left, old))
		in.store(n.left, env, in.operate(strings.TrimSuffix(n.op, "="), old, right, n.at()))
		return
	}
	var hint typ
	if m, ok := n.left.(*memberExpr); ok {
		hint = hintOf("", m.name)
	}
	in.store(n.left, env, copied(in.eval(n.right, env, hint)))
}

// typeAt returns the type of the variable that an expression refers to and whose value is
// v, if it is known.
func typeAt(n node, v value) typ {
	if t := typeOf(v); t.known() {
		return t
	}
	if m, ok := n.(*memberExpr); ok {
		return hintOf("", m.name)
	}
	return typ{}
}

// store assigns a value to the variable that an expression refers to.
func (in *interpreter) store(n node, env *scope, v value) {
	switch n := n.(type) {
	case *nameExpr:
		if n.name == "_" {
			return
		}
		if s := env.find(n.name); s != nil {
			s.vars[n.name] = v
			return
		}
		if self, ok := env.self.(*object); ok {
			self.set(n.name, v)
		}
		return
	case *memberExpr:
		if base, ok := in.eval(n.base, env, typ{}).(*object); ok {
			base.set(n.name, v)
			return
		}
	case *indexExpr:
		if len(n.args) != 1 && (len(n.args) != 2 || n.args[1].label != "default") {
			return
		}
		key := in.eval(n.args[0].value, env, typ{})
		switch base := in.eval(n.base, env, typ{}).(type) {
		case *dict:
			in.store(n.base, env, base.with(key, v))
		case *list:
			if i, ok := key.(int64); ok && i >= 0 && int(i) < len(base.items) && in.step(len(base.items)) {
				items := slices.Clone(base.items)
				items[i] = v
				in.store(n.base, env, &list{base.elem, items})
			}
		}
		return
	}
	in.problem(n.at(), "an assignment could not be interpreted")
}

// with returns a copy of a dictionary with a key set to a value, or without the key if the
// value is nil.
func (d *dict) with(key, v value) *dict {
	c := &dict{slices.Clone(d.keys), slices.Clone(d.values)}
	for i, k := range c.keys {
		if same, known := equal(k, key); same && known {
			if v == (absent{}) {
				c.keys, c.values = slices.Delete(c.keys, i, i+1), slices.Delete(c.values, i, i+1)
			} else {
				c.values[i] = v
			}
			return c
		}
	}
	if v == (absent{}) {
		return c
	}
	c.keys, c.values = append(c.keys, key), append(c.values, v)
	return c
}

// text evaluates a string literal.
func (in *interpreter) text(n *stringExpr, env *scope) value {
	if n.parts == nil {
		n.parts = stringParts(n.literal)
	}
	var b strings.Builder
	for _, part := range n.parts {
		if part.expr == nil {
			b.WriteString(part.text)
			continue
		}
		if !in.step(part.size / 16) {
			return unknown{}
		}
		t, ok := describe(in.eval(part.expr, env, typ{}))
		if !ok || b.Len()+len(t) > maxText || !in.step(len(t)/64) {
			return unknown{}
		}
		b.WriteString(t)
	}
	return b.String()
}

// stringParts parses the expressions in a string literal.
func stringParts(literal string) []stringPart {
	segments := source.Segments(literal)
	parts := make([]stringPart, len(segments))
	for i, s := range segments {
		if parts[i].text = s.Text; s.Expr == "" {
			continue
		}
		parts[i].size, parts[i].expr = len(s.Expr), &badExpr{}
		if root, _ := parse(s.Expr, func(string) bool { return false }); len(root.stmts) == 1 {
			parts[i].expr = root.stmts[0]
		}
	}
	return parts
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
	if low, ok := a.(string); ok && (op == "..<" || op == "...") { // The operands are versions, which are strings.
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
		l := &list{elem: named("Int")}
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
			if elem == (typ{}) {
				elem = y.elem
			}
			return &list{elem, slices.Concat(x.items, y.items)}
		}
		if _, ok := b.(absent); ok {
			return x
		}
	case *dict:
		// Operators on dictionaries are not supported.
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
		c = cmp.Compare(x, y)
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
