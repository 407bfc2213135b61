package archive

import (
	"encoding/binary"
	"io"
	"math/bits"
	"sync"
)

// inflate holds the codes of a block of DEFLATE (RFC 1951).
type inflate struct {
	literals, distances table
	begin               int // of the member in gunzip.out, or before
}

// table leads from the next bits of the input to what their code means.
// Codes longer than tableBits go on in rest.
type table struct {
	first [1 << tableBits]entryOf
	rest  []entryOf
	long  uint // how many bits the longest code has beyond tableBits
}

const (
	tableBits = 10
	maxCode   = 15 // bits
)

// entryOf is a code's meaning. From the lowest bit: how many bits the code has
// (8; none for one that means nothing), how many extra bits follow (4), flags
// (4), the literal, the base of the length or distance, or where rest goes on
// (16).
type entryOf uint32

const (
	isLiteral entryOf = 1 << 12
	isEnd     entryOf = 1 << 13
	isLink    entryOf = 1 << 14
)

func (e entryOf) code() uint  { return uint(e & 0xff) }
func (e entryOf) extra() uint { return uint(e >> 8 & 0xf) }
func (e entryOf) value() int  { return int(e >> 16) }

// What the symbols of the two alphabets mean, but for the length of the code.
var literalMeaning, distanceMeaning = func() (lit [288]entryOf, dist [32]entryOf) {
	for i := range entryOf(256) {
		lit[i] = i<<16 | isLiteral
	}
	lit[256] = isEnd
	base := entryOf(3)
	for i := range 28 {
		extra := entryOf(max(i/4-1, 0))
		lit[257+i] = base<<16 | extra<<8
		base += 1 << extra
	}
	lit[285] = 258 << 16
	base = 1
	for i := range 30 {
		extra := entryOf(max(i/2-1, 0))
		dist[i] = base<<16 | extra<<8
		base += 1 << extra
	}
	return lit, dist
}()

// make fills a table from the lengths of the codes; false if they cannot be
// told apart, or if they leave some codes out, unless there is but one.
func (t *table) make(lengths []uint8, meaning []entryOf) bool {
	var count [maxCode + 1]int
	for _, n := range lengths {
		count[n]++
	}
	clear(t.first[:])
	t.rest, t.long = t.rest[:0], 0
	count[0] = 0
	var next [maxCode + 1]int
	longest, code := 0, 0
	for n := 1; n <= maxCode; n++ {
		code <<= 1
		next[n] = code
		if code += count[n]; code > 1<<n {
			return false
		}
		if count[n] > 0 {
			longest = n
		}
	}
	if full := code == 1<<maxCode; !full && longest != 0 && !(longest == 1 && count[1] == 1) {
		return false
	}
	if longest > tableBits {
		t.long = uint(longest - tableBits)
	}
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		reversed := int(bits.Reverse16(uint16(next[n])) >> (16 - n))
		next[n]++
		e := meaning[symbol]
		if e == 0 {
			continue // a symbol that must not occur
		}
		if e |= entryOf(n); n <= tableBits {
			for i := reversed; i < len(t.first); i += 1 << n {
				t.first[i] = e
			}
			continue
		}
		link := &t.first[reversed&(len(t.first)-1)]
		if *link == 0 {
			*link = entryOf(len(t.rest))<<16 | isLink | 1
			t.rest = append(t.rest, make([]entryOf, 1<<t.long)...)
		}
		part := t.rest[link.value():][:1<<t.long]
		for i := reversed >> tableBits; i < len(part); i += 1 << (n - tableBits) {
			part[i] = e
		}
	}
	return true
}

// fixedCodes are those of blocks that bring none.
var fixedCodes = sync.OnceValue(func() *inflate {
	c := &inflate{}
	var lengths [288]uint8
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	c.literals.make(lengths[:], literalMeaning[:])
	for i := range 32 {
		lengths[i] = 5
	}
	c.distances.make(lengths[:32], distanceMeaning[:])
	return c
})

func (c *inflate) fixed() {
	known := fixedCodes()
	c.literals.first, c.literals.rest = known.literals.first, c.literals.rest[:0]
	c.distances.first, c.distances.rest = known.distances.first, c.distances.rest[:0]
}

