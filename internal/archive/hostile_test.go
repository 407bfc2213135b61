package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
)

// TestHostile_NamesThatAreWrittenInTwoWays opens archives with names that are absolute only after a
// prefix is removed.
func TestHostile_NamesThatAreWrittenInTwoWays(t *testing.T) {
	for _, name := range []string{".//etc", "././/etc", "./C:x"} {
		for _, o := range []Options{{}, {StripFirst: true}} {
			both(t, o, []entry{{name: name, body: "x"}, {name: "etc", body: "y"}, {name: "a/b", body: "z"}}, func(t *testing.T, a *FS, err error) {
				t.Helper()
				if err != nil {
					return
				}
				seen := map[string]bool{}
				if err := fs.WalkDir(a, ".", func(name string, _ fs.DirEntry, err error) error {
					if seen[name] {
						t.Errorf("%s is listed twice", name)
					}
					seen[name] = true
					if _, missing := fs.Stat(a, name); missing != nil {
						t.Errorf("%s is listed: %v", name, missing)
					}
					return err
				}); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestHostile_DirectoriesThatNoEntryNamesCount has few entries, each below many
// directories of its own.
func TestHostile_DirectoriesThatNoEntryNamesCount(t *testing.T) {
	entries := make([]entry, 100)
	for i := range entries {
		entries[i].name = strings.Repeat(fmt.Sprintf("%d/", i), 30) + "x"
	}
	both(t, Options{Limits: Limits{Files: 200}}, entries, func(t *testing.T, _ *FS, err error) {
		t.Helper()
		var e *Error
		if !errors.As(err, &e) || !e.TooLarge {
			t.Errorf("3,100 files and directories were read with a limit of 200: %v", err)
		}
	})
}

// TestHostile_SparseFiles has files that are holes: a few hundred bytes in the archive, 60 MB each.
func TestHostile_SparseFiles(t *testing.T) {
	for _, form := range []string{"0.1", "1.0"} {
		data := sparseTarGz(t, form, 7, 60<<20)
		a, err := ReadTarGz(data, Options{})
		if err == nil {
			total := 0
			for name := range a.Files {
				text, _ := a.ReadText(name)
				total += len(text)
			}
			t.Errorf("%s: %d bytes of archive hold %d in memory", form, len(data), total)
		}
	}
}

// sparseTarGz makes files of the given size without content, in a form of GNU tar.
func sparseTarGz(t *testing.T, form string, files int, size int64) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	raw := func(name string, kind byte, body string) {
		header := make([]byte, 512)
		copy(header, name)
		copy(header[100:], "0000644\x00")
		copy(header[108:], "0000000\x00")
		copy(header[116:], "0000000\x00")
		copy(header[124:], fmt.Sprintf("%011o\x00", len(body)))
		copy(header[136:], "00000000000\x00")
		header[156] = kind
		copy(header[257:], "ustar\x0000")
		copy(header[148:], "        ")
		sum := 0
		for _, c := range header {
			sum += int(c)
		}
		copy(header[148:], fmt.Sprintf("%06o\x00 ", sum))
		_, _ = z.Write(header)
		_, _ = io.WriteString(z, body+strings.Repeat("\x00", (512-len(body)%512)%512))
	}
	for i := range files {
		var records strings.Builder
		add := func(key, value string) {
			record := " " + key + "=" + value + "\n"
			n := len(record) + 2
			if len(fmt.Sprint(n)) > 2 {
				n++
			}
			fmt.Fprintf(&records, "%d%s", n, record)
		}
		body := ""
		if form == "1.0" {
			add("GNU.sparse.major", "1")
			add("GNU.sparse.minor", "0")
			add("GNU.sparse.realsize", fmt.Sprint(size))
			add("GNU.sparse.name", fmt.Sprintf("a/%d.py", i))
			body = "0\n" + strings.Repeat("\x00", 510)
		} else {
			add("GNU.sparse.size", fmt.Sprint(size))
			add("GNU.sparse.numblocks", "1")
			add("GNU.sparse.map", "0,0")
		}
		raw("pax", tar.TypeXHeader, records.String())
		raw(fmt.Sprintf("a/%d.py", i), tar.TypeReg, body)
	}
	_, _ = z.Write(make([]byte, 1024))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	tr := tar.NewReader(func() io.Reader { r, _ := gzip.NewReader(bytes.NewReader(b.Bytes())); return r }())
	if h, err := tr.Next(); err != nil || h.Size != size {
		t.Fatalf("%s is no sparse file: %v %v", form, h, err)
	}
	return b.Bytes()
}

// TestHostile_FilesToReadAreBoundedApart has an archive that may unpack to much, as one with
// large test data does, of which much is to be read.
func TestHostile_FilesToReadAreBoundedApart(t *testing.T) {
	data := makeTarGz(t, entry{name: "a.py", body: strings.Repeat("x", 600)}, entry{name: "b.bin", body: strings.Repeat("x", 5000)}, entry{name: "c.py", body: strings.Repeat("x", 600)})
	sources := func(name string, _ int64) Want {
		if strings.HasSuffix(name, ".py") {
			return Now
		}
		return Never
	}
	if _, err := ReadTarGz(data, Options{Keep: sources, Limits: Limits{Memory: 1200}}); err != nil {
		t.Error(err)
	}
	var e *Error
	if _, err := ReadTarGz(data, Options{Keep: sources, Limits: Limits{Memory: 1199}}); !errors.As(err, &e) || !e.TooLarge {
		t.Errorf("1200 bytes were unpacked with a limit of 1199: %v", err)
	}
}

// TestHostile_OverlappingEntries has a zip whose entries are all the same bytes (the
// bomb of D. Fifield): the directory alone grows with the number of files.
func TestHostile_OverlappingEntries(t *testing.T) {
	for _, test := range []struct {
		entries int
		want    string
	}{
		{2000, "times as much"},
		{40_000, "limit of 512 MiB"},
		{60_000, "limit of 512 MiB"},
	} {
		data := overlapping(t, strings.Repeat("x", 20<<10), test.entries)
		_, err := OpenZip(bytes.NewReader(data), int64(len(data)), Options{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%d entries in %d bytes: %v", test.entries, len(data), err)
		}
	}
}

// overlapping makes a zip with one file that the directory lists many times.
func overlapping(t *testing.T, body string, count int) []byte {
	t.Helper()
	data := makeZip(t, entry{name: "f000000", body: body})
	start := bytes.LastIndex(data, []byte("PK\x01\x02"))
	end := bytes.LastIndex(data, []byte("PK\x05\x06"))
	record := data[start:end]
	out := bytes.Clone(data[:start])
	for i := range count {
		one := bytes.Clone(record)
		copy(one[46:], fmt.Sprintf("f%06d", i))
		out = append(out, one...)
	}
	little := binary.LittleEndian
	size := len(out) - start
	locator := len(out)
	out = append(out, "PK\x06\x06"...)
	out = little.AppendUint64(out, 44)
	out = append(out, 45, 0, 45, 0)
	out = append(out, make([]byte, 8)...)
	for _, n := range []int{count, count, size, start} {
		out = little.AppendUint64(out, uint64(n))
	}
	out = append(out, "PK\x06\x07\x00\x00\x00\x00"...)
	out = little.AppendUint64(out, uint64(locator))
	out = append(out, 1, 0, 0, 0)
	out = append(out, "PK\x05\x06\x00\x00\x00\x00"...)
	return append(out, append(bytes.Repeat([]byte{0xff}, 12), 0, 0)...)
}
