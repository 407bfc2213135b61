package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// codePattern matches an error code or an HTTP status in the text of a requirement. rangePattern
// matches a range of codes, which is ignored.
var (
	codePattern  = regexp.MustCompile(`-32\d{3}\b|\b(?:202|400|403|404|405)\b`)
	rangePattern = regexp.MustCompile(`-32\d{3} to -32\d{3}`)
)

// codes returns the codes in the text of a row.
func (r *row) codes() []string {
	found := codePattern.FindAllString(rangePattern.ReplaceAllString(r.text, ""), -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// codeNames maps identifiers used in tests to codes.
var codeNames = map[string]string{
	"CodeParseError": "-32700", "CodeInvalidRequest": "-32600", "CodeMethodNotFound": "-32601", "CodeInvalidParams": "-32602",
	"CodeInternalError": "-32603", "CodeHeaderMismatch": "-32020", "CodeMissingCapability": "-32021", "CodeUnsupportedVersion": "-32022",
	"StatusAccepted": "202", "StatusBadRequest": "400", "StatusForbidden": "403", "StatusNotFound": "404", "StatusMethodNotAllowed": "405",
}

// declares contains the functions whose arguments are row names.
var declares = map[string]bool{"proves": true, "revisionsOf": true, "everywhere": true}

// function contains the rows that a test function proves, the codes that it mentions, and the names
// of the functions that it calls.
type function struct {
	proves, codes, calls map[string]bool
}

// readFunctions reads the functions in the tests below dir, by folder and name. Methods with the
// same name are combined into one function.
func readFunctions(dir fs.FS) (map[string]*function, error) {
	all := map[string]*function{}
	err := eachTest(dir, func(path string, file *ast.File, _ *token.FileSet) error {
		folder := path[:strings.LastIndexByte(path, '/')+1]
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			key := folder + f.Name.Name
			if all[key] == nil {
				all[key] = &function{map[string]bool{}, map[string]bool{}, map[string]bool{}}
			}
			all[key].read(folder, f)
		}
		return nil
	})
	return all, err
}

func (f *function) read(folder string, decl *ast.FuncDecl) {
	for node := range ast.Preorder(decl) {
		switch node := node.(type) {
		case *ast.Ident:
			if code := codeNames[node.Name]; code != "" {
				f.codes[code] = true
			}
			f.calls[folder+node.Name] = true
		case *ast.BasicLit:
			// Strings can also contain codes, for example "want -32700" and `"code":-32600`.
			for _, code := range codePattern.FindAllString(node.Value, -1) {
				f.codes[code] = true
			}
			if node.Kind == token.INT && strings.HasPrefix(node.Value, "32") {
				f.codes["-"+node.Value] = true
			}
		case *ast.CallExpr:
			if name, ok := node.Fun.(*ast.Ident); ok && declares[name.Name] {
				for _, arg := range node.Args[min(1, len(node.Args)):] {
					if literal, ok := arg.(*ast.BasicLit); ok {
						id, _ := strconv.Unquote(literal.Value)
						f.proves[id] = true
					}
				}
			}
		}
	}
}

// mentions adds to codes the codes that f and the functions it calls mention.
func mentions(all map[string]*function, f *function, seen map[*function]bool, codes map[string]bool) {
	if f == nil || seen[f] {
		return
	}
	seen[f] = true
	maps.Copy(codes, f.codes)
	for name := range f.calls {
		mentions(all, all[name], seen, codes)
	}
}

// checkCodes reports rows that contain a code that none of the row's tests mentions, unless the row
// is excused or has the level MAY.
func checkCodes(rows []*row, all map[string]*function, excused map[string]string) findings {
	var f findings
	provers := map[string][]string{}
	codesOf := map[string]map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if len(all[name].proves) == 0 {
			continue
		}
		codesOf[name] = map[string]bool{}
		mentions(all, all[name], map[*function]bool{}, codesOf[name])
		for id := range all[name].proves {
			provers[id] = append(provers[id], name)
		}
	}
	for _, r := range rows {
		if !r.concerns() || r.level == "MAY" || excused[r.id] != "" {
			continue
		}
		for _, code := range r.codes() {
			if !slices.ContainsFunc(provers[r.id], func(name string) bool { return codesOf[name][code] }) {
				f.add(true, "no test mentions %s and proves %s: %s %v", code, r.id, r.text, provers[r.id])
			}
		}
	}
	return f
}

// eachTest calls f with each test file below dir.
func eachTest(dir fs.FS, f func(path string, file *ast.File, files *token.FileSet) error) error {
	return fs.WalkDir(dir, ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata":
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := fs.ReadFile(dir, path)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		return f(path, file, files)
	})
}
