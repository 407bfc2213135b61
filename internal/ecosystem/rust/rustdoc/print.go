package rustdoc

import (
	"cmp"
	"slices"
	"strings"
)

// printer writes types. Parts that are nested too deeply become "…".
type printer struct {
	strings.Builder
	depth int
}

func text(write func(*printer)) string {
	var p printer
	write(&p)
	return p.String()
}

// local returns a path in the form that users read. A path that begins within
// the crate becomes its last name.
func local(path string) string {
	for _, prefix := range []string{"crate::", "self::", "super::", "$crate::"} {
		if strings.HasPrefix(path, prefix) {
			return path[strings.LastIndexByte(path, ':')+1:]
		}
	}
	return path
}

func (p *printer) path(x *path) {
	p.WriteString(local(x.text()))
	p.args(x.Args)
}

func (p *printer) args(a *args) {
	if p.depth++; p.depth > maxNested {
		p.depth--
		p.WriteString("<…>")
		return
	}
	defer func() { p.depth-- }()
	switch {
	case a == nil:
	case a.ReturnType:
		p.WriteString("(..)")
	case a.Parens != nil:
		p.WriteByte('(')
		for i := range a.Parens.Inputs {
			p.comma(i)
			p.typ(&a.Parens.Inputs[i])
		}
		p.WriteByte(')')
		if a.Parens.Output != nil {
			p.WriteString(" -> ")
			p.typ(a.Parens.Output)
		}
	case a.Angle != nil:
		constraints := slices.Concat(a.Angle.Constraints, a.Angle.Bindings)
		if len(a.Angle.Args)+len(constraints) == 0 {
			return
		}
		p.WriteByte('<')
		for i := range a.Angle.Args {
			p.comma(i)
			switch x := &a.Angle.Args[i]; {
			case x.Lifetime != nil:
				p.WriteString(*x.Lifetime)
			case x.Type != nil:
				p.typ(x.Type)
			case x.Const != nil:
				p.WriteString(x.Const.Expr)
			default:
				p.WriteByte('_')
			}
		}
		for i := range constraints {
			p.comma(i + len(a.Angle.Args))
			x := &constraints[i]
			p.WriteString(x.Name)
			p.args(x.Args)
			if e := x.Binding.Equality; e != nil {
				p.WriteString(" = ")
				p.term(e)
			} else {
				p.WriteString(": ")
				p.bounds(x.Binding.Constraint)
			}
		}
		p.WriteByte('>')
	}
}

func (p *printer) comma(i int) {
	if i > 0 {
		p.WriteString(", ")
	}
}

func (p *printer) term(t *term) {
	switch {
	case t.Type != nil:
		p.typ(t.Type)
	case t.Constant != nil:
		p.WriteString(t.Constant.Expr)
	}
}

func (p *printer) typ(t *typ) {
	if p.depth++; p.depth > maxNested {
		p.depth--
		p.WriteString("…")
		return
	}
	defer func() { p.depth-- }()
	switch {
	case t.ResolvedPath != nil:
		p.path(t.ResolvedPath)
	case t.DynTrait != nil:
		p.WriteString("dyn ")
		for i := range t.DynTrait.Traits {
			if i > 0 {
				p.WriteString(" + ")
			}
			p.higher(t.DynTrait.Traits[i].Params)
			p.path(&t.DynTrait.Traits[i].Trait)
		}
		if t.DynTrait.Lifetime != "" {
			p.WriteString(" + " + t.DynTrait.Lifetime)
		}
	case t.Generic != nil:
		p.WriteString(*t.Generic)
	case t.Primitive != nil:
		if *t.Primitive == "never" {
			p.WriteByte('!')
		} else {
			p.WriteString(*t.Primitive)
		}
	case t.FunctionPointer != nil:
		f := t.FunctionPointer
		p.higher(f.Params)
		p.WriteString(f.Header.words() + "fn(")
		for i := range f.Sig.Inputs {
			p.comma(i)
			if n := f.Sig.Inputs[i].Name; n != "_" && n != "" {
				p.WriteString(n + ": ")
			}
			p.typ(&f.Sig.Inputs[i].Type)
		}
		if f.Sig.IsCVariadic {
			p.comma(len(f.Sig.Inputs))
			p.WriteString("...")
		}
		p.WriteByte(')')
		if f.Sig.Output != nil {
			p.WriteString(" -> ")
			p.typ(f.Sig.Output)
		}
	case t.Tuple != nil:
		p.WriteByte('(')
		for i := range *t.Tuple {
			p.comma(i)
			p.typ(&(*t.Tuple)[i])
		}
		if len(*t.Tuple) == 1 {
			p.WriteByte(',')
		}
		p.WriteByte(')')
	case t.Slice != nil:
		p.WriteByte('[')
		p.typ(t.Slice)
		p.WriteByte(']')
	case t.Array != nil:
		p.WriteByte('[')
		p.typ(&t.Array.Type)
		p.WriteString("; " + t.Array.Len + "]")
	case t.Pat != nil:
		p.typ(&t.Pat.Type)
	case t.ImplTrait != nil:
		p.WriteString("impl ")
		p.bounds(*t.ImplTrait)
	case t.RawPointer != nil:
		if t.RawPointer.IsMutable {
			p.WriteString("*mut ")
		} else {
			p.WriteString("*const ")
		}
		p.inner(&t.RawPointer.Type)
	case t.BorrowedRef != nil:
		p.WriteByte('&')
		if t.BorrowedRef.Lifetime != "" {
			p.WriteString(t.BorrowedRef.Lifetime + " ")
		}
		if t.BorrowedRef.IsMutable {
			p.WriteString("mut ")
		}
		p.inner(&t.BorrowedRef.Type)
	case t.QualifiedPath != nil:
		q := t.QualifiedPath
		if q.Trait == nil || q.Trait.text() == "" {
			named := q.Self.Generic != nil || q.Self.ResolvedPath != nil || q.Self.QualifiedPath != nil
			if !named {
				p.WriteByte('<')
			}
			p.typ(&q.Self)
			if !named {
				p.WriteByte('>')
			}
		} else {
			p.WriteByte('<')
			p.typ(&q.Self)
			p.WriteString(" as ")
			p.path(q.Trait)
			p.WriteByte('>')
		}
		p.WriteString("::" + q.Name)
		p.args(q.Args)
	case t.Infer:
		p.WriteByte('_')
	}
}

