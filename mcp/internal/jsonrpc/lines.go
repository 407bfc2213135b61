package jsonrpc

import (
	"bytes"
	"errors"
	"io"
)

// ErrTooLong reports a line over the limit. The line has been discarded and
// reading goes on with the next.
var ErrTooLong = errors.New("message is over the size limit")

const firstBuffer = 4 << 10

// Lines reads newline-delimited messages (specification: Transports, stdio).
type Lines struct {
	r     io.Reader
	limit int
	buf   []byte
	// buf[start:end] has been read and not been returned; no newline is in
	// buf[start:seen].
	start, seen, end int
	err              error
	discard          bool
}

// NewLines reads lines of at most limit bytes from r.
func NewLines(r io.Reader, limit int) *Lines {
	return &Lines{r: r, limit: limit, buf: make([]byte, firstBuffer)}
}

// Buffered reports whether a whole line can be returned without reading.
func (l *Lines) Buffered() bool {
	return !l.discard && bytes.IndexByte(l.buf[l.seen:l.end], '\n') >= 0
}

// Next returns the next line without its newline; lines of white space are
// passed over. The line is valid until the next call. What stands behind the
// last newline at the end of input is a line too. The error is ErrTooLong,
// after which Next can be called again, or the reader's.
func (l *Lines) Next() ([]byte, error) {
	for {
		if i := bytes.IndexByte(l.buf[l.seen:l.end], '\n'); i >= 0 {
			line := l.buf[l.start : l.seen+i]
			l.start = l.seen + i + 1
			l.seen = l.start
			if l.discard || len(line) > l.limit {
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

// fill reads more, making room first.
func (l *Lines) fill() {
	if l.end-l.start > l.limit {
		l.discard = true
	}
	switch {
	case l.discard || l.start == l.end:
		l.start, l.seen, l.end = 0, 0, 0
		if len(l.buf) > 16*firstBuffer {
			l.buf = make([]byte, firstBuffer) // one large message does not keep its room
		}
	case l.end == len(l.buf) && l.start > len(l.buf)/2:
		l.end = copy(l.buf, l.buf[l.start:l.end])
		l.seen -= l.start
		l.start = 0
	case l.end == len(l.buf):
		// One byte over the limit is enough to know.
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
