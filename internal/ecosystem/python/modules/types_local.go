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
		return nil
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
