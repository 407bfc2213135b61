package pgstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/store"
	"github.com/docent-mcp/docent/team/internal/pgtest"
)

// server is the server of all tests that do not stop it. It is nil if PostgreSQL is not installed.
var server *pgtest.Server

func TestMain(m *testing.M) {
	var err error
	if server, err = pgtest.New(context.Background()); err != nil && !errors.Is(err, pgtest.ErrMissing) {
		panic(err)
	}
	code := m.Run()
	if server != nil {
		if err := server.Close(); err != nil {
			panic(err)
		}
	}
	os.Exit(code)
}

// database returns the address of an empty database.
func database(tb testing.TB) string {
	tb.Helper()
	if server == nil {
		tb.Skip(pgtest.ErrMissing)
	}
	return server.Database(tb)
}

func open(tb testing.TB, o Options) *Store {
	tb.Helper()
	s, err := Open(tb.Context(), o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Close)
	return s
}

// opened is like open, but waits until the database can be reached.
func opened(tb testing.TB, o Options) *Store {
	tb.Helper()
	s := open(tb, o)
	if !s.Up() {
		tb.Fatal("the store cannot reach PostgreSQL")
	}
	return s
}

func valueOf(text string, p *apidoc.Package) *store.Value {
	return &store.Value{Package: p, Size: len(text), Write: func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}}
}

var kiln = &apidoc.Package{Name: "kiln", Version: "v1.0.0"}

// TestBackend_Contract runs the same tests for both implementations of store.Backend.
func TestBackend_Contract(t *testing.T) {
	t.Run("directory", func(t *testing.T) {
		dir := t.TempDir()
		testBackend(t, func() store.Backend { return store.Directory(cachedir.New(dir, cachedir.Options{})) })
	})
	t.Run("postgres", func(t *testing.T) {
		url := database(t)
		testBackend(t, func() store.Backend { return opened(t, Options{URL: url}) })
	})
}

func testBackend(t *testing.T, replica func() store.Backend) {
	ctx := t.Context()
	first, second := replica(), replica()
	key := store.Key{Build: "1", Language: "go", Found: "kiln\x00v1.0.0"}
	load := func(b store.Backend, k store.Key) string {
		t.Helper()
		got, err := b.Load(ctx, k)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		return got
	}
	if got := load(first, key); got != "" {
		t.Errorf("an empty store has %q", got)
	}
	for _, text := range []string{"one", "two", strings.Repeat("long ", 1<<20), "with \x00 and \xff"} {
		if err := first.Save(ctx, key, valueOf(text, kiln)); err != nil {
			t.Fatal(err)
		}
		if got := load(second, key); got != text {
			t.Errorf("%.20q of %d bytes became %.20q of %d", text, len(text), got, len(got))
		}
	}
	for name, other := range map[string]store.Key{
		"another build":    {Build: "2", Language: "go", Found: key.Found},
		"another group":    {Build: "1", Group: "payments", Language: "go", Found: key.Found},
		"another language": {Build: "1", Language: "npm", Found: key.Found},
		"another package":  {Build: "1", Language: "go", Found: "kiln\x00v1.0.1"},
		"joined fields":    {Build: "1\x00go", Language: "kiln", Found: "v1.0.0"},
	} {
		if got := load(second, other); got != "" {
			t.Errorf("%s finds %q", name, got)
		}
	}
	second.Drop(ctx, key)
	if got := load(first, key); got != "" {
		t.Errorf("%q was dropped and is still there", got)
	}

	// A lock excludes goroutines of the same replica and of other replicas until it is released.
	unlock, err := first.Lock(ctx, key)
	if err != nil {
		t.Fatal(err)
	}
	var released atomic.Bool
	var wait sync.WaitGroup
	for _, b := range []store.Backend{first, second} {
		wait.Go(func() {
			unlock, err := b.Lock(ctx, key)
			if err != nil || !released.Load() {
				t.Errorf("the lock was taken while another had it: %v", err)
			}
			unlock()
		})
	}
	other, err := second.Lock(ctx, store.Key{Build: "1", Language: "go", Found: "other"})
	if err != nil {
		t.Fatal(err)
	}
	other()
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := second.Lock(canceled, key); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that gives up gets %v", err)
	}
	released.Store(true)
	unlock()
	wait.Wait()
}

