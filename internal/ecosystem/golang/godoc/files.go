package godoc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync/atomic"

	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/quote"
)

// These constants limit how much of a package is read.
const (
	maxFileSize    = 16 << 20
	maxPackageSize = 256 << 20
	maxFiles       = 10_000
	// maxTokens is the maximum number of tokens of a package outside function
	// bodies. Tokens are counted only if the files have more than uncounted bytes.
	maxTokens = 2 << 20
	uncounted = 2 << 20
)

// goFile is one Go file of a package's directory.
type goFile struct {
	// path is relative to the root of the module.
	path string
	test bool
	// raw is the content, or nil if it could not be read.
	raw []byte
	// condition is the build condition; nil means always.
	condition constraint.Expr
	// problem is a sentence that explains why the file or a part of it is missing.
	problem string
}

// testFiles specifies which test files of a package are read.
type testFiles int

const (
	noTests testFiles = iota
	exampleTests
	allTests
)

// goFiles lists and reads the Go files of a package, sorted by name. It does not read files whose contents are in
// texts, by their paths. warning is not empty if there were too many files.
func goFiles(ctx context.Context, src *Source, tests testFiles, texts map[string][]byte) (files []*goFile, warning string, err error) {
	entries, err := fs.ReadDir(src.FS, src.Dir)
	if err != nil {
		return nil, "", err
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") || e.IsDir() {
			continue
		}
		test := strings.HasSuffix(name, "_test.go")
		if test && tests == noTests {
			continue
		}
		if len(files) == maxFiles {
			warning = fmt.Sprintf("docent read only the first %d files", maxFiles)
			break
		}
		files = append(files, &goFile{path: path.Join(src.Dir, name), test: test})
	}
	release := releaseTagsOf(src)
	var size atomic.Int64
	err = parallel.Limit(ctx, len(files), 0, nil, func(i int) {
		f := files[i]
		if size.Load() > maxPackageSize {
			f.problem = fmt.Sprintf("docent did not read %s, because the package is larger than %d MiB", f.path, maxPackageSize>>20)
			return
		}
		if text, ok := texts[f.path]; ok {
			f.raw, f.condition = text, fileCondition(f.path, text)
		} else {
			f.read(src.FS, tests)
		}
		f.condition = release.apply(f.condition)
		size.Add(int64(len(f.raw)))
	})
	return files, warning, err
}

// read sets raw and condition, or problem.
func (f *goFile) read(fsys fs.FS, tests testFiles) {
	raw, err := readRegular(fsys, f.path, maxFileSize)
	if err != nil {
		f.problem = fmt.Sprintf("docent did not read %s: %v", f.path, quote.Error(err))
		return
	}
	if f.test && tests == exampleTests && !bytes.Contains(raw, []byte("func Example")) {
		return
	}
	f.raw, f.condition = raw, fileCondition(f.path, raw)
}

// readRegular reads a regular file of at most limit bytes.
func readRegular(fsys fs.FS, name string, limit int64) ([]byte, error) {
	file, err := fsys.Open(name)
	if err != nil {
		if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
			return nil, pathErr.Err // Messages must not show local paths.
		}
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case info.Size() > limit:
		return nil, fmt.Errorf("it is larger than %d MiB", limit>>20)
	}
	var b bytes.Buffer
	b.Grow(int(info.Size()) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(file, limit+1))
	if n > limit {
		return nil, fmt.Errorf("it is larger than %d MiB", limit>>20)
	}
	return b.Bytes(), err
}

// parsed is a file with its syntax tree.
type parsed struct {
	*goFile
	syntax *ast.File
	// condition is the condition of the goFile; a file that uses cgo also needs
	// cgo.
	condition constraint.Expr
	// problem is a sentence about syntax errors in the file.
	problem string
}

