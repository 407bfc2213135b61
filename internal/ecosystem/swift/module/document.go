package module

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/docc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/doctext"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
	"github.com/docent-mcp/docent/internal/markup"
)

// Kinds of symbols that only Swift has.
const (
	kindStruct         apidoc.Kind = "struct"
	kindActor          apidoc.Kind = "actor"
	kindProtocol       apidoc.Kind = "protocol"
	kindAssociatedType apidoc.Kind = "associated type"
	kindTypeAlias      apidoc.Kind = "typealias"
	kindInit           apidoc.Kind = "init"
	kindSubscript      apidoc.Kind = "subscript"
	kindMacro          apidoc.Kind = "macro"
	kindExtension      apidoc.Kind = "extension"
	kindOperator       apidoc.Kind = "operator"
	kindPrecedence     apidoc.Kind = "precedence group"
)

// Read returns the documentation of a module of a package. The other modules
// that products offer are its Subpackages.
func Read(ctx context.Context, p Package) (*apidoc.Package, error) {
	r, err := open(ctx, p)
	if err != nil {
		return nil, err
	}
	return newDocumenter(r).document()
}

// documenter makes documentation of a reading.
type documenter struct {
	*reading
	catalogue *docc.Catalogue
	paths     map[string]bool   // of symbols that are shown
	unlabeled map[string]string // paths without labels -> with them
	byName    map[string]bool   // last names of types that are shown
	texts     map[docKey]*doctext.Text
}

// docKey identifies a comment and the place that its links are resolved from.
type docKey struct{ comment, scope string }

func newDocumenter(r *reading) *documenter {
	d := &documenter{reading: r, paths: map[string]bool{}, unlabeled: map[string]string{}, byName: map[string]bool{}, texts: map[docKey]*doctext.Text{}}
	var files []string
	for _, u := range r.shown {
		files = append(files, u.target.Files...)
	}
	d.catalogue = docc.Read(r.w.p.Root, files, r.unit.name)
	for e := range r.all {
		d.paths[e.path] = true
		if plain := withoutLabels(e.path); plain != e.path {
			if _, ok := d.unlabeled[plain]; !ok {
				d.unlabeled[plain] = e.path
			}
		}
		if e.isNamed() && !e.is(source.AssociatedType) {
			d.byName[e.name] = true
		}
	}
	return d
}

// withoutLabels cuts the argument labels off a path.
func withoutLabels(path string) string {
	if i := strings.IndexByte(path, '('); i > 0 && strings.HasSuffix(path, ")") {
		return path[:i]
	}
	return path
}

func (d *documenter) document() (*apidoc.Package, error) {
	p := &d.w.p
	out := &apidoc.Package{Name: d.unit.name, Module: p.Name, Version: p.Version, LocalName: d.unit.name, Platform: p.Platform, Symbols: []apidoc.Symbol{}}
	for _, u := range d.shown {
		for _, e := range u.top {
			if s, ok := d.topLevel(e); ok {
				out.Symbols = append(out.Symbols, s)
			}
		}
	}
	for _, e := range d.picked {
		out.Symbols = append(out.Symbols, d.symbol(e))
	}
	for _, t := range d.extended() {
		if s, ok := d.extension(t); ok && !d.isPicked(t) {
			out.Symbols = append(out.Symbols, s)
		}
	}
	out.Symbols = merged(out.Symbols)
	if e := d.catalogue.Extension(""); e != nil {
		out.Doc = e.Text
		d.arrange(out.Symbols, e.Topics)
	}
	out.Synopsis = markup.Synopsis(out.Doc)
	out.Sections = d.catalogue.Sections(d.resolver(""))
	out.Elsewhere = d.elsewhere()
	for i := range p.Targets {
		t := &p.Targets[i]
		if len(t.Products) > 0 && t.module() != d.unit.name && !t.Macro {
			out.Subpackages = append(out.Subpackages, apidoc.Subpackage{Name: t.module()})
		}
	}
	d.warn(out)
	if err := d.w.ctx.Err(); err != nil {
		return nil, fmt.Errorf("read the Swift module %s: %w", d.unit.name, err)
	}
	return out, nil
}

