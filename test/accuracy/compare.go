package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
)

// The output of oracle.mjs.
type oraclePackage struct {
	Package string        `json:"package"`
	Version string        `json:"version"`
	MS      int           `json:"ms"`
	Entries []oracleEntry `json:"entries"`
	// Skipped are the entry points for which the compiler takes too long.
	Skipped []string `json:"skipped"`
}

type oracleEntry struct {
	Subpath string         `json:"subpath"`
	File    string         `json:"file"`
	Exports []oracleSymbol `json:"exports"`
}

type oracleSymbol struct {
	Name       string         `json:"name"`
	Kind       string         `json:"kind"`
	Static     bool           `json:"static"`
	Signatures []string       `json:"signatures"`
	Members    []oracleSymbol `json:"members"`
	// Script is true if only JavaScript declares it.
	Script bool `json:"script"`
	// Unnamed declarations, without duplicates; nil if the symbol cannot have any.
	Constructors *int `json:"constructors"`
	Calls        *int `json:"calls"`
	Indexes      *int `json:"indexes"`
	// Inside are the exports of a namespace, and Aliased are the members of an alias of an
	// unexported type.
	Inside  []string      `json:"inside"`
	Aliased []aliasMember `json:"aliased"`
	// May contains the members that an alias has if its constraints replace its type parameters.
	May []string `json:"may"`
	// Bound contains the possible signatures of a name in an exported pattern, each with one line
	// per overload.
	Bound      []string `json:"bound"`
	Doc        bool     `json:"doc"`
	Deprecated bool     `json:"deprecated"`
}

// aliasMember is a property of an alias's type.
type aliasMember struct {
	Name     string `json:"name"`
	Optional bool   `json:"optional"`
	Readonly bool   `json:"readonly"`
}

// score counts expected items, actual items, and items in both.
type score struct{ want, got, both int }

func (s *score) add(o score) { s.want += o.want; s.got += o.got; s.both += o.both }

func ratio(a, b int) float64 {
	if b == 0 {
		return 100
	}
	return 100 * float64(a) / float64(b)
}

func (s *score) recall() float64    { return ratio(s.both, s.want) }
func (s *score) precision() float64 { return ratio(s.both, s.got) }

// result is the result of comparing one package.
type result struct {
	name                string
	exports, members    score
	signatures, kinds   score // number of compared items
	memberSignatures    score
	parts               parts
	entries             int
	oracle, took        time.Duration
	missing, extra, odd []string
	skipped             []string
	// javascript holds the entry points that are declared only by JavaScript: TypeScript's inferred
	// types are not in any declaration.
	javascript *result
	err        error
}

const maxShown = 400

func (r *result) note(list *[]string, format string, args ...any) {
	if len(*list) < maxShown {
		*list = append(*list, fmt.Sprintf(format, args...))
	}
}

var (
	javascript = regexp.MustCompile(`\.[cm]?jsx?$`)
	space      = regexp.MustCompile(`\s+`)
	loose      = regexp.MustCompile(` ?([^\p{L}\p{N}_$ ]) ?`)
)

// normal removes all white space that does not separate two words, as signature.mjs does.
func normal(s string) string {
	return strings.TrimSpace(loose.ReplaceAllString(space.ReplaceAllString(s, " "), "$1"))
}

