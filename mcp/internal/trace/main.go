// Command trace reports which requirements of the protocol the tests of mcp prove.
//
// It runs the tests. They record the rows of mcp/requirements.tsv that each test declares with
// proves(t, "row", ...), and the revisions and transports that the test used to talk to a server. A
// row is proved in a revision if a test that declares it ran in that revision, on a transport that
// the row applies to. trace prints the number of proved rows by revision, side and level. It fails
// if
//
//   - a MUST or MUST NOT of a server, a client or a host is not proved in each
//     of its revisions, and mcp/requirements.excused.tsv gives no reason;
//   - a row of any level contains an error code or HTTP status that none of its
//     tests mentions.
//
// Run it from the module's root.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

func main() {
	all := flag.Bool("all", false, "also list the rows of other levels that no test proves")
	from := flag.String("record", "", "read the records that the tests wrote with MCP_TRACE=`path`, instead of running the tests")
	flag.Parse()
	if err := run("mcp", *from, *all); err != nil {
		fmt.Fprintln(os.Stderr, "trace:", err)
		os.Exit(1)
	}
}

func run(dir, from string, all bool) error {
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
	if from == "" {
		temp, err := os.MkdirTemp("", "trace")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temp)
		from = filepath.Join(temp, "record")
		if err := runTests(dir, from); err != nil {
			return err
		}
	}
	record, err := readRecords(from)
	if err != nil {
		return err
	}
	proofs, err := readProofs(string(record))
	if err != nil {
		return err
	}
	fmt.Print(table(rows, proofs), transports(rows, proofs))
	functions, err := readFunctions(os.DirFS(dir))
	if err != nil {
		return err
	}
	wrong, codes := check(rows, proofs, excused, all), checkCodes(rows, functions, excused)
	fmt.Print(wrong.text, codes.text)
	if fatal := wrong.fatal + codes.fatal; fatal > 0 {
		return fmt.Errorf("%d of these must be proved or excused", fatal)
	}
	return nil
}

// runTests runs the tests in dir that prove rows. They write their records to files whose paths
// begin with record.
func runTests(dir, record string) error {
	tests := exec.CommandContext(context.Background(), "go", "test", "-count=1", ".", "./auth", "./host")
	tests.Dir, tests.Env = dir, append(os.Environ(), "MCP_TRACE="+record)
	if output, err := tests.CombinedOutput(); err != nil {
		return fmt.Errorf("running the tests: %w\n%s", err, output)
	}
	return nil
}

// readRecords reads all records whose paths begin with name.
func readRecords(name string) ([]byte, error) {
	names, err := filepath.Glob(name + "*")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	var all []byte
	for _, n := range names {
		record, err := os.ReadFile(n)
		if err != nil {
			return nil, err
		}
		all = append(all, record...)
	}
	return all, nil
}

// row is one requirement in the list.
type row struct {
	id, side, level, area, text string
	revisions                   []string
}

// must reports whether the row is mandatory.
func (r *row) must() bool { return r.level == "MUST" || r.level == "MUST NOT" }

// concerns reports whether the row is about a part of the protocol that the library implements.
func (r *row) concerns() bool {
	switch r.side {
	case "server", "both", "client", "host":
		return true
	}
	return false
}

// transports returns the transports on which the row can be proved, or nil for all.
func (r *row) transports() []string {
	switch r.area {
	case "stdio":
		return []string{"pipe", "custom"}
	case "http", "http-headers", "http-params", "session":
		return []string{"http", "sse"}
	}
	return nil
}

func readRows(list string) ([]*row, error) {
	var rows []*row
	seen := map[string]bool{}
	for n, line := range slices.Collect(strings.Lines(list)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if n == 0 || line == "\n" {
			continue // skip the column names
		}
		if len(fields) != 7 {
			return nil, fmt.Errorf("requirements.tsv:%d: %d columns, not 7", n+1, len(fields))
		}
		r := &row{id: fields[0], revisions: strings.Split(fields[1], ","), side: fields[2], level: fields[3], area: fields[4], text: fields[5]}
		if seen[r.id] {
			return nil, fmt.Errorf("requirements.tsv:%d: %s occurs twice", n+1, r.id)
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
			return nil, fmt.Errorf("requirements.excused.tsv:%d: %s occurs twice", n+1, id)
		}
		excused[id] = reason
	}
	return excused, nil
}

// proof contains the tests that prove a row, and their exchanges.
type proof struct {
	tests []string
	runs  map[exchange]bool
}

