package jsonrpc

import (
	"bytes"
	"errors"
	"io"
)

// ErrTooLong is the error for a line that is longer than the limit. Lines discards the line, and
// Next can be called again.
var ErrTooLong = errors.New("message is larger than the limit")

// firstBuffer is the initial size of the buffer in bytes.
const firstBuffer = 4 << 10

// Lines reads newline-delimited messages (specification: Transports, stdio).
type Lines struct {
	r     io.Reader
	limit int // maximum length of a line in bytes
	buf   []byte
	// buf[start:end] contains bytes that were read but not returned. There is no newline in
	// buf[start:seen].
	start, seen, end int
	err              error
	discard          bool   // whether the rest of a line over the limit must be discarded
	head             []byte // see Head
}

// headSize is the number of bytes that Head keeps of a line over the limit.
const headSize = 512

// Head returns the first bytes, at most headSize, of the last line for which
// Next returned ErrTooLong.
func (l *Lines) Head() []byte { return l.head }

func (l *Lines) keepHead(line []byte) {
	if !l.discard {
		l.head = append(l.head[:0], line[:min(len(line), headSize)]...)
	}
}

// NewLines returns a reader of lines of at most limit bytes.
func NewLines(r io.Reader, limit int) *Lines {
	return &Lines{r: r, limit: limit, buf: make([]byte, firstBuffer)}
}

// Buffered reports whether Next can return a line without reading.
func (l *Lines) Buffered() bool {
	return !l.discard && bytes.IndexByte(l.buf[l.seen:l.end], '\n') >= 0
}

// Next returns the next line without its newline. It skips lines of white space. The line is valid
// until the next call. Text after the last newline is also a line. The error is ErrTooLong or the
// error of the underlying reader.
func (l *Lines) Next() ([]byte, error) {
	for {
		if i := bytes.IndexByte(l.buf[l.seen:l.end], '\n'); i >= 0 {
			line := l.buf[l.start : l.seen+i]
			l.start = l.seen + i + 1
			l.seen = l.start
			if l.discard || len(line) > l.limit {
				l.keepHead(line)
				l.discard = false
				return nil, ErrTooLong
			}
			if skipSpace(line, 0) == len(line) {
				continue
			}
			return line, nil
		}
		l.seen = l.end
		if l.err != nil {
			line := l.buf[l.start:l.end]
			l.start, l.seen, l.end = 0, 0, 0
			switch {
			case l.discard || len(line) > l.limit:
				l.keepHead(line)
				l.discard = false
				return nil, ErrTooLong
			case skipSpace(line, 0) < len(line):
				return line, nil
			}
			return nil, l.err
		}
		l.fill()
	}
}

// fill reads more data into the buffer, after enlarging or emptying it.
func (l *Lines) fill() {
	if l.end-l.start > l.limit {
		l.keepHead(l.buf[l.start:l.end])
		l.discard = true
	}
	switch {
	case l.discard || l.start == l.end:
		l.start, l.seen, l.end = 0, 0, 0
		if len(l.buf) > 16*firstBuffer {
			l.buf = make([]byte, firstBuffer) // release the memory of a large message
		}
	case l.end == len(l.buf) && l.start > len(l.buf)/2:
		l.end = copy(l.buf, l.buf[l.start:l.end])
		l.seen -= l.start
		l.start = 0
	case l.end == len(l.buf):
		// The buffer never needs to be larger than one line over the limit.
		bigger := make([]byte, min(2*len(l.buf), l.limit+firstBuffer))
		l.end = copy(bigger, l.buf[l.start:l.end])
		l.seen -= l.start
		l.start = 0
		l.buf = bigger
	}
	for range 100 {
		n, err := l.r.Read(l.buf[l.end:])
		if n < 0 || n > len(l.buf)-l.end {
			l.err = errors.New("reader returned an impossible count")
			return
		}
		l.end += n
		if l.err = err; n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}
