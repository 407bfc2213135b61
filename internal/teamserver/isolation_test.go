package teamserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/store"
)

// A journal records what a server looks up.
type journal struct {
	mu    sync.Mutex
	steps []string
}

func (j *journal) add(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.steps = append(j.steps, fmt.Sprintf(format, args...))
}

// take returns the entries since the last call.
func (j *journal) take() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	steps := j.steps
	j.steps = nil
	return steps
}

// vault is a language with a private registry. The registry contains the packages secret-N and
// packages shared-N that differ from those in the public registry. vault records its lookups in a
// journal.
type vault struct {
	shelf
	token   string // token of the private registry
	journal *journal
}

func (l vault) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	l.journal.add("find %s with the token %q", q.Package, l.token)
	name, version, _ := strings.Cut(q.Package, "@")
	if q.Version != "" {
		version = q.Version
	}
	private := l.token != "" && (strings.HasPrefix(name, "secret-") || strings.HasPrefix(name, "shared-"))
	if !private && !strings.HasPrefix(name, "shared-") {
		return nil, ecosystem.Fail(ecosystem.NotFound, "there is no package %s", name).WithNear("shared-0")
	}
	found, err := l.shelf.Find(ctx, ecosystem.Query{Package: "turtle", Version: version})
	if err != nil {
		return nil, err
	}
	read := found.Read
	found.Key = name + "@" + version // use the same key for both registries
	found.Read = func(ctx context.Context) (*apidoc.Package, error) {
		l.journal.add("read %s with the token %q", q.Package, l.token)
		p, err := read(ctx)
		p.Name, p.Doc = name, map[bool]string{true: "Private.", false: "Public."}[private]
		return p, err
	}
	found.File = func(context.Context, string) ([]byte, error) { return []byte("plot(x)\n"), nil }
	return found, nil
}

func (l vault) Releases(ctx context.Context, project string, p *ecosystem.Used) (*ecosystem.Releases, error) {
	l.journal.add("releases of %s with the token %q", p.Name, l.token)
	if l.token == "" || !strings.HasPrefix(p.Name, "secret-") {
		return nil, ecosystem.Fail(ecosystem.NotFound, "the registry has no %s", p.Name)
	}
	return l.shelf.Releases(ctx, project, &ecosystem.Used{Name: "turtle"})
}

func (l vault) Names(_, prefix string, _ int) []string {
	l.journal.add("names that begin with %s, with the token %q", prefix, l.token)
	return nil
}

// watched is a store for replicas that records in a journal which entries are requested.
type watched struct {
	store.Backend
	journal *journal
}

func (w watched) Load(ctx context.Context, k store.Key) (string, error) {
	w.journal.add("load %s of the group %q", k.Found, k.Group)
	return w.Backend.Load(ctx, k)
}

func (w watched) Save(ctx context.Context, k store.Key, v *store.Value) error {
	w.journal.add("save %s of the group %q", k.Found, k.Group)
	return w.Backend.Save(ctx, k, v)
}

func (w watched) Lock(ctx context.Context, k store.Key) (func(), error) {
	w.journal.add("lock %s of the group %q", k.Found, k.Group)
	return w.Backend.Lock(ctx, k)
}

// isolated is a server on which the group payments has the private registry.
type isolated struct {
	*running
	journal                 *journal
	alice, bob, carol, dave string // keys in the group payments, in the group search, which also has a home, in a group without a home, and in no group
}

func startIsolated(t *testing.T) *isolated {
	file, add := newKeys(t)
	s := &isolated{journal: &journal{}, alice: add("alice", 0, "payments"), bob: add("bob", 0, "search"), carol: add("carol", 0, "sales"), dave: add("dave", 0)}
	backend := watched{store.Directory(cachedir.New(t.TempDir(), cachedir.Options{})), s.journal}
	newStore := func(group string, env []string) *store.Store {
		return store.New(ecosystem.Languages{vault{token: environ.Parse(env).Get("TOKEN"), journal: s.journal}}, store.Options{Shared: backend, Group: group, Build: "1"})
	}
	o := Options{Keys: file, Rate: 10_000, NewStore: newStore, Groups: map[string]Group{
		"payments": {Home: t.TempDir(), Environment: []string{"TOKEN=hush"}}, "search": {Home: t.TempDir()}, "sales": {},
	}}
	o.Documentation.Store = newStore("", nil)
	s.running = start(t, vault{}, o)
	return s
}

