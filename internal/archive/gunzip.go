package archive

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// gunzip reads a gzip file (RFC 1952) that is in memory. Most of the time in
// which a package is read that has more code than declarations goes into this,
// and it takes half as long as with compress/gzip, which must take its input
// byte by byte.
type gunzip struct {
	in  []byte
	at  int // of in
	err error

	// out holds the last bytes that were unpacked, to which distances reach
	// back; those from given on are not read yet.
	out          []byte
	given, ready int

	bits  bitReader
	codes inflate
	state gunzipState
	left  int    // bytes of a stored block
	last  bool   // the block is the last of its member
	sum   uint32 // CRC-32 of the member
	size  uint32 // of the member, modulo 2^32
}

type gunzipState uint8

const (
	atMember gunzipState = iota
	atBlock
	inStored
	inCodes
	atTrailer
)

const (
	// window is how far back a distance may reach.
	window = 32 << 10
	// outSize is how much is unpacked at a time, at most.
	outSize = window + 256<<10
	// slop is how much may be written behind the end that is minded: the
	// longest match, and what is copied beyond it.
	slop = 258 + 16
)

var errGzip = errors.New("its compressed data is damaged")

func newGunzip(data []byte) *gunzip {
	return &gunzip{in: data, out: make([]byte, outSize+slop)}
}

// Read implements io.Reader.
func (z *gunzip) Read(p []byte) (int, error) {
	for z.given == z.ready {
		if z.err != nil {
			return 0, z.err
		}
		z.fill()
	}
	n := copy(p, z.out[z.given:z.ready])
	z.given += n
	return n, nil
}

// fill unpacks what there is room for.
func (z *gunzip) fill() {
	if z.ready >= outSize {
		copy(z.out, z.out[z.ready-window:z.ready])
		z.codes.begin = max(0, z.codes.begin-(z.ready-window))
		z.given, z.ready = window, window
	}
	for z.err == nil && z.ready < outSize {
		from := z.ready
		switch z.state {
		case atMember:
			z.err = z.header()
		case atBlock:
			z.err = z.block()
		case inStored:
			n := copy(z.out[z.ready:outSize], z.in[z.at:z.at+z.left])
			z.at, z.ready, z.left = z.at+n, z.ready+n, z.left-n
			if z.left == 0 {
				z.endBlock()
			}
		case inCodes:
			var ended bool
			if ended, z.err = z.decode(); ended {
				z.endBlock()
			}
		case atTrailer:
			z.err = z.trailer()
		}
		z.sum = crc32.Update(z.sum, crc32.IEEETable, z.out[from:z.ready])
		z.size += uint32(z.ready - from)
	}
}

func (z *gunzip) endBlock() {
	z.state = atBlock
	if z.last {
		z.state = atTrailer
	}
}

// header reads what stands before the blocks of a member. A file has one
// member or more.
func (z *gunzip) header() error {
	const (
		hasSum = 1 << (iota + 1)
		hasExtra
		hasName
		hasComment
	)
	rest := z.in[z.at:]
	if len(rest) == 0 && z.at > 0 {
		return io.EOF
	}
	if len(rest) < 10 || rest[0] != 0x1f || rest[1] != 0x8b || rest[2] != 8 {
		return errors.New("it is not compressed with gzip")
	}
	flags := rest[3]
	rest = rest[10:]
	skip := func(n int) {
		if n < 0 || n > len(rest) {
			n, flags = len(rest), 0
			z.err = io.ErrUnexpectedEOF
		}
		rest = rest[n:]
	}
	if flags&hasExtra != 0 {
		if len(rest) < 2 {
			return io.ErrUnexpectedEOF
		}
		skip(2 + int(binary.LittleEndian.Uint16(rest)))
	}
	for _, text := range [...]byte{hasName, hasComment} {
		if flags&text != 0 {
			skip(indexZero(rest) + 1)
		}
	}
	if flags&hasSum != 0 {
		head := z.in[z.at : len(z.in)-len(rest)]
		if len(rest) >= 2 && binary.LittleEndian.Uint16(rest) != uint16(crc32.ChecksumIEEE(head)) {
			return errGzip
		}
		skip(2)
	}
	z.at = len(z.in) - len(rest)
	z.bits = bitReader{}
	z.sum, z.size, z.state = 0, 0, atBlock
	// Distances do not reach into the member before.
	z.codes.begin = z.ready
	return z.err
}

// indexZero finds a zero; without one it returns what is past the end.
func indexZero(b []byte) int {
	for i, c := range b {
		if c == 0 {
			return i
		}
	}
	return len(b)
}

// trailer compares a member with its checksum.
func (z *gunzip) trailer() error {
	z.align()
	if len(z.in)-z.at < 8 {
		return io.ErrUnexpectedEOF
	}
	if binary.LittleEndian.Uint32(z.in[z.at:]) != z.sum || binary.LittleEndian.Uint32(z.in[z.at+4:]) != z.size {
		return errors.New("its checksum is wrong")
	}
	z.at += 8
	z.state = atMember
	return nil
}

// align goes to the next whole byte of the input.
func (z *gunzip) align() {
	z.at -= int(z.bits.n / 8)
	z.bits = bitReader{}
}

// bitReader holds the next n bits of the input, the first one lowest.
type bitReader struct {
	bits uint64
	n    uint
}

// need makes sure of so many bits, 48 at most.
func (z *gunzip) need(n uint) error {
	for z.bits.n < n {
		if z.at >= len(z.in) {
			return io.ErrUnexpectedEOF
		}
		z.bits.bits |= uint64(z.in[z.at]) << z.bits.n
		z.bits.n += 8
		z.at++
	}
	return nil
}

// take takes bits that are there.
func (b *bitReader) take(n uint) int {
	v := int(b.bits & (1<<n - 1))
	b.bits >>= n
	b.n -= n
	return v
}

// block reads the head of a block.
func (z *gunzip) block() error {
	if err := z.need(3); err != nil {
		return err
	}
	z.last = z.bits.take(1) == 1
	switch z.bits.take(2) {
	case 0:
		z.align()
		if len(z.in)-z.at < 4 {
			return io.ErrUnexpectedEOF
		}
		n, not := binary.LittleEndian.Uint16(z.in[z.at:]), binary.LittleEndian.Uint16(z.in[z.at+2:])
		if n != ^not {
			return errGzip
		}
		z.at += 4
		if z.left = int(n); z.left > len(z.in)-z.at {
			return io.ErrUnexpectedEOF
		}
		z.state = inStored
		return nil
	case 1:
		z.codes.fixed()
	case 2:
		if err := z.dynamic(); err != nil {
			return err
		}
	default:
		return errGzip
	}
	z.state = inCodes
	return nil
}
