package rust

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/cargo"
)

var _ ecosystem.TypeChecker = (*Rust)(nil)

// typeChecker finds the members of values that do not exist.
type typeChecker struct {
	library *library
	// missing are the names, in code, of the dependencies that are not on this machine.
	missing map[string]bool
}

// Types implements ecosystem.TypeChecker. If the sources of the standard library or of a crate that
// the project uses are not on this machine, it returns an error, because any of them may declare a
// trait with a method.
func (rs *Rust) Types(ctx context.Context, dir string) (ecosystem.Types, error) {
	f, err := rs.localProject(dir)
	if err != nil {
		return nil, ecosystem.AsError(err)
	}
	defer f.close()
	c := &typeChecker{missing: map[string]bool{}, library: &library{ctx: ctx, known: map[string]bool{}}}
	std, err := f.standard("std")
	if err != nil {
		return nil, err
	}
	w := &words{}
	for _, name := range standardCrates {
		w.dirs = append(w.dirs, filepath.Join(std.dir, name, "src"))
	}
	w.dirs = slices.DeleteFunc(w.dirs, func(dir string) bool { return !project.IsDir(dir) })
	c.library.packages = append(c.library.packages, w)
	if err := f.addWords(c); err != nil {
		return nil, err
	}
	return c, nil
}

var errSources = errors.New("the sources of a dependency are not on this machine")

// addWords adds the packages of a project: its members, their dependencies, and the dependencies
// of these.
func (f *finder) addWords(c *typeChecker) error {
	lock := f.project.Lock
	if lock == nil {
		return ecosystem.AsError(errSources)
	}
	features := f.resolve()
	seen := map[int]bool{}
	var members, required, others []int
	for _, m := range f.project.Members {
		if i := f.lockIndex(m); i >= 0 {
			seen[i] = true
			members = append(members, i)
		}
	}
	for next := members; len(next) > 0; {
		required = append(required, next...)
		var below []int
		for _, i := range next {
			for _, to := range slices.Sorted(slices.Values(features.Requires(i))) {
				if to = lock.Replaced(to); !seen[to] {
					seen[to] = true
					below = append(below, to)
				}
			}
		}
		next = below
	}
	for i := range lock.Packages { // those for other features and platforms, if they are on this machine
		if !seen[i] {
			others = append(others, i)
		}
	}
	for n, i := range slices.Concat(required, others) {
		dir := f.sourceDir(i)
		if dir == "" {
			if n < len(required) {
				return ecosystem.AsError(errSources)
			}
			continue
		}
		m := f.manifestOf(i)
		c.library.packages = append(c.library.packages, &words{dirs: []string{dir}, macro: m != nil && m.Lib.ProcMacro && !formsNoNames[lock.Packages[i].Name]})
	}
	for _, i := range members {
		dependencies := f.manifestOf(i).Dependencies // resolve has stored the manifest
		for k := range dependencies {
			d := &dependencies[k]
			if d.Kind == cargo.Build && d.Package == "bindgen" {
				return ecosystem.AsError(errSources) // the names come from headers anywhere on this machine
			}
			if to := lock.DependencyOf(i, d); to < 0 || f.sourceDir(to) == "" {
				c.missing[d.ExternName()] = true
			}
		}
	}
	return nil
}

// sourceDir returns the directory of a locked package, or "" if it is not unpacked on this machine.
func (f *finder) sourceDir(i int) string {
	p := &f.project.Lock.Packages[i]
	if dir := f.localDir(p); dir != "" {
		return dir
	}
	if s, ok := f.config.SourceOf(p.Source); ok {
		if where, ok := f.placeOf(s, p.Name, p.Version); ok {
			return where.dir
		}
	}
	return ""
}

// formsNoNames are packages with procedural macros that do not form names of members from other
// names.
var formsNoNames = map[string]bool{
	"serde_derive": true, "thiserror-impl": true, "tokio-macros": true, "async-trait": true, "pin-project-internal": true, "tracing-attributes": true, "futures-macro": true,
	"zerocopy-derive": true, "clap_derive": true, "async-stream-impl": true, "displaydoc": true, "zerovec-derive": true, "yoke-derive": true, "zerofrom-derive": true, "rustversion": true,
}

// Uses implements ecosystem.Types.
func (c *typeChecker) Uses(files []*ecosystem.SourceFile) map[*ecosystem.SourceFile][]ecosystem.TypedUse {
	uses := map[*ecosystem.SourceFile][]ecosystem.TypedUse{}
	readers := make([]*usesReader, len(files))
	for i, f := range files {
		r := newUsesReader(f)
		r.locals()
		r.manifests()
		r.read()
		if r.foreign {
			return nil // the types of the files in this directory may be those of a crate that is not known
		}
		readers[i] = r
	}
	for n, f := range files {
		r := readers[n]
		if slices.ContainsFunc(r.tokens, func(t source.Token) bool { return c.missing[r.text[t.Start:t.End]] }) {
			continue
		}
		for _, i := range r.members {
			name := strings.TrimPrefix(r.at(i), "r#")
			u := ecosystem.TypedUse{Use: ecosystem.Use{Position: r.position(i), Path: name, Text: "." + name}}
			if !c.library.has(name) {
				u.Fault, u.Message = ecosystem.AbsentFault, "neither the project nor a crate that it uses declares a member "+name
				uses[f] = append(uses[f], u)
			}
		}
	}
	return uses
}
