package module

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
	"github.com/docent-mcp/docent/internal/markup"
)

// variable returns the type of a property, function or variable that is used
// without a base.
func (p *inferer) variable(name string) value {
	call := p.at(p.pos) == "("
	labels := p.labels()
	for s, n := p.scope, 0; s != nil && n < maxSteps; s, n = s.parent, n+1 {
		if m := s.member(name, labels, call, true); m != nil {
			return p.used(m, s, call)
		}
		if !p.static {
			if m := s.member(name, labels, call, false); m != nil {
				return p.used(m, s, call)
			}
		}
	}
	for _, x := range p.unit.reachable() {
		for _, e := range x.topNamed(name) {
			if e.is(source.Var) && !call || e.is(source.Func) && call && fits(e.decl, labels) {
				return p.used(e, nil, call)
			}
		}
	}
	return value{}
}

// topNamed returns the functions and variables with the given name that a module declares
// outside types.
func (u *unit) topNamed(name string) []*entity {
	if u.named == nil {
		u.named = map[string][]*entity{}
		for _, e := range u.top {
			if e.is(source.Var) || e.is(source.Func) {
				u.named[e.name] = append(u.named[e.name], e)
			}
		}
	}
	return u.named[name]
}

// labels returns the argument labels of the call at the position, or nil if there
// is no call.
func (p *inferer) labels() []string {
	if p.at(p.pos) != "(" {
		return nil
	}
	labels := []string{}
	for _, part := range p.split(p.pos+1, p.behind(p.pos)-1, ",") {
		if p.kind(part[0]) == source.Ident && p.at(part[0]+1) == ":" {
			labels = append(labels, p.at(part[0]))
		} else {
			labels = append(labels, "_")
		}
	}
	return labels
}

// fits reports whether a call with these labels can be a call to d. Arguments for
// variadic parameters, parameters with a default value, and trailing closures may
// be missing.
func fits(d *source.Decl, labels []string) bool {
	i := 0
	for k := range d.Params {
		q := &d.Params[k]
		if i < len(labels) && (labels[i] == q.Label || labels[i] == "_" && q.Label == "") {
			i++
			for q.Variadic && i < len(labels) && labels[i] == "_" {
				i++
			}
			continue
		}
		if q.Default == "" && !q.Variadic && !strings.Contains(q.Type, "->") {
			return false
		}
	}
	return i == len(labels)
}

// member finds a member by its name and the labels of a call. It returns nil if
// there is none. call is true if a call follows. static is true to find a static
// member.
func (e *entity) member(name string, labels []string, call, static bool) *entity {
	for s, n := e, 0; s != nil && n < maxSteps; s, n = s.superclass(), n+1 {
		if m := s.ownMember(name, labels, call, static); m != nil {
			return m
		}
	}
	if e.isProtocol() {
		return nil
	}
	for _, c := range e.fact().conforms {
		if m := c.protocol.ownMember(name, labels, call, static); m != nil {
			return m
		}
	}
	return nil
}

func (e *entity) ownMember(name string, labels []string, call, static bool) *entity {
	for _, m := range e.members {
		if m.name != name {
			continue
		}
		switch {
		case m.is(source.Case) && static:
			return m
		case m.decl.Static() != static:
		case m.is(source.Var), m.is(source.Func) && call && fits(m.decl, labels):
			return m
		}
	}
	return nil
}

// used returns the type of a property or case, or the result type of a function,
// and skips the arguments of a call.
func (p *inferer) used(m, owner *entity, call bool) value {
	switch {
	case m.is(source.Case):
		if call {
			p.pos = p.behind(p.pos)
		} else if len(m.decl.Params) > 0 {
			return value{} // a function
		}
		return value{text: owner.path, typ: owner}
	case m.is(source.Func):
		p.pos = p.behind(p.pos)
		if len(m.decl.Generics) > 0 || m.decl.Result == "" {
			return value{}
		}
		return m.valueOf(m.decl.Result, owner)
	}
	if m.decl.Type != "" {
		return m.valueOf(m.decl.Type, owner)
	}
	if p.depth <= 1 {
		return value{}
	}
	return m.valueOf(m.inferred(), owner)
}

