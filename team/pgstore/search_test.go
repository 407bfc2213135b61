package pgstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/memory"
	"github.com/docent-mcp/docent/internal/store"
)

// save stores a package as a Store does.
func save(tb testing.TB, s *Store, group string, language *ecosystem.Info, p *apidoc.Package) {
	tb.Helper()
	l := &bookshelf{info: language, pkg: p}
	if _, err := newStore(l, s, group).Describe(tb.Context(), string(language.ID), ecosystem.Query{Package: p.Name}); err != nil {
		tb.Fatal(err)
	}
}

// bookshelf is a language with one package.
type bookshelf struct {
	quarry
	info *ecosystem.Info
	pkg  *apidoc.Package
}

func (b *bookshelf) Info() *ecosystem.Info { return b.info }

func (b *bookshelf) Find(_ context.Context, _ ecosystem.Query) (*ecosystem.Found, error) {
	return &ecosystem.Found{Key: b.pkg.Name + "@" + b.pkg.Version, Read: func(context.Context) (*apidoc.Package, error) {
		p := *b.pkg
		return &p, nil
	}}, nil
}

var (
	goInfo = &ecosystem.Info{ID: "go", Style: apidoc.Style{Name: "Go"}}
	pyInfo = &ecosystem.Info{ID: "python", Style: apidoc.Style{Name: "Python"}}
)

func TestSearch(t *testing.T) {
	s := opened(t, Options{URL: database(t)})
	symbols := func(pairs ...string) (all []apidoc.Symbol) {
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, apidoc.Symbol{Path: pairs[i], Kind: apidoc.Func, Signature: "func " + pairs[i] + "()", Doc: pairs[i+1]})
		}
		return all
	}
	save(t, s, "", goInfo, &apidoc.Package{Name: "example.com/kiln", LocalName: "kiln", Version: "v1.0.0", Symbols: symbols("Fire", "Fire heats the kiln until the clay is hard.", "ReadConfig", "ReadConfig parses a configuration file."), Doc: "Package kiln fires pottery."})
	save(t, s, "", goInfo, &apidoc.Package{Name: "example.com/kiln", LocalName: "kiln", Version: "v0.9.0", Symbols: symbols("Fire", "Fire heats the kiln."), Doc: "Package kiln fires pottery."})
	for i := range 3 { // a package that was read for several projects
		p := &apidoc.Package{Name: "example.com/kiln", Version: "v0.9.0", Symbols: symbols("Fire", "Fire heats the kiln.")}
		if err := s.Save(t.Context(), store.Key{Build: "1", Language: "go", Found: fmt.Sprint(i)}, valueOf("x", p)); err != nil {
			t.Fatal(err)
		}
	}
	var rows int
	if err := s.pool.QueryRow(t.Context(), `SELECT count(*) FROM docent_words`).Scan(&rows); err != nil || rows != 5 {
		t.Errorf("%d rows of words for two versions of a package with one and two symbols, %v", rows, err)
	}
	save(t, s, "", goInfo, &apidoc.Package{Name: "example.com/loom", Version: "v1.0.0", Symbols: symbols("Weave", "Weave makes cloth. It's quick; it takes no \\ or ' amiss.", "Load", "Load reads a file.")})
	save(t, s, "", pyInfo, &apidoc.Package{Name: "ovens", Version: "1.0", Symbols: symbols("bake_bread", "Bakes bread.", "fire", "Lights the fire.")})
	save(t, s, "payments", goInfo, &apidoc.Package{Name: "example.com/ledger", Version: "v1.0.0", Symbols: symbols("Fire", "Fire dismisses an employee.")})
	for _, tt := range []struct {
		group, query string
		languages    []*ecosystem.Info
		want         string // expected names of the packages, best first
		total        int
	}{
		{"", "parse config file", []*ecosystem.Info{goInfo}, "example.com/kiln example.com/loom", 2}, // loom contains one of the three words
		{"", "ReadConfig", []*ecosystem.Info{goInfo}, "example.com/kiln", 2},
		{"", "readconfig", []*ecosystem.Info{goInfo}, "example.com/kiln", 2},
		{"", "bakeBread", []*ecosystem.Info{goInfo, pyInfo}, "ovens", 3},
		{"", "bread", []*ecosystem.Info{goInfo}, "", 2},
		{"", "fire", []*ecosystem.Info{goInfo, pyInfo}, "example.com/kiln ovens", 3},
		{"payments", "fire", []*ecosystem.Info{goInfo}, "example.com/ledger example.com/kiln", 3},
		{"search", "ledger employee", []*ecosystem.Info{goInfo}, "", 2},
		{"", `it's \ & | ! <-> :* ( ' quick`, []*ecosystem.Info{goInfo}, "example.com/loom", 2},
		{"", "\x00\xff'); DROP TABLE docent_packages; --", []*ecosystem.Info{goInfo}, "", 2},
		{"", "of the", []*ecosystem.Info{goInfo}, "example.com/kiln", 2},
		{"", " ", []*ecosystem.Info{goInfo}, "", 0},
	} {
		found, total, err := s.Search(t.Context(), store.Scope{Build: "1", Group: tt.group, Languages: tt.languages}, tt.query, 10, nil)
		if err != nil {
			t.Errorf("%q: %v", tt.query, err)
		}
		var names []string
		for _, p := range found {
			names = append(names, p.Name)
			if p.Style.Name == "" || p.Ecosystem == "" {
				t.Errorf("%s has no style or language", p.Name)
			}
		}
		if tt.group == "payments" || tt.query == "fire" {
			slices.Sort(names)
			want := strings.Fields(tt.want)
			slices.Sort(want)
			tt.want = strings.Join(want, " ")
		}
		if got := strings.Join(names, " "); got != tt.want || total != tt.total {
			t.Errorf("the group %q finds %q for %q among %d, want %q among %d", tt.group, got, tt.query, total, tt.want, tt.total)
		}
	}
}

