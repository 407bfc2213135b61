package main

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// The output of components.mjs.
type judgedPackage struct {
	Package    string
	Components []judgedComponent
}

var qualifiers = regexp.MustCompile(`(?:import\([^)]*\)|\b[A-Za-z_$][\w$]*)\.`)

type judgedComponent struct {
	Path  string
	Props []judgedProp
}

type judgedProp struct {
	Name     string
	Optional bool
	// Vague is true if the checker does not report the declaration of the prop.
	Vague bool
	// Repeated is true if the type and the documentation are compared in other components that have the prop.
	Repeated bool
	// Types are equivalent texts of the type. Expanded contains the members if the type is a union.
	Types, Expanded []string
	Doc             string
	// Same is true if the checker finds that the type in Docent's answer is the type of the prop.
	Same bool
}

// componentFacts are the compared facts about components.
var componentFacts = []fact{{"recall", 98}, {"precision", 99}, {"types", 95}, {"optional", 98}, {"documentation", 98}}

const (
	scoreRecall = iota
	scorePrecision
	scorePropTypes
	scoreOptional
	scoreDocs
)

// components compares the props of components with those that TypeScript's checker lists.
func components(out io.Writer, file, dir string, list bool) error {
	total := newFacts(componentFacts)
	fmt.Fprintf(out, "%-28s %10s %7s", "", "components", "props")
	for _, f := range componentFacts {
		fmt.Fprintf(out, " %13s", f.name)
	}
	fmt.Fprintln(out)
	line := func(name string, n int, scores []score) {
		fmt.Fprintf(out, "%-28s %10d %7d", name, n, scores[scoreRecall].want)
		for i := range scores {
			fmt.Fprintf(out, " %13.2f", scores[i].recall())
		}
		fmt.Fprintln(out)
	}
	all := 0
	err := eachJudged(file, func(want *judgedPackage) error {
		doc, err := readComponents(want.Package, dir)
		if err != nil {
			return err
		}
		j := &componentJudge{facts: newFacts(componentFacts), doc: doc}
		if list {
			j.odd = out
		}
		for i := range want.Components {
			j.component(&want.Components[i])
		}
		line(want.Package, len(want.Components), j.scores)
		all += len(want.Components)
		for i := range total.scores {
			total.scores[i].add(j.scores[i])
		}
		return nil
	})
	if err != nil {
		return err
	}
	line("all", all, total.scores)
	return total.check()
}

type componentJudge struct {
	facts
	doc *apidoc.Package
}

// readComponents reads the documentation of a package or one of its subpaths.
func readComponents(name, dir string) (*apidoc.Package, error) {
	module, subpath := name, "."
	if parts := strings.SplitN(name, "/", 3); len(parts) > 1 && !strings.HasPrefix(name, "@") {
		module, subpath = parts[0], "./"+strings.Join(parts[1:], "/")
	} else if len(parts) > 2 {
		module, subpath = parts[0]+"/"+parts[1], "./"+parts[2]
	}
	return readInstalled(dir, module, subpath)
}

// propTypes prints the types of the props of all components as JSON, one line for each package.
func propTypes(out io.Writer, dir string, packages []string) error {
	for _, name := range packages {
		doc, err := readComponents(name, dir)
		if err != nil {
			return err
		}
		components := map[string]map[string]string{}
		var visit func(symbols []apidoc.Symbol)
		visit = func(symbols []apidoc.Symbol) {
			for i := range symbols {
				s := &symbols[i]
				types := map[string]string{}
				for name, m := range propsOf(s) {
					_, types[name] = propParts(m.Signature)
				}
				if len(types) > 0 {
					components[s.Path] = types
				}
				visit(s.Members)
			}
		}
		visit(doc.Symbols)
		if err := json.NewEncoder(out).Encode(map[string]any{"Package": name, "Components": components}); err != nil {
			return err
		}
	}
	return nil
}

// propsOf returns the props of a component and the props that contain the listeners of its events.
func propsOf(s *apidoc.Symbol) map[string]*apidoc.Symbol {
	props := map[string]*apidoc.Symbol{}
	for i := range s.AllMembers() {
		if m := &s.AllMembers()[i]; m.Kind == apidoc.Prop || m.Kind == apidoc.Event {
			name := strings.TrimPrefix(m.Path, s.Path+".")
			if m.Kind == apidoc.Event && name != "" {
				name = "on" + strings.ToUpper(name[:1]) + name[1:]
			}
			props[name] = m
		}
	}
	return props
}

