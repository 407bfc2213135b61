package modules

import (
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// Entry is an entry point of a package.
type Entry struct {
	// Subpath is "." or the rest of the import specifier, such as "./mini".
	Subpath string
	// File is the path of the file that declares the entry point. It is in package
	// @types/x if the package itself has no declarations.
	File string
}

// These constants limit the exports in package.json: the number of subpaths,
// including those from expanded patterns, and the number of patterns.
const (
	maxEntries  = 5000
	maxPatterns = 200
)

// Entries lists the entry points in package.json, with the main one first. It omits
// entry points that are not modules, such as style sheets, and other builds of the main
// entry point. If a package has no exports field, all its files can be imported, and
// only the main entry point is listed.
func (r *Reader) Entries() []Entry {
	if r.entries != nil {
		return r.entries
	}
	subs := []string{"."}
	expanded := map[string]bool{}
	if e := r.main.manifest.exports; e != nil && isSubpaths(e) {
		subs = subs[:0]
		patterns := 0
		for _, f := range e.fields {
			switch {
			case len(subs) >= maxEntries || patterns >= maxPatterns:
			case strings.Contains(f.name, "*"):
				patterns++
				for _, s := range r.expand(f.name, f.value) {
					expanded[s] = !slices.Contains(subs, s)
					subs = append(subs, s)
				}
			case !strings.HasSuffix(f.name, "/"):
				subs = append(subs, f.name)
			}
		}
	}
	out := []Entry{}
	seen := map[string]bool{}
	for _, s := range subs {
		if seen[s] || !strings.HasPrefix(s, ".") {
			continue
		}
		seen[s] = true
		if t, ok := r.entry(s); ok && !(expanded[s] && r.main.isBuild(t.path)) {
			out = append(out, Entry{Subpath: s, File: t.path})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Subpath == "." && out[j].Subpath != "." })
	r.entries = out
	return out
}

// isBuild reports whether a file is another build of the main entry point, such as
// dist/dexie.min.js next to dist/dexie.mjs.
func (p *pkg) isBuild(name string) bool {
	stem := func(name string) string {
		base, _, _ := strings.Cut(path.Base(name), ".")
		return base
	}
	leadsTo := func(file string) bool {
		return stem(file) == stem(name) && (path.Dir(path.Clean(file)) == path.Dir(name) || stem(name) == path.Base(p.Name))
	}
	return anyText(p.manifest.exports.get("."), leadsTo)
}

// anyText reports whether has returns true for any of the strings in a value.
func anyText(v *value, has func(string) bool) bool {
	if v == nil {
		return false
	}
	return v.kind == text && has(v.str) ||
		slices.ContainsFunc(v.items, func(i *value) bool { return anyText(i, has) }) ||
		slices.ContainsFunc(v.fields, func(f field) bool { return anyText(f.value, has) })
}

// expand lists the subpaths of a pattern whose target file exists.
func (r *Reader) expand(key string, v *value) []string {
	before, after, _ := strings.Cut(key, "*")
	seen := map[string]bool{}
	var out []string
	for _, round := range [...]pass{typed, untyped} {
		choose(v, "\x00", round, func(t string) (string, bool) {
			t, ok := strings.CutPrefix(t, "./")
			pre, post, star := strings.Cut(t, "\x00")
			if !ok || !star {
				return "", false
			}
			for _, s := range r.main.starred(pre, post, round) {
				if !seen[s] {
					seen[s] = true
					out = append(out, before+s+after)
				}
			}
			return "", false
		})
		if len(out) > 0 {
			break
		}
	}
	sort.Strings(out)
	return out
}

// starred lists the possible values of the star in "pre*post".
func (p *pkg) starred(pre, post string, round pass) []string {
	dir := "."
	if n := strings.LastIndexByte(pre, '/'); n >= 0 {
		dir = pre[:n]
	}
	if !fs.ValidPath(dir) {
		return nil
	}
	// A target that ends in .js is declared by a file that ends in .d.ts.
	posts := []string{post}
	if round == typed {
		for _, js := range [...][2]string{{".js", ".d.ts"}, {".js", ".ts"}, {".mjs", ".d.mts"}, {".cjs", ".d.cts"}} {
			if s, ok := strings.CutSuffix(post, js[0]); ok {
				posts = append(posts, s+js[1])
			}
		}
	}
	var out []string
	_ = fs.WalkDir(p.FS, dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || len(out) >= maxEntries {
			return fs.SkipAll
		}
		if e.IsDir() {
			if e.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		if _, ok := dts.LanguageOf(name); !ok || !strings.HasPrefix(name, pre) {
			return nil
		}
		for _, s := range posts {
			if rest, ok := strings.CutSuffix(name[len(pre):], s); ok && rest != "" {
				// For the key "./*" with the target "./*", the file is imported by its
				// name.
				if s == "" {
					rest = importName(rest)
				}
				out = append(out, rest)
				break
			}
		}
		return nil
	})
	return out
}

// importName returns the name by which the file of a declaration is imported.
func importName(name string) string {
	for _, e := range [...][2]string{{".d.ts", ".js"}, {".d.mts", ".mjs"}, {".d.cts", ".cjs"}} {
		if s, ok := strings.CutSuffix(name, e[0]); ok {
			return s + e[1]
		}
	}
	return name
}
