// Command trace says which requirements of the protocol are proved by a test.
//
// It reads mcp/requirements.tsv, in which each row is one requirement, and the
// calls of proves(t, "row", ...) in the tests of the library, and prints how
// many rows are proved by revision, side and level. It fails if a MUST or MUST
// NOT that a server has to keep is neither proved nor excused, with a reason,
// in mcp/requirements.excused.tsv; and if a row that names an error code or an
// HTTP status, of any level, has no test that mentions it. Run it from the
// module's root.
package main

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

func main() {
	all := flag.Bool("all", false, "also list the rows of other levels that no test proves")
	flag.Parse()
	if err := run("mcp", *all); err != nil {
		fmt.Fprintln(os.Stderr, "trace:", err)
		os.Exit(1)
	}
}

func run(dir string, all bool) error {
	list, err := os.ReadFile(filepath.Join(dir, "requirements.tsv"))
	if err != nil {
		return err
	}
	rows, err := readRows(string(list))
	if err != nil {
		return err
	}
	excused := map[string]string{}
	switch list, err = os.ReadFile(filepath.Join(dir, "requirements.excused.tsv")); {
	case err == nil:
		if excused, err = readExcuses(string(list)); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	proofs, err := readProofs(os.DirFS(dir))
	if err != nil {
		return err
	}
	fmt.Print(table(rows, proofs))
	functions, err := readFunctions(os.DirFS(dir))
	if err != nil {
		return err
	}
	wrong, codes := check(rows, proofs, excused, all), checkCodes(rows, functions, excused)
	fmt.Print(wrong.text, codes.text)
	if fatal := wrong.fatal + codes.fatal; fatal > 0 {
		return fmt.Errorf("%d of these have to be proved or excused", fatal)
	}
	return nil
}

// row is one requirement.
type row struct {
	id, side, level, area, text string
	revisions                   []string
}

// must reports whether the row has to be kept without exception.
func (r *row) must() bool { return r.level == "MUST" || r.level == "MUST NOT" }

// concerns reports whether the row is for a server to keep.
func (r *row) concerns() bool { return r.side == "server" || r.side == "both" }

// waits reports whether the row's area is one that the library does not have
// yet: authorization.
func (r *row) waits() bool {
	return strings.HasPrefix(r.area, "auth") || r.area == "ext-auth"
}

func readRows(list string) ([]*row, error) {
	var rows []*row
	seen := map[string]bool{}
	for n, line := range slices.Collect(strings.Lines(list)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if n == 0 || line == "\n" {
			continue // the names of the columns
		}
		if len(fields) != 7 {
			return nil, fmt.Errorf("requirements.tsv:%d: %d columns, not 7", n+1, len(fields))
		}
		r := &row{id: fields[0], revisions: strings.Split(fields[1], ","), side: fields[2], level: fields[3], area: fields[4], text: fields[5]}
		if seen[r.id] {
			return nil, fmt.Errorf("requirements.tsv:%d: %s is there twice", n+1, r.id)
		}
		seen[r.id] = true
		rows = append(rows, r)
	}
	return rows, nil
}

func readExcuses(list string) (map[string]string, error) {
	excused := map[string]string{}
	for n, line := range slices.Collect(strings.Lines(list)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, reason, _ := strings.Cut(line, "\t")
		if strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("requirements.excused.tsv:%d: %s has no reason", n+1, id)
		}
		if excused[id] != "" {
			return nil, fmt.Errorf("requirements.excused.tsv:%d: %s is there twice", n+1, id)
		}
		excused[id] = reason
	}
	return excused, nil
}

// readProofs finds the calls of proves in the tests below dir, and returns
// where each row is proved.
func readProofs(dir fs.FS) (map[string][]string, error) {
	proofs := map[string][]string{}
	err := eachTest(dir, func(path string, file *ast.File, files *token.FileSet) error {
		for node := range ast.Preorder(file) {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				continue
			}
			if name, ok := call.Fun.(*ast.Ident); !ok || name.Name != "proves" || len(call.Args) == 0 {
				continue
			}
			for _, arg := range call.Args[1:] {
				at := files.Position(arg.Pos())
				literal, ok := arg.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					return fmt.Errorf("%s: a row that a test proves is written as a string literal", at)
				}
				id, err := strconv.Unquote(literal.Value)
				if err != nil {
					return fmt.Errorf("%s: %w", at, err)
				}
				proofs[id] = append(proofs[id], fmt.Sprintf("%s:%d", path, at.Line))
			}
		}
		return nil
	})
	return proofs, err
}

// levels are the columns of the table.
var levels = []string{"MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY"}

// table counts the rows that are proved, by revision, side and level.
func table(rows []*row, proofs map[string][]string) string {
	type key struct{ revision, side, level string }
	proved, total := map[key]int{}, map[key]int{}
	sides, revisions := map[string]bool{}, map[string]bool{}
	for _, r := range rows {
		sides[r.side] = true
		for _, revision := range r.revisions {
			revisions[revision] = true
			for _, k := range []key{{revision, r.side, r.level}, {revision, r.side, "all"}} {
				total[k]++
				if len(proofs[r.id]) > 0 {
					proved[k]++
				}
			}
		}
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "revision\tside\t%s\tall\n", strings.Join(levels, "\t"))
	for _, revision := range slices.Sorted(maps.Keys(revisions)) {
		for _, side := range slices.Sorted(maps.Keys(sides)) {
			fmt.Fprintf(w, "%s\t%s", revision, side)
			for _, level := range append(levels, "all") {
				k := key{revision, side, level}
				fmt.Fprintf(w, "\t%d/%d", proved[k], total[k])
			}
			fmt.Fprintln(w)
		}
	}
	w.Flush()
	return b.String()
}

// findings is what check has to say, and how much of it is fatal.
type findings struct {
	text  string
	fatal int
}

func (f *findings) add(fatal bool, format string, args ...any) {
	if fatal {
		f.fatal++
	}
	f.text += fmt.Sprintf(format, args...) + "\n"
}

// check compares what has to be proved with what is.
func check(rows []*row, proofs map[string][]string, excused map[string]string, all bool) findings {
	var f findings
	known := map[string]bool{}
	for _, r := range rows {
		known[r.id] = true
		isProved, isExcused := len(proofs[r.id]) > 0, excused[r.id] != ""
		switch {
		case isProved && isExcused:
			f.add(true, "%s is proved (%s) and excused; take the excuse away", r.id, proofs[r.id][0])
		case isProved, isExcused, !r.concerns(), r.waits():
		case r.must():
			f.add(true, "%s [%s, %s] %s: %s", r.level, r.area, strings.Join(r.revisions, " "), r.id, r.text)
		case all:
			f.add(false, "%s [%s, %s] %s: %s", r.level, r.area, strings.Join(r.revisions, " "), r.id, r.text)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(proofs)) {
		if !known[id] {
			f.add(true, "%s: there is no row %q", proofs[id][0], id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(excused)) {
		if !known[id] {
			f.add(true, "requirements.excused.tsv: there is no row %q", id)
		}
	}
	return f
}
