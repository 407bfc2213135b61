package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/compare"
	"github.com/docent-mcp/docent/internal/lookup"
)

// upgrade is a program that uses a package, and two versions of the package. The program works with
// the old version.
type upgrade struct {
	name, dir              string
	language, pkg, old     string
	newPackage, newVersion string
}

// builder installs a version of a package for a program and returns the places in which the compiler
// or the tests report failures, as FILE:LINE.
type builder func(s *settings, u *upgrade, dir, pkg, version string) ([]string, error)

var builders = map[string]builder{"go": buildGo, "npm": buildNPM, "python": runPython, "rust": buildRust}

// upgrades reads the programs below a directory.
func upgrades(root, only string) (all []*upgrade, err error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if only != "" && entry.Name() != only {
			continue
		}
		u := &upgrade{name: entry.Name(), dir: filepath.Join(root, entry.Name())}
		data, err := os.ReadFile(filepath.Join(u.dir, "upgrade.txt"))
		if err != nil {
			return nil, err
		}
		fields := strings.Fields(string(data))
		if len(fields) < 4 {
			return nil, fmt.Errorf("%s does not name a language, a package and two versions", u.dir)
		}
		u.language, u.pkg, u.old, u.newVersion = fields[0], fields[1], fields[2], fields[3]
		if u.newPackage = u.pkg; len(fields) > 4 {
			u.newPackage = fields[4]
		}
		all = append(all, u)
	}
	return all, nil
}

// judgeUpgrades compares the places that docent diff lists before each upgrade with the places that
// fail after it.
func judgeUpgrades(s *settings, l *lookup.Lookup, only string, list bool) error {
	all, err := upgrades("test/compare/testdata/upgrades", only)
	if err != nil {
		return err
	}
	var total places
	for _, u := range all {
		one, err := u.judge(s, l, list)
		if err != nil {
			fmt.Printf("%s: %v\n", u.name, err)
			continue
		}
		fmt.Printf("%-20s %-12s → %-12s %s\n", u.name, u.old, u.newVersion, one)
		total.failed += one.failed
		total.listed += one.listed
		total.more += one.more
		total.risky += one.risky
		total.deprecated += one.deprecated
	}
	fmt.Printf("%-50s %s\n", "all", &total)
	return nil
}

// places counts lines of a program: lines that fail, failing lines that docent lists, and lines
// that docent lists as breaking, risky or deprecated but that do not fail.
type places struct{ failed, listed, more, risky, deprecated int }

func (p *places) String() string {
	return fmt.Sprintf("listed %d of %d failing lines, %d more breaking, %d more risky, %d deprecated", p.listed, p.failed, p.more, p.risky, p.deprecated)
}

func (u *upgrade) judge(s *settings, l *lookup.Lookup, list bool) (*places, error) {
	dir := filepath.Join(s.dir, "upgrades", u.name)
	before, after := filepath.Join(dir, "old"), filepath.Join(dir, "new")
	if err := u.layOut(before, u.pkg, u.old); err != nil {
		return nil, err
	}
	build := builders[u.language]
	if failed, err := build(s, u, before, u.pkg, u.old); err != nil || len(failed) > 0 {
		return nil, errors.Join(err, fmt.Errorf("the program fails with the old version in %q", failed))
	}
	report, err := l.Compare(context.Background(), lookup.Comparison{
		Old: lookup.Package{Language: u.language, Name: u.pkg, Version: u.old, Project: before},
		New: lookup.Package{Name: u.newPackage, Version: u.newVersion, Project: before}, Used: true, Types: check.Types,
	})
	if err != nil {
		return nil, err
	}
	if err := u.layOut(after, u.newPackage, u.newVersion); err != nil {
		return nil, err
	}
	failed, err := build(s, u, after, u.newPackage, u.newVersion)
	if err != nil {
		return nil, err
	}
	listed, why := map[string]apidoc.Severity{}, map[string]string{}
	other := map[string]bool{}  // other contains the places of changes that are not only deprecations.
	hidden := map[string]bool{} // hidden contains places that also fail but are not reported.
	for i, place := range failed {
		if place, ok := strings.CutPrefix(place, "~"); ok {
			hidden[place] = true
			failed[i] = ""
		}
	}
	failed = slices.DeleteFunc(failed, func(place string) bool { return place == "" })
	for i := range report.Changes {
		c := &report.Changes[i]
		absent := (c.Kind == compare.Removed || c.Kind == compare.Moved) && slices.ContainsFunc(c.Places, func(p compare.Place) bool {
			return slices.Contains(failed, filepath.ToSlash(p.File)+":"+strconv.Itoa(p.Line))
		})
		for _, p := range c.Places {
			place := filepath.ToSlash(p.File) + ":" + strconv.Itoa(p.Line)
			hidden[place] = hidden[place] || absent // Compilers report the import of an absent name, but not its uses.
			listed[place] = max(listed[place], c.Severity)
			other[place] = other[place] || c.Kind != compare.Deprecated && c.Severity > apidoc.Compatible
			if c.Severity == listed[place] {
				why[place] = fmt.Sprintf("%s %s %s", c.Kind, c.Path, detailsOf(c))
			}
		}
	}
	one := &places{}
	slices.Sort(failed)
	for _, place := range slices.Compact(failed) {
		one.failed++
		if listed[place] > apidoc.Compatible {
			one.listed++
		} else if list {
			fmt.Printf("  missed: %s\n", place)
		}
	}
	for _, place := range slices.Sorted(maps.Keys(listed)) {
		if slices.Contains(failed, place) || listed[place] == apidoc.Compatible || hidden[place] {
			continue
		}
		word := "risky"
		switch {
		case !other[place]:
			word = "deprecated"
			one.deprecated++
		case listed[place] == apidoc.Breaking:
			word = "more"
			one.more++
		default:
			one.risky++
		}
		if list {
			fmt.Printf("  %s: %s: %s\n", word, place, why[place])
		}
	}
	return one, nil
}

