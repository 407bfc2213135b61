package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// This file finds and writes the types that a call needs. These are the types of its parameters,
// especially options, and the types that it returns.

// callTypes returns the types of the package that a signature takes and returns, in the order in
// which they occur in the signature.
func (r *Renderer) callTypes(s *apidoc.Symbol) (params, results []*apidoc.Symbol) {
	found := r.calls.get(s, func() calledTypes { return r.findCallTypes(s) })
	return slices.Clone(found.params), slices.Clone(found.results)
}

// calledTypes contains the types that a signature takes and returns.
type calledTypes struct{ params, results []*apidoc.Symbol }

const (
	// maxNeeded is the maximum size in bytes of a type that a call needs.
	maxNeeded = 6000
	// maxPropTypes is the maximum size in bytes of the types in the props of a component.
	maxPropTypes = 2500
	// maxReturned is the maximum size in bytes of a type that a call returns.
	maxReturned = 3000
	// maxBriefReturned replaces maxReturned in an answer about several symbols.
	maxBriefReturned = 500
	// maxInner is the maximum size in bytes of each type that a needed type mentions. maxInnerAll
	// is the maximum size of all these types together.
	maxInner    = 800
	maxInnerAll = 2500
)

// neededDepths contains the depths that are tried for a type that a call needs. If there is room,
// each member has one sentence.
var neededDepths = []depth{
	{docs: brief, members: brief, comments: brief},
	{docs: sentence, members: sentence, comments: sentence},
	{docs: none, members: bare, comments: clause},
	{docs: none, members: bare, comments: none},
	{docs: none, members: terse, comments: none},
	{docs: none, members: names, comments: none},
	{docs: none, members: none, comments: none},
}

// returnedDepths contains the depths that are tried for a type that a call returns.
var returnedDepths = []depth{
	{docs: sentence, members: bare, comments: sentence},
	{docs: none, members: bare, comments: none},
	{docs: none, members: names, comments: none},
	{docs: none, members: none, comments: none},
}

// needs returns the types that calls to s need, in at most limit bytes, and adds them to shown. It
// returns the names of the types for which there was no room. If s is one of several symbols, needs
// omits types that only methods of interfaces or the options of every call mention, and lists only
// the names of the methods of returned types.
func (r *Renderer) needs(s *apidoc.Symbol, limit int, several bool, shown shownSet) (params, results string, rest []string) {
	takes, gives := r.callTypes(s)
	component := isComponent(s)
	if component {
		takes, gives = r.propTypes(s), nil // the declaration only wraps the props, which are listed in any case
		limit = min(limit, maxPropTypes)
	}
	if several && r.namesBasesAlone(s) {
		takes = nil // the listing of s contains the members of these types
	}
	members := s.AllMembers()
	var called []*apidoc.Symbol
	for i := range members { // calling a class calls its constructor
		m := &members[i]
		if m.Role() == apidoc.ConstructorRole && s.Form() != apidoc.ContractForm || !s.IsType() && m.IsCallOfParent() {
			params, results := r.callTypes(m)
			called, gives = appendNew(called, params...), appendNew(gives, append(results, r.baseArguments(s)...)...)
		}
	}
	gives = slices.DeleteFunc(gives, func(t *apidoc.Symbol) bool { return slices.Contains(called, t) })
	takes = appendNew(called, takes...)
	// Types that few calls take come first, and types that all calls take come last.
	slices.SortStableFunc(takes, func(a, b *apidoc.Symbol) int {
		switch {
		case r.isCommon(a) == r.isCommon(b):
			return 0
		case r.isCommon(a):
			return 1
		}
		return -1
	})
	var b strings.Builder
	var inner []*apidoc.Symbol
	for _, t := range takes {
		if shown.has(t) || several && (r.isHandle(t) || r.isComputed(t)) {
			continue
		}
		depths := neededDepths
		if several && t.NumMembers() > 0 {
			depths = depths[:len(depths)-1] // readers cannot use a type without its members
		}
		text, mentioned := r.compact(t, depths, min(maxNeeded, limit-b.Len()), shown)
		if text == "" {
			rest = append(rest, oneLine(t.Path))
			continue
		}
		join(&b, shown.sameMembers(t, text, comment(r.pkg)))
		if !component && (!several || !listsMethods(r.parse(t)) && !r.isCommon(t)) {
			inner = appendNew(inner, mentioned...)
		}
	}
	before := b.Len()
	for _, t := range inner {
		if shown.has(t) || several && r.isComputed(t) {
			continue
		}
		room := min(maxInner, limit-b.Len(), before+maxInnerAll-b.Len())
		if text, _ := r.compact(t, neededDepths[:4], room, shown); text != "" {
			join(&b, text)
		}
	}
	params = b.String()
	limit -= len(params)
	b.Reset()
	var behind []*apidoc.Symbol
	for _, t := range gives {
		if shown.has(t) || several && r.isComputed(t) {
			continue
		}
		text := r.returned(t, min(maxReturned, limit-b.Len()), several, shown)
		if text == "" {
			rest = append(rest, oneLine(t.Path))
			continue
		}
		join(&b, shown.sameMembers(t, text, comment(r.pkg)))
		behind = appendNew(behind, r.leadsTo(t)...)
	}
	before = b.Len()
	for _, t := range behind {
		if shown.has(t) || several && r.isComputed(t) {
			continue
		}
		if text := r.returned(t, min(maxReturned, limit-b.Len(), before+maxInnerAll-b.Len()), several, shown); text != "" {
			join(&b, text)
		}
	}
	return params, b.String(), rest
}

