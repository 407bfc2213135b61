package npm

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/prose"
	"github.com/docent-mcp/docent/internal/skill"
)

// Find implements ecosystem.Language. q.Package may be a package ("axios") or one of its
// entry points ("zod/mini"), optionally with a version, range or tag ("axios@^1"), or a
// directory of the project ("./packages/app").
func (n *NPM) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	ask, err := parseQuestion(q)
	if err != nil {
		return nil, err
	}
	f, err := n.newFinder(ctx, ask)
	if err != nil {
		return nil, err
	}
	s := ecosystem.Steps[*located]{Find: f.find, Key: f.key, Read: f.read, Skills: f.skills, File: f.file, License: f.license, Finish: f.finish, Close: f.close, Fingerprint: f.seen, Missing: f.projectRelease}
	return s.Found(ctx)
}

// key identifies the documentation of a package by its location, the query, and
// the project, in which its dependencies are looked up. It does not cover the
// contents of files, which are checked separately. It is empty if the
// documentation must not be cached.
func (f *finder) key(l *located) string {
	if l.inProject {
		return "" // Users edit their own packages between queries, so these are not cached.
	}
	parts := []string{l.provenance.Source, l.version(), f.ask.subpath}
	if l.tarball != nil {
		d := l.tarball.anyOf[0]
		parts = append(parts, l.name, d.Algorithm+"-"+hex.EncodeToString(d.Sum))
	} else {
		parts = append(parts, l.pkg.Name, cmp.Or(l.dir, l.provenance.Location))
	}
	if f.ask.index {
		parts = append(parts, "index")
	}
	if f.project != nil && l.dir != "" {
		parts = append(parts, installedAt(f.project.Dir))
		if root := f.project.Root; installedAt(root) == root {
			parts = append(parts, root)
		}
	} else if f.project != nil {
		parts = append(parts, f.project.Dir, f.project.Root)
	}
	return strings.Join(parts, "\x00")
}

// installedAt returns the innermost directory at or above dir in which packages are installed, or "" if there is none. An installed
// package gets the types that it does not depend on from there, so the members of a workspace share its documentation.
func installedAt(dir string) string {
	for !project.IsDir(filepath.Join(dir, "node_modules")) && !project.IsDir(filepath.Join(dir, ".yarn")) {
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
	return dir
}

// read reads the documentation of a located package.
func (f *finder) read(ctx context.Context, l *located) (*apidoc.Package, error) {
	if err := f.unpacked(ctx, l); err != nil {
		return nil, err
	}
	reader, err := modules.Open(ctx, l.pkg, f.open)
	if err != nil {
		return nil, err
	}
	if f.ask.index {
		return reader.Index()
	}
	out, err := reader.Read(f.ask.subpath)
	sections, notes := prose.Read(ctx, l.pkg.FS, layoutOf(l.pkg.FS))
	elements, warning := customElements(l.pkg.FS)
	if failed, ok := errors.AsType[*ecosystem.Error](err); ok && failed.Reason == ecosystem.NoneExported && len(sections)+len(elements) > 0 {
		// A package that contains only a command or a style sheet is described by its prose, and
		// one that only defines custom elements by their manifest.
		out = &apidoc.Package{
			Name: l.pkg.Name, Version: l.pkg.Version,
			Symbols: []apidoc.Symbol{}, Warnings: []string{failed.What},
		}
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if out.Part != "" {
		sections, notes = nil, nil // The sections and notes are about the whole package.
	} else {
		addElements(out, f.ask.subpath, elements)
	}
	if problem := describeComponents(l.pkg.FS, out.Symbols); problem != "" {
		out.Warnings = append(out.Warnings, problem)
	}
	if warning != "" {
		out.Warnings = append(out.Warnings, warning)
	}
	out.Module = cmp.Or(out.Module, out.Name)
	out.Synopsis = oneLine(l.manifest.Description)
	out.Doc = out.Synopsis
	out.Homepage, out.Repository, out.RepositoryDir = l.manifest.Homepage, l.manifest.Repository, l.manifest.RepositoryDir
	out.Deprecated = oneLine(l.manifest.Deprecated)
	out.Sections, out.Omissions = sections, append(out.Omissions, notes...)
	addQualifiers(out)
	return out, nil
}

// skills returns the skills that a located package ships.
func (f *finder) skills(ctx context.Context, l *located) ([]skill.Skill, error) {
	if err := f.unpacked(ctx, l); err != nil {
		return nil, err
	}
	return skill.Find(ctx, l.pkg.FS, "."), nil
}

// file returns the text of a file of a located package, of the package of its types, or
// of one of its dependencies, such as node_modules/csstype/index.d.ts.
func (f *finder) file(ctx context.Context, l *located, name string) ([]byte, error) {
	if err := f.unpacked(ctx, l); err != nil {
		return nil, err
	}
	data, err := project.ReadFS(l.pkg.FS, name, ecosystem.MaxSourceFile)
	if !errors.Is(err, fs.ErrNotExist) {
		return data, err
	}
	rest, elsewhere := strings.CutPrefix(name, "node_modules/")
	if !elsewhere { // The declarations may come from the @types package.
		rest = typesName(l.pkg.Name) + "/" + name
	}
	dependency, file, _ := strings.Cut(rest, "/")
	if strings.HasPrefix(dependency, "@") {
		scoped, behind, _ := strings.Cut(file, "/")
		dependency, file = dependency+"/"+scoped, behind
	}
	pkg, err := f.open(ctx, l.pkg, dependency)
	if err != nil {
		return nil, err
	}
	return project.ReadFS(pkg.FS, file, ecosystem.MaxSourceFile)
}

// finish adds query-specific fields: the provenance, advice and warnings.
func (f *finder) finish(p *apidoc.Package, l *located) {
	p.Provenance = l.provenance
	p.Advice = slices.Clone(f.warnings)
	if modules.Builtin(p.Name) && !l.inProject {
		p.Advice = append(p.Advice, fmt.Sprintf("in Node.js, importing %q loads a built-in module, not this package; %s", p.Name, askNode(p.Name)))
	}
	if l.deprecated != "" {
		p.Deprecated = oneLine(l.deprecated)
	}
	if l.inProject {
		p.Version = ""
	}
}

// rangeAge is the cache lifetime of documentation that depends on the newest version of a
// dependency in a range.
const rangeAge = 24 * time.Hour

// restsOnRegistry records that the result depends on the version of a dependency that the
// project or a registry chooses.
func (f *finder) restsOnRegistry() {
	f.seen.LimitAge(rangeAge)
	if f.project != nil && f.project.LockFile != "" {
		f.seen.Add(f.project.LockFile)
	}
}

// lacks records that a dependency is missing. The result may be cached if the dependency
// does not exist, but not if its lookup failed.
func (f *finder) lacks(err error) {
	if failed, ok := errors.AsType[*ecosystem.Error](err); !ok || failed.Reason != ecosystem.NotFound {
		f.seen.Invalidate()
	}
}
