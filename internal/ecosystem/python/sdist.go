package python

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep508"
	"github.com/docent-mcp/docent/internal/project/pylock"
)

func sortEntries(entries []fs.DirEntry) {
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
}

// sourceRoots are the directories of a source distribution in which modules usually are.
var sourceRoots = []string{"src", ".", "lib", "python", "source"}

// notModules are directories at the top of a source distribution that are not
// installed.
var notModules = []string{"tests", "test", "testing", "docs", "doc", "examples", "example", "scripts", "tools", "benchmarks", "benchmark", "bin", "ci", "build", "setup", "conftest", "noxfile", "tasks"}

// openSdist reads a source distribution, whose modules are in the usual directories. Because the
// distribution is not built, generated modules are missing.
func (f *finder) openSdist(o *offer, files *archive.FS, l *located) error {
	setup := pylock.Setup{}
	if data, err := project.ReadFS(files, "setup.py", maxConfig); err == nil {
		setup = readSetup(data)
	}
	var err error
	if l.meta, err = f.checkedMetadata(o, files, "PKG-INFO"); err != nil {
		if setup.Name == "" || setup.Version == "" || isFileIn(files, "PKG-INFO") {
			return err
		}
		l.meta = &metadata{Name: setup.Name, Version: setup.Version, RequiresPython: setup.RequiresPython}
		if err := checkMetadata(o, o, l.meta); err != nil {
			return err
		}
	}
	if len(l.meta.Requires) == 0 { // Metadata before version 2.1 does not contain requirements.
		for _, text := range setup.Requires {
			if r, err := pep508.Parse(text); err == nil && len(l.meta.Requires) < maxRequires {
				l.meta.Requires = append(l.meta.Requires, r)
			}
		}
	}
	l.docs = files
	var all []string
	for name := range files.Files {
		all = append(all, name)
	}
	slices.Sort(all)
	declared := declaredModules(files, all)
	for _, root := range sourceRoots {
		var names []string
		for _, name := range all {
			rest, ok := strings.CutPrefix(name, root+"/")
			if root == "." {
				rest, ok = name, true
			}
			top, _, _ := strings.Cut(rest, "/")
			if top = strings.TrimSuffix(strings.TrimSuffix(top, ".py"), ".pyi"); !ok || slices.Contains(notModules, top) && !slices.Contains(declared, top) {
				continue
			}
			if root == "." && slices.Contains(sourceRoots, top) && !slices.Contains(declared, top) || len(declared) > 0 && !slices.Contains(declared, top) {
				continue
			}
			names = append(names, rest)
		}
		if len(topModules(names)) == 0 {
			continue
		}
		sub, err := fs.Sub(files, root)
		if err != nil {
			return err
		}
		if err := f.openModules(o, sub, names, l); err == nil {
			return nil
		}
	}
	return ecosystem.Fail(ecosystem.NoneExported, "no Python modules were found in %s", o.what()).
		WithNext("docent does not build source distributions; install it in the project's environment")
}

func isFileIn(files fs.FS, name string) bool {
	info, err := fs.Stat(files, name)
	return err == nil && !info.IsDir()
}

// declaredModules returns the top-level modules that a source distribution declares in
// top_level.txt, or nil if it declares none.
func declaredModules(files fs.FS, all []string) []string {
	for _, name := range all {
		if strings.HasSuffix(name, ".egg-info/top_level.txt") {
			if data, err := project.ReadFS(files, name, maxConfig); err == nil {
				var declared []string
				for module := range strings.FieldsSeq(string(data)) {
					if top, _, _ := strings.Cut(strings.ReplaceAll(module, "/", "."), "."); validModule(top) {
						declared = append(declared, top)
					}
				}
				return declared
			}
		}
	}
	return nil
}
