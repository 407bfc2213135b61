package python

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/quote"
)

// These constants limit the parts of a large wheel that are fetched.
const (
	tailSize         = 64 << 10  // size in bytes of the first request, at the end
	maxDirectory     = 64 << 20  // maximum size in bytes of the central directory
	maxParts         = 256 << 20 // maximum size in bytes of all parts
	maxPartsUnpacked = 2 << 30   // maximum size in bytes of the files in all parts
	maxEntries       = 200_000   // maximum number of files in the wheel
	partSize         = 8 << 20   // size in bytes of one request
	maxGap           = 256 << 10 // maximum number of bytes between two files that are fetched in one request
	localHeader      = 30        // size in bytes of a file's header without its name
	// maxHeaderExtra is the maximum size in bytes of the other fields of a header, whose
	// real size is not in the directory.
	maxHeaderExtra = 64 << 10
)

// partsOf fetches the central directory of a wheel and its files with
// documentation by HTTP range requests, and stores them as a zip file.
func (f *finder) partsOf(ctx context.Context, o *offer, l *located) (*archive.FS, error) {
	name := cachedir.HashName("python/files/parts-", o.partsKey()) + ".zip"
	w, u, err := f.connectTo(o)
	if err != nil {
		return nil, err
	}
	cached, err := f.py.options.Cache.Fetch(ctx, name, func(file *os.File) error {
		ctx, cancel := f.timeout(ctx)
		defer cancel()
		ask := w.request(u.String(), partSize+maxDirectory)
		ask.Local = o.local
		return writeParts(file, &remoteFile{ctx: ctx, client: w.client, request: ask})
	})
	if err != nil {
		if failed, ok := errors.AsType[*fetch.Error](err); ok && failed.Kind == fetch.Whole {
			return nil, ecosystem.Fail(ecosystem.Refused, "%s is %s, larger than the download limit of %s, and its server does not support range requests", o.what(), archive.Bytes(o.file.Size), archive.Bytes(f.py.options.MaxDownload)).
				WithErr(err).WithNext("install it in the project's environment")
		}
		return nil, f.downloadError(o, err)
	}
	f.closers = append(f.closers, cached)
	if l.provenance.Integrity != partsOnly {
		f.partial(o, l)
	}
	files, err := archive.OpenZip(cached, cached.Size(), archive.Options{SkipLinks: true, Limits: archive.Limits{Packed: maxParts, File: maxSourceFile, Unpacked: maxPartsUnpacked, Files: maxEntries}})
	if err != nil {
		f.py.options.Cache.Drop(name)
		return nil, f.downloadError(o, err)
	}
	return files, nil
}

// partsKey identifies the parts of a wheel. Because no hash covers them, they are cached only for
// this URL, regardless of the hash in its index.
func (o *offer) partsKey() string { return o.file.SHA256 + "\x00" + o.file.URL }

// partial records that only parts of a wheel are fetched.
func (f *finder) partial(o *offer, l *located) {
	l.key = o.partsKey()
	l.provenance.Integrity = partsOnly
	f.warnings = append(f.warnings, o.what()+" is large, so docent downloaded only its Python sources, declarations and metadata, and could not verify them with the hash")
}

// remoteFile reads a file on a server in parts, and keeps some of them.
type remoteFile struct {
	ctx     context.Context //nolint:containedctx // io.ReaderAt has no context parameter; the struct lives for one call
	client  *fetch.Client
	request fetch.Request
	size    int64
	parts   []part // sorted by start
	total   int64  // number of bytes fetched
}

type part struct {
	start int64
	data  []byte
}

// tail fetches the end of the file, which also gives its size.
func (r *remoteFile) tail() error {
	answer, err := r.get(fmt.Sprintf("bytes=-%d", tailSize))
	if err != nil {
		return err
	}
	if answer.Start < 0 || answer.Total != answer.Start+int64(len(answer.Body)) {
		return &archive.Error{Problem: "was sent in inconsistent parts"}
	}
	r.size = answer.Total
	r.parts = []part{{answer.Start, answer.Body}}
	return nil
}

func (r *remoteFile) get(byteRange string) (*fetch.Response, error) {
	ask := r.request
	ask.Range = byteRange
	answer, err := r.client.Get(r.ctx, ask)
	if err != nil {
		return nil, err
	}
	if r.total += int64(len(answer.Body)); r.total > maxParts {
		return nil, &archive.Error{Problem: "contains more documentation than the limit of " + archive.Bytes(maxParts), TooLarge: true}
	}
	return answer, nil
}