// baseArguments returns the types in the type arguments of the base types of a class. For example,
// a command that extends Command<Input, Output> declares what the service returns.
func (r *Renderer) baseArguments(s *apidoc.Symbol) (found []*apidoc.Symbol) {
	d := r.parse(s)
	declaration := d.Child(-1, apidoc.DeclarationPart)
	if !s.IsType() || declaration < 0 {
		return nil
	}
	for i := range d.Within(declaration, apidoc.BasePart) {
		for k := range d.References(i) {
			if d.Parts[k].Flags&(apidoc.Outer|apidoc.Local) != 0 {
				continue
			}
			if t := r.typeNamed(d.PartText(k), s); t != nil {
				found = appendNew(found, t)
			}
		}
	}
	return found
}

// propTypes returns the types of the package that occur in the props, events and slots of a
// component.
func (r *Renderer) propTypes(s *apidoc.Symbol) (found []*apidoc.Symbol) {
	members := s.AllMembers()
	for i := range members {
		if m := &members[i]; m.ComponentRole() != 0 && m.ComponentRole() != apidoc.SubcomponentRole {
			found = appendNew(found, r.typesOf(m)...)
		}
	}
	return slices.DeleteFunc(found, func(t *apidoc.Symbol) bool { return t.NumMembers() > few && namesAll(t, members) })
}

// namesAll reports whether most members of a component are members of a type, in which case the
// type is that of the component's props.
func namesAll(t *apidoc.Symbol, members []apidoc.Symbol) bool {
	names := map[string]bool{}
	for i := range t.AllMembers() {
		names[t.AllMembers()[i].Name()] = true
	}
	n := 0
	for i := range members {
		if names[members[i].Name()] {
			n++
		}
	}
	return 2*n > len(members)
}

// namesBasesAlone reports whether the declaration of a type contains only its base types and
// conformances. The members of such a type are separate declarations.
func (r *Renderer) namesBasesAlone(t *apidoc.Symbol) bool {
	if !t.IsType() || t.NumMembers() == 0 || t.Form() == apidoc.ContractForm {
		return false
	}
	d := r.parse(t)
	declaration := d.Child(-1, apidoc.DeclarationPart)
	return declaration >= 0 && d.Parts[declaration].End == len(d.Text) && d.Child(declaration, apidoc.MemberPart) < 0 && d.Child(declaration, apidoc.TypePart) < 0 && !isOpaque(d)
}

// covers reports whether all members of a type are among members.
func covers(members []apidoc.Symbol, t *apidoc.Symbol) bool {
	all := t.AllMembers()
	return len(all) > 0 && !slices.ContainsFunc(all, func(m apidoc.Symbol) bool {
		return !slices.ContainsFunc(members, func(x apidoc.Symbol) bool { return x.Name() == m.Name() && x.Signature == m.Signature })
	})
}

// isHandle reports whether many declarations mention a type whose own declaration does not show how
// to create a value. An example is the client of a service.
func (r *Renderer) isHandle(t *apidoc.Symbol) bool {
	return isOpaque(r.parse(t)) && r.isCommon(t)
}

// isOpaque reports whether a declaration contains only a comment on what it hides.
func isOpaque(d *apidoc.Decl) bool {
	declaration := d.Child(-1, apidoc.DeclarationPart)
	if declaration < 0 || d.Child(declaration, apidoc.CommentPart) < 0 {
		return false
	}
	for i := range d.Within(declaration, 0) {
		switch d.Parts[i].Role {
		case apidoc.MemberPart, apidoc.BasePart, apidoc.TypePart, apidoc.ConstraintPart, apidoc.ValuePart, apidoc.ParamPart, apidoc.ResultPart:
			return false
		}
	}
	return true
}

