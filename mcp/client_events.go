package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"strconv"
	"time"
)

// An event is one event in an event stream.
type event struct {
	name  string        // "message" if the stream does not contain a name
	data  []byte        // valid until the next event
	id    string        // ID of the last event with an ID
	retry time.Duration // time to wait before opening the stream again
	timed bool          // whether the event has a retry time
}

// eventReader reads an event stream (WHATWG HTML, Server-sent events). It skips comments.
type eventReader struct {
	r     *bufio.Reader
	limit int // maximum size of an event in bytes
	size  int // current size of the event in bytes
	line  []byte
	data  []byte
	id    string
	retry time.Duration
	timed bool
	begun bool // whether reading has started
	// afterCR is true if the last line ended with CR. A following LF then belongs to that line.
	afterCR bool
}

var errEventTooLong = errors.New("an event is larger than the limit")

func newEventReader(r io.Reader, limit int) *eventReader {
	return &eventReader{r: bufio.NewReader(r), limit: limit}
}

// next returns the next event that has data, an ID or a retry time. The error is errEventTooLong,
// which is the end of the stream, or the error of the underlying reader.
func (e *eventReader) next() (event, error) {
	e.data, e.size = e.data[:0], 0
	name, hasData, changed := "", false, false
	for {
		line, err := e.readLine()
		if err != nil {
			return event{}, err // an incomplete event is ignored
		}
		if len(line) == 0 {
			if hasData || changed {
				name = cmp.Or(name, "message")
				return event{name, bytes.TrimSuffix(e.data, []byte{'\n'}), e.id, e.retry, e.timed}, nil
			}
			name = ""
			continue
		}
		field, value, _ := bytes.Cut(line, []byte{':'})
		value = bytes.TrimPrefix(value, []byte{' '})
		switch string(field) {
		case "event":
			name = string(value)
		case "data":
			e.data = append(append(e.data, value...), '\n')
			hasData = true
		case "id":
			if bytes.IndexByte(value, 0) < 0 && len(value) <= maxEventID {
				e.id, changed = string(value), true
			}
		case "retry":
			if n, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				e.retry, e.timed, changed = time.Duration(n)*time.Millisecond, true, true
			}
		}
	}
}

// maxEventID is the maximum length in bytes of an event id that is kept.
const maxEventID = 1024

// readLine returns the next line without its end: LF, CR or CRLF. It is valid
// until the next call.
func (e *eventReader) readLine() ([]byte, error) {
	if !e.begun {
		e.begun = true
		if mark, err := e.r.Peek(3); err == nil && string(mark) == "\uFEFF" {
			_, _ = e.r.Discard(3)
		}
	}
	e.line = e.line[:0]
	for {
		if _, err := e.r.Peek(1); err != nil {
			return nil, err
		}
		buf, _ := e.r.Peek(e.r.Buffered())
		if e.afterCR {
			e.afterCR = false
			if buf[0] == '\n' {
				_, _ = e.r.Discard(1)
				continue
			}
		}
		end := bytes.IndexByte(buf, '\n')
		if end < 0 {
			end = len(buf)
		}
		if i := bytes.IndexByte(buf[:end], '\r'); i >= 0 {
			end, e.afterCR = i, true
		}
		e.line = append(e.line, buf[:end]...)
		e.size += end
		whole := end < len(buf)
		_, _ = e.r.Discard(min(end+1, len(buf)))
		switch {
		case e.size > e.limit:
			return nil, errEventTooLong
		case whole:
			return e.line, nil
		}
	}
}
