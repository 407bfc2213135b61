package pylock

import (
	"io/fs"
	"iter"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
)

const (
	maxImporting = 5000     // maximum number of files in a project whose imports are read
	maxHead      = 64 << 10 // maximum number of bytes that are read at the beginning of each file
)

var importLine = lazyregexp.New(`(?m)^\s*(?:from\s+([A-Za-z_]\w*)[\w.]*\s+import\b|import\s+([A-Za-z_][\w., \t]*))`)

// Imports returns the top-level modules that the project's own files import.
func (p *Project) Imports() map[string]bool {
	found := map[string]bool{}
	for text := range p.sources() {
		for _, m := range importLine().FindAllStringSubmatch(text, 1000) {
			if m[1] != "" {
				found[m[1]] = true
				continue
			}
			for module := range strings.SplitSeq(m[2], ",") {
				module, _, _ = strings.Cut(strings.TrimSpace(module), " ")
				top, _, _ := strings.Cut(module, ".")
				found[top] = true
			}
		}
	}
	return found
}

var aliasLine = lazyregexp.New(`^\s*(?:from\s+([A-Za-z_][\w.]*)\s+)?import\s+([A-Za-z_][\w.]*)\s+as\s+([A-Za-z_]\w*)`)

// Aliases returns the module that the project's own files most often import under each other name, as in
// "import numpy as np", for which np is numpy.
func (p *Project) Aliases() map[string]string {
	counts := map[[2]string]int{}
	best := map[string]string{}
	for text := range p.sources() {
		for line := range strings.Lines(text) {
			if !strings.Contains(line, " as ") {
				continue
			}
			m := aliasLine().FindStringSubmatch(line)
			if m == nil || m[2] == m[3] {
				continue
			}
			name, module := m[3], strings.TrimPrefix(m[1]+"."+m[2], ".")
			counts[[2]string{name, module}]++
			n, top := counts[[2]string{name, module}], counts[[2]string{name, best[name]}]
			if n > top || n == top && module < best[name] {
				best[name] = module
			}
		}
	}
	return best
}

// sources returns the beginnings of the project's own Python files.
func (p *Project) sources() iter.Seq[string] {
	return func(yield func(string) bool) {
		seen := 0
		_ = filepath.WalkDir(p.Dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return nil //nolint:nilerr // skip what cannot be read
			}
			name := e.Name()
			if e.IsDir() {
				if path != p.Dir && (strings.HasPrefix(name, ".") || name == "venv" || name == "env" || name == "node_modules" || name == "site-packages" || name == "__pycache__" || name == "__pypackages__") {
					return fs.SkipDir
				}
				return nil
			}
			if !strings.HasSuffix(name, ".py") || !e.Type().IsRegular() {
				return nil
			}
			if seen++; seen > maxImporting || !yield(project.Head(path, maxHead)) {
				return fs.SkipAll
			}
			return nil
		})
	}
}