// valueOf returns the value of a type that is written in the declaration of a member. Self
// represents the owner. The type is unknown if it depends on generic parameters.
func (e *entity) valueOf(text string, owner *entity) value {
	if text == "" {
		return value{}
	}
	if trimType(text) == "Self" && owner != nil {
		return value{text: owner.path, typ: owner}
	}
	for s := e.parent; s != nil; s = s.parent {
		for i := range s.genericNames() {
			if mentions(text, s.decl.Generics[i].Name) {
				return value{}
			}
		}
	}
	return typeValue(text, e.parent, e.unit, e.file)
}

func (e *entity) genericNames() []source.GenericParam {
	if e.decl == nil || e.decl.Kind == source.Protocol {
		return nil
	}
	return e.decl.Generics
}

// mentions reports whether a type contains a name.
func mentions(text, name string) bool {
	for i := 0; ; {
		k := strings.Index(text[i:], name)
		if k < 0 {
			return false
		}
		start, end := i+k, i+k+len(name)
		if (start == 0 || !isNameByte(text[start-1])) && (end == len(text) || !isNameByte(text[end])) {
			return true
		}
		i = end
	}
}

// suffixes reads the calls, subscripts and members that follow a value.
func (p *inferer) suffixes(v value) value {
	chained := false
	for p.pos < len(p.tokens) {
		next := p.tokens[p.pos]
		switch t := p.at(p.pos); t {
		case "(":
			if next.Space {
				return v
			}
			start := p.pos
			labels := p.labels()
			p.pos = p.behind(p.pos)
			v = p.called(v, labels, p.split(start+1, p.pos-1, ","))
			if p.at(p.pos) == "{" {
				p.pos = p.behind(p.pos)
			}
		case "[":
			if next.Space {
				return v
			}
			start := p.pos + 1
			p.pos = p.behind(p.pos)
			v = p.element(v, p.split(start, p.pos-1, ","))
		case "{":
			// A closure after a name makes it a call.
			p.pos = p.behind(p.pos)
			v = p.called(v, nil, nil)
		case "!":
			if next.Space {
				return v
			}
			p.pos++
			v = value{text: strings.TrimSuffix(v.text, "?")}
			if v.text != "" {
				v = p.named(v.text)
			}
		case "?":
			if next.Space || v.meta {
				return v
			}
			p.pos++
			text, ok := strings.CutSuffix(v.text, "?")
			if chained = true; !ok {
				v = value{}
				continue
			}
			v = p.named(text)
		case ".":
			p.pos++
			name := strings.Trim(p.at(p.pos), "`")
			if p.kind(p.pos) != source.Ident {
				p.pos++
				v = value{}
				continue
			}
			p.pos++
			v = p.selected(v, name)
		default:
			return v.chained(chained)
		}
	}
	return v.chained(chained)
}

// chained returns the value of an expression. If yes is true, it is an optional
// chain, and the result is optional.
func (v value) chained(yes bool) value {
	if !yes || v.text == "" || strings.HasSuffix(v.text, "?") {
		return v
	}
	return known(v.text + "?")
}

// element returns the type of a subscript.
func (p *inferer) element(v value, args [][2]int) value {
	if v.text == "" || v.meta {
		return value{}
	}
	if len(args) == 1 {
		index := p.sub(args[0][0], args[0][1])
		if key, val, ok := dictionary(v.text); ok {
			if index.text == key || index.literal && key == "Double" {
				return known(val + "?")
			}
			return value{}
		}
		if el, ok := array(v.text); ok && index.text == "Int" {
			return p.named(el)
		}
	}
	if v.typ == nil || v.typ.decl == nil {
		return value{}
	}
	var subscript *entity
	for _, m := range v.typ.members {
		if m.is(source.Subscript) && !m.decl.Static() && len(m.decl.Params) == len(args) {
			if subscript != nil {
				return value{} // The types of the arguments decide between them.
			}
			subscript = m
		}
	}
	if subscript == nil || len(subscript.decl.Generics) > 0 {
		return value{}
	}
	return subscript.valueOf(subscript.decl.Result, v.typ)
}

// array returns the element type of an array type "[T]". ok is false for other
// types.
func array(text string) (element string, ok bool) {
	if len(text) < 3 || text[0] != '[' || text[len(text)-1] != ']' || markup.Closing(text) != len(text)-1 {
		return "", false
	}
	inner := text[1 : len(text)-1]
	if topLevel(inner, ':') >= 0 {
		return "", false
	}
	return inner, true
}