// listsMethods reports whether a declaration contains methods that have parameters or results.
func listsMethods(d *apidoc.Decl) bool {
	for i := range d.Within(d.Child(-1, apidoc.DeclarationPart), apidoc.MemberPart) {
		if d.Child(i, apidoc.ParamPart) >= 0 || d.Child(i, apidoc.ResultPart) >= 0 {
			return true
		}
	}
	return false
}

// isComputed reports whether a type without members has a long definition that the compiler
// evaluates. Users do not write values of such a type.
func (r *Renderer) isComputed(t *apidoc.Symbol) bool {
	if !t.IsType() || t.NumMembers() > 0 || len(t.Signature) <= maxComputed {
		return false
	}
	d := r.parse(t)
	typ := d.Child(d.Child(-1, apidoc.DeclarationPart), apidoc.TypePart)
	return typ >= 0 && d.Parts[typ].Flags&apidoc.Computed != 0
}

// maxComputed is the maximum length in bytes of a declaration that is shown although the compiler
// evaluates the type.
const maxComputed = 120

// maxPageFields is the maximum number of fields of a type whose values only wrap other values, such
// as a page of results.
const maxPageFields = 5

// leadsTo returns the types in the definition of a type without members, and in the fields of a page.
// For another type with members, it returns the types in its call signatures.
func (r *Renderer) leadsTo(t *apidoc.Symbol) (found []*apidoc.Symbol) {
	members := t.AllMembers()
	if len(members) == 0 {
		return r.typesOf(t)
	}
	fields := slices.DeleteFunc(slices.Clone(members[:min(len(members), 2*maxPageFields)]), func(m apidoc.Symbol) bool { return !m.IsField() })
	for i := range fields[:min(len(fields), maxPageFields)] {
		if len(fields) <= maxPageFields {
			found = appendNew(found, r.typesOf(&fields[i])...)
		}
	}
	for i := range members {
		if m := &members[i]; m.IsCallOfParent() {
			params, results := r.callTypes(m)
			found = appendNew(appendNew(found, results...), params...)
		}
	}
	return found
}

// returned returns a type that a call returns, with its methods. If the call is one of several
// symbols and the methods are long, it lists only their names. It returns "" if the type does not
// fit into limit bytes.
func (r *Renderer) returned(t *apidoc.Symbol, limit int, several bool, shown shownSet) string {
	if several {
		d := returnedDepths[0]
		switch n := t.NumMembers(); {
		case n == 0:
			d.docs = brief // the comment describes how to use the value
		case shown.methods[r.methodsOf(t)]:
			d.members = names // an interface or another type with the same methods has already been shown
		case n <= fewMethods:
			d.members = brief
		}
		maximum := min(limit, maxBriefReturned)
		if slices.ContainsFunc(t.AllMembers(), func(m apidoc.Symbol) bool { return m.IsCallOfParent() }) {
			d, maximum = returnedDepths[1], limit // the signature is sufficient
		}
		if listed, fits := r.listingOf(t, d, max(maximum, 1)); fits {
			shown.add(t)
			shown.lists(r.methodsOf(t))
			return listed
		}
	}
	for i, d := range returnedDepths {
		if several && (i < 2 || d.members == none && t.NumMembers() > 0) {
			continue
		}
		if listed, fits := r.listingOf(t, d, max(limit, 1)); fits {
			shown.add(t)
			return listed
		}
	}
	return ""
}

// listingOf returns the listing of a type that a call returns. limit is at most
// maxReturned.
func (r *Renderer) listingOf(t *apidoc.Symbol, d depth, limit int) (text string, fits bool) {
	listed := r.listings.get(compactKey{symbol: t, depth: d}, func() compacted {
		text, _, fits := r.listing([]decl{{symbols: []apidoc.Symbol{*t}}}, d, maxReturned, nil)
		return compacted{text: text, tooLong: !fits}
	})
	return listed.text, !listed.tooLong && len(listed.text) <= limit
}

// fewMethods limits the comments in an answer about several calls. A type that one of them returns
// is shown with comments on its members only if it has at most fewMethods members.
const fewMethods = 3

func appendNew[T comparable](to []T, more ...T) []T {
	for _, s := range more {
		if !slices.Contains(to, s) {
			to = append(to, s)
		}
	}
	return to
}

func join(b *strings.Builder, text string) {
	if b.Len() > 0 && text != "" {
		b.WriteByte('\n')
	}
	b.WriteString(text)
}

