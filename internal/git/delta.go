package git

import "cmp"

// deltaSize reads a size at the beginning of a delta, in groups of 7 bits, the
// lowest first. rest is the delta after the size. ok is false if the size is
// incomplete or too large.
func deltaSize(delta []byte) (size int64, rest []byte, ok bool) {
	for shift := 0; shift < 63; shift += 7 {
		if len(delta) == 0 {
			return 0, nil, false
		}
		c := delta[0]
		delta = delta[1:]
		size |= int64(c&0x7f) << shift
		if c&0x80 == 0 {
			return size, delta, size >= 0 && size <= maxObject
		}
	}
	return 0, nil, false
}

// applyDelta returns the object that a delta produces from its base object.
func applyDelta(base, delta []byte) ([]byte, error) {
	from, rest, ok := deltaSize(delta)
	size, rest, okSize := deltaSize(rest)
	if !ok || !okSize || from != int64(len(base)) {
		return nil, damaged("a delta belongs to another object")
	}
	const trusted = 4 << 20
	out := make([]byte, 0, min(size, trusted))
	for len(rest) > 0 {
		op := rest[0]
		rest = rest[1:]
		switch {
		case op&0x80 != 0: // Copy bytes of the base.
			var start, length uint32
			for i := range 7 {
				if op>>i&1 == 0 {
					continue
				}
				if len(rest) == 0 {
					return nil, damaged("a delta is too short")
				}
				if i < 4 {
					start |= uint32(rest[0]) << (8 * i)
				} else {
					length |= uint32(rest[0]) << (8 * (i - 4))
				}
				rest = rest[1:]
			}
			length = cmp.Or(length, 0x10000)
			if uint64(start)+uint64(length) > uint64(len(base)) || int64(len(out))+int64(length) > size {
				return nil, damaged("a delta copies data beyond the end of its base")
			}
			out = append(out, base[start:start+length]...)
		case op != 0: // Insert bytes of the delta.
			if len(rest) < int(op) || int64(len(out))+int64(op) > size {
				return nil, damaged("a delta is too short")
			}
			out = append(out, rest[:op]...)
			rest = rest[op:]
		default:
			return nil, damaged("a delta has an unknown command")
		}
	}
	if int64(len(out)) != size {
		return nil, damaged("a delta produces %d bytes instead of %d", len(out), size)
	}
	return out, nil
}
