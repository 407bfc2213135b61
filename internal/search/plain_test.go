package search

import (
	"encoding/json"
	"go/ast"
	"go/build"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/spelling"
)

// plainMatch is like match, but without signatures, sets of hits and branchless loops. It
// compares each entry with each term.
func (x *Index) plainMatch(v *vocabulary, q *query, o Options) (total, matched []float32, similar []bool, rarities []float32) {
	n := len(x.entries)
	total, matched, rarities = make([]float32, n), make([]float32, n), make([]float32, len(q.terms))
	var all float32
	for i := range q.terms {
		t := &q.terms[i]
		one := x.plainTerm(v, q, t)
		slipped := false
		if scored(one) == 0 && o.Fuzzy && !t.meaning && !t.explained {
			x.plainSlips(v, t, one)
			slipped = true
		}
		if scored(one) == 0 {
			if !t.meaning {
				all += o.unmatchedWeight(t)
			}
			continue
		}
		weight := x.weigh(v, q, o, t, scored(one))
		rarities[i] = weight
		all += weight
		if slipped && similar == nil {
			similar = make([]bool, n)
			for j := range similar {
				similar[j] = total[j] == 0
			}
		}
		for j, s := range one {
			if s == 0 {
				continue
			}
			total[j] += s * weight
			if s < fullMatch {
				matched[j] += weight * (s / fullMatch)
			} else {
				matched[j] += weight
			}
			if !slipped && similar != nil {
				similar[j] = false
			}
		}
	}
	if q.joined != "" {
		one := make([]float32, n)
		x.plainNames(&term{text: q.joined}, one, true)
		for j, s := range one {
			if s < prefix {
				continue
			}
			if s < exactName {
				s *= joinedPrefix
			} else {
				total[j] = max(total[j], exactName)
			}
			total[j] += wholeQuery * s / exactName
			matched[j] = all
		}
	}
	all = max(all, 0.01)
	for j := range total {
		if total[j] == 0 {
			continue
		}
		coverage := float32(1)
		if matched[j] < all {
			coverage = float32(math.Sqrt(float64(matched[j] / all)))
		}
		total[j] *= (minCoverage + (1-minCoverage)*coverage) * x.standings[j]
	}
	return total, matched, similar, rarities
}

func scored(scores []float32) int {
	n := 0
	for _, s := range scores {
		if s > 0 {
			n++
		}
	}
	return n
}

func (x *Index) plainTerm(v *vocabulary, q *query, t *term) []float32 {
	one := make([]float32, len(x.entries))
	maximum, named := float32(wordsOfMany), float32(nameOfMany)
	if q.sentence {
		named = nameOfSentence
	}
	alone := len(q.terms) == 1
	if alone {
		maximum = wordsAlone
	}
	if !t.meaning {
		x.plainNames(t, one, alone)
		for i := range one {
			if !alone && x.spans[i].isMember() {
				one[i] *= memberNamed
			}
			if !alone {
				one[i] *= named
			}
		}
		if strings.Contains(t.text, ".") {
			return one
		}
		for _, p := range v.postingsOf(t.stem) {
			one[p.entry] += maximum * p.weight
		}
	}
	if len(t.parts) > 1 {
		least := map[int32]float32{}
		for _, p := range v.postingsOf(t.parts[0]) {
			least[p.entry] = p.weight
		}
		for _, part := range t.parts[1:] {
			both := map[int32]float32{}
			for _, p := range v.postingsOf(part) {
				if w, ok := least[p.entry]; ok {
					both[p.entry] = min(w, p.weight)
				}
			}
			least = both
		}
		for i, w := range least {
			one[i] = max(one[i], maximum*w)
		}
	}
	for _, o := range t.others {
		weight := maximum * o.weight
		for _, p := range v.postingsOf(o.stem) {
			one[p.entry] = max(one[p.entry], weight*p.weight)
		}
	}
	return one
}

