package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// record is a judge's result for one module.
type record struct {
	Module string
	Doc    string
	Names  map[string]*truth
}

// truth is a judge's result for one name.
type truth struct {
	Kind       string
	Signatures [][][3]any
	Doc        string
	Params     []string // parameters documented in the docstring
	// Made is true for a class whose docstring the interpreter generated, Code for a name defined
	// in Python, and Init for a class whose constructor is defined in Python.
	Made, Code, Init, Own bool
	Members               map[string]*truth
	// Inherited is the constructor that griffe finds in a base class.
	Inherited map[string]*truth
	// Optional is true for names that may or may not be listed: a submodule of a package, or a
	// member that a class inherits from a compiled class.
	Optional bool
	// MadeRunning is true for a name that no statement binds: globals()[x] = y.
	MadeRunning bool `json:"made_running"`
	// Within and Called are the declaration's own module and name, or the module and name of the
	// class that a member is inherited from.
	Within, Called string
}

// tally counts correct items among the compared ones.
type tally struct{ right, all int }

func (t *tally) count(ok bool) {
	t.all++
	if ok {
		t.right++
	}
}

func (t *tally) add(o tally) { t.right += o.right; t.all += o.all }

func (t *tally) share() float64 {
	if t.all == 0 {
		return 100
	}
	return 100 * float64(t.right) / float64(t.all)
}

// figures are the results for one package.
type figures struct {
	recall, precision, memberRecall, memberPrecision, kinds, signatures, docs tally
	// parted are signatures on which the judges disagree.
	parted int
	// rewritten are docstrings that the program changes at run time.
	rewritten int
	// running are names that exist only at run time.
	running int
	// later are names that only griffe sees, because they are imported lazily.
	later int
	// unknown are signatures of compiled functions that no file contains: "(...)".
	unknown int
	// kept counts the content that the conversion of docstrings to Markdown preserves.
	kept conversion
}

func (f *figures) tallies() []*tally {
	return []*tally{&f.recall, &f.precision, &f.memberRecall, &f.memberPrecision, &f.kinds, &f.signatures, &f.docs}
}

// goals are the minimum shares over all packages, in the order of tallies; minimum is the minimum for
// each package.
var (
	goals  = []float64{99.5, 99.5, 99, 99, 0, 98, 99}
	titles = []string{"recall", "precision", "m.recall", "m.prec", "kinds", "signatures", "docs"}
)

const minimum = 96

// comparer compares the modules of one package.
type comparer struct {
	figures
	out   io.Writer
	list  bool
	other map[string]*record // griffe's results, by module
	// classes are the classes that griffe sees, by name; set on first use.
	classes map[string][]*truth
}

func compare(out io.Writer, l library, dir string, list bool) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.inspect"))
	if err != nil {
		return err
	}
	var total figures
	failed := 0
	fmt.Fprintf(out, "%-28s %s\n", "", strings.Join(titles, "  "))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".inspect")
		c := comparer{out: out, list: list, other: map[string]*record{}}
		others, _ := records(strings.TrimSuffix(file, ".inspect") + ".griffe")
		for _, r := range others {
			c.other[r.Module] = r
		}
		truths, err := records(file)
		if err != nil {
			return err
		}
		if len(truths) == 0 {
			fmt.Fprintf(out, "%-28s could not be imported\n", name)
			failed++
			continue
		}
		reader := modules.Open(context.Background(), l.source(name), l.importer)
		reader.Raw = true
		for _, r := range truths {
			p, err := reader.Read(r.Module)
			if err != nil {
				c.differ(r.Module, "cannot be read: %v", err)
				p = &apidoc.Package{}
			}
			c.module(r, p)
		}
		fmt.Fprintf(out, "%-28s", name)
		below := ""
		for i, t := range c.tallies() {
			fmt.Fprintf(out, " %7.2f", t.share())
			total.tallies()[i].add(*t)
			if goals[i] > 0 && t.share() < minimum {
				below = "  BELOW"
			}
		}
		if below != "" {
			failed++
		}
		total.parted += c.parted
		total.rewritten += c.rewritten
		total.running += c.running
		total.later += c.later
		total.unknown += c.unknown
		total.kept.add(&c.kept)
		fmt.Fprintln(out, below)
	}
	fmt.Fprintf(out, "%-28s", fmt.Sprintf("all %d", len(files)))
	for i, t := range total.tallies() {
		fmt.Fprintf(out, " %7.2f", t.share())
		if t.share() < goals[i] {
			failed++
		}
	}
	fmt.Fprintln(out)
	fmt.Fprintf(out, "%d names, %d members, %d signatures (the judges differ on %d), %d docstrings (on %d); %d signatures are not known\n",
		total.recall.all, total.memberRecall.all, total.signatures.all, total.parted, total.docs.all, total.rewritten, total.unknown)
	fmt.Fprintf(out, "%d names and members that the program makes when it runs are not counted; %d names are seen by griffe alone\n", total.running, total.later)
	fmt.Fprintln(out, total.kept.String())
	failed += total.kept.missed()
	if failed > 0 {
		return fmt.Errorf("%d goals are not reached", failed)
	}
	return nil
}

