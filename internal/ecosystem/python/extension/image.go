package extension

import (
	"bytes"
	"cmp"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/binary"
	"errors"
	"slices"
	"unicode/utf8"
)

// image is the memory of a library after loading, with resolved pointers.
type image struct {
	segments []segment
	searched int // bytes that may still be searched for strings
	copied   int // size in bytes of strings that may still be returned
}

// segment is a range of memory. Bytes after data are zero.
type segment struct {
	addr       uint64
	data       []byte
	code, vars bool // code: contains instructions; vars: contains tables of pointers
}

// These constants limit the reading of strings. The searches for the ends of strings read at
// most maxSearched times the size of the library. At most maxCopied bytes of strings are
// returned, counting each read of a string.
const (
	maxSearched = 16
	maxCopied   = 32 << 20
)

// external is the value of a pointer to another library.
const external = 1 << 63

var errFormat = errors.New("it is not an ELF, Mach-O or PE library of a 64-bit little-endian machine")

var little = binary.LittleEndian

// load lays out a library in memory in the same way as the system's loader.
func load(data []byte) (*image, error) {
	var im *image
	switch {
	case bytes.HasPrefix(data, []byte(elf.ELFMAG)):
		im = loadELF(data)
	case bytes.HasPrefix(data, []byte("MZ")):
		im = loadPE(data)
	case len(data) > 4:
		im = loadMachO(data)
	}
	if im == nil {
		return nil, errFormat
	}
	im.searched, im.copied = maxSearched*len(data)+1<<16, maxCopied
	return im, nil
}

// sort sorts segments by address, as find requires.
func (im *image) sort() {
	slices.SortStableFunc(im.segments, func(a, b segment) int { return cmp.Compare(a.addr, b.addr) })
}

// part returns size bytes at offset, or fewer at the end of data.
func part(data []byte, offset, size uint64) []byte {
	if offset >= uint64(len(data)) {
		return nil
	}
	data = data[offset:]
	return data[:min(size, uint64(len(data)))]
}

// tableOfPointers is the type of the ELF section that contains the targets of pointers.
const tableOfPointers = elf.SHT_RELA //nolint:misspell // the name of the standard

func loadELF(data []byte) *image {
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil || f.Class != elf.ELFCLASS64 || f.Data != elf.ELFDATA2LSB {
		return nil
	}
	im := &image{}
	copied := 0
	for _, p := range f.Progs {
		if p.Type != elf.PT_LOAD {
			continue
		}
		s := segment{addr: p.Vaddr, data: part(data, p.Off, p.Filesz), code: p.Flags&elf.PF_X != 0, vars: p.Flags&elf.PF_W != 0}
		if s.vars {
			if copied += len(s.data); copied > len(data) {
				return nil // segments overlap in the file
			}
			s.data = bytes.Clone(s.data)
		}
		im.segments = append(im.segments, s)
	}
	im.sort()
	relative, absolute := uint32(elf.R_X86_64_RELATIVE), uint32(elf.R_X86_64_64)
	if f.Machine == elf.EM_AARCH64 {
		relative, absolute = uint32(elf.R_AARCH64_RELATIVE), uint32(elf.R_AARCH64_ABS64)
	}
	read := 0
	for _, s := range f.Sections {
		if s.Type != tableOfPointers || int(s.Link) >= len(f.Sections) {
			continue
		}
		names := f.Sections[s.Link]
		symbols := part(data, names.Offset, names.FileSize)
		table := part(data, s.Offset, s.FileSize)
		if read += len(table); read > len(data) {
			return nil
		}
		// An entry is an address, a type with the number of a symbol, and an addend.
		for entry := range slices.Chunk(table, 24) {
			if len(entry) < 24 {
				break
			}
			value := little.Uint64(entry[16:])
			switch info := little.Uint64(entry[8:]); uint32(info) {
			case relative:
			case absolute:
				symbol := part(symbols, (info>>32)*24, 24)
				if len(symbol) < 24 {
					continue
				}
				if little.Uint16(symbol[6:]) == uint16(elf.SHN_UNDEF) {
					value = external
				} else {
					value += little.Uint64(symbol[8:])
				}
			default:
				continue
			}
			if target := im.vars(little.Uint64(entry)); len(target) >= 8 {
				little.PutUint64(target, value)
			}
		}
	}
	return im
}

// vars returns the writable memory that begins at an address.
func (im *image) vars(addr uint64) []byte {
	if s := im.find(addr); s != nil && s.vars {
		return s.data[addr-s.addr:]
	}
	return nil
}

// loadPE lays out a Windows library. Its pointers are resolved for the library's
// preferred address. It returns nil if the file is damaged.
func loadPE(data []byte) *image {
	f, err := pe.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	head, ok := f.OptionalHeader.(*pe.OptionalHeader64)
	if !ok {
		return nil
	}
	im := &image{}
	size := 0
	for _, s := range f.Sections {
		code := s.Characteristics&pe.IMAGE_SCN_MEM_EXECUTE != 0
		section := part(data, uint64(s.Offset), uint64(s.Size))
		if size += len(section); size > len(data) {
			return nil
		}
		im.segments = append(im.segments, segment{addr: head.ImageBase + uint64(s.VirtualAddress), data: section, code: code, vars: !code})
	}
	im.sort()
	return im
}

// chainedFixups is the Mach-O command that gives the location of the chained fixups.
// Their pointers contain addresses (chained64) or offsets from the address of the library
// (chained64Offset).
const (
	chainedFixups    = 0x80000034
	chained64        = 2
	chained64Offset  = 6
	maxChainedImages = 64
)

