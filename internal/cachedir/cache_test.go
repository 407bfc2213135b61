package cachedir

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/filetest"
)

const some = "npm/tarballs/some.tgz"

func TestWhatIsWrittenIsReadAndOpened(t *testing.T) {
	for _, text := range []string{"", "x", strings.Repeat("text ", 200_000)} {
		c := New(filepath.Join(t.TempDir(), "docent"), Options{})
		if _, err := c.Read(some, 10); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("before it is written: %v", err)
		}
		mustWrite(t, c, some, text)
		wantFile(t, c, some, text)
		f, err := c.Open(some)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if err != nil || string(got) != text || f.Size() != int64(len(text)) || f.Name() != c.Path(some) {
			t.Errorf("%s: %d bytes, %v", f.Name(), len(got), err)
		}
		f.Close()
		if list := c.List("npm/tarballs"); len(list) != 1 || list[0] != "some.tgz" {
			t.Errorf("listed are %q", list)
		}
		if _, err := c.Read(some, int64(len(text))-1); err == nil {
			t.Error("more than the limit was read")
		}
		c.Drop(some)
		if _, err := c.Open(some); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("dropped: %v", err)
		}
	}
}

func TestAFileIsThereOnlyWhenItIsComplete(t *testing.T) {
	c := New(t.TempDir(), Options{})
	broken := errors.New("the connection broke")
	err := c.Write(some, func(f *os.File) error {
		if _, err := f.WriteString("half"); err != nil {
			return err
		}
		if got := c.List("npm/tarballs"); len(got) != 0 {
			t.Errorf("listed while it is written: %q", got)
		}
		return broken
	})
	if !errors.Is(err, broken) || errors.Is(err, ErrNotKept) {
		t.Errorf("got %v", err)
	}
	if rest := names(t, c); rest != "npm npm/tarballs" {
		t.Errorf("left are %q", rest)
	}
}

// damages are what can happen to a file.
var damages = []struct {
	name string
	make func(file string, data []byte) error
}{
	{"cut off", func(file string, data []byte) error { return os.WriteFile(file, data[:len(data)-20], 0o600) }},
	{"cut off by a byte", func(file string, data []byte) error { return os.WriteFile(file, data[:len(data)-1], 0o600) }},
	{"cut to a few bytes", func(file string, data []byte) error { return os.WriteFile(file, data[:5], 0o600) }},
	{"longer", func(file string, data []byte) error { return os.WriteFile(file, append(data, 0), 0o600) }},
	{"empty", func(file string, _ []byte) error { return os.WriteFile(file, nil, 0o600) }},
	{"zeros", func(file string, data []byte) error { return os.WriteFile(file, make([]byte, len(data)), 0o600) }},
	{"another file", func(file string, _ []byte) error {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(file), "other.tgz"))
		return errors.Join(err, os.WriteFile(file, data, 0o600))
	}},
	{"a directory", func(file string, _ []byte) error {
		return errors.Join(os.Remove(file), os.MkdirAll(filepath.Join(file, "with", "more"), 0o700))
	}},
	{"a link", func(file string, _ []byte) error {
		return errors.Join(os.Remove(file), os.Symlink("other.tgz", file))
	}},
}

func TestDamageIsFoundAndHealed(t *testing.T) {
	const text = "the text that was downloaded"
	read := func(c *Cache) error { _, err := c.Read(some, 1<<20); return err }
	open := func(c *Cache) error { _, err := c.Open(some); return err }
	for _, d := range damages {
		for name, use := range map[string]func(*Cache) error{"read": read, "opened": open} {
			t.Run(d.name+", "+name, func(t *testing.T) {
				c := New(t.TempDir(), Options{})
				mustWrite(t, c, some, text)
				mustWrite(t, c, "npm/tarballs/other.tgz", text)
				data, err := os.ReadFile(c.Path(some))
				if err == nil {
					err = d.make(c.Path(some), data)
				}
				if err != nil {
					t.Fatal(err)
				}
				if err := use(c); !errors.Is(err, ErrDamaged) {
					t.Fatalf("got %v", err)
				}
				if err := use(c); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("it was not removed: %v", err)
				}
				f, err := c.Fetch(t.Context(), some, content(text))
				if err != nil {
					t.Fatal(err)
				}
				f.Close()
				wantFile(t, c, some, text)
				wantFile(t, c, "npm/tarballs/other.tgz", text)
			})
		}
	}
}

func TestEveryFlippedBitIsFound(t *testing.T) {
	c := New(t.TempDir(), Options{})
	mustWrite(t, c, some, "a few bytes")
	data := filetest.Read(t, c.Path(some))
	for bit := range 8 * len(data) {
		flipped := bytes.Clone(data)
		flipped[bit/8] ^= 1 << (bit % 8)
		if err := os.WriteFile(c.Path(some), flipped, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(some, 100); !errors.Is(err, ErrDamaged) {
			t.Errorf("bit %d: %v", bit, err)
		}
	}
}

func TestAFileInThePlaceOfADirectoryIsRemoved(t *testing.T) {
	for _, name := range []string{"npm", "npm/tarballs", "locks"} {
		c := New(t.TempDir(), Options{})
		put(t, c, name, 10, 0)
		f, err := c.Fetch(t.Context(), some, content("text"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f.Close()
		wantFile(t, c, some, "text")
	}
}

func TestADirectoryInThePlaceOfAFileIsRemoved(t *testing.T) {
	c := New(t.TempDir(), Options{})
	put(t, c, some+"/with/more", 10, 0)
	mustWrite(t, c, some, "text")
	wantFile(t, c, some, "text")
}

func TestWhatCannotBeKeptIsFetchedAllTheSame(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", file, filepath.Join(file, "below"), "\x00"} {
		c := New(dir, Options{})
		if err := c.Write(some, content("text")); !errors.Is(err, ErrNotKept) {
			t.Errorf("%q: written: %v", dir, err)
		}
		f, err := c.Fetch(t.Context(), some, content("text"))
		if err != nil {
			t.Errorf("%q: %v", dir, err)
			continue
		}
		if got, err := io.ReadAll(f); err != nil || string(got) != "text" {
			t.Errorf("%q: %q, %v", dir, got, err)
		}
		f.Close()
		if rest, _ := os.ReadDir(tmp); len(rest) != 0 {
			t.Errorf("%q: left are %v", dir, rest)
		}
	}
}

func TestUseRenewsTheTimeOfAFile(t *testing.T) {
	for name, use := range map[string]func(c *Cache) error{
		"read": func(c *Cache) error { _, err := c.Read(some, 100); return err },
		"opened": func(c *Cache) error {
			f, err := c.Open(some)
			if err == nil {
				err = f.Close()
			}
			return err
		},
	} {
		c := New(t.TempDir(), Options{})
		mustWrite(t, c, some, "text")
		setTime(t, c.Path(some), 48*touch)
		c.now = func() time.Time { return noon }
		if err := use(c); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(c.Path(some)); err != nil || !info.ModTime().Equal(noon) {
			t.Errorf("%s: the time is %v, %v", name, info.ModTime(), err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	c := New(f.TempDir(), Options{})
	if err := c.Write(some, content("text")); err != nil {
		f.Fatal(err)
	}
	good := filetest.Read(f, c.Path(some))
	f.Add(good)
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(c.Path(some), data, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := c.Read(some, 1<<20)
		if err != nil {
			return
		}
		mustWrite(t, c, some, string(got))
		if again, err := os.ReadFile(c.Path(some)); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%q was read as %q, which is written as %q, %v", data, got, again, err)
		}
	})
}
