package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/check/apart"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
	"github.com/docent-mcp/docent/internal/store"
)

// rustManifest is the Cargo.toml of the project whose crates are measured.
const rustManifest = `[package]
name = "bench"
version = "0.0.0"
edition = "2021"
[dependencies]
tokio = { version = "1", features = ["full"] }
windows-sys = { version = "0.61", features = ["Win32_Foundation", "Win32_UI_WindowsAndMessaging"] }
[workspace]
`

// rustCrates are the measured crates, by their names in code.
var rustCrates = []string{"tokio", "windows_sys"}

// fetched is a crate that cargo has fetched.
type fetched struct {
	name, version, dir string
	features           []string // all declared features
}

// benchRust measures crates that cargo fetches. If cargo or its registry is not
// available, it prints a note.
func benchRust(ctx context.Context, dir, docent string, cacheDir cache, runs int) error {
	if _, err := exec.LookPath("cargo"); err != nil {
		fmt.Println("\nRust crates: skipped, because cargo is not installed")
		return nil
	}
	app := filepath.Join(dir, "rust")
	crates, err := fetchCrates(ctx, app)
	if err != nil {
		fmt.Printf("\nRust crates: skipped, because cargo did not fetch them: %.300s\n", err)
		return nil
	}
	fmt.Println()
	t := newTable()
	if err := errors.Join(
		describes(ctx, t, app, docent, cacheDir, runs, "rust", rustCrates, "30 ms"),
		served(ctx, t, app, docent, runs, "rust", rustCrates),
		cargoDoc(ctx, t, app, crates),
	); err != nil {
		return err
	}
	for _, name := range rustCrates {
		if err := errors.Join(
			memory(ctx, t, app, docent, cacheDir, "200 MB", "describe", "rust", name),
			memory(ctx, t, app, docent, cacheDir, "200 MB", "search", "rust", name, "wait for a window"),
		); err != nil {
			return err
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	fmt.Fprintln(t, "on one core, by processor time:\t\t\t\t")
	for i := range crates {
		if err := errors.Join(sources(ctx, t, &crates[i], runs), stored(ctx, t, dir, app, &crates[i], runs)); err != nil {
			return err
		}
	}
	return t.Flush()
}

func cargoIn(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "cargo", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("cargo %s: %w: %s", args[0], err, failed.Stderr)
	}
	return out, err
}

// fetchCrates creates the project and makes cargo fetch its dependencies.
func fetchCrates(ctx context.Context, app string) ([]fetched, error) {
	if err := errors.Join(
		os.MkdirAll(filepath.Join(app, "src"), 0o750),
		os.WriteFile(filepath.Join(app, "Cargo.toml"), []byte(rustManifest), 0o600),
		os.WriteFile(filepath.Join(app, "src", "lib.rs"), nil, 0o600),
	); err != nil {
		return nil, err
	}
	if _, err := cargoIn(ctx, app, "fetch"); err != nil {
		return nil, err
	}
	out, err := cargoIn(ctx, app, "metadata", "--format-version", "1")
	if err != nil {
		return nil, err
	}
	var m struct {
		Packages []struct {
			Name, Version string
			ManifestPath  string `json:"manifest_path"`
			Features      map[string][]string
		}
	}
	if err := json.Unmarshal(out, &m); err != nil {
		return nil, err
	}
	var all []fetched
	for _, p := range m.Packages {
		if slices.Contains(rustCrates, strings.ReplaceAll(p.Name, "-", "_")) {
			all = append(all, fetched{name: p.Name, version: p.Version, dir: filepath.Dir(p.ManifestPath), features: slices.Sorted(maps.Keys(p.Features))})
		}
	}
	return all, nil
}

// cargoDoc measures one run of cargo doc for the crates themselves, after their dependencies were
// checked.
func cargoDoc(ctx context.Context, t table, app string, crates []fetched) error {
	for i := range crates {
		start := time.Now()
		_, err := cargoIn(ctx, app, "doc", "--no-deps", "--quiet", "-p", crates[i].name, "--target-dir", filepath.Join(app, "doc-"+crates[i].name))
		if err != nil {
			return err
		}
		t.times("cargo doc --no-deps -p "+crates[i].name+", nothing built before", []time.Duration{time.Since(start)}, "")
	}
	return nil
}

// sources measures two times for a crate, in bytes of its sources: the time to parse the sources
// into items, and the time to make the symbols of all its modules with signatures, comments and
// implementations. All features are enabled.
func sources(ctx context.Context, t table, c *fetched, runs int) error {
	dir := os.DirFS(c.dir)
	files, size, err := readFiles(dir, "src", withSuffix(".rs"))
	if err != nil {
		return err
	}
	src := &crate.Source{
		Name: strings.ReplaceAll(c.name, "-", "_"), Package: c.name, FS: dir, Dir: c.dir, Lib: "src/lib.rs", Edition: "2021",
		Features: c.features, Declared: c.features, Target: "x86_64-unknown-linux-gnu",
	}
	none := func(*crate.Source, string) (*crate.Source, error) { return nil, fs.ErrNotExist }
	var items, declarations []time.Duration
	for range runs {
		runtime.GC()
		start := apart.ProcessorTime()
		for _, text := range files {
			source.Parse(text)
		}
		items = append(items, apart.ProcessorTime()-start)
		runtime.GC()
		start = apart.ProcessorTime()
		if _, err := crate.All(ctx, src, none); err != nil {
			return err
		}
		declarations = append(declarations, apart.ProcessorTime()-start)
	}
	what := fmt.Sprintf("sources of %s (%.1f MB) to ", c.name, float64(size)/1e6)
	t.rates(what+"items", size, items, "200 MB/s")
	t.rates(what+"the symbols of all modules, files opened", size, declarations, "")
	return nil
}

// stored measures the steps from a .crate on disk to a package in the store: hashing, unpacking,
// reading, encoding and writing. The rate counts all files in it. Garbage is not collected, as in a
// command that answers one query.
func stored(ctx context.Context, t table, dir, app string, c *fetched, runs int) error {
	home, err := os.MkdirTemp(dir, "cargo")
	if err != nil {
		return err
	}
	// CARGO_HOME/registry/src/INDEX/NAME-VERSION; the .crate is in cache/INDEX.
	index, registry := filepath.Dir(c.dir), filepath.Dir(filepath.Dir(filepath.Dir(c.dir)))
	if err := errors.Join(
		os.MkdirAll(filepath.Join(home, "registry"), 0o750),
		os.Symlink(filepath.Join(registry, "cache"), filepath.Join(home, "registry", "cache")),
		os.Symlink(filepath.Join(registry, "index"), filepath.Join(home, "registry", "index")),
	); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(registry, "cache", filepath.Base(index), c.name+"-"+c.version+".crate"))
	if err != nil {
		return err
	}
	files, err := archive.ReadTarGz(data, archive.Options{StripFirst: true})
	if err != nil {
		return err
	}
	var size int64
	for name := range files.Files {
		info, err := fs.Stat(files, name)
		if err != nil {
			return err
		}
		size += info.Size()
	}
	cacheDir := cache(filepath.Join(home, "docent"))
	var took time.Duration
	ask := func() error {
		s := store.New(ecosystem.Languages{
			rust.New(ecosystem.Options{Env: []string{"HOME=" + home, "CARGO_HOME=" + home}, Cache: cacheDir.open(), Offline: true}),
		}, store.Options{Cache: cacheDir.open()})
		start := apart.ProcessorTime()
		p, err := s.Describe(ctx, string(rust.ID), ecosystem.Query{Package: c.name, ProjectDir: app})
		took = apart.ProcessorTime() - start
		if err == nil && (p.Provenance.Source != "cargo registry" || !strings.HasSuffix(p.Provenance.Location, ".crate")) {
			err = fmt.Errorf("%s was read from %s", c.name, p.Provenance.Location)
		}
		return err
	}
	if err := cacheDir.settle(ask); err != nil {
		return fmt.Errorf("from the .crate of %s: %w", c.name, err)
	}
	var times []time.Duration
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for range runs {
		runtime.GC() // Free the memory of the previous run.
		if err := errors.Join(cacheDir.forget(), ask()); err != nil {
			return err
		}
		times = append(times, took)
	}
	t.rates(fmt.Sprintf("from the .crate of %s to the package on disk, by %.1f MB of all files in it", c.name, float64(size)/1e6), size, times, "60 MB/s")
	return nil
}
