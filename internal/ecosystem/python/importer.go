package python

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	"github.com/docent-mcp/docent/internal/ecosystem/python/pipconf"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// importer returns the function that finds modules that l's modules import. It
// looks in l's own files, the environment and the standard library. If l is
// from an index, it also looks in the distributions that l depends on.
func (f *finder) importer(ctx context.Context, l *located) modules.Importer {
	known := map[string]*modules.Source{}
	return func(module string) (*modules.Source, error) {
		if src, ok := known[module]; ok {
			if src == nil {
				return nil, fs.ErrNotExist
			}
			return src, nil
		}
		src := f.imported(ctx, l, module)
		known[module] = src
		if src == nil {
			return nil, fs.ErrNotExist
		}
		return src, nil
	}
}

func (f *finder) imported(ctx context.Context, l *located, module string) *modules.Source {
	if !validModule(module) {
		return nil
	}
	if std := f.openStdlib(module); std != nil {
		return std.source
	}
	if f.env != nil {
		top, _, _ := strings.Cut(module, ".")
		if dir := f.editable(module); dir != "" {
			if src, err := f.sourceIn(dir, module); err == nil && hasModule(src, module) {
				return src
			}
		}
		for _, dir := range f.env.site {
			if !f.py.site(dir).has(top) {
				continue
			}
			if src, err := f.sourceIn(dir, module); err == nil && hasModule(src, module) {
				return src
			}
		}
	}
	if l.inProject && l.source.Dir != "" {
		if src, err := f.sourceIn(l.source.Dir, module); err == nil && hasModule(src, module) {
			return src
		}
	}
	if l.source.Dir == "" {
		return f.remote(ctx, l, module)
	}
	return nil
}

// maxRemote is the maximum number of distributions that are looked up in indexes to
// follow imports.
const maxRemote = 12

// remote finds a module in the dependencies of a distribution that was read from
// an index. It returns nil if that fails.
func (f *finder) remote(ctx context.Context, l *located, module string) *modules.Source {
	if l.meta == nil {
		return nil
	}
	top, _, _ := strings.Cut(module, ".")
	e := f.target.environment()
	for _, r := range l.meta.Requires {
		if !r.Marker.Holds(e) || !likely(r.Name, module) {
			continue
		}
		name := pep508.Normalize(r.Name)
		dep, ok := f.remotes[name]
		if !ok {
			if len(f.remotes) >= maxRemote {
				return nil
			}
			dep = f.dependency(ctx, r, top)
			f.remotes[name] = dep
		}
		if dep == nil {
			continue
		}
		src := *dep.source
		src.Module = module
		if hasModule(&src, module) {
			return &src
		}
	}
	return nil
}

// likely reports whether the name of a distribution suggests that a module
// belongs to it.
func likely(dist, module string) bool {
	name := pep508.Normalize(dist)
	top, _, _ := strings.Cut(module, ".")
	for part := module; part != ""; part = parentModule(part) {
		if n := pep508.Normalize(part); slices.Contains([]string{n, "py" + n, "python-" + n, n + "-python", n + "s"}, name) {
			return true
		}
	}
	alias := pep508.Normalize(importNames[top])
	return alias != "" && strings.HasPrefix(name, alias)
}

// dependency opens a distribution that another one requires. It returns nil if that
// fails.
func (f *finder) dependency(ctx context.Context, r pep508.Requirement, module string) *located {
	w := versionRequest{specifiers: r.Specifiers, by: "a dependency"}
	if f.project != nil {
		if dep, ok := f.project.Locked(r.Name, f.target.environment()); ok && dep.Package.Foreign == "" && dep.Dir == "" {
			w.exact, w.by = dep.Version, dep.By
			for _, file := range dep.Package.Files {
				w.files = append(w.files, lockedFile{file.Name, file.URL, file.SHA256, file.Size})
			}
			if dep.Package.Index != "" || dep.Package.IndexName != "" {
				w.index = &pipconf.Bound{URL: dep.Package.Index, Name: dep.Package.IndexName, By: dep.By}
			}
		}
	}
	if w.exact == "" {
		f.seen.LimitAge(newestAge)
	}
	warnings := f.warnings
	defer func() { f.warnings = warnings }()
	l, err := f.fromIndex(ctx, module, r.Name, w)
	if err == nil {
		err = f.opened(ctx, l)
	}
	if err != nil {
		f.seen.Invalidate() // The distribution may be available the next time.
		return nil
	}
	return l
}
