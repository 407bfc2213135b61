package godoc

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// scope contains the package-level types of one package on one platform.
type scope struct {
	path, name string
	// module is the module of the package; positions in one module are relative to
	// the same root.
	module string
	types  map[string]*typeDecl
	// pending contains the files that are not parsed yet, if the package is read
	// only for a type that another package embeds.
	pending []*goFile
}

// typeDecl is a declared type and its methods. Comments are stored separately from the syntax,
// because go/doc removes them from it.
type typeDecl struct {
	scope   *scope
	file    *ast.File
	spec    *ast.TypeSpec
	doc     *ast.CommentGroup
	methods []method
	// aliased is true if some of the methods are declared for an alias.
	aliased bool
}

type method struct {
	decl *ast.FuncDecl
	doc  *ast.CommentGroup
}

// maxForeign is the maximum number of packages that are opened for the members promoted in one
// package, and maxForeignSize is the maximum number of bytes read from each.
const (
	maxForeign     = 200
	maxForeignSize = 64 << 20
)

// add records the types and methods that files declare. The files must be sorted
// by name. The first declaration of a name counts.
func (s *scope) add(files []*ast.File) {
	for _, f := range files {
		for _, decl := range f.Decls {
			if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				for _, spec := range d.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok && s.declared(spec.Name.Name).spec == nil {
						t := s.declared(spec.Name.Name)
						t.file, t.spec, t.doc = f, spec, spec.Doc
						if t.doc == nil && !d.Lparen.IsValid() {
							t.doc = d.Doc
						}
					}
				}
			}
		}
		for _, decl := range f.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Recv != nil && len(d.Recv.List) == 1 {
				if name := typeName(d.Recv.List[0].Type); name != "" {
					t := s.declared(name)
					t.methods = append(t.methods, method{d, d.Doc})
				}
			}
		}
	}
}

// resolveReceivers adds to each type the methods that are declared for an alias of it.
func (s *scope) resolveReceivers() {
	for _, alias := range s.types {
		if alias.spec == nil || !alias.spec.Assign.IsValid() || len(alias.methods) == 0 {
			continue
		}
		t := alias
		for range maxAliases {
			if t = s.types[typeName(t.spec.Type)]; t == nil || t.spec == nil || t == alias {
				break
			}
			if !t.spec.Assign.IsValid() {
				t.methods, t.aliased = append(t.methods, alias.methods...), true
				break
			}
		}
	}
}

// declared returns the entry for a name. The name may not be known as a type yet.
func (s *scope) declared(name string) *typeDecl {
	t := s.types[name]
	if t == nil {
		t = &typeDecl{scope: s}
		s.types[name] = t
	}
	return t
}

// lookup returns the type with the given name, or nil if the scope does not declare it.
func (r *reader) lookup(s *scope, name string) *typeDecl {
	if len(s.pending) > 0 {
		// Every file that declares the type, or a method of it, mentions its name.
		var mention []*goFile
		s.pending = slices.DeleteFunc(s.pending, func(f *goFile) bool {
			if !bytes.Contains(f.raw, []byte(name)) {
				return false
			}
			mention = append(mention, f)
			return true
		})
		all, _ := parseFiles(r.ctx, r.fset, mention)
		var files []*ast.File
		for _, p := range all {
			if p.syntax != nil && p.syntax.Name.Name == s.name {
				files = append(files, p.syntax)
			}
		}
		s.add(files)
	}
	if t := s.types[name]; t != nil && t.spec != nil {
		return t
	}
	return nil
}

// imported returns the package that file refers to by name, or nil if there is
// none or it cannot be opened.
func (r *reader) imported(file *ast.File, name string, t target) *scope {
	var unnamed []string
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		switch {
		case err != nil:
		case spec.Name == nil:
			unnamed = append(unnamed, importPath)
		case spec.Name.Name == name:
			return r.foreign(importPath, t)
		}
	}
	// The name of a package is certain only after it has been opened, so packages
	// whose paths suggest the name are opened first.
	slices.SortStableFunc(unnamed, func(a, b string) int {
		return promises(b, name) - promises(a, name)
	})
	for _, importPath := range unnamed {
		if s := r.foreign(importPath, t); s != nil && s.name == name {
			return s
		} else if s == nil && promises(importPath, name) == 2 {
			return nil
		}
	}
	return nil
}

// promises ranks how likely it is that the package at importPath is called name.
// It returns 2 if the last element of the path is the name by convention, 1 if
// that element contains the name, and 0 otherwise.
func promises(importPath, name string) int {
	switch {
	case AssumedName(importPath) == name:
		return 2
	case strings.Contains(path.Base(importPath), name):
		return 1
	}
	return 0
}

// AssumedName returns the name that a package has by convention: the last element
// of its path, without a major version.
func AssumedName(importPath string) string {
	dir, last := path.Split(importPath)
	if len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" && dir != "" {
		last = path.Base(dir)
	}
	last, _, _ = strings.Cut(last, ".v") // The path has a version at its end, as in gopkg.in/yaml.v3.
	return last
}

// dotImported returns the package that a file imports with a dot import. It
// returns nil if the package cannot be opened.
func (r *reader) dotImported(spec *ast.ImportSpec, t target) *scope {
	importPath, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return nil
	}
	return r.foreign(importPath, t)
}

// foreign opens the package in which an embedded type is declared. If that fails,
// it returns nil and adds a warning, once per package.
func (r *reader) foreign(importPath string, t target) *scope {
	key := importPath + " " + t.String()
	s, known := r.scopes[key]
	if !known {
		if importPath != "C" && importPath != "unsafe" && len(r.scopes) < maxForeign {
			s = r.open(importPath, t)
		}
		r.scopes[key] = s
	}
	return s
}

func (r *reader) open(importPath string, t target) *scope {
	if r.imp == nil {
		return nil
	}
	src, err := r.imp(importPath)
	if err != nil {
		r.unavailable(importPath, err)
		return nil
	}
	files, _, err := goFiles(r.ctx, src, noTests, nil)
	if err != nil {
		r.unavailable(importPath, err)
		return nil
	}
	s := &scope{path: importPath, module: src.Module, types: map[string]*typeDecl{}}
	size := 0
	for _, f := range files {
		if f.raw == nil || !t.matches(f.condition) || size+len(f.raw) > maxForeignSize {
			continue
		}
		size += len(f.raw)
		name := packageName(f.raw)
		if name == "" || name == "documentation" || s.name != "" && name != s.name {
			continue
		}
		s.name = name
		s.pending = append(s.pending, f)
	}
	if s.name == "" {
		r.unavailable(importPath, fs.ErrNotExist)
		return nil
	}
	return s
}

func packageName(src []byte) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly|parser.SkipObjectResolution)
	if err != nil || f == nil || f.Name == nil {
		return ""
	}
	return f.Name.Name
}
