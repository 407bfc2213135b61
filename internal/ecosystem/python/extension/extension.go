// Package extension reads the tables of CPython's compiled modules: the functions and classes that
// a module registers with the interpreter when it is imported, with their docstrings.
//
// The tables are those of the C API (PyMethodDef, PyTypeObject, PyType_Spec, PyModuleDef), which
// are data in the library. Nothing is loaded or run. The tables do not contain objects that a
// module creates at run time: constants (of which Cython stores the names), aliases, and classes of
// pybind11 and PyO3. They also do not show which functions of PyO3 are methods.
package extension

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// Module is the content of the tables of a compiled module.
type Module struct {
	Doc       string
	Functions []Function
	Classes   []Class
	// Loose contains functions that are neither in the module's table nor in a class's table. When
	// the module is imported, it adds some of them to itself, as modules written in Rust do, and
	// others to classes.
	Loose []Function
	// Constants are the names of constants, which only modules compiled by Cython
	// store.
	Constants []string
}

// Function is a function of the module or a method.
type Function struct {
	Name string
	// Doc is the docstring as stored in the table, including the declaration before "--" that the
	// interpreter removes.
	Doc string
	// NoArguments is true if the function does not take arguments.
	NoArguments, ClassMethod, StaticMethod bool
}

// Class is a class. Attributes are the attributes that its tables list: members
// of the struct, getters and setters.
type Class struct {
	Name, Doc  string
	Methods    []Function
	Attributes []Attribute
}

// Attribute is an attribute of the objects of a class.
type Attribute struct{ Name, Doc string }

// These constants limit the tables of one module.
const (
	maxDoc     = 1 << 16 // maximum size in bytes of one docstring
	maxName    = 256     // maximum size in bytes of one name
	maxEntries = 5_000   // maximum number of entries of one table
	maxClasses = 5_000   // maximum number of classes of one module
	maxLoose   = 50_000  // maximum number of functions that are in no table of a class or module

	maxDefinitions = 100 // maximum number of modules that one library defines
)

// Read reads the tables of the module with the given full name from the library that contains it.
func Read(data []byte, module string) (*Module, error) {
	im, err := load(data)
	if err != nil {
		return nil, err
	}
	r := &reader{image: im, module: module, owned: map[uint64]bool{}, loose: map[uint64]Function{}}
	for i := range im.segments {
		if s := &im.segments[i]; s.vars && !s.code {
			r.scan(s)
		}
	}
	r.define()
	if isCython(data) {
		r.cython(data)
		r.out.Constants = constants(data)
		return &r.out, nil
	}
	for _, addr := range r.order {
		if !r.owned[addr] {
			r.out.Loose = append(r.out.Loose, r.loose[addr])
		}
	}
	return &r.out, nil
}

func isCython(data []byte) bool {
	return bytes.Contains(data, []byte("__pyx_")) || bytes.Contains(data, []byte("_cython_"))
}

// definition is the content of a PyModuleDef.
type definition struct {
	name, doc string
	functions uint64 // address of the table of functions
}

// reader looks for tables in an image.
type reader struct {
	*image
	module string
	out    Module
	owned  map[uint64]bool     // addresses of functions that belong to a class or the module
	loose  map[uint64]Function // functions by address
	order  []uint64            // the keys of loose, in the order in which they were found
	// definitions are the definitions of modules. The definition with this module's name comes
	// first.
	definitions []definition
}

func (r *reader) scan(s *segment) {
	const word = 8
	start := -s.addr & (word - 1)
	for offset := start; offset+word <= uint64(len(s.data)); offset += word {
		addr, rest := s.addr+offset, s.data[offset:]
		if f, ok := r.function(addr); ok {
			if len(r.order) < maxLoose {
				r.loose[addr] = f
				r.order = append(r.order, addr)
			}
			continue
		}
		if len(r.out.Classes) < maxClasses {
			r.typeObject(rest)
			r.typeSpec(rest)
		}
		r.definition(rest)
	}
}

// These are flags of PyMethodDef.
const (
	varArgs     = 0x1
	keywords    = 0x2
	noArgs      = 0x4
	oneArg      = 0x8
	classMethod = 0x10
	static      = 0x20
	coexist     = 0x40
	fastCall    = 0x80
	methodCall  = 0x200
)

