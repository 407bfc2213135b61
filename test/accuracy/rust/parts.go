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
	"github.com/docent-mcp/docent/internal/naming"
)

// partScore compares the parts of declarations with rustdoc's JSON, which is not read by docent's
// own parser.
type partScore struct {
	params, self, results, typeParams, types, members, references ratio
	differences                                                   []string
}

// partGoals are the names and minimum percentages, in the order of the fields.
var partGoals = [...]struct {
	name    string
	percent int
}{{"parameters", 99}, {"self", 99}, {"results", 99}, {"type params", 99}, {"types", 99}, {"members", 99}, {"references", 98}}

func (s *partScore) ratios() []*ratio {
	return []*ratio{&s.params, &s.self, &s.results, &s.typeParams, &s.types, &s.members, &s.references}
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
		if 100*r.right < partGoals[i].percent*r.total {
			return true
		}
	}
	return false
}

func (s *partScore) String() string {
	var b strings.Builder
	for i, r := range s.ratios() {
		fmt.Fprintf(&b, "  %-12s %8d %7.2f\n", partGoals[i].name, r.total, 100*float64(r.right)/float64(max(r.total, 1)))
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

// document contains the parts of rustdoc's JSON that are needed for declarations.
type document struct {
	Index map[string]*item
	Paths map[string]struct {
		Crate int `json:"crate_id"`
		Path  []string
	}
	// reexports holds the items of other crates that the crate exports, by their names.
	reexports map[string][]*item
	// named holds the items of the index by their names.
	named map[string][]*item
}

// item is an item of rustdoc's JSON. The field of Inner for its kind is set.
type item struct {
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
			Generics generics
		}
		Struct, Enum, Union, Trait *struct{ Generics generics }
		TypeAlias                  *typed `json:"type_alias"`
		Constant, Static           *typed
		AssocConst                 *typed `json:"assoc_const"`
		AssocType                  *typed `json:"assoc_type"`
		StructField                any    `json:"struct_field"`
		Variant                    *struct{ Kind any }
		Use                        *struct{ Name string }
	}
}

// generics returns the type parameters of a type or a trait, or nil.
func (it *item) generics() *generics {
	for _, shape := range []*struct{ Generics generics }{it.Inner.Struct, it.Inner.Enum, it.Inner.Union, it.Inner.Trait} {
		if shape != nil {
			return &shape.Generics
		}
	}
	return nil
}

// typed returns an alias, a constant or a static, or nil.
func (it *item) typed() *typed {
	for _, t := range []*typed{it.Inner.TypeAlias, it.Inner.AssocType, it.Inner.Constant, it.Inner.Static, it.Inner.AssocConst} {
		if t != nil {
			return t
		}
	}
	return nil
}

// typed is an item that has a type, and may have type parameters.
type typed struct {
	Type     any
	Generics *generics
}

type generics struct {
	Params []struct {
		Name string
		Kind struct {
			Type *struct {
				Default     any
				IsSynthetic bool `json:"is_synthetic"`
			}
			Const *struct{ Default *string }
		}
	}
	// all is the whole value.
	all any
}

func (g *generics) UnmarshalJSON(text []byte) error {
	type plain generics
	if err := json.Unmarshal(text, (*plain)(g)); err != nil {
		return err
	}
	return json.Unmarshal(text, &g.all)
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
	doc.named = map[string][]*item{}
	doc.reexports = map[string][]*item{}
	for _, it := range doc.Index {
		doc.named[it.Name] = append(doc.named[it.Name], it)
		if it.Inner.Use != nil {
			doc.reexports[it.Inner.Use.Name] = append(doc.reexports[it.Inner.Use.Name], it)
		}
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
		resolver := naming.NewResolver(p)
		for sym := range p.All {
			if sym.From == "" && sym.File != "" {
				s.symbol(&doc, src.Name, resolver, sym)
			}
		}
	}
	return s, nil
}

// find returns the item that rustdoc found in the lines of a symbol. Items generated by a macro have
// the lines of the macro call, and are skipped unless there is only one.
func (doc *document) find(sym *apidoc.Symbol, is func(*item) bool) *item {
	var found *item
	for _, it := range doc.named[sym.Name()] {
		if it.Span != nil && is(it) && strings.HasSuffix(it.Span.Filename, "/"+sym.File) && it.Span.Begin[0] <= sym.Line && sym.Line <= it.Span.End[0] {
			if found != nil {
				return nil
			}
			found = it
		}
	}
	return found
}

// symbol compares a symbol with the item of its kind.
func (s *partScore) symbol(doc *document, crateName string, resolver *naming.Resolver, sym *apidoc.Symbol) {
	where := crateName + "::" + sym.Path
	switch sym.Kind {
	case apidoc.Function, apidoc.Method:
		if it := doc.find(sym, func(it *item) bool { return it.Inner.Function != nil }); it != nil {
			d := resolver.Decl(sym)
			s.function(doc, where, &d, it)
			s.generics(doc, where, &d, &it.Inner.Function.Generics)
		}
	case apidoc.Field:
		if it := doc.find(sym, func(it *item) bool { return it.Inner.StructField != nil }); it != nil {
			d := resolver.Decl(sym)
			s.typed(doc, where, &d, it.Inner.StructField)
		}
	case apidoc.Variant:
		if it := doc.find(sym, func(it *item) bool { return it.Inner.Variant != nil }); it != nil {
			d := resolver.Decl(sym)
			s.variant(doc, where, &d, it)
		}
	case apidoc.Struct, apidoc.Enum, apidoc.Union, apidoc.Trait:
		if it := doc.find(sym, func(it *item) bool { return it.generics() != nil }); it != nil {
			d := resolver.Decl(sym)
			s.generics(doc, where, &d, it.generics())
		}
	case apidoc.TypeAlias, apidoc.AssocType, apidoc.Const, apidoc.Static, apidoc.AssocConst:
		if it := doc.find(sym, func(it *item) bool { return it.typed() != nil }); it != nil {
			d := resolver.Decl(sym)
			t := it.typed()
			s.typed(doc, where, &d, t.Type)
			if t.Generics != nil {
				s.generics(doc, where, &d, t.Generics)
			}
		}
	}
}

