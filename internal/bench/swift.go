package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// swiftPackages are the packages that are measured if they are in SWIFT_CHECKOUTS, each with one of
// its modules.
var swiftPackages = []struct{ owner, name, module string }{
	{"apple", "swift-collections", "Collections"}, {"apple", "swift-nio", "NIOCore"}, {"swiftlang", "swift-syntax", "SwiftSyntax"},
}

// benchSwift measures the packages in the folder that SWIFT_CHECKOUTS specifies. If it is not set,
// benchSwift prints a note.
func benchSwift(ctx context.Context, dir, docent string, cacheDir cache, runs int) error {
	checkouts := os.Getenv("SWIFT_CHECKOUTS")
	if checkouts == "" {
		fmt.Println("\nSwift packages: skipped, because SWIFT_CHECKOUTS does not specify a folder with swift-collections, swift-nio and swift-syntax")
		return nil
	}
	app := filepath.Join(dir, "swift")
	if err := swiftProject(app, checkouts); err != nil {
		return err
	}
	fmt.Println()
	t := newTable()
	all := os.DirFS(checkouts)
	for _, p := range swiftPackages {
		if _, err := fs.Stat(all, p.name); err != nil {
			fmt.Fprintf(t, "%s: skipped, because it is not in SWIFT_CHECKOUTS\t\t\t\t\n", p.name)
			continue
		}
		modules := []string{p.module}
		if err := errors.Join(
			describes(ctx, t, app, docent, cacheDir, runs, "swift", modules, "30 ms"),
			served(ctx, t, app, docent, runs, "swift", modules),
			memory(ctx, t, app, docent, cacheDir, "150 MB", "describe", "swift", p.module),
			parsesSwift(t, all, p.name, runs),
		); err != nil {
			return err
		}
	}
	return t.Flush()
}

// swiftProject creates a project that has fetched the packages.
func swiftProject(app, checkouts string) error {
	type object = map[string]any
	var manifest strings.Builder
	var pins, fetched []object
	if err := os.MkdirAll(filepath.Join(app, ".build", "checkouts"), 0o750); err != nil {
		return err
	}
	for i, p := range swiftPackages {
		url := "https://github.com/" + p.owner + "/" + p.name
		state := object{"revision": strings.Repeat(fmt.Sprint(i+1), 40), "version": "1.0.0"}
		pins = append(pins, object{"identity": p.name, "kind": "remoteSourceControl", "location": url, "state": state})
		fetched = append(fetched, object{
			"packageRef": object{"identity": p.name, "kind": "remoteSourceControl", "location": url, "name": p.name},
			"state":      object{"checkoutState": state, "name": "sourceControlCheckout"}, "subpath": p.name,
		})
		fmt.Fprintf(&manifest, "  .package(url: %q, from: \"1.0.0\"),\n", url)
		from, err := filepath.Abs(filepath.Join(checkouts, p.name))
		if err == nil {
			err = os.Symlink(from, filepath.Join(app, ".build", "checkouts", p.name))
		}
		if err != nil {
			return err
		}
	}
	resolved, err := json.Marshal(object{"version": 2, "pins": pins})
	state, err2 := json.Marshal(object{"version": 6, "object": object{"artifacts": []string{}, "dependencies": fetched}})
	return errors.Join(err, err2,
		os.WriteFile(filepath.Join(app, "Package.swift"), []byte("// swift-tools-version:5.9\nimport PackageDescription\nlet package = Package(name: \"bench\", dependencies: [\n"+manifest.String()+"])\n"), 0o600),
		os.WriteFile(filepath.Join(app, "Package.resolved"), resolved, 0o600),
		os.WriteFile(filepath.Join(app, ".build", "workspace-state.json"), state, 0o600),
	)
}

// parsesSwift measures the time to parse the sources of a package into declarations,
// on one core, in bytes of the sources.
func parsesSwift(t table, all fs.FS, name string, runs int) error {
	files, size, err := readFiles(all, name+"/Sources", withSuffix(".swift"))
	if err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var times []time.Duration
	for range runs {
		runtime.GC()
		start := time.Now()
		for _, text := range files {
			documented(source.Parse("a.swift", text).Decls)
		}
		times = append(times, time.Since(start))
	}
	t.rates(fmt.Sprintf("sources of %s (%.1f MB) to declarations and comments, on one core", name, float64(size)/1e6), size, times, "200 MB/s")
	return nil
}

// documented cleans the comments of declarations.
func documented(decls []*source.Decl) {
	for _, d := range decls {
		if d.Comment != "" {
			d.Doc()
		}
		documented(d.Members)
	}
}
