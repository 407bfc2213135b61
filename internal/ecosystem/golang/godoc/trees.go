package godoc

import (
	"context"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// PackageSyntax is what the files of a package declare on a platform, without tests and function bodies.
type PackageSyntax struct {
	Trees []*ast.File
	// Whole is false if declarations may be missing.
	Whole bool
	// Tagged contains the names of declarations and members in files that require build tags which
	// a user sets.
	Tagged map[string]bool
	// Deprecated contains the names of declarations and members whose documentation may contain a
	// deprecation notice.
	Deprecated map[string]bool
}

// Trees parses the files of a package.
func Trees(ctx context.Context, src *Source, platform string, fset *token.FileSet) (*PackageSyntax, error) {
	files, warning, err := goFiles(ctx, src, noTests, nil)
	if err != nil {
		return nil, err
	}
	on, err := parseTarget(platform)
	if err != nil {
		return nil, err
	}
	all, err := parseFiles(ctx, fset, matching(files, on))
	if err != nil {
		return nil, err
	}
	s := &PackageSyntax{Whole: warning == "", Deprecated: map[string]bool{}}
	for _, f := range all {
		s.Whole = s.Whole && f.goFile.problem == "" && f.problem == "" && f.syntax != nil
		if f.syntax == nil {
			continue
		}
		if len(s.Trees) > 0 && s.Trees[0].Name.Name != f.syntax.Name.Name {
			s.Whole = false
			continue
		}
		s.Trees = append(s.Trees, f.syntax)
		addDeprecated(s.Deprecated, fset, f.syntax)
	}
	s.Tagged, err = taggedNames(ctx, files, on)
	return s, err
}

// taggedNames returns the names of declarations and members in files that require build tags which
// a user sets.
func taggedNames(ctx context.Context, files []*goFile, on target) (map[string]bool, error) {
	files = slices.DeleteFunc(slices.Clone(files), func(f *goFile) bool {
		_, tagged := on.withTags(f.condition)
		return !tagged
	})
	all, err := parseFiles(ctx, token.NewFileSet(), files)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, f := range all {
		if f.syntax != nil {
			addNames(names, f.syntax)
		}
	}
	return names, nil
}

// addDeprecated adds the names in declarations that have a deprecation notice in a comment before or
// inside them, or after them on their last line.
func addDeprecated(names map[string]bool, fset *token.FileSet, file *ast.File) {
	line := func(p token.Pos) int { return fset.PositionFor(p, false).Line }
	comments := file.Comments
	for _, d := range file.Decls {
		end := line(d.End())
		deprecated := false
		for len(comments) > 0 && (comments[0].Pos() < d.End() || line(comments[0].Pos()) == end) {
			deprecated = deprecated || slices.ContainsFunc(comments[0].List, func(c *ast.Comment) bool { return strings.Contains(c.Text, "Deprecated:") })
			comments = comments[1:]
		}
		if deprecated {
			addNames(names, d)
		}
	}
}

// addNames adds the names of the declarations and members in n.
func addNames(names map[string]bool, n ast.Node) {
	add := func(all ...*ast.Ident) {
		for _, name := range all {
			names[name.Name] = true
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Name)
		case *ast.TypeSpec:
			add(n.Name)
		case *ast.ValueSpec:
			add(n.Names...)
		case *ast.Field:
			add(n.Names...)
		}
		return true
	})
}

// Texts returns the content of the files that a package has on a platform, including
// tests, by their paths in Source.FS. Those in overlay replace the contents on disk. tagged contains the names that
// its other files declare, as in PackageSyntax.
func Texts(ctx context.Context, src *Source, platform string, overlay map[string][]byte) (texts map[string][]byte, tagged map[string]bool, err error) {
	files, _, err := goFiles(ctx, src, allTests, overlay)
	if err != nil {
		return nil, nil, err
	}
	on, err := parseTarget(platform)
	if err != nil {
		return nil, nil, err
	}
	texts = make(map[string][]byte, len(files))
	for _, f := range matching(files, on) {
		if f.problem == "" {
			texts[f.path] = f.raw
		}
	}
	tagged, err = taggedNames(ctx, files, on)
	return texts, tagged, err
}
