package modules

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// This file evaluates lists of names that a module builds with loops and functions. It supports
// loops over literals and over the names of a module, conditions on names and on the objects that
// they refer to, and concatenation of strings. Any other code ends the evaluation without a result.

// maxSteps is the maximum number of expressions, statements and list elements in one evaluation,
// maxList is the maximum number of elements in one list, and maxText is the maximum size in bytes
// of one string.
const (
	maxSteps = 200_000
	maxList  = 20_000
	maxText  = 4096
)

// A value is one of these types: string, int, bool, *list, *table, *object, *closure, unknownValue. It is
// nil for None.
type value any

type list struct{ items []value }

// table is a dictionary whose keys are strings.
type table struct {
	keys   []string
	values []value
}

// object is the object that a name in a module refers to.
type object struct {
	entity *entity
	found  *binding // nil for a star import
}

// evaluation contains the state of evaluating one expression.
type evaluation struct {
	*Reader
	file   *file
	locals map[string]value // local variables, or nil for the statements of a module
	line   int              // line of the module's statement
	steps  int
	depth  int
	failed bool
	// attempt is the call to __getattr__ that is evaluated, or nil for other expressions. Only such
	// calls may raise errors.
	attempt *attempt
}

// evaluate returns the strings that an expression of a module evaluates to at the given line. ok is
// false if they cannot be determined.
func (r *Reader) evaluate(f *file, t *source.Tree, line int) (names []string, ok bool) {
	e := &evaluation{Reader: r, file: f, line: line}
	return e.strings(e.value(t))
}

// looped returns a list of names after a loop of the module has changed it. ok is false if the
// result cannot be determined.
func (r *Reader) looped(f *file, names []string, loop *source.Stmt) (changed []string, ok bool) {
	all := &list{}
	for _, n := range names {
		all.items = append(all.items, n)
	}
	e := &evaluation{Reader: r, file: f, line: loop.Line, locals: map[string]value{"__all__": all}}
	e.run([]source.Stmt{*loop})
	return e.strings(e.locals["__all__"])
}

func (e *evaluation) strings(v value) (names []string, ok bool) {
	for _, x := range e.items(v) {
		s, isString := x.(string)
		if !isString {
			return nil, false
		}
		names = append(names, s)
	}
	return names, !e.failed
}

func (e *evaluation) fail() value {
	e.failed = true
	return nil
}

// spend counts steps. It returns false when the evaluation must end.
func (e *evaluation) spend(steps int) bool {
	if e.steps += steps; e.steps > maxSteps {
		e.failed = true
	}
	return !e.failed && (e.attempt == nil || !e.attempt.raised)
}

// bounded returns a string. If the string is too long, the evaluation fails.
func (e *evaluation) bounded(s string) value {
	if len(s) > maxText {
		return e.fail()
	}
	return s
}

// items returns the elements of a list, the keys of a table, or the letters of
// a string.
func (e *evaluation) items(v value) []value {
	var items []value
	switch v := v.(type) {
	case *list:
		if !e.spend(len(v.items)) || len(v.items) > maxList {
			e.fail()
			return nil
		}
		return v.items
	case *table:
		for _, k := range v.keys {
			items = append(items, k)
		}
	case string:
		if isAny(v) {
			e.fail()
		}
		for _, c := range v {
			items = append(items, string(c))
		}
	default:
		e.fail()
	}
	return items
}

