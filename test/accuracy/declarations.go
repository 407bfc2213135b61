package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	"github.com/docent-mcp/docent/internal/naming"
)

// The output of declarations.mjs.
type declaredPackage struct {
	Package string
	Symbols []declaredSymbol
}

type declaredSymbol struct {
	Path         string
	Declarations []struct {
		TypeParams []struct{ Name, Constraint, Default string }
		Params     []struct {
			Name, Type         string
			Optional, Variadic bool
		}
		Result     string
		References []declaredRef
	}
}

type declaredRef struct {
	Text                    string
	Local, Builtin, Unknown bool
	// Import and Name are the module and the export that the file imports.
	Import, Name string
	// At holds the places of the declarations in the package.
	At []string
}

// declarationFacts are the compared facts about declarations.
var declarationFacts = []fact{{"declarations", 99}, {"type parameters", 99}, {"parameters", 99}, {"parameters' types", 99}, {"results", 99}, {"references", 98}}

const (
	scoreDeclarations = iota
	scoreTypeParams
	scoreParams
	scoreTypes
	scoreResults
	scoreReferences
)

// declarations compares the parts of declarations with the results of TypeScript's checker.
func declarations(out io.Writer, file, dir string, list bool) error {
	j := &declarationJudge{facts: newFacts(declarationFacts)}
	if list {
		j.odd = out
	}
	err := eachJudged(file, func(want *declaredPackage) error {
		doc, err := readInstalled(dir, want.Package, ".")
		if err != nil {
			return err
		}
		doc.Style = apidoc.Style{Syntax: modules.Syntax{}, Nested: true}
		j.doc, j.resolver = doc, naming.NewResolver(doc)
		for i := range want.Symbols {
			j.symbol(&want.Symbols[i])
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, f := range declarationFacts {
		fmt.Fprintf(out, "%-20s %8d %7.2f\n", f.name, j.scores[i].want, j.scores[i].recall())
	}
	fmt.Fprintf(out, "%-20s %8d\n", "  not in signatures", j.skipped)
	return j.check()
}

type declarationJudge struct {
	facts
	doc      *apidoc.Package
	resolver *naming.Resolver
	skipped  int // counts references that the signature does not have
}

// symbol compares the declarations of a symbol. Symbols with a different number of declarations are
// skipped, because equal declarations are merged.
func (j *declarationJudge) symbol(want *declaredSymbol) {
	s := j.doc.At(want.Path)
	if s == nil || s.Path != want.Path || s.From != "" {
		return // completeness is compared elsewhere
	}
	d := j.resolver.Decl(s)
	all := slices.Collect(d.Within(-1, apidoc.DeclarationPart))
	j.count(scoreDeclarations, len(all) > 0, "%s has no parts: %s", want.Path, s.Signature)
	if len(all) != len(want.Declarations) {
		return
	}
	for i, part := range all {
		w := &want.Declarations[i]
		j.references(want.Path, &d, part, w.References)
		if w.Params == nil {
			continue
		}
		j.signature(want, i, &d, part)
	}
}

func (j *declarationJudge) signature(want *declaredSymbol, i int, d *apidoc.Decl, part int) {
	w := &want.Declarations[i]
	typeParams := slices.Collect(d.Within(part, apidoc.TypeParamPart))
	same := len(typeParams) == len(w.TypeParams)
	for k := 0; same && k < len(typeParams); k++ {
		t := w.TypeParams[k]
		same = d.ChildText(typeParams[k], apidoc.NamePart) == t.Name && j.sameType(d.ChildText(typeParams[k], apidoc.ConstraintPart), t.Constraint) && j.sameType(d.ChildText(typeParams[k], apidoc.DefaultPart), t.Default)
	}
	j.count(scoreTypeParams, same, "%s: want %v in %s", want.Path, w.TypeParams, d.PartText(part))
	params := slices.Collect(d.Within(part, apidoc.ParamPart))
	if len(params) != len(w.Params) {
		j.count(scoreParams, false, "%s: want %v in %s", want.Path, w.Params, d.PartText(part))
		return
	}
	for k, p := range w.Params {
		flags := d.Parts[params[k]].Flags
		j.count(scoreParams, plain(d.ChildText(params[k], apidoc.NamePart)) == plain(p.Name) && flags&apidoc.Optional != 0 == p.Optional && flags&apidoc.Variadic != 0 == p.Variadic,
			"%s: want %v in %s", want.Path, p, d.PartText(part))
		got := d.ChildText(params[k], apidoc.TypePart)
		j.count(scoreTypes, j.sameType(got, p.Type), "%s: want %s, got %s", want.Path, p.Type, got)
	}
	got := d.ChildText(part, apidoc.ResultPart)
	if got == "" {
		got = d.ChildText(part, apidoc.TypePart) // an accessor
	}
	j.count(scoreResults, j.sameType(got, w.Result), "%s: want %s, got %s", want.Path, w.Result, got)
}

// sameType reports whether two texts are the same type. The name under which the package exports a type may replace a declared name
// that it does not export.
func (j *declarationJudge) sameType(got, want string) bool {
	return plain(got) == plain(want) || spellings{doc: j.doc}.sameLine(plain(want), plain(got))
}

var comments = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)

// plain removes the characters that may differ between texts of the same type.
func plain(text string) string {
	text = strings.NewReplacer(" ", "", "\n", "", "\r", "", "\t", "", ";", "", ",", "", "'", `"`).Replace(comments.ReplaceAllString(text, ""))
	return strings.NewReplacer(":|", ":", "(|", "(", "=|", "=", "<|", "<").Replace(strings.TrimPrefix(text, "|"))
}

// references compares the targets of names: each expected reference with the first remaining
// reference that has its name.
func (j *declarationJudge) references(path string, d *apidoc.Decl, part int, want []declaredRef) {
	used := map[int]bool{}
	for _, w := range want {
		if w.Unknown {
			continue
		}
		match := -1
		for k := range d.References(part) {
			if !used[k] && plain(d.PartText(k)) == plain(w.Text) {
				match = k
				break
			}
		}
		if match < 0 {
			j.skipped++ // Names are shown as users import them, and some types are expanded.
			continue
		}
		used[match] = true
		p := d.Parts[match]
		to := "nothing"
		if p.Target != nil {
			to = strings.TrimSpace(p.Target.Package + " " + p.Target.Path)
		}
		j.count(scoreReferences, j.refersTo(p, &w), "%s: %s is %s [%s], want %+v", path, w.Text, to, p.Flags, w)
	}
}

func (j *declarationJudge) refersTo(p apidoc.Part, w *declaredRef) bool {
	switch {
	case w.Local:
		return p.Flags&apidoc.Local != 0
	case w.Builtin:
		return p.Flags&apidoc.Builtin != 0
	case p.Target == nil:
		return false
	case w.Import != "" && p.Target.Package != "":
		return strings.TrimPrefix(p.Target.Package, "node:") == strings.TrimPrefix(w.Import, "node:") && p.Target.Path == w.Name
	case p.Target.Package != "":
		return false
	}
	s := j.doc.At(p.Target.Path)
	if s == nil {
		return false
	}
	if w.Import != "" { // The symbol is exported again under this path.
		return strings.HasPrefix(s.File, "node_modules/") || s.Name() == w.Name
	}
	for _, at := range w.At {
		if stem(at) == stem(fmt.Sprintf("%s:%d", s.File, s.Line)) {
			return true
		}
	}
	return s.Line == 0 || s.Kind == apidoc.Namespace
}

var sourceEnding = regexp.MustCompile(`\.d\.[cm]?ts:`)

// stem removes the extension of the file from a place FILE:LINE: the declarations of both kinds of
// modules are the same.
func stem(place string) string { return sourceEnding.ReplaceAllString(place, ":") }
