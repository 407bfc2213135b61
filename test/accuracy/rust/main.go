// Command rust compares docent's results for the sources of Rust crates with rustdoc's.
//
//	go run ./test/accuracy/rust [-v] [-only crate,…] DIR
//
// DIR holds, for each crate, NAME.json as rustdoc wrote it and NAME.meta.json as
// cargo metadata printed it, and, for some crates, NAME.pages with the names of rustdoc's HTML
// files. A crate of the standard library has NAME.library with the directory of its sources instead
// of NAME.meta.json. run.sh makes them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
)

func main() {
	verbose := flag.Int("v", 0, "how many differences of each crate to list")
	only := flag.String("only", "", "crates, separated by commas")
	flag.Parse()
	if err := run(flag.Arg(0), *only, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir, only string, verbose int) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.meta.json"))
	if err != nil {
		return err
	}
	libraries, err := filepath.Glob(filepath.Join(dir, "*.library"))
	if err != nil {
		return err
	}
	var total score
	var parts partScore
	fmt.Println(header)
	crates := 0
	low := 0
	for _, f := range append(files, libraries...) {
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(f), ".meta.json"), ".library")
		if only != "" && !slices.Contains(strings.Split(only, ","), name) {
			continue
		}
		doc := filepath.Join(dir, name+".json")
		if _, err := os.Stat(doc); err != nil {
			continue
		}
		s, err := judge(f, doc, verbose, &parts)
		if err != nil {
			fmt.Printf("%-20s %v\n", name, err)
			continue
		}
		crates++
		if s.low() {
			low++
		}
		fmt.Println(s.line(name))
		total.add(s)
	}
	fmt.Println(total.line(fmt.Sprintf("all %d crates", crates)))
	fmt.Printf("%d crates are under 95 %% in something\n", low)
	fmt.Print("parts of declarations\n", parts.String())
	for i, d := range parts.differences {
		if i < verbose {
			fmt.Println("  ", d)
		}
	}
	if parts.low() {
		return errors.New("the parts of too many declarations are wrong")
	}
	return nil
}

// metadata is the output of cargo metadata.
type metadata struct {
	Packages []struct {
		ID           string
		Name         string
		Edition      string
		ManifestPath string `json:"manifest_path"`
		Features     map[string][]string
		Targets      []struct {
			Kind    []string
			Name    string
			SrcPath string `json:"src_path"`
			Edition string
		}
	}
	Resolve struct {
		Root  string
		Nodes []struct {
			ID       string
			Features []string
			Deps     []struct {
				Name     string
				Pkg      string
				DepKinds []struct{ Kind *string } `json:"dep_kinds"`
			}
		}
	}
}

// sources are the crates of a project by the IDs of their packages.
type sources map[string]*crate.Source

func (all sources) importer(from *crate.Source, name string) (*crate.Source, error) {
	if src := all[from.Deps[name]]; src != nil {
		return src, nil
	}
	return nil, fs.ErrNotExist
}

// load creates the sources of a project and returns the only dependency of its root.
func load(file string) (sources, *crate.Source, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	var m metadata
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, nil, err
	}
	all := sources{}
	for _, p := range m.Packages {
		for _, t := range p.Targets {
			proc := slices.Contains(t.Kind, "proc-macro")
			if !proc && !slices.ContainsFunc(t.Kind, func(k string) bool { return strings.HasSuffix(k, "lib") }) {
				continue
			}
			root := filepath.Dir(p.ManifestPath)
			lib, err := filepath.Rel(root, t.SrcPath)
			if err != nil {
				return nil, nil, err
			}
			src := &crate.Source{
				Name: strings.ReplaceAll(t.Name, "-", "_"), Package: p.Name, FS: os.DirFS(root), Dir: root, Lib: filepath.ToSlash(lib),
				Edition: t.Edition, ProcMacro: proc, Target: "x86_64-unknown-linux-gnu", Deps: map[string]string{},
			}
			src.Declared = slices.Sorted(maps.Keys(p.Features))
			all[p.ID] = src
		}
	}
	var request *crate.Source
	for _, n := range m.Resolve.Nodes {
		src := all[n.ID]
		if src == nil {
			continue
		}
		src.Features = n.Features
		for _, d := range n.Deps {
			normal := slices.ContainsFunc(d.DepKinds, func(k struct{ Kind *string }) bool { return k.Kind == nil })
			if normal {
				src.Deps[d.Name] = d.Pkg
			}
			if n.ID == m.Resolve.Root {
				request = all[d.Pkg]
			}
		}
	}
	if request == nil {
		return nil, nil, fmt.Errorf("%s: no dependency", file)
	}
	return all, request, nil
}

// pagesOf reads the list of rustdoc's HTML files, if there is one.
func pagesOf(file string) (map[string]bool, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	pages := map[string]bool{}
	for line := range strings.Lines(string(b)) {
		pages[strings.TrimSpace(line)] = true
	}
	return pages, err
}

func judge(meta, doc string, verbose int, parts *partScore) (*score, error) {
	var all sources
	var src *crate.Source
	var err error
	if name, standard := strings.CutSuffix(filepath.Base(meta), ".library"); standard {
		all, src, err = loadStandard(meta, name)
	} else {
		all, src, err = load(meta)
	}
	if err != nil {
		return nil, err
	}
	got, err := crate.All(context.Background(), src, all.importer)
	if err != nil {
		return nil, err
	}
	want, err := oracle(doc, src.Name)
	if err != nil {
		return nil, err
	}
	pages, err := pagesOf(strings.TrimSuffix(doc, ".json") + ".pages")
	if err != nil {
		return nil, err
	}
	p, err := judgeParts(src, all.importer, got, doc)
	if err != nil {
		return nil, err
	}
	parts.add(p)
	s := compare(src.Name, got, want, pages)
	if verbose > 0 {
		s.print(verbose)
		if len(got) > 0 {
			for _, w := range got[0].Warnings {
				fmt.Println("   !", w)
			}
		}
	}
	return s, nil
}
