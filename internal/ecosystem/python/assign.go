package python

import (
	"bytes"
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// Python code can assign attributes to any object, so an attribute that a class does not declare is
// absent only if no code assigns it.

const (
	// maxAssignFiles is the maximum number of files that are searched for assignments.
	maxAssignFiles = 100_000
	// maxAssignBytes is the maximum size, in bytes, of these files together.
	maxAssignBytes = 1 << 30
	// maxAssignFile is the maximum size, in bytes, of one of them.
	maxAssignFile = 8 << 20
)

var _ ecosystem.Assigner = (*Python)(nil)

// MayAssign implements ecosystem.Assigner. It searches the project, the packages that are installed
// in its environment, and the standard library.
func (py *Python) MayAssign(ctx context.Context, dir string, m ecosystem.Member) bool {
	f, err := py.newFinder(ctx, question{name: "sys", project: dir, platform: defaultPlatform()})
	if err != nil || f.env == nil || f.env.stdlib == "" || dir == "" {
		return true
	}
	name := regexp.QuoteMeta(m.Name)
	const start, end = `(?:`, `)`
	assigned := `\.` + name + `[ \t]*(?::[^=\n]*)?=[^=]|\.` + name + `[ \t]*[,)\]][^=\n(]*=[^=]|\b(?:as|for)\b[^\n]*\.` + name + `\b|setattr\([^,\n]+,\s*["']` + name + `["']`
	quoted := `["']` + name + `["']`
	declared := `\bdef[ \t]+` + name + `\b|\bclass[ \t]+` + name + `\b|\b` + name + `[ \t]*[:=]`
	near, far := assigned+`|`+quoted, assigned // patterns for the project and the package itself, and for other code
	if m.Value != ecosystem.Result {
		near += `|` + declared // by a class that inherits from the type
	}
	if m.Value == ecosystem.Derived {
		far = near // by another base of such a class
	}
	a := &assignments{ctx: ctx, name: []byte(m.Name)}
	if a.near, err = regexp.Compile(start + near + end); err != nil {
		return true
	}
	if a.far, err = regexp.Compile(start + far + end); err != nil {
		return true
	}
	if a.search(rootfs.New(dir), "") {
		return true
	}
	top, _, _ := strings.Cut(m.Package, ".")
	dirs := append([]string{f.env.stdlib}, f.env.site...)
	for _, dir := range dirs { // most assignments are in the package itself
		if own := filepath.Join(dir, top); project.IsDir(own) && a.search(rootfs.New(own), "") {
			return true
		}
	}
	for _, dir := range dirs {
		if project.IsDir(dir) && a.search(rootfs.New(dir), top) {
			return true
		}
	}
	return !a.met
}

// assignments searches code for assignments of an attribute.
type assignments struct {
	ctx       context.Context
	name      []byte
	near, far *regexp.Regexp
	met       bool // whether the package of the type was searched
	files     int
	bytes     int64
}

// search reports whether a file below a directory may assign the attribute or cannot be read. top
// is the name of the module whose code is near, or "" for all.
func (a *assignments) search(fsys fs.FS, top string) (found bool) {
	_ = fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch base := path.Base(name); {
		case a.ctx.Err() != nil || a.files >= maxAssignFiles || a.bytes >= maxAssignBytes:
			found = true
			return fs.SkipAll
		case err != nil:
			found = true
			return fs.SkipAll
		case name == ".":
			return nil
		case entry.IsDir():
			if _, err := fs.Stat(fsys, path.Join(name, "pyvenv.cfg")); err == nil || strings.HasPrefix(base, ".") || base == "node_modules" || base == "__pycache__" || base == "site-packages" || base == "test" && top != "" && !strings.Contains(name, "/") {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(base, ".py") && !strings.HasSuffix(base, ".pyi") && !strings.HasSuffix(base, notebookExtension):
			return nil
		}
		first, _, _ := strings.Cut(name, "/")
		isNear := top == "" || first == top || first == top+".py"
		a.met = a.met || isNear && top != ""
		a.files++
		data, err := project.ReadFS(fsys, name, maxAssignFile)
		if err != nil {
			found = true // it is not known what the file assigns
			return fs.SkipAll
		}
		a.bytes += int64(len(data))
		expression := a.far
		if isNear {
			expression = a.near
		}
		if bytes.Contains(data, a.name) && expression.Match(data) {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}
