package modules

import (
	"io/fs"
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// target is the result of resolving a specifier: a file of a package, or an
// ambient module.
type target struct {
	pkg     *pkg
	path    string
	ambient *module
}

// exists reports whether the package contains a readable file at the given path.
func (p *pkg) exists(name string) bool {
	if name == "" || !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(p.FS, name)
	return err == nil && !info.IsDir()
}

func (p *pkg) isDir(name string) bool {
	if name == "" || !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(p.FS, name)
	return err == nil && info.IsDir()
}

// pass is a round of resolution: all declarations and TypeScript files first,
// then JavaScript.
type pass bool

const (
	typed   pass = false
	untyped pass = true
)

// rounds returns the rounds of resolution.
func (r *Reader) rounds() []pass {
	if r.scripts {
		return []pass{untyped}
	}
	return []pass{typed, untyped}
}

// file finds the file for an import path. It replaces a JavaScript extension with
// an extension of declarations, or adds one. It does not search directories. It
// returns false if there is no such file.
func (p *pkg) file(name string, round pass) (string, bool) {
	try := func(names ...string) (string, bool) {
		for _, n := range names {
			if p.exists(n) {
				return n, true
			}
		}
		return "", false
	}
	if round == untyped {
		if lang, ok := dts.LanguageOf(name); ok && lang == dts.JavaScript {
			return try(name)
		}
		return try(name+".js", name+".jsx", name+".mjs", name+".cjs")
	}
	stem, ext := name, path.Ext(name)
	if ext != "" {
		stem = strings.TrimSuffix(name, ext)
	}
	switch ext {
	case ".ts", ".tsx":
		// Imports may have TypeScript's own extensions; if the source is missing,
		// they refer to the declarations.
		if f, ok := try(name, stem+".d.ts"); ok {
			return f, true
		}
	case ".mts", ".cts":
		if f, ok := try(name, stem+".d"+ext); ok {
			return f, true
		}
	case ".js":
		if f, ok := try(stem+".ts", stem+".tsx", stem+".d.ts"); ok {
			return f, true
		}
	case ".jsx":
		if f, ok := try(stem+".tsx", stem+".ts", stem+".d.ts"); ok {
			return f, true
		}
	case ".mjs":
		if f, ok := try(stem+".mts", stem+".d.mts"); ok {
			return f, true
		}
	case ".cjs":
		if f, ok := try(stem+".cts", stem+".d.cts"); ok {
			return f, true
		}
	}
	if f, ok := try(name+".ts", name+".tsx", name+".d.ts"); ok {
		return f, true
	}
	if ext != "" {
		return try(stem + ".d" + ext + ".ts")
	}
	return "", false
}

// fileOrDir finds the file for a path, or the main file in a directory. It returns
// false if there is no such file.
func (p *pkg) fileOrDir(name string, round pass) (string, bool) {
	if !strings.HasSuffix(name, "/") && name != "." {
		if f, ok := p.file(name, round); ok {
			return f, true
		}
	}
	name = path.Clean(name)
	if !p.isDir(name) {
		return "", false
	}
	if name != "." && p.exists(name+"/package.json") {
		if sub, err := fs.Sub(p.FS, name); err == nil {
			if m, err := readManifest(sub); err == nil {
				if f, ok := p.legacyMain(name, m, round); ok {
					return f, true
				}
			}
		}
	}
	return p.file(path.Join(name, "index"), round)
}

// legacyMain finds the main file in a directory whose package.json has no exports. It
// returns false if there is no such file.
func (p *pkg) legacyMain(dir string, m manifest, round pass) (string, bool) {
	names := []string{m.types, m.main}
	if round == untyped {
		names = []string{m.module, m.main}
	}
	for _, n := range names {
		if n == "" {
			continue
		}
		n = strings.TrimSuffix(path.Join(dir, n), "/")
		if strings.HasPrefix(n, "..") || n == "." {
			continue
		}
		if f, ok := p.file(n, round); ok {
			return f, true
		}
		if f, ok := p.file(path.Join(n, "index"), round); ok {
			return f, true
		}
	}
	return "", false
}

// subpath resolves an import of the package itself: "." or "./x". It returns
// false if there is no such file.
func (p *pkg) subpath(sub string, round pass) (string, bool) {
	if p.manifest.exports != nil {
		return p.matchExports(p.manifest.exports, sub, round)
	}
	return p.directSubpath(sub, round)
}

// directSubpath resolves an import of the package itself, as older modes of resolution do, without its exports. It
// returns false if there is no such file.
func (p *pkg) directSubpath(sub string, round pass) (string, bool) {
	name := path.Clean(sub)
	if paths := p.manifest.typesVersion; paths != nil && round == typed {
		from := name
		if from == "." {
			from = path.Clean(firstOf(p.manifest.types, p.manifest.main, "index"))
		}
		if f, ok := p.typesVersionPath(paths, from); ok {
			return f, true
		}
	}
	if name == "." {
		if f, ok := p.legacyMain(".", p.manifest, round); ok {
			return f, true
		}
		return p.file("index", round)
	}
	return p.fileOrDir(name, round)
}

func firstOf(s ...string) string {
	for _, x := range s {
		if x != "" {
			return x
		}
	}
	return ""
}

// typesVersionPath maps a path by typesVersions. It returns false if there is no
// such file.
func (p *pkg) typesVersionPath(paths *value, name string) (string, bool) {
	best, matched := -1, ""
	var to *value
	for _, f := range paths.fields {
		before, after, star := strings.Cut(f.name, "*")
		switch {
		case !star && f.name == name:
			best, matched, to = len(name)+1, "", f.value
		case star && len(before) > best && len(name) >= len(before)+len(after) &&
			strings.HasPrefix(name, before) && strings.HasSuffix(name, after):
			best, matched, to = len(before), name[len(before):len(name)-len(after)], f.value
		}
	}
	if to == nil {
		return "", false
	}
	for _, t := range to.items {
		n := path.Clean(strings.Replace(t.str, "*", matched, 1))
		if strings.HasPrefix(n, "..") {
			continue
		}
		if f, ok := p.fileOrDir(n, typed); ok {
			return f, true
		}
	}
	return "", false
}

// condition reports whether TypeScript uses a condition of exports or imports for
// types of an import in Node.js. fallback is true for a condition that is used if
// no other is met.
func condition(name string, round pass) (met, fallback bool) {
	switch name {
	case "default", "import", "node", "module-sync":
		return true, false
	case "types":
		return round == typed, false
	case "require":
		// Most packages have the same declarations for both conditions, so use
		// require if it is the only one.
		return false, true
	}
	if v, ok := strings.CutPrefix(name, "types@"); ok && round == typed {
		return versionInRange(v), false
	}
	return false, false
}

// choose tries the targets of exports or imports in order, and returns the first
// file that try finds. It returns false if there is none.
func choose(v *value, star string, round pass, try func(string) (string, bool)) (string, bool) {
	if v == nil {
		return "", false
	}
	switch v.kind {
	case text:
		return try(strings.ReplaceAll(v.str, "*", star))
	case array:
		for _, i := range v.items {
			if f, ok := choose(i, star, round, try); ok {
				return f, true
			}
		}
	case object:
		for _, again := range [...]bool{false, true} {
			for _, f := range v.fields {
				met, fallback := condition(f.name, round)
				if !met && !(fallback && again) || met && again {
					continue
				}
				if found, ok := choose(f.value, star, round, try); ok {
					return found, true
				}
			}
		}
	}
	return "", false
}

// isSubpaths reports whether a value is a map of subpaths and not of conditions.
func isSubpaths(v *value) bool {
	return v.kind == object && len(v.fields) > 0 && strings.HasPrefix(v.fields[0].name, ".")
}

// matchKey finds the entry for a subpath, and the text that the star in its key
// matches. It returns nil if no key matches.
func matchKey(v *value, sub string) (to *value, star string) {
	if exact := v.get(sub); exact != nil && !strings.Contains(sub, "*") {
		return exact, ""
	}
	best, length := -1, 0
	for _, f := range v.fields {
		before, after, hasStar := strings.Cut(f.name, "*")
		switch {
		case hasStar && (len(before) > best || len(before) == best && len(f.name) > length) && len(sub) >= len(before)+len(after) &&
			strings.HasPrefix(sub, before) && strings.HasSuffix(sub, after):
			best, length = len(before), len(f.name)
			to, star = f.value, sub[len(before):len(sub)-len(after)]
		case !hasStar && strings.HasSuffix(f.name, "/") && len(f.name) > best && strings.HasPrefix(sub, f.name):
			// "./dist/": "./dist/" is the deprecated form of a pattern.
			best, star = len(f.name), sub[len(f.name):]
			to = f.value
			if to.kind == text {
				to = &value{kind: text, str: to.str + "*"}
			}
		}
	}
	return to, star
}

func (p *pkg) matchExports(v *value, sub string, round pass) (string, bool) {
	star := ""
	if isSubpaths(v) {
		v, star = matchKey(v, sub)
	} else if sub != "." {
		return "", false
	}
	return choose(v, star, round, func(t string) (string, bool) { return p.exported(t, round) })
}

// exported finds the file of a target in exports. Directories and typesVersions
// are ignored, unlike for packages without exports. It returns false if there is
// no such file.
func (p *pkg) exported(t string, round pass) (string, bool) {
	rest, ok := strings.CutPrefix(t, "./")
	if !ok || !fs.ValidPath(path.Clean(rest)) {
		return "", false
	}
	return p.file(path.Clean(rest), round)
}

// splitSpecifier splits a specifier such as "@scope/name/sub" into package and subpath.
func splitSpecifier(s string) (name, sub string) {
	n := strings.IndexByte(s, '/')
	if strings.HasPrefix(s, "@") && n >= 0 {
		if m := strings.IndexByte(s[n+1:], '/'); m >= 0 {
			n += 1 + m
		} else {
			n = -1
		}
	}
	if n < 0 {
		return s, "."
	}
	return s[:n], "." + s[n:]
}

// typesName returns the name of the @types package for a package.
func typesName(name string) string {
	if scope, rest, ok := strings.Cut(name, "/"); ok && strings.HasPrefix(scope, "@") {
		return "@types/" + scope[1:] + "__" + rest
	}
	return "@types/" + name
}

// typesOf returns the package that declares the types of p, or nil if there is none.
func (r *Reader) typesOf(p *pkg) *pkg {
	if !p.typesTried {
		p.typesTried = true
		if !strings.HasPrefix(p.Name, "@types/") {
			p.types = r.dep(p, typesName(p.Name))
		}
	}
	return p.types
}

// entry finds the file of an entry point. It tries the package's declarations,
// the declarations from DefinitelyTyped, declarations outside exports, and the
// JavaScript, in this order.
func (r *Reader) entry(sub string) (target, bool) { return r.entryOf(r.main, sub) }

func (r *Reader) entryOf(p *pkg, sub string) (target, bool) {
	if r.scripts {
		f, ok := p.subpath(sub, untyped)
		return target{pkg: p, path: f}, ok
	}
	if f, ok := p.subpath(sub, typed); ok {
		return target{pkg: p, path: f}, true
	}
	if t := r.typesOf(p); t != nil {
		if f, ok := t.subpath(sub, typed); ok {
			return target{pkg: t, path: f}, true
		}
	}
	f, ok := p.subpath(sub, untyped)
	if !ok {
		return target{}, false
	}
	// TypeScript finds declarations that exports omits only in its older
	// resolution modes, but they are better than the JavaScript.
	if sub == "." && p.manifest.exports != nil {
		if types, ok := p.legacyMain(".", p.manifest, typed); ok {
			return target{pkg: p, path: types}, true
		}
	}
	return target{pkg: p, path: f}, true
}

// resolve resolves a specifier in a file. It returns false if there is no such
// file.
func (r *Reader) resolve(from *module, spec string) (target, bool) {
	if strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../") || spec == "." || spec == ".." {
		name := path.Join(path.Dir(from.path), spec)
		if strings.HasSuffix(spec, "/") {
			name += "/"
		}
		if from.pkg == r.main && r.compilerOptions != nil {
			return r.projectFile(from.path, name)
		}
		return r.relative(from.pkg, name)
	}
	if m := r.ambient[spec]; m != nil {
		return target{ambient: m}, true
	}
	if from.pkg == r.main && r.compilerOptions != nil {
		if t, ok := r.mapped(from.path, spec); ok {
			return t, true
		}
	}
	if t, ok := from.pkg.resolved[spec]; ok {
		return t, t != (target{})
	}
	t, _ := r.resolveBare(from.pkg, spec)
	from.pkg.resolved[spec] = t
	return t, t != (target{})
}

