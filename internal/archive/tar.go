package archive

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// ReadTarGz unpacks a gzip-compressed tar file into memory. The FS keeps a reference to tgz, to
// unpack the files that are wanted Later.
func ReadTarGz(tgz []byte, o Options) (*FS, error) {
	t := &tally{Limits: o.Limits.withDefaults()}
	if n := int64(len(tgz)); n > t.Packed {
		return nil, tooLarge("has a size of %s; the limit is %s", Bytes(n), Bytes(t.Packed))
	}
	packed := bytes.NewReader(tgz)
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, damaged(err)
	}
	defer z.Close()
	// Headers and padding add to the size of the files.
	raw := &counter{r: z, limit: t.Unpacked + int64(t.Files)*2048}
	raw.check = func() error { return t.ratio(raw.n, packed.Size()-int64(packed.Len())) }
	u := &unpacker{tr: tar.NewReader(raw), fs: newFS(o), o: &o, t: t, buf: make([]byte, 32<<10)}
	u.again = sync.OnceValues(func() (*FS, error) {
		late := o
		late.Keep = func(name string, size int64) Want {
			if o.Keep(name, size) == Later {
				return Now
			}
			return Never
		}
		return ReadTarGz(tgz, late)
	})
	for {
		h, err := u.tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return nil, damaged(err)
		}
		if err := u.add(h); err != nil {
			return nil, err
		}
	}
	return u.fs.seal(), nil
}

// unpacker reads the files in a tar archive.
type unpacker struct {
	tr    *tar.Reader
	fs    *FS
	o     *Options
	t     *tally
	buf   []byte
	again func() (*FS, error) // again unpacks the files that are requested by Later.
}

func (u *unpacker) add(h *tar.Header) error {
	if h.Typeflag == tar.TypeXGlobalHeader {
		return nil
	}
	name, err := u.o.cleanName(h.Name)
	if err != nil {
		return err
	}
	if err := u.t.add(name, h.Size); err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeDir:
		if name == "" {
			return nil
		}
		return u.fs.add(name, &node{dir: true})
	case tar.TypeLink, tar.TypeSymlink:
		if u.o.SkipLinks {
			return nil
		}
		return bad("contains %q, which is a link", name)
	case tar.TypeReg:
		// The holes of a sparse file are in memory, but not in the archive.
		for key := range h.PAXRecords {
			if strings.HasPrefix(key, "GNU.sparse.") {
				return bad("contains %q, which is a sparse file", name)
			}
		}
	default:
		return bad("contains %q, which is not an ordinary file", name)
	}
	if name == "" {
		return bad("contains a file without a name")
	}
	switch u.o.want(name, h.Size) {
	case Never:
		return nil
	case Later:
		return u.fs.add(name, &node{size: h.Size, open: func() (io.ReadCloser, error) {
			later, err := u.again()
			if err != nil {
				return nil, err
			}
			return later.Open(name)
		}})
	case Now:
	}
	if u.t.memory += h.Size; u.t.memory > u.t.Memory {
		return tooLarge("contains more files to read than the limit of %s", Bytes(u.t.Memory))
	}
	text, err := u.read(h.Size)
	if err != nil {
		return damaged(err)
	}
	return u.fs.add(name, &node{size: h.Size, text: text, open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(text)), nil
	}})
}

// trusted is the largest declared size for which the whole buffer is allocated in advance.
const trusted = 16 << 20

// read reads the next file. If the file is larger than trusted, the buffer grows
// with the bytes read, regardless of the declared size.
func (u *unpacker) read(size int64) (string, error) {
	var b strings.Builder
	b.Grow(int(min(size, trusted)))
	_, err := io.CopyBuffer(&b, u.tr, u.buf)
	return b.String(), err
}

// counter is a reader that fails beyond a limit.
type counter struct {
	r     io.Reader
	n     int64
	limit int64
	check func() error // called after each read; an error ends the reading
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.n += int64(n); c.n > c.limit {
		return n, tooLarge("is larger than the limit of %s", Bytes(c.limit))
	}
	if bad := c.check(); bad != nil {
		return n, bad
	}
	return n, err
}
