package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// madeUp is one made-up package with its tasks: a folder below
// testdata/LANGUAGE, which describes itself in trial.json.
type madeUp struct {
	language string
	name     string // name of the folder
	dir      string
	tasks    []task
	// Import is the name that a solution must import.
	Import string `json:"import"`
	// Installed contains the versions in the project.
	Installed []release `json:"installed"`
}

// release is one version of a package, to be installed in the project.
type release struct {
	// Dir holds its files, below the folder of the package.
	Dir string `json:"dir"`
	// Path is the module path or the name in npm.
	Path    string `json:"path"`
	Version string `json:"version"`
	// Below is the installed package that requires this version, if the project itself has another
	// version; npm and Rust only. In Swift, where a project has only one version of each package,
	// it is the folder of another project.
	Below string `json:"below"`
	// Features are the features that the project enables; Rust only.
	Features []string `json:"features"`
	// Generate is the name of the generator of the files that are not committed.
	Generate string `json:"generate"`
}

// task is a programming task.
type task struct {
	id   string // quern1
	text string
	// hidden is the test, right a solution that passes it.
	hidden, right string
	// wrong are solutions that compile but must fail.
	wrong []string
}

// loadPackages reads the packages and tasks of the given languages, or of all languages if none are
// given.
func loadPackages(testdata string, only []string) ([]madeUp, error) {
	files, err := filepath.Glob(filepath.Join(testdata, "*", "*", "trial.json"))
	if err != nil {
		return nil, err
	}
	var packages []madeUp
	for _, file := range files {
		p := madeUp{dir: filepath.Dir(file)}
		p.name, p.language = filepath.Base(p.dir), filepath.Base(filepath.Dir(p.dir))
		if len(only) > 0 && !slices.Contains(only, p.language) {
			continue
		}
		if _, ok := languages[p.language]; !ok {
			return nil, fmt.Errorf("%s: no language %s in languages.go", file, p.language)
		}
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &p)
		}
		if err == nil {
			err = p.loadTasks()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		packages = append(packages, p)
	}
	if len(packages) == 0 {
		return nil, fmt.Errorf("no packages in %s; run it at the root of the repository", testdata)
	}
	return packages, nil
}

func (p *madeUp) loadTasks() error {
	dirs, err := filepath.Glob(filepath.Join(p.dir, "tasks", "*"))
	if err != nil {
		return err
	}
	l := languages[p.language]
	for _, dir := range dirs {
		t := task{id: p.name + filepath.Base(dir)}
		var wrong string
		for _, f := range []struct {
			name string
			text *string
		}{{"task.md", &t.text}, {l.hidden, &t.hidden}, {l.solution, &t.right}, {"wrong.txt", &wrong}} {
			data, err := os.ReadFile(filepath.Join(dir, f.name))
			if err != nil {
				return err
			}
			*f.text = string(data)
		}
		if t.wrong, err = mistakes(t.right, wrong); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		t.text = strings.TrimSpace(t.text)
		p.tasks = append(p.tasks, t)
	}
	return nil
}

// mistakes derives wrong solutions from a correct one. Each line of text has the form "old ==> new"
// and produces one wrong solution.
func mistakes(right, text string) ([]string, error) {
	var wrong []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" {
			continue
		}
		old, replacement, ok := strings.Cut(line, " ==> ")
		if !ok || !strings.Contains(right, old) {
			return nil, fmt.Errorf("wrong.txt: %q does not say what of the right solution to replace", line)
		}
		wrong = append(wrong, strings.Replace(right, old, replacement, 1))
	}
	if len(wrong) == 0 {
		return nil, errors.New("wrong.txt is empty")
	}
	return wrong, nil
}