// dictionary returns the key and value types of a dictionary type "[K : V]". ok
// is false for other types.
func dictionary(text string) (key, val string, ok bool) {
	if len(text) < 5 || text[0] != '[' || text[len(text)-1] != ']' || markup.Closing(text) != len(text)-1 {
		return "", "", false
	}
	inner := text[1 : len(text)-1]
	colon := topLevel(inner, ':')
	if colon < 0 {
		return "", "", false
	}
	return strings.TrimSpace(inner[:colon]), strings.TrimSpace(inner[colon+1:]), true
}

// failable lists initializers of the toolchain's types that may return nil.
const failable = " URL(string:) URL(string:relativeTo:) UUID(uuidString:) Data(base64Encoded:) TimeZone(identifier:) URLComponents(string:) Int(exactly:) UInt8(exactly:) Double(exactly:) "

// parsing lists types whose unlabeled initializers return nil if text does not represent a value.
const parsing = " Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64 Double Float Bool "

// isText reports whether an argument is a string.
func (p *inferer) isText(arg [2]int) bool {
	text := p.sub(arg[0], arg[1]).text
	return text == "String" || text == "Substring"
}

// called returns the type of a call.
func (p *inferer) called(v value, labels []string, args [][2]int) value {
	if !v.meta {
		return value{}
	}
	t := v.typ
	plain := !strings.Contains(v.text, "<")
	if t != nil && t.decl != nil {
		generic := plain && len(t.decl.Generics) > 0 && t != p.scope && strings.HasSuffix("."+t.path, "."+lastOf(v.text))
		if generic {
			return p.generic(v, labels, args)
		}
		for _, m := range t.members {
			if m.is(source.Init) && m.decl.Failable == '?' && fits(m.decl, labels) {
				sure := true
				for _, o := range t.members {
					if o != m && o.is(source.Init) && o.decl.Failable == 0 && fits(o.decl, labels) {
						sure = false
					}
				}
				if sure {
					return known(v.text + "?")
				}
			}
		}
	} else if plain && contains(genericTypes, v.text) {
		return p.genericOutside(v, labels, args)
	} else if len(labels) > 0 && labels[0] == "_" && (len(labels) == 1 || labels[1] == "radix") && contains(parsing, v.text) && p.isText(args[0]) {
		return known(v.text + "?")
	} else if len(labels) > 0 && contains(failable, v.text+"("+strings.Join(labels, ":")+":)") {
		return known(v.text + "?")
	}
	return value{text: v.text, typ: t}
}

