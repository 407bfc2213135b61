package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

// The compared parts of a symbol in addition to its name, kind and signature.
const (
	constructors = iota
	calls
	indexes
	namespaces
	aliases
	modifiers
	destructured
	docs
	deprecations
	countOfParts
)

var partNames = [...]string{"constructors", "call signatures", "index signatures", "namespaces' members", "members of aliases", "their modifiers", "destructured", "docs", "deprecations"}

type parts [countOfParts]score

func (p *parts) add(o *parts) {
	for i := range p {
		p[i].add(o[i])
	}
}

// wantParts contains the minimum percentage for each part.
var wantParts = [countOfParts]float64{constructors: 99, calls: 99, indexes: 99, namespaces: 99, aliases: 99, modifiers: 99, destructured: 99, docs: 99, deprecations: 99}

func (p *parts) below() (n int) {
	for i := range p {
		if min(p[i].recall(), p[i].precision()) < wantParts[i] {
			n++
		}
	}
	return n
}

// list prints the parts in which a package is below the overall minimum.
func (p *parts) list(out io.Writer, name string) {
	for i := range p {
		if min(p[i].recall(), p[i].precision()) < wantParts[i] {
			fmt.Fprintf(out, "%s: %s %.2f %.2f of %d\n", name, partNames[i], p[i].recall(), p[i].precision(), p[i].want)
		}
	}
}

func (p *parts) write(out io.Writer) {
	for i := range p {
		fmt.Fprintf(out, "  %-22s %8d %7.2f %7.2f\n", partNames[i], p[i].want, p[i].recall(), p[i].precision())
	}
}

// count compares numbers of items.
func (s *score) count(want, got int) {
	s.want += want
	s.got += got
	s.both += min(want, got)
}

func compareParts(res *result, path string, w oracleSymbol, g *apidoc.Symbol, doc *apidoc.Package) {
	lines := map[apidoc.Kind]int{}
	names := map[string]bool{}
	for i := range g.Members {
		m := &g.Members[i]
		seen := map[string]bool{}
		for line := range strings.SplitSeq(m.Signature, "\n") {
			if m.Kind != apidoc.IndexSignature {
				line = callOf(line)
			}
			seen[line] = true
		}
		lines[m.Kind] += len(seen)
		names[m.Name()] = true
	}
	for _, c := range []struct {
		part, got int
		want      *int
	}{
		{constructors, lines[apidoc.Constructor], w.Constructors},
		{calls, lines[apidoc.CallSignature] + lines[apidoc.ConstructSignature], w.Calls},
		{indexes, lines[apidoc.IndexSignature], w.Indexes},
	} {
		if c.want == nil {
			continue
		}
		res.parts[c.part].count(*c.want, c.got)
		if *c.want != c.got {
			res.note(&res.odd, "%s: %d %s, not %d", path, c.got, partNames[c.part], *c.want)
		}
	}
	compareNames(res, namespaces, path, w.Inside, names, g.Doc)
	compareAliased(res, path, w, g, doc)
	compareBound(res, path, w, g)
	compareNotes(res, path, w, g)
}

// compareBound compares the signature of an export bound by a pattern: export const { add }:
// Instance.
func compareBound(res *result, path string, w oracleSymbol, g *apidoc.Symbol) {
	if len(w.Bound) == 0 {
		return
	}
	s := &res.parts[destructured]
	s.want++
	s.got++
	got := normalLines(g.Signature)
	for _, form := range w.Bound {
		if normalLines(form) == got {
			s.both++
			return
		}
	}
	res.note(&res.odd, "%s: destructured\n\twant %s\n\tgot  %s", path, clip(strings.Join(w.Bound, " | ")), clip(got))
}

// callOf returns the parameters of a constructor or call, without the result.
func callOf(line string) string {
	for _, word := range []string{"public ", "protected ", "constructor", "new "} {
		line = strings.TrimPrefix(line, word)
	}
	if end := strings.LastIndex(line, ")"); end >= 0 {
		if before, _, ok := strings.Cut(line, "): "); ok {
			return before + ")"
		}
	}
	return line
}

// compareNames compares the names of a symbol's members. It skips a namespace whose
// documentation refers to another path, because its members are listed there.
func compareNames(res *result, part int, path string, want []string, got map[string]bool, doc string) {
	if strings.Contains(doc, "The same as `") || strings.Contains(doc, "The whole module: ") {
		return
	}
	for _, name := range want {
		res.parts[part].want++
		if got[name] {
			res.parts[part].both++
			res.parts[part].got++
		} else {
			res.note(&res.missing, "%s: missing %s of %s", path, name, partNames[part])
		}
	}
}

