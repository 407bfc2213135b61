package source

import (
	"cmp"
	"slices"
	"strings"
)

// Title returns the last part of the declaration's path in the form used by
// symbol graphs, with argument labels, such as move(by:_:in:), init(_:), +(_:_:)
// or circle(radius:).
func (d *Decl) Title() string {
	switch d.Kind {
	case Func, Init, Subscript, Macro:
	case Case:
		if !d.HasParams {
			return d.Name
		}
	default:
		return d.Name
	}
	var b strings.Builder
	b.WriteString(d.Name)
	b.WriteByte('(')
	for i := range d.Params {
		b.WriteString(label(&d.Params[i]))
		b.WriteByte(':')
	}
	b.WriteByte(')')
	return b.String()
}

func label(q *Param) string {
	if q.Label == "" {
		return "_"
	}
	return q.Label
}

// Inferred contains parts that are printed with a declaration although they are
// not written in it.
type Inferred struct {
	// Type is the type of a property that does not declare one. If it is "", such
	// a property is printed without a type.
	Type string
	// Where contains the requirements that are implied by types in the
	// declaration. Requirements implied by types of the standard library may be
	// omitted, because Declaration adds them.
	Where []Requirement
}

// Declaration prints the declaration on one line, as in the compiler's symbol
// graphs. It omits access levels, bodies and values of properties. The bounds of
// generic parameters are printed in the where clause. Attributes are printed if
// they matter to users.
func (d *Decl) Declaration(inferred Inferred) string {
	w := printer{inferred: inferred}
	w.b.Grow(len(d.Name) + 64)
	w.attributes(d)
	w.modifiers(d)
	switch d.Kind {
	case Struct:
		w.nominal(d, "struct ")
	case Class:
		w.nominal(d, "class ")
	case Actor:
		w.nominal(d, "actor ")
	case Enum:
		w.nominal(d, "enum ")
	case Protocol:
		w.protocol(d)
	case AssociatedType:
		w.associated(d)
	case TypeAlias:
		w.b.WriteString("typealias ")
		w.quoted(d)
		w.generics(d)
		w.b.WriteString(" = ")
		w.typ(d.Type)
		w.where(d)
	case Extension:
		w.b.WriteString("extension ")
		w.typ(d.Name)
		w.list(" : ", d.Inherits)
		w.where(d)
	case Func:
		w.b.WriteString("func ")
		w.quoted(d)
		if isOperName(d.Name) {
			w.b.WriteByte(' ')
		}
		w.signature(d)
	case Init:
		w.b.WriteString("init")
		if d.Failable != 0 {
			w.b.WriteByte(d.Failable)
		}
		w.signature(d)
	case Deinit:
		w.b.WriteString("deinit")
	case Subscript:
		w.b.WriteString("subscript")
		w.signature(d)
		w.accessors(d)
	case Var:
		w.variable(d)
	case Case:
		w.b.WriteString("case ")
		w.quoted(d)
		if d.HasParams {
			w.params(d)
		}
	case Macro:
		w.b.WriteString("macro ")
		w.quoted(d)
		w.signature(d)
	case Operator:
		w.b.WriteString("operator " + d.Name)
		if d.Type != "" {
			w.b.WriteString(" : ")
			w.typ(d.Type)
		}
	case PrecedenceGroup:
		w.b.WriteString("precedencegroup " + d.Name)
	}
	return w.b.String()
}

type printer struct {
	b        strings.Builder
	inferred Inferred
}

// attributes prints the attributes that symbol graphs contain.
func (w *printer) attributes(d *Decl) {
	for i := range d.Attributes {
		a := &d.Attributes[i]
		if len(a.Conditions) > 0 || !shownAttribute(a.Name) {
			continue
		}
		w.attribute(a)
		w.b.WriteByte(' ')
	}
}

func (w *printer) attribute(a *Attribute) {
	w.b.WriteByte('@')
	w.b.WriteString(a.Name)
	if a.Generics != "" {
		w.b.WriteByte('<')
		w.typ(a.Generics)
		w.b.WriteByte('>')
	}
	if a.HasArgs && a.Name != a.wrapperName() {
		w.b.WriteByte('(')
		w.tokens(a.Args, false)
		w.b.WriteByte(')')
	}
}

// wrapperName returns the name of an attribute that is a property wrapper or
// another type. Symbol graphs omit its arguments. It returns "" for other
// attributes.
func (a *Attribute) wrapperName() string {
	last := a.Name[strings.LastIndexByte(a.Name, '.')+1:]
	if c := last[0]; c >= 'A' && c <= 'Z' {
		return a.Name
	}
	return ""
}

