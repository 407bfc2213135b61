package npm

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	"github.com/docent-mcp/docent/internal/project"
)

// tsconfig is the part of a TypeScript configuration that determines what imports and JSX elements refer to.
type tsconfig struct {
	Extends         any
	Files, Include  []string
	CompilerOptions struct {
		TypeRoots       []string
		BaseURL         string
		Paths           map[string][]string
		JSXImportSource string
		JSXFactory      string
		ReactNamespace  string
		ModuleSuffixes  []string
	}
}

const (
	// maxExtends is the maximum number of configurations that one extends, directly or through others.
	maxExtends = 20
	// maxPaths is the maximum number of patterns in the paths of a configuration.
	maxPaths = 1000
	// maxSuffixes is the maximum number of suffixes of modules in a configuration.
	maxSuffixes = 20
	// defaultJSX is the package that declares the types of JSX elements if no configuration names one.
	defaultJSX = "react"
)

// compilerOptions reads TypeScript's configurations for the files in a directory of the project: all in the nearest directory
// that has a tsconfig.json or a jsconfig.json, because these may refer to the others.
func (n *NPM) compilerOptions(root, dir string) modules.CompilerOptions {
	for _, d := range project.Upwards(dir) {
		names := n.configs.in(d)
		if !slices.Contains(names, "tsconfig.json") && !slices.Contains(names, "jsconfig.json") {
			continue
		}
		var out modules.CompilerOptions
		for i, name := range names {
			r := configReader{root: root, jsx: defaultJSX}
			r.read(d, name)
			out.Paths = append(out.Paths, r.mappings()...)
			for _, suffix := range r.suffixes {
				if !slices.Contains(out.Suffixes, suffix) {
					out.Suffixes = append(out.Suffixes, suffix)
				}
			}
			if i == 0 {
				out.JSX = r.jsx
			} else if out.JSX != r.jsx {
				out.JSX = ""
			}
		}
		return out
	}
	return modules.CompilerOptions{JSX: defaultJSX}
}

// configReader reads a configuration and those that it extends.
type configReader struct {
	root string
	jsx  string // the source of JSX elements, or "" if it is unknown
	base string // the directory of the base URL, or "" if there is none
	// paths contains the targets of patterns, and pathsDir is the directory of the configuration that sets them.
	paths    map[string][]string
	pathsDir string
	// included contains the absolute paths and globs of the files that belong to the program.
	included []string
	suffixes []string // the suffixes of modules
	n        int
}

// read reads a configuration. A configuration overrides the options of those that it extends.
func (r *configReader) read(dir, name string) {
	var c tsconfig
	if r.n++; r.n > maxExtends || json.Unmarshal(plainJSON(readConfig(dir, name)), &c) != nil {
		r.jsx = "" // It is unknown.
		return
	}
	switch extends := c.Extends.(type) {
	case string:
		r.extend(dir, extends)
	case []any:
		for _, e := range extends {
			if name, ok := e.(string); ok {
				r.extend(dir, name)
			}
		}
	}
	o := &c.CompilerOptions
	for _, name := range slices.Concat(c.Files, c.Include, o.TypeRoots) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, filepath.FromSlash(name))
		}
		r.included = append(r.included, filepath.Clean(name))
	}
	switch {
	case o.JSXImportSource != "":
		r.jsx = o.JSXImportSource
	case o.JSXFactory != "" && o.JSXFactory != "React.createElement" || o.ReactNamespace != "":
		r.jsx = ""
	}
	if o.BaseURL != "" {
		r.base = filepath.Join(dir, filepath.FromSlash(o.BaseURL))
	}
	if len(o.Paths) > 0 {
		r.paths, r.pathsDir = o.Paths, dir
	}
	if o.ModuleSuffixes != nil {
		r.suffixes = o.ModuleSuffixes[:min(len(o.ModuleSuffixes), maxSuffixes)]
	}
}

// mappings returns the patterns of imports. Their targets are relative to the base URL, which another configuration may
// set, or without one to the configuration with the patterns.
func (r *configReader) mappings() (all []modules.PathMapping) {
	base := cmp.Or(r.base, r.pathsDir)
	for pattern, targets := range r.paths {
		p := modules.PathMapping{Pattern: pattern}
		for _, t := range targets {
			if rel, err := filepath.Rel(r.root, filepath.Join(base, filepath.FromSlash(t))); err == nil && filepath.IsLocal(rel) {
				p.Targets = append(p.Targets, filepath.ToSlash(rel))
			}
		}
		if len(all) < maxPaths {
			all = append(all, p)
		}
	}
	if rel, err := filepath.Rel(r.root, r.base); r.base != "" && err == nil && filepath.IsLocal(rel) {
		all = append(all, modules.PathMapping{Pattern: "*", Targets: []string{filepath.ToSlash(filepath.Join(rel, "*"))}})
	}
	return all
}

// extend reads a configuration to which another one in dir refers. If it cannot be found, the package of JSX elements is
// unknown.
func (r *configReader) extend(dir, name string) {
	candidates := []string{filepath.Join(dir, filepath.FromSlash(name))}
	if filepath.IsAbs(name) {
		candidates[0] = filepath.FromSlash(name)
	} else if !strings.HasPrefix(name, ".") {
		candidates = nil
		for _, d := range project.Upwards(dir) {
			path := filepath.Join(d, "node_modules", filepath.FromSlash(name))
			candidates = append(candidates, path, filepath.Join(path, "tsconfig.json"))
		}
	}
	for _, path := range candidates {
		for _, file := range []string{path, path + ".json"} {
			if project.IsFile(file) {
				r.read(filepath.Dir(file), filepath.Base(file))
				return
			}
		}
	}
	r.jsx = ""
}

// plainJSON removes comments, and commas before closing brackets, from JSON.
func plainJSON(text string) []byte {
	out := make([]byte, 0, len(text))
	comma := -1 // the position of a comma that no value follows
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			start := i
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			out, comma = append(out, text[start:min(i+1, len(text))]...), -1
		case strings.HasPrefix(text[i:], "//"):
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return out
			}
			i += 2 + end + 1
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			out = append(out, c)
		default:
			if comma >= 0 && (c == '}' || c == ']') {
				out[comma] = ' '
			}
			if comma = -1; c == ',' {
				comma = len(out)
			}
			out = append(out, c)
		}
	}
	return out
}