// other matches the target of an alias for another name.
var other = regexp.MustCompile(`^type [\w$]+(?:<.*>)? = (typeof )?([\w$.]+)$`)

// single matches an alias for one named type, with its arguments.
var single = regexp.MustCompile(`^type [\w$]+(?:<.*>)? = [\w$.]+(?:<.*>)?$`)

// describedElsewhere reports whether an alias only refers to another exported type (possibly of a
// namespace) or the global scope.
func describedElsewhere(w oracleSymbol, doc *apidoc.Package) bool {
	if len(w.Signatures) != 1 {
		return false
	}
	m := other.FindStringSubmatch(w.Signatures[0])
	if m == nil || m[2] == w.Name {
		return false
	}
	if m[1] != "" {
		return m[2] == "globalThis"
	}
	s := doc.At(m[2])
	return s != nil && s.Path == m[2]
}

// compareAliased compares the members of an alias: their names, and whether each
// is optional and read-only. An alias without members is treated as having the members of its
// target.
func compareAliased(res *result, path string, w oracleSymbol, g *apidoc.Symbol, doc *apidoc.Package) {
	if w.Aliased == nil || len(g.Members) == 0 && describedElsewhere(w, doc) {
		return
	}
	if len(g.Members) == 0 && single.MatchString(g.Signature) {
		if types := naming.TypesOf(doc, g); len(types) == 1 {
			g = types[0]
		}
	}
	got := map[string]string{}
	for i := range g.Members {
		m := &g.Members[i]
		switch m.Kind {
		case apidoc.Method, apidoc.Property, apidoc.Accessor:
			name := m.Path[len(g.Path)+1:]
			first, _, _ := strings.Cut(m.Signature, "\n")
			got[name] = first
		}
	}
	s, mods := &res.parts[aliases], &res.parts[modifiers]
	may := map[string]bool{}
	for _, name := range w.May {
		may[name] = true
	}
	for _, m := range w.Aliased {
		if strings.HasPrefix(m.Name, "#") {
			continue // private
		}
		s.want++
		sig, ok := got[m.Name]
		if !ok {
			res.note(&res.missing, "%s: missing %s of %s", path, m.Name, partNames[aliases])
			continue
		}
		s.both++
		s.got++
		delete(got, m.Name)
		mods.want++
		mods.got++
		// A property with only a getter is read-only in a union, but not in its declaration.
		readonly, optional := modifiersOf(sig)
		if optional == m.Optional && (readonly == m.Readonly || strings.HasPrefix(strings.TrimPrefix(sig, "public "), "get ")) {
			mods.both++
		} else {
			res.note(&res.odd, "%s.%s: optional %v, read-only %v: %s", path, m.Name, m.Optional, m.Readonly, clip(sig))
		}
	}
	for name := range got {
		s.got++
		if may[name] {
			s.want++
			s.both++
			continue
		}
		res.note(&res.extra, "%s: extra %s of %s", path, name, partNames[aliases])
	}
}

var optionalMark = regexp.MustCompile(`^(?:\[[^\]]*\]|"[^"]*"|'[^']*'|[^\s?:(<"'\[]+)\?`)

// modifiersOf returns the modifiers before and after the name in a signature.
func modifiersOf(sig string) (readonly, optional bool) {
	for {
		word, rest, ok := strings.Cut(sig, " ")
		switch {
		case ok && word == "readonly":
			readonly = true
		case ok && (word == "get" || word == "set" || word == "public" || word == "protected" || word == "abstract" || word == "static" || word == "override") && !strings.HasPrefix(rest, "(") && !strings.HasPrefix(rest, "?"):
		default:
			return readonly, optionalMark.MatchString(sig)
		}
		sig = rest
	}
}

func compareNotes(res *result, path string, w oracleSymbol, g *apidoc.Symbol) {
	for _, c := range []struct {
		part      int
		want, got bool
	}{
		{docs, w.Doc, g.Doc != "" || w.Deprecated && g.Deprecated != "" || len(g.Examples) > 0},
		{deprecations, w.Deprecated, g.Deprecated != ""},
	} {
		if !c.want {
			continue
		}
		res.parts[c.part].want++
		if c.got {
			res.parts[c.part].both++
			res.parts[c.part].got++
		} else {
			res.note(&res.odd, "%s: no %s", path, partNames[c.part])
		}
	}
}
