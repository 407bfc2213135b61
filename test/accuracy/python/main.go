// Command python compares Docent's results for Python distributions with those of griffe, and with
// the interpreter's after it has imported them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
)

const usage = `usage: python compare SITE STDLIB ORACLE [list]  compare with the oracle's files; list shows each difference
       python dump SITE STDLIB MODULE           print what is read of one module
       python parts SITE STDLIB                 print the parts of the callables of the modules on standard input, for parts.py`

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, args []string) error {
	switch {
	case len(args) >= 4 && args[0] == "compare":
		return compare(out, library{args[1], args[2]}, args[3], len(args) > 4)
	case len(args) == 3 && args[0] == "parts":
		return writeParts(out, library{args[1], args[2]})
	case len(args) == 4 && args[0] == "dump":
		return dump(out, library{args[1], args[2]}, args[3])
	}
	return errors.New(usage)
}

// library contains the directories of the compared packages and of the standard library.
type library struct{ site, std string }

func (l library) source(module string) *modules.Source {
	top, _, _ := strings.Cut(module, ".")
	dir := l.site
	if _, err := os.Stat(filepath.Join(l.site, top)); err != nil {
		if _, err := os.Stat(filepath.Join(l.site, top+".py")); err != nil {
			dir = l.std
		}
	}
	return l.at(dir, module)
}

func (l library) at(dir, module string) *modules.Source {
	var stubs fs.FS
	if typeshed := filepath.Join(l.site, "mypy", "typeshed", "stdlib"); dir == l.std {
		if _, err := os.Stat(typeshed); err == nil {
			stubs = os.DirFS(typeshed)
		}
	}
	version := strings.TrimPrefix(filepath.Base(l.std), "python")
	return &modules.Source{Module: module, Modules: l.together(module), Root: os.DirFS(dir), Dir: dir, Stubs: stubs, Installed: true, Python: version, Platform: "linux/amd64"}
}

// together returns the top-level modules of the distribution that contains a module.
func (l library) together(module string) []string {
	top, _, _ := strings.Cut(module, ".")
	files, _ := filepath.Glob(filepath.Join(l.site, "*.dist-info", "RECORD"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil || !strings.Contains("\n"+string(data), "\n"+top+"/") && !strings.Contains("\n"+string(data), "\n"+top+".py,") {
			continue
		}
		var all []string
		for line := range strings.Lines(string(data)) {
			dir, _, ok := strings.Cut(line, "/")
			if !ok {
				dir, _, ok = strings.Cut(line, ".py,")
			}
			if ok && !strings.ContainsAny(dir, ".-") && dir != "__pycache__" && !slices.Contains(all, dir) {
				all = append(all, dir)
			}
		}
		if slices.Contains(all, top) {
			return all
		}
	}
	return nil
}

// importer finds modules of the standard library.
func (l library) importer(module string) (*modules.Source, error) {
	path := filepath.Join(l.std, filepath.FromSlash(strings.ReplaceAll(module, ".", "/")))
	for _, p := range []string{path, path + ".py"} {
		if _, err := os.Stat(p); err == nil {
			return l.at(l.std, module), nil
		}
	}
	return nil, fs.ErrNotExist
}

// dump prints one module as JSON.
func dump(out io.Writer, l library, module string) error {
	doc, err := modules.Read(context.Background(), l.source(module), l.importer)
	if err != nil {
		return err
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	return e.Encode(doc)
}