// ways returns the requests with which a client can ask about a package. Each returns the complete
// response.
func (s *isolated) ways(t *testing.T) map[string]func(key, name string) string {
	tool := func(tool string, arguments func(name string) map[string]any) func(key, name string) string {
		return func(key, name string) string {
			status, text := s.tool(t, http.DefaultClient, key, tool, arguments(name))
			return fmt.Sprint(status, " ", text)
		}
	}
	get := func(path string) func(key, name string) string {
		return func(key, name string) string {
			status, header, text := request(t, http.MethodGet, s.url+strings.ReplaceAll(path, "NAME", name), key, "")
			header.Del("Date")
			return fmt.Sprint(status, " ", header, " ", text)
		}
	}
	completion := func(reference string) func(key, name string) string {
		return func(key, name string) string {
			status, text := s.rpc(t, http.DefaultClient, key, "completion/complete", "", map[string]any{
				"ref": json.RawMessage(reference), "argument": map[string]any{"name": "package", "value": name},
			})
			return fmt.Sprint(status, " ", text)
		}
	}
	return map[string]func(key, name string) string{
		"describe":           tool("describe_tape_package", func(name string) map[string]any { return map[string]any{"package": name} }),
		"describe a version": tool("describe_tape_package", func(name string) map[string]any { return map[string]any{"package": name, "version": "1"} }),
		"describe a symbol":  tool("describe_tape_package", func(name string) map[string]any { return map[string]any{"package": name, "symbol": "plot"} }),
		"source": tool("describe_tape_package", func(name string) map[string]any {
			return map[string]any{"package": name, "symbol": "plot", "source": "true"}
		}),
		"several packages":      tool("describe_tape_package", func(name string) map[string]any { return map[string]any{"package": "shared-0, " + name} }),
		"search":                tool("search_package_docs", func(name string) map[string]any { return map[string]any{"package": name, "query": "private"} }),
		"search everywhere":     tool("search_package_docs", func(name string) map[string]any { return map[string]any{"query": name} }),
		"compare":               tool("compare_package_versions", func(name string) map[string]any { return map[string]any{"package": name + "@1", "language": "tape"} }),
		"the project":           tool("list_project_packages", func(name string) map[string]any { return map[string]any{"package": name} }),
		"completion, prompt":    completion(`{"type":"ref/prompt","name":"describe_tape_package"}`),
		"completion, resource":  completion(`{"type":"ref/resource","uri":"docent://tape/{package}"}`),
		"API packages":          get("/v1/packages/tape/NAME"),
		"API symbols":           get("/v1/symbols/tape/NAME?symbol=plot"),
		"API search":            get("/v1/search/tape/NAME?query=private"),
		"API versions":          get("/v1/versions/tape/NAME"),
		"API diff":              get("/v1/diff/tape/NAME@1?to=2"),
		"API encoded":           get("/v1/encoded/tape/NAME"),
		"API encoded, index":    get("/v1/encoded/tape/NAME?index=true"),
		"API files":             get("/v1/files/tape/NAME?file=turtle.tape"),
		"API, unknown language": get("/v1/packages/disc/NAME"),
		"page":                  get("/tape/NAME"),
		"page of a version":     get("/tape/NAME@2/"),
		"page of a symbol":      get("/tape/NAME@2/plot"),
		"page as JSON":          get("/tape/NAME@2/?format=json"),
		"page of differences":   get("/tape/NAME@2/-/diff/1"),
		"page of source code":   get("/tape/NAME@2/-/source/turtle.tape"),
		"page of a search":      get("/-/search?in=/tape/NAME@2/&q=draws"),
		"page to open":          get("/-/open?language=tape&package=NAME"),
	}
}

// A principal outside a group must not be able to find out whether a private package of the group
// exists. After the group has read the package, the server answers as if the package did not exist,
// and looks up exactly the same things. Therefore the response times do not differ.
func TestAttack_ExistenceOfPrivatePackages(t *testing.T) {
	s := startIsolated(t)
	n := 0
	for name, ask := range s.ways(t) {
		for who, key := range map[string]string{"another group with a home": s.bob, "another group": s.carol, "no group": s.dave} {
			n++
			number := fmt.Sprintf("-%03d", n) // failures are cached, so each request needs a different name
			if answer := ask(s.alice, "secret"+number); strings.HasPrefix(name, "describe") && !strings.Contains(answer, "plot") {
				t.Fatalf("%s: the group itself: %s", name, answer)
			}
			ask(s.alice, "secret"+number)
			ask(key, "absent-000") // read what does not depend on the name now
			s.journal.take()
			wantAnswer := strings.ReplaceAll(ask(key, "absent"+number), "absent", "secret")
			want := s.journal.take()
			for i := range want {
				want[i] = strings.ReplaceAll(want[i], "absent", "secret")
			}
			answer := ask(key, "secret"+number)
			steps := s.journal.take()
			if answer != wantAnswer {
				t.Errorf("%s, %s: a private package: %s\nno package: %s", name, who, answer, wantAnswer)
			}
			slices.Sort(want)
			if slices.Sort(steps); !slices.Equal(steps, want) {
				t.Errorf("%s, %s: a private package: %q\nno package: %q", name, who, steps, want)
			}
			for _, step := range steps {
				if strings.Contains(step, "payments") || strings.Contains(step, "hush") {
					t.Errorf("%s, %s: the request of another principal leads to: %s", name, who, step)
				}
			}
		}
	}
}