// lastOf returns the last name of a path.
func lastOf(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// generic returns the type created by calling an initializer of a generic type
// without type arguments. The type arguments are inferred from the arguments of
// the call.
func (p *inferer) generic(v value, labels []string, args [][2]int) value {
	var init *entity
	for _, m := range v.typ.members {
		if !m.is(source.Init) || !fits(m.decl, labels) {
			continue
		}
		if init != nil || m.ext != nil && len(m.ext.where) > 0 || len(m.decl.Where) > 0 || len(m.decl.Generics) > 0 || m.decl.Failable != 0 {
			return value{}
		}
		init = m
	}
	if init == nil || len(args) != len(labels) || v.typ.parent != nil && v.typ.parent.isGeneric() {
		return value{}
	}
	bound := map[string]value{}
	i := 0
	for k := range init.decl.Params {
		q := &init.decl.Params[k]
		if i >= len(labels) || labels[i] != q.Label && (labels[i] != "_" || q.Label != "") {
			continue
		}
		if q.Variadic {
			return value{}
		}
		start := args[i][0]
		if labels[i] != "_" {
			start += 2
		}
		i++
		text := strings.TrimSpace(q.Type)
		for _, word := range []string{"@autoclosure ", "@escaping ", "consuming ", "sending ", "borrowing ", "__owned ", "inout ", "() throws -> ", "() -> "} {
			text = strings.TrimSpace(strings.TrimPrefix(text, word))
		}
		if !v.typ.hasParameter(text) {
			continue
		}
		a := p.sub(start, args[i-1][1])
		if a.text == "" || a.meta || bound[text].text != "" && bound[text].text != a.text {
			return value{}
		}
		bound[text] = a
	}
	if i != len(labels) {
		return value{}
	}
	var texts []string
	for k := range v.typ.decl.Generics {
		a := bound[v.typ.decl.Generics[k].Name]
		if a.text == "" {
			return value{}
		}
		texts = append(texts, a.text)
	}
	return value{text: v.text + "<" + strings.Join(texts, ", ") + ">"}
}

// isGeneric reports whether a type, or an enclosing type, has generic
// parameters.
func (e *entity) isGeneric() bool {
	for ; e != nil; e = e.parent {
		if e.decl != nil && !e.isProtocol() && len(e.decl.Generics) > 0 {
			return true
		}
	}
	return false
}

// genericOutside is like generic, for types of the toolchain.
func (p *inferer) genericOutside(v value, labels []string, args [][2]int) value {
	if len(args) == 0 || len(args) != len(labels) {
		return value{}
	}
	start := args[0][0]
	repeating := v.text == "Array" && slices.Equal(labels, []string{"repeating", "count"})
	if repeating {
		start += 2 // the label and the colon
	}
	a := p.sub(start, args[0][1])
	switch {
	case a.text == "" || a.meta:
		return value{}
	case repeating:
		return known("[" + a.text + "]")
	case len(args) != 1 || labels[0] != "_":
		return value{}
	}
	switch v.text {
	case "Array":
		if el, ok := array(a.text); ok {
			return known("[" + el + "]")
		}
	case "Mutex", "Atomic", "CollectionOfOne":
		return known(v.text + "<" + a.text + ">")
	case "Set":
		if el, ok := array(a.text); ok {
			return known("Set<" + el + ">")
		}
	}
	return value{}
}

// genericTypes lists types of the toolchain whose type arguments may be omitted in a call.
const genericTypes = " Array Set Dictionary Optional Range ClosedRange ArraySlice ContiguousArray Slice Result AnySequence AnyIterator AnyCollection KeyValuePairs Mutex Atomic Task AsyncStream " +
	"AsyncThrowingStream UnsafePointer UnsafeMutablePointer UnsafeBufferPointer UnsafeMutableBufferPointer ManagedBuffer Unmanaged Regex Measurement PassthroughSubject CurrentValueSubject " +
	"TaskLocal Predicate SortDescriptor CollectionOfOne EmptyCollection Repeated ReversedCollection SIMD2 SIMD3 SIMD4 SIMD8 SIMD16 SIMD32 SIMD64 NSCache NSMapTable NSHashTable Zip2Sequence "

// selected returns the type of a member of a value, or of a type.
func (p *inferer) selected(v value, name string) value {
	call := p.at(p.pos) == "("
	switch {
	case name == "self":
		if v.meta {
			return known(v.text + ".Type")
		}
		return v
	case name == "init" && v.meta:
		return v
	}
	if text := toolchainMember(v, name, call); text != "" {
		if call {
			p.pos = p.behind(p.pos)
		}
		return p.named(text)
	}
	if v.typ == nil {
		return value{}
	}
	labels := p.labels()
	if v.meta {
		if t := v.typ.nestedType(name); t != nil {
			if t.is(source.AssociatedType) {
				return value{}
			}
			text := t.path
			if args := p.generics(); args >= 0 {
				text += p.text[p.tokens[p.pos].Start:p.tokens[args-1].End]
				p.pos = args
			}
			return value{text: text, typ: t.underlying(), meta: true}
		}
	}
	if m := v.typ.member(name, labels, call, v.meta); m != nil {
		return p.used(m, v.typ, call)
	}
	if v.typ.decl != nil || !v.meta {
		return value{}
	}
	if name[0] >= 'A' && name[0] <= 'Z' {
		return value{text: v.text + "." + name, typ: p.unit.w.outside([]string{v.typ.path, name}), meta: true}
	}
	// Most static members of a type of the toolchain have the type itself as their type.
	if call {
		return value{}
	}
	return value{text: selfValued(v.text, name)}
}

// selfValued returns the type of a static member of a type of the toolchain, or
// "" if it is unknown.
func selfValued(typ, name string) string {
	switch typ {
	case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float", "Duration", "CharacterSet", "DispatchQueue", "Locale", "TimeZone",
		"Calendar", "Bundle", "FileManager", "NotificationCenter", "ProcessInfo", "UserDefaults", "URLSession", "String.Encoding", "DispatchQoS", "TaskPriority", "OperationQueue", "RunLoop",
		"JSONEncoder.DateEncodingStrategy", "JSONDecoder.DateDecodingStrategy":
		if name == "bitWidth" {
			return "Int"
		}
		switch typ {
		case "ProcessInfo", "FileManager", "NotificationCenter", "UserDefaults":
			if name != "processInfo" && name != "default" && name != "standard" {
				return ""
			}
		case "DispatchQueue":
			if name != "main" {
				return ""
			}
		}
		return typ
	}
	return ""
}
