package module

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// nameUse identifies the name of a type in the place where it is used.
type nameUse struct {
	name  string
	scope *entity
	file  *file
}

// reference returns the target of a name in a signature, if it is not the path of a type that is
// shown. It returns the zero Ref if readers of the signature can find it without help, or if it is
// unknown.
func (d *documenter) reference(name string, u *unit, scope *entity, f *file) apidoc.Ref {
	use := nameUse{name, scope, f}
	ref, ok := d.references[use]
	if !ok {
		ref = d.findReference(name, u, scope, f)
		d.references[use] = ref
	}
	return ref
}

func (d *documenter) findReference(name string, u *unit, scope *entity, f *file) apidoc.Ref {
	path := strings.Split(name, ".")
	imports := d.importsOf(f)
	var t *entity
	if d.typeNames[path[0]] || u.w.units[path[0]] != nil {
		t = u.first(path, scope, f)
	}
	switch {
	case t != nil && t.unit != nil && !d.paths[t.path] && !d.shows(t.unit):
		return apidoc.Ref{Name: name, Package: t.unit.name, Path: strings.TrimPrefix(t.path, t.unit.name+".")}
	case t != nil && t.unit != nil && d.paths[t.path] && !inside(scopePath(scope), t.path):
		return apidoc.Ref{Name: name, Path: t.path}
	case t != nil && t.unit != nil:
		return apidoc.Ref{}
	}
	if isBuiltin(path[0]) {
		return apidoc.Ref{}
	}
	if len(path) > 1 && imports.modules[path[0]] {
		return apidoc.Ref{Name: path[0], Package: path[0]}
	}
	if module := imports.declaring(path[0]); module != "" {
		return apidoc.Ref{Name: path[0], Package: module, Path: path[0]}
	}
	if t := u.declarer(path, scope); t != nil {
		return apidoc.Ref{Name: name, Package: imports.offering(t.external), Path: t.path + "." + path[len(path)-1]}
	}
	module := imports.only
	if name[0] >= 'a' && name[0] <= 'z' {
		module = imports.onlyC
	}
	if module != "" && !inScope(path[0], scope) {
		return apidoc.Ref{Name: path[0], Package: module, Path: path[0]}
	}
	return apidoc.Ref{}
}

// inside reports whether a name in a scope refers to a path because it is a member of
// the scope or of an enclosing one.
func inside(scope, path string) bool {
	outer := path[:max(0, strings.LastIndexByte(path, '.'))]
	return outer == "" || outer == scope || strings.HasPrefix(scope, outer+".")
}

// fileImports describes the modules that a file imports.
type fileImports struct {
	modules map[string]bool
	single  map[string]string // modules of the declarations that are imported individually, by declaration
	// only is the only module whose sources are not read, if there is exactly one.
	// onlyC also counts C modules.
	only, onlyC string
}

// importsOf returns the imports of a file, which may be nil.
func (d *documenter) importsOf(f *file) *fileImports {
	if m := d.fileImports[f]; m != nil {
		return m
	}
	m := &fileImports{modules: map[string]bool{}, single: map[string]string{}}
	d.fileImports[f] = m
	if f == nil {
		return m
	}
	whole := map[string]bool{}
	for i := range f.Imports {
		switch im := &f.Imports[i]; {
		case im.Kind == "":
			whole[im.Module] = true
		case f.unit.hold(im.Conditions):
			m.single[strings.TrimPrefix(im.Path, im.Module+".")] = im.Module
		}
	}
	var swift, all []string
	for _, name := range f.imports {
		if m.modules[name] {
			continue
		}
		m.modules[name] = true
		if !whole[name] || isBuiltin(name) || d.w.units[name] != nil || isSystemModule(name) {
			continue
		}
		all = append(all, name)
		if len(swift) < 2 && !f.unit.isC(name) {
			swift = append(swift, name)
		}
	}
	if len(swift) == 1 {
		m.only = swift[0]
	}
	if len(all) == 1 {
		m.onlyC = all[0]
	}
	return m
}