func detailsOf(c *compare.Change) string {
	text := fmt.Sprint(c.Details)
	return text[:min(len(text), 200)]
}

// layOut copies the program with a version of the package.
func (u *upgrade) layOut(dir, pkg, version string) error {
	return fs.WalkDir(os.DirFS(u.dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == "upgrade.txt" {
			return err
		}
		data, err := os.ReadFile(filepath.Join(u.dir, path))
		if err != nil {
			return err
		}
		data = bytes.ReplaceAll(data, []byte("VERSION"), []byte(version))
		if u.language == "go" {
			data = bytes.ReplaceAll(data, []byte(`"`+u.pkg), []byte(`"`+pkg))
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o700); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, path), data, 0o600)
	})
}

// report runs a compiler and returns the places in its output that a pattern matches: the file,
// and the line. The compiler may fail only if there are such places.
func report(dir string, env []string, pattern *regexp.Regexp, name string, args ...string) (all []string, err error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	for _, m := range pattern.FindAllSubmatch(out, -1) {
		all = append(all, strings.TrimPrefix(string(m[1]), "./")+":"+string(m[2]))
	}
	if err != nil && len(all) == 0 {
		return nil, fmt.Errorf("%s: %w: %s", name, err, out[max(0, len(out)-400):])
	}
	return all, nil
}

var compilerPlace = regexp.MustCompile(`(?m)^(?:vet: )?([\w./-]+):(\d+):\d+: `)

func buildGo(_ *settings, _ *upgrade, dir, pkg, version string) ([]string, error) {
	mod := fmt.Sprintf("module judge.example/program\n\ngo 1.24\n\nrequire %s %s\n", pkg, version)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600); err != nil {
		return nil, err
	}
	if _, err := output(dir, nil, "go", "mod", "tidy"); err != nil {
		return nil, err
	}
	return report(dir, nil, compilerPlace, "go", "build", "-gcflags=-e", "-o", os.DevNull, ".")
}

var scriptPlace = regexp.MustCompile(`(?m)^([\w./-]+)\((\d+),\d+\): error `)

func buildNPM(s *settings, _ *upgrade, dir, pkg, version string) ([]string, error) {
	manifest := fmt.Sprintf(`{"name":"program","version":"0.0.0","type":"module","dependencies":{%q:%q}}`, pkg, version)
	config := `{"compilerOptions":{"strict":true,"noEmit":true,"module":"nodenext","target":"es2022","skipLibCheck":true,"types":[]},"include":["*.ts"]}`
	for file, text := range map[string]string{"package.json": manifest, "tsconfig.json": config} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	if _, err := output(dir, nil, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"); err != nil {
		return nil, err
	}
	return report(dir, nil, scriptPlace, "node", filepath.Join(s.typescript, "node_modules", "typescript", "bin", "tsc"), "--pretty", "false")
}

//go:embed upgrades.py
var testScript string

func runPython(s *settings, _ *upgrade, dir, pkg, version string) ([]string, error) {
	venv := filepath.Join(dir, ".venv")
	if _, err := os.Stat(venv); err != nil {
		if _, err := output(dir, nil, s.python, "-m", "venv", ".venv"); err != nil {
			return nil, err
		}
	}
	python := filepath.Join(venv, "bin", "python")
	if _, err := output(dir, nil, python, "-m", "pip", "install", "-q", "--disable-pip-version-check", pkg+"=="+version); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "requirements.txt"), []byte(pkg+"=="+version+"\n"), 0o600); err != nil {
		return nil, err
	}
	out, err := output(dir, nil, python, "-W", "ignore", "-c", testScript)
	return strings.Fields(out), err
}

var cratePlace = regexp.MustCompile(`(?m)^([\w./-]+):(\d+):\d+: error`)

func buildRust(s *settings, _ *upgrade, dir, _, _ string) ([]string, error) {
	env := []string{"CARGO_TARGET_DIR=" + filepath.Join(s.dir, "rust", "target")}
	return report(dir, env, cratePlace, "cargo", "check", "-q", "--keep-going", "--message-format", "short")
}
