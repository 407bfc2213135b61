package lookup

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/store"
)

// manifest is a language whose project depends on packages that take some time to read.
type manifest struct {
	shelves
	depends []ecosystem.Dependency
	slow    time.Duration
	large   string // package that takes minutes to read
	// unreachable is true if packages that are not installed cannot be downloaded.
	unreachable bool

	mu    sync.Mutex
	found []string
}

func (m *manifest) Dependencies(string) ([]ecosystem.Dependency, error) { return m.depends, nil }

func (m *manifest) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	found := q.Package
	if fetch.NetworkOff(ctx) {
		found += " offline"
	}
	m.mu.Lock()
	m.found = append(m.found, found)
	m.mu.Unlock()
	name, _, _ := strings.Cut(q.Package, "@")
	p := m.packages[name]
	if m.unreachable && slices.ContainsFunc(m.depends, func(d ecosystem.Dependency) bool { return d.Package == name && !d.Installed }) {
		return nil, &ecosystem.Error{Reason: ecosystem.Unreachable, What: "no network"}
	}
	if p == nil {
		return nil, &ecosystem.Error{Reason: ecosystem.NotFound, What: "no package " + q.Package}
	}
	return &ecosystem.Found{Read: func(ctx context.Context) (*apidoc.Package, error) {
		slow := m.slow
		if name == m.large {
			slow = 5 * time.Minute
		}
		select {
		case <-time.After(slow):
			copied := *p
			return &copied, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}, nil
}

func withDependencies(slow time.Duration, others ...ecosystem.Language) (*Lookup, *manifest) {
	m := &manifest{slow: slow, shelves: shelves{id: "go", packages: map[string]*apidoc.Package{}}}
	for _, p := range []*apidoc.Package{
		pkg("example.com/imported", "example.com/imported", nil, "OpenFile", "Shared"),
		pkg("example.com/direct/v2", "example.com/direct/v2", nil, "OpenFile", "Only", "Shared"),
		pkg("example.com/remote", "example.com/remote", nil, "Uninstalled"),
		pkg("example.com/far", "example.com/far", nil, "OpenFile", "Remote"),
	} {
		m.packages[p.Name] = p
	}
	m.depends = []ecosystem.Dependency{
		{Package: "example.com/imported", Direct: true, Imported: true, Installed: true},
		{Package: "example.com/direct/v2", Direct: true, Installed: true},
		{Package: "example.com/gone", Direct: true, Installed: true},
		{Package: "example.com/remote", Direct: true},
		{Package: "example.com/away"},
		{Package: "example.com/far", Installed: true},
	}
	return New(store.New(append(ecosystem.Languages{m}, others...), store.Options{})), m
}

func TestASearchOfAllThatAProjectDependsOn(t *testing.T) {
	other := &manifest{shelves: shelves{id: "npm"}}
	for _, tt := range []struct {
		name  string
		about Package
		query string
		want  []string // expected names in this order
		fail  string
	}{
		{"what the project imports comes first", Package{Language: "go", Project: "/src/go"}, "open file", []string{
			"# Found in the project's dependencies\n", "Searched 4 packages that the project depends on, 3 of them directly. Not installed, so not searched: example.com/away (docent fetch reads them). In their other modules and entry points, only exact names are found.\n",
			"**OpenFile** in example.com/imported@v1", "**OpenFile** in example.com/direct/v2@v1", "OpenFile in example.com/far",
		}, ""},
		{"the query names a package", Package{Language: "go", Project: "/src/go"}, "direct open file", []string{"**OpenFile** in example.com/direct/v2@v1", "OpenFile in example.com/imported"}, ""},
		{"several wishes", Package{Language: "go", Project: "/src/go"}, "only; remote", []string{"## only", "**Only** in", "## remote", "**Remote** in example.com/far@v1"}, ""},
		{"a package that is not installed", Package{Language: "go", Project: "/src/go"}, "uninstalled", []string{"**Uninstalled** in example.com/remote@v1"}, ""},
		{"nothing", Package{Language: "go", Project: "/src/go"}, "nonsense", []string{`Nothing matches "nonsense"`}, ""},
		{"the language is that of the project", Package{Project: "/src/go"}, "only", []string{"**Only** in example.com/direct/v2@v1"}, ""},
		{"no project", Package{}, "only", nil, "neither a package nor a project was named"},
		{"no project of the language that is named", Package{Language: "go"}, "only", nil, "neither a package nor a project was named"},
		{"no query", Package{Language: "go", Project: "/src/go"}, " ; ", nil, "contains no words to search for"},
		{"an unknown language", Package{Language: "cobol", Project: "/src/go"}, "only", nil, "cobol"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, m := withDependencies(0, other)
			a, _, err := l.SearchDependencies(t.Context(), Dependencies{Search: Search{Package: tt.about, Query: tt.query}, Patience: time.Hour})
			if tt.fail != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fail) {
					t.Errorf("got %v, want %q", err, tt.fail)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			rest := a.Text
			for _, part := range tt.want {
				i := strings.Index(rest, part)
				if i < 0 {
					t.Fatalf("no %q, or not in order, in\n%s", part, a.Text)
				}
				rest = rest[i:]
			}
			if m.mu.Lock(); !slices.Contains(m.found, "example.com/remote") || !slices.Contains(m.found, "example.com/away") {
				t.Errorf("of the packages that are not installed, those of %q are looked for", m.found)
			}
			m.mu.Unlock()
		})
	}
}

