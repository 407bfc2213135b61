package archive

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"sync/atomic"
)

// OpenZip reads and checks the directory of a zip file. r must remain open while
// the FS is used.
func OpenZip(r io.ReaderAt, size int64, o Options) (*FS, error) {
	t := tally{Limits: o.Limits.withDefaults()}
	if size > t.Packed {
		return nil, tooLarge("has a size of %s; the limit is %s", Bytes(size), Bytes(t.Packed))
	}
	// The limit on the directory's size applies to the bytes that are read from r, because the size
	// that it declares may be wrong.
	guard := &readGuard{r: r}
	guard.remaining.Store(int64(t.Files)*512 + 1<<20)
	z, err := zip.NewReader(guard, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		if guard.remaining.Load() < 0 {
			return nil, tooLarge("contains more files than the limit of %d", t.Files)
		}
		return nil, damaged(err)
	}
	guard.off.Store(true)

	a := newFS(o)
	for _, f := range z.File {
		if err := addZip(a, f, &o, &t); err != nil {
			return nil, err
		}
	}
	if err := t.ratio(t.unpacked, size); err != nil {
		return nil, err
	}
	return a.seal(), nil
}

func addZip(a *FS, f *zip.File, o *Options, t *tally) error {
	name, err := o.cleanName(f.Name)
	if err != nil {
		return err
	}
	if f.UncompressedSize64 > 1<<62 {
		return bad("contains %q, whose size is impossible", name)
	}
	size := int64(f.UncompressedSize64)
	if err := t.add(name, size); err != nil {
		return err
	}
	switch mode := f.Mode(); {
	case mode.IsDir():
		if name == "" {
			return nil
		}
		return a.add(name, &node{dir: true})
	case mode&fs.ModeSymlink != 0:
		if o.SkipLinks {
			return nil
		}
		return bad("contains %q, which is a link", name)
	case mode.Type() != 0:
		return bad("contains %q, which is not an ordinary file", name)
	case name == "":
		return bad("contains a file without a name")
	case f.Method != zip.Store && f.Method != zip.Deflate || f.Flags&1 != 0:
		return bad("contains %q in a form that is not supported: encrypted, or compression method %d", name, f.Method)
	case o.want(name, size) == Never:
		return nil
	}
	return a.add(name, &node{size: size, open: func() (io.ReadCloser, error) {
		r, err := f.Open()
		if err != nil {
			return nil, damaged(err)
		}
		return &sizeChecked{r: r, remaining: size}, nil
	}})
}

// readGuard fails when more than its limit was read, unless it is disabled.
type readGuard struct {
	r         io.ReaderAt
	remaining atomic.Int64
	off       atomic.Bool
}

func (g *readGuard) ReadAt(p []byte, offset int64) (int, error) {
	if !g.off.Load() && g.remaining.Add(-int64(len(p))) < 0 {
		return 0, io.ErrUnexpectedEOF
	}
	return g.r.ReadAt(p, offset)
}

// sizeChecked is a reader that fails if a file is damaged, or not as long as the
// directory of the archive declares.
type sizeChecked struct {
	r         io.ReadCloser
	remaining int64
}

func (h *sizeChecked) Read(p []byte) (int, error) {
	if int64(len(p)) > h.remaining+1 {
		p = p[:h.remaining+1]
	}
	n, err := h.r.Read(p)
	h.remaining -= int64(n)
	switch {
	case h.remaining < 0, errors.Is(err, zip.ErrFormat):
		return 0, errLies
	case h.remaining > 0 && (err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF)):
		return n, bad("contains a file that is shorter than its header says")
	case err != nil && err != io.EOF:
		return n, damaged(err)
	}
	return n, err
}

func (h *sizeChecked) Close() error { return h.r.Close() }
