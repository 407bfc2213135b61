package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// imports are the names by which signatures refer to symbols of other packages or of
// namespaces.
type imports struct {
	list    []apidoc.Ref
	meaning map[string]apidoc.Ref // targets of the imports in list, by name
	// other contains names that have another meaning in a signature, such as the name of a
	// global.
	other map[string]bool
	// globals contains the names by which a signature refers to a global.
	globals map[string]bool
	found   map[*scope]map[string]apidoc.Ref
}

func newImports() imports {
	return imports{meaning: map[string]apidoc.Ref{}, other: map[string]bool{}, globals: map[string]bool{}, found: map[*scope]map[string]apidoc.Ref{}}
}

// importRef records the target of a dotted name in a scope if it is a symbol of another package.
// path is the path of the symbol if it belongs to this package.
func (w *documenter) importRef(s *scope, name, path string, out *references) {
	first, _, dotted := strings.Cut(name, ".")
	if path != "" {
		return
	}
	in := w.exports.imports.found[s]
	if in == nil {
		in = map[string]apidoc.Ref{}
		w.exports.imports.found[s] = in
	}
	ref, known := in[first]
	if !known {
		ref = w.importOf(s, first, dotted)
		in[first] = ref
	}
	if ref.Package != "" && isBundled(first) {
		shown := ref
		if shown.Name = ref.Path; ref.Path == "" || ref.Path == "default" {
			shown.Name = bundledName().FindStringSubmatch(first)[1]
		}
		addRef(&out.renamed, first, shown.Name)
		out.imports = append(out.imports, shown)
	}
	out.imports = append(out.imports, ref)
}

// importOf finds the symbol of another package to which a name refers in a scope, or else
// an exported symbol. The reference has no path for other symbols, such as globals.
func (w *documenter) importOf(s *scope, name string, dotted bool) apidoc.Ref {
	ref := apidoc.Ref{Name: name}
	want := typeMeaning
	if dotted {
		want = spaceMeaning | valueMeaning
	}
	sym := w.r.lookup(s, name, want)
	if sym == nil {
		sym = w.r.lookup(s, name, anything)
	}
	if sym == nil {
		w.exports.imports.globals[name] = true
	}
	const maxHops = 20
	for range maxHops {
		if sym == nil {
			return ref
		}
		a := sym.alias
		switch {
		case a == nil:
			if ref.Path = w.exports.paths[sym]; ref.Path == "" && len(sym.decls) > 0 {
				if p := sym.decls[0].scope.mod.pkg; !w.exports.packages[p] {
					ref.Package, ref.Path = untypedName(p.Name), sym.name
				}
			}
			return ref
		case a.spec != "" && a.spec != selfSpec && !w.near(a.spec):
			ref.Package, ref.Path = a.spec, a.name
			if top, _, _ := strings.Cut(a.spec, "/"); IsNode(top) { // The import takes precedence over a package with that name.
				ref.Package = "node:" + a.spec
			}
			if a.name == "*" || a.name == "default" && dotted { // The default export of a module with export = has the module's exports.
				ref.Path = ""
			}
			return ref
		}
		sym = w.r.follow(a)
	}
	return ref
}

// nodeModules are the modules of Node.js itself.
var nodeModules = strings.Fields(`assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2 https
	inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib`)

// IsNode reports whether a name without a slash belongs to a module of Node.js itself.
func IsNode(name string) bool { return slices.Contains(nodeModules, name) }

// untypedName returns the name of the package that a package of types describes.
func untypedName(name string) string {
	rest, ok := strings.CutPrefix(name, "@types/")
	if !ok || rest == "node" {
		return name
	}
	if scope, inner, ok := strings.Cut(rest, "__"); ok {
		return "@" + scope + "/" + inner
	}
	return rest
}

// importType records the package of import("m").A.
func (w *documenter) importType(n *dts.Node, out *references) {
	if spec := n.Module().Name(); spec != "" && spec[0] != '.' && spec[0] != '#' {
		out.imports = append(out.imports, apidoc.Ref{Name: "import(" + n.Module().Text + ")", Package: spec})
	}
}

// addImports records the targets of the names in a signature. It records a name in the imports of
// the package, or in the references of the symbol if the name has another meaning in other
// signatures.
func (w *documenter) addImports(out *apidoc.Symbol, found []apidoc.Ref) {
	in := &w.exports.imports
	for _, ref := range found {
		if slices.ContainsFunc(out.Refs, func(r apidoc.Ref) bool { return r.Name == ref.Name }) {
			continue
		}
		meaning, known := in.meaning[ref.Name]
		switch {
		case known && meaning == ref, ref.Path == ref.Name && ref.Package == "":
		case ref.Package == "" && ref.Path == "":
			in.other[ref.Name] = true
			if known || w.exports.inUse[ref.Name] {
				out.Refs = append(out.Refs, ref)
			}
		case known || in.other[ref.Name] || w.exports.inUse[ref.Name]:
			out.Refs = append(out.Refs, ref)
		default:
			in.meaning[ref.Name] = ref
			in.list = append(in.list, ref)
		}
	}
}
