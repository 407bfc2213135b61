package extension

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"slices"
)

// library lays out the memory of a library: code at 0x1000, followed by text and
// tables, in which every pointer is an address.
type library struct {
	text, data []byte
	pointers   []uint64 // places in data
}

const (
	codeAddr = 0x1000
	textAddr = 0x2000
	dataAddr = 0x1000000
	function = codeAddr + 0x10 // any function
)

// str adds a C string and returns its address.
func (l *library) str(s string) uint64 {
	addr := textAddr + uint64(len(l.text))
	l.text = append(append(l.text, s...), 0)
	return addr
}

// words adds a table and returns its address. It records the words that are addresses as pointers.
func (l *library) words(words ...uint64) uint64 {
	addr := dataAddr + uint64(len(l.data))
	for _, w := range words {
		if w >= codeAddr && w < 1<<25 {
			l.pointers = append(l.pointers, dataAddr+uint64(len(l.data)))
		}
		l.data = binary.LittleEndian.AppendUint64(l.data, w)
	}
	return addr
}

func (l *library) docstring(s string) uint64 {
	if s == "" {
		return 0
	}
	return l.str(s)
}

// method returns a PyMethodDef.
func (l *library) method(name string, flags uint64, doc string) []uint64 {
	return []uint64{l.str(name), function, flags, l.docstring(doc)}
}

func (l *library) table(entries ...[]uint64) uint64 {
	var all []uint64
	for _, e := range entries {
		all = append(all, e...)
	}
	return l.words(append(all, 0, 0, 0, 0, 0)...)
}

// class is a PyTypeObject.
func (l *library) class(name, doc string, methods, members, getters uint64) {
	words := make([]uint64, 51)
	words[0] = 1
	words[3], words[4], words[6] = l.str(name), 0x40, function
	words[22], words[29], words[30], words[31] = l.docstring(doc), methods, members, getters
	l.words(words...)
}

// spec is a PyType_Spec with its slots.
func (l *library) spec(name, doc string, methods, members, getters uint64) {
	slots := l.words(slotDoc, l.docstring(doc), slotMethods, methods, slotMembers, members, slotGetters, getters, 0, 0)
	l.words(l.str(name), 0x40, 0, slots)
}

// module is a PyModuleDef.
func (l *library) module(name, doc string, methods uint64) {
	l.words(1, 0, 0, 0, 0, l.str(name), l.docstring(doc), 0, methods, 0, 0, 0, 0)
}

// elf returns the library in ELF's format, in which a table lists the pointers and the
// data does not contain any.
func (l *library) elf() []byte {
	var relocations []byte
	l.text = append(l.text, make([]byte, -len(l.text)&7)...) // Align tables, as linkers do.
	data := bytes.Clone(l.data)
	for _, p := range l.pointers {
		relocations = binary.LittleEndian.AppendUint64(relocations, p)
		relocations = binary.LittleEndian.AppendUint64(relocations, uint64(elf.R_X86_64_RELATIVE))
		relocations = append(relocations, data[p-dataAddr:][:8]...)
		clear(data[p-dataAddr:][:8])
	}
	const header, progs, codeAt = 64, 3, 0x200
	code := make([]byte, 0x100)
	textAt := uint64(codeAt + len(code))
	dataAt := textAt + uint64(len(l.text))
	relaAt := dataAt + uint64(len(data))
	sectionsAt := relaAt + uint64(len(relocations))
	var w bytes.Buffer
	put := func(v any) { _ = binary.Write(&w, binary.LittleEndian, v) }
	put(elf.Header64{
		Ident: [16]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
		Type:  uint16(elf.ET_DYN), Machine: uint16(elf.EM_X86_64), Version: 1, Phoff: header, Shoff: sectionsAt, Ehsize: header,
		Phentsize: 56, Phnum: progs, Shentsize: 64, Shnum: 3, Shstrndx: 2,
	})
	prog := func(flags elf.ProgFlag, addr, offset, size uint64) {
		put(elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(flags), Off: offset, Vaddr: addr, Filesz: size, Memsz: size})
	}
	prog(elf.PF_R|elf.PF_X, codeAddr, codeAt, uint64(len(code)))
	prog(elf.PF_R, textAddr, textAt, uint64(len(l.text)))
	prog(elf.PF_R|elf.PF_W, dataAddr, dataAt, uint64(len(data)))
	w.Write(make([]byte, codeAt-w.Len()))
	w.Write(code)
	w.Write(l.text)
	w.Write(data)
	w.Write(relocations)
	put(elf.Section64{})
	put(elf.Section64{Type: uint32(tableOfPointers), Off: relaAt, Size: uint64(len(relocations)), Entsize: 24})
	put(elf.Section64{Type: uint32(elf.SHT_STRTAB), Off: codeAt, Size: 1})
	return w.Bytes()
}