// If a private and a public package have the same name, each client gets its own one, whoever reads
// it first.
func TestAttack_PackagesWithTheSameName(t *testing.T) {
	s := startIsolated(t)
	for i, order := range [][]string{{s.alice, s.bob, s.carol, s.dave}, {s.dave, s.carol, s.bob, s.alice}, {s.bob, s.alice, s.dave, s.carol}} {
		for range 2 {
			for _, key := range order {
				want, other := "Public.", "Private."
				if key == s.alice {
					want, other = other, want
				}
				name := fmt.Sprint("shared-", i)
				for _, question := range []string{"describe", "API packages"} {
					if answer := s.ways(t)[question](key, name); !strings.Contains(answer, want) || strings.Contains(answer, other) {
						t.Errorf("%s: %s, want %s", question, answer, want)
					}
				}
			}
		}
	}
}

// A client outside the group does not get the names of private packages as completions.
func TestAttack_Completion(t *testing.T) {
	s := startIsolated(t)
	if answer := s.ways(t)["describe"](s.alice, "secret-1"); !strings.Contains(answer, "Private.") {
		t.Fatal(answer)
	}
	_, tools := s.rpc(t, http.DefaultClient, s.bob, "tools/list", "", map[string]any{})
	_, prompts := s.rpc(t, http.DefaultClient, s.bob, "prompts/list", "", map[string]any{})
	_, resources := s.rpc(t, http.DefaultClient, s.bob, "resources/list", "", map[string]any{})
	_, templates := s.rpc(t, http.DefaultClient, s.bob, "resources/templates/list", "", map[string]any{})
	for _, reference := range []string{
		`{"type":"ref/prompt","name":"describe_tape_package"}`, `{"type":"ref/prompt","name":"secret-1"}`, `{"type":"ref/resource","uri":"docent://tape/{package}"}`,
		`{"type":"ref/resource","uri":"secret-1"}`, `{"type":"ref/tool","name":"describe_tape_package"}`,
	} {
		for _, typed := range []string{"", "s", "secret", "secret-1"} {
			_, text := s.rpc(t, http.DefaultClient, s.bob, "completion/complete", "", map[string]any{"ref": json.RawMessage(reference), "argument": map[string]any{"name": "package", "value": typed}})
			if !strings.Contains(reference, "secret") && strings.Contains(text, "secret") || strings.Contains(text, `"values":["`) {
				t.Errorf("%s with %q: %s", reference, typed, text)
			}
		}
	}
	if text := tools + prompts + resources + templates; strings.Contains(text, "secret") || !strings.Contains(tools, "describe_tape_package") {
		t.Errorf("lists: %s", text)
	}
}

// The server does not access files outside the directories that a principal may use. Therefore the
// response time does not reveal which files exist there.
func TestAttack_ExistenceOfDirectories(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	app := filepath.Join(base, "payments", "app")
	if err := os.MkdirAll(app, 0o700); err != nil {
		t.Fatal(err)
	}
	var looked []string
	p := &projects{groups: map[string]Group{"payments": {Projects: []string{filepath.Dir(app)}}, "search": {Projects: []string{filepath.Join(base, "search")}}}, realPath: func(path string) (string, error) {
		looked = append(looked, path)
		return filepath.EvalSymlinks(path)
	}}
	ask := func(group, path string) (string, error) {
		looked = nil
		return p.resolve(withPrincipal(t.Context(), &Principal{ID: "x", Groups: []string{group}}), path)
	}
	if dir, err := ask("payments", app); dir != app || err != nil {
		t.Errorf("got %q, %v", dir, err)
	}
	for _, path := range []string{app, filepath.Dir(app), base, "/etc", filepath.Join(base, "search", "..", "payments"), "file://" + filepath.ToSlash(app)} {
		if dir, err := ask("search", path); err == nil || !slices.Equal(looked, []string{filepath.Join(base, "search")}) {
			t.Errorf("%s: got %q, looked at %q", path, dir, looked)
		}
	}
}