func records(file string) ([]*record, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []*record
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<30)
	for s.Scan() {
		r := &record{}
		if err := json.Unmarshal(s.Bytes(), r); err != nil {
			return all, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, r)
	}
	return all, s.Err()
}

func (c *comparer) differ(where, format string, args ...any) {
	if c.list {
		fmt.Fprintf(c.out, "\t%s: %s\n", where, fmt.Sprintf(format, args...))
	}
}

func (c *comparer) module(r *record, p *apidoc.Package) {
	mine := map[string]*apidoc.Symbol{}
	for i := range p.Symbols {
		mine[p.Symbols[i].Path] = &p.Symbols[i]
	}
	if p.Name != "" {
		ok := p.Doc == r.Doc
		if o := c.other[r.Module]; !ok && o != nil && o.Doc == p.Doc { // A compiler omitted the name, or the program creates it at run time.
			c.rewritten++
			ok = true
		}
		if c.docs.count(ok); !ok {
			c.differ(r.Module, "module doc %.60q, not %.60q", p.Doc, r.Doc)
		}
		c.converted(r.Module, p.Doc, nil)
	}
	for name, t := range r.Names {
		s := mine[name]
		if t.Kind == "broken" { // The name is in __all__ but cannot be imported.
			continue
		}
		if t.Optional {
			continue
		}
		if s == nil && t.MadeRunning {
			c.running++
			continue
		}
		if c.recall.count(s != nil); s == nil {
			c.differ(r.Module, "misses %s %s", t.Kind, name)
			continue
		}
		where := r.Module + "." + name
		if c.kinds.count(kindOf(s) == t.Kind); kindOf(s) != t.Kind {
			c.differ(where, "kind %s, not %s", s.Kind, t.Kind)
			continue
		}
		var other *truth
		if o := c.other[r.Module]; o != nil {
			other = o.Names[name]
		}
		if o := c.other[t.Within]; o != nil && (other == nil || other.Kind == "alias") {
			other = o.Names[t.Called]
		}
		if other == nil || other.Kind == "alias" { // The class has the __module__ of another module.
			if same := c.classesOf(t.Called); len(same) == 1 {
				other = same[0]
			}
		}
		c.symbol(where, s, t, other)
	}
	for _, s := range p.Symbols {
		t := r.Names[s.Path]
		if t != nil && t.Optional {
			continue
		}
		ok := t != nil
		if o := c.other[r.Module]; !ok && o != nil && o.Names[s.Path] != nil { // The name is imported lazily.
			c.later++
			ok = true
		}
		if c.precision.count(ok); !ok {
			c.differ(r.Module, "has %s %s beyond", s.Kind, s.Path)
		}
	}
}

func kindOf(s *apidoc.Symbol) string {
	switch s.Kind {
	case apidoc.Class, apidoc.Enum, apidoc.Protocol, apidoc.Exception:
		return "class"
	case apidoc.Function, apidoc.Method:
		return "function"
	case apidoc.Module:
		return "module"
	}
	return "value"
}

