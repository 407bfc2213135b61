package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/memory"
)

// fake is a language that counts what it is asked.
type fake struct {
	ecosystem.Language
	requests atomic.Int64
	answer   func(context.Context, ecosystem.Query) (*apidoc.Package, error)
}

func (*fake) Info() *ecosystem.Info { return &ecosystem.Info{ID: "go"} }

func (f *fake) Find(_ context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	f.requests.Add(1)
	return &ecosystem.Found{Read: func(ctx context.Context) (*apidoc.Package, error) {
		if f.answer != nil {
			return f.answer(ctx, q)
		}
		return &apidoc.Package{Name: q.Package, Version: "v1.0.0"}, nil
	}}, nil
}

// choosing is a fake language that lists the files of its projects.
type choosing struct{ fake }

func (*choosing) Info() *ecosystem.Info {
	return &ecosystem.Info{ID: "go", ProjectFiles: []string{"go.mod"}}
}

func storeOver(lang ecosystem.Language, o Options) *Store {
	return New(ecosystem.Languages{lang}, o)
}

func mustDescribe(t *testing.T, s *Store, q ecosystem.Query) *apidoc.Package {
	t.Helper()
	p, err := s.Describe(t.Context(), "go", q)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (f *fake) wasAsked(t *testing.T, want int64) {
	t.Helper()
	if got := f.requests.Load(); got != want {
		t.Errorf("the ecosystem was asked %d times, want %d", got, want)
	}
}

func TestSecondQuestionIsAnsweredFromMemory(t *testing.T) {
	var f fake
	s := storeOver(&f, Options{})
	first := mustDescribe(t, s, ecosystem.Query{Package: "a"})
	if second := mustDescribe(t, s, ecosystem.Query{Package: "a"}); second != first {
		t.Error("the second answer is not the first")
	}
	f.wasAsked(t, 1)
}

func TestEveryPartOfAQuestionTellsItApart(t *testing.T) {
	var f choosing
	s := storeOver(&f, Options{})
	questions := []ecosystem.Query{
		{Package: "a"},
		{Package: "b"},
		{Package: "a", Version: "v1.0.0"},
		{Package: "a", Platform: "windows/amd64"},
		{Package: "a", ProjectDir: t.TempDir()},
	}
	for range 2 {
		for _, q := range questions {
			mustDescribe(t, s, q)
		}
	}
	f.wasAsked(t, int64(len(questions)))
}

func TestAnswersGrowOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f fake
		s := storeOver(&f, Options{MaxAge: time.Minute})
		mustDescribe(t, s, ecosystem.Query{Package: "a"})
		<-time.After(59 * time.Second)
		mustDescribe(t, s, ecosystem.Query{Package: "a"})
		f.wasAsked(t, 1)
		<-time.After(2 * time.Second)
		mustDescribe(t, s, ecosystem.Query{Package: "a"})
		f.wasAsked(t, 2)
	})
}

func TestFailuresAreKeptForSecondsAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := &ecosystem.Error{Reason: ecosystem.Unreachable, What: "the registry is down"}
		f := fake{answer: func(context.Context, ecosystem.Query) (*apidoc.Package, error) { return nil, down }}
		s := storeOver(&f, Options{FailureAge: time.Hour})
		for range 3 {
			if _, err := s.Describe(t.Context(), "go", ecosystem.Query{Package: "a"}); !errors.Is(err, down) {
				t.Fatalf("got %v, want the ecosystem's error", err)
			}
		}
		f.wasAsked(t, 1)
		<-time.After(5 * time.Second)
		f.answer = nil
		mustDescribe(t, s, ecosystem.Query{Package: "a"})
		f.wasAsked(t, 2)
	})
}

func TestManyWhoAskAtOnceShareOneAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := fake{answer: func(_ context.Context, q ecosystem.Query) (*apidoc.Package, error) {
			<-time.After(time.Second)
			return &apidoc.Package{Name: q.Package, Version: "v1"}, nil
		}}
		s := storeOver(&f, Options{})
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if _, err := s.Describe(t.Context(), "go", ecosystem.Query{Package: "a"}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		f.wasAsked(t, 1)
	})
}

