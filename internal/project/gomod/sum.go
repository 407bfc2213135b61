package gomod

import (
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/project"
)

// Sums returns the hashes ("h1:…") that the project's go.sum files record for the zip file of a
// module version. It returns nil if they do not record any.
func (p *Project) Sums(m module.Version) []string {
	p.sumsOnce.Do(p.readSums)
	return p.sums[m]
}

// sumVersions lists the versions of a module whose content a go.sum records.
func (p *Project) sumVersions(modulePath string) []string {
	p.sumsOnce.Do(p.readSums)
	var versions []string
	for m := range p.sums {
		if m.Path == modulePath && !strings.HasSuffix(m.Version, "/go.mod") {
			versions = append(versions, m.Version)
		}
	}
	return versions
}

// sumFiles lists the go.sum files of the project's modules and go.work.sum.
func (p *Project) sumFiles() []string {
	var files []string
	if p.Root.WorkFile != "" {
		files = append(files, strings.TrimSuffix(p.Root.WorkFile, ".work")+".work.sum")
	}
	for _, m := range p.Mains {
		files = append(files, filepath.Join(m.Dir, "go.sum"))
	}
	if alt := p.options.ModFile; alt != "" && p.Root.WorkFile == "" {
		if !filepath.IsAbs(alt) {
			alt = filepath.Join(p.Mains[0].Dir, alt)
		}
		files = []string{strings.TrimSuffix(alt, ".mod") + ".sum"}
	}
	return files
}

func (p *Project) readSums() {
	p.sums = map[module.Version][]string{}
	for _, path := range p.sumFiles() {
		// If a go.sum is missing or too large, nothing is verified against it, and answers say so.
		if data, err := project.ReadFile(path, maxSumFile); err == nil {
			parseSums(data, p.sums)
		}
	}
}

// parseSums adds the lines of a go.sum file: "path version hash". The version
// of a go.mod hash ends in "/go.mod". Other lines are skipped.
func parseSums(data []byte, into map[module.Version][]string) {
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) != 3 || !strings.HasPrefix(f[2], "h1:") {
			continue
		}
		m := module.Version{Path: f[0], Version: f[1]}
		into[m] = append(into[m], f[2])
	}
}
