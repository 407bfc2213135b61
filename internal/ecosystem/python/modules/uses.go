package modules

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/python/extension"
)

// maxUsing is the maximum number of files that are searched for names that they import
// from a compiled module.
const maxUsing = 5000

// used documents the names that a compiled module without a stub creates when it is imported, if
// Python files of the distribution use them. Nothing else is known about most of these names.
func (d *documenter) used() {
	m := d.main
	if !m.native || m.stub != nil && !m.stub.made {
		return
	}
	known := map[string]bool{}
	for i := range d.out.Symbols {
		known[d.out.Symbols[i].Path] = true
	}
	for _, name := range d.withLoose(m, d.usesOf(m)) {
		if known[name] || strings.HasPrefix(name, "_") {
			continue
		}
		s := apidoc.Symbol{Path: name, Kind: apidoc.Name, Signature: "from " + m.name + " import " + name}
		if e := d.lookup(m, name, false); e.known() && e.path != "" {
			s = d.entity(e, name)
		}
		d.out.Symbols = append(d.out.Symbols, s)
	}
}

// withLoose adds to uses the functions that are in no table of a compiled module,
// provided that most of them are already in uses. The others then belong to the module as
// well.
func (r *Reader) withLoose(m *module, uses []string) []string {
	n := r.nativeOf(m.dist, m.name)
	if n == nil || n.tables == nil {
		return uses
	}
	var rest []string
	for _, f := range n.tables.Loose {
		if _, used := slices.BinarySearch(uses, f.Name); !used {
			rest = append(rest, f.Name)
		}
	}
	if 2*len(rest) < len(n.tables.Loose) {
		uses = append(uses, rest...)
		slices.Sort(uses)
	}
	return slices.Compact(uses)
}

// loose returns the function with the given name among those that are not in any table of a
// compiled module. Because a file imports the name, it is known to belong to the module.
func (r *Reader) loose(m *module, name string) *entity {
	n := r.nativeOf(m.dist, m.name)
	if n == nil || n.tables == nil {
		return nil
	}
	i := slices.IndexFunc(n.tables.Loose, func(f extension.Function) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	var w stubWriter
	w.function("", n.tables.Loose[i])
	f := r.made(m, w.String())
	return r.lookupFile(f, name)
}

// usesOf returns the names that Python files of a distribution import from a module or
// access as its attributes.
func (r *Reader) usesOf(m *module) []string {
	found := map[string]bool{}
	files := 0
	var walk func(name string, depth int)
	walk = func(name string, depth int) {
		p, ok := m.dist.locate(name)
		if !ok || depth > maxDepth || files >= maxUsing || !r.check() {
			return
		}
		if strings.HasSuffix(p.code, ".py") {
			files++
			data, err := readFile(m.dist.Root, p.code)
			if err == nil && bytes.Contains(data, []byte(lastOf(m.name))) {
				if user := r.moduleIn(m.dist, name); user != nil && user.code != nil {
					user.code.usesOf(m.name, data, found)
				}
			}
		}
		for _, below := range m.dist.below(&module{name: name, pkg: p.pkg}) {
			walk(name+"."+below, depth+1)
		}
	}
	walk(topOf(m.name), 0)
	return slices.Sorted(maps.Keys(found))
}

// usesOf adds the names that a file, whose text is data, imports from a module
// or accesses as its attributes.
func (f *file) usesOf(module string, data []byte, found map[string]bool) {
	for _, b := range f.scope.order {
		for n := 0; b != nil && n < maxAlternatives; b, n = b.alt, n+1 {
			switch {
			case !b.imported:
			case b.attr == "" && b.from == module:
				attributesOf(b.name, data, found)
			case b.attr == "" && b.name == b.from && topOf(module) == b.from: // The statement is an import such as import pkg.lib.
				attributesOf(module, data, found)
			case b.attr != "" && b.from == module:
				found[b.attr] = true
			case b.attr != "" && b.from+"."+b.attr == module:
				attributesOf(b.name, data, found)
			}
		}
	}
}

// attributesOf adds the names that follow "object." in text.
func attributesOf(object string, data []byte, found map[string]bool) {
	prefix := []byte(object + ".")
	for i := 0; ; {
		k := bytes.Index(data[i:], prefix)
		if k < 0 {
			return
		}
		start := i + k
		i = start + len(prefix)
		if start > 0 && (isNameByte(data[start-1]) || data[start-1] == '.') {
			continue
		}
		end := i
		for end < len(data) && isNameByte(data[end]) {
			end++
		}
		if name := string(data[i:end]); isName(name) {
			found[name] = true
		}
		i = end
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