// quarry is a language whose packages cannot be read before release is closed.
type quarry struct {
	ecosystem.Language
	reads   *atomic.Int32
	release chan struct{}
	file    string
	fail    bool
}

func (q *quarry) Info() *ecosystem.Info {
	return &ecosystem.Info{ID: "go", Style: apidoc.Style{Name: "Go"}}
}

func (q *quarry) Find(_ context.Context, query ecosystem.Query) (*ecosystem.Found, error) {
	f := &ecosystem.Found{Key: "the package " + query.Package, Fingerprint: &fingerprint.Fingerprint{}}
	f.Read = func(context.Context) (*apidoc.Package, error) {
		q.reads.Add(1)
		if q.file != "" {
			f.Fingerprint.Add(q.file)
		}
		if q.release != nil {
			<-q.release
		}
		if q.fail {
			return nil, ecosystem.Fail(ecosystem.Unreadable, "it cannot be read")
		}
		return &apidoc.Package{Name: query.Package, Version: "v1.0.0", Symbols: []apidoc.Symbol{{Path: "Fire", Doc: "Fire heats the " + query.Package + "."}}}, nil
	}
	return f, nil
}

func newStore(language ecosystem.Language, b store.Backend, group string) *store.Store {
	return store.New(ecosystem.Languages{language}, store.Options{Shared: b, Group: group, Build: "1"})
}