// fetch fetches the bytes from start to end.
func (r *remoteFile) fetch(start, end int64) ([]byte, error) {
	answer, err := r.get(fmt.Sprintf("bytes=%d-%d", start, end-1))
	if err != nil {
		return nil, err
	}
	if answer.Start != start || int64(len(answer.Body)) != end-start || answer.Total != r.size {
		return nil, &archive.Error{Problem: "was sent in parts other than those requested"}
	}
	return answer.Body, nil
}

// ReadAt implements io.ReaderAt. It reads from parts that have been fetched, and requests
// missing bytes up to the first such part.
func (r *remoteFile) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off > r.size {
		return 0, io.EOF
	}
	want := min(int64(len(p)), r.size-off)
	i := slices.IndexFunc(r.parts, func(h part) bool { return h.start <= off && off+want <= h.start+int64(len(h.data)) })
	if i < 0 {
		first := r.parts[0].start
		if off >= first || first-off > maxDirectory {
			return 0, &archive.Error{Problem: "is damaged: its directory is not at the offset given at its end"}
		}
		// The directory begins before the part that tail fetched.
		data, err := r.fetch(off, first)
		if err != nil {
			return 0, err
		}
		r.parts[0] = part{off, append(data, r.parts[0].data...)}
		i = 0
	}
	h := r.parts[i]
	n := copy(p, h.data[off-h.start:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// span is the range of a zip file's entry, with its header.
type span struct {
	file       *zip.File
	start, end int64 // offsets; end is an estimate, since the header has fields of any size
}

// writeParts writes a zip file with those files of a remote zip file that
// contain documentation.
func writeParts(out *os.File, r *remoteFile) error {
	if err := r.tail(); err != nil {
		return err
	}
	z, err := zip.NewReader(r, r.size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		if failed, ok := errors.AsType[*fetch.Error](err); ok {
			return failed
		}
		return &archive.Error{Problem: "is damaged: " + quote.Error(err).Error(), Err: err}
	}
	if len(z.File) > maxEntries {
		return &archive.Error{Problem: fmt.Sprintf("contains more than %d files", maxEntries), TooLarge: true}
	}
	spans, err := spansOf(z, r)
	if err != nil {
		return err
	}
	if err := out.Truncate(0); err != nil {
		return err
	}
	if _, err := out.Seek(0, io.SeekStart); err != nil {
		return err
	}
	zw := zip.NewWriter(out)
	for len(spans) > 0 {
		n := group(spans)
		start, end := spans[0].start, min(spans[n-1].end, r.size)
		data, err := r.fetch(start, end)
		if err != nil {
			return err
		}
		held := r.parts
		r.parts = append([]part{{start, data}}, held...)
		for _, s := range spans[:n] {
			if err := copyChecked(zw, s.file); err != nil {
				return err
			}
		}
		r.parts = held
		spans = spans[n:]
	}
	return zw.Close()
}

// spansOf returns the files to fetch, in the order of their offsets.
func spansOf(z *zip.Reader, r *remoteFile) ([]span, error) {
	offsets, err := headerOffsets(r)
	if err != nil {
		return nil, err
	}
	if len(offsets) != len(z.File) {
		return nil, errDirectory
	}
	starts := append(slices.Clone(offsets), r.size)
	slices.Sort(starts)
	var spans []span
	var unpacked uint64
	for i, f := range z.File {
		if f.UncompressedSize64 > maxSourceFile || !f.Mode().IsRegular() || isNeeded(f.Name, int64(f.UncompressedSize64)) != archive.Now {
			continue
		}
		if unpacked += f.UncompressedSize64; unpacked > maxPartsUnpacked {
			return nil, &archive.Error{Problem: "contains more documentation than the limit of " + archive.Bytes(maxPartsUnpacked), TooLarge: true}
		}
		next, _ := slices.BinarySearch(starts, offsets[i]+1)
		end := starts[min(next, len(starts)-1)] // The next file's header begins here.
		// The last file is followed by the directory instead of a header.
		end = min(end, offsets[i]+localHeader+int64(len(f.Name))+int64(f.CompressedSize64)+maxHeaderExtra)
		if end <= offsets[i] || f.CompressedSize64 > 2*maxSourceFile {
			return nil, errDirectory
		}
		spans = append(spans, span{f, offsets[i], end})
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return spans, nil
}

var errDirectory = &archive.Error{Problem: "is damaged: its directory is not at the offset given at its end"}

// headerOffsets returns the offset of each file's header, in the order of the
// central directory. Package archive/zip would read each header to find the
// file's data, with one request for each file.
func headerOffsets(r *remoteFile) ([]int64, error) {
	const (
		endSize, end64Size, locatorSize, recordSize = 22, 56, 20, 46
		endMark, end64Mark, locatorMark, recordMark = "PK\x05\x06", "PK\x06\x06", "PK\x06\x07", "PK\x01\x02"
	)
	tail := r.parts[0]
	data := tail.data[max(0, len(tail.data)-tailSize):]
	i := bytes.LastIndex(data, []byte(endMark))
	if i < 0 || len(data)-i < endSize {
		return nil, errDirectory
	}
	little := binary.LittleEndian
	count, start := int64(little.Uint16(data[i+10:])), int64(little.Uint32(data[i+16:]))
	if i >= locatorSize && bytes.HasPrefix(data[i-locatorSize:], []byte(locatorMark)) {
		end64 := make([]byte, end64Size)
		if _, err := r.ReadAt(end64, int64(little.Uint64(data[i-locatorSize+8:])&(1<<62-1))); err != nil || !bytes.HasPrefix(end64, []byte(end64Mark)) {
			return nil, errDirectory
		}
		count, start = int64(little.Uint64(end64[32:])&(1<<62-1)), int64(little.Uint64(end64[48:])&(1<<62-1))
	}
	if count > maxEntries || start > r.size {
		return nil, errDirectory
	}
	directory := make([]byte, min(r.size-start, maxDirectory))
	if _, err := r.ReadAt(directory, start); err != nil && !errors.Is(err, io.EOF) {
		return nil, errDirectory
	}
	offsets := make([]int64, 0, count)
	for range count {
		if len(directory) < recordSize || !bytes.HasPrefix(directory, []byte(recordMark)) {
			return nil, errDirectory
		}
		name, extra, comment := int(little.Uint16(directory[28:])), int(little.Uint16(directory[30:])), int(little.Uint16(directory[32:]))
		if len(directory) < recordSize+name+extra+comment {
			return nil, errDirectory
		}
		offset := int64(little.Uint32(directory[42:]))
		if offset == 1<<32-1 {
			large := little.Uint32(directory[20:])
			unpacked := little.Uint32(directory[24:])
			if offset = offset64(directory[recordSize+name:recordSize+name+extra], unpacked == 1<<32-1, large == 1<<32-1); offset < 0 {
				return nil, errDirectory
			}
		}
		if offset >= start {
			return nil, errDirectory
		}
		offsets = append(offsets, offset)
		directory = directory[recordSize+name+extra+comment:]
	}
	return offsets, nil
}

// offset64 returns the offset of the header of a file beyond 4 GiB, from its extra
// fields, or -1 if they do not contain it. If the sizes also exceed 32 bits, they precede
// the offset.
func offset64(extra []byte, sizes ...bool) int64 {
	little := binary.LittleEndian
	for len(extra) >= 4 {
		id, length := little.Uint16(extra), int(little.Uint16(extra[2:]))
		if extra = extra[4:]; length > len(extra) {
			return -1
		}
		field := extra[:length]
		extra = extra[length:]
		if id != 1 {
			continue
		}
		for _, there := range sizes {
			if there && len(field) >= 8 {
				field = field[8:]
			}
		}
		if len(field) < 8 {
			return -1
		}
		return int64(little.Uint64(field) & (1<<62 - 1))
	}
	return -1
}

// group returns the number of spans to fetch in one request.
func group(spans []span) int {
	n := 1
	for n < len(spans) && spans[n].start-spans[n-1].end <= maxGap && spans[n].end-spans[0].start <= partSize {
		n++
	}
	return n
}

// copyChecked copies a file in compressed form. It first unpacks the file to compare its
// checksum, because the server may have sent parts of two different wheels.
func copyChecked(zw *zip.Writer, f *zip.File) error {
	unpacked, err := f.Open()
	if err == nil {
		_, err = io.Copy(io.Discard, io.LimitReader(unpacked, int64(f.UncompressedSize64)+1))
	}
	var body io.Reader
	if err == nil {
		body, err = f.OpenRaw()
	}
	if err != nil {
		return &archive.Error{Problem: "is damaged: " + quote.Error(err).Error(), Err: err}
	}
	header := f.FileHeader
	header.Flags &^= 0x8 // The sizes and the checksum are in the header rather than after the data.
	w, err := zw.CreateRaw(&header)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, body)
	return err
}
