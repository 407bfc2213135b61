package main

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/store"
)

// readFiles reads the files below root whose names include accepts. size is the sum of their sizes
// in bytes.
func readFiles(dir fs.FS, root string, include func(name string) bool) (files []string, size int64, err error) {
	err = fs.WalkDir(dir, root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !include(name) {
			return err
		}
		text, err := fs.ReadFile(dir, name)
		files, size = append(files, string(text)), size+int64(len(text))
		return err
	})
	return files, size, err
}

// withSuffix returns a function that accepts names with one of these endings.
func withSuffix(endings ...string) func(name string) bool {
	return func(name string) bool {
		return slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(name, ending) })
	}
}

// declared accepts the names of declaration files.
var declared = withSuffix(".d.ts", ".d.mts", ".d.cts")

// declarations measures how fast declaration files are parsed, with all
// signatures printed and all comments converted to Markdown, in bytes of the
// files.
func declarations(t table, app, name string, runs int) error {
	dir := os.DirFS(filepath.Join(app, "node_modules", filepath.FromSlash(name)))
	files, size, err := readFiles(dir, ".", declared)
	if err != nil {
		return err
	}
	var times []time.Duration
	for range runs {
		start := time.Now()
		for _, src := range files {
			f, err := dts.Parse(src, dts.Declarations)
			if err != nil {
				return err
			}
			everything(f, f.Root)
		}
		times = append(times, time.Since(start))
	}
	t.rates(fmt.Sprintf("declarations of %s (%.1f MB) to signatures and comments", name, float64(size)/1e6), size, times, "150 MB/s")
	return nil
}

// everything renders all signatures and comments of a file.
func everything(f *dts.File, n *dts.Node) {
	for c := range n.Children() {
		if c.Kind >= dts.Variable && c.Kind <= dts.Namespace || c.IsMember() {
			c.Signature()
			dts.ReadDoc(f.Doc(c))
		}
		switch c.Kind {
		case dts.Class, dts.Interface, dts.Enum, dts.Namespace, dts.Global:
			everything(f, c)
		}
	}
}

// wholeWay measures the steps from a tarball on disk to a package in the store: hashing, unpacking,
// reading, encoding and writing. The rate is given for the declaration text of the tarball, and
// then for all of its content. Dependencies are read but not counted. The first figure is without
// garbage collection, as in a command that answers one query within 64 MiB. The second includes the
// cost of the collector on a nearly empty heap.
func wholeWay(ctx context.Context, t table, dir, app, name string, runs int) error {
	project, err := os.MkdirTemp(dir, "locked")
	if err != nil {
		return err
	}
	cacheDir := cache(filepath.Join(project, "cache"))
	data, err := lock(ctx, dir, app, name, project, cacheDir.open())
	if err != nil {
		return err
	}
	text, all, err := contents(data)
	if err != nil {
		return err
	}
	var took time.Duration
	ask := func() error {
		s := store.New(ecosystem.Languages{
			npm.New(ecosystem.Options{Env: []string{"HOME=" + project}, Cache: cacheDir.open(), Offline: true}), // An empty environment excludes the user's own caches.
		}, store.Options{Cache: cacheDir.open()})
		start := time.Now()
		p, err := s.Describe(ctx, string(npm.ID), ecosystem.Query{Package: name, ProjectDir: project})
		took = time.Since(start)
		if err == nil && p.Provenance.Source != "registry" {
			err = fmt.Errorf("%s was read from %s", name, p.Provenance.Source)
		}
		return err
	}
	if err := cacheDir.settle(ask); err != nil {
		return fmt.Errorf("from the tarball of %s: %w", name, err)
	}
	measure := func() (times []time.Duration, err error) {
		for range runs {
			runtime.GC() // Free the memory of the previous run.
			if err := errors.Join(cacheDir.forget(), ask()); err != nil {
				return nil, err
			}
			times = append(times, took)
		}
		return times, nil
	}
	collected, err := measure()
	if err != nil {
		return err
	}
	percent := debug.SetGCPercent(-1)
	times, err := measure()
	debug.SetGCPercent(percent)
	if err != nil {
		return err
	}
	what := "from the tarball of " + name + " to the package on disk, by "
	t.rates(fmt.Sprintf("%s%.1f MB of declarations in it", what, float64(text)/1e6), text, times, "50 MB/s")
	t.rates(fmt.Sprintf("%s%.1f MB of all files in it", what, float64(all)/1e6), all, times, "")
	t.rates(fmt.Sprintf("%s%.1f MB of declarations in it, collecting garbage all the while", what, float64(text)/1e6), text, collected, "")
	return nil
}

// lock creates a project whose lock file lists a package that is installed in
// app and its dependencies, and a cache with their tarballs. It returns the
// tarball of the package.
func lock(ctx context.Context, dir, app, name, project string, tarballs *cachedir.Cache) (data []byte, err error) {
	type locked struct {
		Version      string            `json:"version"`
		Integrity    string            `json:"integrity"`
		Dependencies map[string]string `json:"dependencies,omitempty"`
	}
	var file struct {
		LockfileVersion int               `json:"lockfileVersion"`
		Packages        map[string]locked `json:"packages"`
	}
	raw, err := os.ReadFile(filepath.Join(app, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, err
	}
	installed := file.Packages
	file.Packages = map[string]locked{}
	for names := []string{name}; len(names) > 0; names = names[1:] {
		place := "node_modules/" + names[0]
		p, ok := installed[place]
		if _, known := file.Packages[place]; known || !ok {
			continue
		}
		tgz, err := pack(ctx, dir, names[0]+"@"+p.Version)
		if err != nil {
			return nil, err
		}
		if data == nil {
			data = tgz
		}
		sum := sha512.Sum512(tgz)
		p.Integrity = "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
		file.Packages[place] = p
		err = tarballs.Write("npm/tarballs/sha512-"+hex.EncodeToString(sum[:])+".tgz", func(f *os.File) error {
			_, err := f.Write(tgz)
			return err
		})
		if err != nil {
			return nil, err
		}
		names = slices.AppendSeq(names, maps.Keys(p.Dependencies))
	}
	if data == nil {
		return nil, fmt.Errorf("%s is not installed", name)
	}
	raw, err = json.Marshal(file)
	if err != nil {
		return nil, err
	}
	return data, errors.Join(
		os.WriteFile(filepath.Join(project, "package-lock.json"), raw, 0o600),
		os.WriteFile(filepath.Join(project, "package.json"),
			fmt.Appendf(nil, `{"name": "app", "dependencies": {%q: %q}}`, name, installed["node_modules/"+name].Version), 0o600),
	)
}

// pack downloads the tarball of a package, name@version.
func pack(ctx context.Context, dir, what string) ([]byte, error) {
	to, err := os.MkdirTemp(dir, "tarball")
	if err != nil {
		return nil, err
	}
	if err := runNPM(ctx, to, "pack", "--loglevel=error", what); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(to, "*.tgz"))
	if err != nil || len(files) != 1 {
		return nil, fmt.Errorf("npm pack %s made no tarball", what)
	}
	return os.ReadFile(files[0])
}

// contents returns the size of the declarations and of all files in a tarball,
// in bytes.
func contents(tgz []byte) (text, all int64, err error) {
	files, err := archive.ReadTarGz(tgz, archive.Options{StripFirst: true})
	if err != nil {
		return 0, 0, err
	}
	for name := range files.Files {
		info, err := fs.Stat(files, name)
		if err != nil {
			return 0, 0, err
		}
		all += info.Size()
		if declared(name) {
			text += info.Size()
		}
	}
	return text, all, nil
}