// shownAttribute reports whether an attribute is printed with a declaration.
// Availability is handled separately, and attributes that only the compiler needs
// are omitted.
func shownAttribute(name string) bool {
	switch name {
	case "discardableResult", "frozen", "propertyWrapper", "resultBuilder", "globalActor", "dynamicMemberLookup", "dynamicCallable", "freestanding", "attached",
		"preconcurrency", "warn_unqualified_access", "main", "objc", "objcMembers", "NSManaged", "IBOutlet", "IBAction", "NSCopying", "_lifetime", "lifetime",
		"unsafe", "safe", "escaping", "autoclosure", "Sendable", "concurrent":
		return true
	}
	c := name[strings.LastIndexByte(name, '.')+1:]
	return c != "" && c[0] >= 'A' && c[0] <= 'Z'
}

// modifiers prints the keywords that symbol graphs contain, and prefix and postfix, without which
// the operators of the same name look alike: static after the others, and keywords about mutability last.
func (w *printer) modifiers(d *Decl) {
	for rank := range 3 {
		for _, m := range d.Modifiers {
			r := 0
			switch m.Name {
			case "dynamic", "__consuming", "async":
				continue
			case "static", "class":
				r = 1
			case "mutating", "nonmutating", "consuming", "borrowing":
				r = 2
			}
			if r != rank {
				continue
			}
			w.b.WriteString(m.Name)
			if m.Arg != "" {
				w.b.WriteString("(" + m.Arg + ")")
			}
			w.b.WriteByte(' ')
		}
	}
}

func (w *printer) quoted(d *Decl) {
	if d.Quoted && needsQuotes(d.Name) {
		w.b.WriteString("`" + d.Name + "`")
		return
	}
	w.b.WriteString(d.Name)
}

// name prints the name or label of a parameter.
func (w *printer) name(name string) {
	if identEnd(name, 0) != len(name) {
		w.b.WriteString("`" + name + "`")
		return
	}
	w.b.WriteString(name)
}

func (w *printer) nominal(d *Decl, word string) {
	w.b.WriteString(word)
	w.quoted(d)
	w.generics(d)
	w.where(d)
}

func (w *printer) protocol(d *Decl) {
	w.b.WriteString("protocol ")
	w.quoted(d)
	w.generics(d)
	w.list(" : ", w.bounds(d, "Self"))
	w.where(d)
}

func (w *printer) associated(d *Decl) {
	w.b.WriteString("associatedtype ")
	w.quoted(d)
	w.list(" : ", w.bounds(d, d.Name))
	if d.Type != "" {
		w.b.WriteString(" = ")
		w.typ(d.Type)
	}
	w.where(d)
}

// bounds returns the types that a protocol or associated type inherits, in the
// compiler's order: AnyObject, the protocols of packages, and the protocols of
// the standard library. The list includes direct requirements in the where
// clause.
func (w *printer) bounds(d *Decl, self string) []string {
	var all []string
	for _, t := range d.Inherits {
		for bound := range compositions(t) {
			all = append(all, bound)
		}
	}
	for _, r := range d.Where {
		if r.Op == ":" && r.Left == self {
			for bound := range compositions(r.Right) {
				all = append(all, bound)
			}
		}
	}
	slices.SortStableFunc(all, compareBounds)
	return slices.Compact(all)
}

func compareBounds(a, b string) int {
	return cmp.Or(cmp.Compare(boundRank(a), boundRank(b)), cmp.Compare(a, b))
}

func boundRank(bound string) int {
	switch {
	case bound == "AnyObject" || bound == "class":
		return 0
	case strings.HasPrefix(bound, "~"):
		return 3
	case standardProtocol(bound):
		return 2
	}
	return 1
}

func (w *printer) list(before string, types []string) {
	for i, t := range types {
		if i == 0 {
			w.b.WriteString(before)
		} else {
			w.b.WriteString(", ")
		}
		w.typ(t)
	}
}

func (w *printer) generics(d *Decl) {
	if len(d.Generics) == 0 {
		return
	}
	w.b.WriteByte('<')
	for i, g := range d.Generics {
		if i > 0 {
			w.b.WriteString(", ")
		}
		if g.Each {
			w.b.WriteString("each ")
		}
		if g.Value {
			w.b.WriteString("let ")
		}
		w.b.WriteString(g.Name)
		if g.Value && g.Bound != "" {
			w.b.WriteString(" : ")
			w.typ(g.Bound)
		}
	}
	w.b.WriteByte('>')
}

func (w *printer) where(d *Decl) {
	for i, r := range d.Requirements(w.inferred.Where) {
		if i == 0 {
			w.b.WriteString(" where ")
		} else {
			w.b.WriteString(", ")
		}
		w.typ(r.Left)
		if r.Op == ":" {
			w.b.WriteString(" : ")
		} else {
			w.b.WriteString(" == ")
		}
		w.typ(r.Right)
	}
}

func (w *printer) signature(d *Decl) {
	w.generics(d)
	if d.HasParams {
		w.params(d)
	}
	w.effects(&d.Effects)
	if d.Result != "" && d.Result != "Void" && d.Result != "()" {
		w.b.WriteString(" -> ")
		w.typ(d.Result)
	}
	w.where(d)
}