func (e *evaluation) value(t *source.Tree) value {
	if t == nil || !e.spend(1) || e.depth > 4*maxDepth {
		return e.fail()
	}
	e.depth++
	defer func() { e.depth-- }()
	switch t.Kind {
	case source.String:
		return t.Name
	case source.Format:
		var b strings.Builder
		for _, part := range t.Args {
			b.WriteString(e.text(e.value(part)))
			if b.Len() > maxText {
				return e.fail()
			}
		}
		return b.String()
	case source.Number:
		n, err := strconv.Atoi(t.Name)
		if err != nil {
			return e.fail()
		}
		return n
	case source.Unary:
		if n, ok := e.value(t.X).(int); ok && t.Name == "-" {
			return -n
		}
	case source.Constant:
		switch t.Name {
		case "True", "False":
			return t.Name == "True"
		case "None":
			return nil
		}
	case source.Tuple, source.List, source.Set:
		return e.sequence(t.Args)
	case source.Dict:
		d := &table{}
		for i, k := range t.Keys {
			key, ok := e.value(k).(string)
			if !ok {
				return e.fail()
			}
			d.keys, d.values = append(d.keys, key), append(d.values, e.lenient(t.Args[i]))
		}
		return d
	case source.Loop:
		result := &list{}
		e.loop(t.Args, func() { result.items = append(result.items, e.value(t.X)) })
		return result
	case source.DictLoop:
		d := &table{}
		e.loop(t.Args, func() {
			key, ok := e.value(t.Keys[0]).(string)
			if !ok {
				e.fail()
			}
			d.keys, d.values = append(d.keys, key), append(d.values, e.lenient(t.X))
		})
		return d
	case source.Name:
		return e.name(t.Name)
	case source.Attribute:
		return e.attributeOf(t)
	case source.Walrus:
		v := e.value(t.X)
		e.assign([]string{t.Name}, v)
		return v
	case source.Not:
		return !e.truth(t.X)
	case source.Logical:
		if e.truth(t.X) == (t.Name == "or") {
			return t.Name == "or"
		}
		return e.truth(t.Args[0])
	case source.Condition:
		if e.truth(t.X) {
			return e.value(t.Args[0])
		}
		return e.value(t.Args[1])
	case source.Compare:
		return e.compare(t.Name, e.value(t.X), e.value(t.Args[0]))
	case source.Binary:
		return e.binary(t.Name, e.value(t.X), e.value(t.Args[0]))
	case source.Subscript:
		return e.subscript(t)
	case source.Call:
		return e.call(t)
	}
	return e.fail()
}

func (e *evaluation) sequence(args []*source.Tree) *list {
	result := &list{}
	for _, a := range args {
		if a.Kind == source.Starred {
			result.items = append(result.items, e.items(e.value(a.X))...)
		} else {
			result.items = append(result.items, e.value(a))
		}
	}
	return result
}

// text returns a string or a number in the form in which str writes it. The
// evaluation fails for other values.
func (e *evaluation) text(v value) string {
	switch v := v.(type) {
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	}
	e.fail()
	return ""
}

// name returns the value of a variable of the function, or else of the module.
func (e *evaluation) name(name string) value {
	if v, ok := e.locals[name]; ok {
		return v
	}
	b := e.file.scope.names[name]
	switch {
	case name == "__name__":
		return e.file.mod.name
	case name == "__package__":
		return e.file.mod.parent()
	case b == nil || b.used:
	case b.imported:
		if b.attr == "__all__" {
			return e.exported(e.module(e.file.mod.dist, b.from))
		}
		return e.object(e.follow(b), b)
	case b.stmt != nil && b.stmt.Kind == source.Assign:
		if e.attempt != nil {
			return e.shared(b)
		}
		return e.assigned(b)
	default:
		return e.object(e.follow(b), b)
	}
	if found := e.lookup(e.file.mod, name, false); found.known() {
		return e.object(found, nil)
	}
	return e.fail()
}

// assigned returns the value of a variable of the module.
func (e *evaluation) assigned(b *binding) value {
	b.used = true
	defer func() { b.used = false }()
	inner := &evaluation{Reader: e.Reader, file: e.file, line: b.stmt.Line, steps: e.steps, depth: e.depth, attempt: e.attempt}
	v := inner.value(b.stmt.Value.Tree())
	inner.assign(b.stmt.Targets, v)
	e.steps, e.failed = inner.steps, inner.failed
	return inner.locals[b.name]
}

// object returns the object that a name refers to, or the value of a variable
// of another module.
func (e *evaluation) object(found *entity, b *binding) value {
	if found.known() && found.path != "" && found.code != nil && found.code.stmt != nil && found.code.stmt.Kind == source.Assign && found.code != b && !found.code.used {
		inner := &evaluation{Reader: e.Reader, file: found.code.scope.file, steps: e.steps, depth: e.depth, attempt: e.attempt}
		if v := inner.name(lastOf(found.path)); !inner.failed {
			e.steps = inner.steps
			return v
		}
	}
	return &object{found, b}
}

func (e *evaluation) exported(m *module) value {
	result := &list{}
	if m == nil {
		return e.fail()
	}
	for _, n := range e.exports(m) {
		result.items = append(result.items, n)
	}
	return result
}