// orderOfLengths is the order in which the codes for lengths of codes come.
var orderOfLengths = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamic reads the codes of a block.
func (z *gunzip) dynamic() error {
	if err := z.need(14); err != nil {
		return err
	}
	literals, distances, n := 257+z.bits.take(5), 1+z.bits.take(5), 4+z.bits.take(4)
	if literals > 286 || distances > 30 {
		return errGzip
	}
	var lengths [286 + 30]uint8
	for _, i := range orderOfLengths[:n] {
		if err := z.need(3); err != nil {
			return err
		}
		lengths[i] = uint8(z.bits.take(3))
	}
	var plain [19]entryOf
	for i := range plain {
		plain[i] = entryOf(i)<<16 | isLiteral
	}
	t := &z.codes.distances
	if !t.make(lengths[:19], plain[:]) {
		return errGzip
	}
	clear(lengths[:19])
	before := uint8(0)
	for i := 0; i < literals+distances; {
		// The code may be shorter than what is looked up, and be the last.
		_ = z.need(7 + 7)
		e := t.first[z.bits.bits&(1<<tableBits-1)]
		if e == 0 {
			if z.bits.n < 7 {
				return io.ErrUnexpectedEOF
			}
			return errGzip
		}
		repeat, extra, value := 1, uint(0), uint8(e.value())
		switch value {
		case 16:
			if i == 0 {
				return errGzip
			}
			repeat, extra, value = 3, 2, before
		case 17:
			repeat, extra, value = 3, 3, 0
		case 18:
			repeat, extra, value = 11, 7, 0
		}
		if z.bits.n < e.code()+extra {
			return io.ErrUnexpectedEOF
		}
		z.bits.take(e.code())
		repeat += z.bits.take(extra)
		if i+repeat > literals+distances {
			return errGzip
		}
		for range repeat {
			lengths[i] = value
			i++
		}
		before = value
	}
	if !z.codes.literals.make(lengths[:literals], literalMeaning[:]) ||
		!z.codes.distances.make(lengths[literals:literals+distances], distanceMeaning[:]) {
		return errGzip
	}
	return nil
}

// decode unpacks a block until it ends or the room does.
func (z *gunzip) decode() (ended bool, err error) {
	const mask = 1<<tableBits - 1
	literals, distances := &z.codes.literals, &z.codes.distances
	in, at, out, to := z.in, z.at, z.out, z.ready
	have, n := z.bits.bits, z.bits.n
	missing := uint(0) // bits behind the end of the input that were made up
	defer func() {
		if missing > n { // some of them were taken
			ended, err = false, io.ErrUnexpectedEOF
		} else {
			n -= missing
		}
		// No bit is kept that does not count.
		z.at, z.ready, z.bits = at, to, bitReader{have & (1<<n - 1), n}
	}()
	for to < outSize {
		// Fill up to 56 bits or more.
		if at+8 <= len(in) {
			have |= binary.LittleEndian.Uint64(in[at:]) << n
			at += int((63 - n) >> 3)
			n |= 56
		} else {
			for ; n < 56; n += 8 {
				if at < len(in) {
					have &= 1<<n - 1
					have |= uint64(in[at]) << n
					at++
				} else if missing += 8; missing > 128 {
					return false, io.ErrUnexpectedEOF
				}
			}
		}
		e := literals.first[have&mask]
		if e&isLiteral != 0 {
			have, n = have>>e.code(), n-e.code()
			out[to] = byte(e >> 16)
			to++
			if e = literals.first[have&mask]; e&isLiteral != 0 {
				have, n = have>>e.code(), n-e.code()
				out[to] = byte(e >> 16)
				to++
				// A third one, or else all of a match may need new bits.
				if e = literals.first[have&mask]; e&isLiteral != 0 {
					have, n = have>>e.code(), n-e.code()
					out[to] = byte(e >> 16)
					to++
				}
				continue
			}
			if e&isLink != 0 || n < 48 {
				continue
			}
		}
		if e&isLink != 0 {
			e = literals.rest[e.value()+int(have>>tableBits&(1<<literals.long-1))]
			if e&isLiteral != 0 {
				have, n = have>>e.code(), n-e.code()
				out[to] = byte(e >> 16)
				to++
				continue
			}
		}
		have, n = have>>(e.code()&63), n-e.code()
		if e&isEnd != 0 {
			return true, nil
		}
		length := e.value() + int(have&(1<<e.extra()-1))
		have, n = have>>e.extra(), n-e.extra()
		d := distances.first[have&mask]
		if d&isLink != 0 {
			d = distances.rest[d.value()+int(have>>tableBits&(1<<distances.long-1))]
		}
		have, n = have>>(d.code()&63), n-d.code()
		back := d.value() + int(have&(1<<d.extra()-1))
		have, n = have>>d.extra(), n-d.extra()
		from := to - back
		if e == 0 || d == 0 || from < z.codes.begin {
			return false, errGzip
		}
		end := to + length
		switch {
		case back >= 8:
			for to < end { // up to 7 bytes too many
				binary.LittleEndian.PutUint64(out[to:], binary.LittleEndian.Uint64(out[from:]))
				to, from = to+8, from+8
			}
		default:
			for to < end {
				out[to] = out[from]
				to, from = to+1, from+1
			}
		}
		to = end
	}
	return false, nil
}
