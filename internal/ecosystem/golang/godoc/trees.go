package godoc

import (
	"context"
	"go/ast"
	"go/token"
)

// Trees returns the syntax trees of the files that a package has on a platform, without
// tests and function bodies. whole is false if declarations may be missing.
func Trees(ctx context.Context, src *Source, platform string, fset *token.FileSet) (trees []*ast.File, whole bool, err error) {
	files, warning, err := goFiles(ctx, src, noTests)
	if err != nil {
		return nil, false, err
	}
	on, err := parseTarget(platform)
	if err != nil {
		return nil, false, err
	}
	all, err := parseFiles(ctx, fset, matching(files, on))
	if err != nil {
		return nil, false, err
	}
	whole = warning == ""
	for _, f := range all {
		whole = whole && f.goFile.problem == "" && f.problem == "" && f.syntax != nil
		if f.syntax == nil {
			continue
		}
		if len(trees) > 0 && trees[0].Name.Name != f.syntax.Name.Name {
			whole = false
			continue
		}
		trees = append(trees, f.syntax)
	}
	return trees, whole, nil
}

// Texts returns the content of the files that a package has on a platform, including
// tests, by their paths in Source.FS.
func Texts(ctx context.Context, src *Source, platform string) (map[string][]byte, error) {
	files, _, err := goFiles(ctx, src, allTests)
	if err != nil {
		return nil, err
	}
	on, err := parseTarget(platform)
	if err != nil {
		return nil, err
	}
	texts := make(map[string][]byte, len(files))
	for _, f := range matching(files, on) {
		if f.problem == "" {
			texts[f.path] = f.raw
		}
	}
	return texts, nil
}