// declaring returns the module of another package that declares a type, if it is
// known: a module of the toolchain, or a module from which only that type is imported.
func (m *fileImports) declaring(name string) string {
	if module := m.single[name]; module != "" {
		return module
	}
	tools := knownToolchain()
	e := tools.protocols[name]
	if e == nil {
		e = tools.types[name]
	}
	switch {
	case e != nil:
		return m.offering(e.external)
	case toolchainAliases[name] != "", strings.HasPrefix(name, "NS") && m.modules["Foundation"]:
		return "Foundation"
	}
	return ""
}

// offering returns the module to import in order to use a module of the toolchain.
func (m *fileImports) offering(module string) string {
	if !m.modules[module] && strings.HasPrefix(module, "Foundation") {
		return "Foundation"
	}
	return module
}

// isSystemModule reports whether a module declares C functions.
func isSystemModule(name string) bool {
	switch name {
	case "Glibc", "Musl", "Darwin", "WinSDK", "ucrt", "CRT", "Android", "Bionic", "WASILibc":
		return true
	}
	return false
}

// inScope reports whether a name may refer to a member of a type whose protocols are
// not all known.
func inScope(name string, scope *entity) bool {
	for s := scope; s != nil; s = s.parent {
		if s.decl == nil && s.path != name || s.isProtocol() || s.hasParameter(name) {
			return true
		}
	}
	return associatedTypes[name] != ""
}

// associatedTypes maps associated types and generic parameters of the standard library
// to the protocols and types that declare them.
var associatedTypes = map[string]string{
	"Element": "Sequence AsyncSequence IteratorProtocol AsyncIteratorProtocol Array ArraySlice ContiguousArray Set Range ClosedRange UnsafePointer UnsafeMutablePointer AsyncStream AsyncThrowingStream " +
		"UnsafeBufferPointer UnsafeMutableBufferPointer",
	"Elements": "LazySequenceProtocol", "RawExponent": "BinaryFloatingPoint", "RawSignificand": "BinaryFloatingPoint", "Iterator": "Sequence", "Index": "Collection", "Indices": "Collection", "SubSequence": "Collection", "AsyncIterator": "AsyncSequence", "Failure": "AsyncSequence Result Task AsyncThrowingStream",
	"Success": "Result Task", "RawValue": "RawRepresentable", "ID": "Identifiable", "AllCases": "CaseIterable", "ArrayLiteralElement": "ExpressibleByArrayLiteral",
	"IntegerLiteralType": "ExpressibleByIntegerLiteral", "StringLiteralType": "ExpressibleByStringLiteral", "Magnitude": "Numeric", "Stride": "Strideable", "Words": "BinaryInteger",
	"Wrapped": "Optional", "Key": "Dictionary", "Value": "Dictionary", "Bound": "RangeExpression Range ClosedRange", "Pointee": "UnsafePointer UnsafeMutablePointer", "Duration": "Clock InstantProtocol", "Instant": "Clock",
	"Output": "RegexComponent Regex", "RegexOutput": "RegexComponent", "Scalar": "SIMDStorage", "UnicodeScalarView": "StringProtocol", "UTF8View": "StringProtocol", "UTF16View": "StringProtocol",
}

// declarer returns the type or protocol of the toolchain that declares the associated
// type or generic parameter at the end of a path, or nil if it is unknown. For an
// associated type of another associated type, as in Element.Index, it is the usual
// protocol.
func (u *unit) declarer(path []string, scope *entity) *entity {
	declarers := strings.Fields(associatedTypes[path[len(path)-1]])
	if len(declarers) == 0 || len(path) > 1 && associatedTypes[path[0]] == "" {
		return nil
	}
	usual := len(path) > 1
	for s := scope; s != nil && len(path) == 1; s = s.parent {
		usual = usual || s.decl == nil || s.isProtocol()
		if s.decl == nil && slices.Contains(declarers, s.path) {
			return s
		}
		for _, name := range declarers {
			if t := u.w.outside([]string{name}); s.isType() && t.isProtocol() && s.conformsTo(t) {
				return t
			}
		}
	}
	if !usual {
		return nil
	}
	return u.w.outside(declarers[:1])
}