// compact returns what callers need to create a value of a type: its fields or methods, the
// functions that create an option, or the values of an enumeration. It also returns the types that
// the fields mention. The text is empty if it does not fit into limit bytes.
func (r *Renderer) compact(t *apidoc.Symbol, depths []depth, limit int, shown shownSet) (text string, mentioned []*apidoc.Symbol) {
	all := r.goesWith(t)
	var with []decl
	var some [2]uint64 // a bit set of the indices of entries of with
	for i := range all {
		if first := all[i].first(); !shown.has(first) && !r.takes(first, t) {
			with = append(with, all[i])
			some[min(i/64, 1)] |= 1 << (i & 63)
		}
	}
	if !r.isOption(t) && !isEnumeration(with) && len(with) > fewConstructors {
		with = nil
	}
	for _, d := range depths {
		create := func() compacted { return r.compactAt(t, with, d) }
		var c compacted
		if len(all) > 64*len(some) {
			c = create()
		} else {
			c = r.compacts.get(compactKey{t, some, d}, create)
		}
		if c.tooLong || len(c.text) > max(limit, 1) {
			continue
		}
		shown.add(t)
		if d.members >= bare {
			shown.lists(r.methodsOf(t))
		}
		for i := range with {
			for k := range with[i].symbols {
				shown.add(&with[i].symbols[k])
			}
		}
		if r.pkg.Style.Indented { // comments are used as headings of the members after them
			return c.text, c.mentioned
		}
		return shown.fieldsOnce(c.text, comment(r.pkg)), c.mentioned
	}
	return "", nil
}

// takes reports whether a call of a function needs a value of t. Such a function cannot create the
// first value of t.
func (r *Renderer) takes(s, t *apidoc.Symbol) bool {
	if !s.IsCallable() || s.ParentPath() != "" {
		return false
	}
	params, _ := r.callTypes(s)
	return slices.Contains(params, t)
}

// compactKey identifies a compacted type by its symbol, the declarations that are written with it,
// and the depth.
type compactKey struct {
	symbol *apidoc.Symbol
	with   [2]uint64 // a bit set of the indices of these declarations
	depth
}

// compacted is the result of compactAt.
type compacted struct {
	text      string
	tooLong   bool // whether the text is too long for any answer, in which case text is empty
	mentioned []*apidoc.Symbol
}

// compactAt writes a type and the declarations that belong to it at one depth.
func (r *Renderer) compactAt(t *apidoc.Symbol, with []decl, d depth) compacted {
	fields := r.withoutMethods(t)
	first := decl{symbols: []apidoc.Symbol{fields}}
	if g := r.groupOf(t); g != nil {
		first = *g
	}
	var c compacted
	text, _, fits := r.listing(append([]decl{first}, with...), d, maxNeeded, nil)
	if !fits {
		c.tooLong = true
		return c
	}
	c.text = text
	if members := t.AllMembers(); d.members >= bare || len(members) == 0 {
		if !r.namesBasesAlone(t) {
			c.mentioned = r.typesOf(t)
			if d.members >= bare {
				lists := r.listMembers(&fields, r.parse(t), true)
				written := slices.Concat(lists.declared, lists.inherited)
				c.mentioned = slices.DeleteFunc(c.mentioned, func(b *apidoc.Symbol) bool { return covers(written, b) })
			}
		}
		for i := range with {
			for k := range with[i].symbols {
				c.mentioned = appendNew(c.mentioned, r.typesOf(&with[i].symbols[k])...)
			}
		}
		for i := range members {
			if m := &members[i]; m.IsInput() {
				c.mentioned = appendNew(c.mentioned, r.typesOf(m)...)
			}
		}
	}
	return c
}

// fewConstructors is the number of constructors that are always shown with a type.
const fewConstructors = 3