// component compares the props of one component.
func (j *componentJudge) component(want *judgedComponent) {
	got := map[string]*apidoc.Symbol{}
	if s := j.doc.At(want.Path); s != nil {
		got = propsOf(s)
	}
	truth := map[string]bool{}
	for i := range want.Props {
		p := &want.Props[i]
		if p.Name == "$children" || p.Name == "v-slots" || strings.HasPrefix(p.Name, "v-slot:") {
			continue // slots, as JSX passes them to components of Vue
		}
		truth[p.Name] = true
		if p.Vague {
			continue
		}
		m := got[p.Name]
		j.count(scoreRecall, m != nil, "%s: no %s", want.Path, p.Name)
		if m == nil || m.Kind == apidoc.Event {
			continue
		}
		optional, typ := propParts(m.Signature)
		j.count(scoreOptional, optional == p.Optional, "%s: %s, want optional %t", want.Path, m.Signature, p.Optional)
		if p.Repeated {
			continue
		}
		j.count(scorePropTypes, p.Same || p.hasType(typ, optional), "%s: %s, want %q, %q", want.Path, m.Signature, p.Types, p.Expanded)
		if p.Doc != "" {
			j.count(scoreDocs, strings.Contains(letters(m.Doc), letters(firstSentence(p.Doc))), "%s.%s: %q, want %q", want.Path, p.Name, m.Doc, p.Doc)
		}
	}
	for name := range got {
		j.count(scorePrecision, truth[name], "%s: %s is no prop of its own", want.Path, name)
	}
}

// propParts splits the declaration of a prop.
func propParts(signature string) (optional bool, typ string) {
	first := signature
	if i := strings.IndexByte(first, '\n'); i >= 0 {
		first = first[:i]
	}
	end := strings.IndexAny(first, ":(<")
	if strings.HasPrefix(first, `"`) {
		if quote := strings.IndexByte(first[1:], '"'); quote >= 0 {
			end = quote + 2 + strings.IndexAny(first[quote+2:], ":(<")
		}
	}
	if end < 0 {
		return false, ""
	}
	optional = strings.HasSuffix(first[:end], "?")
	if first[end] == ':' {
		return optional, strings.TrimSpace(first[end+1:])
	}
	rest := first[end:] // The member is a method.
	if i := strings.LastIndex(rest, "): "); i >= 0 {
		rest = rest[:i] + ") => " + rest[i+3:]
	}
	return optional, rest
}

// hasType reports whether text is one of the texts of the type, or a union with the same members.
func (p *judgedProp) hasType(got string, optional bool) bool {
	have := unionMembers(got)
	words := bagOfWords(got)
	for _, t := range p.Types {
		if sameSet(have, unionMembers(t), optional) || slices.Equal(words, bagOfWords(t)) {
			return true
		}
	}
	return len(p.Expanded) > 0 && sameSet(have, expandAll(p.Expanded), optional)
}

// defaultArguments are type arguments that the checker prints although they are defaults.
var defaultArguments = strings.NewReplacer("<unknown, string | JSXElementConstructor<any>>", "", "<any, Event>", "<any>", "<[]>", "", "<any, keyof IntrinsicElements>", "", "<RendererNode, RendererElement, { [key: string]: any; }>", "")

var typeWords = regexp.MustCompile("[\\w$-]+|\"[^\"]*\"|\\[\\]|=>|\\.\\.\\.")

// bagOfWords lists the words of a type in alphabetical order, because unions are unordered. Array
// types have two spellings, and undefined is omitted.
func bagOfWords(text string) []string {
	text = defaultArguments.Replace(strings.ReplaceAll(comments.ReplaceAllString(qualified(text), ""), "'", `"`))
	var out []string
	for _, w := range typeWords.FindAllString(text, -1) {
		switch w {
		case "undefined", "import":
			continue
		case "[]":
			w = "Array"
		case "true", "false":
			w = "boolean"
		}
		out = append(out, w)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func expandAll(all []string) (out []string) {
	for _, t := range all {
		out = append(out, unionMembers(t)...)
	}
	return out
}

// sameSet reports whether two unions have the same members, apart from undefined in an
// optional prop.
func sameSet(a, b []string, optional bool) bool {
	normal := func(all []string) []string {
		var out []string
		for _, t := range all {
			switch t {
			case "undefined":
				if optional {
					continue
				}
			case "boolean":
				out = append(out, "true", "false")
				continue
			}
			out = append(out, t)
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	return slices.Equal(normal(a), normal(b))
}

// unionMembers splits a type at the bars outside of brackets, and normalizes each part.
func unionMembers(text string) (out []string) {
	text = comments.ReplaceAllString(text, "")
	depth, start := 0, 0
	var quote byte
	add := func(end int) {
		part := qualified(plain(text[start:end]))
		for strings.HasPrefix(part, "(") && closesAtEnd(part) {
			part = part[1 : len(part)-1]
		}
		if part == "{}&string" {
			part = "string&{}"
		}
		if part != "" {
			out = append(out, part)
		}
		start = end + 1
	}
	for i := range len(text) {
		c := text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case strings.IndexByte("([{<", c) >= 0:
			depth++
		case c == '>' && i > 0 && text[i-1] == '=':
			if depth == 0 { // The rest is the result of a function.
				add(len(text))
				return out
			}
		case strings.IndexByte(")]}>", c) >= 0:
			depth--
		case c == '|' && depth == 0:
			add(i)
		}
	}
	add(len(text))
	return out
}

// closesAtEnd reports whether the bracket that opens text closes at its end.
func closesAtEnd(text string) bool {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i == len(text)-1
			}
		}
	}
	return false
}

// qualified removes the namespaces of names.
func qualified(text string) string {
	return qualifiers.ReplaceAllString(text, "")
}

// letters returns the letters and digits of text.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, text)
}

// firstSentence returns the beginning of a comment.
func firstSentence(doc string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(doc), "\n")
	first, _, _ = strings.Cut(first, "{@")
	return first
}
