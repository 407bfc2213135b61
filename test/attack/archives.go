package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/docent-mcp/docent/internal/archive"
)

var archiveAttacks = []attack{
	{"zip: an entry that 40,000 names share", archives(true, func() []byte { return overlapping(40_000) }), 96},
	{"zip: a directory of 1,000,000 entries", archives(true, func() []byte { return overlapping(1_000_000) }), 400},
	{"zip: names 60 directories deep, each its own", archives(true, func() []byte {
		return zipOf(20_000, func(i int) string { return "p/" + strings.Repeat(fmt.Sprintf("%d/", i), 60) + "x" }, nil)
	}), 128},
	{"zip: 50,000 times the same name", archives(true, func() []byte {
		return zipOf(50_000, func(int) string { return "p/setup.py" }, nil)
	}), 128},
	{"zip: 240 MiB of zeros", archives(true, func() []byte {
		return zipOf(4, func(i int) string { return fmt.Sprintf("p/%d", i) }, make([]byte, 60<<20))
	}), 128},
	{"zip: an archive in an archive in an archive", archives(false, func() []byte {
		data := []byte("x")
		for range 30 {
			data = zipOf(1, func(int) string { return "p/a.zip" }, data)
		}
		return data
	}), 64},
	{"tar: sparse files of 60 MiB", archives(true, func() []byte {
		return tarOf(func(w *tarWriter) {
			for i := range 8 {
				w.sparse(fmt.Sprintf("a/%d.py", i), 60<<20)
			}
		})
	}), 64},
	{"tar: names 60 directories deep, each its own", archives(true, func() []byte {
		return tarOf(func(w *tarWriter) {
			for i := range 20_000 {
				w.file("p/"+strings.Repeat(fmt.Sprintf("%d/", i), 60)+"x", "")
			}
		})
	}), 128},
	{"tar: headers without a file", archives(true, func() []byte {
		return tarOf(func(w *tarWriter) {
			for range 200_000 {
				w.raw("g", tar.TypeXGlobalHeader, "9 a=bcde\n")
			}
			w.file("../x", "")
		})
	}), 64},
	{"tar: a header of 1 MiB for each file", archives(true, func() []byte {
		long := pax("comment", strings.Repeat("x", 1<<20-100))
		return tarOf(func(w *tarWriter) {
			for i := range 100 {
				w.raw("pax", tar.TypeXHeader, long)
				w.file(fmt.Sprintf("p/%d", i), "")
			}
		})
	}), 64},
	{"tar: links out, and files below them", archives(true, func() []byte {
		return tarOf(func(w *tarWriter) {
			w.raw("p/a", tar.TypeSymlink, "")
			w.file("p/a/x", "text")
		})
	}), 64},
	{"tar: 128 MiB of zeros", archives(true, func() []byte {
		return tarOf(func(w *tarWriter) {
			zeros := string(make([]byte, 16<<20))
			for i := range 8 {
				w.file(fmt.Sprintf("p/%d.py", i), zeros)
			}
		})
	}), 128},
	{"gzip: 1,000,000 members without content", archives(false, func() []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_ = z.Close()
		return bytes.Repeat(b.Bytes(), 1_000_000)
	}), 64},
	{"names that lead out, or are none somewhere", names, 64},
}

// archives returns an attack with one archive, read in the ways that package formats are read.
// refused is true if it must not be read at all.
func archives(refused bool, build func() []byte) func(*trial) error {
	return func(t *trial) error {
		data := build()
		for _, o := range []archive.Options{{}, {StripFirst: true, FoldCase: true, SkipLinks: true}} {
			t.input(len(data))
			read := archive.ReadTarGz
			if bytes.HasPrefix(data, []byte("PK")) {
				read = func(data []byte, o archive.Options) (*archive.FS, error) {
					return archive.OpenZip(bytes.NewReader(data), int64(len(data)), o)
				}
			}
			files, err := read(data, o)
			if err == nil && refused && !o.SkipLinks {
				return errors.New("it was read")
			}
			if err != nil {
				t.outcome = "refused: " + clip(err.Error())
				continue
			}
			t.outcome = "read"
			if err := consistent(files); err != nil {
				return err
			}
		}
		return nil
	}
}

func clip(s string) string {
	if len(s) > 70 {
		s = s[:70] + "…"
	}
	return s
}

// consistent reads a whole tree, and returns an error for impossible names.
func consistent(files *archive.FS) error {
	return fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !fs.ValidPath(name) {
			return fmt.Errorf("%q is listed: %w", name, err)
		}
		if _, err := files.Stat(name); err != nil {
			return fmt.Errorf("%q is listed: %w", name, err)
		}
		if e.IsDir() {
			return nil
		}
		f, err := files.Open(name)
		if err != nil {
			return nil // it is refused when it is opened
		}
		defer f.Close()
		_, _ = io.Copy(io.Discard, f)
		return nil
	})
}

