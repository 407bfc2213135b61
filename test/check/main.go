// Check measures docent check on correct programs: how many findings it reports, which are
// presumably false alarms, and how many mistakes it finds that are inserted one at a time. `make
// check-accuracy` runs it.
//
// A mistake is a name with two letters exchanged: the name of a package, an import, a symbol of an
// imported package, a member of a value, or an argument. Without a judge, the changed name is
// assumed not to exist.
//
// With -judge, a mistake in a Python file counts only if pyright or mypy reports an error in its line
// that it does not report for the correct file; then every attribute of the file may be changed. With
// -typescript, a mistake in a TypeScript file counts only if TypeScript's checker reports it; then every member may be
// changed, and so may the arguments of imported functions. Both count members that the project declares and those of the
// language separately. With -typescript, a mistake in a name that JavaScript imports counts only if the package is installed. With -cargo,
// a mistake in a Rust file counts only if cargo check reports an error in its line. In Swift, every name that a package of the project declares may be changed, even if it follows a value
// whose type docent does not know.
package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/ecosystem/python"
	"github.com/docent-mcp/docent/internal/ecosystem/rust"
	"github.com/docent-mcp/docent/internal/ecosystem/swift"
	"github.com/docent-mcp/docent/internal/rootfs"
	"github.com/docent-mcp/docent/internal/store"
)

