package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/filetest"
)

// entry is a file of an archive made for a test.
type entry struct {
	name, body string
	mode       fs.FileMode // 0 is a plain file
}

func makeZip(tb testing.TB, entries ...entry) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.mode | 0o644)
		f, err := w.CreateHeader(h)
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := f.Write([]byte(e.body)); err != nil && !strings.HasSuffix(e.name, "/") {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func makeTarGz(tb testing.TB, entries ...entry) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.body)), Typeflag: tar.TypeReg}
		switch {
		case strings.HasSuffix(e.name, "/"):
			h.Typeflag = tar.TypeDir
		case e.mode&fs.ModeSymlink != 0:
			h.Typeflag, h.Linkname, h.Size, e.body = tar.TypeSymlink, e.body, 0, ""
		case e.mode&fs.ModeDevice != 0:
			h.Typeflag, h.Size, e.body = tar.TypeChar, 0, ""
		}
		if err := w.WriteHeader(h); err != nil {
			tb.Fatal(err)
		}
		if _, err := w.Write([]byte(e.body)); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return filetest.Gzip(tb, b.String())
}

// both reads the same entries as a zip and as a tar file.
func both(t *testing.T, o Options, entries []entry, f func(t *testing.T, a *FS, err error)) {
	t.Helper()
	t.Run("zip", func(t *testing.T) {
		data := makeZip(t, entries...)
		a, err := OpenZip(bytes.NewReader(data), int64(len(data)), o)
		f(t, a, err)
	})
	t.Run("tar", func(t *testing.T) {
		a, err := ReadTarGz(makeTarGz(t, entries...), o)
		f(t, a, err)
	})
}

func TestAnArchiveIsAnOrdinaryFileSystem(t *testing.T) {
	entries := []entry{
		{name: "m@v1/go.mod", body: "module m\n"},
		{name: "m@v1/empty/"},
		{name: "m@v1/a/b/c.go", body: "package b"},
		{name: "m@v1/a/x.go", body: strings.Repeat("x", 5000)},
		{name: "m@v1/zero"},
	}
	both(t, Options{Prefix: "m@v1/"}, entries, func(t *testing.T, a *FS, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if err := fstest.TestFS(a, "go.mod", "empty", "a/b/c.go", "a/x.go", "zero"); err != nil {
			t.Error(err)
		}
		if data, err := a.ReadFile("a/b/c.go"); err != nil || string(data) != "package b" {
			t.Errorf("got %q, %v", data, err)
		}
	})
	both(t, Options{StripFirst: true, Keep: only("go.mod", Now)}, entries, func(t *testing.T, a *FS, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for name := range a.Files {
			if name != "go.mod" {
				t.Errorf("%s was kept", name)
			}
		}
	})
}

// only wants nothing but one file.
func only(name string, w Want) func(string, int64) Want {
	return func(n string, _ int64) Want {
		if n == name {
			return w
		}
		return Never
	}
}

func TestWhatIsWantedLaterIsThereWhenItIsOpened(t *testing.T) {
	entries := []entry{
		{name: "p/a.ts", body: "now"}, {name: "p/b.js", body: "later"}, {name: "p/c/d.js", body: strings.Repeat("later", 5000)}, {name: "p/e.png", body: "never"},
	}
	requests := map[string]int{}
	keep := func(name string, size int64) Want {
		requests[name]++
		switch {
		case strings.HasSuffix(name, ".ts"):
			return Now
		case strings.HasSuffix(name, ".js") && (name != "b.js" || size == 5):
			return Later
		}
		return Never
	}
	both(t, Options{StripFirst: true, Keep: keep}, entries, func(t *testing.T, a *FS, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			for name, want := range map[string]string{"a.ts": "now", "b.js": "later", "c/d.js": strings.Repeat("later", 5000)} {
				if got, err := a.ReadText(name); err != nil || got != want {
					t.Errorf("ReadText(%s): %.20q, %v", name, got, err)
				}
			}
		}
		if err := fstest.TestFS(a, "a.ts", "b.js", "c/d.js"); err != nil {
			t.Error(err)
		}
		if _, err := a.Stat("e.png"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("e.png: %v", err)
		}
	})
	if requests["a.ts"] != 3 { // The file is read once from the zip file, once when the tar file is unpacked, and once when it is unpacked again.
		t.Errorf("asked %d times", requests["a.ts"])
	}
}

