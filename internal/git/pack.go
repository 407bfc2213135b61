package git

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// pack is a pack with its index, both in version 2.
type pack struct {
	index, data *os.File
	count       int64
	fanout      [256]uint32
	size64      int64 // number of 64-bit offsets in the index
	dataSize    int64
}

const (
	indexHead  = 8 + 256*4
	packHead   = 12
	packFooter = 20
)

// openPack opens base.idx and base.pack.
func openPack(base string) (*pack, error) {
	p := &pack{}
	var err error
	if p.index, err = openRegular(base + ".idx"); err != nil {
		return nil, err
	}
	if p.data, err = openRegular(base + ".pack"); err != nil {
		p.close()
		return nil, err
	}
	if err := p.check(); err != nil {
		p.close()
		return nil, fmt.Errorf("%s: %w", filepath.Base(base), err)
	}
	return p, nil
}

func openRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, damaged("%s is not a file", filepath.Base(name))
	}
	return os.Open(name)
}

func (p *pack) close() {
	for _, f := range []*os.File{p.index, p.data} {
		if f != nil {
			f.Close()
		}
	}
}

// check reads the headers of both files.
func (p *pack) check() error {
	var head [indexHead]byte
	if _, err := p.index.ReadAt(head[:], 0); err != nil {
		return damaged("the index of a pack is too short")
	}
	if !bytes.Equal(head[:8], []byte("\377tOc\x00\x00\x00\x02")) {
		return damaged("the index of a pack does not have version 2")
	}
	last := uint32(0)
	for i := range p.fanout {
		p.fanout[i] = binary.BigEndian.Uint32(head[8+4*i:])
		if p.fanout[i] < last {
			return damaged("the index of a pack is not sorted")
		}
		last = p.fanout[i]
	}
	p.count = int64(last)
	info, err := p.index.Stat()
	if err != nil {
		return err
	}
	rest := info.Size() - indexHead - p.count*(20+4+4) - 40
	if rest < 0 || rest%8 != 0 {
		return damaged("the index of a pack is too short")
	}
	p.size64 = rest / 8
	var start [packHead]byte
	if _, err := p.data.ReadAt(start[:], 0); err != nil || !bytes.Equal(start[:8], []byte("PACK\x00\x00\x00\x02")) {
		return damaged("a pack does not have version 2")
	}
	if info, err = p.data.Stat(); err != nil {
		return err
	}
	p.dataSize = info.Size()
	return nil
}

// find returns the offset of an object in the pack. ok is false if the pack does
// not have the object.
func (p *pack) find(h Hash) (offset int64, ok bool, err error) {
	i, err := p.search(h)
	if err != nil || i == p.count {
		return 0, false, err
	}
	if name, err := p.name(i); err != nil || name != h {
		return 0, false, err
	}
	offset, err = p.offset(i)
	return offset, err == nil, err
}