func main() {
	verbose := flag.Bool("v", false, "list the findings and the mistakes that are not found")
	each := flag.Int("mutants", 50, "mistakes of each kind in each project")
	seed := flag.Uint64("seed", 1, "which mistakes")
	judge := flag.String("judge", "", "commands of `type checkers`, separated by commas: pyright, mypy")
	typescript := flag.String("typescript", "", "the `directory` of the package typescript, whose checker judges the mistakes in TypeScript files; wants node")
	replaced := flag.Bool("replaced", false, "in Swift, mistakes are names that packages declare elsewhere; in Rust, names of other members of the project")
	cargo := flag.String("cargo", "", "the `command` cargo, which reports the mistakes in Rust files")
	target := flag.String("target", filepath.Join(os.TempDir(), "docent-check-target"), "the `directory` in which cargo stores what it builds")
	kinds := flag.String("kinds", "", "only mistakes in these `kinds` of names, separated by commas: package, import, use, argument, member; in TypeScript also own member, builtin member, field, arguments; in Rust also field, arguments")
	flag.Parse()
	m := &measurement{w: os.Stdout, each: *each, seed: *seed, verbose: *verbose, kinds: *kinds, typescript: *typescript, replaced: *replaced, cargo: *cargo, target: *target}
	for command := range strings.SplitSeq(*judge, ",") {
		if command != "" {
			m.judges = append(m.judges, command)
		}
	}
	if err := m.run(context.Background(), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
}

// measurement is what is measured, and how.
type measurement struct {
	w       io.Writer
	each    int // mistakes of each kind in each project
	seed    uint64
	verbose bool
	judges  []string // commands
	kinds   string   // of mistakes, separated by commas; all if it is empty

	typescript string // the directory of the package typescript
	replaced   bool   // whether mistakes in Swift and Rust are names that packages declare elsewhere
	cargo      string // a command, or ""
	target     string // the directory in which cargo stores what it builds
}

// mutant is one mistake in a file.
type mutant struct {
	file, kind string
	line       int
	first      int    // the first line of the call that line is in, or 0
	from, to   string // of the same length
	offset     int
	original   []byte // the text of the file without the mistake
	verdict    string // the error that a type checker reports
	found      bool   // whether docent check reports it
}

// text returns the text of the file with the mistake.
func (u *mutant) text() []byte {
	return slices.Concat(u.original[:u.offset], []byte(u.to), u.original[u.offset+len(u.from):])
}

// figure sums up one language, or one kind of mistakes in it.
type figure struct{ tried, found int }

func (m *measurement) run(ctx context.Context, dirs []string) error {
	w, each, seed, verbose := m.w, m.each, m.seed, m.verbose
	o := ecosystem.Options{Env: os.Environ()}
	languages := ecosystem.Languages{golang.New(o), npm.New(o), python.New(o), rust.New(o), swift.New(o)}
	packages := store.New(languages, store.Options{MaxPackages: 10_000, MaxBytes: 1 << 30, MaxAge: time.Hour})
	c := &check.Checker{Packages: packages, Languages: languages, Types: check.Types}
	uses, undecided, findings := map[string]int{}, map[string]int{}, map[string]map[check.Kind]int{}
	figures := map[string]map[string]figure{}
	for i, dir := range dirs {
		dir, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%d of %d: checking %s\n", i+1, len(dirs), dir)
		fsys := rootfs.New(dir)
		names, _, err := c.Tree(fsys, ".")
		if err != nil {
			return err
		}
		read := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))) }
		report, err := c.Files(ctx, dir, names, read)
		if err != nil {
			return err
		}
		language := "" // of the files with most
		counts := map[string]int{}
		var all []mutant
		declared := sync.OnceValue(func() *swiftNames { return swiftNamesIn(dir, m.replaced) })
		otherMembers := sync.OnceValue(func() []string { return m.memberNames(names, read) })
		for _, name := range names {
			l := languageOf(languages, name)
			if l == nil {
				continue
			}
			id := string(l.Info().ID)
			if counts[id]++; counts[id] > counts[language] {
				language = id
			}
			if text, err := read(name); err == nil {
				switch id {
				case "go":
					continue
				case "swift":
					if isCompiled(l.(ecosystem.SourceReader), dir, name) {
						all = append(all, declared().mutants(name, text)...)
					}
					continue
				}
				all = append(all, m.mutants(l.(ecosystem.SourceReader), dir, name, text)...)
				if id == "rust" {
					all = append(all, rustMistakes(name, text, otherMembers())...)
				}
			}
		}
		if language == "npm" && m.typescript != "" {
			mistakes, err := m.typescriptMistakes(ctx, dir)
			if err != nil {
				return err
			}
			all = append(all, mistakes...)
		}
		var module *goModule
		if language == "go" {
			if module, err = readGoModule(ctx, dir); err != nil {
				return err
			}
			mistakes, err := module.mutants()
			if err != nil {
				return err
			}
			all = append(all, mistakes...)
		}
		uses[language] += report.Uses
		undecided[language] += report.Undecided
		for _, f := range report.Findings {
			if findings[language] == nil {
				findings[language] = map[check.Kind]int{}
			}
			findings[language][f.Kind]++
			if verbose && f.Kind != check.Deprecated {
				fmt.Fprintf(w, "%s/%s:%d: %s: %s\n", filepath.Base(dir), f.File, f.Line, f.Kind, f.Message)
			}
		}
		random := rand.New(rand.NewPCG(seed, uint64(len(all))))
		random.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		perKind := map[string]int{}
		all = slices.DeleteFunc(all, func(u mutant) bool {
			if m.kinds != "" && !slices.Contains(strings.Split(m.kinds, ","), u.kind) {
				return true
			}
			perKind[u.kind]++
			return perKind[u.kind] > each
		})
		fmt.Fprintf(os.Stderr, "%d of %d: checking %d mistakes in %s\n", i+1, len(dirs), len(all), dir)
		if module != nil {
			all = module.judge(all)
		} else if language == "rust" {
			if all, err = m.judgeCargo(ctx, c, dir, all); err != nil {
				return err
			}
		} else if len(m.judges) > 0 {
			if all, err = m.judge(ctx, dir, all); err != nil {
				return err
			}
		}
		if language != "rust" { // its mistakes are detected together with the judge's
			err = detect(ctx, c, dir, all)
		}
		if err != nil {
			return err
		}
		for _, u := range all {
			id := string(languageOf(languages, u.file).Info().ID) // the file may be a script in another language than the project
			if figures[id] == nil {
				figures[id] = map[string]figure{}
			}
			f := figures[id][u.kind]
			f.tried++
			if u.found {
				f.found++
			} else if verbose {
				fmt.Fprintf(w, "%s/%s:%d: not found: %s instead of %s (%s)%s\n", filepath.Base(dir), u.file, u.line, u.to, u.from, u.kind, u.verdict)
			}
			figures[id][u.kind] = f
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "language\tuses\tundecided\tfindings\twarnings\t")
	for _, language := range sorted(uses) {
		errors, warnings := 0, 0
		for kind, n := range findings[language] {
			if kind.IsError() {
				errors += n
			} else {
				warnings += n
			}
		}
		fmt.Fprintf(t, "%s\t%d\t%.3f\t%d\t%d\t\n", language, uses[language], float64(undecided[language])/float64(max(uses[language], 1)), errors, warnings)
	}
	fmt.Fprintln(t, "\t\t\t\t\t\nlanguage\tmistake in\ttried\tfound\t\t")
	for _, language := range sorted(figures) {
		for _, kind := range sorted(figures[language]) {
			f := figures[language][kind]
			fmt.Fprintf(t, "%s\t%s\t%d\t%.3f\t\t\n", language, kind, f.tried, float64(f.found)/float64(f.tried))
		}
	}
	return t.Flush()
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func languageOf(all ecosystem.Languages, name string) ecosystem.Language {
	for _, l := range all {
		if r, ok := l.(ecosystem.SourceReader); ok && r.IsSource(name) {
			return l
		}
	}
	return nil
}