// snapshot returns the result of globals() at the line of the statement.
func (e *evaluation) snapshot() value {
	result := &table{}
	for _, b := range e.file.scope.order {
		line := b.line
		if b.stmt != nil {
			line = b.stmt.Line
		}
		if !b.typing && line < e.line {
			result.keys, result.values = append(result.keys, b.name), append(result.values, &object{found: b})
		}
	}
	defer e.collect()()
	for _, s := range e.file.scope.stars {
		if s.typing || s.line > e.line {
			continue
		}
		for _, n := range e.namesOf(nil, e.file, s) {
			if e.file.scope.names[n] == nil {
				result.keys, result.values = append(result.keys, n), append(result.values, &object{entity: e.lookup(e.file.mod, n, false)})
			}
		}
	}
	e.spend(len(result.keys))
	return result
}

// meaning returns the declaration or module that an object represents.
func (e *evaluation) meaning(o *object) *entity {
	if o.entity == nil && o.found != nil && !o.found.used {
		o.entity = e.followAny(o.found)
	}
	return o.entity
}

func (e *evaluation) truth(t *source.Tree) bool {
	switch v := e.value(t).(type) {
	case bool:
		return v
	case string:
		return v != ""
	case int:
		return v != 0
	case *list:
		return len(v.items) > 0
	case *table:
		return len(v.keys) > 0
	case *object, *closure:
		return true
	case unknownValue:
		e.fail()
	}
	return false
}

func (e *evaluation) compare(op string, a, b value) value {
	switch op {
	case "in", "not in":
		if s, ok := a.(string); ok {
			if in, ok := b.(string); ok {
				if isAny(s) || isAny(in) {
					return e.fail()
				}
				return strings.Contains(in, s) == (op == "in")
			}
		}
		return slices.ContainsFunc(e.items(b), func(x value) bool { return e.same(a, x) }) == (op == "in")
	case "==", "is":
		return e.same(a, b)
	case "!=", "is not":
		return !e.same(a, b)
	}
	return e.fail()
}

// same reports whether two values are equal.
func (e *evaluation) same(a, b value) bool {
	x, ok1 := a.(*object)
	if y, ok2 := b.(*object); ok1 && ok2 {
		p, q := e.meaning(x), e.meaning(y)
		return p != nil && q != nil && p.full() == q.full()
	}
	for _, v := range [...]value{a, b} {
		switch v.(type) {
		case *list, *table, unknownValue:
			e.fail()
			return false
		}
	}
	if s, ok := a.(string); ok {
		if t, ok := b.(string); ok {
			e.compares(s, t)
		}
	}
	return a == b
}

func (e *evaluation) binary(op string, a, b value) value {
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok && op == "+" {
			return e.bounded(x + y)
		}
		if op == "%" {
			return e.percent(x, b)
		}
	case int:
		y, ok := b.(int)
		switch {
		case !ok:
		case op == "+":
			return x + y
		case op == "-":
			return x - y
		case op == "*":
			return x * y
		}
	case *list:
		y := e.items(b)
		switch op {
		case "+", "|":
			return &list{slices.Concat(x.items, y)}
		case "-":
			return &list{slices.DeleteFunc(slices.Clone(x.items), func(v value) bool { return slices.Contains(y, v) })}
		}
	}
	return e.fail()
}

// percent returns the text of format % arguments, with %s and %d.
func (e *evaluation) percent(format string, args value) value {
	values := []value{args}
	if l, ok := args.(*list); ok {
		values = l.items
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(format, "%")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if after == "" || len(values) == 0 || after[0] != 's' && after[0] != 'd' {
			return e.fail()
		}
		b.WriteString(e.text(values[0]))
		if b.Len() > maxText {
			return e.fail()
		}
		format, values = after[1:], values[1:]
	}
}