// search returns the index of the first object whose name is not before h, or p.count if there is
// none.
func (p *pack) search(h Hash) (int64, error) {
	low, high := int64(0), int64(p.fanout[h[0]])
	if h[0] > 0 {
		low = int64(p.fanout[h[0]-1])
	}
	for low < high {
		middle := (low + high) / 2
		name, err := p.name(middle)
		switch {
		case err != nil:
			return 0, err
		case bytes.Compare(name[:], h[:]) < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	return low, nil
}

// name returns the name of object i of the index.
func (p *pack) name(i int64) (name Hash, err error) {
	if _, err := p.index.ReadAt(name[:], indexHead+20*i); err != nil {
		return name, damaged("the index of a pack is too short")
	}
	return name, nil
}

// offset returns the offset of object i of the index.
func (p *pack) offset(i int64) (int64, error) {
	var b [8]byte
	table := indexHead + p.count*(20+4)
	if _, err := p.index.ReadAt(b[:4], table+4*i); err != nil {
		return 0, damaged("the index of a pack is too short")
	}
	short := binary.BigEndian.Uint32(b[:4])
	if short>>31 == 0 {
		return int64(short), nil
	}
	n := int64(short & 0x7fffffff)
	if n >= p.size64 {
		return 0, damaged("the index of a pack points outside the pack")
	}
	if _, err := p.index.ReadAt(b[:], table+4*p.count+8*n); err != nil {
		return 0, damaged("the index of a pack is too short")
	}
	offset := binary.BigEndian.Uint64(b[:])
	if offset > uint64(p.dataSize) {
		return 0, damaged("the index of a pack points outside the pack")
	}
	return int64(offset), nil
}

// entry is the header of an object in a pack, with a reader for the data after it.
type entry struct {
	kind kind
	size int64
	base int64 // offset of the base of a delta
	name Hash  // or its name
	in   *bufio.Reader
}

// entry reads the header of the object at an offset.
func (p *pack) entry(offset int64) (*entry, error) {
	if offset < packHead || offset >= p.dataSize-packFooter {
		return nil, damaged("an object is outside its pack")
	}
	e := &entry{in: bufio.NewReader(io.NewSectionReader(p.data, offset, p.dataSize-packFooter-offset))}
	return e, e.head(offset)
}

func (e *entry) head(pos int64) error {
	c, err := e.in.ReadByte()
	if err != nil {
		return damaged("a pack is too short")
	}
	e.kind = kind(c >> 4 & 7)
	e.size = int64(c & 15)
	for shift := 4; c&0x80 != 0; shift += 7 {
		if c, err = e.in.ReadByte(); err != nil || shift > 56 {
			return damaged("the size of an object is malformed")
		}
		e.size |= int64(c&0x7f) << shift
	}
	if e.size < 0 || e.size > maxObject {
		return damaged("an object has %d bytes; the limit is %d", e.size, maxObject)
	}
	switch e.kind {
	case commit, tree, blob, tag:
	case named:
		if _, err := io.ReadFull(e.in, e.name[:]); err != nil {
			return damaged("a pack is too short")
		}
	case offset:
		back, err := e.distance()
		if err != nil {
			return err
		}
		if e.base = pos - back; back <= 0 || e.base < packHead {
			return damaged("a delta has no base")
		}
	default:
		return damaged("an object has the unknown type %d", e.kind)
	}
	return nil
}

// distance reads the distance back to the base of a delta.
func (e *entry) distance() (int64, error) {
	c, err := e.in.ReadByte()
	back := int64(c & 0x7f)
	for n := 0; err == nil && c&0x80 != 0; n++ {
		if n > 7 {
			return 0, damaged("the base of a delta is malformed")
		}
		c, err = e.in.ReadByte()
		back = (back+1)<<7 | int64(c&0x7f)
	}
	if err != nil {
		return 0, damaged("a pack is too short")
	}
	return back, nil
}

// content returns the inflated data after the header.
func (e *entry) content() ([]byte, error) {
	z, err := zlib.NewReader(e.in)
	if err != nil {
		return nil, damaged("an object: %v", err)
	}
	defer z.Close()
	return readExactly(z, e.size)
}

func (p *pack) kind(offset int64) (kind, error) {
	e, err := p.entry(offset)
	if err != nil {
		return 0, err
	}
	return e.kind, nil
}

// size returns the size of the object at an offset, which for a delta is the
// size of its result.
func (p *pack) size(pos int64) (int64, error) {
	e, err := p.entry(pos)
	if err != nil {
		return 0, err
	}
	if e.kind < offset {
		return e.size, nil
	}
	z, err := zlib.NewReader(e.in)
	if err != nil {
		return 0, damaged("an object: %v", err)
	}
	defer z.Close()
	var start [20]byte
	n, err := io.ReadFull(z, start[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, damaged("a delta: %v", err)
	}
	_, rest, ok := deltaSize(start[:n])
	size, _, okResult := deltaSize(rest)
	if !ok || !okResult {
		return 0, damaged("the size of a delta is malformed")
	}
	return size, nil
}

// packed returns the object at an offset of a pack, with deltas applied.
func (r *Repository) packed(p *pack, pos int64) (kind, []byte, error) {
	var deltas [][]byte
	var places []place
	var o cached
	for {
		if len(deltas) > maxChain {
			return 0, nil, damaged("a chain of more than %d deltas", maxChain)
		}
		if known, ok := r.bases.get(place{p, pos}); ok {
			o = known
			break
		}
		e, err := p.entry(pos)
		if err != nil {
			return 0, nil, err
		}
		data, err := e.content()
		if err != nil {
			return 0, nil, err
		}
		if e.kind < offset {
			o = cached{e.kind, data}
			if len(deltas) > 0 {
				r.bases.put(place{p, pos}, o)
			}
			break
		}
		deltas, places = append(deltas, data), append(places, place{p, pos})
		pos = e.base
		if e.kind == named {
			base, found, err := p.find(e.name)
			if err != nil || !found {
				return 0, nil, errors.Join(err, damaged("the base of a delta is missing"))
			}
			pos = base
		}
	}
	for i, delta := range slices.Backward(deltas) {
		data, err := applyDelta(o.data, delta)
		if err != nil {
			return 0, nil, err
		}
		o.data = data
		if i > 0 {
			r.bases.put(places[i], o)
		}
	}
	return o.kind, o.data, nil
}