func (x *Index) plainNames(t *term, scores []float32, alone bool) {
	for i := range x.entries {
		if dot := strings.LastIndexByte(t.text, '.'); dot >= 0 {
			scores[i] = x.matchPath(t.text, dot, i)
			continue
		}
		name, humps := x.name(i), x.spans[i].humps
		s := plainName(name, humps, t.text)
		if !alone && s > 0 && s < exactName && t.stem != "" && !endsWord(name, humps, t) {
			s *= withinWord
		}
		if s == 0 && len(t.stem) < len(t.text) && len(t.stem) >= 4 && strings.HasPrefix(name, t.stem) {
			s = stemmed
		}
		if s == 0 && x.spans[i].isMember() {
			s = matchParent(x.parent(&x.spans[i]), t.text)
		}
		scores[i] = s
	}
}

// plainName is like matchName, but searches for all occurrences of the text.
func plainName(name string, humps uint64, text string) float32 {
	full := fullness * float32(len(text)) / float32(len(name))
	switch {
	case name == text:
		return exactName
	case strings.HasPrefix(name, text):
		return prefix + full
	case !strings.Contains(name, text):
		return scoreInitials(name, humps, text)
	}
	for from := range min(len(name), 64) {
		if humps&(1<<from) != 0 && strings.HasPrefix(name[from:], text) {
			return humpPrefix + full
		}
	}
	if len(text) < 3 {
		return 0
	}
	return substring + full
}

func (x *Index) plainSlips(v *vocabulary, t *term, scores []float32) {
	allowed := slipsAllowed(len(t.text))
	if allowed == 0 {
		return
	}
	lacks := func(i int) int { return bits.OnesCount64(t.mask &^ maskOf(x.path(i))) }
	var d spelling.Distance
	if dot := strings.LastIndexByte(t.text, '.'); dot >= 0 {
		parent, name := t.text[:dot], t.text[dot+1:]
		for i := range x.entries {
			if !x.spans[i].isMember() || lacks(i) > 3 {
				continue
			}
			inParent := d.Between(x.parent(&x.spans[i]), parent, slipsAllowed(len(parent)))
			inName := d.Between(x.name(i), name, slipsAllowed(len(name)))
			if inParent <= slipsAllowed(len(parent)) && inName <= slipsAllowed(len(name)) {
				scores[i] = 2 * slip / float32(inParent+inName+1)
			}
		}
		return
	}
	for i := range x.entries {
		if lacks(i) <= allowed {
			scores[i] = best(&d, x.name(i), x.spans[i].humps, t.text, allowed)
		}
	}
	for id, w := range v.stems {
		n := d.Between(w, t.stem, allowed)
		if n > allowed {
			continue
		}
		for _, p := range v.list(int32(id)) {
			scores[p.entry] = max(scores[p.entry], wordsAlone*p.weight*0.6/float32(n+1))
		}
	}
}

// plainWords is like words, but without a matcher. It compares each term with each word.
func (c *cover) plainWords(x *Index, v *vocabulary, q *query, name string, words []word, rarities []float32) {
	before := -1
	var all, covered float32
	taken := c.used
	for n := 0; n < len(words); {
		w := &words[n]
		text, rest := name[w.start:endOf(words, n, name)], name[w.start:]
		next := n + 1
		found, how := -1, float32(0)
		for i := range q.terms {
			t := &q.terms[i]
			var s float32
			switch {
			case t.meaning:
			case t.text == text:
				s = 1
			case t.stem == v.stems[w.stem]:
				s = otherForm
			case len(t.text) > len(text) && strings.HasPrefix(rest, t.text):
				end := startsAt(words, n, name, int(w.start)+len(t.text))
				if end == 0 && x.with(Compounds) && len(t.parts) > 1 && rest[len(t.text)] == 's' {
					end = startsAt(words, n, name, int(w.start)+len(t.text)+1)
				}
				if end > 0 {
					s = 1
					next, text = end, t.text
				}
			}
			for _, o := range t.others {
				if o.stem == v.stems[w.stem] {
					s = max(s, inPlace*o.weight)
				}
			}
			if s > how && taken&(1<<i) == 0 {
				found, how = i, s
			}
		}
		all += v.weights[w.stem]
		if found >= 0 {
			covered += v.weights[w.stem] * how
			c.used |= 1 << found
			c.rarity += rarities[found] * how
			if before >= 0 && found == before+1 {
				c.adjacent++
			}
		}
		before = found
		n = next
	}
	if all > 0 {
		c.part = covered / all
	}
}

