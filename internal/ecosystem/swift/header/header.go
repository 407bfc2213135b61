// Package header reads the public headers of C, C++ and Objective-C targets
// without a compiler: prototypes, structs, unions, enumerations, type
// definitions, constants, macros, classes, protocols and categories, with their
// comments. It does not run a preprocessor. All branches of conditions are read,
// and known attributes and availability macros are skipped. The module's own
// macros are expanded if a declaration begins with them or if they join names
// with ##.
//
//	tokens, comments, conditions      lex.go, condition.go
//	macros that declare               expand.go
//	declarations of C and C++         parse.go, declarator.go, attribute.go
//	Objective-C                       objc.go
//	Doxygen's and HeaderDoc's marks   comment.go
//	module maps, several headers      module.go
//	parts and roles of declarations   syntax.go, role.go
package header

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/work"
)

const (
	// maxHeader is the maximum size of a header, in bytes. The rest is omitted.
	maxHeader = 4 << 20
	// maxSymbols is the maximum number of declarations in one header, including members.
	maxSymbols = 20000
	// maxNested is the maximum nesting of declarations.
	maxNested = 30
	// maxSignature is the maximum size of a signature, in bytes.
	maxSignature = 4 << 10
)

// Note is the notice that a module was read from headers.
const Note = "This module is declared in C, C++ or Objective-C. Docent reads its public headers without a preprocessor, so it lists only some declarations from macros. Swift may import names and types in another form."

// read returns the declarations of a header. The extension of name determines the
// header's language. name is also the file of the symbols.
func read(m *work.Meter, name string, text []byte, known macros) []apidoc.Symbol {
	source := string(text[:min(len(text), maxHeader)])
	l := lexer{meter: m, text: strings.ToValidUTF8(source, "\uFFFD"), macros: known, cpp: isCPP(name)}
	l.run()
	p := parser{file: name, macros: known, cpp: l.cpp}
	p.symbols = l.defines
	p.count = len(l.defines)
	for i := range p.symbols {
		p.symbols[i].File = name
	}
	p.decls(l.tokens, scope{})
	slices.SortStableFunc(p.symbols, func(a, b apidoc.Symbol) int { return cmp.Compare(a.Line, b.Line) })
	return unique(p.symbols)
}

// isCPP reports whether a header is a C++ header, by its name.
func isCPP(name string) bool {
	for _, ext := range []string{".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl"} {
		if strings.HasSuffix(strings.ToLower(name), ext) {
			return true
		}
	}
	return false
}

// unique joins declarations with the same name, such as a category and its class,
// or a prototype in both branches of a condition.
func unique(symbols []apidoc.Symbol) []apidoc.Symbol {
	type key struct {
		path string
		kind apidoc.Kind
	}
	indexes := map[key]int{}
	joined := map[int]bool{} // joined contains the indexes of symbols that received members of other symbols.
	out := symbols[:0]
	for _, s := range symbols {
		k := key{s.Path, s.Kind}
		switch s.Kind {
		case apidoc.Category:
			if i, ok := indexes[key{s.Path, apidoc.Class}]; ok {
				out[i].Members, joined[i] = append(out[i].Members, s.Members...), true
				continue
			}
		case apidoc.Type:
			// The name is declared by typedef struct x x.
			if _, ok := indexes[key{s.Path, "struct"}]; ok {
				continue
			}
		case apidoc.Func, apidoc.Method:
			k.path += "\x00" + s.Signature // C++ functions may be overloaded
			if i, ok := indexes[key{s.Path, s.Kind}]; ok && out[i].Constraint != s.Constraint {
				k.path = s.Path
			}
		}
		if i, ok := indexes[k]; ok {
			first := &out[i]
			first.Doc = cmp.Or(first.Doc, s.Doc)
			if first.Constraint != s.Constraint {
				first.Constraint = ""
			}
			if s.Kind == apidoc.Category || len(first.Members) == 0 {
				first.Members, joined[i] = append(first.Members, s.Members...), true
			}
			continue
		}
		indexes[k] = len(out)
		indexes[key{s.Path, s.Kind}] = len(out)
		s.Members = unique(s.Members)
		out = append(out, s)
	}
	for i := range joined {
		out[i].Members = unique(out[i].Members)
	}
	return out
}
