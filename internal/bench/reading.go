package main

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/store"
)

// declared tells the declaration files of a package.
func declared(name string) bool {
	return strings.HasSuffix(name, ".d.ts") || strings.HasSuffix(name, ".d.mts") || strings.HasSuffix(name, ".d.cts")
}

// declarations measures how fast declaration files are read: parsed, every
// signature printed, every comment turned into Markdown. Their bytes count.
func declarations(t table, app, name string, runs int) error {
	var files [][]byte
	var size int64
	dir := os.DirFS(filepath.Join(app, "node_modules", filepath.FromSlash(name)))
	err := fs.WalkDir(dir, ".", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !declared(file) {
			return err
		}
		src, err := fs.ReadFile(dir, file)
		files, size = append(files, src), size+int64(len(src))
		return err
	})
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

// everything makes the signatures and comments of all that a file declares.
func everything(f *dts.File, n *dts.Node) {
	for c := n.First; c != nil; c = c.Next {
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

// wholeWay measures the way from a tarball on disk to the package kept by the
// store: hash, unpack, read, encode, write. The declaration text in the tarball
// counts, then all that is in it.
func wholeWay(ctx context.Context, t table, dir, app, name string, runs int) error {
	version, data, err := pack(ctx, dir, app, name)
	if err != nil {
		return err
	}
	text, all, err := contents(data)
	if err != nil {
		return err
	}
	// A project whose lock file names the tarball's hash, and a cache that has
	// the tarball.
	project, err := os.MkdirTemp(dir, "locked")
	if err != nil {
		return err
	}
	sum := sha512.Sum512(data)
	kept := cache(filepath.Join(project, "cache"))
	for file, content := range map[string][]byte{
		filepath.Join(string(kept), "npm", "tarballs", "sha512-"+hex.EncodeToString(sum[:])+".tgz"): data,
		filepath.Join(project, "package.json"):                                                      fmt.Appendf(nil, `{"name": "app", "dependencies": {%q: %q}}`, name, version),
		filepath.Join(project, "package-lock.json"): fmt.Appendf(nil, `{"lockfileVersion": 3, "packages": {%q: {"version": %q, "integrity": "sha512-%s"}}}`,
			"node_modules/"+name, version, base64.StdEncoding.EncodeToString(sum[:])),
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return err
		}
	}
	var took time.Duration
	ask := func() error {
		s := store.New(map[apidoc.Ecosystem]ecosystem.Ecosystem{
			apidoc.NPM: npm.New(npm.Options{Env: []string{"HOME=" + project}, CacheDir: string(kept), Offline: true}), // the user's own caches are not asked
		}, store.Options{Dir: kept.packages()})
		start := time.Now()
		p, err := s.Describe(ctx, apidoc.NPM, ecosystem.Query{Package: name, ProjectDir: project})
		took = time.Since(start)
		if err == nil && p.Provenance.Source != "registry" {
			err = fmt.Errorf("%s was read of %s", name, p.Provenance.Source)
		}
		return err
	}
	if err := kept.settle(ask); errors.Is(err, errNotKept) {
		fmt.Fprintf(os.Stderr, "bench: %s is left out of the way from tarball to disk: %v\n", name, err)
		return nil
	} else if err != nil {
		return err
	}
	var times []time.Duration
	for range runs {
		if err := errors.Join(kept.forget(), ask()); err != nil {
			return err
		}
		times = append(times, took)
	}
	what := "from the tarball of " + name + " to the package on disk, by "
	t.rates(fmt.Sprintf("%s%.1f MB of declarations in it", what, float64(text)/1e6), text, times, "50 MB/s")
	t.rates(fmt.Sprintf("%s%.1f MB of all files in it", what, float64(all)/1e6), all, times, "")
	return nil
}

// pack fetches the tarball of a package that is installed.
func pack(ctx context.Context, dir, app, name string) (version string, data []byte, err error) {
	var manifest struct{ Version string }
	raw, err := os.ReadFile(filepath.Join(app, "node_modules", filepath.FromSlash(name), "package.json"))
	if err != nil {
		return "", nil, err
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		return "", nil, err
	}
	to, err := os.MkdirTemp(dir, "tarball")
	if err != nil {
		return "", nil, err
	}
	if err := runNPM(ctx, to, "pack", "--loglevel=error", name+"@"+manifest.Version); err != nil {
		return "", nil, err
	}
	files, err := filepath.Glob(filepath.Join(to, "*.tgz"))
	if err != nil || len(files) != 1 {
		return "", nil, fmt.Errorf("npm pack %s made no tarball", name)
	}
	data, err = os.ReadFile(files[0])
	return manifest.Version, data, err
}

// contents counts the bytes of declarations in a tarball, and of all files.
func contents(tgz []byte) (text, all int64, err error) {
	files, err := archive.ReadTarGz(bytes.NewReader(tgz), archive.Options{StripFirst: true})
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