// conventions are the allowed flags for calling a function.
var conventions = []uint32{varArgs, varArgs | keywords, noArgs, oneArg, fastCall, fastCall | keywords, fastCall | keywords | methodCall}

// function reads a PyMethodDef: name, function, flags, docstring. ok is false if
// there is none.
func (r *reader) function(addr uint64) (f Function, ok bool) {
	b := r.bytes(addr, 32)
	if b == nil || !r.code(little.Uint64(b[8:])) || little.Uint32(b[20:]) != 0 {
		return f, false
	}
	flags := little.Uint32(b[16:])
	if !slices.Contains(conventions, flags&^(classMethod|static|coexist)) {
		return f, false
	}
	if f.Name, ok = r.name(little.Uint64(b)); !ok {
		return f, false
	}
	if f.Doc, ok = r.doc(little.Uint64(b[24:])); !ok {
		return f, false
	}
	f.NoArguments, f.ClassMethod, f.StaticMethod = flags&noArgs != 0, flags&classMethod != 0, flags&static != 0
	return f, true
}

func (r *reader) name(addr uint64) (string, bool) {
	s, ok := r.text(addr, maxName)
	return s, ok && isName(s)
}

// doc returns the docstring at the given address. The address 0 means that there is no docstring.
func (r *reader) doc(addr uint64) (string, bool) {
	if addr == 0 {
		return "", true
	}
	return r.text(addr, maxDoc)
}

func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// functions reads a table of PyMethodDef and records that its functions have an
// owner.
func (r *reader) functions(addr uint64) []Function {
	var all []Function
	for len(all) < maxEntries && addr != 0 {
		f, ok := r.function(addr)
		if !ok {
			break
		}
		r.owned[addr] = true
		all = append(all, f)
		addr += 32
	}
	return all
}

// attributes reads a table of PyMemberDef or PyGetSetDef. Both have entries of 40 bytes
// that begin with a name; the docstring is at offset.
func (r *reader) attributes(addr, offset uint64) []Attribute {
	var all []Attribute
	for len(all) < maxEntries && addr != 0 {
		b := r.bytes(addr, 40)
		if b == nil {
			break
		}
		name, ok := r.name(little.Uint64(b))
		doc, documented := r.doc(little.Uint64(b[offset:]))
		if !ok || !documented {
			break
		}
		all = append(all, Attribute{name, doc})
		addr += 40
	}
	return all
}

const (
	docOfGetter = 24
	docOfMember = 32
)

// These are offsets in PyTypeObject, in bytes.
const (
	typeName    = 24
	typeBasic   = 32
	typeItem    = 40
	typeDoc     = 176
	typeMethods = 232
	typeMembers = 240
	typeGetters = 248
	typeSize    = 320
)

// typeFunctions are the offsets of function pointers in PyTypeObject: dealloc, repr,
// hash, call, str, getattro, setattro, traverse, clear, richcompare, iter, iternext,
// init, new.
var typeFunctions = []int{48, 88, 120, 128, 136, 144, 152, 184, 192, 200, 216, 224, 296, 312}

// typeObject reads a PyTypeObject.
func (r *reader) typeObject(b []byte) {
	if len(b) < typeSize || !references(b) || little.Uint64(b[16:]) != 0 || !sizes(little.Uint64(b[typeBasic:]), little.Uint64(b[typeItem:])) {
		return
	}
	name, ok := r.className(little.Uint64(b[typeName:]))
	if !ok || !strings.Contains(name, ".") && r.code(little.Uint64(b[typeBasic:])) { // PyGetSetDef also has a name, and a getter
		return
	}
	for _, offset := range typeFunctions {
		if p := little.Uint64(b[offset:]); p != 0 && !r.code(p) {
			return
		}
	}
	doc, ok := r.doc(little.Uint64(b[typeDoc:]))
	if !ok {
		return
	}
	r.class(Class{Doc: doc, Methods: r.functions(little.Uint64(b[typeMethods:])), Attributes: append(
		r.attributes(little.Uint64(b[typeMembers:]), docOfMember), r.attributes(little.Uint64(b[typeGetters:]), docOfGetter)...)}, name)
}