// names opens archives with names that lead outside, or that have another meaning on some systems.
func names(t *trial) error {
	outside := []string{
		"../x", "a/../../x", "/etc/passwd", "//host/share", `\\host\share`, `..\x`, `a\..\..\x`, "C:x", "C:/x", "./C:x", ".//etc", "a/./../../x", "..",
		"x\x00.py", "x\ny", "x\x7f", "\xff\xfe", "./../x", "a//../../b",
	}
	for _, name := range outside {
		for _, prefix := range []string{"", "m@v1/"} {
			data := zipOf(1, func(int) string { return prefix + name }, []byte("x"))
			for _, o := range []archive.Options{{}, {Prefix: prefix}, {StripFirst: prefix != ""}} {
				t.input(len(data))
				if files, err := archive.OpenZip(bytes.NewReader(data), int64(len(data)), o); err == nil {
					if err := consistent(files); err != nil {
						return fmt.Errorf("%q: %w", prefix+name, err)
					}
					for file := range files.Files {
						if strings.Contains(file, "..") || strings.Contains(file, `\`) {
							return fmt.Errorf("%q became %q", prefix+name, file)
						}
					}
				}
			}
			data = tarOf(func(w *tarWriter) {
				w.raw("pax", tar.TypeXHeader, pax("path", prefix+name))
				w.file("short", "x")
			})
			for _, o := range []archive.Options{{}, {StripFirst: true}} {
				t.input(len(data))
				if files, err := archive.ReadTarGz(data, o); err == nil {
					if err := consistent(files); err != nil {
						return fmt.Errorf("%q: %w", prefix+name, err)
					}
				}
			}
		}
	}
	t.outcome = "none leads out"
	return nil
}

// zipOf creates a zip file with count files that have the same content.
func zipOf(count int, name func(i int) string, body []byte) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range count {
		f, err := w.Create(name(i))
		if err == nil && body != nil {
			_, err = f.Write(body)
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// overlapping creates a zip file with one file of 20 KiB that its directory lists many times.
func overlapping(count int) []byte {
	data := zipOf(1, func(int) string { return "p/000000" }, bytes.Repeat([]byte("x"), 20<<10))
	start, end := bytes.LastIndex(data, []byte("PK\x01\x02")), bytes.LastIndex(data, []byte("PK\x05\x06"))
	record := data[start:end]
	out := bytes.Clone(data[:start])
	for i := range count {
		out = append(out, record[:46]...)
		out = fmt.Appendf(out, "p/%06d", i)
		out = append(out, record[54:]...)
	}
	little, size, locator := binary.LittleEndian, len(out)-start, len(out)
	out = append(out, "PK\x06\x06"...)
	out = little.AppendUint64(out, 44)
	out = append(append(out, 45, 0, 45, 0), make([]byte, 8)...)
	for _, n := range []int{count, count, size, start} {
		out = little.AppendUint64(out, uint64(n))
	}
	out = append(out, "PK\x06\x07\x00\x00\x00\x00"...)
	out = little.AppendUint64(out, uint64(locator))
	out = append(out, "\x01\x00\x00\x00PK\x05\x06\x00\x00\x00\x00"...)
	return append(append(out, bytes.Repeat([]byte{0xff}, 12)...), 0, 0)
}

// A tarWriter writes tar files that package archive/tar would refuse to write.
type tarWriter struct{ z *gzip.Writer }

func tarOf(fill func(*tarWriter)) []byte {
	var b bytes.Buffer
	w := &tarWriter{gzip.NewWriter(&b)}
	fill(w)
	_, _ = w.z.Write(make([]byte, 1024))
	_ = w.z.Close()
	return b.Bytes()
}

func (w *tarWriter) file(name, body string) {
	if len(name) > 100 {
		w.raw("pax", tar.TypeXHeader, pax("path", name))
		name = "long"
	}
	w.raw(name, tar.TypeReg, body)
}

// sparse writes a file of the given size without content, in GNU tar's form 0.1.
func (w *tarWriter) sparse(name string, size int64) {
	w.raw("pax", tar.TypeXHeader, pax("GNU.sparse.size", fmt.Sprint(size))+pax("GNU.sparse.numblocks", "1")+pax("GNU.sparse.map", "0,0"))
	w.raw(name, tar.TypeReg, "")
}

func (w *tarWriter) raw(name string, kind byte, body string) {
	header := make([]byte, 512)
	copy(header, name)
	copy(header[100:], "0000644\x000000000\x000000000\x00")
	copy(header[124:], fmt.Sprintf("%011o\x0000000000000\x00        %c", len(body), kind))
	if kind == tar.TypeSymlink {
		copy(header[157:], "/etc")
	}
	copy(header[257:], "ustar\x0000")
	sum := 0
	for _, c := range header {
		sum += int(c)
	}
	copy(header[148:], fmt.Sprintf("%06o\x00 ", sum))
	_, _ = w.z.Write(header)
	_, _ = io.WriteString(w.z, body)
	_, _ = w.z.Write(make([]byte, (512-len(body)%512)%512))
}

// pax returns a record of an extended header: its length, key and value.
func pax(key, value string) string {
	record := " " + key + "=" + value + "\n"
	n := len(record) + 1
	for len(fmt.Sprint(n))+len(record) != n {
		n++
	}
	return fmt.Sprint(n) + record
}

func gzipBytes(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(data)
	_ = z.Close()
	return b.Bytes()
}