// compareWithPlain reports each difference between the results of a query in an index and the
// results of the plain functions.
func compareWithPlain(t *testing.T, x *Index, text string) {
	t.Helper()
	v := x.vocabulary()
	for _, o := range []Options{{}, {Fuzzy: true}} {
		q := x.parse(text)
		q.number(v)
		b := new(buffers)
		m := x.match(v, &q, o, b)
		total, matched, similar, rarities := x.plainMatch(v, &q, o)
		if !slices.Equal(m.rarities, rarities) {
			t.Fatalf("%q: the terms weigh %v, plainly %v", text, m.rarities, rarities)
		}
		found := map[int32]bool{}
		for _, i := range m.found {
			if found[i] || total[i] == 0 {
				t.Fatalf("%q: %s is found again or is no match", text, x.path(int(i)))
			}
			found[i] = true
		}
		for i := range total {
			if m.total[i] != total[i] || m.matched[i] != matched[i] || found[int32(i)] != (total[i] > 0) || m.similar != nil && m.similar[i] != similar[i] {
				t.Fatalf("%q: %s scores %v and %v, plainly %v and %v", text, x.path(i), m.total[i], m.matched[i], total[i], matched[i])
			}
		}
		var terms matcher
		terms.prepare(&q, v)
		for i := range x.entries {
			var c, plain cover
			c.words(x, v, &terms, x.name(i), v.wordsOf(int32(i)), rarities)
			plain.plainWords(x, v, &q, x.name(i), v.wordsOf(int32(i)), rarities)
			if c != plain {
				t.Fatalf("%q: the cover of %s is %+v, plainly %+v", text, x.name(i), c, plain)
			}
		}
		for _, term := range q.terms {
			dot := strings.LastIndexByte(term.text, '.')
			named, path := false, false
			for i := range x.entries {
				named = named || x.name(i) == term.text
				path = path || dot >= 0 && x.matchPath(term.text, dot, i) > 0
			}
			if x.has(term.text) != named || dot >= 0 && x.knowsPath(term.text) != path {
				t.Fatalf("%q: %s is a name: %v, plainly %v; a path: %v, plainly %v", text, term.text, x.has(term.text), named, x.knowsPath(term.text), path)
			}
		}
	}
}

func TestAMatchIsWhatAPlainLookAtEachEntryFinds(t *testing.T) {
	questions := standardQuestions(t)
	if testing.Short() {
		for path := range questions {
			questions[path] = questions[path][:1]
		}
	}
	for _, path := range slices.Sorted(maps.Keys(questions)) {
		x := New(standardPackage(t, path))
		for _, text := range questions[path] {
			compareWithPlain(t, x, text)
		}
	}
}

func FuzzMatch(f *testing.F) {
	for _, query := range []string{"read all", "Client.Timeout", "Cleint.Timeuot", "NewReqeust", "nrwc", "do not close idle connections", "größe", "max_retries without client", "a.b. _-", "fetch retrieve page", "clos closeidle close defaulttime default", "open or read the whole body of a request"} {
		f.Add(query)
	}
	indexes := []*Index{New(library()), New(big(300))}
	f.Fuzz(func(t *testing.T, query string) {
		for _, x := range indexes {
			compareWithPlain(t, x, query)
		}
	})
}

