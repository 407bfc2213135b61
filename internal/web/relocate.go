package web

import (
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// exportPolicy is the Content-Security-Policy of exported pages. Their script loads the search
// index on the first search.
const exportPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"

// relocate writes a page to a file of the export. Links to pages become relative, and links to
// pages that are not part of the export become text.
func (e *export) relocate(w io.Writer, page io.Reader, file string) error {
	doc, err := html.Parse(page)
	if err != nil {
		return err
	}
	var all []*html.Node
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			all = append(all, n)
		}
	}
	for _, n := range all {
		switch n.DataAtom {
		case atom.Html:
			n.Attr = append(n.Attr, html.Attribute{Key: "data-root", Val: relative(file, "")})
		case atom.Head:
			meta := element(atom.Meta, html.Attribute{Key: "http-equiv", Val: "Content-Security-Policy"}, html.Attribute{Key: "content", Val: exportPolicy})
			n.InsertBefore(meta, n.FirstChild)
		case atom.Form:
			n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "action" || a.Key == "method" })
			n.Attr = append(n.Attr, html.Attribute{Key: "hidden"}) // The element is hidden until the script can search.
		case atom.Label, atom.Span, atom.Section:
			if class := attribute(n, "class"); class == "where" || class == "forms" || class == "versions" { // Only a server has these elements.
				n.Parent.RemoveChild(n)
			}
		}
		for i := range n.Attr {
			a := &n.Attr[i]
			if a.Key != "href" && a.Key != "src" || !strings.HasPrefix(a.Val, "/") || strings.HasPrefix(a.Val, "//") {
				continue
			}
			if to := e.target(file, a.Val); to != "" {
				a.Val = to
				continue
			}
			if alt := attribute(n, "alt"); n.DataAtom == atom.Img {
				n.Attr = []html.Attribute{{Key: "class", Val: "image"}}
				n.AppendChild(&html.Node{Type: html.TextNode, Data: alt})
			}
			n.Data, n.DataAtom = "span", atom.Span
			n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key != "class" })
			break
		}
	}
	return html.Render(w, doc)
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// target returns the relative link from a file to a page, or "" if the page is not part of the
// export.
func (e *export) target(file, href string) string {
	href, fragment, _ := strings.Cut(href, "#")
	if fragment != "" {
		fragment = "#" + fragment
	}
	if name, ok := strings.CutPrefix(href, assetPath); ok {
		name, _, _ = strings.Cut(name, "?") // Remove the hash.
		return relative(file, "assets/"+name)
	}
	to, ok := e.files[href]
	if !ok {
		a, parsed := parseAddress(href)
		if !parsed {
			return ""
		}
		base := address{Language: a.Language, Package: a.Package, Version: a.Version}
		page, known := e.local[base]
		if !known {
			return ""
		}
		a.Version = page.Version
		if to, ok = e.files[a.String()]; !ok {
			return ""
		}
	}
	return relative(file, to) + fragment
}

// relative returns the escaped relative link from one file to another, or to the root directory if
// to is "".
func relative(from, to string) string {
	rel, err := filepath.Rel(filepath.FromSlash(path.Dir(from)), filepath.FromSlash(to))
	if err != nil {
		return ""
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	link := strings.Join(parts, "/")
	if strings.Contains(parts[0], ":") {
		link = "./" + link
	}
	return link
}
