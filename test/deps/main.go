// Deps checks the output of docent deps against the package managers: it creates projects with lock
// files, and compares the packages that docent deps lists with those that npm, uv, cargo and go list. Swift packages are compared
// with the pins that Package.resolved was written with. It needs npm, uv, cargo, go and a network.
//
//	go run ./test/deps -docent bin/docent
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	docent := flag.String("docent", "bin/docent", "the docent command")
	uv := flag.String("uv", "uv", "the uv command")
	only := flag.String("only", "", "name of one project")
	dir := flag.String("dir", filepath.Join(os.TempDir(), "docent-deps"), "directory for the projects, which are kept")
	flag.Parse()
	path, err := filepath.Abs(*docent)
	if err != nil {
		fmt.Fprintln(os.Stderr, "deps:", err)
		os.Exit(2)
	}
	failed := false
	for i := range projects {
		p := &projects[i]
		if *only != "" && p.name != *only {
			continue
		}
		n, different, err := p.judge(path, *uv, filepath.Join(*dir, p.name))
		if err != nil {
			fmt.Printf("%-28s %v\n", p.name, err)
			failed = true
			continue
		}
		fmt.Printf("%-28s %4d packages, %d differences\n", p.name, n, len(different))
		for _, line := range different {
			fmt.Println("  " + line)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// packages are packages as "NAME VERSION".
type packages map[string]bool

// judge returns the number of packages that the package manager lists, and the differences.
func (p *project) judge(docent, uv, dir string) (n int, different []string, err error) {
	for name, text := range p.files {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o750), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			return 0, nil, err
		}
	}
	theirs := packages{}
	switch p.language {
	case "npm":
		theirs, err = askNPM(dir)
	case "python":
		theirs, err = askUV(uv, dir)
	case "rust":
		theirs, err = askCargo(dir)
	case "go":
		theirs, err = askGo(dir)
	default:
		for _, pin := range p.pins {
			theirs[pin] = true
		}
	}
	if err != nil {
		return 0, nil, err
	}
	ours, err := askDocent(docent, dir, p.language)
	if err != nil {
		return 0, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		if !ours[name] {
			different = append(different, "missing: "+name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ours)) {
		if !theirs[name] {
			different = append(different, "additional: "+name)
		}
	}
	return len(theirs), different, nil
}

func askDocent(docent, dir, language string) (packages, error) {
	out, err := run(dir, docent, "deps", language, "--json")
	if err != nil {
		return nil, err
	}
	var report struct {
		Languages []struct {
			Packages []struct {
				Name, Version string
				Aliases       []string // the names under which npm lists it
				Own           bool
			}
		}
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return nil, err
	}
	all := packages{}
	for _, l := range report.Languages {
		for _, p := range l.Packages {
			names := p.Aliases
			if len(names) == 0 || language != "npm" {
				names = []string{p.Name}
			}
			for _, name := range names {
				if !p.Own {
					all[name+" "+strings.TrimPrefix(p.Version, "v")] = true
				}
			}
		}
	}
	return all, nil
}

// askNPM locks the dependencies and asks npm ls.
func askNPM(dir string) (packages, error) {
	if _, err := os.Stat(filepath.Join(dir, "package-lock.json")); err != nil {
		if _, err := run(dir, "npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"); err != nil {
			return nil, err
		}
	}
	out, err := run(dir, "npm", "ls", "--all", "--json", "--package-lock-only")
	if err != nil {
		return nil, err
	}
	type node struct {
		Name, Version, Resolved string
		Dependencies            map[string]*node
	}
	var root node
	if err := json.Unmarshal(out, &root); err != nil {
		return nil, err
	}
	all := packages{}
	var members []string
	var walk func(n *node)
	walk = func(n *node) {
		for name, d := range n.Dependencies {
			if d.Version != "" {
				all[name+" "+d.Version] = true
			}
			if strings.HasPrefix(d.Resolved, "file:") {
				members = append(members, name+" "+d.Version)
			}
			walk(d)
		}
	}
	walk(&root)
	for _, name := range members {
		delete(all, name)
	}
	return all, nil
}

var (
	uvLine    = regexp.MustCompile(`(?m)^[│├└─ ]*([A-Za-z0-9._-]+)(?:\[[^\]]*\])? v(\S+)`)
	cargoLine = regexp.MustCompile(`(?m)^(\S+) v(\S+)(.*)$`)
)

// askUV locks the dependencies and asks uv tree, for all platforms, extras and groups.
func askUV(uv, dir string) (packages, error) {
	if _, err := os.Stat(filepath.Join(dir, "uv.lock")); err != nil {
		if _, err := run(dir, uv, "lock", "--quiet"); err != nil {
			return nil, err
		}
	}
	out, err := run(dir, uv, "tree", "--universal", "--frozen", "--all-groups", "--quiet")
	if err != nil {
		return nil, err
	}
	lock, err := os.ReadFile(filepath.Join(dir, "uv.lock"))
	if err != nil {
		return nil, err
	}
	all := packages{}
	for _, m := range uvLine.FindAllStringSubmatch(string(out), -1) {
		if name := m[1]; !regexp.MustCompile(`(?m)^name = "` + regexp.QuoteMeta(name) + `"\nversion = .*\nsource = \{ (virtual|editable)`).Match(lock) {
			all[name+" "+m[2]] = true
		}
	}
	return all, nil
}

// askCargo locks the dependencies and asks cargo tree, for all platforms and features.
func askCargo(dir string) (packages, error) {
	if _, err := run(dir, "cargo", "generate-lockfile", "--quiet"); err != nil {
		return nil, err
	}
	out, err := run(dir, "cargo", "tree", "--workspace", "--all-features", "--target", "all", "--edges", "all", "--prefix", "none", "--no-dedupe", "--quiet")
	if err != nil {
		return nil, err
	}
	all := packages{}
	for _, m := range cargoLine.FindAllStringSubmatch(string(out), -1) {
		if !strings.Contains(m[3], "("+dir) {
			all[m[1]+" "+m[2]] = true
		}
	}
	return all, nil
}

// askGo completes go.mod and asks go list.
func askGo(dir string) (packages, error) {
	if _, err := os.Stat(filepath.Join(dir, "go.work")); err != nil {
		if _, err := run(dir, "go", "mod", "tidy"); err != nil {
			return nil, err
		}
	}
	out, err := run(dir, "go", "list", "-m", "-f", "{{if not .Main}}{{.Path}} {{if .Replace}}{{.Replace.Version}}{{else}}{{.Version}}{{end}}{{end}}", "all")
	if err != nil {
		return nil, err
	}
	all := packages{}
	for line := range strings.Lines(string(out)) {
		if name, version, ok := strings.Cut(strings.TrimSpace(line), " v"); ok {
			all[name+" "+version] = true
		}
	}
	return all, nil
}

func run(dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s %v: %w\n%s", name, args, err, errs.Bytes())
	}
	return out.Bytes(), nil
}