func (c *comparer) symbol(where string, s *apidoc.Symbol, t, other *truth) {
	switch t.Kind {
	case "function":
		if t.Code {
			c.signature(where, s.Signature, 0, t, other)
			c.doc(where, s, t, other)
		}
	case "class":
		if !t.Made {
			c.doc(where, s, t, other)
		}
		if t.Init {
			var constructor *truth
			if other != nil {
				if constructor = other.Members["__init__"]; constructor == nil {
					constructor = other.Inherited["__init__"]
				}
			}
			for i := range s.Members {
				if m := &s.Members[i]; m.Kind == apidoc.Constructor {
					c.signature(where, m.Signature, 1, t, constructor)
				}
			}
		}
		c.members(where, s, t, other)
	}
}

// doc compares docstrings. If the interpreter and griffe differ because a decorator replaced the
// docstring, griffe is right, because it reads the file, too.
func (c *comparer) doc(where string, s *apidoc.Symbol, t, other *truth) {
	ok := s.Doc == t.Doc
	if !ok && (other != nil && strings.TrimRight(s.Doc, " \n") == other.Doc || s.Doc == withoutEmbedded(s.Name(), t.Doc)) { // The tool griffe removes trailing spaces.
		c.rewritten++
		ok = true
	}
	if c.docs.count(ok); !ok {
		c.differ(where, "doc %.80q, not %.80q", s.Doc, t.Doc)
	}
	var params []string
	if other != nil && strings.TrimRight(s.Doc, " \n") == other.Doc {
		params = other.Params
	}
	c.converted(where, s.Doc, params)
}

// withoutEmbedded returns a docstring without the declaration that Cython writes before
// it if the module is built with embedsignature.
func withoutEmbedded(name, doc string) string {
	first, rest, _ := strings.Cut(doc, "\n")
	head, _, ok := strings.Cut(first, "(")
	if !ok || head[strings.LastIndexByte(head, '.')+1:] != name {
		return doc
	}
	return strings.TrimPrefix(rest, "\n")
}

func (c *comparer) members(where string, s *apidoc.Symbol, t, other *truth) {
	mine := map[string]*apidoc.Symbol{}
	for i := range s.Members {
		m := &s.Members[i]
		mine[m.Name()] = m
		if strings.HasPrefix(m.Name(), "_") {
			continue
		}
		// Attributes assigned in __init__, and fields, are not attributes of the class.
		if m.Kind == apidoc.Attribute || m.Kind == apidoc.Field {
			if t.Members[m.Name()] != nil {
				c.memberPrecision.count(true)
			}
			continue
		}
		member := t.Members[m.Name()]
		if member != nil && member.Optional {
			continue
		}
		if member == nil && (other != nil && other.Members[m.Name()] != nil || m.From != "" && c.classHas(m.From, m.Name())) { // The member is declared for type checkers only, or conditionally.
			c.later++
			continue
		}
		if member == nil && strings.HasSuffix(m.File, ".pyi") { // A stub describes objects, and the interpreter describes the class.
			c.later++
			continue
		}
		if c.memberPrecision.count(member != nil); member == nil {
			c.differ(where, "has %s %s beyond", m.Kind, m.Name())
		}
	}
	for name, member := range t.Members {
		m := mine[name]
		if member.Optional {
			continue
		}
		if c.madeRunning(name, member, other) {
			if m != nil {
				c.memberRecall.count(true)
			} else {
				c.running++
			}
			continue
		}
		if c.memberRecall.count(m != nil); m == nil {
			c.differ(where, "misses %s %s", member.Kind, name)
			continue
		}
		if !member.Own || !member.Code {
			continue
		}
		if c.kinds.count(kindOf(m) == member.Kind); kindOf(m) != member.Kind {
			c.differ(where, "%s is a %s, not %s", name, m.Kind, member.Kind)
			continue
		}
		var second *truth
		if other != nil {
			second = other.Members[name]
		}
		if member.Kind == "function" {
			c.signature(where+"."+name, m.Signature, 0, member, second)
		}
		c.doc(where+"."+name, m, member, second)
	}
}

