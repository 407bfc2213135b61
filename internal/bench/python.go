package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/store"
)

// These are the Python packages that are measured, and a script that makes griffe answer the same
// query as docent.
var pythonPackages = []string{"numpy", "django"}

const griffe = `import sys, griffe
loader = griffe.GriffeLoader(allow_inspection=False)
loader.load(sys.argv[1], try_relative_path=False)
loader.resolve_aliases(implicit=False, external=False)
print(len(griffe.JSONEncoder(full=True).encode(loader.modules_collection[sys.argv[1]])))
`

// benchPython measures Python packages in a virtual environment. If python3 or the
// index of its pip is not available, it prints a note.
func benchPython(ctx context.Context, dir, docent string, cacheDir cache, runs int) error {
	interpreter, err := exec.LookPath("python3")
	if err != nil {
		fmt.Println("\nPython packages: skipped, because python3 is not installed")
		return nil
	}
	app := filepath.Join(dir, "python")
	if err := os.Mkdir(app, 0o750); err != nil {
		return err
	}
	inside := filepath.Join(app, ".venv", "bin", "python")
	for _, args := range [][]string{
		{interpreter, "-m", "venv", ".venv"},
		append([]string{inside, "-m", "pip", "install", "-q", "--disable-pip-version-check", "griffe"}, pythonPackages...),
		{inside, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "-d", "wheels", "django"},
	} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir = app
		if out, err := cmd.CombinedOutput(); err != nil {
			fmt.Printf("\nPython packages: skipped, because %s did not install them: %v: %.300s\n", args[0], err, out)
			return nil
		}
	}
	fmt.Println()
	t := newTable()
	if err := errors.Join(
		describes(ctx, t, app, docent, cacheDir, runs, "python", pythonPackages, "30 ms"),
		served(ctx, t, app, docent, runs, "python", pythonPackages),
		besideGriffe(ctx, t, app, docent, inside, cacheDir),
		memory(ctx, t, app, docent, cacheDir, "150 MB", "describe", "python", "numpy"),
		memory(ctx, t, app, docent, cacheDir, "150 MB", "describe", "python", "django"),
	); err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	fmt.Fprintln(t, "on one core:\t\t\t\t")
	for _, name := range pythonPackages {
		if err := pythonDeclarations(t, app, name, runs); err != nil {
			return err
		}
	}
	if err := fromWheel(ctx, t, dir, app, runs); err != nil {
		return err
	}
	return t.Flush()
}

// besideGriffe measures whole processes that read a package. docent reads its main module, and
// griffe all of its modules.
func besideGriffe(ctx context.Context, t table, app, docent, interpreter string, cacheDir cache) error {
	for _, name := range pythonPackages {
		var ours, theirs []time.Duration
		for range 3 {
			errA := cacheDir.forget()
			a, errB := run(ctx, app, docent, "describe", "python", name, "--json")
			b, errC := run(ctx, app, interpreter, "-c", griffe, name)
			if err := errors.Join(errA, errB, errC); err != nil {
				return err
			}
			ours, theirs = append(ours, a), append(theirs, b)
		}
		t.times("what "+name+" exports, docent describe --json, empty disk cache", ours, "")
		t.times("all modules of "+name+", griffe", theirs, "")
	}
	return nil
}

// pythonDeclarations measures the time to parse files into declarations, including
// parameters and docstrings, in bytes of the files.
func pythonDeclarations(t table, app, name string, runs int) error {
	found, err := filepath.Glob(filepath.Join(app, ".venv", "lib", "*", "site-packages", name))
	if err != nil || len(found) != 1 {
		return fmt.Errorf("%s is not installed: %w", name, err)
	}
	files, size, err := readFiles(os.DirFS(found[0]), ".", withSuffix(".py", ".pyi"))
	if err != nil {
		return err
	}
	var times []time.Duration
	for range runs {
		start := time.Now()
		for _, data := range files {
			takeApart(source.ReadBytes([]byte(data)).Body)
		}
		times = append(times, time.Since(start))
	}
	t.rates(fmt.Sprintf("sources of %s (%.1f MB) to declarations, parameters and docstrings", name, float64(size)/1e6), size, times, "200 MB/s")
	return nil
}

func takeApart(body []source.Stmt) {
	for i := range body {
		s := &body[i]
		if s.Kind == source.Def {
			source.Params(s.Params)
		}
		source.Unquote(s.Doc)
		takeApart(s.Body)
		takeApart(s.Else)
	}
}

// fromWheel measures the steps from a wheel in the cache to a package in the
// store: hash, unpack, read, encode, write. The rate counts the Python text of
// the wheel.
func fromWheel(ctx context.Context, t table, dir, app string, runs int) error {
	wheels, err := filepath.Glob(filepath.Join(app, "wheels", "*.whl"))
	if err != nil || len(wheels) != 1 {
		return fmt.Errorf("pip did not download a wheel: %w", err)
	}
	data, err := os.ReadFile(wheels[0])
	if err != nil {
		return err
	}
	files, err := archive.OpenZip(bytes.NewReader(data), int64(len(data)), archive.Options{})
	if err != nil {
		return err
	}
	var text int64
	for name := range files.Files {
		if info, err := fs.Stat(files, name); err == nil && strings.HasSuffix(name, ".py") {
			text += info.Size()
		}
	}
	file := filepath.Base(wheels[0])
	index := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".whl") {
			http.ServeContent(w, r, file, time.Time{}, bytes.NewReader(data))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<a href=\"/%s#sha256=%x\">%s</a>", file, sha256.Sum256(data), file)
	}))
	defer index.Close()
	home, err := os.MkdirTemp(dir, "wheel")
	if err != nil {
		return err
	}
	cacheDir := cache(filepath.Join(home, "cache"))
	var took time.Duration
	ask := func() error {
		s := store.New(ecosystem.Languages{
			python.New(ecosystem.Options{Env: []string{"HOME=" + home, "PIP_INDEX_URL=" + index.URL + "/simple/"}, Cache: cacheDir.open()}),
		}, store.Options{Cache: cacheDir.open()})
		start := time.Now()
		_, err := s.Describe(ctx, string(python.ID), ecosystem.Query{Package: "django", ProjectDir: home})
		took = time.Since(start)
		return err
	}
	if err := cacheDir.settle(ask); err != nil {
		return fmt.Errorf("from the wheel of django: %w", err)
	}
	var times []time.Duration
	for range runs {
		runtime.GC() // frees the memory of the previous run
		if err := errors.Join(cacheDir.forget(), ask()); err != nil {
			return err
		}
		times = append(times, took)
	}
	t.rates(fmt.Sprintf("from the wheel of django to the package on disk, by %.1f MB of Python in it", float64(text)/1e6), text, times, "60 MB/s")
	return nil
}