// references reports whether b can be the reference count of an object in a library: zero, one, or
// the large count of an object that is never freed.
func references(b []byte) bool {
	n := little.Uint32(b)
	return n <= 1 || n >= 1<<30
}

// sizes reports whether the sizes of a type are plausible: the fixed part of its
// objects, and one item.
func sizes(basic, item uint64) bool {
	return basic <= 1<<24 && item <= 1<<16
}

// These are slots of PyType_Spec.
const (
	slotDoc     = 56
	slotMethods = 64
	slotMembers = 72
	slotGetters = 73
	lastSlot    = 128 // greater than the number of any slot
)

// typeSpec reads a PyType_Spec: name, sizes, flags, slots.
func (r *reader) typeSpec(b []byte) {
	if len(b) < 32 || little.Uint32(b[20:]) != 0 || !sizes(uint64(little.Uint32(b[8:])), uint64(little.Uint32(b[12:]))) {
		return
	}
	slots := little.Uint64(b[24:])
	if slots == 0 || slots&7 != 0 {
		return
	}
	name, ok := r.className(little.Uint64(b))
	if !ok {
		return
	}
	var c Class
	for range lastSlot {
		s := r.bytes(slots, 16)
		if s == nil {
			return
		}
		id, value := little.Uint64(s), little.Uint64(s[8:])
		if id == 0 {
			r.class(c, name)
			return
		}
		switch id {
		case slotDoc:
			if c.Doc, ok = r.doc(value); !ok {
				return
			}
		case slotMethods:
			c.Methods = r.functions(value)
		case slotMembers:
			c.Attributes = append(c.Attributes, r.attributes(value, docOfMember)...)
		case slotGetters:
			c.Attributes = append(c.Attributes, r.attributes(value, docOfGetter)...)
		}
		if id > lastSlot {
			return
		}
		slots += 16
	}
}

func (r *reader) className(addr uint64) (string, bool) {
	s, ok := r.text(addr, maxName)
	if !ok {
		return "", false
	}
	for part := range strings.SplitSeq(s, ".") {
		if !isName(part) {
			return "", false
		}
	}
	return s, true
}

// class adds a class that belongs to the module or to a module above it, according
// to its name. For a private module, the class may belong to any module of the
// package.
func (r *reader) class(c Class, name string) {
	i := strings.LastIndexByte(name, '.')
	within, last := name[:max(i, 0)], lastOf(r.module)
	top, _, _ := strings.Cut(r.module, ".")
	switch {
	case within == "" && c.Doc == "" && len(c.Methods) == 0 && len(c.Attributes) == 0: // This is another structure that begins with a name.
		return
	case within == last, within == "", strings.HasPrefix(r.module+".", within+"."):
	case strings.HasPrefix(last, "_") && (within == top || strings.HasPrefix(within, top+".")):
	default:
		return
	}
	c.Name = name[i+1:]
	if !slices.ContainsFunc(r.out.Classes, func(o Class) bool { return o.Name == c.Name }) {
		r.out.Classes = append(r.out.Classes, c)
	}
}

// definition reads a PyModuleDef: an object, fields for the interpreter, then name,
// docstring, size, functions, slots.
func (r *reader) definition(b []byte) {
	if len(b) < 80 || len(r.definitions) == maxDefinitions || !references(b) || !zero(b[8:40]) {
		return
	}
	name, ok := r.className(little.Uint64(b[40:]))
	if !ok {
		return
	}
	if doc, ok := r.doc(little.Uint64(b[48:])); ok {
		r.definitions = append(r.definitions, definition{lastOf(name), doc, little.Uint64(b[64:])})
	}
}

func zero(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c != 0 })
}

// define reads the functions and the docstring from the definition of the module, which is the
// definition with the module's name, or the only one.
func (r *reader) define() {
	i := slices.IndexFunc(r.definitions, func(d definition) bool { return d.name == lastOf(r.module) })
	if i < 0 && len(r.definitions) == 1 {
		i = 0
	}
	if i >= 0 {
		r.out.Doc = r.definitions[i].doc
		r.out.Functions = r.functions(r.definitions[i].functions)
	}
}

func lastOf(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }

// cython adds the functions of modules that Cython compiled. Such a module creates each of its
// functions separately, from a PyMethodDef that is not in any table. The full name of the function
// is in a string for tracebacks, such as "package.module.function" or
// "package.module.Class.method".
func (r *reader) cython(data []byte) {
	traced := tracebackNames(data, r.module)
	documented := map[string]bool{} // documented contains the docstrings of methods in tables.
	for _, c := range r.out.Classes {
		for _, f := range c.Methods {
			documented[f.Name+"\x00"+f.Doc] = true
		}
	}
	functions := map[string]bool{}
	methods := map[string][]Function{} // methods contains methods by their names.
	var names []string
	for _, addr := range r.order {
		f := r.loose[addr]
		switch {
		case fusedName(f.Name) != f.Name:
		case r.owned[addr] || functions[f.Name]:
		case traced[f.Name][""] && len(traced[f.Name]) > 1 && documented[f.Name+"\x00"+f.Doc]: // The function is the method with this name, because it has the same docstring.
		case traced[f.Name][""]:
			functions[f.Name] = true
			r.out.Functions = append(r.out.Functions, f)
		default:
			if methods[f.Name] == nil {
				names = append(names, f.Name)
			}
			methods[f.Name] = append(methods[f.Name], f)
		}
	}
	for _, name := range names {
		f := methods[name][0]
		classes := slices.Sorted(maps.Keys(traced[name]))
		if len(classes) != len(methods[name]) {
			continue // some of these are nested functions
		}
		if len(classes) > 1 {
			f = Function{Name: name} // the class of the function is unknown
		}
		for _, class := range classes {
			if !functions[class] {
				r.method(class, f)
			}
		}
	}
	r.withoutViews()
}

// fusedName returns the name of a function of fused types without the prefix, such as
// "__pyx_fuse_0f", that Cython adds for each type.
func fusedName(name string) string {
	rest, ok := strings.CutPrefix(name, "__pyx_fuse_")
	if !ok {
		return name
	}
	for len(rest) > 1 && (rest[0] >= '0' && rest[0] <= '9' || rest[0] == '_' && rest[1] >= '0' && rest[1] <= '9') {
		rest = rest[1:]
	}
	return rest
}

// withoutViews removes the classes that Cython adds to a module for memory views, which
// users cannot import from it.
func (r *reader) withoutViews() {
	if !slices.ContainsFunc(r.out.Classes, func(c Class) bool { return c.Name == "_memoryviewslice" }) {
		return
	}
	r.out.Classes = slices.DeleteFunc(r.out.Classes, func(c Class) bool {
		return slices.Contains([]string{"_memoryviewslice", "memoryview", "array", "Enum"}, c.Name)
	})
}

// method adds a method to a class of the module.
func (r *reader) method(class string, f Function) {
	i := slices.IndexFunc(r.out.Classes, func(c Class) bool { return c.Name == class })
	if i < 0 {
		if len(r.out.Classes) == maxClasses {
			return
		}
		i = len(r.out.Classes)
		r.out.Classes = append(r.out.Classes, Class{Name: class})
	}
	c := &r.out.Classes[i]
	if !slices.ContainsFunc(c.Methods, func(o Function) bool { return o.Name == f.Name }) {
		c.Methods = append(c.Methods, f)
	}
}

// tracebackNames returns the names in strings that begin with the module's name. Each name is
// mapped to the set of classes that precede it, or to an empty string for a function.
func tracebackNames(data []byte, module string) map[string]map[string]bool {
	found := map[string]map[string]bool{}
	prefix := append([]byte{0}, module+"."...)
	for range maxLoose {
		i := bytes.Index(data, prefix)
		if i < 0 {
			break
		}
		data = data[i+len(prefix):]
		end := bytes.IndexByte(data[:min(len(data), maxName)], 0)
		if end < 0 {
			continue
		}
		class, name, inClass := strings.Cut(string(data[:end]), ".")
		if !inClass {
			class, name = "", class
		}
		if !isName(name) || inClass && !isName(class) {
			continue
		}
		name = fusedName(name)
		if found[name] == nil {
			found[name] = map[string]bool{}
		}
		found[name][class] = true
	}
	return found
}
