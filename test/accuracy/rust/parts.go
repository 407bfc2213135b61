package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
)

// partScore compares the parts of functions with rustdoc's JSON, which is read without docent's
// reader of it.
type partScore struct {
	params, self, results, references ratio
	differences                       []string
}

// partGoals are the shares to reach, in per cent, in the order of the fields.
var partGoals = [...]int{99, 99, 99, 98}

func (s *partScore) ratios() []*ratio {
	return []*ratio{&s.params, &s.self, &s.results, &s.references}
}

func (s *partScore) add(o *partScore) {
	for i, r := range s.ratios() {
		r.right += o.ratios()[i].right
		r.total += o.ratios()[i].total
	}
	s.differences = append(s.differences, o.differences...)
}

func (s *partScore) low() bool {
	for i, r := range s.ratios() {
		if 100*r.right < partGoals[i]*r.total {
			return true
		}
	}
	return false
}

func (s *partScore) String() string {
	var b strings.Builder
	for i, name := range []string{"parameters", "self", "results", "references"} {
		r := s.ratios()[i]
		fmt.Fprintf(&b, "  %-12s %8d %7.2f\n", name, r.total, 100*float64(r.right)/float64(max(r.total, 1)))
	}
	return b.String()
}

func (s *partScore) count(r *ratio, right bool, format string, args ...any) bool {
	r.total++
	if right {
		r.right++
	} else {
		s.differences = append(s.differences, fmt.Sprintf(format, args...))
	}
	return right
}

// document is rustdoc's JSON as far as functions need it.
type document struct {
	Index map[string]struct {
		Name string
		Span *struct {
			Filename   string
			Begin, End [2]int
		}
		Inner struct {
			Function *struct {
				Sig struct {
					Inputs [][2]any
					Output any
				}
			}
		}
	}
	Paths map[string]struct{ Path []string }
}

// judgeParts compares the functions of all modules of a crate.
func judgeParts(src *crate.Source, imp crate.Importer, modules []*apidoc.Package, file string) (*partScore, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var doc document
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	reader, err := crate.NewReader(context.Background(), src, imp)
	if err != nil {
		return nil, err
	}
	s := &partScore{}
	for _, m := range modules {
		name := strings.TrimPrefix(strings.TrimPrefix(m.Name, src.Name), "::")
		p, err := reader.Read(context.Background(), name)
		if err != nil {
			continue // a module of another crate
		}
		p.Style = apidoc.Style{Separator: "::", Syntax: signature.Syntax{}}
		resolver := apidoc.NewResolver(p)
		for sym := range p.All {
			if sym.Role() == apidoc.CallableRole && sym.From == "" && sym.File != "" {
				s.function(&doc, src.Name, resolver, sym)
			}
		}
	}
	return s, nil
}

// function compares a function with the one that rustdoc found in the same lines. Functions that
// macros make have the lines of the call, and are left out unless there is only one.
func (s *partScore) function(doc *document, name string, resolver *apidoc.Resolver, sym *apidoc.Symbol) {
	var inputs [][2]any
	var output any
	found := 0
	for _, it := range doc.Index {
		if it.Inner.Function != nil && it.Span != nil && it.Name == sym.Name() && strings.HasSuffix(it.Span.Filename, "/"+sym.File) && it.Span.Begin[0] <= sym.Line && sym.Line <= it.Span.End[0] {
			inputs, output = it.Inner.Function.Sig.Inputs, it.Inner.Function.Sig.Output
			found++
		}
	}
	if found != 1 {
		return
	}
	d := resolver.Decl(sym)
	params := slices.Collect(d.Within(0, apidoc.ParamPart))
	where := name + "::" + sym.Path
	params = slices.DeleteFunc(params, func(i int) bool { return d.PartText(i) == "..." })
	if !s.count(&s.params, len(params) == len(inputs), "%s has %d parameters, not %d: %s", where, len(params), len(inputs), d.Text) {
		return
	}
	for i, part := range params {
		want, _ := inputs[i][0].(string)
		got := d.ChildText(part, apidoc.NamePart)
		if want != "" && want != "_" {
			s.count(&s.params, strings.Join(strings.Fields(got), "") == strings.Join(strings.Fields(want), ""), "%s: parameter %d is %s, not %s", where, i, got, want)
		}
		s.count(&s.self, (d.Parts[part].Flags&apidoc.Self != 0) == (want == "self"), "%s: parameter %d is or is not self", where, i)
		if want != "self" {
			s.types(doc, where, &d, d.TypeOf(part), inputs[i][1])
		}
	}
	result := d.Child(0, apidoc.ResultPart)
	if s.count(&s.results, (result >= 0) == (output != nil), "%s has or has no result: %s", where, d.Text) && result >= 0 {
		s.types(doc, where, &d, d.TypeOf(result), output)
	}
}

// types compares the names in a type by the crate and the name of what they refer to.
func (s *partScore) types(doc *document, where string, d *apidoc.Decl, part int, typ any) {
	if part < 0 {
		s.count(&s.references, false, "%s has no type in %s", where, d.Text)
		return
	}
	crateName, _, _ := strings.Cut(where, "::")
	want := map[string]bool{}
	namesIn(doc, typ, want)
	for i := range d.References(part) {
		p := &d.Parts[i]
		text := d.PartText(i)
		last := text[strings.LastIndexByte(text, ':')+1:]
		got := "? " + text
		switch {
		case p.Flags&apidoc.Local != 0:
			first, _, _ := strings.Cut(text, "::")
			got = "local " + first
		case p.Target != nil && p.Target.Package == "":
			got = crateName + " " + p.Target.Path[strings.LastIndexByte(p.Target.Path, ':')+1:]
		case p.Target != nil:
			first, _, _ := strings.Cut(p.Target.Package, "::")
			got = standard(first) + " " + p.Target.Path[strings.LastIndexByte(p.Target.Path, ':')+1:]
		case p.Flags&apidoc.Builtin != 0:
			got = "builtin " + last
			if !want[got] {
				got = "std " + last
			}
		}
		if got == "local Self" {
			continue
		}
		s.count(&s.references, want[got], "%s: %s refers to %s, which is none of %v", where, text, got, want)
	}
}

// namesIn collects the names in a type of rustdoc's JSON.
func namesIn(doc *document, v any, names map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			namesIn(doc, e, names)
		}
	case map[string]any:
		if id, ok := v["id"].(float64); ok {
			if path := doc.Paths[strconv.Itoa(int(id))].Path; len(path) > 0 {
				names[standard(path[0])+" "+path[len(path)-1]] = true
			}
		}
		for key, e := range v {
			if text, ok := e.(string); ok && (key == "generic" || key == "len") { // a type, or the length of an array
				names["local "+text] = true
			} else if ok && key == "primitive" {
				names["builtin "+text] = true
			}
			namesIn(doc, e, names)
		}
	}
}

// standard returns one name for the crates of the standard library.
func standard(name string) string {
	if name == "core" || name == "alloc" {
		return "std"
	}
	return name
}
