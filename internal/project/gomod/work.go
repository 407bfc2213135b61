package gomod

import (
	"fmt"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
)

// readWork reads go.work and the modules that it uses. used is false if the
// module from which the project was found is not among them.
func (p *Project) readWork() (used bool, err error) {
	path := p.Root.WorkFile
	p.files.Add(path)
	data, err := project.ReadFile(path, maxModFile)
	if err != nil {
		return false, fmt.Errorf("%s cannot be read: %w", path, quote.Error(err))
	}
	w, err := modfile.ParseWork(path, data, keepVersion)
	if err != nil {
		return false, fmt.Errorf("%s is not a valid go.work: %w", path, quote.Error(firstError(err)))
	}
	if len(w.Use) > maxMains {
		return false, fmt.Errorf("%s uses %d modules, more than the limit of %d", path, len(w.Use), maxMains)
	}
	p.Dir = filepath.Dir(path)
	dirs := make([]string, 0, len(w.Use))
	for _, u := range w.Use {
		dir := filepath.FromSlash(u.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(p.Dir, dir)
		}
		dirs = append(dirs, dir)
	}
	if p.Root.ModFile != "" && !slices.Contains(dirs, filepath.Dir(p.Root.ModFile)) {
		return false, nil
	}
	for _, dir := range dirs {
		m, err := p.readMain(filepath.Join(dir, "go.mod"))
		if err != nil {
			return false, fmt.Errorf("%s uses %s: %w", path, dir, quote.Error(err))
		}
		if filepath.Join(dir, "go.mod") == p.Root.ModFile {
			p.Mains = slices.Insert(p.Mains, 0, m)
		} else {
			p.Mains = append(p.Mains, m)
		}
	}
	for _, r := range w.Replace {
		p.replaced[r.Old] = replacement{absolute(r.New, p.Dir), p.Name()}
	}
	if w.Go != nil {
		p.Go = w.Go.Version
	}
	p.Toolchain = toolchainLine(w.Toolchain)
	return true, nil
}
