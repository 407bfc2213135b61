package modules

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// A module's function __getattr__ may provide the names that the module does not bind. To find out
// which, this file evaluates the function for a name that no code contains, and notes the strings
// with which it is compared. If the function raises an error for that name, it does so for every
// name that is not among these strings, and for each of those it is evaluated again.

// anyName is an argument that differs from every name in a program.
const anyName = "\x00name\x00"

// maxCompared is the maximum number of strings with which a name may be compared.
const maxCompared = 5000

// attempt is the state of one call to a module's __getattr__. The evaluations of the functions that
// it calls share it.
type attempt struct {
	mod      *module
	raised   bool               // an error has been raised
	compared map[string]bool    // names for which the result may differ from that for anyName
	values   map[*binding]value // lists and tables of modules, which the calls for all names share
}

// closure is a function that another function declares.
type closure struct {
	stmt   *source.Stmt
	file   *file
	locals map[string]value
}

// unknownValue is a value that cannot be determined.
type unknownValue struct{}

// provision contains the names that the function __getattr__ of a file provides. all is true if
// there are no others.
type provision struct {
	names []string
	all   bool
}

// provided returns the names that __getattr__ of a file provides.
func (r *Reader) provided(f *file) provision {
	if f.provision == nil {
		f.provision = &provision{}
		*f.provision = r.provisionOf(f)
	}
	return *f.provision
}

func (r *Reader) provisionOf(f *file) (p provision) {
	b := f.scope.names["__getattr__"]
	if b != nil && b.alt == nil && b.stmt != nil && b.stmt.Kind == source.Assign && !f.stub {
		return r.attachedNames(f, b.stmt.Value.Tree())
	}
	if b == nil || b.alt != nil || b.stmt == nil || b.stmt.Kind != source.Def || f.stub || len(f.lazy) == 0 {
		return provision{}
	}
	params := source.Params(b.stmt.Params)
	if len(params) != 1 || len(b.stmt.Decorators) > 0 {
		return provision{}
	}
	first := &attempt{mod: f.mod, compared: map[string]bool{}, values: map[*binding]value{}}
	if !r.refuses(f, first, params[0].Name, anyName) || len(first.compared) > maxCompared {
		return provision{}
	}
	for name := range first.compared {
		if isName(name) && !r.refuses(f, &attempt{mod: f.mod, values: first.values}, params[0].Name, name) {
			p.names = append(p.names, name)
		}
	}
	slices.Sort(p.names)
	p.all = true
	return p
}

// computesOnDemand reports whether only __getattr__ of a file binds computed names, and these are
// the names that it provides.
func (r *Reader) computesOnDemand(f *file) bool {
	b := f.scope.names["__getattr__"]
	if !r.provided(f).all || b.stmt.Kind != source.Def {
		return false
	}
	data, err := readFile(f.mod.dist.Root, f.name)
	if err != nil {
		return false
	}
	var others []byte
	within, number := false, 0
	for line := range bytes.Lines(data) {
		number++
		switch {
		case number == b.stmt.Line:
			within = true
		case within && number > b.stmt.Line && len(bytes.TrimSpace(line)) > 0 && indentation(line) == 0 && line[0] != '#' && line[0] != ')':
			within = false
		}
		if !within {
			others = append(others, line...)
		}
	}
	return !computesNames(others)
}

// attachedNames returns the names that lazy_loader's attach(…) provides, which are its arguments.
func (r *Reader) attachedNames(f *file, t *source.Tree) (p provision) {
	if t.Kind != source.Call || lastOf(t.X.Dotted()) != "attach" {
		return provision{}
	}
	p.all = true
	if submodules := t.Argument("submodules", 1); submodules != nil {
		_, p.all = submodules.Strings()
	}
	if attributes := t.Argument("submod_attrs", 2); attributes != nil {
		p.all = p.all && attributes.Kind == source.Dict
		for i, key := range attributes.Keys {
			_, ok := attributes.Args[i].Strings()
			p.all = p.all && ok && key != nil && key.Kind == source.String
		}
	}
	for name := range r.lazyTable(f) {
		p.names = append(p.names, name)
	}
	slices.Sort(p.names)
	return p
}

// refuses reports whether __getattr__ of a file certainly raises an error for a name.
func (r *Reader) refuses(f *file, a *attempt, param, name string) bool {
	e := &evaluation{Reader: r, file: f, line: maxLine, attempt: a, locals: map[string]value{param: name}}
	e.run(f.lazy)
	return a.raised && !e.failed
}

// shared returns the value of a variable of the module, which must not change after the assignment.
func (e *evaluation) shared(b *binding) value {
	v, ok := e.attempt.values[b]
	if ok {
		return v
	}
	if e.file.modifies(b.name) {
		return e.fail()
	}
	v = e.assigned(b)
	switch v.(type) {
	case *list, *table:
		if !e.failed {
			e.attempt.values[b] = v
		}
	}
	return v
}

// raise ends the evaluation with an error.
func (e *evaluation) raise() value {
	if e.attempt == nil {
		return e.fail()
	}
	e.attempt.raised = e.attempt.raised || !e.failed
	return nil
}

