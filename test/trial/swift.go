package main

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// swift installs packages in the layout of SwiftPM's checkouts. Solutions are judged without a
// compiler: see swiftCheck.
var swift = language{
	tool:     "go", // the command that runs this program
	solution: "solve.swift",
	hidden:   "hidden.txt",
	howTo: "Swift 6: one file for each task, `project/TASK/solve.swift`, with the function at top level. It may use the standard library and " +
		"the packages that `project/Package.swift` names; their sources are in `project/.build/checkouts`. Call what the package offers " +
		"for the purpose, plainly and with literal arguments where the task gives values; nothing is compiled.",
	install: installSwift,
	build: func(_ context.Context, project, id string) error {
		_, err := readSwift(project, id)
		return err
	},
	test: func(_ context.Context, project, id string) error {
		s, err := readSwift(project, id)
		if err != nil {
			return err
		}
		hidden, err := os.ReadFile(filepath.Join(project, id, "hidden.txt"))
		if err != nil {
			return err
		}
		return s.check(string(hidden))
	},
	env: func(string) []string { return nil },
}

// readSwift parses a solution and checks that all of it can be parsed, that brackets are closed,
// and that the imported modules exist.
func readSwift(project, id string) (*swiftSolution, error) {
	text, err := os.ReadFile(filepath.Join(project, id, "solve.swift"))
	if err != nil {
		return nil, err
	}
	s, err := parseSwift(string(text))
	if err != nil {
		return nil, err
	}
	for _, m := range s.file.Imports {
		if m.Module == "Foundation" || m.Module == "Swift" || m.Module == "Synchronization" || m.Module == "_Concurrency" {
			continue
		}
		found, err := filepath.Glob(filepath.Join(project, ".build", "checkouts", "*", "Sources", m.Module))
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("solve.swift:%d: no module %s", m.Line, m.Module)
		}
	}
	return s, nil
}

func installSwift(_ context.Context, project string, packages []madeUp) error {
	pins := map[string][]release{}
	for _, p := range packages {
		for _, r := range p.Installed {
			pins[r.Below] = append(pins[r.Below], r)
			dir := filepath.Join(project, r.Below, ".build", "checkouts", r.Path)
			if err := writeRelease(dir, p, r); err != nil {
				return err
			}
			if err := writeFile(filepath.Join(dir, ".git", "HEAD"), r.revision()+"\n"); err != nil {
				return err
			}
		}
	}
	if len(pins[""]) == 0 {
		return errors.New("no package is installed in the project itself")
	}
	for dir, releases := range pins {
		if err := swiftProject(filepath.Join(project, dir), releases); err != nil {
			return err
		}
	}
	return nil
}

// swiftProject writes the manifest of a project, and the files that SwiftPM adds.
func swiftProject(dir string, releases []release) error {
	type state struct {
		Revision string `json:"revision"`
		Version  string `json:"version"`
	}
	type pin struct {
		Identity string `json:"identity"`
		Kind     string `json:"kind"`
		Location string `json:"location"`
		State    state  `json:"state"`
	}
	var pins []pin
	var manifest strings.Builder
	manifest.WriteString("// swift-tools-version: 6.0\nimport PackageDescription\n\nlet package = Package(\n    name: \"TrialApp\",\n    dependencies: [\n")
	for _, r := range releases {
		location := "https://git.example.org/made-up/" + r.Path + ".git"
		pins = append(pins, pin{r.Path, "remoteSourceControl", location, state{r.revision(), r.Version}})
		fmt.Fprintf(&manifest, "        .package(url: %q, from: %q),\n", location, r.Version)
	}
	manifest.WriteString("    ],\n    targets: [.target(name: \"TrialApp\")]\n)\n")
	resolved, err := json.MarshalIndent(map[string]any{"pins": pins, "version": 3}, "", "  ")
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"Package.swift":                   manifest.String(),
		"Package.resolved":                string(resolved) + "\n",
		"Sources/TrialApp/TrialApp.swift": "// The tasks lie beside, each in its own folder.\n",
	} {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	return nil
}

// revision returns the commit that a release represents.
func (r release) revision() string {
	sum := sha1.Sum([]byte(r.Path + r.Version))
	return hex.EncodeToString(sum[:])
}
