package dts

import (
	"strings"
	"sync"
)

// Signature prints a declaration or member as TypeScript prints declarations:
// on one line, without export, declare, body, comments, members and the final
// semicolon.
func (n *Node) Signature() string {
	b := buffers.Get().(*[]byte)
	*b = n.appendSignature((*b)[:0])
	s := string(*b)
	if cap(*b) <= 1<<16 {
		buffers.Put(b)
	}
	return s
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// appendSignature appends the signature to b.
func (n *Node) appendSignature(b []byte) []byte {
	w := printer{b: b}
	w.declaration(n)
	return w.b
}

// String prints a type.
func (n *Node) String() string {
	if n == nil {
		return ""
	}
	w := printer{b: make([]byte, 0, 64)}
	w.node(n)
	return string(w.b)
}

type printer struct{ b []byte }

func (w *printer) s(s string) { w.b = append(w.b, s...) }

// words are the modifiers in the order in which TypeScript requires them.
var words = [...]struct {
	flag Flags
	word string
}{
	{FlagPublic, "public "}, {FlagPrivate, "private "}, {FlagProtected, "protected "},
	{FlagStatic, "static "}, {FlagAbstract, "abstract "}, {FlagOverride, "override "},
	{FlagReadonly, "readonly "}, {FlagAccessor, "accessor "},
}

func (w *printer) modifiers(f Flags) {
	const any = FlagPublic | FlagPrivate | FlagProtected | FlagStatic | FlagAbstract | FlagOverride | FlagReadonly | FlagAccessor
	if f&any == 0 {
		return
	}
	for _, m := range words {
		if f&m.flag != 0 {
			w.s(m.word)
		}
	}
}

func (w *printer) declaration(n *Node) {
	switch n.Kind {
	case Variable:
		switch {
		case n.Has(FlagConst):
			w.s("const ")
		case n.Has(FlagLet):
			w.s("let ")
		case n.Has(FlagUsing):
			w.s("using ")
		default:
			w.s("var ")
		}
		w.s(n.Text)
		w.typeOrInitial(n)
	case Function:
		w.s("function ")
		w.s(n.Text)
		w.signature(n, ": ")
	case Class:
		w.modifiers(n.Flags & FlagAbstract)
		w.s("class")
		if n.Text != "" {
			w.s(" ")
			w.s(n.Text)
		}
		w.head(n)
	case Interface:
		w.s("interface ")
		w.s(n.Text)
		w.head(n)
	case TypeAlias:
		w.s("type ")
		w.s(n.Text)
		w.typeParams(n)
		w.s(" = ")
		w.node(n.Type())
	case Enum:
		if n.Has(FlagConst) {
			w.s("const ")
		}
		w.s("enum ")
		w.s(n.Text)
	case Namespace:
		if strings.HasPrefix(n.Text, `"`) || strings.HasPrefix(n.Text, "'") {
			w.s("module ")
		} else {
			w.s("namespace ")
		}
		w.s(n.Text)
	default:
		w.member(n)
	}
}

// typeOrInitial prints ": type" or " = literal".
func (w *printer) typeOrInitial(n *Node) {
	if t := n.Type(); t != nil {
		w.s(": ")
		w.node(t)
		return
	}
	i := n.Child(Initial)
	switch {
	case i == nil:
	case n.Has(FlagConst) || n.Has(FlagReadonly) && n.Kind != Param || n.Kind == EnumMember || i.Has(FlagDeclare):
		w.s(" = ")
		w.s(i.Text)
	default:
		if t := widened(i.Text); t != "" {
			w.s(": ")
			w.s(t)
		}
	}
}

// widened returns the type of a variable that is initialised with a literal. It
// returns "" if the type is unknown.
func widened(literal string) string {
	if literal == "" {
		return ""
	}
	switch c := literal[0]; {
	case c == '"' || c == '\'' || c == '`':
		return "string"
	case class[c] == cDigit || c == '-' || c == '.':
		if literal[len(literal)-1] == 'n' {
			return "bigint"
		}
		return "number"
	case literal == "true" || literal == "false":
		return "boolean"
	case literal == "null":
		return "null"
	}
	return ""
}

// head prints the type parameters and heritage clauses of a class or interface.
func (w *printer) head(n *Node) {
	w.typeParams(n)
	for c := n.first; c != nil; c = c.next {
		switch c.Kind {
		case Extends:
			w.s(" extends ")
		case Implements:
			w.s(" implements ")
		default:
			continue
		}
		w.list(c.first, ", ")
	}
}

func (w *printer) typeParams(n *Node) {
	open := false
	for c := n.first; c != nil && c.Kind == TypeParam; c = c.next {
		if open {
			w.s(", ")
		} else {
			w.s("<")
			open = true
		}
		w.typeParam(c)
	}
	if open {
		w.s(">")
	}
}

func (w *printer) typeParam(n *Node) {
	if n.Has(FlagConst) {
		w.s("const ")
	}
	if n.Has(FlagIn) {
		w.s("in ")
	}
	if n.Has(FlagOut) {
		w.s("out ")
	}
	w.s(n.Text)
	for t := n.first; t != nil; t = t.next {
		if t.Has(FlagDefault) {
			w.s(" = ")
		} else {
			w.s(" extends ")
		}
		w.node(t)
	}
}

// signature prints <T>(a: A), then mark and the result type.
func (w *printer) signature(n *Node, mark string) {
	w.typeParams(n)
	w.s("(")
	first := true
	c := n.first
	for ; c != nil && c.Kind < Keyword; c = c.next {
		if c.Kind != Param {
			continue
		}
		if !first {
			w.s(", ")
		}
		first = false
		w.param(c)
	}
	w.s(")")
	switch {
	case c != nil:
		w.s(mark)
		w.node(c)
	case mark != ": ":
		// This inferred function type has no result type.
		w.s(mark)
		w.s("any")
	}
}

func (w *printer) param(n *Node) {
	w.modifiers(n.Flags)
	if n.Has(FlagRest) {
		w.s("...")
	}
	w.s(n.Text)
	if n.Has(FlagOptional) {
		w.s("?")
	}
	w.typeOrInitial(n)
}

// member prints a member of a class, interface, type literal or enumeration.
func (w *printer) member(n *Node) {
	w.modifiers(n.Flags)
	switch n.Kind {
	case Property, EnumMember:
		w.s(n.Text)
		if n.Has(FlagOptional) {
			w.s("?")
		}
		w.typeOrInitial(n)
	case Method:
		w.s(n.Text)
		if n.Has(FlagOptional) {
			w.s("?")
		}
		w.signature(n, ": ")
	case Getter:
		w.s("get ")
		w.s(n.Text)
		w.signature(n, ": ")
	case Setter:
		w.s("set ")
		w.s(n.Text)
		w.signature(n, ": ")
	case Constructor:
		w.s("constructor")
		w.signature(n, ": ")
	case CallSig:
		w.signature(n, ": ")
	case NewSig:
		w.s("new ")
		w.signature(n, ": ")
	case IndexSig:
		w.s("[")
		for c := range n.All(Param) {
			w.param(c)
		}
		w.s("]")
		w.typeOrInitial(n)
	default:
		w.node(n)
	}
}

// list prints siblings with a separator between them.
func (w *printer) list(n *Node, sep string) {
	for first := true; n != nil; n = n.next {
		if !first {
			w.s(sep)
		}
		first = false
		w.node(n)
	}
}

func (w *printer) args(n *Node) {
	if n != nil {
		w.s("<")
		w.list(n, ", ")
		w.s(">")
	}
}

// node prints a type or a part of a type.
func (w *printer) node(n *Node) {
	if n == nil {
		return
	}
	switch n.Kind {
	case Ref:
		w.s(n.Text)
		w.args(n.first)
	case Array:
		w.node(n.first)
		w.s("[]")
	case Tuple:
		w.s("[")
		w.list(n.first, ", ")
		w.s("]")
	case TupleMember:
		if n.Has(FlagRest) {
			w.s("...")
		}
		w.s(n.Text)
		if n.Has(FlagOptional) {
			w.s("?")
		}
		w.s(": ")
		w.node(n.first)
	case Optional:
		w.node(n.first)
		w.s("?")
	case Rest:
		w.s("...")
		w.node(n.first)
	case Union:
		w.list(n.first, " | ")
	case Intersection:
		w.list(n.first, " & ")
	case FuncType:
		w.signature(n, " => ")
	case NewType:
		if n.Has(FlagAbstract) {
			w.s("abstract ")
		}
		w.s("new ")
		w.signature(n, " => ")
	case Conditional:
		w.conditional(n)
	case Infer:
		w.s("infer ")
		w.s(n.Text)
		if n.first != nil {
			w.s(" extends ")
			w.node(n.first)
		}
	case Operator:
		w.s(n.Text)
		w.s(" ")
		w.node(n.first)
	case Indexed:
		a := n.Access()
		w.node(a.Object)
		w.s("[")
		w.node(a.Key)
		w.s("]")
	case Mapped:
		w.mapped(n)
	case TypeLiteral:
		w.literal(n)
	case TypeQuery:
		w.s("typeof ")
		w.s(n.Text)
		w.args(n.first)
	case ImportType:
		if n.Has(FlagTypeof) {
			w.s("typeof ")
		}
		module := n.Module()
		w.s("import(")
		w.s(module.Text)
		if module.first != nil {
			w.s(", ")
			w.s(module.first.Text)
		}
		w.s(")")
		if n.Text != "" {
			w.s(".")
			w.s(n.Text)
		}
		w.args(n.firstArg())
	case Predicate:
		if n.Has(FlagAsserts) {
			w.s("asserts ")
		}
		w.s(n.Text)
		if n.first != nil {
			w.s(" is ")
			w.node(n.first)
		}
	case Paren:
		w.s("(")
		w.node(n.first)
		w.s(")")
	case Literal:
		switch c := n.Text[0]; {
		case c == '`' && strings.Contains(n.Text, "${"):
			w.template(n)
		case class[c] == cDigit && strings.IndexByte(n.Text, '_') >= 0:
			w.s(numericName(n.Text))
		default:
			w.s(n.Text)
		}
	default:
		w.s(n.Text)
	}
}

func (w *printer) conditional(n *Node) {
	c := n.Cond()
	w.node(c.Check)
	w.s(" extends ")
	w.node(c.Extends)
	w.s(" ? ")
	w.node(c.True)
	w.s(" : ")
	w.node(c.False)
}

func (w *printer) literal(n *Node) {
	if n.first == nil {
		w.s("{}")
		return
	}
	w.s("{ ")
	for m := n.first; m != nil; m = m.next {
		w.member(m)
		w.s("; ")
	}
	w.s("}")
}

// modifier writes a modifier of a mapped type, with its sign.
func (w *printer) modifier(n *Node, plus, minus, unsigned Flags, word string) {
	switch {
	case n.Has(plus):
		w.s("+")
	case n.Has(minus):
		w.s("-")
	case !n.Has(unsigned):
		return
	}
	w.s(word)
}

func (w *printer) mapped(n *Node) {
	w.s("{ ")
	w.modifier(n, FlagReadonlyPlus, FlagReadonlyMinus, FlagReadonly, "readonly ")
	m := n.Mapping()
	w.s("[")
	w.s(m.Param.Text)
	w.s(" in ")
	w.node(m.Keys)
	if m.As != nil {
		w.s(" as ")
		w.node(m.As)
	}
	w.s("]")
	w.modifier(n, FlagOptionalPlus, FlagOptionalMinus, FlagOptional, "?")
	if m.Value != nil {
		w.s(": ")
		w.node(m.Value)
	}
	w.s("; }")
}