func (w *printer) effects(e *Effects) {
	switch {
	case e.Reasync:
		w.b.WriteString(" reasync")
	case e.Async:
		w.b.WriteString(" async")
	}
	switch {
	case e.Rethrows:
		w.b.WriteString(" rethrows")
	case e.Throws:
		w.b.WriteString(" throws")
		if e.Thrown != "" {
			w.b.WriteByte('(')
			w.typ(e.Thrown)
			w.b.WriteByte(')')
		}
	}
}

func (w *printer) params(d *Decl) {
	w.b.WriteByte('(')
	for i := range d.Params {
		if i > 0 {
			w.b.WriteString(", ")
		}
		q := &d.Params[i]
		for j := range q.Attributes {
			w.attribute(&q.Attributes[j])
			w.b.WriteByte(' ')
		}
		switch {
		case d.Kind == Case:
			if q.Name != "" {
				w.name(q.Label)
				w.b.WriteString(": ")
			}
		case q.Label == q.Name && d.Kind != Subscript, q.Label == "_" && (d.Kind == Subscript || d.Kind == Func && isOperName(d.Name)):
			w.name(q.Name)
			w.b.WriteString(": ")
		default:
			w.name(q.Label)
			w.b.WriteByte(' ')
			w.name(q.Name)
			w.b.WriteString(": ")
		}
		w.paramType(q.Type)
		if q.Variadic {
			w.b.WriteString("...")
		}
		if q.Default != "" {
			w.b.WriteString(" = ")
			w.expression(q.Default)
		}
	}
	w.b.WriteByte(')')
}

func (w *printer) variable(d *Decl) {
	if d.Let {
		w.b.WriteString("let ")
	} else {
		w.b.WriteString("var ")
	}
	w.quoted(d)
	if d.Type != "" {
		w.b.WriteString(": ")
		w.typ(d.Type)
	} else if w.inferred.Type != "" {
		w.b.WriteString(": " + w.inferred.Type)
	}
	w.accessors(d)
}

// accessors prints accessors, such as { get }. Stored properties have none,
// unless users cannot see their setter or they are observed or lazy.
func (w *printer) accessors(d *Decl) {
	if d.Let {
		return
	}
	var get, set *Accessor
	observed := false
	for i := range d.Accessors {
		a := &d.Accessors[i]
		switch a.Kind {
		case Get, Read, Address:
			get = cmp.Or(get, a)
		case Set, Modify, MutableAddress:
			set = cmp.Or(set, a)
		case WillSet, DidSet:
			observed = true
		}
	}
	lazy := d.Has("lazy")
	wrapped := d.Kind == Var && wrappedProperty(d)
	stored := get == nil && set == nil
	if stored {
		if !observed && !lazy && !wrapped && !d.hiddenSetter() {
			return
		}
		get = &Accessor{Kind: Get, Mutating: lazy && (d.Parent == nil || d.Parent.Kind == Struct)}
		set = &Accessor{Kind: Set}
	}
	if get == nil {
		get = &Accessor{Kind: Get}
	}
	if stored && !lazy && d.hiddenSetter() {
		set = nil
	}
	w.b.WriteString(" {")
	if get.Mutating {
		w.b.WriteString(" mutating")
	}
	w.b.WriteString(" get")
	w.effects(&get.Effects)
	if set != nil {
		if set.NonMutating {
			w.b.WriteString(" nonmutating")
		}
		w.b.WriteString(" set")
	}
	w.b.WriteString(" }")
}

// hiddenSetter reports whether the setter has a lower access level than public.
func (d *Decl) hiddenSetter() bool { return d.SetAccess != Unspecified && d.SetAccess < Public }

// wrappedProperty reports whether the property has an attribute that looks like a
// property wrapper, that is, a capitalized name that is not a global actor.
func wrappedProperty(d *Decl) bool {
	for i := range d.Attributes {
		a := &d.Attributes[i]
		if a.wrapperName() != "" && !strings.HasSuffix(a.Name, "Actor") && a.Name != "Sendable" && !strings.HasPrefix(a.Name, "NS") && !strings.HasPrefix(a.Name, "IB") {
			return true
		}
	}
	return false
}

func isOperName(name string) bool {
	if c := name[0]; c < 0x80 {
		return class[c]&isIdent == 0
	}
	for _, r := range name {
		return isOperRune(r)
	}
	return false
}

// needsQuotes reports whether a name is printed in back-quotes. That is the case
// for reserved words and for names with unusual characters.
func needsQuotes(name string) bool { return isReserved(name) || identEnd(name, 0) != len(name) }

// isReserved reports whether a word can be used as a name only in back-quotes.
func isReserved(word string) bool {
	switch word {
	case "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout", "internal", "let", "operator", "precedencegroup",
		"private", "protocol", "public", "rethrows", "static", "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer",
		"do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while", "Any", "as", "await", "false", "is", "nil",
		"self", "Self", "super", "throws", "true", "try":
		return true
	}
	return false
}