func TestASetKeepsEntriesThatLackFewLetters(t *testing.T) {
	x := New(big(300))
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		mask, missing := r.Uint64()&r.Uint64()&(1<<26-1), r.IntN(4)
		set := make([]uint64, x.signatures.width)
		x.signatures.all(set)
		x.signatures.keepSimilar(set, mask, missing)
		matching := slices.Collect(members(set))
		var want []int
		for i := range x.entries {
			if bits.OnesCount64(mask&^maskOf(x.path(i))) <= missing {
				want = append(want, i)
			}
		}
		if !slices.Equal(matching, want) {
			t.Fatalf("%d entries lack at most %d letters of %b, want %d", len(matching), missing, mask, len(want))
		}
	}
}

func TestTheBestAreTheFirstOfAllInOrder(t *testing.T) {
	x := New(big(3000))
	v := x.vocabulary()
	for _, text := range []string{"parse header from body", "open", "listen for a conn with options"} {
		q := x.parse(text)
		q.number(v)
		b := new(buffers)
		m := x.match(v, &q, Options{}, b)
		all := slices.Clone(m.found)
		slices.SortFunc(all, func(i, j int32) int {
			switch {
			case m.total[i] != m.total[j]:
				if m.total[i] > m.total[j] {
					return -1
				}
				return 1
			}
			return int(i - j)
		})
		for _, maximum := range []int{1, 7, 40, 256, len(all), len(all) + 1} {
			if got, want := b.best(nil, m.total, m.found, maximum), all[:min(maximum, len(all))]; !slices.Equal(got, want) {
				t.Errorf("%q: the best %d of %d are %v, want %v", text, maximum, len(all), got, want)
			}
		}
	}
}

// standardQuestions returns the questions of test/relevance about packages of Go's
// standard library, by package.
func standardQuestions(t *testing.T) map[string][]string {
	t.Helper()
	data := filetest.Read(t, filepath.Join("..", "..", "test", "relevance", "testdata", "questions", "go.json"))
	var questions []struct{ Package, Sentence, Known, Unknown string }
	if err := json.Unmarshal(data, &questions); err != nil {
		t.Fatal(err)
	}
	texts := map[string][]string{}
	for _, q := range questions {
		if first, _, _ := strings.Cut(q.Package, "/"); !strings.Contains(first, ".") {
			texts[q.Package] = append(texts[q.Package], q.Sentence, q.Known, q.Unknown)
		}
	}
	if len(texts) == 0 {
		t.Fatal("no question is about the standard library")
	}
	return texts
}

// standardPackage reads a package of Go's standard library.
func standardPackage(t testing.TB, path string) *apidoc.Package {
	t.Helper()
	found, err := build.Import(path, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range found.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(found.Dir, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	read, err := doc.NewFromFiles(fset, files, path)
	if err != nil {
		t.Fatal(err)
	}
	p := &apidoc.Package{Name: path, LocalName: read.Name, Doc: read.Doc}
	signature := func(node ast.Node) string {
		var b strings.Builder
		if err := format.Node(&b, fset, node); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	values := func(all []*doc.Value, kind apidoc.Kind) (symbols []apidoc.Symbol) {
		for _, value := range all {
			for _, name := range value.Names {
				symbols = append(symbols, apidoc.Symbol{Path: name, Kind: kind, Doc: value.Doc})
			}
		}
		return symbols
	}
	functions := func(all []*doc.Func, parent string, kind apidoc.Kind) (symbols []apidoc.Symbol) {
		for _, f := range all {
			symbols = append(symbols, apidoc.Symbol{Path: parent + f.Name, Kind: kind, Doc: f.Doc, Signature: signature(f.Decl)})
		}
		return symbols
	}
	p.Symbols = slices.Concat(values(read.Consts, apidoc.Const), values(read.Vars, apidoc.Var), functions(read.Funcs, "", apidoc.Func))
	for _, typ := range read.Types {
		p.Symbols = slices.Concat(p.Symbols, values(typ.Consts, apidoc.Const), values(typ.Vars, apidoc.Var), functions(typ.Funcs, "", apidoc.Func), []apidoc.Symbol{{
			Path: typ.Name, Kind: apidoc.Type, Doc: typ.Doc, Signature: signature(typ.Decl), Members: functions(typ.Methods, typ.Name+".", apidoc.Method),
		}})
	}
	return p
}
