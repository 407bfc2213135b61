package godoc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/markup"
)

// Read reads the documentation of a located package for a platform
// ("GOOS/GOARCH"), or for the platform of this program if platform is empty. If
// the package has no file for the platform, Read uses another one and adds a
// warning. imp opens the packages of embedded types. If it is nil, the members
// promoted from these types are missing. Unreadable parts of the package become
// warnings. An error, which is an *ecosystem.Error or ctx's error, means that
// nothing could be read.
func Read(ctx context.Context, src *Source, platform string, imp Importer) (pkg *apidoc.Package, err error) {
	t, err := parseTarget(platform)
	if err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			pkg, err = nil, unreadable(src, fmt.Sprintf("reading the files of %s failed unexpectedly (%.200v)", src.ImportPath, p), nil)
		}
	}()
	r := &reader{
		ctx: ctx, src: src, imp: imp,
		fset:   token.NewFileSet(),
		scopes: map[string]*scope{},
		pkg: &apidoc.Package{
			Name: src.ImportPath, Module: src.Module, Version: src.Version,
			Symbols: []apidoc.Symbol{}, Provenance: src.Provenance,
		},
	}
	if err := r.read(t); err != nil {
		return nil, err
	}
	return r.pkg, nil
}

// reader reads one package.
type reader struct {
	ctx  context.Context
	src  *Source
	imp  Importer
	fset *token.FileSet
	pkg  *apidoc.Package
	// scopes caches the packages opened for promoted members; the entry is nil
	// for a package that could not be opened.
	scopes map[string]*scope
	buf    bytes.Buffer
	spent  int64 // the part of maxPrinting that has been used
}

func (r *reader) read(t target) error {
	files, warning, err := goFiles(r.ctx, r.src, exampleTests, nil)
	if err != nil {
		return r.unlisted(err)
	}
	if warning != "" {
		r.warn(warning)
	}
	var code, tests []*goFile
	for _, f := range files {
		switch {
		case f.problem != "":
			r.warn(f.problem)
		case f.test && f.raw != nil:
			tests = append(tests, f)
		case !f.test:
			code = append(code, f)
		}
	}
	r.addSubpackages()
	if len(code) == 0 {
		return r.nothing(len(files) > 0)
	}
	t, chosen := r.choose(t, code)
	r.pkg.Platform = t.String()
	here, err := r.parse(chosen)
	if err != nil {
		return err
	}
	name := packageOf(here)
	if name == "" {
		return unreadable(r.src, "no file of "+r.src.ImportPath+" can be parsed", r.pkg.Warnings)
	}
	for _, p := range here {
		if p.syntax != nil && p.syntax.Name.Name != name && p.syntax.Name.Name != "documentation" {
			r.warn(fmt.Sprintf("%s belongs to package %s, not to %s, and was omitted", p.path, p.syntax.Name.Name, name))
		}
	}
	u := r.unit(t, filesOf(here, name))
	u.describe()
	if u.pkg.Command {
		return r.ctx.Err()
	}
	u.pkg.Symbols = u.symbols()
	u.pkg.Groups = u.groups
	u.addImports(filesOf(here, name))
	if err := u.locateSymbols(here, code); err != nil {
		return err
	}
	examples, err := r.parse(matching(tests, t))
	if err != nil {
		return err
	}
	u.addExamples(slices.Concat(filesOf(examples, name), filesOf(examples, name+"_test")))
	return r.ctx.Err()
}

// choose returns the files that are part of the package on t. If there are
// none, it chooses another platform, or all files if no platform has any.
func (r *reader) choose(t target, files []*goFile) (target, []*goFile) {
	if chosen := matching(files, t); len(chosen) > 0 {
		return t, chosen
	}
	for other := range everyTarget {
		if chosen := matching(files, other); len(chosen) > 0 {
			r.warn(fmt.Sprintf("%s has no files for %s; this documentation is for %s", r.src.ImportPath, t, other.describe()))
			return other, chosen
		}
	}
	r.warn(fmt.Sprintf("every file of %s requires build tags that are not set by default, so docent read all files", r.src.ImportPath))
	return t, files
}

func matching(files []*goFile, t target) []*goFile {
	return slices.DeleteFunc(slices.Clone(files), func(f *goFile) bool { return !t.matches(f.condition) })
}

// parse parses files and warns about syntax errors.
func (r *reader) parse(files []*goFile) ([]*parsed, error) {
	all, err := parseFiles(r.ctx, r.fset, files)
	for _, p := range all {
		if p.problem != "" {
			r.warn(p.problem)
		}
	}
	return all, err
}

