package main

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
	"github.com/docent-mcp/docent/internal/naming"
)

// signature is the compiler's text of a callable declaration, split without docent's parser.
type signature struct {
	params  []param
	result  string
	effects []string
}

type param struct {
	label, name, typ     string
	variadic, hasDefault bool
}

// called are the kinds of callable declarations.
var called = []string{"init", "method", "type.method", "subscript", "type.subscript", "func", "func.op", "macro"}

// split splits the declaration of a row. ok is false if it is not callable.
func (r *row) split() (signature, bool) {
	all := withoutAttributes(tokens(r.Declaration))
	open := slices.Index(all, "(")
	labels, ok := strings.CutSuffix(r.Path[strings.LastIndexByte(r.Path, '(')+1:], ")")
	if !ok || open < 0 || !slices.Contains(called, r.Kind) {
		return signature{}, false
	}
	if open > 0 && all[open-1] == "nonisolated" || open > 0 && all[open-1] == "unowned" {
		open += 3 + slices.Index(all[open+3:], "(")
	}
	end := closing(all, open)
	var s signature
	for _, text := range commas(all[open+1 : end-1]) {
		var p param
		colon := slices.Index(text, ":")
		if colon < 1 {
			return s, false
		}
		p.name = string(text[colon-1])
		text = text[colon+1:]
		if i := top(text, "="); i >= 0 {
			text, p.hasDefault = text[:i], true
		}
		if n := len(text) - 1; n >= 0 && text[n] == "..." {
			text, p.variadic = text[:n], true
		}
		p.typ = r.spelling(text)
		s.params = append(s.params, p)
	}
	names := strings.Split(strings.TrimSuffix(labels, ":"), ":")
	if labels == "" {
		names = nil
	}
	if len(names) != len(s.params) {
		return s, false
	}
	for i, name := range names {
		s.params[i].label = name
	}
	rest := all[end:]
	if i := top(rest, "where"); i >= 0 {
		rest = rest[:i]
	}
	if i := top(rest, "{"); i >= 0 {
		rest = rest[:i]
	}
	if i := top(rest, "->"); i >= 0 {
		s.result = r.spelling(rest[i+1:])
		rest = rest[:i]
	}
	for _, t := range rest {
		if t == "async" || t == "throws" || t == "rethrows" || t == "reasync" {
			s.effects = append(s.effects, string(t))
		}
	}
	return s, true
}

// spelling returns a type in the common spelling.
func (r *row) spelling(all []token) string {
	words := make([]string, len(all))
	for i, t := range all {
		words[i] = string(t)
	}
	return strings.TrimSpace(normal(strings.Join(words, " "), "typealias", parent(r.Path)))
}

// commas splits tokens at commas outside of brackets.
func commas(all []token) [][]token {
	var parts [][]token
	for len(all) > 0 {
		i := top(all, ",")
		if i < 0 {
			return append(parts, all)
		}
		parts = append(parts, all[:i])
		all = all[i+1:]
	}
	return parts
}

// top returns the index of a token outside of brackets, -1 if there is none.
func top(all []token, t token) int {
	for i := 0; i < len(all); i++ {
		switch all[i] {
		case t:
			return i
		case "(", "[", "{", "<":
			i = closing(all, i) - 1
		}
	}
	return -1
}

// parts compares the parts of a callable declaration with the compiler's text. If several
// declarations have the same path, it uses the most similar one.
func (s *score) parts(r *row, resolver *naming.Resolver, symbols []*apidoc.Symbol) {
	want, ok := r.split()
	if !ok || len(symbols) == 0 {
		return
	}
	var best ratio
	var text string
	for _, sym := range symbols {
		d := resolver.Decl(sym)
		for i := range d.Within(-1, apidoc.DeclarationPart) {
			if p := want.compare(r, &d, i); best.total == 0 || p.right*best.total > best.right*p.total {
				best, text = p, d.PartText(i)
			}
		}
	}
	if best.total == 0 {
		best.total = 1 // There are no parts.
	}
	s.part[partsOfCalls].right += best.right
	s.part[partsOfCalls].total += best.total
	if best.right < best.total {
		s.differ("parts of %s (%s:%d)\n      ours   %s\n      theirs %s", r.Path, r.File, r.Line, oneLine(text), oneLine(r.Declaration))
	}
}