// mutants returns all mistakes in a file.
func (m *measurement) mutants(reader ecosystem.SourceReader, dir, name string, text []byte) (all []mutant) {
	uses, faults := reader.Uses(&ecosystem.SourceFile{Name: name, Dir: dir, Text: text})
	if len(faults) > 0 || m.typescript != "" && isTypeScript(name) {
		return nil
	}
	starts := []int{0}
	for i, c := range text {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	offsets := map[int]bool{}
	add := func(kind string, at ecosystem.Position, from string) {
		offset := starts[min(at.Line, len(starts))-1] + at.Column - 1
		if kind == "package" && offset < len(text) && strings.IndexByte("'\"`", text[offset]) >= 0 { // the position of the string or of the first name
			offset++
		}
		to := exchanged(from)
		rest, ok := bytes.CutPrefix(text[offset:], []byte(from))
		if to == from || offsets[offset] || !ok || len(rest) > 0 && (letter(rest[0]) || rest[0] == '_') {
			return
		}
		offsets[offset] = true
		all = append(all, mutant{file: name, kind: kind, line: at.Line, from: from, to: to, offset: offset, original: text})
	}
	for i := range uses {
		u := &uses[i]
		last := u.Path[strings.LastIndexAny(u.Path, ".:")+1:]
		for k := u.Known; k < len(u.Steps); k++ {
			add("member", u.Steps[k].Position, u.Steps[k].Name)
		}
		switch {
		case len(u.Steps) > 0:
		case u.Whole: // the name that the file gives to the package
		case u.Path != "" && m.typescript != "" && isJavaScript(name) && !isInstalled(dir, u.Package):
		case u.Import && u.Path == "":
			add("package", u.Position, u.Package)
		case u.Import:
			add("import", u.Position, last)
		case u.Path != "" && u.Text != last: // an imported name alone would be treated as an unknown local name
			add("use", u.Position, last)
		}
		if u.Args != nil {
			for _, f := range u.Args.Named {
				add("argument", f.Position, f.Name)
			}
		}
	}
	if len(m.judges) > 0 && strings.HasSuffix(name, ".py") {
		lines := ecosystem.NewLines(string(text))
		for _, t := range attributes(string(text)) {
			add("member", lines.Position(t.Pos), t.Text)
		}
	}
	return all
}

// exchanged swaps two different letters in the last name of text.
func exchanged(name string) string {
	b := []byte(name)
	for i := len(b) - 2; i > 0; i-- {
		if letter(b[i]) && letter(b[i+1]) && b[i] != b[i+1] {
			b[i], b[i+1] = b[i+1], b[i]
			return string(b)
		}
	}
	return name
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// maxBatch is the maximum number of mistakes that are checked at once: docent check searches for
// assignments of at most 100 members.
const maxBatch = 50

// batches distributes mistakes over batches, in which they have different files: copies of their files in the same
// directories. Go's directories are packages, in which a copy would declare all names again, so a batch has one
// mistake in each of them, in the file itself. Swift's files are checked one at a time, so a batch has one mistake in each.
func batches(all []mutant) (sheets []map[string]*mutant) {
	for i := range all {
		m := &all[i]
		name, inGo := besides(m.file, i), path.Ext(m.file) == ".go"
		if inGo || path.Ext(m.file) == ".swift" {
			name = m.file
		}
		k := slices.IndexFunc(sheets, func(sheet map[string]*mutant) bool {
			if sheet[name] != nil {
				return false
			}
			for other := range sheet {
				if inGo && path.Dir(other) == path.Dir(name) {
					return false
				}
			}
			return len(sheet) < maxBatch
		})
		if k < 0 {
			k = len(sheets)
			sheets = append(sheets, map[string]*mutant{})
		}
		sheets[k][name] = m
	}
	return sheets
}

// detect finds out which mistakes docent check reports in their lines.
func detect(ctx context.Context, c *check.Checker, dir string, all []mutant) error {
	for _, byName := range batches(all) {
		names := sorted(byName)
		report, err := c.Files(ctx, dir, names, func(name string) ([]byte, error) { return byName[name].text(), nil })
		if err != nil {
			return err
		}
		for _, f := range report.Findings {
			if m := byName[f.File]; f.Line <= m.line && f.Line >= cmp.Or(m.first, m.line) && f.Kind != check.Deprecated {
				m.found = true
			}
		}
	}
	return nil
}

// besides returns the name for a copy of a file in the same directory.
func besides(file string, i int) string {
	return path.Join(path.Dir(file), fmt.Sprintf("docent_mutant_%d%s", i, path.Ext(file)))
}
