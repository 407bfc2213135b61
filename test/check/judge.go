package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// attributes returns the names in Python code that follow a dot, except those that are assigned and
// those in imports.
func attributes(text string) (names []source.Token) {
	tokens := source.Tokens(text)
	at := func(i int) string {
		if i >= 0 && i < len(tokens) {
			return tokens[i].Text
		}
		return ""
	}
	importing, depth := false, 0
	for i, t := range tokens {
		switch t.Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if i == 0 || depth <= 0 && strings.Contains(text[tokens[i-1].Pos+len(tokens[i-1].Text):t.Pos], "\n") {
			importing = t.Text == "import" || t.Text == "from"
		}
		if importing || t.Kind != source.NameToken || at(i-1) != "." || strings.HasPrefix(t.Text, "_") {
			continue
		}
		if next := at(i + 1); len(next) > 0 && strings.HasSuffix(next, "=") && !slices.Contains([]string{"==", "!=", "<=", ">="}, next) && depth <= 0 {
			continue
		}
		names = append(names, t)
	}
	return names
}

// layer is a file with several mistakes, which do not affect each other.
type layer struct {
	file    string
	text    []byte
	imports bool // whether the mistakes are in imports
	mutants []mutant
}

const (
	// maxLayers is the maximum number of copies of a file in which the mistakes are judged.
	maxLayers = 3
	// minDistance is the minimum number of lines from one mistake in a copy to another.
	minDistance = 3
)

// layers distributes mistakes over copies of their files. It leaves out mistakes for which there is no room.
func layers(all []mutant) (sheets []layer) {
	for _, u := range all {
		imports := u.kind == "package" || u.kind == "import"
		n, room := 0, false
		for i := range sheets {
			l := &sheets[i]
			if l.file != u.file || l.imports != imports {
				continue
			}
			n++
			if slices.ContainsFunc(l.mutants, func(other mutant) bool { return max(u.line-other.line, other.line-u.line) < minDistance }) {
				continue
			}
			copy(l.text[u.offset:], u.to)
			l.mutants = append(l.mutants, u)
			room = true
			break
		}
		if !room && n < maxLayers {
			sheets = append(sheets, layer{file: u.file, text: u.text(), imports: imports, mutants: []mutant{u}})
		}
	}
	return sheets
}

// name returns the name of the copy.
func (l *layer) name(i int) string { return besides(l.file, i) }

// place is a line of a file.
type place struct {
	file string
	line int
}