// TestDependenciesWithoutANetwork checks that after a few failed downloads, the other packages are read
// only from the cache.
func TestDependenciesWithoutANetwork(t *testing.T) {
	l, m := withDependencies(0)
	m.unreachable = true
	for i := range 40 {
		m.depends = append(m.depends, ecosystem.Dependency{Package: fmt.Sprintf("example.com/remote%02d", i), Direct: true})
	}
	a, _, err := l.SearchDependencies(t.Context(), Dependencies{Search: Search{Package: Package{Language: "go", Project: "/src/go"}, Query: "open file"}, Patience: time.Hour})
	if err != nil || !strings.Contains(a.Text, "Not installed, so not searched: example.com/remote, example.com/away, example.com/remote00") {
		t.Fatal(err, a)
	}
	online := 0
	for _, name := range m.found {
		if m.packages[name] == nil && name != "example.com/gone" && !strings.HasSuffix(name, " offline") {
			online++
		}
	}
	if online == 0 || online > maxUnreachable+downloads {
		t.Errorf("docent tried to download %d packages", online)
	}
}

func TestPackagesOfOtherPlatformsStandBehind(t *testing.T) {
	l, m := withDependencies(0)
	for _, name := range []string{"example.com/second", "example.com/third"} {
		m.packages[name] = pkg(name, name, nil, "Else")
		m.depends = append(m.depends, ecosystem.Dependency{Package: name, Installed: true})
	}
	for name, p := range m.packages {
		p.Platform = "linux/amd64"
		if name == "example.com/imported" || name == "example.com/far" {
			p.Platform = "windows/amd64"
		}
	}
	for query, want := range map[string]string{"open file": "example.com/direct/v2", "far open file": "example.com/far"} {
		results, _, err := l.DependencyMatches(t.Context(), Dependencies{Search: Search{Package: Package{Language: "go", Project: "/src/go"}, Query: query}, Patience: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		if got := results[0].Hits[0].Package().Name; got != want {
			t.Errorf("%q: found %s first, want %s", query, got, want)
		}
	}
}

func TestAShortNameMeansWhatTheProjectUses(t *testing.T) {
	for _, tt := range []struct{ name, request, want string }{
		{"two majors, of which one is imported", "vorra", "# example.org/s/vorra/v2@v1"},
		{"the same with a symbol", "vorra.Open", "# Open (func) in example.org/s/vorra/v2@v1"},
		{"two majors that only differ in who asks", "chi", "# example.org/chi/v5@v1"},
		{"a major version with a dot", "yaml", "# example.org/yaml.v3@v1"},
		{"two authors, of which one is a dependency's", "uuid", "# example.org/a/uuid@v1"},
		{"two that are imported", "json", "json can refer to any of encoding/json, example.org/x/json;"},
		{"one of the project's own and a dependency", "store", "store can refer to any of app/internal/store, app/store/internal/store, example.org/internal/store;"},
		{"a module of which a package below is imported", "deep", "# example.org/deep/v3@v1"},
		{"a whole path", "example.org/s/vorra", "# example.org/s/vorra@v1"},
		{"a version with the short name", "yaml@v3", "# example.org/yaml.v3@v1"},
		{"a directory of the project", "internal/cache", "# app/internal/cache@v1"},
		{"a name that nothing has", "nowhere", "no package nowhere"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &manifest{shelves: shelves{id: "go", packages: map[string]*apidoc.Package{}}}
			for _, name := range []string{
				"example.org/s/vorra", "example.org/s/vorra/v2", "example.org/chi", "example.org/chi/v5", "example.org/yaml.v3",
				"example.org/a/uuid", "example.org/b/uuid", "encoding/json", "example.org/x/json",
				"app/internal/store", "app/store/internal/store", "example.org/internal/store", "example.org/deep", "example.org/deep/v3", "app/internal/cache",
			} {
				m.packages[name] = pkg(name, name, nil, "Open")
			}
			m.depends = []ecosystem.Dependency{
				{Package: "example.org/s/vorra/v2", Direct: true, Imported: true}, {Package: "example.org/s/vorra", Direct: true},
				{Package: "example.org/chi"}, {Package: "example.org/chi/v5", Direct: true}, {Package: "example.org/yaml.v3", Direct: true},
				{Package: "example.org/a/uuid", Direct: true}, {Package: "example.org/b/uuid"},
				{Package: "encoding/json", Imported: true, Direct: true}, {Package: "example.org/x/json", Imported: true, Direct: true},
				{Package: "example.org/internal/store", Imported: true, Direct: true},
				{Package: "example.org/deep/v3/sub", Imported: true, Direct: true}, {Package: "example.org/deep"},
			}
			l := New(store.New(ecosystem.Languages{m}, store.Options{}))
			a, err := l.Describe(t.Context(), Description{Package: Package{Language: "go", Name: tt.request, Project: "/src/go"}})
			var text string
			if err != nil {
				text = err.Error()
			} else {
				text = a.Text
			}
			if !strings.Contains(text, tt.want) {
				t.Errorf("no %q in\n%s", tt.want, text)
			}
		})
	}
}

func TestDependenciesAreReadInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, m := withDependencies(5 * time.Second)
		for i := range 40 {
			name := fmt.Sprintf("example.com/more/p%02d", i)
			m.packages[name] = pkg(name, name, nil, fmt.Sprintf("Thing%02d", i))
			m.depends = append(m.depends, ecosystem.Dependency{Package: name, Installed: true})
		}
		ask := func(query string) string {
			t.Helper()
			var reports []int
			a, _, err := l.SearchDependencies(t.Context(), Dependencies{
				Search:   Search{Package: Package{Language: "go", Project: "/src/go"}, Query: query},
				Progress: func(done, all int) { reports = append(reports, done*1000+all) },
			})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.IsSorted(reports) || len(reports) > 0 && reports[0]%1000 != 46 {
				t.Errorf("progress: %v", reports)
			}
			return a.Text
		}
		begun := time.Now()
		if text := ask("open file"); !strings.Contains(text, "Still being read: 46 packages; ask again") {
			t.Error(text)
		}
		if took := time.Since(begun); took != firstAnswer {
			t.Errorf("the first answer came after %s", took)
		}
		time.Sleep(time.Hour) // fake time; all packages are read before it ends
		synctest.Wait()
		begun = time.Now()
		text := ask("thing39")
		if strings.Contains(text, "still being read") || !strings.Contains(text, "**Thing39** in example.com/more/p39@v1") || time.Since(begun) != 0 {
			t.Error(time.Since(begun), text)
		}
		// The packages are now old, so they are being read again. The existing packages are used
		// for answers in the meantime.
		if l.readings.recent[0].previous == nil {
			t.Error("nothing is read again")
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := l.SearchDependencies(ctx, Dependencies{Search: Search{Package: Package{Language: "go", Project: "/src/go"}, Query: "x"}}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		time.Sleep(time.Hour)
	})
}