func describe(t *testing.T, s *store.Store, name string) *apidoc.Package {
	t.Helper()
	p, err := s.Describe(t.Context(), "go", ecosystem.Query{Package: name})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestStore_ReplicasReadAPackageOnce(t *testing.T) {
	url := database(t)
	lang := &quarry{reads: &atomic.Int32{}, release: make(chan struct{})}
	var wait sync.WaitGroup
	for range 3 {
		replica := newStore(lang, opened(t, Options{URL: url}), "")
		for range 4 {
			wait.Go(func() {
				if p := describe(t, replica, "kiln"); len(p.Symbols) != 1 || p.Symbols[0].Path != "Fire" {
					t.Errorf("%+v", p)
				}
			})
		}
	}
	close(lang.release)
	wait.Wait()
	if n := lang.reads.Load(); n != 1 {
		t.Errorf("it was read %d times", n)
	}
}

func TestStore_AFailureLetsTheNextReplicaRead(t *testing.T) {
	url := database(t)
	lang := &quarry{reads: &atomic.Int32{}, fail: true}
	for range 2 {
		if _, err := newStore(lang, opened(t, Options{URL: url}), "").Describe(t.Context(), "go", ecosystem.Query{Package: "kiln"}); err == nil {
			t.Error("there is no error")
		}
	}
	if n := lang.reads.Load(); n != 2 {
		t.Errorf("it was read %d times", n)
	}
}

func TestStore_GroupsDoNotSeeEachOther(t *testing.T) {
	url := database(t)
	lang := &quarry{reads: &atomic.Int32{}}
	payments := newStore(lang, opened(t, Options{URL: url}), "payments")
	describe(t, payments, "ledger")
	for i, group := range []string{"search", "", "payments"} {
		s := newStore(lang, opened(t, Options{URL: url}), group)
		results, total, err := s.Search(t.Context(), "", "ledger", 10)
		if found := len(results) > 0; err != nil || found != (group == "payments") || found != (total > 0) {
			t.Errorf("the group %q finds %+v among %d, %v", group, results, total, err)
		}
		describe(t, s, "ledger")
		if want := int32(min(2+i, 3)); lang.reads.Load() != want {
			t.Errorf("after the group %q it was read %d times, want %d", group, lang.reads.Load(), want)
		}
	}
}

// TestStore_FilesDecide shares a package among replicas if its files have the same content.
func TestStore_FilesDecide(t *testing.T) {
	url := database(t)
	file := filepath.Join(t.TempDir(), "go.sum")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	lang := &quarry{reads: &atomic.Int32{}, file: file}
	for _, step := range []struct {
		text  string
		reads int32
	}{{"one", 1}, {"one", 1}, {"two", 2}, {"two", 2}} {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		write(step.text)
		describe(t, newStore(lang, opened(t, Options{URL: url}), ""), "kiln")
		if n := lang.reads.Load(); n != step.reads {
			t.Errorf("with %q it was read %d times, want %d", step.text, n, step.reads)
		}
	}
}

func TestStore_DropsDamagedValues(t *testing.T) {
	url := database(t)
	lang := &quarry{reads: &atomic.Int32{}}
	s := opened(t, Options{URL: url})
	describe(t, newStore(lang, s, ""), "kiln")
	var good []byte
	if err := s.pool.QueryRow(t.Context(), `SELECT data FROM docent_packages`).Scan(&good); err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 0x10
	reads := lang.reads.Load()
	for name, data := range map[string][]byte{
		"empty": {}, "truncated": good[:len(good)-3], "flipped": flipped, "no zstd": []byte("hello"),
		"other content": s.encoder.EncodeAll([]byte("hello"), nil), "a bomb": s.encoder.EncodeAll(make([]byte, maxValue+1), nil),
	} {
		if _, err := s.pool.Exec(t.Context(), `UPDATE docent_packages SET data = $1`, data); err != nil {
			t.Fatal(err)
		}
		other := opened(t, Options{URL: url})
		if results, _, err := other.Search(t.Context(), store.Scope{Build: "1", Languages: []*ecosystem.Info{{ID: "go"}}}, "kiln", 5, nil); err != nil || len(results) != 0 {
			t.Errorf("%s: a search finds %+v, %v", name, results, err)
		}
		if p := describe(t, newStore(lang, other, ""), "kiln"); len(p.Symbols) != 1 {
			t.Errorf("%s: %+v", name, p)
		}
		reads++
		if n := lang.reads.Load(); n != reads {
			t.Errorf("%s: it was read %d times, want %d", name, n, reads)
		}
		var now []byte
		if err := s.pool.QueryRow(t.Context(), `SELECT data FROM docent_packages`).Scan(&now); err != nil || !bytes.Equal(now, good) {
			t.Errorf("%s: it was not replaced: %v", name, err)
		}
	}
}

// log records messages.
type log struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *log) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), text)
}

