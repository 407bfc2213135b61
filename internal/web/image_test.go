package web

import (
	"io/fs"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/docent-mcp/docent/internal/apidoc"
)

const (
	pngData  = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	svgStart = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">`
)

func TestImage_NamesStayInThePackage(t *testing.T) {
	for _, tt := range []struct{ src, dir, want string }{
		{"a.png", ".", "a.png"}, {"./a.png", "docs", "docs/a.png"}, {"../a.png", "docs", "a.png"}, {"/img/a.png", "docs", "img/a.png"}, {"a%20b.png?raw=true#x", ".", "a b.png"}, {`a"'<b>.png`, ".", `a"'<b>.png`},
		{"../a.png", ".", ""}, {"../../etc/passwd", "docs", ""}, {"%2e%2e/%2e%2e/etc/passwd", "docs", ""}, {"..%2f..%2fa.png", "docs", ""}, {"/../a.png", ".", ""}, {"//evil.example/a.png", ".", ""},
		{"https://evil.example/a.png", ".", ""}, {"file:///etc/passwd", ".", ""}, {"data:image/png;base64,AA==", ".", ""}, {"javascript:alert(1)", ".", ""}, {`..\..\a.png`, ".", ""}, {"C:/a.png", ".", ""},
		{"a\x00.png", ".", ""}, {"a%00.png", ".", ""}, {"", ".", ""}, {"#x", ".", ""}, {".", ".", ""}, {"/", ".", ""}, {"%zz", ".", ""},
	} {
		if got := imageName(tt.src, tt.dir); got != tt.want {
			t.Errorf("%q in %s is %q, want %q", tt.src, tt.dir, got, tt.want)
		}
	}
}

func TestImage_OfThePackagesRepository(t *testing.T) {
	for _, tt := range []struct{ src, repository, want string }{
		{"https://raw.githubusercontent.com/A/b/main/img/x%20y.png", "git+https://github.com/a/B.git", "img/x y.png"},
		{"https://raw.githubusercontent.com/a/b/refs/heads/main/x.png", "https://github.com/a/b/tree/main/packages/c", "x.png"},
		{"https://github.com/a/b/blob/v1/docs/x.png?raw=true", "https://github.com/a/b", "docs/x.png"},
		{"https://github.com/a/b/raw/main/x.png", "", "x.png"}, // The address is found from the name of the module.
		{"https://github.com/a/b/workflows/x/badge.svg", "https://github.com/a/b", ""},
		{"https://raw.githubusercontent.com/a/other/main/x.png", "https://github.com/a/b", ""},
		{"https://raw.githubusercontent.com/a/b/main/../../../etc/x.png", "https://github.com/a/b", ""},
		{"https://raw.githubusercontent.com/a/b/main/%2e%2e/x.png", "https://github.com/a/b", ""},
		{"https://raw.githubusercontent.com/a/b/main", "https://github.com/a/b", ""},
		{"https://evil.example/a/b/main/x.png", "https://github.com/a/b", ""},
		{"https://raw.githubusercontent.com/a/b/main/x.png", "https://evil.example/a/b", ""},
		{"http://github.com/a/b/raw/main/x.png", "https://github.com/a/b", ""},
	} {
		v := &packageView{Package: &apidoc.Package{Repository: tt.repository, Module: "github.com/a/b/v2"}}
		if got := inRepository(tt.src, v.repositoryOf()); got != tt.want {
			t.Errorf("%s in %q is %q, want %q", tt.src, tt.repository, got, tt.want)
		}
	}
}

func TestImage_KindsByContent(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		want       imageKind
	}{
		{"a.png", pngData, png}, {"a.html", pngData, png}, {"a.jpg", "\xff\xd8\xff\xe0", jpeg}, {"a.gif", "GIF89a", gif}, {"a.webp", "RIFF\x00\x00\x00\x00WEBPVP8 ", webp},
		{"a.svg", "<?xml version=\"1.0\"?>\n<!-- x -->" + svgStart, svg}, {"A.SVG", svgStart, svg},
		{"a.png", "<html><script>alert(1)</script>", imageKind{}}, {"a.html", svgStart, imageKind{}}, {"a.svg", "<html>", imageKind{}}, {"a.wav", "RIFF\x00\x00\x00\x00WAVEfmt ", imageKind{}}, {"a.png", "", imageKind{}}, {".env", "KEY=1", imageKind{}},
	} {
		if got := kindOf(tt.name, []byte(tt.data)); got != tt.want {
			t.Errorf("%s with %q is %v, want %v", tt.name, tt.data, got, tt.want)
		}
	}
}

