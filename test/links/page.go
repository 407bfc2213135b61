package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// score counts the types in the declarations of a language.
type score struct {
	site     string
	verbose  int
	packages map[string]bool
	pages    map[string]*page
	// symbols counts the checked symbols, right and wrong count links, and missing counts the types
	// that a declaration shows without a link.
	symbols, right, wrong, missing int
}

func (s *score) types() int { return s.right + s.wrong + s.missing }

func (s *score) rate() float64 { return 100 * float64(s.right) / float64(max(1, s.types())) }

func (s *score) note(format string, args ...any) {
	if s.verbose > 0 {
		s.verbose--
		fmt.Printf("    "+format+"\n", args...)
	}
}

// page is the content of a symbol's page.
type page struct {
	address string
	title   string
	places  []string // FILE:LINE
	from    string   // the package that declares a symbol exported by another one
	links   []link   // links of the declarations
	words   []string // of the declarations
}

type link struct{ text, href string }

// judge compares the links of a symbol's page.
func (s *score) judge(j *judged) {
	parts := strings.Split(j.Package, "/")
	for i := range parts {
		parts[i] = strings.ReplaceAll(url.PathEscape(parts[i]), "@", "%40")
	}
	if strings.HasPrefix(j.Package, "@") {
		parts[0] = strings.Replace(parts[0], "%40", "@", 1)
	}
	p, err := s.open("/" + j.Language + "/" + strings.Join(parts, "/") + "@project/" + url.PathEscape(j.Symbol))
	if err != nil || last(p.title) != last(j.Symbol) {
		return // make accuracy checks whether all symbols are found
	}
	counted := false
	used := make([]bool, len(p.links))
	for _, r := range j.References {
		k := -1
		for i, l := range p.links {
			if !used[i] && last(l.text) == r.Name {
				k = i
				break
			}
		}
		if k < 0 {
			if !r.None && !r.Hidden && slices.Contains(p.words, r.Name) && !slices.ContainsFunc(p.links, func(l link) bool { return last(l.text) == r.Name }) {
				s.missing++
				counted = true
				s.note("%s %s: %s has no link, want %s", j.Package, j.Symbol, r.Name, r.to())
			}
			continue
		}
		used[k] = true
		counted = true
		target, err := s.open(p.links[k].href)
		switch {
		case err != nil:
			s.note("%s %s: %s leads to %s: %v", j.Package, j.Symbol, r.Name, p.links[k].href, err)
			s.wrong++
		case !r.isAt(target):
			s.note("%s %s: %s leads to %s, at %s, want %s", j.Package, j.Symbol, r.Name, target.address, target.places, r.to())
			s.wrong++
		default:
			s.right++
		}
	}
	if counted {
		s.symbols++
		s.packages[j.Package] = true
	}
}

// to returns the link of a name.
func (r *reference) to() string {
	if r.None {
		return "none"
	}
	return strings.Join(append(slices.Clone(r.At), strings.TrimSpace(r.Package+" "+r.Declared)), ", ")
}

// isAt reports whether a page is about the target of a name.
func (r *reference) isAt(p *page) bool {
	if r.None {
		return false
	}
	for _, at := range r.At {
		at = strings.Replace(at, ".pyi:", ".py:", 1) // griffe names the module of a stub
		file := fileOf(at)
		for _, place := range p.places {
			place = strings.Replace(place, ".pyi:", ".py:", 1)
			shown := fileOf(place)
			if at == place || strings.HasSuffix(at, "/"+place) || last(p.title) == r.Declared && (file == shown || strings.HasSuffix(file, "/"+shown)) {
				return true
			}
		}
	}
	if r.Package == "" || last(p.title) != r.Declared || len(r.At) > 0 && len(p.places) > 0 {
		return false
	}
	if slices.Contains(strings.Split(r.Package, "|"), p.from) {
		return true
	}
	_, rest, _ := strings.Cut(strings.TrimPrefix(p.address, "/"), "/")
	name, _, _ := strings.Cut(rest, "@")
	name, _, _ = strings.Cut(name, "::")
	return slices.Contains(strings.Split(r.Package, "|"), strings.ReplaceAll(name, "-", "_"))
}

// open reads a page of the site, after redirects.
func (s *score) open(path string) (*page, error) {
	path, _, _ = strings.Cut(path, "#")
	if p := s.pages[path]; p != nil {
		return p, nil
	}
	resp, err := http.Get(s.site + path)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		_, _ = io.Copy(io.Discard, resp.Body)
		return nil, fmt.Errorf("%s", resp.Status)
	}
	doc, err := html.Parse(resp.Body)
	if err != nil {
		return nil, err
	}
	p := readPage(doc)
	p.address = resp.Request.URL.Path
	if s.pages == nil {
		s.pages = map[string]*page{}
	}
	s.pages[path] = p
	return p, nil
}

func readPage(doc *html.Node) *page {
	p := &page{}
	for n := range doc.Descendants() {
		switch {
		case n.DataAtom == atom.H1:
			p.title = text(n)
		case n.DataAtom == atom.P && attribute(n, "class") == "place":
			place := strings.TrimSpace(text(n))
			if rest, ok := strings.CutPrefix(place, "From "); ok {
				p.from, _, _ = strings.Cut(rest, ".")
				p.from = strings.ReplaceAll(p.from, "-", "_")
			}
			if place = strings.TrimSuffix(place, "."); place == "From "+p.from {
				place = ""
			}
			if i := strings.LastIndex(place, ". "); i >= 0 { // after the conditions
				place = place[i+2:]
			}
			if place != "" {
				p.places = append(p.places, place)
			}
		case n.DataAtom == atom.Pre && attribute(n, "class") == "declaration":
			for a := range n.Descendants() {
				if a.DataAtom == atom.A && strings.HasPrefix(attribute(a, "href"), "/") { // not a link in a comment
					p.links = append(p.links, link{text(a), attribute(a, "href")})
				}
			}
			p.words = append(p.words, strings.FieldsFunc(text(n), func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })...)
		}
	}
	return p
}

func text(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// last returns the last identifier of a path, without arguments.
func last(path string) string {
	path, _, _ = strings.Cut(path, "(")
	path, _, _ = strings.Cut(path, "<")
	return path[strings.LastIndexAny(path, ".:/")+1:]
}

// fileOf returns the file of a place, FILE:LINE.
func fileOf(place string) string {
	if i := strings.LastIndexByte(place, ':'); i >= 0 {
		return place[:i]
	}
	return place
}