// compares notes the name that makes two strings equal, one of which contains anyName.
func (e *evaluation) compares(a, b string) {
	if e.attempt == nil || e.attempt.compared == nil {
		return
	}
	if strings.Contains(b, anyName) {
		a, b = b, a
	}
	before, after, ok := strings.Cut(a, anyName)
	if !ok {
		return
	}
	if strings.Contains(after, anyName) || strings.Contains(b, anyName) {
		e.fail()
		return
	}
	if name, ok := strings.CutPrefix(b, before); ok {
		if name, ok = strings.CutSuffix(name, after); ok {
			e.attempt.compared[name] = true
		}
	}
}

// importModule evaluates a call of importlib.import_module, which raises an error if there is no such module.
func (e *evaluation) importModule(t *source.Tree) value {
	name, ok := e.value(t.Argument("name", 0)).(string)
	if !ok {
		return e.fail()
	}
	if rest, relative := strings.CutPrefix(name, "."); relative {
		pkg, ok := e.value(t.Argument("package", 1)).(string)
		if !ok || strings.HasPrefix(rest, ".") {
			return e.fail()
		}
		name = pkg + "." + rest
	}
	parent := e.module(e.attempt.mod.dist, parentOf(name))
	switch {
	case parent == nil:
		return e.fail()
	case !isAny(name):
		if e.module(e.attempt.mod.dist, name) == nil {
			return e.raise()
		}
		return unknownValue{}
	}
	for _, below := range parent.dist.below(parent) {
		e.compares(lastOf(name), below)
	}
	return e.raise()
}

// isAny reports whether a value is a string that contains anyName. Only comparisons for equality
// have the same result for all names that are not among those compared.
func isAny(v value) bool {
	s, ok := v.(string)
	return ok && strings.Contains(s, anyName)
}

// lookupKey returns the value of a key of a table.
func (e *evaluation) lookupKey(d *table, key value) (v value, ok bool) {
	i := slices.IndexFunc(d.keys, func(k string) bool { return e.same(k, key) })
	if i < 0 {
		return nil, false
	}
	return d.values[i], true
}

// lenient evaluates an expression whose value may not matter.
func (e *evaluation) lenient(t *source.Tree) value {
	v := e.value(t)
	if e.recovers() {
		return unknownValue{}
	}
	return v
}

// recovers reports whether an evaluation has failed, and continues it unless it has taken too many
// steps.
func (e *evaluation) recovers() bool {
	if !e.failed || e.steps > maxSteps {
		return false
	}
	e.failed = false
	return true
}

// branch executes an if statement. If the condition is unknown, its body must raise an error: then
// only the other branch can lead to another result.
func (e *evaluation) branch(s *source.Stmt) ending {
	holds := e.truth(s.Value.Tree())
	switch {
	case e.attempt == nil || !e.failed:
	case !e.recovers():
		return returned
	default:
		inner := *e
		inner.locals = maps.Clone(e.locals)
		inner.run(s.Body)
		e.steps = inner.steps
		if !e.attempt.raised || inner.failed {
			e.fail()
			return returned
		}
		e.attempt.raised, holds = false, false
	}
	if e.attempt != nil && e.attempt.raised {
		return returned
	}
	if holds {
		return e.run(s.Body)
	}
	return e.run(s.Else)
}

// try executes a try statement. If its body raises an error, all handlers must raise one, too.
func (e *evaluation) try(s *source.Stmt) ending {
	if e.attempt == nil {
		e.fail()
		return returned
	}
	end := e.run(s.Body)
	if e.attempt.raised && !endsInRaise(s.Else) {
		e.fail()
	}
	return end
}

// endsInRaise reports whether a block without branches raises an error.
func endsInRaise(body []source.Stmt) bool {
	for i := range body {
		switch s := &body[i]; {
		case s.Kind == source.Raise:
			return i == len(body)-1
		case s.Kind != source.Assign && s.Kind != source.Expr || s.Name != "":
			return false
		}
	}
	return false
}

// expression executes a statement that consists of an expression.
func (e *evaluation) expression(s *source.Stmt) {
	t := s.Value.Tree()
	if t.Kind != source.Call {
		return
	}
	e.value(t)
	name := strings.ToLower(lastOf(t.X.Dotted()))
	if e.attempt != nil && (strings.Contains(name, "warn") || strings.Contains(name, "deprecat")) {
		e.recovers() // Warnings have no effect on the names.
	}
}

// closure returns the function that a name refers to, if another function has returned it.
func (e *evaluation) closure(name string) *closure {
	v := e.locals[name]
	if b := e.file.scope.names[name]; v == nil && e.attempt != nil && b != nil && !b.imported && b.stmt != nil && b.stmt.Kind == source.Assign {
		if call := b.stmt.Value.Tree(); call.Kind == source.Call {
			v = e.name(name)
		}
	}
	c, _ := v.(*closure)
	return c
}

// parent returns the name of the package that contains a module. A package contains itself.
func (m *module) parent() string {
	if m.pkg {
		return m.name
	}
	return parentOf(m.name)
}