func TestImage_OfAText(t *testing.T) {
	files := map[string]string{"docs/a.png": pngData, `docs/q"'<i>.png`: pngData, "logo.svg": svgStart + "</svg>", "docs/evil.png": "<script>alert(1)</script>"}
	read := func(name string) ([]byte, error) {
		if data, ok := files[name]; ok {
			return []byte(data), nil
		}
		return nil, fs.ErrNotExist
	}
	v := &packageView{Package: &apidoc.Package{Repository: "https://github.com/a/p"}, address: address{Language: "npm", Package: "p", Version: "1"}}
	for _, tt := range []struct{ name, md, want string }{
		{"an image", "![A chart](a.png)", `<img src="/npm/p@1/-/file/docs/a.png" alt="A chart" loading="lazy"/>`},
		{"with a size", `<img src="../logo.svg" width="200" height="x" style="position:fixed" onload="alert(1)" srcset="//evil.example/a.png">`, `<img src="/npm/p@1/-/file/logo.svg" alt="" loading="lazy" width="200"/>`},
		{"in a link", "[![](/logo.svg)](https://example.com)", `<a href="https://example.com" rel="noreferrer noopener external"><img src="/npm/p@1/-/file/logo.svg" alt="logo.svg" loading="lazy"/></a>`},
		{"with quotes in its name", `![a"b](q%22'%3Ci%3E.png)`, `<img src="/npm/p@1/-/file/docs/q%22%27%3Ci%3E.png" alt="a&#34;b" loading="lazy"/>`},
		{"of another host", "![Badge](https://example.com/a.png)", `<a href="https://example.com/a.png" rel="noreferrer noopener external" class="image">Badge</a>`},
		{"of the package's repository", "![Logo](https://raw.githubusercontent.com/a/p/main/logo.svg)", `<img src="/npm/p@1/-/file/logo.svg" alt="Logo" loading="lazy"/>`},
		{"of its repository alone", "![Logo](https://raw.githubusercontent.com/a/p/main/no.svg)", `<a href="https://raw.githubusercontent.com/a/p/main/no.svg" rel="noreferrer noopener external" class="image">Logo</a>`},
		{"that the package lacks", "![Missing](b.png)", `<span class="image">Missing</span>`},
		{"that is none", "![Evil](evil.png)", `<span class="image">Evil</span>`},
		{"outside of the package", "![Out](../../../etc/logo.svg)", `<span class="image">Out</span>`},
	} {
		p := prose{level: 2, image: v.images(read, "docs")}
		if got := string(p.render(tt.md)); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestImage_CountIsBounded(t *testing.T) {
	reads := 0
	read := func(string) ([]byte, error) {
		reads++
		return []byte(pngData), nil
	}
	v := &packageView{Package: &apidoc.Package{}}
	p := prose{level: 2, image: v.images(read, ".")}
	var md strings.Builder
	for i := range 10 * maxImages {
		md.WriteString("![x](" + formatInt(i) + ".png) ![x](0.png)\n\n")
	}
	got := string(p.render(md.String()))
	if n := strings.Count(got, "<img"); reads != maxImages || n != maxImages+10*maxImages {
		t.Errorf("%d images are shown, and %d files were read", n, reads)
	}
}

func TestImage_HostileTextIsHarmless(t *testing.T) {
	for _, source := range hostile {
		p := prose{level: 3, lexis: testLexis, image: func(src string) *picture {
			return &picture{name: src, href: address{Language: "npm", Package: "p", Version: "1"}.file(src).String(), kind: png}
		}}
		out := string(p.render(source))
		nodes, err := html.Parse(strings.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		for n := range nodes.Descendants() {
			if n.Data != "img" {
				continue
			}
			for _, a := range n.Attr {
				if src := a.Key == "src"; src && !strings.HasPrefix(a.Val, "/npm/p@1/-/file/") || !src && a.Key != "alt" && a.Key != "loading" {
					t.Errorf("%q: <img> has %s=%q", source[:min(len(source), 200)], a.Key, a.Val)
				}
			}
		}
		checkHarmless(t, source[:min(len(source), 200)], strings.ReplaceAll(out, "<img ", "<span data-image "), "src", "alt", "loading", "data-image")
	}
}

func TestImage_InertSVG(t *testing.T) {
	for text, want := range map[string]bool{
		svgStart + `<path d="M0 0"/><style>.a{fill:red}</style><use href="#a"/><use xlink:href="#a"/></svg>`:                                                                             true,
		`<?xml version="1.0" encoding="UTF-8" standalone="no"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">` + svgStart + `</svg>`: true,
		`<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://www.inkscape.org/namespaces/inkscape"><i:grid i:type="xygrid"/></svg>`:                                                  true,
		svgStart + `<style>.a{fill:url(#g)}</style><path fill="url( '#g')"/></svg>`:                                                                                                      true,
		svgStart + `<image href="data:image/png;base64,AA=="/></svg>`:                                                                                                                    true,

		svgStart + `<script>alert(1)</script></svg>`:                                                   false,
		svgStart + `<ScRiPt>alert(1)</ScRiPt></svg>`:                                                   false,
		svgStart + `<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script></svg>`:          false,
		svgStart + `<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script></svg>`:        false,
		svgStart + `<path xmlns="http://www.w3.org/1999/xhtml"/></svg>`:                                false,
		`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`:                                  false,
		`<svg xmlns="http://www.w3.org/2000/svg" ONLOAD="alert(1)"/>`:                                  false,
		svgStart + `<a href="javascript:alert(1)"><text>x</text></a></svg>`:                            false,
		svgStart + `<use href="data:image/svg+xml;base64,AA==#x"/></svg>`:                              false,
		svgStart + `<use xlink:href="//evil.example/x.svg#x"/></svg>`:                                  false,
		svgStart + `<image href=" data:image/svg+xml,x"/></svg>`:                                       false,
		svgStart + `<set attributeName="href" to="javascript:alert(1)"/></svg>`:                        false,
		svgStart + `<animate attributeName="href" values="javascript:alert(1)"/></svg>`:                false,
		svgStart + `<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject></svg>`: false,
		`<?xml-stylesheet href="data:text/xsl,x" type="text/xsl"?>` + svgStart + `</svg>`:              false,
		`<!DOCTYPE svg [<!ENTITY x "<script>alert(1)</script>">]>` + svgStart + `&x;</svg>`:            false,
		`<!DOCTYPE svg [ <!ATTLIST path onclick CDATA "alert(1)"> ]>` + svgStart + `<path/></svg>`:     false,
		`<?xml version="1.0" encoding="utf-7"?>` + svgStart + `+ADw-script+AD4-</svg>`:                 false,
		"\xff\xfe<\x00s\x00v\x00g\x00":                                                                 false,
		svgStart + `<style>@import "https://evil.example/a.css";</style></svg>`:                        false,
		svgStart + `<style>@im<!-- -->port "//evil.example";</style></svg>`:                            false,
		svgStart + `<style><g/>.a{fill:URL( "//evil.example/a.svg#x")}</style></svg>`:                  false,
		svgStart + `<style>.a{background:image-set("//evil.example/a.png" 1x)}</style></svg>`:          false,
		svgStart + `<style>.a{fill:u\72l(//evil.example)}</style></svg>`:                               false,
		svgStart + `<path style="fill:url(https://evil.example/a.svg#x)"/></svg>`:                      false,
		svgStart + `<path filter="url('//evil.example/a.svg#x')"/></svg>`:                              false,
		svgStart:             false,
		`<svg><path/></svg>`: false,
	} {
		if got := isInert([]byte(text)); got != want {
			t.Errorf("inert is %v, want %v: %s", got, want, text)
		}
	}
}

func FuzzInertSVG(f *testing.F) {
	f.Add(svgStart + `<path d="M0 0"/></svg>`)
	f.Add(svgStart + `<script>alert(1)</script></svg>`)
	f.Add(`<!DOCTYPE svg [<!ENTITY x "y">]>` + svgStart + `&x;</svg>`)
	f.Fuzz(func(t *testing.T, text string) {
		if isInert([]byte(text)) && strings.Contains(text, "<script") && !strings.Contains(text, "<!") {
			t.Errorf("inert: %q", text)
		}
	})
}