func TestStore_SurvivesARestartOfTheDatabase(t *testing.T) {
	own := pgtest.Start(t)
	var messages log
	s := opened(t, Options{URL: own.Database(t), Logger: slog.New(slog.NewTextHandler(&messages, nil))})
	lang := &quarry{reads: &atomic.Int32{}}
	describe(t, newStore(lang, s, ""), "kiln")
	if err := own.Stop(); err != nil {
		t.Fatal(err)
	}
	for i := range 5 { // read the package from its source
		describe(t, newStore(lang, s, ""), fmt.Sprint("kiln", i))
	}
	if s.Up() || messages.count("cannot be reached") != 1 {
		t.Errorf("up: %v; messages:\n%s", s.Up(), messages.b.String())
	}
	if err := own.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.health.wait(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	reads := lang.reads.Load()
	describe(t, newStore(lang, s, ""), "kiln")
	if lang.reads.Load() != reads {
		t.Error("what was stored before was read again")
	}
	describe(t, newStore(lang, s, ""), "oven")
	describe(t, newStore(lang, s, ""), "oven")
	if lang.reads.Load() != reads+1 {
		t.Error("nothing is stored after the restart")
	}
	if messages.count("is in use") != 2 {
		t.Errorf("messages:\n%s", messages.b.String())
	}
}

func TestOpen_WithoutADatabase(t *testing.T) {
	var messages log
	s := open(t, Options{URL: "postgres://docent:secret@127.0.0.1:1/docent?sslmode=disable&connect_timeout=1", Logger: slog.New(slog.NewTextHandler(&messages, nil))})
	lang := &quarry{reads: &atomic.Int32{}}
	describe(t, newStore(lang, s, ""), "kiln")
	if lang.reads.Load() != 1 || messages.count("cannot be used") != 1 || messages.count("127.0.0.1") == 0 {
		t.Errorf("read %d times; messages:\n%s", lang.reads.Load(), messages.b.String())
	}
	if messages.count("secret") > 0 {
		t.Error("the password is in a message")
	}
}

func TestCheck_KeepsPasswords(t *testing.T) {
	for _, url := range []string{"postgres://docent:secret@db:port/docent", "postgres://docent:secret@db/docent?sslmode=odd", "host=db password=secret port=x", "postgres://docent:se@cret@db/docent", "postgres://docent:x@secret@db/docent"} {
		if err := Check(url); err == nil || strings.Contains(err.Error(), "cret") {
			t.Errorf("%s: %v", url, err)
		}
	}
	for url, want := range map[string]bool{
		"postgres://docent@db/docent": false, "postgres://docent:secret@db/docent": true, "host=db password=secret": true,
		"postgres://db/docent?password=secret": true, "postgres://db:5432/docent": false,
	} {
		if HasPassword(url) != want {
			t.Errorf("%s: %v", url, !want)
		}
	}
}

func TestMigrate_RefusesNewerTables(t *testing.T) {
	url := database(t)
	s := opened(t, Options{URL: url})
	if _, err := s.pool.Exec(t.Context(), `INSERT INTO docent_migrations (version) VALUES (1000)`); err != nil {
		t.Fatal(err)
	}
	var messages log
	if other := open(t, Options{URL: url, Logger: slog.New(slog.NewTextHandler(&messages, nil))}); other.Up() || messages.count("newer") == 0 {
		t.Errorf("the store is in use: %v\n%s", other.Up(), messages.b.String())
	}
}

func TestMigrate_ByManyReplicas(t *testing.T) {
	url := database(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() { opened(t, Options{URL: url}) })
	}
	wait.Wait()
}

func TestEvict(t *testing.T) {
	url := database(t)
	s := opened(t, Options{URL: url, MaxBytes: 2500, MaxAge: time.Hour})
	save := func(name string, expires time.Time) {
		t.Helper()
		p := &apidoc.Package{Name: name, Version: "1", Symbols: []apidoc.Symbol{{Path: "Fire"}}}
		v := valueOf(strings.Repeat(name, 10), p)
		v.Expires = expires
		if err := s.Save(t.Context(), store.Key{Build: "1", Language: "go", Found: name}, v); err != nil {
			t.Fatal(err)
		}
	}
	exec := func(sql string) {
		t.Helper()
		if _, err := s.pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	names := func() (all []string) {
		t.Helper()
		rows, err := s.pool.Query(t.Context(), `SELECT name FROM docent_packages ORDER BY name`)
		if err != nil {
			t.Fatal(err)
		}
		all, err = pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	save("expired", time.Now().Add(-time.Minute))
	save("old", time.Time{})
	exec(`UPDATE docent_packages SET used_at = now() - interval '2 hours' WHERE name = 'old'`)
	for i := range 5 {
		save(fmt.Sprint("p", i), time.Now().Add(time.Hour))
	}
	exec(`UPDATE docent_packages SET bytes = 600, used_at = now() - substr(name, 2)::int * interval '1 minute' WHERE name LIKE 'p%'`)
	if _, err := s.Load(t.Context(), store.Key{Build: "1", Language: "go", Found: "expired"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an expired package: %v", err)
	}
	if err := s.evict(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(names()); got != "[p0 p1 p2]" {
		t.Errorf("%v are left", got)
	}
	var orphans int
	if err := s.pool.QueryRow(t.Context(), `SELECT count(*) FROM docent_words WHERE package NOT IN (SELECT number FROM docent_packages)`).Scan(&orphans); err != nil || orphans > 0 {
		t.Errorf("%d words without a package, %v", orphans, err)
	}
}
