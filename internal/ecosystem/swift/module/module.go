// Package module reads the documentation of Swift packages from their sources. It
// joins the declarations of a module across files, and treats extensions,
// conformances and conditions like the compiler. It never runs or builds
// anything.
package module

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"strings"
)

// Target is a target of a package, which is a module.
type Target struct {
	// Name is the name of the target. C99Name is the name of the module if it
	// differs, such as "swift_nio" for "swift-nio".
	Name, C99Name string
	// Dir is the directory of the sources, relative to the root of the package,
	// with forward slashes.
	Dir string
	// Files are the sources and the files of DocC catalogues, relative to the
	// root of the package, without files that the manifest excludes. For a C
	// target, they are the public headers.
	Files []string
	// Products are the library products that contain the target, in the order of
	// the manifest. If a target has no products, only the parts that others refer
	// to are read.
	Products []string
	// C is true for a C, C++ or Objective-C target.
	C bool
	// Macro is true for a target that implements macros.
	Macro bool
	// Defines are the conditions that the manifest defines for the target on
	// Package.Platform. Features are the names of experimental and upcoming
	// features. They include definitions of availability macros, in the form used
	// in the manifest: "AvailabilityMacro=Stdlib 6.2: macOS 26.0, iOS 26.0".
	Defines, Features []string
	// Dependencies are the names of targets of the package, and of modules of
	// other packages, that the target may import.
	Dependencies []string
}

// Package is a package with the location of its files and the options for
// compiling it.
type Package struct {
	// Root is the root directory of the package.
	Root fs.FS
	// Name is the identity of the package, such as "swift-nio", and Version is its version.
	Name, Version string
	// Module is the module whose symbols Read returns. If it is empty, Read
	// chooses the module of the package's main product.
	Module string
	// Targets are the targets in library products and their dependencies, in the
	// order of the manifest.
	Targets []Target
	// Platform is the operating system and the architecture, in the terms of
	// Swift's conditions or of Go, such as "Linux/x86_64", "macOS/arm64" or
	// "linux/amd64".
	Platform string
	// Swift is the language version, such as "6", and Compiler is the compiler
	// version, such as "6.3.1". Empty means the newest.
	Swift, Compiler string
	// Traits are the enabled traits, which conditions can test.
	Traits []string
	// Release is true if the condition DEBUG does not hold.
	Release bool
	// Own is true for the user's own package. Its declarations with package
	// access are shown.
	Own bool
	// Import returns the package that contains a module of a dependency, or nil
	// if its sources are not available. It is called for modules that are
	// re-exported. Import itself may be nil.
	Import func(module string) *Package
}

// open reads the sources of a module and of the modules of the package that it
// depends on.
func open(ctx context.Context, p Package) (*reading, error) {
	w := newWorld(ctx, p)
	u := w.unitNamed(p.Module)
	if p.Module == "" {
		u = w.mainUnit()
	}
	if u == nil {
		return nil, fmt.Errorf("the Swift package %s has no module %s: %w", p.Name, p.Module, fs.ErrNotExist)
	}
	return w.open(u)
}

// unitNamed returns the module with the given name, or else the module of the target with
// that name. It returns nil if there is none.
func (w *world) unitNamed(name string) *unit {
	if u := w.units[name]; u != nil {
		return u
	}
	for i := range w.p.Targets {
		if t := &w.p.Targets[i]; t.Name == name {
			return w.units[t.module()]
		}
	}
	return nil
}

// open reads a module and the modules of the package that it depends on.
func (w *world) open(u *unit) (*reading, error) {
	if err := w.load(u.name); err != nil {
		return nil, fmt.Errorf("read the Swift module %s: %w", u.name, err)
	}
	r := &reading{w: w, unit: u, shown: u.shown(), sees: u.reachable()}
	var fresh []*unit
	for _, x := range r.sees {
		if x.collected {
			continue
		}
		x.collected = true
		fresh = append(fresh, x)
		if err := x.collect(); err != nil {
			return nil, fmt.Errorf("read the Swift module %s: %w", u.name, err)
		}
	}
	w.bind(fresh)
	r.pick()
	if err := w.ctx.Err(); err != nil {
		return nil, fmt.Errorf("read the Swift module %s: %w", u.name, err)
	}
	return r, nil
}

// mainUnit returns the module to show by default: the module of the product with
// the package's name, or else the first module.
func (w *world) mainUnit() *unit {
	var first *unit
	for i := range w.p.Targets {
		t := &w.p.Targets[i]
		u := w.units[t.module()]
		if u == nil || len(t.Products) == 0 {
			continue
		}
		first = cmp.Or(first, u)
		if alike(t.Name, w.p.Name) {
			return u
		}
	}
	return first
}

// alike reports whether the name of a module is similar to the name of a package,
// such as NIO and swift-nio.
func alike(module, name string) bool {
	plain := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r == '-' || r == '_' || r == '.' {
				return -1
			}
			return r
		}, strings.TrimPrefix(strings.ToLower(s), "swift-"))
	}
	return plain(module) == plain(name)
}