func TestAHostileArchiveIsRefusedAsAWhole(t *testing.T) {
	small := Limits{Packed: 1 << 20, Unpacked: 3000, File: 2000, Files: 5}
	tests := []struct {
		name    string
		options Options
		entries []entry
		want    string
		tooBig  bool
	}{
		{"a path that climbs out", Options{}, []entry{{name: "../x"}}, "outside the archive", false},
		{"a path that climbs out in the middle", Options{}, []entry{{name: "a/../../x"}}, "outside the archive", false},
		{"an absolute path", Options{}, []entry{{name: "/etc/passwd"}}, "not relative", false},
		{"a drive letter", Options{}, []entry{{name: "C:x"}}, "not relative", false},
		{"a backslash", Options{}, []entry{{name: `a\..\x`}}, "not relative", false},
		{"a control character", Options{}, []entry{{name: "a\x07"}}, "the invalid file name", false},
		{"a link", Options{}, []entry{{name: "l", body: "/etc/passwd", mode: fs.ModeSymlink}}, "is a link", false},
		{"a device", Options{}, []entry{{name: "d", mode: fs.ModeDevice | fs.ModeCharDevice}}, "not an ordinary file", false},
		{"the same name twice", Options{}, []entry{{name: "a"}, {name: "./a"}}, "twice", false},
		{"names that differ by case", Options{FoldCase: true}, []entry{{name: "A/x"}, {name: "a/y"}}, "letter case", false},
		{"a file that is a directory, too", Options{}, []entry{{name: "a", body: "x"}, {name: "a/b"}}, "both as a file", false},
		{"a directory that is a file, too", Options{}, []entry{{name: "a/b"}, {name: "a", body: "x"}}, "twice", false},
		{"a foreign prefix", Options{Prefix: "m@v1/"}, []entry{{name: "m@v1.1/x"}}, "not below m@v1", false},
		{"too many files", Options{Limits: small}, []entry{{name: "1"}, {name: "2"}, {name: "3"}, {name: "4"}, {name: "5"}, {name: "6"}}, "limit of 5", true},
		{"a file that is too large", Options{Limits: small}, []entry{{name: "1", body: strings.Repeat("x", 2001)}}, "limit for one file is 2000 bytes", true},
		{"too much together", Options{Limits: small}, []entry{{name: "1", body: strings.Repeat("x", 1999)}, {name: "2", body: strings.Repeat("x", 1999)}}, "limit of 3000 bytes", true},
		{"a bomb", Options{}, []entry{{name: "1", body: strings.Repeat("\x00", 30<<20)}}, "times as much", false},
		{"a deep tree", Options{}, []entry{{name: strings.Repeat("a/", 70) + "x"}}, "directories deep", false},
		{"an endless name", Options{}, []entry{{name: strings.Repeat("a", 2000)}}, "name of 2000 bytes", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			both(t, tt.options, tt.entries, func(t *testing.T, _ *FS, err error) {
				t.Helper()
				var e *Error
				if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) || e.TooLarge != tt.tooBig {
					t.Errorf("got %v, want %q", err, tt.want)
				}
			})
		})
	}
}

func TestLinksCanBePassedOver(t *testing.T) {
	both(t, Options{SkipLinks: true}, []entry{{name: "l", body: "x", mode: fs.ModeSymlink}, {name: "f"}}, func(t *testing.T, a *FS, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Stat("l"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the link is there: %v", err)
		}
	})
}

// A zip file gives the size of each file in its directory, but the data of a file may be longer.
func TestAZipThatLiesAboutASizeCannotBeRead(t *testing.T) {
	for name, size := range map[string]uint32{"longer than its header says": 10, "shorter than its header says": 500_000} {
		data := makeZip(t, entry{name: "f", body: strings.Repeat("abc", 100_000)})
		offset := bytes.LastIndex(data, []byte("PK\x01\x02"))
		binary.LittleEndian.PutUint32(data[offset+24:], size)
		a, err := OpenZip(bytes.NewReader(data), int64(len(data)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var e *Error
		if _, err := a.ReadFile("f"); !errors.As(err, &e) || !strings.Contains(err.Error(), name) {
			t.Errorf("ReadFile: got %v, want %q", err, name)
		}
		f, err := a.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := new(bytes.Buffer).ReadFrom(f); !errors.As(err, &e) {
			t.Errorf("Read: got %v", err)
		}
		f.Close()
	}
}

func TestADamagedArchiveIsAnError(t *testing.T) {
	z, g := makeZip(t, entry{name: "f", body: "x"}), makeTarGz(t, entry{name: "f", body: strings.Repeat("xyz", 1000)})
	if _, err := OpenZip(bytes.NewReader(z[:len(z)-10]), int64(len(z)-10), Options{}); err == nil {
		t.Error("a cut zip was read")
	}
	if _, err := ReadTarGz(g[:len(g)/2], Options{}); err == nil {
		t.Error("a cut tar.gz was read")
	}
	if _, err := ReadTarGz(filetest.Gzip(t, "no tar"), Options{}); err == nil {
		t.Error("text was read as tar")
	}
}

func TestAZipDirectoryIsReadOnlyAsFarAsTheLimit(t *testing.T) {
	entries := make([]entry, 40_000)
	for i := range entries {
		entries[i].name = strings.Repeat("d", 50) + string(rune('a'+i%26)) + strings.Repeat("e", i/26%100) + string(rune('A'+i/2600))
	}
	data := makeZip(t, entries...)
	_, err := OpenZip(bytes.NewReader(data), int64(len(data)), Options{Limits: Limits{Files: 10}})
	var e *Error
	if !errors.As(err, &e) || !e.TooLarge {
		t.Errorf("got %v", err)
	}
}

func FuzzZip(f *testing.F) {
	f.Add(makeZip(f, entry{name: "a/b", body: "x"}, entry{name: "c/"}))
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := OpenZip(bytes.NewReader(data), int64(len(data)), fuzzOptions)
		readAll(t, a, err)
	})
}

func FuzzTarGz(f *testing.F) {
	f.Add(makeTarGz(f, entry{name: "a/b", body: "x"}, entry{name: "c/"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ReadTarGz(data, fuzzOptions)
		readAll(t, a, err)
	})
}

var fuzzOptions = Options{Limits: Limits{Unpacked: 1 << 20, File: 1 << 19, Files: 100}}

func readAll(t *testing.T, a *FS, err error) {
	t.Helper()
	if err != nil {
		return
	}
	for name := range a.Files {
		if !fs.ValidPath(name) {
			t.Errorf("invalid name %q", name)
		}
		_, _ = a.ReadFile(name)
	}
}

func FuzzName(f *testing.F) {
	for _, s := range []string{"a/b", "./a", "../a", "/a", `a\b`, "C:a", "a//b/./c/", "", ".", "a\x00"} {
		f.Add(s, "a", true)
	}
	f.Fuzz(func(t *testing.T, name, prefix string, strip bool) {
		got, err := (&Options{Prefix: prefix, StripFirst: strip}).cleanName(name)
		if err == nil && got != "" && !fs.ValidPath(got) {
			t.Errorf("%q became %q", name, got)
		}
	})
}