// judge returns the mistakes that a type checker reports, with its errors. Mistakes in members of
// classes of the project are of the kind "own member". Correct files and copies with mistakes are
// checked in a copy of the project.
func (m *measurement) judge(ctx context.Context, dir string, all []mutant) (judged []mutant, err error) {
	scratch, err := os.MkdirTemp("", "docent-check-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	classes, err := copyCode(scratch, dir)
	if err != nil {
		return nil, err
	}
	var files []string
	sheets := layers(all)
	for i, sheet := range sheets {
		if err := os.WriteFile(filepath.Join(scratch, filepath.FromSlash(sheet.name(i))), sheet.text, 0o600); err != nil {
			return nil, err
		}
		files = append(files, sheet.name(i))
		if !slices.Contains(files, sheet.file) {
			files = append(files, sheet.file)
		}
	}
	if len(files) == 0 {
		return nil, nil
	}
	python := filepath.Join(dir, ".venv", "bin", "python")
	verdicts := map[place]string{}
	for _, command := range m.judges {
		report := pyright
		if strings.Contains(filepath.Base(command), "mypy") {
			report = mypy
		}
		if err := report(ctx, command, scratch, python, files, verdicts); err != nil {
			return nil, fmt.Errorf("%s: %w", command, err)
		}
	}
	for i, sheet := range sheets {
		for _, u := range sheet.mutants {
			verdict := verdicts[place{sheet.name(i), u.line}]
			if !strings.Contains(verdict, u.to) || strings.Contains(verdicts[place{u.file, u.line}], u.to) || strings.Contains(verdict, "Cannot assign to attribute") {
				continue
			}
			u.verdict = verdict
			if u.kind == "member" {
				u.kind = memberKind(verdict, classes)
			}
			judged = append(judged, u)
		}
	}
	return judged, nil
}

var (
	declaredClass  = regexp.MustCompile(`(?m)^[ \t]*class[ \t]+(\w+)`)
	nameOfClass    = regexp.MustCompile(`for class "([^"]*)"|"(?:Type\[|type\[)?([\w.]+)[^"]*" has no attribute`)
	builtinClasses = regexp.MustCompile(`^(?:Literal\[b?["']|str|bytes|int|float|bool|complex|list|dict|set|frozenset|tuple|bytearray|memoryview|range|slice|object|BaseException|\w*(?:Error|Exception))\b`)
)

// memberKind returns the kind of a mistake in a member of a class: whether this is a class of the
// project, a builtin one, another one, or none.
func memberKind(verdict string, classes map[string]bool) string {
	found := nameOfClass.FindStringSubmatch(verdict)
	if found == nil {
		return "member of module"
	}
	name := strings.TrimSuffix(strings.TrimPrefix(found[1]+found[2], "type["), "]")
	if builtinClasses.MatchString(name) {
		return "builtin member"
	}
	name, _, _ = strings.Cut(strings.TrimSuffix(name, "*"), "[")
	name = name[strings.LastIndexByte(name, '.')+1:]
	if classes[name] || strings.HasPrefix(name, "<") {
		return "own member"
	}
	return "member"
}

// copyCode copies the Python code of a project. It returns the names of its classes.
func copyCode(to, from string) (classes map[string]bool, err error) {
	classes = map[string]bool{}
	err = filepath.WalkDir(from, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		name, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		switch {
		case entry.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "node_modules"):
			return fs.SkipDir
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o700)
		case !entry.Type().IsRegular() || filepath.Ext(base) != ".py" && filepath.Ext(base) != ".pyi" && base != "py.typed":
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, found := range declaredClass.FindAllSubmatch(data, -1) {
			classes[string(found[1])] = true
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o600)
	})
	return classes, err
}

// pyright adds the errors that pyright reports for files of a project.
func pyright(ctx context.Context, command, dir, python string, files []string, verdicts map[place]string) error {
	config, err := json.Marshal(map[string]any{"include": files, "exclude": []string{}, "typeCheckingMode": "basic"})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "pyrightconfig.json"), config, 0o600); err != nil {
		return err
	}
	out, err := output(ctx, dir, command, "--outputjson", "--pythonpath", python, "-p", dir)
	if err != nil {
		return err
	}
	var report struct {
		Diagnostics []struct {
			File, Severity, Message string
			Range                   struct{ Start struct{ Line int } }
		} `json:"generalDiagnostics"`
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return err
	}
	for _, d := range report.Diagnostics {
		name, err := filepath.Rel(dir, d.File)
		if err != nil {
			return err
		}
		if d.Severity == "error" || strings.Contains(d.Message, "could not be resolved") {
			verdicts[place{filepath.ToSlash(name), d.Range.Start.Line + 1}] += " " + strings.ReplaceAll(d.Message, "\n", " ")
		}
	}
	return nil
}

// mypyError matches a line of mypy's output.
var mypyError = regexp.MustCompile(`(?m)^(.+?):(\d+): error: (.*)$`)

// mypy adds the errors that mypy reports for files of a project.
func mypy(ctx context.Context, command, dir, python string, files []string, verdicts map[place]string) error {
	args := []string{
		"--config-file=" + os.DevNull, "--python-executable=" + python, "--ignore-missing-imports", "--check-untyped-defs", "--explicit-package-bases",
		"--namespace-packages", "--hide-error-codes", "--no-error-summary", "--no-pretty", "--",
	}
	out, err := output(ctx, dir, command, append(args, files...)...)
	if err != nil {
		return err
	}
	for _, found := range mypyError.FindAllSubmatch(out, -1) {
		if line, err := strconv.Atoi(string(found[2])); err == nil {
			verdicts[place{filepath.ToSlash(string(found[1])), line}] += " " + string(found[3])
		}
	}
	return nil
}

// output runs a command in a directory. A command that fails because of the errors that it reports
// does not fail.
func output(ctx context.Context, dir, command string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, command, args...)
	c.Dir = dir
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() >= 0 && len(out) > 0 {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, stderr.String())
	}
	return out, nil
}