// subscript returns an element, or a slice with constant bounds.
func (e *evaluation) subscript(t *source.Tree) value {
	v := e.value(t.X)
	if len(t.Args) != 1 || t.Args[0] == nil {
		return e.fail()
	}
	if d, ok := v.(*table); ok {
		key := e.value(t.Args[0])
		if v, ok := e.lookupKey(d, key); ok || e.failed {
			return v
		}
		return e.raise()
	}
	s, isString := v.(string)
	items := e.items(v)
	from, to := 0, len(items)
	if from, rest, isSlice := strings.Cut(t.Args[0].Text, ":"); t.Args[0].Kind == source.Slice && isSlice {
		a, b := 0, len(items)
		for text, bound := range map[string]*int{from: &a, rest: &b} {
			if text = strings.TrimSpace(text); text == "" {
				continue
			}
			n, err := strconv.Atoi(text)
			if err != nil {
				return e.fail()
			}
			if n < 0 {
				n += len(items)
			}
			*bound = min(max(n, 0), len(items))
		}
		if b < a {
			b = a
		}
		if isString {
			return s[a:b]
		}
		return &list{slices.Clone(items[a:b])}
	}
	n, ok := e.value(t.Args[0]).(int)
	if n < 0 {
		n += to
	}
	if !ok || n < from || n >= to {
		return e.fail()
	}
	return items[n]
}

// loop calls body for each iteration of nested loops.
func (e *evaluation) loop(loops []*source.Tree, body func()) {
	if len(loops) == 0 {
		body()
		return
	}
	if e.locals == nil {
		e.locals = map[string]value{}
	}
	for _, item := range slices.Clone(e.items(e.value(loops[0].Args[0]))) {
		e.bind(loops[0].X, item)
		if !slices.ContainsFunc(loops[0].Args[1:], func(c *source.Tree) bool { return !e.truth(c) }) && !e.failed {
			e.loop(loops[1:], body)
		}
		if !e.spend(1) {
			return
		}
	}
}

// bind assigns a value to one name or to several names.
func (e *evaluation) bind(target *source.Tree, v value) {
	if e.locals == nil {
		e.locals = map[string]value{}
	}
	switch target.Kind {
	case source.Name:
		e.locals[target.Name] = v
	case source.Tuple, source.List:
		items := e.items(v)
		if len(items) != len(target.Args) {
			e.fail()
			return
		}
		for i, t := range target.Args {
			e.bind(t, items[i])
		}
	default:
		e.fail()
	}
}

func (e *evaluation) assign(targets []string, v value) {
	for _, t := range targets {
		e.bind(source.Parse(t), v)
	}
}

// These are the ways in which a block ends.
type ending uint8

const (
	through ending = iota // The block ends with its last statement.
	skipped               // the block ends with continue
	broken                // the block ends with break
	returned
)

// run executes statements. The value of a return statement is in locals under
// "return".
func (e *evaluation) run(body []source.Stmt) ending {
	for i := range body {
		if !e.spend(1) {
			return returned
		}
		s := &body[i]
		end := through
		switch s.Kind {
		case source.Assign:
			e.assignment(s)
		case source.Expr:
			switch s.Name {
			case "continue":
				return skipped
			case "break":
				return broken
			case "return":
				e.locals["return"] = e.value(s.Value.Tree())
				return returned
			}
			e.expression(s)
		case source.If:
			end = e.branch(s)
		case source.Try:
			end = e.try(s)
		case source.Raise:
			e.raise()
			return returned
		case source.Def:
			if e.attempt == nil {
				e.fail()
			}
			e.locals[s.Name] = &closure{s, e.file, e.locals}
		case source.Import, source.From:
			if e.attempt == nil {
				e.fail()
			}
			for _, n := range s.Names {
				name, _, _ := strings.Cut(cmp.Or(n.As, n.Name), ".")
				e.locals[name] = unknownValue{}
			}
		case source.Block:
			loop, ok := s.Value.Loop()
			if s.Name != "for" || !ok {
				e.fail()
				return returned
			}
			for _, item := range slices.Clone(e.items(e.value(loop.Args[0]))) {
				e.bind(loop.X, item)
				if end = e.run(s.Body); end == broken || end == returned {
					break
				}
			}
			if end != returned {
				end = through
			}
		default:
			e.fail()
		}
		if end != through {
			return end
		}
	}
	return through
}

func (e *evaluation) assignment(s *source.Stmt) {
	v := e.value(s.Value.Tree())
	if e.attempt != nil && e.recovers() {
		v = unknownValue{}
	}
	if s.Op == "" {
		e.assign(s.Targets, v)
		return
	}
	for _, t := range s.Targets {
		old, ok := e.locals[t]
		if l, isList := old.(*list); isList && s.Op == "+=" {
			l.items = append(l.items, e.items(v)...)
			continue
		}
		if !ok {
			e.fail()
			return
		}
		e.locals[t] = e.binary(strings.TrimSuffix(s.Op, "="), old, v)
	}
}