// inner writes the type to which a reference or pointer points.
func (p *printer) inner(t *typ) {
	parens := t.DynTrait != nil && (len(t.DynTrait.Traits) > 1 || t.DynTrait.Lifetime != "") || t.ImplTrait != nil && len(*t.ImplTrait) > 1
	if parens {
		p.WriteByte('(')
	}
	p.typ(t)
	if parens {
		p.WriteByte(')')
	}
}

// higher writes the prefix for<'a>.
func (p *printer) higher(params []param) {
	if len(params) == 0 {
		return
	}
	p.WriteString("for<")
	p.params(params)
	p.WriteString("> ")
}

func (p *printer) bounds(all []bound) {
	for i := range all {
		if i > 0 {
			p.WriteString(" + ")
		}
		switch b := &all[i]; {
		case b.Trait != nil:
			// As in the language, the modifier precedes for<'a>.
			switch b.Trait.Modifier.Name {
			case "maybe":
				p.WriteByte('?')
			case "maybe_const":
				p.WriteString("[const] ")
			}
			p.higher(b.Trait.Params)
			p.path(&b.Trait.Trait)
		case b.Outlives != nil:
			p.WriteString(*b.Outlives)
		default:
			p.WriteString("use<")
			for j, c := range b.Use {
				p.comma(j)
				p.WriteString(c.Name)
			}
			p.WriteByte('>')
		}
	}
}

// params writes generic parameters.
func (p *printer) params(all []param) {
	for i, s := range paramList(all) {
		p.comma(i)
		p.WriteString(s)
	}
}

func paramList(params []param) []string {
	var all []string
	for i := range params {
		x := &params[i]
		k := &x.Kind.Value
		if k.IsSynthetic {
			continue
		}
		var p printer
		switch x.Kind.Name {
		case "lifetime":
			p.WriteString(x.Name)
			if len(k.Outlives) > 0 {
				p.WriteString(": " + strings.Join(k.Outlives, " + "))
			}
		case "const":
			p.WriteString("const " + x.Name + ": ")
			if k.Type != nil {
				p.typ(k.Type)
			}
		default:
			p.WriteString(x.Name)
			if len(k.Bounds) > 0 {
				p.WriteString(": ")
				p.bounds(k.Bounds)
			}
		}
		if k.Default != nil {
			p.WriteString(" = ")
			if k.Default.Type != nil {
				p.typ(k.Default.Type)
			} else {
				p.WriteString(k.Default.Expr)
			}
		}
		all = append(all, p.String())
	}
	return all
}

func whereList(predicates []predicate) []string {
	var all []string
	for i := range predicates {
		var p printer
		switch x := &predicates[i]; {
		case x.Bound != nil:
			if len(x.Bound.Bounds) == 0 {
				continue
			}
			p.higher(x.Bound.Params)
			p.typ(&x.Bound.Type)
			p.WriteString(": ")
			p.bounds(x.Bound.Bounds)
		case x.Lifetime != nil:
			p.WriteString(x.Lifetime.Lifetime + ": " + strings.Join(x.Lifetime.Outlives, " + "))
		case x.Eq != nil:
			p.typ(&x.Eq.Left)
			p.WriteString(" = ")
			p.term(&x.Eq.Right)
		default:
			continue
		}
		all = append(all, p.String())
	}
	return all
}

// words returns the keywords before fn.
func (h *header) words() string {
	var b strings.Builder
	if h.IsConst {
		b.WriteString("const ")
	}
	if h.IsAsync {
		b.WriteString("async ")
	}
	if h.IsUnsafe {
		b.WriteString("unsafe ")
	}
	switch name := h.ABI.Name; name {
	case "", "Rust":
	case "Other":
		b.WriteString("extern \"" + strings.Trim(h.ABI.Value.Name, `"`) + "\" ")
	default:
		name = map[string]string{"Cdecl": "cdecl", "Stdcall": "stdcall", "Fastcall": "fastcall", "Aapcs": "aapcs", "Win64": "win64", "SysV64": "sysv64", "System": "system"}[name]
		name = cmp.Or(name, h.ABI.Name)
		if h.ABI.Value.Unwind {
			name += "-unwind"
		}
		b.WriteString("extern \"" + name + "\" ")
	}
	return b.String()
}
