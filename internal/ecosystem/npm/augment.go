package npm

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// A TypeScript file can add members to the interfaces of a module: declare module "fastify" { … }.

// augmented matches the name of a module to whose types a file may add members, outside comments.
var augmented = lazyregexp.New(`(?m)^[ \t]*(?:export[ \t]+)?declare\s+module\s+(?:'([^'\n]+)'|"([^"\n]+)")`)

// declaredInterface matches the declaration of an interface.
var declaredInterface = lazyregexp.New(`(?m)^[ \t]*interface\s+(\w+)`)

// globalPrefix precedes the names of global interfaces among those of packages.
const globalPrefix = "global "

const (
	// maxTypeFiles is the maximum number of files that are searched for declarations of modules.
	maxTypeFiles = 200_000
	// maxTypeFile is the maximum size, in bytes, of such a file. The rest of a file is not searched.
	maxTypeFile = 4 << 20
)

// Extended implements ecosystem.Extender. It searches the project and the installed packages.
func (*NPM) Extended(ctx context.Context, dir string) map[string]bool {
	a := &augmentations{ctx: ctx, packages: map[string]bool{}}
	a.walk(rootfs.New(dir), ".", "")
	a.installed = true
	for {
		installed := rootfs.New(filepath.Join(dir, "node_modules"))
		if _, err := fs.Stat(installed, "."); err == nil {
			a.walk(installed, ".", "")
		}
		above := filepath.Dir(dir)
		if above == dir {
			break
		}
		dir = above
	}
	if a.files >= maxTypeFiles || ctx.Err() != nil {
		return nil
	}
	return a.packages
}

type augmentations struct {
	ctx       context.Context
	packages  map[string]bool
	files     int
	installed bool // whether the directory is node_modules, and not the project
}

// walk searches a directory, which belongs to the package with the given name, or to the project.
func (a *augmentations) walk(fsys fs.FS, dir, pkg string) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil || a.ctx.Err() != nil {
		return
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case a.files >= maxTypeFiles:
			return
		case e.IsDir():
			switch {
			case pkg == "" && dir == "." && e.Name() == "node_modules" || e.Name() == ".git":
			case a.installed || strings.Contains(name, "node_modules/"):
				a.walk(fsys, name, installedName(name))
			default:
				a.walk(fsys, name, "")
			}
		case e.Type().IsRegular() && isTypeScript(e.Name(), pkg != ""):
			a.files++
			a.search(fsys, name, pkg)
		}
	}
}

// installedName returns the name of the package to which a path below node_modules belongs.
func installedName(name string) string {
	if i := strings.LastIndex(name, "node_modules/"); i >= 0 {
		name = name[i+len("node_modules/"):]
	}
	return packageOf(name)
}

// isTypeScript reports whether a file may add members to types.
func isTypeScript(name string, installed bool) bool {
	switch path.Ext(name) {
	case ".ts", ".mts", ".cts":
		return !installed || strings.Contains(name, ".d.")
	case ".tsx", ".vue", ".svelte":
		return !installed
	}
	return false
}

// search records the packages whose modules a file declares. A package of types declares its own.
func (a *augmentations) search(fsys fs.FS, name, pkg string) {
	f, err := fsys.Open(name)
	if err != nil {
		return
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxTypeFile))
	if err != nil {
		return
	}
	if bytes.Contains(text, []byte("declare global")) {
		for _, m := range declaredInterface().FindAllSubmatch(text, -1) {
			a.packages[globalPrefix+string(m[1])] = true
		}
	}
	if !bytes.Contains(text, []byte("module")) {
		return
	}
	for _, m := range augmented().FindAllSubmatch(text, -1) {
		target := string(m[1]) + string(m[2])
		if strings.HasPrefix(target, ".") {
			target = pkg
		}
		target = packageOf(target)
		if target != strings.TrimPrefix(pkg, "@types/") || target == pkg {
			a.packages[target] = true
		}
	}
}