func normalLines(sig string) string {
	lines := strings.Split(sig, "\n")
	for i, l := range lines {
		lines[i] = normal(l)
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n")
}

func normalAll(sigs []string) string {
	lines := make([]string, len(sigs))
	for i, s := range sigs {
		lines[i] = normal(s)
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n")
}

// compare reads the packages of an oracle's output below dir and prints how
// they compare.
func compare(out io.Writer, oracle, dir string, verbose bool) error {
	f, err := os.Open(oracle)
	if err != nil {
		return err
	}
	defer f.Close()
	header(out)
	var all []*result
	for r := range compared(bufio.NewReaderSize(f, 1<<20), dir) {
		if r.err != nil {
			return r.err
		}
		all = append(all, r)
		if verbose {
			r.list(out)
			if r.javascript != nil {
				r.javascript.list(out)
			}
		}
		row(out, r)
		r.parts.list(out, r.name)
	}
	failed := sum(out, all, true)
	var js []*result
	for _, r := range all {
		if r.javascript != nil {
			js = append(js, r.javascript)
		}
	}
	if len(js) > 0 {
		fmt.Fprintln(out, "\nEntry points of JavaScript without declarations:")
		header(out)
		for _, r := range js {
			row(out, r)
		}
		sum(out, js, false)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d packages, or all together, are below what is to be reached", failed, len(all))
	}
	return nil
}

// Minimum percentages: exports over all packages and for each one, members and signatures over all.
const (
	wantExports    = 99.5
	wantEach       = 97
	wantMembers    = 99
	wantSignatures = 97
)

func (r *result) list(out io.Writer) {
	for _, s := range slices.Concat(r.missing, r.extra, r.odd) {
		fmt.Fprintln(out, s)
	}
}

// compared yields the results for the packages in an oracle's output, in its order. It compares as
// many packages in parallel as there are processors.
func compared(in *bufio.Reader, dir string) iter.Seq[*result] {
	pending := make(chan chan *result, runtime.NumCPU()-1)
	go func() {
		defer close(pending)
		for {
			line, err := in.ReadBytes('\n')
			if len(line) > 1 {
				one := make(chan *result, 1)
				pending <- one
				go func() { one <- compareLine(line, dir) }()
			}
			if err != nil {
				return
			}
		}
	}()
	return func(yield func(*result) bool) {
		for one := range pending {
			if !yield(<-one) {
				return
			}
		}
	}
}

func compareLine(line []byte, dir string) *result {
	var p oraclePackage
	if err := json.Unmarshal(line, &p); err != nil {
		return &result{err: err}
	}
	return comparePackage(p, dir)
}

func header(out io.Writer) {
	fmt.Fprintf(out, "%-34s %7s %8s %7s %7s %8s %7s %7s %7s %7s %7s %7s %7s\n", "package", "entries", "exports", "recall", "precis.",
		"members", "recall", "precis.", "signat.", "m.sig.", "kinds", "ms", "tsc ms")
}

// sum prints the results of all packages together and, if judge is true, returns how many are below
// the minimum.
func sum(out io.Writer, all []*result, judge bool) (failed int) {
	var sum result
	for _, r := range all {
		sum.exports.add(r.exports)
		sum.members.add(r.members)
		sum.signatures.add(r.signatures)
		sum.memberSignatures.add(r.memberSignatures)
		sum.kinds.add(r.kinds)
		sum.parts.add(&r.parts)
		sum.entries += r.entries
		sum.took += r.took
		sum.oracle += r.oracle
	}
	sum.name = fmt.Sprintf("%d packages", len(all))
	row(out, &sum)
	sum.parts.write(out)
	if !judge {
		return 0
	}
	for _, r := range all {
		if len(r.skipped) > 0 {
			fmt.Fprintf(out, "%s: not compared, since the compiler takes too long: %s\n", r.name, strings.Join(r.skipped, " "))
		}
		if min(r.exports.recall(), r.exports.precision()) < wantEach {
			fmt.Fprintf(out, "%s: exports are below %v %%\n", r.name, wantEach)
			failed++
		}
	}
	failed += sum.parts.below()
	if min(sum.exports.recall(), sum.exports.precision()) < wantExports ||
		min(sum.members.recall(), sum.members.precision()) < wantMembers || sum.signatures.recall() < wantSignatures ||
		sum.memberSignatures.recall() < wantSignatures {
		failed++
	}
	return failed
}

func row(out io.Writer, r *result) {
	fmt.Fprintf(out, "%-34s %7d %8d %7.2f %7.2f %8d %7.2f %7.2f %7.2f %7.2f %7.2f %7d %7d\n", r.name, r.entries, r.exports.want,
		r.exports.recall(), r.exports.precision(), r.members.want, r.members.recall(), r.members.precision(),
		r.signatures.recall(), r.memberSignatures.recall(), r.kinds.recall(), r.took.Milliseconds(), r.oracle.Milliseconds())
}

func comparePackage(p oraclePackage, dir string) *result {
	res := &result{name: p.Package, oracle: time.Duration(p.MS) * time.Millisecond, skipped: p.Skipped}
	t := newTree(dir)
	pkg, err := t.open(context.Background(), nil, p.Package)
	if err != nil {
		res.note(&res.missing, "%s: not installed", p.Package)
		return res
	}
	start := time.Now()
	reader, err := modules.Open(context.Background(), pkg, t.open)
	if err != nil {
		res.note(&res.missing, "%s: %v", p.Package, err)
		return res
	}
	docs := make([]*apidoc.Package, len(p.Entries))
	// The compiler saw all entry points as one program.
	subpaths := make([]string, len(p.Entries))
	for i, e := range p.Entries {
		subpaths[i] = e.Subpath
	}
	reader.Load(subpaths...)
	for i, e := range p.Entries {
		docs[i], err = reader.Read(e.Subpath)
		if err != nil {
			res.note(&res.missing, "%s %s: %v", p.Package, e.Subpath, err)
		}
	}
	res.took = time.Since(start)
	for i, e := range p.Entries {
		res.entries++
		if docs[i] == nil {
			docs[i] = &apidoc.Package{}
		}
		to := res
		if javascript.MatchString(e.File) {
			if res.javascript == nil {
				res.javascript = &result{name: p.Package}
			}
			to = res.javascript
			res.entries--
			to.entries++
		}
		compareEntry(to, p.Package+e.Subpath[1:], e, docs[i])
	}
	return res
}

func compareEntry(res *result, entryName string, e oracleEntry, doc *apidoc.Package) {
	got := map[string]*apidoc.Symbol{}
	symbols := withOverloads(doc.Symbols)
	for i := range symbols {
		s := &symbols[i]
		got[s.Path] = s
	}
	// The module itself is an export if the compiler lists it as one.
	if !slices.ContainsFunc(e.Exports, func(w oracleSymbol) bool { return w.Name == "export=" }) {
		delete(got, "export=")
	}
	names := namesOf(e, doc)
	res.exports.want += len(e.Exports)
	res.exports.got += len(got)
	for _, w := range e.Exports {
		g := got[w.Name]
		if g == nil {
			res.note(&res.missing, "%s: missing %s %s", entryName, w.Kind, w.Name)
			continue
		}
		res.exports.both++
		delete(got, w.Name)
		path := entryName + " " + w.Name
		if w.Kind != "other" {
			res.kinds.want++
			if string(g.Kind) == w.Kind {
				res.kinds.both++
			} else {
				res.note(&res.odd, "%s: kind %s, not %s", path, g.Kind, w.Kind)
			}
		}
		compareSignature(res, &res.signatures, path, w, g.Signature, names)
		compareParts(res, path, w, g, doc)
		if w.Kind == "class" || w.Kind == "interface" || w.Kind == "enum" || len(w.Members) > 0 {
			compareMembers(res, path, w, g, names)
		}
	}
	for name, g := range got {
		res.note(&res.extra, "%s: extra %s %s", entryName, g.Kind, name)
	}
}

var named = regexp.MustCompile(`^function [\w$]+\(`)

func compareSignature(res *result, s *score, path string, want oracleSymbol, got string, names spellings) {
	if len(want.Signatures) == 0 {
		return
	}
	s.want++
	if sameSignature(want, got, names) {
		s.both++
		return
	}
	res.note(&res.odd, "%s: signature\n\twant %s\n\tgot  %s", path, clip(normalAll(want.Signatures)), clip(normalLines(got)))
}

func sameSignature(want oracleSymbol, got string, names spellings) bool {
	if want.Script {
		return sameScript(want.Signatures, got) || len(names.declared) > 0 && sameScript(names.normalAll(want.Signatures), names.normal(got))
	}
	a, b := normalAll(want.Signatures), normalLines(got)
	if strings.HasPrefix(a, "function(") { // The function is exported by default, without a name.
		b = named.ReplaceAllString(b, "function(")
	}
	return a == b || names.same(a, b)
}

// localModule matches an inline import of a type of the same package.
var localModule = regexp.MustCompile(`import\(["']\.[^"']*["']\)\.`)

var identifier = regexp.MustCompile(`[\p{L}\p{N}_$]+`)

// spellings contains the names of an entry point's symbols. A package may export a symbol under a name
// other than its declared one, and either name is accepted.
type spellings struct {
	doc *apidoc.Package
	// declared holds the declared names of symbols that are exported under other names.
	declared map[string]string
}

// head matches the beginning of a declaration's signature.
var head = regexp.MustCompile(`^(?:abstract )?(?:const enum|class|interface|type|enum|function|const|let|var|namespace) ([\p{L}\p{N}_$]+)`)

func namesOf(e oracleEntry, doc *apidoc.Package) spellings {
	n := spellings{doc, map[string]string{}}
	for _, w := range e.Exports {
		if len(w.Signatures) == 0 || w.Name == "default" || w.Name == "export=" {
			continue
		}
		if m := head.FindStringSubmatch(w.Signatures[0]); m != nil && m[1] != w.Name {
			n.declared[w.Name] = m[1]
		}
	}
	return n
}

// normal replaces the name of each symbol with its declared name.
func (n spellings) normal(sig string) string {
	if len(n.declared) == 0 {
		return sig
	}
	return identifier.ReplaceAllStringFunc(sig, func(word string) string {
		if name, ok := n.declared[word]; ok {
			return name
		}
		return word
	})
}

func (n spellings) normalAll(sigs []string) []string {
	out := make([]string, len(sigs))
	for i, s := range sigs {
		out[i] = n.normal(s)
	}
	return out
}

// same compares signatures. got may contain the documented name of a symbol where want contains a
// name that the package does not export.
func (n spellings) same(want, got string) bool {
	want, got = n.normal(localModule.ReplaceAllString(want, "")), n.normal(localModule.ReplaceAllString(got, ""))
	rest := strings.Split(want, "\n")
	for line := range strings.SplitSeq(got, "\n") {
		i := slices.IndexFunc(rest, func(w string) bool { return n.sameLine(w, line) })
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return len(rest) == 0
}

func (n spellings) sameLine(want, got string) bool {
	if identifier.ReplaceAllString(want, "") != identifier.ReplaceAllString(got, "") {
		return false
	}
	words, shown := identifier.FindAllString(want, -1), identifier.FindAllString(got, -1)
	return slices.EqualFunc(words, shown, func(a, b string) bool {
		return a == b || n.doc.At(b) != nil && n.doc.At(a) == nil
	})
}

func clip(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}

// withOverloads joins the deprecated overloads of a function, which are a separate symbol, with the
// other overloads, as the compiler lists them.
func withOverloads(symbols []apidoc.Symbol) []apidoc.Symbol {
	out := make([]apidoc.Symbol, 0, len(symbols))
	for _, s := range symbols {
		if n := len(out) - 1; n >= 0 && out[n].Path == s.Path && out[n].Kind == s.Kind && out[n].Deprecated == "" && s.Deprecated != "" &&
			s.Kind != apidoc.Property && strings.HasPrefix(out[n].Signature, "static ") == strings.HasPrefix(s.Signature, "static ") {
			out[n].Signature += "\n" + s.Signature
			continue
		}
		out = append(out, s)
	}
	return out
}

// compareMembers compares the named members; constructors, call, construct and
// index signatures are not properties in TypeScript's terms. A class may have a static and an
// instance member with the same name.
func compareMembers(res *result, path string, w oracleSymbol, g *apidoc.Symbol, names spellings) {
	got := map[string][]*apidoc.Symbol{}
	members := withOverloads(g.Members)
	for i := range members {
		m := &members[i]
		switch m.Kind {
		case apidoc.Method, apidoc.Property, apidoc.Accessor, apidoc.EnumValue:
			name := m.Path[len(g.Path)+1:]
			got[name] = append(got[name], m)
			res.members.got++
		}
	}
	for _, m := range w.Members {
		res.members.want++
		same := got[m.Name]
		if len(same) == 0 {
			res.note(&res.missing, "%s: missing member %s", path, m.Name)
			continue
		}
		res.members.both++
		x := same[0]
		for i, s := range same {
			if sameSignature(m, s.Signature, names) {
				x = s
			}
			if s == x {
				got[m.Name] = slices.Concat(same[:i], same[i+1:])
			}
		}
		compareSignature(res, &res.memberSignatures, path+"."+m.Name, m, x.Signature, names)
		compareNotes(res, path+"."+m.Name, m, x)
	}
	for name, extra := range got {
		if w.Script && strings.HasPrefix(name, "[") {
			res.members.got -= len(extra) // The compiler does not list these members.
			continue
		}
		for range extra {
			if slices.Contains(w.May, name) {
				res.members.want++
				res.members.both++
				continue
			}
			res.note(&res.extra, "%s: extra member %s", path, name)
		}
	}
}