// classHas reports whether griffe sees a member in a class with a given name.
func (c *comparer) classHas(class, member string) bool {
	return slices.ContainsFunc(c.classesOf(class[strings.LastIndexByte(class, '.')+1:]), func(t *truth) bool { return t.Members[member] != nil })
}

// classesOf returns the classes with a name that griffe sees in any module.
func (c *comparer) classesOf(name string) []*truth {
	if c.classes == nil {
		c.classes = map[string][]*truth{}
		for _, r := range c.other {
			for name, t := range r.Names {
				if t.Members != nil {
					c.classes[name] = append(c.classes[name], t)
				}
			}
		}
	}
	return c.classes[name]
}

// madeRunning reports whether a member is created at run time, by setattr or a decorator of the
// class, in which case griffe does not see it either.
func (c *comparer) madeRunning(name string, member, class *truth) bool {
	if !member.Own {
		class = nil
		if o := c.other[member.Within]; o != nil {
			class = o.Names[member.Called]
		}
	}
	if !member.MadeRunning && (class == nil || class.Members == nil || class.Members[name] != nil) {
		return false
	}
	return true
}

// signature compares the declarations of a function, without the given number of leading
// parameters, with the judges' results.
func (c *comparer) signature(where, text string, drop int, t, other *truth) {
	if len(t.Signatures) == 0 {
		return
	}
	var mine []string
	for line := range strings.SplitSeq(text, "\n") {
		open := strings.IndexByte(line, '(')
		if !strings.HasPrefix(line, "def ") && !strings.HasPrefix(line, "async def ") || open < 0 {
			continue
		}
		if strings.Contains(line, "(...)") || strings.Contains(line, ", ...)") {
			c.unknown++
			return
		}
		mine = append(mine, parameters(line[open:], drop))
	}
	agrees := func(t *truth, drop int) bool {
		return slices.ContainsFunc(t.Signatures, func(s [][3]any) bool { return slices.Contains(mine, paramsText(s[min(drop, len(s)):])) })
	}
	ok := agrees(t, 0)
	switch {
	case other != nil && len(other.Signatures) > 0:
		if agrees(other, drop) != ok {
			c.parted++
			ok = true
		}
	case !ok && takesAll(t): // A metaclass or decorator hides the parameters, and they are not available elsewhere.
		c.parted++
		return
	}
	if c.signatures.count(ok); !ok {
		c.differ(where, "signature %s, not %s", mine, paramsText(t.Signatures[0]))
	}
}

func paramsText(s [][3]any) string {
	var b strings.Builder
	for _, p := range s {
		fmt.Fprintf(&b, "%v %v %v,", p[1], p[0], p[2])
	}
	return b.String()
}

// takesAll reports whether the interpreter shows only (*args, **kwargs) for a callable.
func takesAll(t *truth) bool {
	return !slices.ContainsFunc(t.Signatures, func(s [][3]any) bool {
		return len(s) != 2 || s[0][1] != "*" || s[1][1] != "**"
	})
}

// parameters returns the parameters of a declaration, in the form of
// paramsText.
func parameters(line string, drop int) string {
	depth := 0
	end := len(line)
	var quote byte
	for i := range len(line) {
		ch := line[i]
		switch {
		case quote != 0:
			if ch == quote && line[i-1] != '\\' {
				quote = 0
			}
		case ch == '"' || ch == '\'':
			quote = ch
		case ch == '(' || ch == '[' || ch == '{':
			depth++
		case ch == ')' || ch == ']' || ch == '}':
			if depth--; depth == 0 {
				end = min(end, i)
			}
		}
	}
	var b strings.Builder
	letters := map[source.ParamKind]string{
		source.PositionalOnly: "p", source.Positional: "n", source.VarPositional: "*", source.KeywordOnly: "k", source.VarKeyword: "**",
	}
	params := source.Params(line[1:end])
	if drop <= len(params) && (len(params) == 0 || params[0].Kind != source.VarPositional) {
		params = params[drop:]
	}
	for _, p := range params {
		fmt.Fprintf(&b, "%v %v %v,", letters[p.Kind], p.Name, p.Default != "")
	}
	return b.String()
}