// compare counts the correct parts of declaration i.
func (want *signature) compare(r *row, d *apidoc.Decl, i int) ratio {
	var p ratio
	got := slices.Collect(d.Within(i, apidoc.ParamPart))
	p.count(len(got) == len(want.params))
	positional := r.Kind == "func.op" || strings.Contains(r.Kind, "subscript")
	for k := range want.params {
		if k >= len(got) {
			p.total += 5
			continue
		}
		w, flags := &want.params[k], d.Parts[got[k]].Flags
		name := d.ChildText(got[k], apidoc.NamePart)
		label := d.ChildText(got[k], apidoc.LabelPart)
		if label == "" {
			if label = name; positional {
				label = "_"
			}
		}
		p.count(label == w.label && (flags&apidoc.PositionalOnly != 0) == (label == "_"))
		p.count(name == w.name)
		typ := d.TypeOf(got[k])
		p.count(typ >= 0 && r.spelling(withoutAttributes(tokens(d.PartText(typ)))) == w.typ)
		p.count(flags&apidoc.Variadic != 0 == w.variadic)
		p.count(flags&apidoc.Optional != 0 == w.hasDefault)
	}
	result := ""
	if k := d.Child(i, apidoc.ResultPart); k >= 0 {
		result = r.spelling(withoutAttributes(tokens(d.PartText(k))))
	}
	p.count(result == want.result)
	var effects []string
	for k := range d.Within(i, apidoc.EffectPart) {
		word, _, _ := strings.Cut(d.PartText(k), "(")
		if end := strings.Index(d.Text[d.Parts[i].Start:d.Parts[k].Start], "{ "); end < 0 || r.Kind == "func" { // Effects of accessors are not part of the call.
			effects = append(effects, word)
		}
	}
	p.count(slices.Equal(effects, want.effects))
	return p
}

// bases compares the symbols that the inheritance clause of a type refers to with the
// targets of the compiler's relations, some of which do not name the module. Symbols that the
// compiler prints differently, such as type aliases, are skipped.
func (s *score) bases(r *row, resolver *naming.Resolver, symbols []*apidoc.Symbol, targets []string) {
	for _, sym := range symbols {
		d := resolver.Decl(sym)
		for i := range d.References(-1) {
			if part := &d.Parts[i]; part.Parent < 0 || d.Parts[part.Parent].Role != apidoc.BasePart {
				continue
			}
			got, path := "", ""
			switch part := &d.Parts[i]; {
			case part.Flags&apidoc.Builtin != 0:
				got = "Swift." + strings.TrimPrefix(d.PartText(i), "Swift.")
			case part.Target != nil && part.Target.Package != "":
				got, path = part.Target.Package+"."+part.Target.Path, part.Target.Path
			case part.Target != nil:
				got = part.Target.Path
			}
			name := d.PartText(i)
			name = name[strings.LastIndexByte(name, '.')+1:]
			var theirs []string
			for _, t := range targets {
				if t == name || strings.HasSuffix(t, "."+name) {
					theirs = append(theirs, plainModule(t))
				}
			}
			if len(theirs) > 0 && !s.part[partsOfBases].count(slices.Contains(theirs, plainModule(got)) || path != "" && slices.Contains(theirs, path)) {
				s.differ("base %s of %s: ours %s, theirs %s", d.PartText(i), r.Path, got, theirs)
			}
		}
	}
}

// plainModule replaces the names of the parts of Foundation and of the standard library
// with one module.
func plainModule(target string) string {
	for from, to := range map[string]string{"FoundationEssentials.": "Foundation.", "FoundationNetworking.": "Foundation.", "_Concurrency.": "Swift.", "_StringProcessing.": "Swift."} {
		if rest, ok := strings.CutPrefix(target, from); ok {
			return to + rest
		}
	}
	return target
}

// syntax compares the declarations of a module by their parts.
func (s *score) syntax(want []*row, p *apidoc.Package) {
	p.Style.Syntax = module.Syntax{}
	resolver := naming.NewResolver(p)
	symbols := map[string][]*apidoc.Symbol{}
	for sym := range p.All {
		symbols[sym.Path] = append(symbols[sym.Path], sym)
		s.references(resolver, sym)
	}
	targets := map[string][]string{}
	for _, r := range want {
		if r.Relation == "conformsTo" || r.Relation == "inheritsFrom" {
			targets[r.Path] = append(targets[r.Path], r.Target)
		}
	}
	for _, r := range want {
		if r.Relation == "symbol" {
			s.parts(r, resolver, symbols[r.Path])
			s.bases(r, resolver, symbols[r.Path], targets[r.Path])
		}
	}
}

// references counts the references with known targets.
func (s *score) references(resolver *naming.Resolver, sym *apidoc.Symbol) {
	d := resolver.Decl(sym)
	for i := range d.References(-1) {
		part := &d.Parts[i]
		if !s.part[resolved].count(part.Target != nil || part.Flags&(apidoc.Local|apidoc.Builtin) != 0) {
			s.differ("%s in %s means nothing known", d.PartText(i), oneLine(sym.Signature))
		}
	}
}
