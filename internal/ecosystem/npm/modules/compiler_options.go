package modules

import (
	"path"
	"slices"
	"strings"
)

// CompilerOptions are the options of TypeScript's configurations for the files in a directory of the project.
type CompilerOptions struct {
	// JSX is the package that declares the types of JSX elements, or "" if it is not known.
	JSX   string
	Paths []PathMapping
	// Suffixes are appended to the names of the project's modules, in this order, if there are any.
	Suffixes []string
}

// PathMapping maps the specifiers of modules that match a pattern with at most one star to files of the project. The star in
// a target stands for what it matches in the specifier.
type PathMapping struct {
	Pattern string
	Targets []string
}

// match returns what the star of the pattern stands for in a specifier.
func (p *PathMapping) match(spec string) (star string, ok bool) {
	before, after, hasStar := strings.Cut(p.Pattern, "*")
	if !hasStar {
		return "", spec == p.Pattern
	}
	if len(spec) < len(before)+len(after) || !strings.HasPrefix(spec, before) || !strings.HasSuffix(spec, after) {
		return "", false
	}
	return spec[len(before) : len(spec)-len(after)], true
}

// optionsOf returns the options for a file of the project.
func (r *Reader) optionsOf(name string) *CompilerOptions {
	dir := path.Dir(name)
	o, known := r.options[dir]
	if !known {
		o = &CompilerOptions{}
		if r.compilerOptions != nil {
			*o = r.compilerOptions(dir)
			// The pattern with the longest text before the star takes precedence.
			length := func(p PathMapping) int { before, _, _ := strings.Cut(p.Pattern, "*"); return len(before) }
			slices.SortStableFunc(o.Paths, func(a, b PathMapping) int { return length(b) - length(a) })
		}
		r.options[dir] = o
	}
	return o
}

// mapped resolves a specifier in a file of the project by its configuration. It returns false if there is no such file.
func (r *Reader) mapped(name, spec string) (target, bool) {
	o := r.optionsOf(name)
	for i := range o.Paths {
		star, ok := o.Paths[i].match(spec)
		if !ok {
			continue
		}
		for _, t := range o.Paths[i].Targets {
			file := path.Clean(strings.Replace(t, "*", star, 1))
			if strings.HasPrefix(file, "..") {
				continue
			}
			if found, ok := r.projectFile(name, file); ok {
				return found, true
			}
		}
	}
	return target{}, false
}

// projectFile resolves the path of a module of the project, which a file imports. The module may have one of the suffixes in
// the configuration, such as Button.ios.tsx.
func (r *Reader) projectFile(from, name string) (target, bool) {
	suffixes := r.optionsOf(from).Suffixes
	for _, base := range [...]string{strings.TrimSuffix(strings.TrimSuffix(name, ".js"), ".jsx"), path.Join(name, "index")} {
		for _, suffix := range suffixes {
			if suffix == "" {
				if t, ok := r.relative(r.main, name); ok {
					return t, true
				}
			} else if t, ok := r.relative(r.main, base+suffix); ok {
				return t, true
			}
		}
	}
	if len(suffixes) > 0 {
		return target{}, false
	}
	return r.relative(r.main, name)
}
