package web

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/highlight"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/naming"
)

const (
	// sourceView is the view of a source file. The views of its additional parts end with the
	// number of the part, such as source-2.
	sourceView = "source"
	// maxPartLines is the maximum number of lines on one page; a longer file has several pages, so
	// that a browser on a phone need not lay out too many at once.
	// maxPartBytes is the maximum size of the lines on a page, and maxPartPacked the maximum size
	// of their compressed HTML, in bytes. Longer lines are truncated to meet both.
	maxPartLines  = 1000
	maxPartBytes  = 400_000
	maxPartPacked = 80_000
	// maxSourceLines is the maximum number of lines of a file that are shown.
	maxSourceLines = 100_000
	// maxDeclared is the maximum number of symbols that are listed beside the code.
	maxDeclared = 300
	// maxDeclaredPath is the maximum length, in bytes, of the path of a symbol that is listed
	// beside the code.
	maxDeclaredPath = 200
	// maxOpened is the maximum number of source files that are kept in memory.
	maxOpened = 4
)

// source returns the address of the part of a source file that contains a line.
func (a address) source(file string, line int) address {
	a.Symbol, a.View, a.Name = "", sourceView, file
	if part := (line - 1) / maxPartLines; part > 0 {
		a.View += "-" + strconv.Itoa(part+1)
	}
	return a
}

// partOf returns the number of the part of a file that a view shows, counted from 0. ok is false if
// it is not a view of source code.
func partOf(view string) (part int, ok bool) {
	rest, ok := strings.CutPrefix(view, sourceView)
	if !ok || rest == "" {
		return 0, ok
	}
	n, err := strconv.Atoi(strings.TrimPrefix(rest, "-"))
	return n - 1, err == nil && n > 1 && n <= maxSourceLines/maxPartLines && rest == "-"+strconv.Itoa(n)
}

// sourceOf returns the link to the line that declares a symbol, with the line as its text.
func (v *packageView) sourceOf(sym *apidoc.Symbol) link {
	if sym.File == "" {
		return link{}
	}
	text := clean(sym.File)
	if sym.Line > 0 {
		text += ":" + strconv.Itoa(sym.Line)
	}
	if !fs.ValidPath(sym.File) || sym.Line > maxSourceLines {
		return link{Text: text}
	}
	href := v.address.source(sym.File, sym.Line).String()
	if sym.Line > 0 {
		href += "#L" + strconv.Itoa(sym.Line)
	}
	return link{text, href}
}

// declared is a symbol and the line on which it is declared.
type declared struct {
	path string
	line int
}

// declaredIn returns the symbols that are declared in each file of the package, in the order of
// their lines.
func (v *packageView) declaredIn() map[string][]declared {
	v.declaredOnce.Do(func() {
		v.declared = map[string][]declared{}
		for s := range v.Everywhere {
			if s.File == "" || !fs.ValidPath(s.File) {
				continue
			}
			all := v.declared[s.File] // Inherited members are listed in the file that declares them.
			if s.From == "" {
				all = append(all, declared{s.Path, s.Line})
			}
			v.declared[s.File] = all
		}
		for _, all := range v.declared {
			slices.SortStableFunc(all, func(a, b declared) int { return cmp.Compare(a.line, b.line) })
		}
	})
	return v.declared
}

// openedFile is a file of source code that was read for a page.
type openedFile struct {
	view  *packageView
	name  string
	lines []string
}