// TestDependencies_SmallOnesAreReadWhileALargeOneIs checks that the first answer covers the small
// dependencies although a large one is more important.
func TestDependencies_SmallOnesAreReadWhileALargeOneIs(t *testing.T) {
	for _, processors := range []int{1, 2} {
		synctest.Test(t, func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			l, m := withDependencies(10 * time.Millisecond)
			m.large = "example.com/large"
			m.packages[m.large] = pkg(m.large, m.large, nil, "OpenFile")
			m.depends = append([]ecosystem.Dependency{{Package: m.large, Direct: true, Imported: true, Installed: true, Size: 1 << 30}}, m.depends...)
			a, _, err := l.SearchDependencies(t.Context(), Dependencies{Search: Search{Package: Package{Language: "go", Project: "/src/go"}, Query: "open file"}})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(a.Text, "Searched 3 packages that the project depends on, 2 of them directly.") {
				t.Errorf("on %d processors: %s", processors, a.Text)
			}
			awaitReading(l.readings.recent[0])
			if a, _, err = l.SearchDependencies(t.Context(), Dependencies{Search: Search{Package: Package{Language: "go", Project: "/src/go"}, Query: "open file"}}); err != nil || !strings.Contains(a.Text, "example.com/large@") {
				t.Errorf("at last, on %d processors: %v %v", processors, a, err)
			}
			awaitReading(l.readings.recent[0]) // the search has begun another one, because the first is old
		})
	}
}

