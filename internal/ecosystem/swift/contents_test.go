package swift

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/filetest"
)

// top returns the sorted paths of a package's symbols.
func top(p *apidoc.Package) string {
	all := make([]string, len(p.Symbols))
	for i := range p.Symbols {
		all[i] = p.Symbols[i].Path
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// TestTargets_Files checks which files of a package belong to its module.
func TestTargets_Files(t *testing.T) {
	source := func(names ...string) map[string]string {
		files := map[string]string{}
		for _, name := range names {
			base := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
			files[name] = "public func " + base + "() {}\n"
		}
		return files
	}
	for name, tt := range map[string]struct {
		products, target string
		files            map[string]string
		want             string
	}{
		"all files of a directory": {
			`.library(name: "K", targets: ["K"])`, `.target(name: "K")`,
			source("Sources/K/a.swift", "Sources/K/Deep/Deeper/b.swift", "Sources/K/.hidden/c.swift", "Sources/Other/d.swift", "Tests/K/e.swift", "Sources/K/f.txt"), "a() b()",
		},
		"excluded files and directories": {
			`.library(name: "K", targets: ["K"])`, `.target(name: "K", exclude: ["Deep", "b.swift", "./Info/x.swift"])`,
			source("Sources/K/a.swift", "Sources/K/b.swift", "Sources/K/Deep/c.swift", "Sources/K/Info/x.swift", "Sources/K/Info/y.swift", "Sources/K/Deeper/z.swift"), "a() y() z()",
		},
		"chosen files and directories": {
			`.library(name: "K", targets: ["K"])`, `.target(name: "K", path: "Code", exclude: ["One/c.swift"], sources: ["One", "b.swift", "gone.swift"])`,
			source("Code/a.swift", "Code/b.swift", "Code/One/c.swift", "Code/One/d.swift"), "b() d()",
		},
		"sources without a directory of the target": {
			`.library(name: "K", targets: ["K"])`, `.target(name: "K")`, source("Sources/a.swift", "Sources/Deep/b.swift"), "a() b()",
		},
		"a name that is no identifier": {
			`.library(name: "k-kit", targets: ["k-kit"])`, `.target(name: "k-kit")`, source("Sources/k-kit/a.swift"), "a()",
		},
		"an automatic library": {
			`.library(name: "Other", type: .static, targets: ["K"])`, `.target(name: "K", dependencies: ["Inner"]), .target(name: "Inner")`,
			source("Sources/K/a.swift", "Sources/Inner/b.swift"), "a()",
		},
		"headers": {
			`.library(name: "K", targets: ["K"])`, `.target(name: "K", publicHeadersPath: "api")`,
			map[string]string{"Sources/K/api/k.h": "int k_open(void);\n", "Sources/K/include/no.h": "int no(void);\n", "Sources/K/private.h": "int no2(void);\n", "Sources/K/k.c": "int k_open(void) { return 1; }\n"}, "k_open",
		},
		"headers of a system library": {
			`.library(name: "K", targets: ["K"])`, `.systemLibrary(name: "K")`,
			map[string]string{"Sources/K/module.modulemap": "module K [system] { header \"shim.h\" link \"k\" }\n", "Sources/K/shim.h": "#define K_LIMIT 3\nint k_shim(void);\n"}, "K_LIMIT k_shim",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			files := tt.files
			files["Package.swift"] = fmt.Sprintf("// swift-tools-version: 5.9\nimport PackageDescription\nlet package = Package(name: \"K\", products: [%s], targets: [%s])\n", tt.products, tt.target)
			filetest.Write(t, w.project, files)
			p, err := w.describe(w.project, "")
			got := ""
			if err == nil {
				got = top(p)
			}
			if got != tt.want {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

// TestPackages_WithoutALibrary checks what is said about packages that offer programs,
// plugins and binaries only.
func TestPackages_WithoutALibrary(t *testing.T) {
	for name, tt := range map[string]struct {
		products, targets, warning string
		command                    bool
	}{
		"a program":          {`.executable(name: "fly", targets: ["fly"])`, `.executableTarget(name: "fly"), .executableTarget(name: "tool")`, "The package does not contain a library with sources. Programs: fly, tool.", true},
		"a plugin":           {`.plugin(name: "Format", targets: ["Format"])`, `.plugin(name: "Format", capability: .buildTool())`, "The package does not contain a library with sources. Plugins: Format.", true},
		"a binary framework": {`.library(name: "Kit", targets: ["Kit"])`, `.binaryTarget(name: "Kit", url: "https://host.example/Kit.zip", checksum: "00")`, "The package does not contain a library with sources. Libraries without sources: Kit.", false},
	} {
		w := newWorld(t)
		filetest.Write(t, w.project, map[string]string{"Package.swift": fmt.Sprintf(app, `.package(url: "`+kite+`", from: "1.0.0")`, "")})
		filetest.Write(t, filepath.Join(w.project, ".build/checkouts/swift-kite"), map[string]string{
			"Package.swift":          fmt.Sprintf("// swift-tools-version: 5.9\nimport PackageDescription\nlet package = Package(name: \"K\", products: [%s], targets: [%s])\n", tt.products, tt.targets),
			"Sources/fly/main.swift": "print(1)\n", "Sources/tool/main.swift": "print(2)\n", "Plugins/Format/p.swift": "struct P {}\n", "README.md": "# K\n\nFlies.\n",
		})
		p, err := w.describe("swift-kite", "")
		if err != nil || !advised(p, tt.warning) || p.Command != tt.command || len(p.Sections) == 0 {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

func TestPods_OfAllKinds(t *testing.T) {
	w := newWorld(t)
	location := w.server.URL + "/mona/flag"
	near := filepath.Join(t.TempDir(), "Near")
	filetest.Write(t, near, map[string]string{"Near.podspec": "Pod::Spec.new\n", "Classes/Near.swift": "public struct NearThing {}\n", "Example/App.swift": "public struct Example {}\n"})
	filetest.Write(t, w.project, map[string]string{
		"Podfile.lock": "PODS:\n  - Near (0.1.0)\n  - Flag (2.0.0)\n  - Kiln/Core (1.0.0)\n  - Kiln (1.0.0):\n    - Kiln/Core (= 1.0.0)\n\nDEPENDENCIES:\n  - Near (from `" + near + "`)\n  - Flag\n  - Kiln\n\n" +
			"EXTERNAL SOURCES:\n  Near:\n    :path: \"" + near + "/Near.podspec\"\n  Flag:\n    :git: " + location + ".git\n    :tag: 2.0.0\n\nCHECKOUT OPTIONS:\n  Flag:\n    :git: " + location + ".git\n    :commit: " + commitA + "\n\nCOCOAPODS: 1.15.2\n",
		"Pods/Kiln/Kiln/KilnZone.h": "/// A zone.\n@interface KilnZone : NSObject\n- (void)heat;\n@end\n", "Pods/Kiln/Kiln/KilnZone.m": "@implementation KilnZone\n@end\n", "Pods/Kiln/Tests/KilnTests.h": "@interface KilnTests\n@end\n",
	})
	w.files["/mona/flag/archive/"+commitA+".tar.gz"] = tarball(t, library("Flag", "Flag"))
	for name, want := range map[string]string{"Near": "workspace NearThing", "Kiln": "Pods KilnZone", "Flag": "git host FlagThing"} {
		p, err := w.describe(name, "")
		got := ""
		if err == nil {
			got = p.Provenance.Source + " " + top(p)
		}
		if got != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
}