func (r *Reader) relative(p *pkg, name string) (target, bool) {
	if t, ok := p.near[name]; ok {
		return t, t != (target{})
	}
	var t target
	for _, round := range r.rounds() {
		if f, ok := p.fileOrDir(name, round); ok {
			t = target{pkg: p, path: f}
			break
		}
	}
	p.near[name] = t
	return t, t != (target{})
}

func (r *Reader) resolveBare(from *pkg, spec string) (target, bool) {
	if strings.HasPrefix(spec, "#") {
		return r.importsMap(from, spec)
	}
	name, sub := splitSpecifier(spec)
	if name == "" || strings.HasPrefix(spec, "/") || strings.Contains(spec, "\\") {
		return target{}, false
	}
	if name == from.Name || typesName(name) == from.Name {
		if t, ok := r.entryOf(from, sub); ok {
			return t, true
		}
	}
	// Modules of Node.js are declared as ambient modules in its declarations.
	if Builtin(spec) && r.loadNode(from) {
		if m := r.ambient[spec]; m != nil {
			return target{ambient: m}, true
		}
	}
	if d := r.dep(from, name); d != nil && d != from {
		if t, ok := r.entryOf(d, sub); ok {
			return t, true
		}
	} else if d == nil && !r.scripts {
		if types := r.dep(from, typesName(name)); types != nil {
			if f, ok := types.subpath(sub, typed); ok {
				return target{pkg: types, path: f}, true
			}
		}
	}
	for _, m := range r.patterns {
		before, after, _ := strings.Cut(m.path, "*")
		if strings.HasPrefix(spec, before) && strings.HasSuffix(spec, after) {
			return target{ambient: m}, true
		}
	}
	return target{}, false
}