// pe returns the library in Windows' format, in which pointers are based on the
// library's preferred address.
func (l *library) pe() []byte {
	const base, headers, optional = 0x180000000, 0x400, 240
	data := bytes.Clone(l.data)
	for _, p := range l.pointers {
		b := data[p-dataAddr:]
		binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)+base)
	}
	head := make([]byte, headers)
	copy(head, "MZ")
	little.PutUint32(head[0x3c:], 0x80)
	copy(head[0x80:], "PE\x00\x00")
	h := head[0x84:]
	little.PutUint16(h, 0x8664)
	little.PutUint16(h[2:], 3)
	little.PutUint16(h[16:], optional)
	h = h[20:]
	little.PutUint16(h, 0x20b)
	little.PutUint64(h[24:], base)
	little.PutUint32(h[108:], 16)
	h = h[optional:]
	offset := uint32(headers)
	code := make([]byte, 0x100)
	for i, s := range []struct {
		addr  uint32
		data  []byte
		flags uint32
	}{{codeAddr, code, 0x60000020}, {textAddr, l.text, 0x40000040}, {dataAddr, data, 0xc0000040}} {
		e := h[40*i:]
		little.PutUint32(e[8:], uint32(len(s.data)))
		little.PutUint32(e[12:], s.addr)
		little.PutUint32(e[16:], uint32(len(s.data)))
		little.PutUint32(e[20:], offset)
		little.PutUint32(e[36:], s.flags)
		offset += uint32(len(s.data))
	}
	return slices.Concat(head, code, l.text, data)
}

// macho returns the library in macOS's format. chained specifies whether its pointers
// form a linked list, as with newer linkers.
func (l *library) macho(chained bool) []byte {
	const base = 0x100000000
	data := bytes.Clone(l.data)
	for i, p := range l.pointers {
		b := data[p-dataAddr:]
		value := little.Uint64(b)
		if chained {
			next := uint64(0)
			if i+1 < len(l.pointers) {
				next = (l.pointers[i+1] - p) / 4
			}
			value |= next << 51
		} else {
			value += base
		}
		little.PutUint64(b, value)
	}
	// Three segments, and the location of the fixups, which cover one page, beginning
	// with the first pointer.
	const header = 32 + 3*72 + 16
	const codeAt = 0x400
	textAt := codeAt + 0x100
	dataAt := textAt + len(l.text)
	fixupsAt := dataAt + len(data)
	var fixups []byte
	if chained {
		fixups = make([]byte, 28+4+3*4+24)
		little.PutUint32(fixups[4:], 28)
		starts := fixups[28:]
		little.PutUint32(starts, 3)
		little.PutUint32(starts[12:], 16)
		s := starts[16:]
		little.PutUint32(s, 24)
		little.PutUint16(s[4:], 0x4000)
		little.PutUint16(s[6:], chained64Offset)
		little.PutUint64(s[8:], dataAddr)
		little.PutUint16(s[20:], 1)
		little.PutUint16(s[22:], uint16(l.pointers[0]-dataAddr))
	}
	w := make([]byte, codeAt)
	little.PutUint32(w, 0xfeedfacf)
	little.PutUint32(w[4:], 0x0100000c)
	little.PutUint32(w[12:], 6)
	little.PutUint32(w[16:], 4)
	little.PutUint32(w[20:], header-32)
	for i, s := range []struct {
		name               string
		addr, offset, size int
		prot               uint32
	}{{"__TEXT", 0, 0, 0x1100, 5}, {"__RO", textAddr, textAt, len(l.text), 1}, {"__DATA", dataAddr, dataAt, len(data), 3}} {
		c := w[32+72*i:]
		little.PutUint32(c, 0x19)
		little.PutUint32(c[4:], 72)
		copy(c[8:], s.name)
		little.PutUint64(c[24:], base+uint64(s.addr))
		little.PutUint64(c[32:], uint64(s.size))
		little.PutUint64(c[40:], uint64(s.offset))
		little.PutUint64(c[48:], uint64(s.size))
		little.PutUint32(c[56:], s.prot)
		little.PutUint32(c[60:], s.prot)
	}
	c := w[32+3*72:]
	little.PutUint32(c, chainedFixups)
	little.PutUint32(c[4:], 16)
	little.PutUint32(c[8:], uint32(fixupsAt))
	little.PutUint32(c[12:], uint32(len(fixups)))
	return slices.Concat(w, make([]byte, 0x100), l.text, data, fixups, make([]byte, 0x1100))
}
