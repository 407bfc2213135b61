package store

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/apicodec"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/fingerprint"
)

// shelf is a language whose packages can be kept on disk.
type shelf struct {
	ecosystem.Language
	reads  int
	file   string // that Read looks at
	key    func(ecosystem.Query) string
	adjust func(*apidoc.Package, *fingerprint.Fingerprint) error
}

func (*shelf) Info() *ecosystem.Info { return &ecosystem.Info{ID: "go"} }

func (s *shelf) Find(_ context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	f := &ecosystem.Found{Key: "the package " + q.Package, Fingerprint: &fingerprint.Fingerprint{}}
	if s.key != nil {
		f.Key = s.key(q)
	}
	f.Read = func(context.Context) (*apidoc.Package, error) {
		s.reads++
		p := &apidoc.Package{Name: q.Package, Version: "v1.0.0", Symbols: []apidoc.Symbol{{Path: "Do", Doc: "It does."}}, Warnings: []string{"old"}}
		if s.file != "" {
			f.Fingerprint.Add(s.file)
		}
		if s.adjust != nil {
			return p, s.adjust(p, f.Fingerprint)
		}
		return p, nil
	}
	f.Finish = func(p *apidoc.Package) {
		p.Provenance.ChosenBy = q.Version
		p.Warnings = append([]string{"asked for " + q.Version}, p.Warnings...)
	}
	return f, nil
}

// process opens a store as a process of its own would, some time after what it
// finds on disk was made.
func process(dir string, lang ecosystem.Language) *Store {
	s := storeOver(lang, Options{Cache: cachedir.New(dir, cachedir.Options{})})
	s.disk.now = func() time.Time { return time.Now().Add(time.Minute) }
	return s
}

func cachedFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "files-v1", "packages", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestTheNextProcessDoesNotReadAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "docent")
	lang := &shelf{}
	first := mustDescribe(t, process(dir, lang), ecosystem.Query{Package: "a", Version: "1"})
	second := mustDescribe(t, process(dir, lang), ecosystem.Query{Package: "a", Version: "1"})
	if lang.reads != 1 || !reflect.DeepEqual(first, second) {
		t.Errorf("read %d times: %+v, then %+v", lang.reads, first, second)
	}
	third := mustDescribe(t, process(dir, lang), ecosystem.Query{Package: "a", Version: "^1"})
	if third.Provenance.ChosenBy != "^1" || len(third.Warnings) != 2 || third.Warnings[0] != "asked for ^1" {
		t.Errorf("what is of the question was kept with the package: %+v", third)
	}
	for _, file := range append(cachedFiles(t, dir), dir, filepath.Join(dir, "files-v1", "packages")) {
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
			t.Errorf("%s is open to others: %v, %v", file, info.Mode(), err)
		}
	}
}

func TestWhatIsNotKeptOnDisk(t *testing.T) {
	fresh := t.TempDir()
	tests := []struct {
		name string
		lang *shelf
	}{
		{"packages without a key", &shelf{key: func(ecosystem.Query) string { return "" }}},
		{"packages of the user's own project", &shelf{adjust: func(p *apidoc.Package, _ *fingerprint.Fingerprint) error {
			p.Version = ""
			return nil
		}}},
		{"failures", &shelf{adjust: func(*apidoc.Package, *fingerprint.Fingerprint) error {
			return &ecosystem.Error{Reason: ecosystem.Unreadable, What: "no"}
		}}},
		{"what rests on a registry that did not answer", &shelf{adjust: func(_ *apidoc.Package, f *fingerprint.Fingerprint) error {
			f.Invalidate()
			return nil
		}}},
		{"what was read of a file that has only just changed", &shelf{file: filepath.Join(fresh, "new"), adjust: func(_ *apidoc.Package, f *fingerprint.Fingerprint) error {
			if err := os.WriteFile(filepath.Join(fresh, "other"), nil, 0o600); err != nil {
				return err
			}
			f.Add(filepath.Join(fresh, "other"))
			return os.Chtimes(filepath.Join(fresh, "other"), time.Now(), time.Now())
		}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for range 2 {
				s := process(dir, tt.lang)
				s.disk.now = time.Now
				_, _ = s.Describe(t.Context(), "go", ecosystem.Query{Package: "a"})
			}
			if tt.lang.reads != 2 || len(cachedFiles(t, dir)) > 0 {
				t.Errorf("read %d times, kept %v", tt.lang.reads, cachedFiles(t, dir))
			}
		})
	}
}

func TestWhatIsKeptOnDiskIsReadAgainWhen(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, file, source string, s *Store)
		reads  int
	}{
		{"never, if nothing changes", func(*testing.T, string, string, *Store) {}, 1},
		{"a file that was read changes", func(t *testing.T, _, source string, _ *Store) {
			mustWrite(t, source, "something else")
		}, 2},
		{"a file that was read is gone", func(t *testing.T, _, source string, _ *Store) {
			if err := os.Remove(source); err != nil {
				t.Fatal(err)
			}
		}, 2},
		{"docent is another build", func(_ *testing.T, _, _ string, s *Store) { s.disk.build = "another" }, 2},
		{"its time is over", func(_ *testing.T, _, _ string, s *Store) {
			s.disk.now = func() time.Time { return time.Now().Add(25 * time.Hour) }
		}, 2},
		{"the file is cut off", func(t *testing.T, file, _ string, _ *Store) {
			mustWrite(t, file, string(mustRead(t, file)[:100]))
		}, 2},
		{"a bit of the file has fallen over", func(t *testing.T, file, _ string, _ *Store) {
			data := mustRead(t, file)
			data[len(data)/2] ^= 4
			mustWrite(t, file, string(data))
		}, 2},
		{"the file is empty", func(t *testing.T, file, _ string, _ *Store) { mustWrite(t, file, "") }, 2},
		{"the file is a directory", func(t *testing.T, file, _ string, _ *Store) {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(file, 0o700); err != nil {
				t.Fatal(err)
			}
		}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, source := t.TempDir(), filepath.Join(t.TempDir(), "index.d.ts")
			mustWrite(t, source, "export {}")
			lang := &shelf{file: source, adjust: func(_ *apidoc.Package, f *fingerprint.Fingerprint) error {
				f.LimitAge(24 * time.Hour)
				return nil
			}}
			q := ecosystem.Query{Package: "a"}
			mustDescribe(t, process(dir, lang), q)
			files := cachedFiles(t, dir)
			if len(files) != 1 {
				t.Fatalf("kept: %v", files)
			}
			s := process(dir, lang)
			tt.change(t, files[0], source, s)
			if p := mustDescribe(t, s, q); len(p.Symbols) != 1 {
				t.Errorf("answered %+v", p)
			}
			if lang.reads != tt.reads {
				t.Errorf("read %d times, want %d", lang.reads, tt.reads)
			}
		})
	}
}

