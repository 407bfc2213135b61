package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// chunks is a Reader that returns its data in pieces of the given sizes, which are used repeatedly.
// Some of them are empty.
type chunks struct {
	data  []byte
	sizes []byte
	next  int
	err   error // returned after the data
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, c.err
	}
	n := len(p)
	if len(c.sizes) > 0 {
		n = min(int(c.sizes[c.next%len(c.sizes)]), len(p))
		c.next++
		if n == 0 && c.next%3 == 0 {
			n = 1 // an endless series of empty reads would be an error
		}
	}
	n = copy(p[:n], c.data)
	c.data = c.data[n:]
	return n, nil
}

// split is the reference for Lines: it returns the lines of data that contain
// more than white space, and "too long" for each one over the limit.
func split(data []byte, limit int) []string {
	var lines []string
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		switch {
		case len(line) > limit:
			lines = append(lines, "too long")
		case len(bytes.Trim(line, " \t\r")) > 0:
			lines = append(lines, fmt.Sprintf("%q", line))
		}
	}
	return lines
}

func checkLines(t *testing.T, data, sizes []byte, limit int) {
	t.Helper()
	end := errors.New("the end")
	l := NewLines(&chunks{data: bytes.Clone(data), sizes: sizes, err: end}, limit)
	var got []string
	for {
		whole := l.Buffered()
		line, err := l.Next()
		if errors.Is(err, end) {
			if _, again := l.Next(); !errors.Is(again, end) {
				t.Fatalf("after the end comes %v", again)
			}
			break
		}
		if whole && err != nil && !errors.Is(err, ErrTooLong) {
			t.Fatalf("a whole line was there, but: %v", err)
		}
		switch {
		case errors.Is(err, ErrTooLong):
			got = append(got, "too long")
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, fmt.Sprintf("%q", line))
		}
		if room := limit + 2*firstBuffer; cap(l.buf) > room {
			t.Fatalf("the buffer has %d bytes for lines of at most %d", cap(l.buf), limit)
		}
	}
	if want := split(data, limit); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("limit %d, chunks %v, data %.2000q:\n got %.2000q\nwant %.2000q", limit, sizes, data, got, want)
	}
}

func TestLinesAreWhatStandsBetweenNewlinesHoweverTheyArrive(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var data []byte
		for range random.IntN(20) {
			n := random.IntN(40)
			if random.IntN(10) == 0 {
				n = random.IntN(12_000)
			}
			data = append(data, bytes.Repeat([]byte("x \t\r"[random.IntN(4):][:1]), n)...)
			if random.IntN(4) > 0 {
				data = append(data, '\n')
			}
		}
		sizes := make([]byte, random.IntN(5))
		for i := range sizes {
			sizes[i] = byte(random.IntN(256))
		}
		checkLines(t, data, sizes, []int{0, 1, 10, 100, 4095, 4096, 4097, 5000, 8192, 1 << 20}[random.IntN(10)])
	}
}

func TestALineAtTheLimitIsReadAndOneOverItIsNot(t *testing.T) {
	for _, limit := range []int{1, 10, firstBuffer - 1, firstBuffer, firstBuffer + 1, 100_000} {
		exact, over := strings.Repeat("a", limit), strings.Repeat("b", limit+1)
		for _, chunk := range []byte{0, 1, 255} {
			var sizes []byte
			if chunk > 0 {
				sizes = []byte{chunk}
			}
			checkLines(t, []byte(exact+"\n"+over+"\n"+exact+"\n"+over), sizes, limit)
			checkLines(t, []byte(over+over+over+"\n"+exact), sizes, limit)
		}
	}
}

func TestALargeMessageDoesNotKeepItsRoom(t *testing.T) {
	l := NewLines(strings.NewReader(strings.Repeat("x", 1<<20)+"\nshort\n"), 1<<20)
	if line, err := l.Next(); err != nil || len(line) != 1<<20 {
		t.Fatalf("%d bytes, %v", len(line), err)
	}
	if line, err := l.Next(); err != nil || string(line) != "short" {
		t.Fatalf("%q, %v", line, err)
	}
	if _, err := l.Next(); !errors.Is(err, io.EOF) || len(l.buf) > firstBuffer {
		t.Errorf("%v, with a buffer of %d bytes", err, len(l.buf))
	}
}

// liar is a Reader whose Read returns a count that is larger than the buffer.
type liar struct{}

func (liar) Read(p []byte) (int, error) { return len(p) + 1, nil }

// mute is a Reader that reads nothing and returns no error.
type mute struct{}

func (mute) Read([]byte) (int, error) { return 0, nil }

func TestReadersThatMisbehaveEndTheReading(t *testing.T) {
	for name, r := range map[string]io.Reader{"one that lies": liar{}, "one that does nothing": mute{}, "one that fails": iotest.ErrReader(io.ErrUnexpectedEOF)} {
		if line, err := NewLines(r, 100).Next(); err == nil {
			t.Errorf("%s: %q", name, line)
		}
	}
	// Data that is returned together with an error is not lost.
	l := NewLines(iotest.DataErrReader(strings.NewReader("a\nb")), 100)
	for _, want := range []string{"a", "b"} {
		if line, err := l.Next(); string(line) != want || err != nil {
			t.Errorf("%q, %v", line, err)
		}
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nbb\n\n \r\nccc"), []byte{1, 0, 3}, 2)
	f.Add([]byte("{}\n{}\n"), []byte{}, 100)
	f.Add(bytes.Repeat([]byte("x"), 5000), []byte{255}, 4096)
	f.Fuzz(func(t *testing.T, data, sizes []byte, limit int) {
		if limit < 0 || limit > 1<<20 || len(sizes) > 16 {
			return
		}
		checkLines(t, data, sizes, limit)
	})
}