// packageOf returns the package name of most files. Files of a package named
// documentation count only if there are no others.
func packageOf(files []*parsed) string {
	count := map[string]int{}
	best := ""
	for _, p := range files {
		if p.syntax == nil {
			continue
		}
		name := p.syntax.Name.Name
		if name != "documentation" {
			count[name]++
		}
		if best == "" || count[name] > count[best] {
			best = name
		}
	}
	return best
}

// filesOf returns the syntax trees of the files in the package called name.
func filesOf(files []*parsed, name string) []*ast.File {
	var syntax []*ast.File
	for _, p := range files {
		if p.syntax != nil && p.syntax.Name.Name == name {
			syntax = append(syntax, p.syntax)
		}
	}
	return syntax
}

// describe sets the fields of the package's documentation.
func (u *unit) describe() {
	u.pkg.Doc = markdown(u.parser, u.doc.Doc)
	u.pkg.Synopsis = u.doc.Synopsis(u.doc.Doc)
	u.pkg.Deprecated = deprecation(u.pkg.Doc)
	if u.pkg.Deprecated == "" {
		u.pkg.Deprecated = moduleDeprecation(u.src.FS)
	}
	if u.scope.name == "main" {
		u.pkg.Command = true
		return
	}
	u.pkg.LocalName = u.scope.name
	if bugs := u.doc.Notes["BUG"]; len(bugs) > 0 {
		var b strings.Builder
		for _, bug := range bugs {
			b.WriteString("- ")
			writePlain(&b, strings.TrimSpace(bug.Body), "*_")
			b.WriteByte('\n')
		}
		u.pkg.Sections = append(u.pkg.Sections, apidoc.Section{ID: "bugs", Title: "Bugs", Level: 1, Body: b.String()})
	}
}

// moduleDeprecation returns the deprecation notice in go.mod. It returns "" if
// there is none.
func moduleDeprecation(fsys fs.FS) string {
	data, err := readRegular(fsys, "go.mod", 1<<20)
	if err != nil || !bytes.Contains(data, []byte("Deprecated:")) {
		return ""
	}
	f, err := modfile.ParseLax("go.mod", data, nil)
	if err != nil || f.Module == nil || f.Module.Deprecated == "" {
		return ""
	}
	return "the module " + f.Module.Mod.Path + " is deprecated: " + strings.Join(strings.Fields(markup.Clean(f.Module.Deprecated)), " ")
}

// warn adds a warning to the package, once.
func (r *reader) warn(sentence string) {
	sentence = markup.Clean(sentence)
	if !slices.Contains(r.pkg.Warnings, sentence) {
		r.pkg.Warnings = append(r.pkg.Warnings, sentence)
	}
}

// unavailable warns that the package of an embedded type cannot be opened.
func (r *reader) unavailable(importPath string, err error) {
	why := err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		why = "the package is not on this machine"
	}
	r.warn(fmt.Sprintf("docent omitted members promoted from types of %s: %.300s", importPath, why))
}

// unlisted returns the error for a directory that cannot be listed.
func (r *reader) unlisted(err error) error {
	switch {
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case errors.Is(err, fs.ErrNotExist):
		return r.nothing(false)
	}
	return unreadable(r.src, "the files of "+r.src.ImportPath+" cannot be listed", nil)
}

// nothing returns the error for a directory without Go files of a package.
// hasGoFiles is true if the directory contains Go files that cannot be read or
// are all tests.
func (r *reader) nothing(hasGoFiles bool) error {
	if r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	e := &ecosystem.Error{Reason: ecosystem.NotFound, What: r.src.ImportPath + " does not contain any Go files"}
	switch {
	case len(r.pkg.Warnings) > 0 && hasGoFiles:
		return unreadable(r.src, "no file of "+r.src.ImportPath+" can be read", r.pkg.Warnings)
	case hasGoFiles:
		e.What = r.src.ImportPath + " contains only tests"
	case len(r.pkg.Subpackages) > 0:
		e.What += " of its own, only subpackages"
		e.Next = "request one of these"
	}
	for _, sub := range r.pkg.Subpackages[:min(len(r.pkg.Subpackages), 10)] {
		e.Near = append(e.Near, sub.Name)
	}
	return e
}

func unreadable(src *Source, what string, why []string) error {
	e := &ecosystem.Error{Reason: ecosystem.Unreadable, What: what}
	if len(why) > 0 {
		e.What += ": " + why[0]
	}
	if src.Version != "" {
		e.Next = "try a version other than " + src.Version
	}
	return e
}
