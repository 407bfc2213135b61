package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// This file infers the types of functions and classes in functions.

// localClass returns a class that a function declares. It returns nil if a variable of the function may change what the
// class statement means, because the class is read as if the module declared it.
func (f *frame) localClass(s *source.Code) *classType {
	for o := f; o != nil; o = o.outer {
		for name := range o.locals {
			if o.def != nil && (builtins[name] || f.file.scope.names[name] != nil) {
				return nil
			}
		}
	}
	if f.hidesAny(s.Value) || slices.ContainsFunc(s.Decorators, f.hidesAny) {
		return nil
	}
	b, ok := f.file.classes[s.Pos]
	if !ok {
		line := f.file.lineOf(s.Pos)
		if stmt := source.ReadClass(f.file.source, f.file.offsetOf(line)); stmt != nil && stmt.Name == s.Name {
			for _, d := range s.Decorators {
				stmt.Decorators = append(stmt.Decorators, source.NewExpression(d))
			}
			b = &binding{name: s.Name, scope: f.file.scope, stmt: stmt}
		}
		if f.file.classes == nil {
			f.file.classes = map[int]*binding{}
		}
		f.file.classes[s.Pos] = b
	}
	if b == nil {
		return nil
	}
	return f.classOf(f.r.declared(b))
}

// localResult returns the type of the result of a function in a function.
func (t *Types) localResult(def *callable) *typ {
	l := def.local
	if l.code == nil {
		return def.result
	}
	v := t.nested[l.code]
	if v != nil {
		if !v.done {
			return nil
		}
		return v.t
	}
	v = &inference{}
	t.nested[l.code] = v
	if t.depth++; t.depth <= maxInference {
		v.t = t.findLocalResult(l)
	}
	t.depth--
	v.done = true
	return v.t
}

func (t *Types) findLocalResult(l *localFunction) *typ {
	var x *typ
	switch {
	case l.code.Returns == "":
		// The variables of the functions around it are unknown, because later statements may assign them.
		f := t.functionFrame(l.outer.file, l.outer.scope, l.code, l.class, l.outer)
		f.quiet, f.limit, f.isolated = 1, maxResultSteps, true
		f.run(l.code.Body)
		if f.stopped {
			return nil
		}
		x = f.returned()
	case l.outer.hidesAny(source.Parse(l.code.Returns)):
		return nil
	default:
		x = t.annotation(l.outer.scope, source.Annotation(l.code.Returns).Type(), nil, maxTypeDepth)
	}
	if x == nil || x.open {
		return nil
	}
	if l.code.Async && !yields(l.code.Body) {
		return t.instance(t.standard("_collections_abc", "Coroutine"), nil, nil, x)
	}
	return x
}

// declare binds a function that is declared in a function, or evaluates one that a module or class declares.
func (f *frame) declare(s *source.Code) {
	for _, d := range s.Decorators {
		f.value(d)
	}
	if f.def == nil {
		f.assignName(s.Name, f.declaredName(s.Name))
		return
	}
	def := &callable{static: true, async: s.Async, local: &localFunction{code: s, outer: f}}
	x := &typ{kind: functionType, def: def}
	f.nested = append(f.nested, x)
	if len(s.Decorators) > 0 {
		x = nil
	}
	f.assignName(s.Name, x)
}

// declaredName returns the type of a function or class that a module or class declares.
func (f *frame) declaredName(name string) *typ {
	if f.scope.class == nil {
		return f.global(f.file, name)
	}
	if b := f.scope.names[name]; b != nil {
		return f.binding(b, f.class)
	}
	return nil
}

// declareClass binds a class.
func (f *frame) declareClass(s *source.Code) {
	for _, d := range s.Decorators {
		f.value(d)
	}
	if s.Value != nil {
		f.muted(func() {
			for _, a := range s.Value.Args {
				f.value(a)
			}
		})
	}
	if f.def == nil {
		f.assignName(s.Name, f.declaredName(s.Name))
		return
	}
	class := f.localClass(s)
	var x *typ
	if class != nil {
		x = &typ{kind: classObject, class: class, exact: true}
	}
	f.assignName(s.Name, x)
	eachFunction(s.Body, func(method *source.Code) {
		f.nested = append(f.nested, &typ{kind: functionType, def: &callable{static: true, async: method.Async, local: &localFunction{code: method, outer: f, class: class}}})
	})
}
