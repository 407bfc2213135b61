package godoc

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// addImports records the packages that signatures refer to. Files can give different packages the
// same name. The first package with each name is added to Package.Imports, and the others to the
// Refs of the symbols that use them.
func (u *unit) addImports(files []*ast.File) {
	byFile := make(map[string]*ast.File, len(files))
	for _, f := range files {
		name, _ := u.position(f.Package)
		byFile[name] = f
	}
	dots, declared := dotImports(files)
	meaning := map[string]string{} // meaning maps names to import paths, or to "" for unknown packages.
	var visit func(list []apidoc.Symbol)
	visit = func(list []apidoc.Symbol) {
		for i := range list {
			s := &list[i]
			file := byFile[s.File]
			if s.From != "" && s.File == "" {
				file = nil
			}
			for name := range qualifiers(s.Signature) {
				importPath := u.importedAs(file, name)
				first, known := meaning[name]
				switch {
				case !known && importPath != "":
					meaning[name] = importPath
					u.pkg.Imports = append(u.pkg.Imports, apidoc.Ref{Name: name, Package: importPath})
				case importPath != "" && importPath != first && !hasRef(s.Refs, name):
					s.Refs = append(s.Refs, apidoc.Ref{Name: name, Package: importPath})
				}
			}
			if specs := dots[file]; specs != nil {
				u.addDotRefs(s, specs, declared)
			}
			visit(s.Members)
		}
	}
	visit(u.pkg.Symbols)
}

// dotImports returns the dot imports of the files that have some, and the names that all files
// declare if there are any.
func dotImports(files []*ast.File) (dots map[*ast.File][]*ast.ImportSpec, declared map[string]bool) {
	dots, declared = map[*ast.File][]*ast.ImportSpec{}, map[string]bool{}
	for _, f := range files {
		for _, spec := range f.Imports {
			if spec.Name != nil && spec.Name.Name == "." {
				dots[f] = append(dots[f], spec)
			}
		}
	}
	if len(dots) == 0 {
		return dots, declared
	}
	for _, f := range files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				for _, spec := range g.Specs {
					if t, ok := spec.(*ast.TypeSpec); ok {
						declared[t.Name.Name] = true
					}
				}
			}
		}
	}
	return dots, declared
}

// addDotRefs adds to the Refs of s the types that its signature names without a package and that
// the package does not declare. If a file has one dot import, they are from there.
func (u *unit) addDotRefs(s *apidoc.Symbol, specs []*ast.ImportSpec, declared map[string]bool) {
	d := apidoc.Decl{Text: s.Signature, Parts: Syntax{}.Parts(s)}
	for i := range d.Parts {
		name := d.PartText(i)
		if p := &d.Parts[i]; p.Role != apidoc.ReferencePart || p.Flags&(apidoc.Local|apidoc.Builtin) != 0 {
			continue
		}
		if !token.IsExported(name) || declared[name] || strings.Contains(name, ".") || hasRef(s.Refs, name) {
			continue
		}
		for _, spec := range specs {
			if len(specs) > 1 {
				if other := u.dotImported(spec, u.target); other == nil || u.lookup(other, name) == nil {
					continue
				}
			}
			if importPath, err := strconv.Unquote(spec.Path.Value); err == nil {
				s.Refs = append(s.Refs, apidoc.Ref{Name: name, Package: importPath, Path: name})
			}
			break
		}
	}
}

func hasRef(refs []apidoc.Ref, name string) bool {
	for i := range refs {
		if refs[i].Name == name {
			return true
		}
	}
	return false
}

// qualifiers yields the identifiers before exported names in a signature. It may yield an
// identifier several times, and also finds identifiers within comments.
func qualifiers(signature string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for i := 1; i < len(signature)-1; i++ {
			if signature[i] != '.' || !token.IsExported(signature[i+1:]) {
				continue
			}
			start := i
			for start > 0 && inIdentifier(signature[start-1]) {
				start--
			}
			selected := strings.HasSuffix(signature[:start], ".") && !strings.HasSuffix(signature[:start], "...")
			if start < i && !selected && !yield(signature[start:i]) {
				return
			}
		}
	}
}

func inIdentifier(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// importedAs returns the path of the package that a file refers to by name or, if file is nil,
// the package that promoted members refer to by name. It returns "" if there is none. A
// package whose name differs from the last element of its path is recognized if the name is a
// word of that element, such as sqlite3 in go-sqlite3.
func (u *unit) importedAs(file *ast.File, name string) string {
	if file == nil {
		return u.promotedFrom[name]
	}
	similar := ""
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		switch {
		case err != nil:
		case spec.Name != nil:
			if spec.Name.Name == name {
				return importPath
			}
		case AssumedName(importPath) == name:
			return importPath
		default:
			if s := u.scopes[importPath+" "+u.target.String()]; s != nil && s.name == name || s == nil && slices.Contains(words(path.Base(importPath)), name) {
				similar = importPath
			}
		}
	}
	return similar
}

func words(element string) []string {
	return strings.FieldsFunc(element, func(r rune) bool { return r == '-' || r == '_' || r == '.' })
}