// TestSearch_DecodesWithinTheBudget searches while another task takes all the memory.
func TestSearch_DecodesWithinTheBudget(t *testing.T) {
	s := opened(t, Options{URL: database(t)})
	for _, name := range []string{"kiln", "oven"} {
		save(t, s, "", goInfo, &apidoc.Package{Name: "example.com/" + name, Version: "v1.0.0", Symbols: []apidoc.Symbol{{Path: "Fire", Kind: apidoc.Func, Doc: "Fire heats the " + name + "."}}})
	}
	scope := store.Scope{Build: "1", Languages: []*ecosystem.Info{goInfo}}
	budget := memory.New(1) // one task at a time
	find := func(ctx context.Context, query string) (int, error) {
		found, _, err := s.Search(ctx, scope, query, 10, budget)
		return len(found), err
	}
	if n, err := find(t.Context(), "kiln"); n != 1 || err != nil {
		t.Fatalf("%d packages, %v", n, err)
	}
	err := budget.Do(t.Context(), func(ctx context.Context) error {
		if n, err := find(t.Context(), "kiln"); n != 1 || err != nil { // it is in the cache
			t.Errorf("a package that has been decoded: %d packages, %v", n, err)
		}
		ctx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		if n, err := find(ctx, "oven"); n != 0 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a package was decoded without room for it: %d packages, %v", n, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if n, err := find(t.Context(), "oven"); n != 1 || err != nil {
		t.Errorf("when there is room: %d packages, %v", n, err)
	}
}

// Two groups can have the same prefix of words.
func TestSearch_HidesPackagesOfGroupsWithTheSamePrefix(t *testing.T) {
	s := opened(t, Options{URL: database(t)})
	save(t, s, "", goInfo, &apidoc.Package{Name: "example.com/ledger", Version: "v1.0.0", Doc: "Package ledger counts money."})
	scope := store.Scope{Build: "1", Languages: []*ecosystem.Info{goInfo}}
	if found, _, err := s.Search(t.Context(), scope, "ledger", 10, nil); err != nil || len(found) != 1 {
		t.Fatalf("%d packages, %v", len(found), err)
	}
	for _, column := range []string{"owner", "build", "language"} {
		if _, err := s.pool.Exec(t.Context(), `UPDATE docent_packages SET owner = '', build = '1', language = 'go'`); err != nil {
			t.Fatal(err)
		}
		if _, err := s.pool.Exec(t.Context(), `UPDATE docent_packages SET `+column+` = 'payments'`); err != nil {
			t.Fatal(err)
		}
		if found, _, err := s.Search(t.Context(), scope, "ledger", 10, nil); err != nil || len(found) != 0 {
			t.Errorf("a package with another %s: found %d, %v", column, len(found), err)
		}
	}
}

// synthetic returns a package of 40 symbols. Their words have the same frequencies as words in
// ordinary text.
func synthetic(n int) *apidoc.Package {
	random := rand.New(rand.NewPCG(uint64(n), 1))
	words := rand.NewZipf(random, 1.1, 4, 8000)
	text := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "%s ", synthesized(words.Uint64()))
		}
		return b.String()
	}
	name := func() string {
		var b strings.Builder
		for range 2 {
			w := synthesized(words.Uint64())
			b.WriteString(strings.ToUpper(w[:1]) + w[1:])
		}
		return b.String()
	}
	p := &apidoc.Package{Name: fmt.Sprintf("example.com/p%d", n), Version: "v1.0.0", Doc: text(40)}
	for range 40 {
		s := name()
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: s, Kind: apidoc.Func, Signature: "func " + s + "(ctx context.Context) error", Doc: text(30)})
	}
	return p
}