func mustWrite(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func mustRead(t *testing.T, file string) []byte {
	t.Helper()
	data := filetest.Read(t, file)
	return data
}

func TestDamageIsRemoved(t *testing.T) {
	dir := t.TempDir()
	lang := &shelf{}
	mustDescribe(t, process(dir, lang), ecosystem.Query{Package: "a"})
	file := cachedFiles(t, dir)[0]
	mustWrite(t, file, "damaged")
	s := process(dir, lang)
	if p, _, _ := s.disk.load(t.Context(), "go", &ecosystem.Found{Key: "the package a"}); p != nil {
		t.Error("it was loaded")
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it is still there")
	}
}

func TestADirectoryThatCannotBeUsedChangesNoAnswer(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	mustWrite(t, file, "")
	for _, dir := range []string{"", file, filepath.Join(file, "below"), "/dev/null/docent", "\x00"} {
		if p := mustDescribe(t, process(dir, &shelf{}), ecosystem.Query{Package: "a"}); p.Name != "a" {
			t.Errorf("with %q: %+v", dir, p)
		}
	}
}

func TestManyProcessesShareOneDirectory(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			lang := &shelf{}
			for i := range 40 {
				s := process(dir, lang)
				name := fmt.Sprint("p", i%7)
				if p, err := s.Describe(t.Context(), "go", ecosystem.Query{Package: name}); err != nil || p.Name != name || len(p.Symbols) != 1 {
					t.Errorf("%s: %+v, %v", name, p, err)
				}
			}
		})
	}
	all.Wait()
}

func TestBuildsAreReported(t *testing.T) {
	if thisBuild() == "" {
		t.Error("this build has no name, so that it would keep nothing")
	}
}

func written(tb testing.TB, e *entry, pkg *apidoc.Package) []byte {
	tb.Helper()
	encoded, err := apicodec.Encode(pkg)
	if err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	if err := writeEntry(&b, e.head(), encoded); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func FuzzDecodeEntry(f *testing.F) {
	pkg := &apidoc.Package{Name: "a", Symbols: []apidoc.Symbol{{Path: "Do", Members: []apidoc.Symbol{{Path: "Do.it", Line: 3}}}}}
	e := &entry{key: "key", expires: time.Unix(1, 0), stamps: []fingerprint.Stamp{
		{Path: "/a/b", Kind: fingerprint.File, Size: 7, Changed: 9}, {Path: "/a/c"},
	}}
	f.Add(written(f, e, pkg))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := decodeEntry(string(data))
		if err != nil {
			return
		}
		pkg, err := apicodec.Decode(e.pkg)
		if err != nil {
			return
		}
		same, err := decodeEntry(string(written(t, e, pkg)))
		if err != nil || same.key != e.key || !same.expires.Equal(e.expires) || !reflect.DeepEqual(same.stamps, e.stamps) {
			t.Errorf("%+v became %+v, %v", e, same, err)
		}
	})
}

func BenchmarkDescribeFromDisk(b *testing.B) {
	dir := b.TempDir()
	lang := &shelf{adjust: func(p *apidoc.Package, _ *fingerprint.Fingerprint) error {
		for i := range 5000 {
			p.Symbols = append(p.Symbols, apidoc.Symbol{Path: fmt.Sprint("s", i), Signature: "function s(): void", Doc: fmt.Sprint("It is number ", i)})
		}
		return nil
	}}
	if _, err := process(dir, lang).Describe(b.Context(), "go", ecosystem.Query{Package: "a"}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := process(dir, lang).Describe(b.Context(), "go", ecosystem.Query{Package: "a"}); err != nil {
			b.Fatal(err)
		}
	}
	if lang.reads != 1 {
		b.Errorf("read %d times", lang.reads)
	}
}

// TestPackagesFromDiskShareTheirSymbols asks for a package with two queries that have the same documentation.
func TestPackagesFromDiskShareTheirSymbols(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "docent")
	lang := &shelf{}
	mustDescribe(t, process(dir, lang), ecosystem.Query{Package: "a", Version: "1"})
	s := process(dir, lang)
	first := mustDescribe(t, s, ecosystem.Query{Package: "a", Version: "1"})
	runtime.GC()
	second := mustDescribe(t, s, ecosystem.Query{Package: "a", Version: "2"})
	if lang.reads != 1 || &first.Symbols[0] != &second.Symbols[0] {
		t.Errorf("read %d times; the packages do not share their symbols", lang.reads)
	}
	if first.Warnings[0] != "asked for 1" || second.Warnings[0] != "asked for 2" {
		t.Errorf("the packages have the warnings %q and %q", first.Warnings, second.Warnings)
	}
	runtime.KeepAlive(first)
}