// withoutMethods returns a type without the methods of a class, because callers that only pass a
// value do not need them. It keeps the methods of an interface, which a value must have. It also
// keeps methods that create a value or set parts of it, such as new(id) -> Self, and methods that
// types must implement.
func (r *Renderer) withoutMethods(t *apidoc.Symbol) apidoc.Symbol {
	out := *t
	out.SetMembers(slices.Clone(t.AllMembers()))
	if t.Form() != apidoc.ClassForm { // inherited fields are set in the same way as declared ones
		foreign := 0
		for i := range out.Members {
			if m := &out.Members[i]; m.From != "" && r.types().byPath[m.From] == nil {
				foreign++
			}
		}
		for i := range out.Members {
			m := &out.Members[i]
			if r.pkg.Style.Nested && m.IsInput() && (t.Form() == apidoc.ContractForm || foreign <= maxInherited || r.types().byPath[m.From] != nil) {
				m.From = ""
			}
		}
	}
	if t.Form() == apidoc.ContractForm {
		return out
	}
	written := slices.ContainsFunc(t.AllMembers(), func(m apidoc.Symbol) bool {
		return m.Role() == apidoc.ConstructorRole && (m.File != t.File || m.Line != t.Line)
	})
	out.SetMembers(slices.DeleteFunc(out.Members, func(m apidoc.Symbol) bool {
		if t.Form() == apidoc.ClassForm && written && m.From != "" && m.Role() != apidoc.ConstructorRole {
			return true // callers use the constructor to create a value
		}
		return m.IsCallable() && (t.Form() == apidoc.ClassForm || !r.makes(&m, t)) && !r.requires(t, &m)
	}))
	return out
}

// makes reports whether a method returns the type that declares it. If the method is not called on
// a value, its result may contain a value of the type, as in new(id) -> Result<Self, Error>.
func (r *Renderer) makes(m, t *apidoc.Symbol) bool {
	d := r.parse(m)
	declaration := d.Child(-1, apidoc.DeclarationPart)
	result := d.Child(declaration, apidoc.ResultPart)
	if result < 0 {
		return false
	}
	self := r.pkg.Style.Rules.Self
	if self != "" && d.ChildText(result, apidoc.TypePart) == self {
		return true
	}
	if d.Parts[declaration].Flags&apidoc.OnType == 0 {
		return false
	}
	for i := range d.References(result) {
		if name := d.PartText(i); name == self || r.typeNamed(name, m) == t {
			return true
		}
	}
	return false
}

// groupOf returns the declaration that a symbol shares with other symbols, or nil.
func (r *Renderer) groupOf(s *apidoc.Symbol) *decl {
	if s.Group <= 0 || s.Group > len(r.pkg.Groups) {
		return nil
	}
	for i, d := range r.decls() {
		if d.group == &r.pkg.Groups[s.Group-1] {
			return &r.decls()[i]
		}
	}
	return nil
}

// goesWith returns the declarations that the language's own documentation tool shows below a type.
// These are functions that return the type, and constants of the type.
func (r *Renderer) goesWith(t *apidoc.Symbol) []decl {
	return r.with.get(t, func() []decl {
		var found []decl
		for _, d := range r.inOrder() {
			if d.first().Of == t.Path && t.Path != "" {
				found = append(found, d)
			}
		}
		return found
	})
}

// isOption reports whether only functions can create values of a type. This is the case for a
// function type, and for a type that lists neither members nor another type.
func (r *Renderer) isOption(t *apidoc.Symbol) bool {
	if t.NumMembers() > 0 {
		return false
	}
	d := r.parse(t)
	declaration := d.Child(-1, apidoc.DeclarationPart)
	typ := d.Child(declaration, apidoc.TypePart)
	return declaration >= 0 && (typ < 0 || callPart(d, declaration) == typ)
}

// isEnumeration reports whether the declarations that belong to a type are its values.
func isEnumeration(with []decl) bool {
	return slices.ContainsFunc(with, func(d decl) bool { return d.first().Role() == apidoc.ValueRole })
}

// holders returns the fields of other types that contain a type.
func (r *Renderer) holders(t *apidoc.Symbol) (fields []*apidoc.Symbol) {
	for _, s := range r.candidates(t) {
		if s.IsField() && !strings.HasPrefix(s.Path, t.Path+".") && !r.pkg.IsInternal(s) && r.isUse(s, r.parse(s), t) {
			fields = append(fields, s)
		}
	}
	return fields
}

// users returns the functions and methods of the package that return a type and those that take it.
// It does not include the type's members and the declarations that belong to it.
func (r *Renderer) users(t *apidoc.Symbol) (makers, takers []*apidoc.Symbol) {
	for _, s := range r.candidates(t) {
		if s.IsType() || strings.HasPrefix(s.Path, t.Path+".") || s.Of == t.Path || strings.Contains(s.Path, " ") {
			continue // a path with a space belongs to an implementation, which cannot be called
		}
		if s.IsField() || s.Role() == apidoc.ValueRole {
			continue
		}
		takes, gives := r.callTypes(s)
		switch {
		case !slices.Contains(gives, t) && !slices.Contains(takes, t) || !r.isUse(s, r.parse(s), t):
		case slices.Contains(gives, t):
			makers = appendNew(makers, s)
		default:
			takers = appendNew(takers, s)
		}
	}
	return makers, takers
}
