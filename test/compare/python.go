package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed judge.py
var pythonScript string

var listedVersions = regexp.MustCompile(`Available versions: (.*)`)

func pythonVersions(s *settings, name string) ([]string, error) {
	out, err := output(".", nil, s.python, "-m", "pip", "index", "versions", name)
	if err != nil {
		return nil, err
	}
	m := listedVersions.FindStringSubmatch(out)
	if m == nil {
		return nil, nil
	}
	return strings.Split(m[1], ", "), nil
}

// judgedModule is the prefix of module names in verdicts. They are the modules that griffe
// compares. judgedMembers is the prefix of the paths of classes that inherit from classes that
// griffe does not read. The texts of these verdicts are the names that griffe compares.
const judgedModule, judgedMembers = "module ", "members "

// pythonJudge runs griffe, which reads the sources of both versions.
func pythonJudge(s *settings, name, old, new string) (verdicts, error) {
	var dirs []string
	for _, version := range []string{old, new} {
		dir := filepath.Join(s.dir, "python", name+"-"+version)
		if _, err := os.Stat(dir); err != nil {
			if _, err := output(".", nil, s.python, "-m", "pip", "install", "-q", "--no-deps", "--target", dir, name+"=="+version); err != nil {
				return nil, err
			}
		}
		dirs = append(dirs, dir)
	}
	module := cmp.Or(map[string]string{"attrs": "attr", "pyjwt": "jwt"}[name], name)
	out, err := output(".", nil, s.python, "-c", pythonScript, module, dirs[0], dirs[1])
	if err != nil {
		return nil, err
	}
	all := verdicts{}
	for line := range strings.Lines(out) {
		var v struct{ Package, Path, Kind, Text, Inherited string }
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return nil, err
		}
		if v.Kind == "module" {
			all[judgedModule+v.Package] = verdict{Text: v.Text}
			continue
		}
		if v.Kind == "open" {
			all[judgedMembers+v.Path] = verdict{Text: v.Text}
			continue
		}
		if v.Kind == "named" { // It is unknown whether the object has changed.
			all[v.Package+": "+v.Path] = verdict{Text: v.Text, Of: v.Package + ": " + v.Path}
			continue
		}
		all[v.Package+": "+v.Path] = verdict{Removed: v.Kind == "removed", Text: v.Text}
		if v.Inherited != "" {
			all[v.Package+": "+v.Inherited] = verdict{Text: v.Text, Of: v.Package + ": " + v.Path}
		}
	}
	return all, nil
}
