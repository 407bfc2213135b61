package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// sideEffects matches a statement that runs a file of the same package.
var sideEffects = lazyregexp.New(`(?m)^require\(['"]\.`)

// computedExport matches code that may export names that a script computes: exports[name] = …, and Object.assign(exports, x).
var computedExport = lazyregexp.New(`\bexports\s*\[\s*[^'"\]\s][^\]]*\]\s*=[^=]|\bassign\(\s*(?:module\.)?exports\s*,\s*[^{\s)]|\bdefineProperty\(\s*(?:module\.)?exports\s*,\s*[^'"\s]`)

// copiedExports matches the code by which compilers export all names of another module, which is read as export *.
var copiedExports = lazyregexp.New(`(?s)\bObject\.keys\(\w+\)\.forEach\(function\s*\(\w+\)\s*\{.{0,500}?\n\}\);|\bfor\s*\(var p in m\)[^\n]*`)

// exportsResult reports whether the names that a script without types exports, or their properties, are unknown
// until it runs. It exports the result of an expression, as in module.exports = wrap({…}), computes names, or exports the
// value of another file, to which further files that it runs may add properties.
func (r *Reader) exportsResult(m *module) bool {
	if m.computes == 0 {
		m.computes = 1
		if r.mayCompute(m, map[*module]bool{}) {
			m.computes = 2
		}
	}
	return m.computes == 2
}

func (r *Reader) mayCompute(m *module, seen map[*module]bool) bool {
	if m == nil || seen[m] || m.file == nil || m.file.Language != dts.JavaScript || !r.check() {
		return false
	}
	seen[m] = true
	if text := m.file.Source; strings.Contains(text, "exports") && computedExport().MatchString(copiedExports().ReplaceAllString(text, "")) {
		return true
	}
	for _, spec := range m.stars {
		if isNear(spec) && r.mayCompute(r.moduleOf(m, spec), seen) {
			return true
		}
	}
	if m.equals == nil {
		return false
	}
	if a := m.equals.alias; a != nil && a.spec != "" && sideEffects().MatchString(m.file.Source) {
		return true
	}
	t := r.target(m.equals)
	return t != nil && (t.namespaceOf != nil && t.namespaceOf != m && r.mayCompute(t.namespaceOf, seen) || slices.ContainsFunc(t.decls, func(d decl) bool {
		return d.node.Kind == dts.ExportEquals && d.node.Value().Is(dts.Expression)
	}))
}