func loadMachO(data []byte) *image {
	if fat, err := macho.NewFatFile(bytes.NewReader(data)); err == nil {
		i := slices.IndexFunc(fat.Arches, func(a macho.FatArch) bool { return a.Cpu == macho.CpuAmd64 || a.Cpu == macho.CpuArm64 })
		if i < 0 {
			return nil
		}
		data = part(data, uint64(fat.Arches[i].Offset), uint64(fat.Arches[i].Size))
	}
	f, err := macho.NewFile(bytes.NewReader(data))
	if err != nil || f.ByteOrder != little || f.Magic != macho.Magic64 {
		return nil
	}
	im := &image{}
	var base uint64
	var fixups []byte
	copied := 0
	for _, l := range f.Loads {
		switch l := l.(type) {
		case *macho.Segment:
			const executable, writable = 4, 2
			s := segment{addr: l.Addr, data: part(data, l.Offset, l.Filesz), code: l.Prot&executable != 0, vars: l.Prot&writable != 0}
			if s.vars {
				if copied += len(s.data); copied > len(data) {
					return nil
				}
				s.data = bytes.Clone(s.data)
			}
			if l.Name == "__TEXT" {
				base = l.Addr
			}
			im.segments = append(im.segments, s)
		case macho.LoadBytes:
			if len(l) >= 16 && little.Uint32(l) == chainedFixups {
				fixups = part(data, uint64(little.Uint32(l[8:])), uint64(little.Uint32(l[12:])))
			}
		}
	}
	im.sort()
	im.resolveChains(fixups, base)
	return im
}

// resolveChains follows the chained fixups of a Mach-O file, each of which gives the
// distance to the next.
func (im *image) resolveChains(fixups []byte, base uint64) {
	if len(fixups) < 8 {
		return
	}
	pointers := 0 // pointers is the number of pointers that may still be resolved.
	for _, s := range im.segments {
		pointers += len(s.data) / 8
	}
	starts := part(fixups, uint64(little.Uint32(fixups[4:])), uint64(len(fixups)))
	if len(starts) < 4 {
		return
	}
	for i := range min(uint64(little.Uint32(starts)), maxChainedImages) {
		offset := part(starts, 4+4*i, 4)
		if len(offset) < 4 || little.Uint32(offset) == 0 {
			continue
		}
		// These are the size of the record, the size of pages, the format, the offset of
		// the segment, a bound on pointers, the number of pages, and the first fixup in
		// each page.
		s := part(starts, uint64(little.Uint32(offset)), uint64(len(starts)))
		if len(s) < 22 {
			continue
		}
		size, format, page0 := uint64(little.Uint16(s[4:])), little.Uint16(s[6:]), base+little.Uint64(s[8:])
		if format != chained64 && format != chained64Offset {
			continue
		}
		for page := range uint64(little.Uint16(s[20:])) {
			first := part(s, 22+2*page, 2)
			if len(first) < 2 || little.Uint16(first) == 0xffff {
				continue
			}
			if pointers = im.resolveChain(page0+page*size+uint64(little.Uint16(first)), format, base, pointers); pointers == 0 {
				return
			}
		}
	}
}

// resolveChain resolves at most the given number of pointers, and returns how many of
// these remain.
func (im *image) resolveChain(addr uint64, format uint16, base uint64, pointers int) int {
	for ; pointers > 0; pointers-- {
		p := im.vars(addr)
		if len(p) < 8 {
			break
		}
		value := little.Uint64(p)
		target := value & (1<<36 - 1)
		if format == chained64Offset {
			target += base
		}
		if value>>63 != 0 {
			target = external
		}
		little.PutUint64(p, target)
		next := value >> 51 & (1<<12 - 1)
		if next == 0 {
			break
		}
		addr += next * 4
	}
	return pointers
}

// find returns the segment that contains an address, or nil if there is none.
func (im *image) find(addr uint64) *segment {
	i, found := slices.BinarySearchFunc(im.segments, addr, func(s segment, addr uint64) int { return cmp.Compare(s.addr, addr) })
	if !found {
		i--
	}
	if i < 0 || addr-im.segments[i].addr >= uint64(len(im.segments[i].data)) {
		return nil
	}
	return &im.segments[i]
}

// bytes returns size bytes at the given address, or nil if the image does not contain all of them.
func (im *image) bytes(addr uint64, size int) []byte {
	s := im.find(addr)
	if s == nil {
		return nil
	}
	data := s.data[addr-s.addr:]
	if len(data) < size {
		return nil
	}
	return data[:size]
}

// code reports whether a pointer points to a function.
func (im *image) code(addr uint64) bool {
	if addr == external {
		return true
	}
	s := im.find(addr)
	return s != nil && s.code
}

// text returns the C string at the given address, if it is UTF-8 and no longer than limit.
func (im *image) text(addr uint64, limit int) (string, bool) {
	s := im.find(addr)
	if s == nil {
		return "", false
	}
	data := s.data[addr-s.addr:]
	data = data[:min(len(data), limit+1, max(im.searched, 0))]
	end := bytes.IndexByte(data, 0)
	if end < 0 {
		im.searched -= len(data)
		return "", false
	}
	im.searched -= end + 1
	if end > im.copied || !utf8.Valid(data[:end]) {
		return "", false
	}
	im.copied -= end
	return string(data[:end]), true
}
