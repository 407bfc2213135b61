package archive

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// ReadTarGz reads a gzip-compressed tar file into memory.
func ReadTarGz(r io.Reader, o Options) (*FS, error) {
	t := &tally{Limits: o.Limits.withDefaults()}
	packed := &counter{r: r, limit: t.Packed}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, damaged(err)
	}
	defer z.Close()
	return readTar(z, packed, o, t)
}

// ReadTar reads a tar file into memory.
func ReadTar(r io.Reader, o Options) (*FS, error) {
	t := &tally{Limits: o.Limits.withDefaults()}
	packed := &counter{r: r, limit: t.Unpacked + int64(t.Files)*2048}
	return readTar(packed, packed, o, t)
}

func readTar(r io.Reader, packed *counter, o Options, t *tally) (*FS, error) {
	// Headers and padding come on top of what the files hold.
	raw := &counter{r: r, limit: t.Unpacked + int64(t.Files)*2048}
	raw.check = func() error { return t.ratio(raw.n, packed.n) }
	tr := tar.NewReader(raw)
	a := newFS(o)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return nil, damaged(err)
		}
		if err := addTar(a, tr, h, &o, t); err != nil {
			return nil, err
		}
	}
	return a.seal(), nil
}

func addTar(a *FS, tr *tar.Reader, h *tar.Header, o *Options, t *tally) error {
	if h.Typeflag == tar.TypeXGlobalHeader {
		return nil
	}
	name, err := o.cleanName(h.Name)
	if err != nil {
		return err
	}
	if err := t.add(name, h.Size); err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeDir:
		if name == "" {
			return nil
		}
		return a.add(name, &node{dir: true})
	case tar.TypeLink, tar.TypeSymlink:
		if o.SkipLinks {
			return nil
		}
		return bad("holds %q, which is a link", name)
	case tar.TypeReg:
	default:
		return bad("holds %q, which is no ordinary file", name)
	}
	if name == "" {
		return bad("holds a file without a name")
	}
	if o.Keep != nil && !o.Keep(name) {
		return nil
	}
	data, err := readSized(tr, h.Size)
	if err != nil {
		return damaged(err)
	}
	return a.add(name, &node{size: h.Size, open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(data)), nil
	}})
}

// trusted is how many bytes an archive's word for the size of a file is taken.
const trusted = 16 << 20

// readSized reads a file of that size. The room for one that says to be large
// grows only with what is really there.
func readSized(r io.Reader, size int64) ([]byte, error) {
	data := make([]byte, min(size, trusted))
	for n := 0; ; {
		m, err := io.ReadFull(r, data[n:])
		if n += m; err != nil || int64(n) == size {
			return data, err
		}
		more := make([]byte, min(size, 2*int64(n)))
		copy(more, data)
		data = more
	}
}

// counter counts what is read and fails beyond its limit.
type counter struct {
	r     io.Reader
	n     int64
	limit int64
	check func() error // called after each read
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.n += int64(n); c.n > c.limit {
		return n, tooLarge("is larger than %s, the limit", Bytes(c.limit))
	}
	if c.check != nil {
		if bad := c.check(); bad != nil {
			return n, bad
		}
	}
	return n, err
}