// typed compares the type of a field, a constant, a static or an alias.
func (s *partScore) typed(doc *document, where string, d *apidoc.Decl, typ any) {
	part := d.Child(0, apidoc.TypePart)
	if s.count(&s.types, (part >= 0) == (typ != nil), "%s has or has no type: %s", where, d.Text) && part >= 0 {
		s.names(doc, where, d, part, typ)
	}
}

// variant compares the fields of a variant. Fields that are hidden in documentation have no number.
func (s *partScore) variant(doc *document, where string, d *apidoc.Decl, it *item) {
	var ids []any
	if kind, ok := it.Inner.Variant.Kind.(map[string]any); ok {
		if ids, ok = kind["tuple"].([]any); !ok {
			if shape, ok := kind["struct"].(map[string]any); ok {
				ids, _ = shape["fields"].([]any)
				if shape["has_stripped_fields"] == true {
					return
				}
			}
		}
	}
	members := slices.Collect(d.Within(0, apidoc.MemberPart))
	if !s.count(&s.members, len(members) == len(ids), "%s has %d fields, not %d: %s", where, len(members), len(ids), d.Text) {
		return
	}
	for i, id := range ids {
		number, ok := id.(float64)
		field := doc.Index[strconv.Itoa(int(number))]
		if !ok || field == nil {
			continue
		}
		if name := d.ChildText(members[i], apidoc.NamePart); name != "" {
			s.count(&s.members, strings.TrimPrefix(name, "r#") == field.Name, "%s: field %d is %s, not %s", where, i, name, field.Name)
		}
		s.names(doc, where, d, d.TypeOf(members[i]), field.Inner.StructField)
	}
}

// generics compares the type parameters, which of them have a default, and the names in their
// constraints.
func (s *partScore) generics(doc *document, where string, d *apidoc.Decl, g *generics) {
	parts := slices.Collect(d.Within(0, apidoc.TypeParamPart))
	var want, got []string
	for _, p := range g.Params {
		if p.Kind.Type != nil && p.Kind.Type.IsSynthetic {
			continue // impl Trait
		}
		name := p.Name
		if p.Kind.Type != nil && p.Kind.Type.Default != nil || p.Kind.Const != nil && p.Kind.Const.Default != nil {
			name += " ="
		}
		want = append(want, name)
	}
	for _, part := range parts {
		name := d.ChildText(part, apidoc.NamePart)
		if d.Parts[part].Flags&apidoc.Optional != 0 {
			name += " ="
		}
		got = append(got, name)
	}
	if len(want)+len(got) == 0 {
		return
	}
	if s.count(&s.typeParams, slices.Equal(want, got), "%s has the type parameters %v, not %v: %s", where, got, want, d.Text) {
		for i := range d.Within(0, 0) {
			if role := d.Parts[i].Role; role == apidoc.TypeParamPart || role == apidoc.ConstraintPart {
				s.names(doc, where, d, i, g.all)
			}
		}
	}
}

// function compares the parameters and the result of a function.
func (s *partScore) function(doc *document, where string, d *apidoc.Decl, it *item) {
	inputs, output := it.Inner.Function.Sig.Inputs, it.Inner.Function.Sig.Output
	params := slices.Collect(d.Within(0, apidoc.ParamPart))
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
			s.names(doc, where, d, d.TypeOf(part), inputs[i][1])
		}
	}
	result := d.Child(0, apidoc.ResultPart)
	if s.count(&s.results, (result >= 0) == (output != nil), "%s has or has no result: %s", where, d.Text) && result >= 0 {
		s.names(doc, where, d, d.TypeOf(result), output)
	}
}

// names compares the names in a part, such as a type, by the crates and names of their targets.
func (s *partScore) names(doc *document, where string, d *apidoc.Decl, part int, typ any) {
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
			name := p.Target.Path[strings.LastIndexByte(p.Target.Path, ':')+1:]
			if got = crateName + " " + name; !want[got] && want["re-exported "+name] {
				continue
			}
		case p.Target != nil:
			first, _, _ := strings.Cut(p.Target.Package, "::")
			got = standard(first) + " " + p.Target.Path[strings.LastIndexByte(p.Target.Path, ':')+1:]
		case p.Flags&apidoc.Builtin != 0:
			got = "builtin " + last
			if !want[got] {
				got = "std " + last
			}
		}
		if got == "local Self" || strings.HasPrefix(got, "? ") && want["private "+last] {
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
			if p := doc.Paths[strconv.Itoa(int(id))]; len(p.Path) > 0 {
				name := p.Path[len(p.Path)-1]
				names[standard(p.Path[0])+" "+name] = true
				switch {
				case p.Crate == 0 && doc.Index[strconv.Itoa(int(id))] == nil:
					names["private "+name] = true // There is no page about it.
				case p.Crate != 0 && len(doc.reexports[name]) > 0:
					names["re-exported "+name] = true
				}
			}
		}
		for key, e := range v {
			if text, ok := e.(string); ok && (key == "generic" || key == "len" || key == "expr") { // The text is a type, the length of an array, or a constant argument.
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
