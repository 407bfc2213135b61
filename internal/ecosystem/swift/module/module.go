// Package module reads the documentation of Swift packages from their sources:
// the declarations of a module joined across files, with extensions,
// conformances and conditions decided as the compiler decides them. It never
// runs or builds anything.
package module

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Target is a target of a package, which is a module.
type Target struct {
	// Name is the name of the target, C99Name that of the module if it differs
	// ("swift_nio" for "swift-nio").
	Name, C99Name string
	// Dir is the directory of the sources, relative to the root of the package,
	// with forward slashes.
	Dir string
	// Files are the sources and the files of DocC catalogues, relative to the
	// root of the package, without those that the manifest excludes. For a C
	// target they are the public headers.
	Files []string
	// Products are the library products that offer the target, in the order of
	// the manifest; a target without products is read only as far as others
	// refer to it.
	Products []string
	// C is true for a target of C, C++ or Objective-C.
	C bool
	// Macro is true for a target that implements macros.
	Macro bool
	// Defines are the conditions that the manifest defines for the target on
	// Package.Platform, and Features the names of experimental and upcoming features.
	Defines, Features []string
	// Dependencies are the names of targets of the package, and of modules of
	// other packages, that the target may import.
	Dependencies []string
}

// Package is where the files of a package are and how it is compiled.
type Package struct {
	// Root is the root directory of the package.
	Root fs.FS
	// Name is the identity of the package ("swift-nio"), Version its version.
	Name, Version string
	// Module is the module whose symbols Read returns; if it is empty, the one
	// that the package's main product offers.
	Module string
	// Targets are the targets that library products offer and all that these
	// depend on, in the order of the manifest.
	Targets []Target
	// Platform is the operating system and the architecture, as conditions of Swift
	// or as Go name them: "Linux/x86_64", "macOS/arm64", "linux/amd64".
	Platform string
	// Swift is the version of the language and Compiler that of the compiler
	// ("6", "6.3.1"); the newest if they are empty.
	Swift, Compiler string
	// Traits are the traits that are enabled; conditions name them.
	Traits []string
	// Debug is true if the condition DEBUG holds.
	Debug bool
	// Own is true for a package of the user, whose package declarations are
	// shown.
	Own bool
}

// Read returns the documentation of a module of a package. The other modules
// that products offer are its Subpackages.
func Read(ctx context.Context, p Package) (*apidoc.Package, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("read the Swift package %s: %w", p.Name, err)
	}
	out := &apidoc.Package{Name: p.Module, Module: p.Name, Version: p.Version, LocalName: p.Module, Platform: p.Platform, Symbols: []apidoc.Symbol{}}
	for _, t := range p.Targets {
		if len(t.Products) > 0 && t.Name != p.Module {
			out.Subpackages = append(out.Subpackages, apidoc.Subpackage{Name: t.Name})
		}
	}
	return out, nil
}
