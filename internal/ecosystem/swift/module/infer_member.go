package module

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// variable is a property, function or variable that a name alone means.
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

// topNamed are the functions and variables of a module with a name.
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

// labels are those of the call at the position, nil if there is none.
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

// fits reports whether a call with labels can be one of a declaration: parameters
// with a default value, variadic ones and closures behind the call may be missing.
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

// member finds a member by its name and the labels of a call.
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

// used is the type of a property, a case, or the result of a function. A call is
// skipped.
func (p *inferer) used(m, owner *entity, call bool) value {
	switch {
	case m.is(source.Case):
		if call {
			p.pos = p.behind(p.pos)
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

// valueOf is a type in the declaration of a member, for a type that has it.
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

// mentions reports whether a name stands in a type.
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

// suffixes follow calls and members behind a value.
func (p *inferer) suffixes(v value) value {
	for p.pos < len(p.tokens) {
		switch t := p.at(p.pos); t {
		case "(":
			if p.tokens[p.pos].Space {
				return v
			}
			labels := p.labels()
			p.pos = p.behind(p.pos)
			v = p.called(v, labels)
			if p.at(p.pos) == "{" {
				p.pos = p.behind(p.pos)
			}
		case "{":
			// A closure behind a name is a call.
			p.pos = p.behind(p.pos)
			v = p.called(v, nil)
		case "!":
			if p.tokens[p.pos].Space {
				return v
			}
			p.pos++
			v = value{text: strings.TrimSuffix(v.text, "?")}
		case ".":
			p.pos++
			name := strings.Trim(p.at(p.pos), "`")
			if p.kind(p.pos) != source.Ident {
				return value{}
			}
			p.pos++
			v = p.selected(v, name)
		default:
			return v
		}
		if v.text == "" {
			p.pos = len(p.tokens)
			return value{}
		}
	}
	return v
}

// failable are initialisers of the toolchain's types that may fail.
const failable = " URL(string:) URL(string:relativeTo:) UUID(uuidString:) Data(base64Encoded:) Int(_:) TimeZone(identifier:) URLComponents(string:) Unicode.Scalar(_:) "

// called is the type of a call.
func (p *inferer) called(v value, labels []string) value {
	if !v.meta {
		return value{}
	}
	t := v.typ
	plain := !strings.Contains(v.text, "<")
	if t != nil && t.decl != nil {
		if plain && len(t.decl.Generics) > 0 && t != p.scope {
			return value{}
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
		return value{}
	} else if len(labels) > 0 && contains(failable, v.text+"("+strings.Join(labels, ":")+":)") && labels[0] != "_" {
		return known(v.text + "?")
	}
	return value{text: v.text, typ: t}
}

// genericTypes are types of the toolchain with parameters, which a call does not say.
const genericTypes = " Array Set Dictionary Optional Range ClosedRange ArraySlice ContiguousArray Slice Result AnySequence AnyIterator AnyCollection KeyValuePairs Mutex Atomic Task AsyncStream " +
	"AsyncThrowingStream UnsafePointer UnsafeMutablePointer UnsafeBufferPointer UnsafeMutableBufferPointer ManagedBuffer Unmanaged Regex Measurement PassthroughSubject CurrentValueSubject " +
	"TaskLocal Predicate SortDescriptor CollectionOfOne EmptyCollection Repeated ReversedCollection SIMD2 SIMD3 SIMD4 SIMD8 SIMD16 SIMD32 SIMD64 NSCache NSMapTable NSHashTable Zip2Sequence "

// selected is the type of a member of a value, or of a type.
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
	case v.typ == nil:
		return value{}
	}
	labels := p.labels()
	if v.meta {
		if t := v.typ.nestedType(name, maxDepthOfNames); t != nil {
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
	if v.typ.decl != nil {
		return value{}
	}
	if !v.meta {
		return value{}
	}
	if name[0] >= 'A' && name[0] <= 'Z' {
		return value{text: v.text + "." + name, typ: p.unit.w.outside([]string{v.typ.path, name}), meta: true}
	}
	// Static members of the toolchain's types are most often of the type.
	if call {
		return value{}
	}
	return value{text: selfValued(v.text, name)}
}

// selfValued is the type of a static member of a type of the toolchain, "" if it
// is not known.
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