// warn says what could not be read.
func (d *documenter) warn(out *apidoc.Package) {
	if names := d.w.missing; len(names) > 0 {
		slices.Sort(names)
		out.Warnings = append(out.Warnings, "These files could not be read: "+some(names)+".")
	}
	lost := 0
	var where []string
	for _, u := range d.shown {
		for _, f := range u.files {
			lost += f.Lost
			for _, s := range f.Skipped {
				where = append(where, fmt.Sprintf("%s:%d (%s)", f.Name, s.Line, s.Reason))
			}
		}
	}
	if lost > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%d declarations could not be read: %s.", lost, some(where)))
	}
	out.Warnings = append(out.Warnings, d.catalogue.Warnings...)
}

// some lists names, not more than a few.
func some(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// topLevel documents a declaration outside of types.
func (d *documenter) topLevel(e *entity) (apidoc.Symbol, bool) {
	switch e.decl.Kind {
	case source.Operator, source.PrecedenceGroup:
		if strings.HasPrefix(e.name, "_") {
			return apidoc.Symbol{}, false
		}
		s := apidoc.Symbol{Path: e.name, Kind: kindOperator, Signature: e.decl.Declaration(source.Inferred{}), File: e.file.Name, Line: e.decl.Line}
		if e.decl.Kind == source.PrecedenceGroup {
			s.Kind = kindPrecedence
			s.Signature = cmp.Or(strings.TrimSpace(e.file.Text[e.decl.Start:e.decl.End]), s.Signature)
			if i := strings.Index(s.Signature, "precedencegroup"); i > 0 {
				s.Signature = s.Signature[i:]
			}
		}
		d.comment(&s, e)
		return s, true
	}
	if !e.isVisible() {
		return apidoc.Symbol{}, false
	}
	return d.symbol(e), true
}

// symbol documents an entity with its members.
func (d *documenter) symbol(e *entity) apidoc.Symbol {
	s := apidoc.Symbol{Path: e.path, Kind: symbolKind(e), File: e.file.Name, Line: e.decl.Line}
	s.Signature = d.signature(e, false)
	s.Refs = d.refs(s.Signature, e)
	d.comment(&s, e)
	s.Deprecated = cmp.Or(d.deprecation(e), s.Deprecated)
	if e.isType() {
		s.Members = d.members(e, d.catalogue.Extension(e.path))
	}
	return s
}

// symbolKind is the kind of a symbol in docent's terms.
func symbolKind(e *entity) apidoc.Kind {
	switch e.decl.Kind {
	case source.Struct:
		return kindStruct
	case source.Class:
		return apidoc.Class
	case source.Actor:
		return kindActor
	case source.Enum:
		return apidoc.Enum
	case source.Case:
		return apidoc.EnumValue
	case source.Protocol:
		return kindProtocol
	case source.AssociatedType:
		return kindAssociatedType
	case source.TypeAlias:
		return kindTypeAlias
	case source.Init:
		return kindInit
	case source.Subscript:
		return kindSubscript
	case source.Macro:
		return kindMacro
	case source.Var:
		switch {
		case e.parent != nil:
			return apidoc.Property
		case e.decl.Let:
			return "let"
		}
		return apidoc.Var
	}
	if e.parent != nil {
		return apidoc.Method
	}
	return apidoc.Func
}

// signature is the declaration as users read it: with what a type conforms to
// and the constraints of the extension that declares a member.
// Of an inherited member it leaves out constraints on Self, since they hold.
func (d *documenter) signature(e *entity, inherited bool) string {
	text := e.declaration()
	if e.decl.Access == source.Open {
		text = withModifier(text, "open")
	}
	if v := e.decl.Value; literal(v) && (e.is(source.Case) || e.decl.Let && e.is(source.Var)) {
		text += " = " + v
	}
	switch {
	case e.isType() && !e.isProtocol():
		if list := d.clause(e); list != "" {
			head, where, ok := strings.Cut(text, " where ")
			text = head + " : " + list
			if ok {
				text += " where " + where
			}
		}
	case e.ext != nil:
		where := e.ext.decl.Where
		if inherited {
			where = slices.DeleteFunc(slices.Clone(where), func(q source.Requirement) bool { return q.Left == "Self" })
		}
		text = constrained(text, where)
	}
	if a := d.introduced(e); a != "" {
		text = a + "\n" + text
	}
	return text
}

// withModifier puts a word before a declaration, behind its attributes.
func withModifier(text, word string) string {
	i := 0
	for i < len(text) && text[i] == '@' {
		for i < len(text) && text[i] != ' ' && text[i] != '(' {
			i++
		}
		if i < len(text) && text[i] == '(' {
			i = closingIndex(text, i)
		}
		i = skipSpace(text, i)
	}
	return text[:i] + word + " " + text[i:]
}

// maxLiteral bounds a value that is shown with a declaration, in bytes.
const maxLiteral = 40

// literal reports whether an initial value is one short literal.
func literal(text string) bool {
	if text == "" || len(text) > maxLiteral || strings.Contains(text, "\n") || strings.Contains(text, `\(`) {
		return false
	}
	s := source.NewScanner(strings.TrimPrefix(text, "-"))
	switch t := s.Next(); t.Kind {
	case source.Integer, source.Float, source.String:
		return s.Next().Kind == source.EOF
	}
	return text == "true" || text == "false"
}

// clause lists what a type is declared to conform to, unconditionally, and the
// class that it inherits from.
func (d *documenter) clause(e *entity) string {
	var list []string
	add := func(u *unit, texts []string, scope *entity, f *file) {
		for _, text := range texts {
			for _, b := range u.bounds(nil, text, scope, f, maxSteps) {
				if !b.isVisible() {
					text = ""
				}
			}
			text = shortConformance(text)
			if text != "" && !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	add(e.unit, e.decl.Inherits, e.parent, e.file)
	for _, x := range e.extensions {
		if len(x.decl.Where) == 0 && !x.hidden && (d.shows(x.unit) || d.isPicked(e)) {
			add(x.unit, x.decl.Inherits, e, x.file)
		}
	}
	return strings.Join(list, ", ")
}

// shortConformance writes a conformance without attributes that say nothing to
// users, and without the name of the standard library.
func shortConformance(text string) string {
	for _, word := range []string{"@retroactive ", "@preconcurrency "} {
		text = strings.ReplaceAll(text, word, "")
	}
	text = strings.TrimPrefix(source.PrintType(text), "Swift.")
	if rest, ok := strings.CutPrefix(text, "@unchecked "); ok {
		if rest = strings.TrimPrefix(rest, "Swift."); rest != "Sendable" {
			return rest
		}
		return "@unchecked " + rest
	}
	return text
}

// constrained adds the constraints of an extension to the declaration of a member.
func constrained(text string, where []source.Requirement) string {
	if len(where) == 0 {
		return text
	}
	parts := make([]string, len(where))
	for i := range where {
		q := &where[i]
		op := " == "
		if q.Op == ":" {
			op = " : "
		}
		parts[i] = source.PrintType(q.Left) + op + source.PrintType(q.Right)
	}
	clause := strings.Join(parts, ", ")
	tail := ""
	if i := strings.LastIndex(text, " { "); i > 0 && strings.HasSuffix(text, " }") {
		text, tail = text[:i], text[i:]
	}
	if strings.Contains(text, " where ") {
		return text + ", " + clause + tail
	}
	return text + " where " + clause + tail
}

// introduced is the attribute that says since which version of the platform an
// entity exists, if the platform has versions and the type does not say the same.
func (d *documenter) introduced(e *entity) string {
	if !d.w.platform.apple() {
		return ""
	}
	since := func(all []source.Availability) string {
		for _, a := range all {
			if a.Domain == d.w.platform.os {
				return a.Introduced
			}
		}
		return ""
	}
	own := since(e.availability())
	if own == "" || e.parent != nil && since(e.parent.availability()) == own {
		return ""
	}
	return "@available(" + d.w.platform.os + " " + own + ", *)"
}

// deprecation is the notice of an entity that is deprecated, for all platforms or
// for this one.
func (d *documenter) deprecation(e *entity) string {
	for _, a := range e.availability() {
		if !a.IsDeprecated || a.Domain != "*" && a.Domain != "Swift" && a.Domain != d.w.platform.os {
			continue
		}
		text := a.Message
		if a.Renamed != "" && !strings.Contains(text, a.Renamed) {
			text = strings.TrimSpace(text + " Use " + a.Renamed + ".")
		}
		if a.Domain != "*" && a.Deprecated != "" {
			text = strings.TrimSpace("Since " + a.Domain + " " + a.Deprecated + ". " + text)
		}
		return cmp.Or(text, "Deprecated.")
	}
	return ""
}

// comment converts the documentation comment of an entity.
func (d *documenter) comment(s *apidoc.Symbol, e *entity) {
	scope := e.path
	text := ""
	if e.decl.Comment != "" {
		key := docKey{e.decl.Comment, ""}
		if strings.Contains(e.decl.Comment, "``") {
			key.scope = scope
		}
		t := d.texts[key]
		if t == nil {
			converted := doctext.Convert(e.decl.Doc(), d.catalogue.Options(d.resolver(scope)))
			t = &converted
			d.texts[key] = t
		}
		text, s.Examples, s.Deprecated = t.Body, t.Examples, t.Deprecated
	}
	s.Doc = d.catalogue.Extension(e.path).Comment(text)
}

// resolver finds the symbols that the links of a comment mean.
func (d *documenter) resolver(scope string) doctext.Resolver {
	return func(link string) (string, bool) {
		link = strings.TrimPrefix(link, d.unit.name+".")
		for s := scope; ; {
			path := join(s, link)
			if d.paths[path] {
				return path, true
			}
			if full := d.unlabeled[path]; full != "" {
				return full, true
			}
			if s == "" {
				return "", false
			}
			s = s[:max(0, strings.LastIndexByte(withoutLabels(s), '.'))]
		}
	}
}

// members documents the members of a type: its own, those of extensions,
// inherited ones, then its conditional conformances.
func (d *documenter) members(e *entity, page *docc.Extension) []apidoc.Symbol {
	var all []apidoc.Symbol
	required := map[string]int{}
	for _, m := range e.members {
		if !m.isVisible() || !d.shows(m.unit) && !d.isPicked(m) {
			continue
		}
		if m.ext != nil && e.isProtocol() {
			// A default implementation is said of its requirement.
			if i, ok := required[m.path+m.declaration()]; ok {
				if !strings.HasSuffix(all[i].Doc, defaulted) {
					all[i].Doc = strings.TrimPrefix(all[i].Doc+"\n\n"+defaulted, "\n\n")
				}
				continue
			}
		}
		if m.ext == nil && e.isProtocol() {
			required[m.path+m.declaration()] = len(all)
		}
		all = append(all, d.symbol(m))
	}
	if e.decl != nil && e.unit == d.unit {
		for _, m := range e.synthesized() {
			all = append(all, apidoc.Symbol{Path: e.path + "." + m.name, Kind: kindInit, Signature: m.declaration, File: e.file.Name, Line: e.decl.Line})
		}
	}
	all = merged(all)
	if page != nil {
		d.arrange(all, page.Topics)
	}
	all = append(all, merged(d.inherited(e, all))...)
	return append(all, d.conditional(e)...)
}

const defaulted = "A default implementation exists."

// inherited documents the members that a type has from its superclasses and from
// extensions of protocols, other than those that it declares itself.
func (d *documenter) inherited(e *entity, own []apidoc.Symbol) []apidoc.Symbol {
	has := map[string]bool{}
	for i := range own {
		has[own[i].Path] = true
	}
	var all []apidoc.Symbol
	add := func(m *entity, from string) {
		path := e.path + "." + lastName(m)
		if has[path] {
			return
		}
		s := apidoc.Symbol{Path: path, Kind: symbolKind(m), Signature: d.signature(m, true), File: m.file.Name, Line: m.decl.Line, From: from}
		s.Refs = d.refs(s.Signature, m)
		d.comment(&s, m)
		s.Deprecated = cmp.Or(d.deprecation(m), s.Deprecated)
		all = append(all, s)
	}
	listed := map[*entity]bool{}
	for super, n := e.superclass(), 0; super != nil && n < maxSteps; super, n = super.superclass(), n+1 {
		for _, m := range super.members {
			if m.isVisible() && !m.is(source.Init) && !m.isType() && !listed[m] {
				listed[m] = true
				add(m, super.path)
			}
		}
	}
	for _, m := range d.inheritedMembers(e) {
		add(m, m.parent.path)
	}
	return all
}

// conditional lists the conformances that hold under constraints.
func (d *documenter) conditional(e *entity) []apidoc.Symbol {
	if e.isProtocol() {
		return nil
	}
	var all []apidoc.Symbol
	for _, x := range e.extensions {
		if len(x.decl.Inherits) == 0 || e.decl != nil && len(x.decl.Where) == 0 || x.hidden || !d.shows(x.unit) {
			continue
		}
		var names []string
		for _, text := range x.decl.Inherits {
			bounds := x.unit.bounds(nil, text, e, x.file, maxSteps)
			if len(bounds) > 0 && !slices.ContainsFunc(bounds, func(b *entity) bool { return !b.isVisible() }) {
				names = append(names, shortConformance(text))
			}
		}
		if len(names) == 0 {
			continue
		}
		list := strings.Join(names, ", ")
		s := apidoc.Symbol{Path: e.path + ".extension " + strings.ReplaceAll(list, ".", ""), Kind: kindExtension, Signature: "extension " + e.path + " : " + list, File: x.file.Name, Line: x.decl.Line}
		s.Signature = constrained(s.Signature, x.decl.Where)
		s.Refs = d.refsIn(s.Signature, x.unit, e, e, x.file)
		all = append(all, s)
	}
	return all
}

// extension documents the members that the package adds to a type of another
// package.
func (d *documenter) extension(t *entity) (apidoc.Symbol, bool) {
	s := apidoc.Symbol{Path: t.path, Kind: kindExtension, Signature: "extension " + t.path}
	for _, x := range t.extensions {
		if d.shows(x.unit) && !x.hidden {
			s.File, s.Line = x.file.Name, x.decl.Line
			break
		}
	}
	s.Members = d.members(t, d.catalogue.Extension(t.path))
	return s, len(s.Members) > 0
}

// merged joins the overloads of one path to one symbol.
func merged(all []apidoc.Symbol) []apidoc.Symbol {
	first := map[string]int{}
	out := all[:0]
	for _, s := range all {
		word, _, _ := strings.Cut(s.Signature, "(")
		key := s.Path + "\x00" + string(s.Kind) + "\x00" + s.From + "\x00" + s.Deprecated
		if strings.Contains(word, "static ") || strings.Contains(word, "class ") {
			key += "\x00static"
		}
		switch s.Kind {
		case apidoc.Func, apidoc.Method, kindInit, kindSubscript, kindMacro:
			i, ok := first[key]
			if ok {
				o := &out[i]
				if !slices.Contains(strings.Split(o.Signature, "\n"), s.Signature) {
					o.Signature += "\n" + s.Signature
				}
				if s.Doc != "" && s.Doc != o.Doc {
					o.Doc = strings.TrimPrefix(o.Doc+"\n\n"+s.Doc, "\n\n")
				}
				o.Examples = append(o.Examples, s.Examples...)
				for _, ref := range s.Refs {
					if !slices.Contains(o.Refs, ref) {
						o.Refs = append(o.Refs, ref)
					}
				}
				continue
			}
			first[key] = len(out)
		}
		out = append(out, s)
	}
	return out
}

// arrange orders symbols as the topics of a page do; those that it does not name
// follow.
func (d *documenter) arrange(all []apidoc.Symbol, topics []doctext.Topic) {
	place := map[string]int{}
	for _, t := range topics {
		for _, link := range t.Links {
			link = strings.TrimPrefix(link, d.unit.name+".")
			if _, ok := place[link]; !ok {
				place[link] = len(place)
			}
		}
	}
	if len(place) == 0 {
		return
	}
	at := func(s *apidoc.Symbol) int {
		for _, name := range []string{s.Path, s.Name(), withoutLabels(s.Path), withoutLabels(s.Name())} {
			if i, ok := place[name]; ok {
				return i
			}
		}
		return len(place)
	}
	slices.SortStableFunc(all, func(a, b apidoc.Symbol) int { return cmp.Compare(at(&a), at(&b)) })
}

// elsewhere are the declarations that conditions leave out for this platform.
func (d *documenter) elsewhere() []apidoc.Symbol {
	var all []apidoc.Symbol
	seen := map[string]bool{}
	for _, u := range d.shown {
		for i := range u.inactive {
			x := &u.inactive[i]
			if x.access < u.threshold() || isPrivateName(x.decl) || x.decl.Attribute("_spi") != nil || u.isUnavailable(x.decl) || len(all) >= maxElsewhere {
				continue
			}
			d.leftOut(&all, seen, x.decl, x.file, x.parent, x.conditions)
		}
	}
	return all
}

// maxElsewhere bounds the symbols of other platforms.
const maxElsewhere = 20_000

// leftOut documents a declaration of another platform unless this one has it too.
func (d *documenter) leftOut(all *[]apidoc.Symbol, seen map[string]bool, decl *source.Decl, f *file, parent string, conditions []*source.Condition) {
	path := join(parent, decl.Title())
	text := conditionText(conditions)
	if parent != "" && strings.HasPrefix(parent[strings.LastIndexByte(parent, '.')+1:], "_") || d.paths[path] || seen[path+"\x00"+text] || text == "" || !mentionsPlatform(conditions) {
		return
	}
	seen[path+"\x00"+text] = true
	e := &entity{decl: decl, file: f, unit: f.unit, name: decl.Name, path: path}
	if parent != "" {
		e.parent = &entity{path: parent, name: parent}
	}
	s := apidoc.Symbol{Path: path, Kind: symbolKind(e), Signature: decl.Declaration(source.Inferred{}), File: f.Name, Line: decl.Line, Constraint: text}
	d.comment(&s, e)
	for _, m := range decl.Members {
		access := m.Access
		if access == source.Unspecified && (decl.Kind == source.Protocol || m.Kind == source.Case) {
			access = source.Public
		}
		if access < f.unit.threshold() || isPrivateName(m) || m.Kind == source.Deinit || len(m.Conditions) > 0 || len(m.Members) > 0 {
			continue
		}
		me := &entity{decl: m, file: f, unit: f.unit, parent: e, name: m.Name, path: path + "." + m.Title()}
		ms := apidoc.Symbol{Path: me.path, Kind: symbolKind(me), Signature: m.Declaration(source.Inferred{}), File: f.Name, Line: m.Line}
		d.comment(&ms, me)
		s.Members = append(s.Members, ms)
	}
	s.Members = merged(s.Members)
	*all = append(*all, s)
}

// mentionsPlatform reports whether conditions are about more than versions of the
// language, which are the same everywhere.
func mentionsPlatform(all []*source.Condition) bool {
	var in func(e *source.ConditionExpr) bool
	in = func(e *source.ConditionExpr) bool {
		if e == nil {
			return false
		}
		switch e.Op {
		case source.Flag:
			return e.Name != "false" && e.Name != "true"
		case source.Test:
			return e.Name != "swift" && e.Name != "compiler" && e.Name != "hasFeature" && e.Name != "hasAttribute"
		}
		return in(e.Left) || in(e.Right)
	}
	for _, c := range all {
		for ; c != nil; c = c.Before {
			if in(c.Expr) {
				return true
			}
		}
	}
	return false
}

// refs are the types that a signature names otherwise than by their paths.
func (d *documenter) refs(signature string, e *entity) []apidoc.Ref {
	scope := e
	if !e.isType() {
		scope = e.parent
	}
	return d.refsIn(signature, e.unit, e, scope, e.file)
}

// refsIn are those of a signature that stands in the scope of a type.
func (d *documenter) refsIn(signature string, u *unit, e, scope *entity, f *file) []apidoc.Ref {
	var all []apidoc.Ref
	for i := 0; i < len(signature); {
		c := signature[i]
		if !isNameByte(c) {
			i++
			continue
		}
		start := i
		for i < len(signature) && (isNameByte(signature[i]) || signature[i] == '.' && i+1 < len(signature) && isNameByte(signature[i+1])) {
			i++
		}
		name := signature[start:i]
		if c < 'A' || c > 'Z' && c < 0x80 || i < len(signature) && signature[i] == ':' || name == "Self" || start > 0 && signature[start-1] == '.' {
			continue
		}
		path := strings.Split(name, ".")
		if name == e.name || !d.byName[path[len(path)-1]] || slices.ContainsFunc(all, func(r apidoc.Ref) bool { return r.Name == name }) {
			continue
		}
		t := u.first(path, scope, f)
		switch {
		case t != nil && d.paths[t.path] && t.path != name:
			all = append(all, apidoc.Ref{Name: name, Path: t.path})
		case t == nil && e.decl != nil && (e.parent == nil || e.parent.decl != nil) && !d.paths[name] && !generic(e, path[0]):
			// A type of another package that has the name of one of this.
			all = append(all, apidoc.Ref{Name: name, Path: "Swift." + name})
		}
	}
	return all
}

// generic reports whether a name is a generic parameter where the entity stands.
func generic(e *entity, name string) bool {
	for ; e != nil; e = e.parent {
		if e.hasParameter(name) {
			return true
		}
	}
	return false
}