// sourceLines returns the lines of a source file, which must declare at least one symbol of the package.
func (s *Site) sourceLines(ctx context.Context, v *packageView, name string) ([]string, error) {
	s.mu.Lock()
	i := slices.IndexFunc(s.opened, func(f openedFile) bool { return f.view == v && f.name == name })
	if i >= 0 {
		defer s.mu.Unlock()
		return s.opened[i].lines, nil
	}
	s.mu.Unlock()
	if _, ok := v.declaredIn()[name]; !ok {
		return nil, ecosystem.Fail(ecosystem.NotFound, "no symbol in %s is declared in a file %.200q", v.Name, name)
	}
	var lines []string
	err := s.lookup.Files(ctx, v.question, v.Package, func(read func(string) ([]byte, error)) (err error) {
		lines, err = readSource(read, name)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ecosystem.Fail(ecosystem.NotFound, "docent does not have the file %.200q from %s", name, v.Name)
	}
	if err != nil {
		if _, known := errors.AsType[*ecosystem.Error](err); known {
			return nil, err
		}
		return nil, ecosystem.Fail(ecosystem.Unreadable, "%.200q from %s cannot be shown: %v", name, v.Name, err).WithErr(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened = append(s.opened, openedFile{v, name, lines})
	if len(s.opened) > maxOpened {
		s.opened = slices.Delete(s.opened, 0, 1)
	}
	return lines, nil
}

// readSource returns the lines of a source file.
func readSource(read func(string) ([]byte, error), name string) ([]string, error) {
	text, err := read(name)
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, errors.New("the file is not text")
	}
	return lookup.SourceLines(string(text)), nil
}

// partsOf returns the number of pages that a source file with a number of lines has.
func partsOf(lines int) int {
	return max(1, (min(lines, maxSourceLines)+maxPartLines-1)/maxPartLines)
}

// sourcePage is the body of a page that shows a part of a source file.
type sourcePage struct {
	File, Language string
	Version        string
	Package        link
	// Lines is the range of the lines that are shown, or "" if all are shown.
	Lines    string
	Parts    []link // the current part has no Href
	Next     link
	Code     template.HTML
	Declared []row
	Notices  []string
}

// serveSource serves a part of a source file.
func (s *Site) serveSource(w http.ResponseWriter, r *http.Request, v *packageView, a address, part int) {
	lines, err := s.sourceLines(r.Context(), v, a.Name)
	if err == nil && part >= partsOf(len(lines)) {
		err = ecosystem.Fail(ecosystem.NotFound, "%.200q of %s has %s", a.Name, v.Name, count(len(lines), "line"))
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if line, err := strconv.Atoi(r.URL.Query().Get("line")); err == nil && line > 0 && line <= min(len(lines), maxSourceLines) {
		http.Redirect(w, r, v.address.source(a.Name, line).String()+"#L"+strconv.Itoa(line), http.StatusFound) // #nosec G710 -- the path begins with the name of a language
		return
	}
	first := part*maxPartLines + 1
	if to := v.address.source(a.Name, first); to.String() != r.URL.EscapedPath() {
		redirect(w, r, to, "")
		return
	}
	body := sourcePage{File: clean(a.Name), Language: v.Style.Name, Version: clean(v.Version), Package: link{clean(v.Name), v.address.String()}}
	total := min(len(lines), maxSourceLines)
	last := min(first+maxPartLines-1, total)
	shown := lines[min(first-1, total):last]
	if len(lines) > maxSourceLines {
		body.Notices = append(body.Notices, fmt.Sprintf("The file has %s lines. Lines after line %s are not shown.", formatInt(len(lines)), formatInt(maxSourceLines)))
	}
	code, cut := numberedWithin(shown, first, v.lexisOf(a.Name))
	if cut {
		body.Notices = append(body.Notices, "Long lines are truncated.")
	}
	body.Code = code
	if parts := partsOf(len(lines)); parts > 1 {
		body.Lines = rangeOf(first, last) + " of " + formatInt(len(lines))
		for k := range parts {
			from := k*maxPartLines + 1
			l := link{Text: rangeOf(from, min(from+maxPartLines-1, total))}
			if k != part {
				l.Href = v.address.source(a.Name, from).String()
			}
			body.Parts = append(body.Parts, l)
		}
		if part+1 < parts {
			body.Next = body.Parts[part+1]
		}
	}
	for _, d := range v.declaredIn()[a.Name] {
		if d.line >= first && d.line <= last && len(body.Declared) < maxDeclared && len(d.path) <= maxDeclaredPath {
			body.Declared = append(body.Declared, row{Name: clean(naming.Called(v.Package, d.path)), Href: v.address.at(d.path).String(), Kind: strconv.Itoa(d.line)})
		}
	}
	p := s.pageOf(v, nil)
	p.Title = path.Base(body.File) + " · " + p.Title
	p.Trail = append(p.Trail, link{Text: body.File})
	p.Body = &body
	s.render(w, http.StatusOK, "source.html", p)
}

// rangeOf returns the text of a range of lines.
func rangeOf(first, last int) string { return formatInt(first) + "–" + formatInt(last) }

// numberedWithin returns lines of code as numbered does, but keeps them within the size of a page.
// It truncates the longest lines if necessary, and reports whether it did.
func numberedWithin(lines []string, first int, lexis *highlight.Lexis) (code template.HTML, cut bool) {
	for limit := longLine; ; limit /= 2 {
		size := 0
		shown := make([]string, len(lines))
		cut = false
		for i, line := range lines {
			shown[i] = shorten(line, limit)
			cut = cut || shown[i] != line
			size += len(shown[i])
		}
		if size > maxPartBytes && limit > minLine {
			continue
		}
		if code = numbered(shown, first, lexis); limit <= minLine || packed(string(code)) <= maxPartPacked {
			return code, cut
		}
	}
}

const (
	// longLine is more than the maximum length of a line of lookup.SourceLines, in bytes.
	longLine = 2048
	// minLine is the minimum length to which lines are truncated, in bytes.
	minLine = 16
)

// packed returns the size of text when it is compressed.
func packed(text string) int {
	if len(text) <= maxPartPacked {
		return len(text)
	}
	var n counter
	w, _ := gzip.NewWriterLevel(&n, gzip.BestSpeed) // The level is valid, so there is no error.
	_, _ = w.Write([]byte(text))                    // Writing to a counter does not fail.
	_ = w.Close()
	return int(n)
}

// counter counts the bytes that are written to it.
type counter int

func (n *counter) Write(data []byte) (int, error) {
	*n += counter(len(data))
	return len(data), nil
}

// numbered returns lines of code as HTML, with the anchors L1, L2 and so on.
func numbered(lines []string, first int, lexis *highlight.Lexis) template.HTML {
	var b strings.Builder
	number := first
	begin := func() {
		n := strconv.Itoa(number)
		b.WriteString(`<span id="L` + n + `"><a href="#L` + n + `">` + n + "</a>")
		number++
	}
	if len(lines) == 0 {
		return ""
	}
	begin()
	for class, piece := range pieces(strings.Join(lines, "\n"), lexis) {
		for i, text := range strings.Split(piece, "\n") {
			if i > 0 {
				b.WriteString("</span>\n")
				begin()
			}
			writePiece(&b, class, text)
		}
	}
	b.WriteString("</span>\n")
	return template.HTML(b.String()) // #nosec G203 -- escaped
}

// lexisOf returns how to highlight a file. The extension decides, or else the package's language.
func (v *packageView) lexisOf(file string) *highlight.Lexis {
	if lexis := v.lexis(strings.TrimPrefix(path.Ext(file), ".")); lexis != nil && (lexis.LineComment != "" || lexis.Keywords != nil) {
		return lexis
	}
	return &v.language.Lexis
}
