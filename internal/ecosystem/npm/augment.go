package npm

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// augmenting matches a statement that can add members to interfaces which another file declares.
var augmenting = lazyregexp.New(`(?m)declare\s+(?:global\b|module\s+['"])`)

// globalInterface matches the declaration of an interface that is global in a script.
var globalInterface = lazyregexp.New(`(?m)^(?:declare[ \t]+)?(?:interface|namespace)\s`)

const (
	// maxTypeFiles is the maximum number of files that are searched for declarations of modules.
	maxTypeFiles = 200_000
	// maxTypeFile is the maximum size, in bytes, of such a file. The rest of a file is not searched.
	maxTypeFile = 4 << 20
)

// augmentations are the members that files add to interfaces of other files, as in declare global
// { … } and declare module "fastify" { … }.
type augmentations struct {
	ctx context.Context
	// members contains the names of the types that files add a member to, by the name of the member.
	members map[string]map[string]bool
	// bases contains the bases that files add to interfaces, by the name of the interface.
	bases map[string]map[string]bool
	// packages contains the names of the packages that declare the interfaces.
	packages  map[string]bool
	files     int
	installed bool // whether the directory is node_modules, and not the project
}

// augmentationsOf searches the project in dir and the installed packages. It returns nil if there
// are too many files.
func augmentationsOf(ctx context.Context, dir string) *augmentations {
	a := &augmentations{ctx: ctx, members: map[string]map[string]bool{}, bases: map[string]map[string]bool{}, packages: map[string]bool{}}
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
	return a
}

// Extended implements ecosystem.Extender. It searches the project and the installed packages.
func (*NPM) Extended(ctx context.Context, dir string) map[string]bool {
	a := augmentationsOf(ctx, dir)
	if a == nil {
		return nil
	}
	return a.packages
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
				if of := installedName(name); of != "@types/node" { // The reader loads these declarations.
					a.walk(fsys, name, of)
				}
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

// search records the members that a file adds to interfaces. A package of types declares its own.
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
	script := strings.Contains(name, ".d.") && (pkg == "" || strings.HasPrefix(pkg, "@types/")) && globalInterface().Match(text)
	if !script && (!bytes.Contains(text, []byte("declare")) || !augmenting().Match(text)) {
		return
	}
	source := string(text)
	language, ok := dts.LanguageOf(name)
	if !ok {
		source, language = scripts(source), dts.TypeScript
	}
	file, err := dts.Parse(source, language)
	if err != nil {
		return
	}
	for n := range file.Root.Children() {
		switch {
		case n.Kind == dts.Global:
			a.body(n)
		case n.Kind == dts.Namespace && strings.ContainsAny(n.Text[:1], `'"`):
			target := packageOf(n.Name())
			if strings.HasPrefix(target, ".") {
				target = pkg
			}
			if pkg == "" || "@types/"+target != pkg {
				a.packages[target] = true
				a.body(n)
			}
		case !file.Module && script:
			a.statement(n)
		}
	}
}

// body records the members of interfaces in a block.
func (a *augmentations) body(block *dts.Node) {
	for n := range block.Children() {
		a.statement(n)
	}
}

func (a *augmentations) statement(n *dts.Node) {
	switch n.Kind {
	case dts.Namespace:
		a.body(n)
		for m := range n.Children() { // A namespace adds static members to a class of the same name.
			if m.Kind != dts.Export {
				a.add(m.Name(), n.Name())
			}
			for exported := range m.All(dts.Specifier) {
				a.add(exported.Name(), n.Name())
			}
		}
	case dts.Interface:
		for m := range n.Children() {
			if m.Kind == dts.Extends {
				a.extend(n.Name(), m)
			} else if m.IsMember() {
				a.add(m.Name(), n.Name())
			}
		}
	}
}

// add records a member that a file adds to the type with the given name.
func (a *augmentations) add(member, name string) {
	if a.members[member] == nil {
		a.members[member] = map[string]bool{}
	}
	a.members[member][lastName(name)] = true
}

// extend records the bases of an interface.
func (a *augmentations) extend(name string, bases *dts.Node) {
	if a.bases[name] == nil {
		a.bases[name] = map[string]bool{}
	}
	for b := range bases.Children() {
		a.bases[name][lastName(b.Text)] = true
	}
}

// lastName returns the last part of a dotted name.
func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// mayAdd reports whether a file adds a member to the types with the given names, which include their
// bases. An empty name stands for any type.
func (a *augmentations) mayAdd(member string, types []string) bool {
	extended := a.members[member]
	if len(extended) > 0 && (len(types) == 0 || slices.Contains(types, "") || extended["Object"] || extended["Function"]) {
		return true
	}
	names := map[string]bool{}
	for _, name := range types {
		names[lastName(name)] = true
	}
	for name := range names {
		if extended[name] {
			return true
		}
		for base := range a.bases[name] {
			if !names[base] {
				return true
			}
		}
	}
	return false
}