// exchange is a revision and a transport with which a test ran. Both are "any" if the test does not
// depend on them.
type exchange struct{ revision, transport string }

// in reports whether the row r is proved in the revision.
func (p *proof) in(r *row, revision string) bool {
	if p == nil {
		return false
	}
	for run := range p.runs {
		if run.revision == "any" || run.revision == revision && (r.transports() == nil || slices.Contains(r.transports(), run.transport)) {
			return true
		}
	}
	return false
}

// readProofs parses a record. A line consists of "proves", a test and a row, or of "ran", a test, a
// revision and a transport. The exchanges of a subtest also count for its parent tests.
func readProofs(record string) (map[string]*proof, error) {
	proofs, runs := map[string]*proof{}, map[string][]exchange{}
	for n, line := range slices.Collect(strings.Lines(record)) {
		switch fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); {
		case len(fields) == 3 && fields[0] == "proves":
			if proofs[fields[2]] == nil {
				proofs[fields[2]] = &proof{runs: map[exchange]bool{}}
			}
			proofs[fields[2]].tests = append(proofs[fields[2]].tests, fields[1])
		case len(fields) == 4 && fields[0] == "ran":
			for name, more := fields[1], true; more; {
				runs[name] = append(runs[name], exchange{fields[2], fields[3]})
				end := strings.LastIndexByte(name, '/')
				if more = end > 0; more {
					name = name[:end]
				}
			}
		default:
			return nil, fmt.Errorf("the record's line %d is %q", n+1, line)
		}
	}
	for _, p := range proofs {
		for _, test := range p.tests {
			for _, run := range runs[test] {
				p.runs[run] = true
			}
		}
	}
	return proofs, nil
}

// levels contains the requirement levels (RFC 2119) for which table has a column.
var levels = []string{"MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY"}

// table returns the numbers of proved rows by revision, side and level.
func table(rows []*row, proofs map[string]*proof) string {
	type key struct{ revision, side, level string }
	proved, total := map[key]int{}, map[key]int{}
	sides, revisions := map[string]bool{}, map[string]bool{}
	for _, r := range rows {
		sides[r.side] = true
		for _, revision := range r.revisions {
			revisions[revision] = true
			for _, k := range []key{{revision, r.side, r.level}, {revision, r.side, "all"}} {
				total[k]++
				if proofs[r.id].in(r, revision) {
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

// transports returns the number of rows that are proved on each transport.
func transports(rows []*row, proofs map[string]*proof) string {
	count := map[string]int{}
	for _, r := range rows {
		if p := proofs[r.id]; p != nil && r.concerns() {
			seen := map[string]bool{}
			for run := range p.runs {
				seen[run.transport] = true
			}
			for transport := range seen {
				count[transport]++
			}
		}
	}
	var b strings.Builder
	b.WriteString("rows proved on")
	for _, transport := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(&b, " %s: %d", transport, count[transport])
	}
	return b.String() + "\n"
}

// findings is a report and the number of its lines that make the command fail.
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

// check reports rows that are not proved, and incorrect excuses and declarations.
func check(rows []*row, proofs map[string]*proof, excused map[string]string, all bool) findings {
	var f findings
	known := map[string]bool{}
	for _, r := range rows {
		known[r.id] = true
		var open []string
		for _, revision := range r.revisions {
			if !proofs[r.id].in(r, revision) {
				open = append(open, revision)
			}
		}
		isProved, isExcused := proofs[r.id] != nil, excused[r.id] != ""
		switch {
		case isProved && isExcused:
			f.add(true, "%s is proved (%s) and excused; remove the excuse", r.id, proofs[r.id].tests[0])
		case len(open) == 0, isExcused, !r.concerns(), !r.must() && !all:
		case isProved:
			f.add(r.must(), "%s [%s] %s: no test that declares it (%s) ran in %s%s", r.level, r.area, r.id,
				strings.Join(proofs[r.id].tests, ", "), strings.Join(open, " "), on(r.transports()))
		default:
			f.add(r.must(), "%s [%s, %s] %s: %s", r.level, r.area, strings.Join(r.revisions, " "), r.id, r.text)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(proofs)) {
		if !known[id] {
			f.add(true, "%s: there is no row %q", proofs[id].tests[0], id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(excused)) {
		if !known[id] {
			f.add(true, "requirements.excused.tsv: there is no row %q", id)
		}
	}
	return f
}

func on(transports []string) string {
	if transports == nil {
		return ""
	}
	return " on " + strings.Join(transports, " or ")
}
