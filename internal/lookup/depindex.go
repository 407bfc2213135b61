package lookup

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/depindex"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/parallel"
)

// maxEntryPoints is the maximum number of entry points of a package in an index.
const maxEntryPoints = 8

// DependencyIndex returns the direct dependencies of the project in a directory for an index, by
// language. It reads installed packages and does not use the network. progress may be nil.
func (l *Lookup) DependencyIndex(ctx context.Context, dir string, progress func(done, all int)) ([]depindex.Language, error) {
	var languages []depindex.Language
	err := l.eachProject(dir, func(language ecosystem.Language, dependencies []ecosystem.Dependency) error {
		info := language.Info()
		entries := make([]depindex.Entry, len(dependencies))
		err := parallel.Limit(ctx, len(dependencies), min(runtime.GOMAXPROCS(0), 4), progress, func(i int) {
			entries[i] = l.indexEntry(ctx, info, dir, dependencies[i])
		})
		languages = append(languages, depindex.Language{Name: info.Style.Name, Import: info.Help.Import, Entries: byModule(entries)})
		return err
	})
	return languages, err
}

// indexEntry reads a dependency for an index. If it cannot be read, the entry contains only the
// name.
func (l *Lookup) indexEntry(ctx context.Context, info *ecosystem.Info, dir string, d ecosystem.Dependency) depindex.Entry {
	e := depindex.Entry{Name: d.Package, Version: d.Version, Module: d.Module, Imported: d.Imported, Missing: !d.Installed}
	if !d.Installed {
		return e
	}
	p, err := l.store.Describe(ctx, string(info.ID), Package{Language: string(info.ID), Name: d.Package, Project: dir}.Query())
	if err != nil {
		return e
	}
	e.Version = p.Version
	e.Purpose = strings.TrimPrefix(p.Synopsis, "Package "+p.LocalName+" ")
	e.Name = p.Name
	if last := p.Name[strings.LastIndexAny(p.Name, "/.:")+1:]; p.LocalName != "" && p.LocalName != last {
		e.Local = p.LocalName
	}
	e.EntryPoints = l.catalog.Prepare(p).Renderer().EntryPoints(maxEntryPoints)
	return e
}

// byModule merges the packages of a module into the entry of the package that is first in the order
// of paths.
func byModule(entries []depindex.Entry) []depindex.Entry {
	slices.SortStableFunc(entries, func(a, b depindex.Entry) int { return strings.Compare(a.Name, b.Name) })
	first := map[string]int{}
	var joined []depindex.Entry
	for _, e := range entries {
		module := cmp.Or(e.Module, e.Name)
		i, ok := first[module]
		switch {
		case !ok:
			first[module] = len(joined)
			joined = append(joined, e)
		case joined[i].Missing && !e.Missing: // the module does not have a package at its root
			joined[i] = e
		default:
			joined[i].Packages = append(joined[i].Packages, strings.TrimPrefix(e.Name, module))
			joined[i].Imported = joined[i].Imported || e.Imported
		}
	}
	for i := range joined {
		if apidoc.IsBelow(joined[i].Name, joined[i].Module) {
			joined[i].Module = "" // the name already contains the module
		}
	}
	return joined
}
