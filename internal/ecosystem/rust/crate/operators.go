package crate

import "strings"

// Dereferences reports whether a type may dereference to another one.
func (s *Scope) Dereferences(t *Type) bool {
	k := t.known()
	if k == nil {
		return false
	}
	_, derefs := k.deref(s)
	return derefs != no
}

// Await returns the type of the output of a future.
func (s *Scope) Await(t *Type) *Type {
	k := t.known()
	if k == nil {
		return nil
	}
	if k.isStandard("Pin") || k.isStandard("Box") {
		return s.Await(k.arg(0))
	}
	if v := k.project(s, s.standardTrait("Future"), "Output", 0); v != nil {
		return v
	}
	return k.project(s, s.standardTrait("IntoFuture"), "Output", 0)
}

// Try returns the type of a value after the operator ?.
func (s *Scope) Try(t *Type) *Type {
	k := t.known()
	switch {
	case k.isStandard("Option"), k.isStandard("Result"):
		return k.arg(0)
	case k.isStandard("Poll"):
		return nil
	}
	return nil
}

// Element returns the type of the elements over which a for loop iterates.
func (s *Scope) Element(t *Type) *Type {
	return t.project(s, s.standardTrait("IntoIterator"), "Item", 0)
}

// Index returns the type of an element of a value.
func (s *Scope) Index(t, index *Type) *Type {
	for range maxTypeDepth {
		if t = t.known(); t == nil {
			return nil
		}
		switch {
		case t.isSlice(), t.isStandard("Vec"), t.isStandard("VecDeque"):
			i := index.resolved()
			switch {
			case i == nil:
				return nil
			case i.number, i.def != nil && i.def.kind == primitive:
				return t.arg(0)
			case i.def != nil && strings.HasPrefix(i.def.name, "Range") && i.def.krate.standard():
				return s.Slice(t.arg(0))
			}
			return nil
		case t.def != nil && t.def.kind == primitive && t.def.name == "str", t.isStandard("String"):
			return s.primitive("str")
		case t.isStandard("HashMap"), t.isStandard("BTreeMap"):
			return t.arg(1)
		}
		if v := t.project(s, s.operatorTrait("Index"), "Output", 0); v != nil {
			return v
		}
		next, derefs := t.deref(s)
		if derefs != yes {
			return nil
		}
		t = next
	}
	return nil
}

var operators = map[string]string{"+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "%": "Rem", "&": "BitAnd", "|": "BitOr", "^": "BitXor", "<<": "Shl", ">>": "Shr"}

func (s *Scope) operatorTrait(name string) *Type {
	t := s.Standard("ops::" + name)
	if t == nil {
		return &Type{}
	}
	return t
}

// Operator returns the type of the result of an operator.
func (s *Scope) Operator(op string, a, b *Type) *Type {
	l, r := a.resolved(), b.resolved()
	switch {
	case l == nil:
		return nil
	case l.number:
		if r != nil && (r.number || r.def != nil && r.def.kind == primitive) {
			if op != "<<" && op != ">>" {
				s.p.unify(l, r, 0)
			}
			return l
		}
		return nil
	case l.def != nil && l.def.kind == primitive:
		if r != nil && (r.number || r.def == l.def) {
			return l
		}
		return nil
	case l.isStandard("String"):
		return l
	case l.def != nil && l.def.krate != nil && !l.def.krate.standard():
		return l.project(s, s.operatorTrait(operators[op]), "Output", 0)
	}
	return nil
}

// Unary returns the type of the result of the operator - or !.
func (s *Scope) Unary(op string, operand *Type) *Type {
	t := operand.resolved()
	switch {
	case t == nil:
		return nil
	case t.number, t.def != nil && t.def.kind == primitive:
		return t
	case t.def != nil && t.def.krate != nil && !t.def.krate.standard():
		return t.project(s, s.operatorTrait(map[string]string{"-": "Neg", "!": "Not"}[op]), "Output", 0)
	}
	return nil
}