// synthesized returns an invented word.
func synthesized(n uint64) string {
	const consonants, vowels = "bdfgklmnprtvz", "aiou"
	var b strings.Builder
	for n++; n > 0; n /= 52 {
		b.WriteByte(consonants[n%13])
		b.WriteByte(vowels[n/13%4])
	}
	return b.String() + "k"
}

// BenchmarkSearch measures searches for words of different frequencies in 300 and in 10,000
// packages of 40 symbols. The times include ranking the packages that are found.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{300, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := opened(b, Options{URL: database(b)})
			if _, err := s.pool.Exec(b.Context(), `DROP INDEX docent_words_words`); err != nil { // so that storing is faster
				b.Fatal(err)
			}
			var next atomic.Int64
			var wait sync.WaitGroup
			begun := time.Now()
			for range 4 {
				wait.Go(func() {
					for i := next.Add(1); i <= int64(n); i = next.Add(1) {
						save(b, s, "", goInfo, synthetic(int(i)))
					}
				})
			}
			wait.Wait()
			for _, sql := range []string{`CREATE INDEX docent_words_words ON docent_words USING gin (words)`, `VACUUM ANALYZE docent_words`} {
				if _, err := s.pool.Exec(b.Context(), sql); err != nil {
					b.Fatal(err)
				}
			}
			b.Logf("%d packages were stored in %v", n, time.Since(begun))
			l := lookup.New(newStore(&bookshelf{info: goInfo, pkg: kiln}, s, ""))
			random := rand.New(rand.NewPCG(7, 7))
			queries := make([]string, 200)
			for i := range queries {
				for range 1 + i%4 {
					queries[i] += synthesized(uint64(random.IntN(1<<random.IntN(13)))) + " "
				}
			}
			var times []time.Duration
			i := 0
			for b.Loop() {
				begun := time.Now()
				if _, _, err := l.SearchEverything(b.Context(), lookup.Search{Query: queries[i%len(queries)]}); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(begun))
				i++
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.HeapInuse>>20), "heap-MB")
		})
	}
}
