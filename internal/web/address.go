package web

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// ownVersion represents, in addresses, the version that the project uses. The addresses of the
// project's own packages, which have no version, always contain it.
const ownVersion = "project"

// address is the parsed path of a page.
type address struct {
	Language, Package string
	// Version is the exact version, or "" for the version that the project uses.
	Version string
	// Symbol is the path of a symbol, or "" for the package itself.
	Symbol string
	// View is the kind of page that is shown instead of the documentation. The meaning of Name
	// depends on it: with docView it is a file of the package's prose, with diffView another
	// version, with sourceView a file of source code and with fileView an image.
	View, Name string
}

// docView is the view of a file of the package's prose.
const docView = "doc"

// addressOf returns the permanent address of a package.
func addressOf(p *apidoc.Package) address {
	return address{Language: string(p.Ecosystem), Package: p.Name, Version: p.Version}
}

// at returns the address of a symbol of the same package.
func (a address) at(path string) address {
	a.Symbol, a.View, a.Name = path, "", ""
	return a
}

// document returns the address of a prose file of the same package.
func (a address) document(name string) address {
	a.Symbol, a.View, a.Name = "", docView, name
	return a
}

// String returns the path of the page, escaped.
func (a address) String() string {
	var b strings.Builder
	b.WriteString("/" + url.PathEscape(a.Language))
	for i, part := range strings.Split(a.Package, "/") {
		escaped := url.PathEscape(part)
		if i > 0 || !strings.HasPrefix(part, "@") {
			escaped = strings.ReplaceAll(escaped, "@", "%40")
		}
		b.WriteString("/" + escaped)
	}
	version := cmp.Or(a.Version, ownVersion)
	b.WriteString("@" + url.PathEscape(version) + "/")
	switch {
	case a.View != "":
		b.WriteString("-/" + a.View)
		for part := range strings.SplitSeq(a.Name, "/") {
			b.WriteString("/" + url.PathEscape(part))
		}
	case a.Symbol != "":
		b.WriteString(url.PathEscape(a.Symbol))
	}
	return b.String()
}

// parseAddress parses an escaped path. If the path contains no version, the address refers to the
// package at the version that the project uses.
func parseAddress(path string) (a address, ok bool) {
	language, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if a.Language, ok = unescaped(language); !ok || a.Language == "" || rest == "" {
		return address{}, false
	}
	name, tail := rest, ""
	if i := strings.Index(rest[1:], "@"); i >= 0 { // A package name can begin with @.
		name, tail = rest[:i+1], rest[i+2:]
	}
	if a.Package, ok = unescaped(strings.TrimRight(name, "/")); !ok || a.Package == "" || a.Package[0] == '/' {
		return address{}, false
	}
	version, tail, _ := strings.Cut(tail, "/")
	if a.Version, ok = unescaped(version); !ok {
		return address{}, false
	}
	if a.Version == ownVersion {
		a.Version = ""
	}
	if view, name, ok := strings.Cut(tail, "/"); ok && view == "-" {
		a.View, name, _ = strings.Cut(name, "/")
		if a.Name, ok = unescaped(name); !ok || a.View == "" || a.Name == "" {
			return address{}, false
		}
		return a, true
	}
	if a.Symbol, ok = unescaped(tail); !ok {
		return address{}, false
	}
	return a, true
}

// unescaped undoes the escaping of a part of a path.
func unescaped(s string) (string, bool) {
	s, err := url.PathUnescape(s)
	return s, err == nil
}

// PathOf returns the path of the page of a package, or of one of its symbols if symbol is not nil.
func PathOf(p *apidoc.Package, symbol *apidoc.Symbol) string {
	a := addressOf(p)
	if symbol != nil {
		a.Symbol = symbol.Path
	}
	return a.String()
}
