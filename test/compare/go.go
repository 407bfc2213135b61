package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// output runs a program in a directory and returns its output.
func output(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		text := problems.String()
		return string(out), fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, text[max(0, len(text)-400):])
	}
	return string(out), nil
}

func goVersions(s *settings, name string) ([]string, error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	out, err := output(s.dir, nil, "go", "list", "-m", "-versions", "-f", `{{join .Versions " "}}`, name)
	return strings.Fields(out), err
}

// promoted begins the paths of members of types that are not exported.
const promoted = "*."

// goJudge runs apidiff, which type-checks both versions.
func goJudge(s *settings, name, old, new string) (verdicts, error) {
	var exports []string
	for _, version := range []string{old, new} {
		out, err := output(s.dir, nil, "go", "mod", "download", "-json", name+"@"+version)
		if err != nil {
			return nil, err
		}
		var module struct{ Dir string }
		if err := json.Unmarshal([]byte(out), &module); err != nil {
			return nil, err
		}
		// apidiff resolves imports from the directory of the module, which must be writable.
		dir := filepath.Join(s.dir, strings.ReplaceAll(name, "/", "_")+"@"+version)
		if _, err := os.Stat(dir); err != nil {
			if err := os.CopyFS(dir, os.DirFS(module.Dir)); err != nil {
				return nil, err
			}
			if _, err := output(s.dir, nil, "chmod", "-R", "u+w", dir); err != nil {
				return nil, err
			}
		}
		export := dir + ".export"
		if _, err := output(dir, []string{"GOFLAGS=-mod=mod"}, s.apidiff, "-m", "-w", export, name); err != nil {
			return nil, err
		}
		exports = append(exports, export)
	}
	out, err := output(s.dir, nil, s.apidiff, "-m", "-incompatible", exports[0], exports[1])
	if err != nil {
		return nil, err
	}
	commands := map[string]bool{} // Programs cannot import commands.
	for _, version := range []string{old, new} {
		dir := filepath.Join(s.dir, strings.ReplaceAll(name, "/", "_")+"@"+version)
		list, err := output(dir, []string{"GOFLAGS=-mod=mod"}, "go", "list", "-e", "-f", `{{if eq .Name "main"}}{{.ImportPath}}{{end}}`, "./...")
		if err != nil {
			return nil, err
		}
		for path := range strings.FieldsSeq(list) {
			commands[path] = true
		}
	}
	all := verdicts{}
	for line := range strings.Lines(out) {
		line, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !ok {
			continue
		}
		if pkg, ok := strings.CutPrefix(line, "package "); ok {
			pkg, text, _ := strings.Cut(pkg, ": ")
			if commands[pkg] {
				continue
			}
			all[pkg] = verdict{Removed: text == "removed", Text: text}
			continue
		}
		path, text, _ := strings.Cut(line, ": ")
		pkg := name
		if rest, ok := strings.CutPrefix(path, "./"); ok { // ./sub/dir.Name
			i := strings.LastIndex(rest, "/") + 1
			dir, symbol, _ := strings.Cut(rest[i:], ".")
			pkg, path = name+"/"+rest[:i]+dir, symbol
		}
		path = strings.NewReplacer("(*", "", "(", "", ")", "").Replace(path)
		path, _, _ = strings.Cut(path, "[")
		private := slices.ContainsFunc(strings.Split(path, "."), func(name string) bool { return name == "" || strings.ToUpper(name[:1]) != name[:1] })
		if owner, member, ok := strings.Cut(path, "."); ok && private {
			all[pkg+": "+promoted+member] = verdict{Text: text, Of: owner} // Types that embed the owner have the member, too.
		}
		if private || commands[pkg] || strings.HasSuffix(text, "comparable, new is not") {
			continue // types without a public name, and changes in the types of fields
		}
		if all[pkg+": "+path].Text == "" {
			all[pkg+": "+path] = verdict{Removed: text == "removed", Text: text}
		}
	}
	return all, nil
}
