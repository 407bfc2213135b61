// Snippets measures docent check on programs that a coding model wrote from memory. They contain the mistakes that such models
// make, which nothing marks: the compiler of each language tells which they are. `make check-snippets` runs it.
//
// The programs are questions, not tests: docent must not be changed to find just these mistakes. Each archive in this directory
// is a project in one language, with a manifest of its dependencies. The table shows how many of the compiler's errors docent
// reports in the same lines, and how many findings are in lines without an error.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

func main() {
	verbose := flag.Bool("v", false, "list the errors that docent does not report, and the findings in lines without an error")
	docent := flag.String("docent", "docent", "the `command` that is measured")
	scratch := flag.String("dir", ".", "the `directory` in which the dependencies are installed")
	flag.Parse()
	m := &measurement{docent: *docent, scratch: *scratch, verbose: *verbose}
	if err := m.run(context.Background(), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "snippets:", err)
		os.Exit(1)
	}
}

type measurement struct {
	docent, scratch string
	verbose         bool
}

// fault is an error that a compiler reports.
type fault struct {
	file        string
	first, last int    // lines
	kind        string // package, name, member, call, field, or other
	message     string
}

// figure counts the compiler's errors of one kind.
type figure struct{ faults, found int }

// run measures the projects in some archives.
func (m *measurement) run(ctx context.Context, archives []string) error {
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "language\terror\tof the compiler\tfound\t\t")
	for _, file := range archives {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		l, ok := languages[name]
		if !ok {
			return fmt.Errorf("%s: no language is called %s", file, name)
		}
		if _, err := exec.LookPath(l.command); err != nil {
			fmt.Printf("%s: skipped, the compiler is not installed: %v\n", name, err)
			continue
		}
		dir, err := filepath.Abs(filepath.Join(m.scratch, name))
		if err != nil {
			return err
		}
		if err := extract(file, dir); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "installing the dependencies in %s\n", dir)
		if err := l.install(ctx, dir); err != nil {
			fmt.Printf("%s: skipped, the dependencies cannot be installed: %v\n", name, err)
			continue
		}
		fmt.Fprintf(os.Stderr, "compiling %s\n", dir)
		faults, err := l.judge(ctx, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		faults = slices.DeleteFunc(faults, func(f fault) bool { return !filepath.IsLocal(f.file) }) // those in dependencies
		fmt.Fprintf(os.Stderr, "checking %s\n", dir)
		findings, err := m.findings(ctx, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		figures, more := m.compare(faults, findings, l.hiding)
		for _, kind := range kinds {
			if f := figures[kind]; f.faults > 0 {
				fmt.Fprintf(t, "%s\t%s\t%d\t%.3f\t\t\n", name, kind, f.faults, float64(f.found)/float64(f.faults))
			}
		}
		fmt.Fprintf(t, "%s\tnone\t\t%d\t\t\n", name, more)
	}
	return t.Flush()
}

// kinds are the kinds of errors, in the order of the table.
var kinds = []string{"package", "name", "member", "call", "field", "other"}

// finding is a finding of docent check.
type finding struct {
	File, Kind, Message string
	Line                int
}

// findings returns what docent check reports, except warnings.
func (m *measurement) findings(ctx context.Context, dir string) ([]finding, error) {
	out, err := output(ctx, dir, m.docent, "check", "--json", ".")
	if err != nil {
		return nil, err
	}
	var report struct{ Findings []finding }
	if err := json.Unmarshal(out, &report); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(report.Findings, func(f finding) bool { return f.Kind == "deprecated" || f.Kind == "undeclared" }), nil
}

// compare counts the errors of the compiler by kind, and the findings in lines without an error. Several errors of a kind in the
// same lines count once. In files with errors of the kinds in hiding, such findings are not counted.
func (m *measurement) compare(faults []fault, findings []finding, hiding []string) (figures map[string]figure, more int) {
	figures = map[string]figure{}
	isIn := func(f fault, at finding) bool { return f.file == at.File && f.first <= at.Line && at.Line <= f.last }
	for i, f := range faults {
		if slices.ContainsFunc(faults[:i], func(other fault) bool {
			return other.file == f.file && other.first == f.first && other.kind == f.kind
		}) {
			continue
		}
		sum := figures[f.kind]
		sum.faults++
		if slices.ContainsFunc(findings, func(at finding) bool { return isIn(f, at) }) {
			sum.found++
		} else if m.verbose {
			fmt.Printf("%s:%d: not found: %s: %s\n", f.file, f.first, f.kind, f.message)
		}
		figures[f.kind] = sum
	}
	for _, at := range findings {
		if slices.ContainsFunc(faults, func(f fault) bool {
			return isIn(f, at) || f.file == at.File && slices.Contains(hiding, f.kind)
		}) {
			continue
		}
		more++
		if m.verbose {
			fmt.Printf("%s:%d: the compiler reports nothing: %s: %s\n", at.File, at.Line, at.Kind, at.Message)
		}
	}
	return figures, more
}

// extract writes the files of an archive below a directory. Each begins with a line "-- NAME --".
func extract(archive, dir string) error {
	data, err := os.ReadFile(archive)
	if err != nil {
		return err
	}
	var name string
	var text bytes.Buffer
	write := func() error {
		if name == "" {
			return nil
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		return os.WriteFile(file, text.Bytes(), 0o600)
	}
	for line := range bytes.Lines(data) {
		if begin, ok := bytes.CutPrefix(line, []byte("-- ")); ok {
			if next, ok := bytes.CutSuffix(bytes.TrimSpace(begin), []byte(" --")); ok && filepath.IsLocal(string(next)) {
				if err := write(); err != nil {
					return err
				}
				name = string(next)
				text.Reset()
				continue
			}
		}
		text.Write(line)
	}
	return write()
}

// output runs a command in a directory and returns what it prints, also if it fails after that.
func output(ctx context.Context, dir, command string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, command, args...)
	c.Dir = dir
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 0 && len(out) > 0 {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", command, err, stderr.String())
	}
	return out, nil
}