// importsMap resolves "#x" with imports in package.json. It returns false if
// there is no such file.
func (r *Reader) importsMap(from *pkg, spec string) (target, bool) {
	if from.manifest.imports == nil {
		return target{}, false
	}
	v, star := matchKey(from.manifest.imports, spec)
	var found target
	for _, round := range r.rounds() {
		_, ok := choose(v, star, round, func(t string) (string, bool) {
			if strings.HasPrefix(t, "./") {
				f, ok := from.exported(t, round)
				found = target{pkg: from, path: f}
				return f, ok
			}
			if strings.HasPrefix(t, "#") {
				return "", false
			}
			var ok bool
			found, ok = r.resolveBare(from, t)
			return t, ok
		})
		if ok {
			return found, true
		}
	}
	return target{}, false
}

// Builtin reports whether a specifier refers to a module of Node.js.
func Builtin(spec string) bool {
	if strings.HasPrefix(spec, "node:") {
		return true
	}
	name, _ := splitSpecifier(spec)
	switch name {
	case "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram",
		"diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2", "https", "inspector", "module", "net",
		"os", "path", "perf_hooks", "process", "punycode", "querystring", "readline", "repl", "stream",
		"string_decoder", "sys", "timers", "tls", "trace_events", "tty", "url", "util", "v8", "vm", "wasi",
		"worker_threads", "zlib":
		return true
	}
	return false
}