func TestOneWhoGivesUpDoesNotDisturbTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := fake{answer: func(ctx context.Context, _ ecosystem.Query) (*apidoc.Package, error) {
			select {
			case <-time.After(time.Minute):
				return &apidoc.Package{Version: "v1"}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}}
		s := storeOver(&f, Options{})
		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		first := make(chan error, 1)
		go func() {
			_, err := s.Describe(impatient, "go", ecosystem.Query{Package: "a"})
			first <- err
		}()
		synctest.Wait() // The first caller, which does not wait, started the work.
		mustDescribe(t, s, ecosystem.Query{Package: "a"})
		if err := <-first; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the impatient one got %v", err)
		}
		f.wasAsked(t, 1)
	})
}

func TestWorkStopsWhenAllHaveGivenUpAndIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopped := make(chan struct{})
		f := fake{answer: func(ctx context.Context, _ ecosystem.Query) (*apidoc.Package, error) {
			<-ctx.Done()
			close(stopped)
			return nil, ctx.Err()
		}}
		s := storeOver(&f, Options{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := s.Describe(ctx, "go", ecosystem.Query{Package: "a"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v", err)
		}
		<-stopped
		f.answer = nil
		mustDescribe(t, s, ecosystem.Query{Package: "a"})
	})
}

func TestPackagesOfTheUsersOwnAreAlwaysReadAnew(t *testing.T) {
	f := fake{answer: func(context.Context, ecosystem.Query) (*apidoc.Package, error) {
		return &apidoc.Package{Name: "example.com/app"}, nil
	}}
	s := storeOver(&f, Options{})
	mustDescribe(t, s, ecosystem.Query{Package: "./app"})
	mustDescribe(t, s, ecosystem.Query{Package: "./app"})
	f.wasAsked(t, 2)
}

func TestAChangedProjectIsAskedAnew(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "cmd", "app")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var f choosing
	s := storeOver(&f, Options{})
	q := ecosystem.Query{Package: "a", ProjectDir: dir}
	mod := filepath.Join(root, "go.mod")
	changes := []struct {
		name string
		make func() error
	}{
		{"nothing is there yet", func() error { return nil }},
		{"a file appears", func() error { return os.WriteFile(mod, []byte("module a"), 0o644) }},
		{"it grows", func() error { return os.WriteFile(mod, []byte("module abc"), 0o644) }},
		{"it is touched", func() error { return os.Chtimes(mod, time.Time{}, time.Now().Add(time.Hour)) }},
		{"one appears nearer", func() error { return os.WriteFile(filepath.Join(dir, "go.mod"), nil, 0o644) }},
		{"it goes away", func() error { return os.Remove(mod) }},
	}
	for i, c := range changes {
		if err := c.make(); err != nil {
			t.Fatal(err)
		}
		mustDescribe(t, s, q)
		mustDescribe(t, s, q)
		if got := f.requests.Load(); got != int64(i+1) {
			t.Fatalf("after %q the ecosystem was asked %d times, want %d", c.name, got, i+1)
		}
	}
}

func TestAProjectWhoseFilesAreUnknownIsAlwaysAsked(t *testing.T) {
	var f fake
	s := storeOver(&f, Options{})
	q := ecosystem.Query{Package: "a", ProjectDir: t.TempDir()}
	mustDescribe(t, s, q)
	mustDescribe(t, s, q)
	f.wasAsked(t, 2)
}

func TestTheLeastRecentlyAskedGoesFirst(t *testing.T) {
	var f fake
	s := storeOver(&f, Options{MaxPackages: 2})
	for _, name := range []string{"a", "b", "a", "c", "a", "b"} {
		mustDescribe(t, s, ecosystem.Query{Package: name})
	}
	f.wasAsked(t, 4) // The reads are a, b, c, and b again.
}

func TestBytesAreBounded(t *testing.T) {
	doc := strings.Repeat("x", 1000)
	f := fake{answer: func(_ context.Context, q ecosystem.Query) (*apidoc.Package, error) {
		p := &apidoc.Package{Name: q.Package, Version: "v1", Doc: doc}
		if q.Package == "huge" {
			p.Symbols = []apidoc.Symbol{{Members: []apidoc.Symbol{{Examples: []apidoc.Example{{Code: doc + doc + doc}}}}}}
		}
		return p, nil
	}}
	s := storeOver(&f, Options{MaxBytes: 3000})
	for _, name := range []string{"a", "b", "c", "c", "b", "a"} {
		mustDescribe(t, s, ecosystem.Query{Package: name})
	}
	f.wasAsked(t, 4) // Two packages fit into memory at a time, so the reads are a, b, c, and a again.
	mustDescribe(t, s, ecosystem.Query{Package: "huge"})
	mustDescribe(t, s, ecosystem.Query{Package: "huge"})
	f.wasAsked(t, 6)
	if s.bytes > 3000 || s.recent.Len() != len(s.entries) {
		t.Errorf("%d bytes kept in %d entries, %d indexed", s.bytes, s.recent.Len(), len(s.entries))
	}
}