// parseFiles parses files that have been read. A file without a package clause gets
// no syntax tree.
func parseFiles(ctx context.Context, fset *token.FileSet, files []*goFile) ([]*parsed, error) {
	all := make([]*parsed, len(files))
	for i, f := range files {
		all[i] = &parsed{goFile: f, condition: f.condition}
	}
	size := 0
	for _, f := range files {
		size += len(f.raw)
	}
	var tokens atomic.Int64
	err := parallel.Limit(ctx, len(all), 0, nil, func(i int) {
		p := all[i]
		src := p.source()
		if size > uncounted {
			if remaining := maxTokens - tokens.Load(); remaining < 0 || tokens.Add(countTokens(src, remaining)) > maxTokens {
				p.problem = fmt.Sprintf("docent did not parse %s, because the package has more than %d tokens outside function bodies", p.path, maxTokens)
				return
			}
		}
		p.parse(fset, src)
	})
	return all, err
}

// source returns the text to parse.
func (p *parsed) source() []byte {
	src := p.raw
	if !p.test { // The code of examples is in function bodies, so keep the bodies in tests.
		src = withoutBodies(src)
	}
	return cleanSource(src)
}

// countTokens counts the tokens of a file. It stops soon after the count reaches maximum.
func countTokens(src []byte, maximum int64) int64 {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), src, nil, 0)
	for n := int64(0); ; n++ {
		if _, tok, _ := s.Scan(); tok == token.EOF || n > maximum {
			return n
		}
	}
}

// parse sets syntax and problem.
func (p *parsed) parse(fset *token.FileSet, src []byte) {
	const mode = parser.ParseComments | parser.SkipObjectResolution
	syntax, err := parseFile(fset, p.path, src, mode)
	if err != nil {
		p.problem = syntaxProblem(p.path, err)
		syntax, _ = parseFile(fset, p.path, withoutBroken(src), mode|parser.AllErrors)
	}
	if syntax != nil && syntax.Name != nil && syntax.Name.Name != "" && syntax.Name.Name != "_" {
		p.syntax = syntax
		for _, spec := range syntax.Imports {
			if spec.Path.Value == `"C"` && possibleWithoutCgo(p.condition) {
				p.condition = and(p.condition, &constraint.TagExpr{Tag: "cgo"})
			}
		}
	}
}

// withoutBroken returns Go source in which top-level declarations with syntax
// errors are blanked, so that the others can be parsed. A line without
// indentation starts a declaration.
func withoutBroken(src []byte) []byte {
	out := bytes.Clone(src)
	start := len(src) // start is the beginning of the declaration that contains the position.
	check := func(end int) {
		decl := append([]byte("package p\n"), src[min(start, end):end]...)
		if _, err := parseFile(token.NewFileSet(), "", decl, parser.SkipObjectResolution); err == nil {
			return
		}
		for i := start; i < end; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	for line, pos := range linesOf(src) {
		for _, keyword := range []string{"func ", "type ", "var ", "const "} {
			if bytes.HasPrefix(line, []byte(keyword)) {
				check(pos)
				start = pos
			}
		}
	}
	check(len(src))
	return out
}

// linesOf yields the lines of src with their positions.
func linesOf(src []byte) func(yield func(line []byte, pos int) bool) {
	return func(yield func([]byte, int) bool) {
		pos := 0
		for line := range bytes.Lines(src) {
			if !yield(line, pos) {
				return
			}
			pos += len(line)
		}
	}
}

// cleanSource removes invisible characters from Go source, so that no text
// derived from it contains them. A carriage return is white space in Go and
// must not end a comment.
func cleanSource(src []byte) []byte {
	if bytes.IndexByte(src, '\r') >= 0 {
		src = bytes.ReplaceAll(src, []byte("\r\n"), newline)
		src = bytes.ReplaceAll(src, []byte{'\r'}, []byte{' '})
	}
	for _, c := range src {
		if c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return []byte(markup.Clean(string(src)))
		}
	}
	return src
}

// syntaxProblem describes the first syntax error that the parser found.
func syntaxProblem(path string, err error) string {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return fmt.Sprintf("%s has a syntax error in line %d (%.200s), so some of its declarations may be missing",
			path, list[0].Pos.Line, list[0].Msg)
	}
	return fmt.Sprintf("%s could not be parsed: %v", path, quote.Error(err))
}