// TestDependencies_Limits uses projects with too many dependencies or too many symbols in them. The answer
// names what it leaves out.
func TestDependencies_Limits(t *testing.T) {
	ask := func(packages, symbols int) string {
		l, m := withDependencies(0)
		m.depends = nil
		names := make([]string, symbols)
		for i := range names {
			names[i] = fmt.Sprintf("Name%d", i)
		}
		for i := range packages {
			name := fmt.Sprintf("example.com/p%d", i)
			m.packages[name] = pkg(name, name, nil, names...)
			m.depends = append(m.depends, ecosystem.Dependency{Package: name, Direct: i == 0, Installed: true})
		}
		a, _, err := l.SearchDependencies(t.Context(), Dependencies{Search: Search{Package: Package{Language: "go", Project: "/src/go"}, Query: "name"}, Patience: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		return a.Text
	}
	for _, tt := range []struct {
		packages, symbols int
		want              string
	}{
		{maxDependencies + 2, 1, "Searched 2000 packages that the project depends on, 1 of them directly. Not searched, because the project has too many dependencies: example.com/p2000, example.com/p2001."},
		{5, maxSymbols / 2, "Not searched, because the project has too many dependencies: example.com/p"},
	} {
		if got := ask(tt.packages, tt.symbols); !strings.Contains(got, tt.want) {
			t.Errorf("%d packages with %d symbols: the answer lacks %q:\n%.600s", tt.packages, tt.symbols, tt.want, got)
		}
	}
}

// awaitReading waits until all dependencies have been read.
func awaitReading(r *reading) {
	for {
		r.mu.Lock()
		done, changed := r.looked == len(r.all), r.changed
		r.mu.Unlock()
		if done {
			return
		}
		<-changed
	}
}

// BenchmarkSearchOfDependencies searches 300 packages of 100 symbols each.
func BenchmarkSearchOfDependencies(b *testing.B) {
	l, m := withDependencies(0)
	verbs := []string{"Open", "Read", "Write", "Parse", "Encode", "Decode", "Close", "Find", "Sort", "Merge"}
	nouns := []string{"File", "Stream", "Record", "Header", "Token", "Query", "Image", "Matrix", "Session", "Template"}
	for i := range 300 {
		name := fmt.Sprintf("example.com/many/p%03d", i)
		var symbols []string
		for _, v := range verbs {
			for _, n := range nouns {
				symbols = append(symbols, fmt.Sprintf("%s%s%d", v, n, i))
			}
		}
		m.packages[name] = pkg(name, name, nil, symbols...)
		m.depends = append(m.depends, ecosystem.Dependency{Package: name, Direct: i%2 == 0, Installed: true})
	}
	ask := Dependencies{Search: Search{Package: Package{Language: "go", Project: "/src/go"}, Query: "parse a session token"}, Patience: time.Hour}
	for b.Loop() {
		if _, found, err := l.SearchDependencies(b.Context(), ask); err != nil || !found {
			b.Fatal(found, err)
		}
	}
}