func TestAPanicInAReaderIsOneFailedAnswer(t *testing.T) {
	f := fake{answer: func(context.Context, ecosystem.Query) (*apidoc.Package, error) { panic("out of range") }}
	s := storeOver(&f, Options{})
	_, err := s.Describe(t.Context(), "go", ecosystem.Query{Package: "a"})
	var failure *ecosystem.Error
	if !errors.As(err, &failure) || !strings.Contains(failure.What, "crashed while reading a") {
		t.Fatalf("got %v", err)
	}
	if !strings.Contains(errors.Unwrap(failure).Error(), "out of range") {
		t.Errorf("the cause is lost: %v", errors.Unwrap(failure))
	}
}

func TestAnUnknownLanguageNamesTheKnownOnes(t *testing.T) {
	s := storeOver(&fake{}, Options{})
	_, err := s.Describe(t.Context(), "cobol", ecosystem.Query{Package: "a"})
	if err == nil || !strings.Contains(err.Error(), `"cobol"`) || !strings.Contains(err.Error(), "go") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkDescribeKept(b *testing.B) {
	s := storeOver(&choosing{}, Options{})
	q := ecosystem.Query{Package: "a", ProjectDir: b.TempDir()}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Describe(b.Context(), "go", q); err != nil {
			b.Fatal(err)
		}
	}
}

func TestAnAnswerInMemoryIsGivenUpWhenAFileThatItRestsOnChanges(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		file := filepath.Join(t.TempDir(), "index.d.ts")
		mustWrite(t, file, "before")
		if dir != "" { // A package from disk depends on the same files.
			mustDescribe(t, process(dir, &shelf{file: file}), ecosystem.Query{Package: "a"})
		}
		synctest.Test(t, func(t *testing.T) {
			lang := &shelf{file: file}
			s := storeOver(lang, Options{})
			s.disk.backend = Directory(cachedir.New(dir, cachedir.Options{}))
			first := mustDescribe(t, s, ecosystem.Query{Package: "a"})
			<-time.After(checkAfter)
			if mustDescribe(t, s, ecosystem.Query{Package: "a"}) != first {
				t.Error("it was given up though nothing had changed")
			}
			mustWrite(t, file, "afterwards")
			reads := lang.reads
			<-time.After(checkAfter)
			if mustDescribe(t, s, ecosystem.Query{Package: "a"}) == first || lang.reads != reads+1 {
				t.Errorf("it was read %d times after the change", lang.reads-reads)
			}
		})
	}
}

func TestOneQuestionLooksAtTheFilesOnce(t *testing.T) {
	dir := t.TempDir()
	var f choosing
	s := storeOver(&f, Options{})
	q := ecosystem.Query{Package: "a", ProjectDir: dir}
	ctx := Once(Once(t.Context()))
	describe := func(ctx context.Context) {
		t.Helper()
		if _, err := s.Describe(ctx, "go", q); err != nil {
			t.Fatal(err)
		}
	}
	describe(ctx)
	filetest.Write(t, dir, map[string]string{"go.mod": "module a"})
	describe(ctx)
	if got := f.requests.Load(); got != 1 {
		t.Errorf("within one question the ecosystem was asked %d times", got)
	}
	describe(Once(t.Context()))
	if got := f.requests.Load(); got != 2 {
		t.Errorf("the next question does not see the change: asked %d times", got)
	}
}

// TestReadingsWaitForMemory reads no more packages at once than there is memory for.
func TestReadingsWaitForMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const packages = 8
		var running atomic.Int64
		release := make(chan bool)
		lang := &fake{answer: func(_ context.Context, q ecosystem.Query) (*apidoc.Package, error) {
			running.Add(1)
			<-release
			running.Add(-1)
			return &apidoc.Package{Name: q.Package, Version: "v1.0.0"}, nil
		}}
		s := storeOver(lang, Options{Memory: memory.New(1)})
		for i := range packages {
			go func() { _, _ = s.Describe(t.Context(), "go", ecosystem.Query{Package: fmt.Sprint(i)}) }()
		}
		for range packages {
			synctest.Wait()
			if n := running.Load(); n != 1 {
				t.Errorf("%d packages are read at once, want 1", n)
			}
			release <- true
		}
	})
}
