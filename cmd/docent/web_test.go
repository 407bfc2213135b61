package main

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/web"
)

// atelier returns a project in five languages. Each has a package that declares a type and a
// function that takes it.
func atelier(t *testing.T) string {
	t.Helper()
	const python = ".venv/lib/python3.12/site-packages/"
	return filetest.Dir(t, map[string]string{
		"go.mod":             "module example.com/atelier\n\ngo 1.26\n\nrequire example.com/drawer v1.2.3\n",
		"main.go":            "package main\n\nimport \"example.com/drawer/lock\"\n\nfunc main() { lock.Open(nil) }\n",
		"vendor/modules.txt": "# example.com/drawer v1.2.3\n## explicit\nexample.com/drawer\nexample.com/drawer/lock\n",
		"vendor/example.com/drawer/drawer.go": "// Package drawer keeps things.\npackage drawer\n\n// A Drawer holds things. It is opened by\n// [example.com/drawer/lock.Open].\ntype Drawer struct {\n\t// Label is written on the front.\n\tLabel string\n}\n\n" +
			"// New makes a drawer.\n//\n// Deprecated: Use Make.\nfunc New() *Drawer { return nil }\n\n// Push pushes.\nfunc (d *Drawer) Push(hard bool) error { return nil }\n",
		"vendor/example.com/drawer/long.go":      "package drawer\n\nfunc First() {}\n" + strings.Repeat("\n", 2099) + "func Last() {}\n",
		"vendor/example.com/drawer/lock/lock.go": "// Package lock opens drawers.\npackage lock\n\nimport \"example.com/drawer\"\n\n// Open opens a drawer, see [drawer.Drawer.Push].\nfunc Open(d *drawer.Drawer) error { return nil }\n",

		"package.json":                   `{"name":"atelier","dependencies":{"till":"1"}}`,
		"node_modules/till/package.json": `{"name":"till","version":"1.0.0","description":"Counts coins.","types":"i.d.ts"}`,
		"node_modules/till/i.d.ts": "export interface Options { slow?: boolean }\n/** Counts. */\nexport declare class Till { count(o: Options, twice?: boolean): number; count(all: string[]): number }\n" +
			"/** Opens `Till`. */\nexport declare function open(o: Options, mode?: \"fast\" | \"slow\"): Till\n",
		"node_modules/till/README.md":     "# till\n\n![Logo](art/logo.svg) ![Trap](./art/trap.svg) ![Fake](art/fake.png) ![Out](../../package.json) ![Huge](art/huge.png) ![Build](https://example.com/b.svg)\n\nCounts <b>coins</b>. <script>alert(1)</script>See the [guide](docs/guide.md#use).\n\n## Use\n\n```js\nconst t = open()\n```\n",
		"node_modules/till/art/logo.svg":  `<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>`,
		"node_modules/till/art/trap.svg":  `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`,
		"node_modules/till/art/huge.png":  "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", ecosystem.MaxSourceFile),
		"node_modules/till/art/fake.png":  `<script>alert(1)</script>`,
		"node_modules/till/docs/guide.md": "# Guide\n\n## Use\n\nOpen it.\n",

		"pyproject.toml":                           "[project]\nname = \"atelier\"\nversion = \"1.0.0\"\ndependencies = [\"easel\"]\n",
		"requirements.txt":                         "easel==2.0.0\n",
		".venv/pyvenv.cfg":                         "home = /usr/bin\nversion = 3.12.1\n",
		python + "easel/__init__.py":               "\"\"\"Holds pictures.\"\"\"\nclass Picture:\n    \"\"\"A picture.\"\"\"\n    def json(self) -> str:\n        \"\"\"As JSON.\"\"\"\n\ndef hang(picture: Picture, /, *, height: int = 2) -> None:\n    \"\"\"Hang a picture.\"\"\"\n",
		python + "easel-2.0.0.dist-info/METADATA":  "Metadata-Version: 2.1\nName: easel\nVersion: 2.0.0\nSummary: Holds pictures\n\n# Easel\n\nIt stands.\n",
		python + "easel-2.0.0.dist-info/RECORD":    "easel/__init__.py,,\neasel-2.0.0.dist-info/METADATA,,\n",
		python + "easel-2.0.0.dist-info/INSTALLER": "pip\n",

		"Cargo.toml":        "[package]\nname = \"atelier\"\nversion = \"1.0.0\"\nedition = \"2021\"\n\n[dependencies]\nbrush = { path = \"brush\" }\n",
		"Cargo.lock":        "version = 4\n\n[[package]]\nname = \"atelier\"\nversion = \"1.0.0\"\ndependencies = [\"brush\"]\n\n[[package]]\nname = \"brush\"\nversion = \"1.0.0\"\n",
		"src/lib.rs":        "//! The atelier.\n",
		"brush/Cargo.toml":  "[package]\nname = \"brush\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
		"brush/src/lib.rs":  "//! Brushes.\n/// A brush.\npub struct Brush<T> { pub width: T }\nimpl<T> Brush<T> {\n/// Dips it.\npub fn dip(&self, into: &Pot) -> bool { true }\n}\n/// A pot.\npub struct Pot;\n",
		"brush/src/more.rs": "",

		"Package.swift":            "// swift-tools-version:5.9\nimport PackageDescription\nlet package = Package(name: \"Kiln\", products: [.library(name: \"Kiln\", targets: [\"Kiln\"])], targets: [.target(name: \"Kiln\")])\n",
		"Sources/Kiln/Kiln.swift":  "/// A pot.\npublic struct Pot { public var clay: String }\n/// Fires pots.\npublic actor Kiln {\n  /// Fires pots.\n  public func fire(_ pots: [Pot], until stage: Int = 3) async throws -> Bool { true }\n}\n",
		"Sources/Kiln/README.text": "",
	})
}

// siteOf returns the pages of a project.
func siteOf(t *testing.T, dir string) http.Handler {
	t.Helper()
	site, err := web.New(web.Options{Lookup: lookup.New(openStore(languages, true)), Project: dir, Version: "test", Encode: encode})
	if err != nil {
		t.Fatal(err)
	}
	return site
}

// visit requests a page and follows redirects. It returns the last path.
func visit(t *testing.T, site http.Handler, path string) (code int, body, last string) {
	t.Helper()
	for range 4 {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		r.Host = "localhost"
		w := httptest.NewRecorder()
		site.ServeHTTP(w, r)
		if w.Code != http.StatusFound {
			return w.Code, w.Body.String(), path
		}
		path = w.Header().Get("Location")
	}
	t.Fatalf("%s is redirected too often", path)
	return 0, "", ""
}

func TestWeb_Pages(t *testing.T) {
	site := siteOf(t, atelier(t))
	for _, tt := range []struct {
		name, path, last string
		want             []string
		not              []string
	}{
		{"the start page", "/", "/", []string{
			`<h2 id="go">Go</h2>`, `<h2 id="npm">npm</h2>`, `<h2 id="python">Python</h2>`, `<h2 id="rust">Rust</h2>`, `<h2 id="swift">Swift</h2>`,
			`<a class="card" href="/go/example.com/drawer@v1.2.3/">`, `<a class="card" href="/npm/till@1.0.0/">`, `<a class="card" href="/python/easel@2.0.0/">`, `action="/-/search"`,
		}, nil},
		{"a Go package", "/go/example.com/drawer", "/go/example.com/drawer@v1.2.3/", []string{
			"<h1>example.com/drawer</h1>", "keeps things", `<span class="kw">import</span> <span class="vl">&#34;example.com/drawer&#34;</span>`, `<code class="sig"><span class="kw">func</span> New() *Drawer</code>`, `href="/go/example.com/drawer@v1.2.3/Drawer"`, `href="/go/example.com/drawer/lock@v1.2.3/"`,
			`<span class="tag warn">deprecated</span>`, "vendor/modules.txt of example.com/atelier",
		}, nil},
		{"a function that takes a type of another package", "/go/example.com/drawer/lock@v1.2.3/Open", "", []string{
			`<a href="/go/example.com/drawer@v1.2.3/Drawer">drawer.Drawer</a>`, `<caption>Parameters</caption>`, `<a href="/go/example.com/drawer@v1.2.3/Drawer.Push"><code>drawer.Drawer.Push</code></a>`,
			"lock/lock.go:7", `<code><span class="kw">import</span> <span class="vl">&#34;`, `<span class="kw">func</span> <span class="nm">Open</span>(`, `<option value="/go/example.com/drawer/lock@v1.2.3/" selected>`,
		}, []string{"error</a>"}},
		{"a symbol of the standard library by its short address", "/go/net/http/Client.Do", "", []string{`<a href="/go/net/http@go`, "Do sends an HTTP request"}, nil},
		{"a deprecated function", "/go/example.com/drawer@project/New", "/go/example.com/drawer@v1.2.3/New", []string{`<strong>Deprecated.</strong>`, "Use Make."}, nil},
		{"an npm package with a hostile README", "/npm/till@1.0.0/", "", []string{
			"Counts <b>coins</b>.", `<a href="/npm/till@1.0.0/-/doc/docs/guide.md#doc-use">guide</a>`, `id="doc-use"`, `<h2 id="kind-classes">Classes</h2>`, `<details class="readme" id="readme" open>`,
			`<pre tabindex="0"><code><span class="kw">const</span> t = open()`,
		}, []string{"alert(1)"}},
		{"a guide", "/npm/till@1.0.0/-/doc/docs/guide.md", "", []string{`<h1 id="doc-guide">Guide</h1>`, "Open it."}, nil},
		{"an npm function", "/npm/till@1.0.0/open", "", []string{`<a href="/npm/till@1.0.0/Options">Options</a>`, `<a href="/npm/till@1.0.0/Till">Till</a>`, `<a href="/npm/till@1.0.0/Till"><code>Till</code></a>`, "optional"}, nil},
		{"overloads", "/npm/till@1.0.0/Till.count", "", []string{"Parameters of overload 1", "Parameters of overload 2", `<a href="/npm/till@1.0.0/Till">Till</a>`}, nil},
		{"a Python function", "/python/easel@2.0.0/hang", "", []string{`<a href="/python/easel@2.0.0/Picture">Picture</a>`, "by name only", "by position only", "Hang a picture"}, nil},
		{"a symbol whose name ends like a format", "/python/easel@2.0.0/Picture.json", "", []string{"<h1>Picture.json</h1>", "As JSON."}, nil},
		{"a Rust method", "/rust/brush@project/Brush::dip", "", []string{`Pot</a>`, "Dips it.", `>Brush</a>`}, nil},
		{"members of a Rust type", "/rust/brush@project/Brush", "", []string{`<code class="sig">`, `&amp;<a href="/rust/brush@project/Pot">Pot</a>) -&gt;`}, nil},
		{"a Swift method", "/swift/Kiln/Kiln.fire", "", []string{`<a href="/swift/Kiln@project/Pot">Pot</a>`, "async", "label _", "Fires pots."}, nil},
		{"a search in a package", "/-/search?q=push&in=/go/example.com/drawer@v1.2.3/", "", []string{`<a href="/go/example.com/drawer@v1.2.3/Drawer.Push"><code>Drawer.Push</code></a>`, "In example.com/drawer"}, nil},
		{"a search in the project", "/-/search?q=hang", "", []string{`<a href="/python/easel@2.0.0/hang"><code>hang</code></a>`}, nil},
		{"the name of a package", "/-/search?q=till", "", []string{`<a href="/npm/till@1.0.0/"><code>till</code></a> <span class="tag">package</span>`}, nil},
	} {
		code, body, last := visit(t, site, tt.path)
		if code != http.StatusOK || tt.last != "" && last != tt.last {
			t.Errorf("%s: %s is at %s: %d", tt.name, tt.path, last, code)
		}
		for _, want := range tt.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s: %q is missing in %s:\n%s", tt.name, want, last, body)
			}
		}
		for _, not := range tt.not {
			if strings.Contains(body, not) {
				t.Errorf("%s: %q is there:\n%s", tt.name, not, body)
			}
		}
	}
}

func TestWeb_Source(t *testing.T) {
	dir := atelier(t)
	site := siteOf(t, dir)
	for _, tt := range []struct {
		symbol, place, code string
	}{
		{"/go/example.com/drawer/lock@v1.2.3/Open", `<a href="/go/example.com/drawer/lock@v1.2.3/-/source/lock/lock.go#L7">lock/lock.go:7</a>`, `<span id="L7"><a href="#L7">7</a><span class="kw">func</span> Open(d *drawer.Drawer) error { <span class="kw">return</span> <span class="kw">nil</span> }</span>`},
		{"/npm/till@1.0.0/Till.count", `<a href="/npm/till@1.0.0/-/source/i.d.ts#L3">i.d.ts:3</a>`, `<span id="L3"><a href="#L3">3</a><span class="kw">export</span> <span class="kw">declare</span> <span class="kw">class</span> Till {`},
		{"/python/easel@2.0.0/Picture.json", `<a href="/python/easel@2.0.0/-/source/easel/__init__.py#L4">easel/__init__.py:4</a>`, `<span id="L4"><a href="#L4">4</a>    <span class="kw">def</span> json(<span class="kw">self</span>)`},
		{"/rust/brush@project/Brush::dip", `<a href="/rust/brush@project/-/source/src/lib.rs#L6">src/lib.rs:6</a>`, `<span id="L6"><a href="#L6">6</a><span class="kw">pub</span> <span class="kw">fn</span> dip(&amp;<span class="kw">self</span>`},
		{"/swift/Kiln@project/Pot", `<a href="/swift/Kiln@project/-/source/Sources/Kiln/Kiln.swift#L2">Sources/Kiln/Kiln.swift:2</a>`, `<span id="L2"><a href="#L2">2</a><span class="kw">public</span> <span class="kw">struct</span> Pot`},
	} {
		_, body, at := visit(t, site, tt.symbol)
		if !strings.Contains(body, tt.place) {
			t.Errorf("%s lacks %s:\n%s", tt.symbol, tt.place, body)
			continue
		}
		_, href, _ := strings.Cut(tt.place, `"`)
		href, _, _ = strings.Cut(href, "#")
		code, body, last := visit(t, site, href)
		if code != http.StatusOK || last != href || !strings.Contains(body, tt.code) {
			t.Errorf("%s is at %s: %d; want\n%s\nin\n%s", href, last, code, tt.code, body)
		}
		if back := `<a href="` + at + `"><code>`; !strings.Contains(body, back) {
			t.Errorf("%s does not lead back: no %s in\n%s", href, back, body)
		}
	}
	// A long file has several pages.
	_, body, _ := visit(t, site, "/go/example.com/drawer@v1.2.3/Last")
	if want := `<a href="/go/example.com/drawer@v1.2.3/-/source-3/long.go#L2103">long.go:2103</a>`; !strings.Contains(body, want) {
		t.Errorf("a symbol in a long file lacks %s:\n%s", want, body)
	}
	_, body, _ = visit(t, site, "/go/example.com/drawer@v1.2.3/-/source-3/long.go")
	for _, want := range []string{
		`<span id="L2103"><a href="#L2103">2103</a><span class="kw">func</span> Last() {}</span>`, "Lines 2,001–2,103 of 2,103", `<a href="/go/example.com/drawer@v1.2.3/-/source/long.go">1–1,000</a>`, `<a href="/go/example.com/drawer@v1.2.3/Last">`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the last part lacks %s", want)
		}
	}
	if strings.Contains(body, `id="L2000"`) || strings.Contains(body, `drawer@v1.2.3/First"`) {
		t.Error("the last part has lines of another")
	}
	// The address without a version redirects to that of the project's version.
	if code, _, last := visit(t, site, "/go/example.com/drawer/-/source/drawer.go"); code == http.StatusOK {
		t.Errorf("an address that names no package is at %s", last)
	}
	if code, _, last := visit(t, site, "/npm/till@project/-/source/i.d.ts"); code != http.StatusOK || last != "/npm/till@1.0.0/-/source/i.d.ts" {
		t.Errorf("the project's version is at %s: %d", last, code)
	}
	// Only files with declarations are shown, and no files outside of the package.
	for _, file := range []string{
		"package.json", "README.md", "missing.ts", "../../package.json", "..%2f..%2fpackage.json", "%2e%2e/%2e%2e/package.json", "/etc/passwd", "%2fetc%2fpasswd", "./i.d.ts", "i.d.ts/", "i.d.ts%00", `..%5c..%5cpackage.json`,
	} {
		if code, body, _ := visit(t, site, "/npm/till@1.0.0/-/source/"+file); code != http.StatusNotFound || strings.Contains(body, `class="source"`) {
			t.Errorf("%s: %d\n%s", file, code, body)
		}
	}
	for _, view := range []string{"source-0", "source-1", "source-2", "source-02", "source--1", "source-99999999999999999999", "sources"} {
		if code, _, _ := visit(t, site, "/npm/till@1.0.0/-/"+view+"/i.d.ts"); code != http.StatusNotFound {
			t.Errorf("%s: %d", view, code)
		}
	}
}

func TestWeb_Images(t *testing.T) {
	site := siteOf(t, atelier(t))
	get := func(path string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		r.Host = "localhost"
		w := httptest.NewRecorder()
		site.ServeHTTP(w, r)
		return w
	}
	for _, page := range []string{"/npm/till@1.0.0/", "/npm/till@1.0.0/-/doc/README.md"} {
		_, body, _ := visit(t, site, page)
		for _, want := range []string{
			`<img src="/npm/till@1.0.0/-/file/art/logo.svg" alt="Logo" loading="lazy"/>`, `<img src="/npm/till@1.0.0/-/file/art/trap.svg" alt="Trap"`, `<span class="image">Fake</span>`, `<span class="image">Out</span>`, `<span class="image">Huge</span>`,
			`<a href="https://example.com/b.svg" rel="noreferrer noopener external" class="image">Build</a>`,
		} {
			if !strings.Contains(body, want) {
				t.Errorf("%s lacks %s:\n%s", page, want, body)
			}
		}
	}
	for _, name := range []string{"logo.svg", "trap.svg"} {
		w := get("/npm/till@1.0.0/-/file/art/" + name)
		if policy := w.Header().Get("Content-Security-Policy"); w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/svg+xml" || !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "; sandbox") || strings.Contains(policy, "script") || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d, %v", name, w.Code, w.Header())
		}
	}
	for _, name := range []string{
		"art/fake.png", "art/huge.png", "package.json", "i.d.ts", "README.md", "missing.png", "../../package.json", "..%2f..%2fpackage.json", "%2e%2e/%2e%2e/package.json", "%2fetc%2fpasswd", "art", "art%00.svg",
	} {
		if w := get("/npm/till@1.0.0/-/file/" + name); w.Code != http.StatusNotFound || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") || strings.Contains(w.Body.String(), "alert(1)") {
			t.Errorf("%s: %d, %v\n%s", name, w.Code, w.Header(), w.Body)
		}
	}
}

func TestWeb_SourceOfTheVersion(t *testing.T) {
	dir := upgrade(t)
	site := siteOf(t, dir)
	for _, version := range []string{"v1.2.3", "v1.3.0"} {
		_, body, _ := visit(t, site, "/go/example.com/drawer@"+version+"/Drawer.Push")
		_, href, ok := strings.Cut(body, `<a href="/go/example.com/drawer@`+version+"/-/source/")
		if !ok {
			t.Errorf("%s: no link to the source in\n%s", version, body)
			continue
		}
		href, _, _ = strings.Cut(href, `"`)
		file, line, _ := strings.Cut(href, "#")
		_, body, _ = visit(t, site, "/go/example.com/drawer@"+version+"/-/source/"+file)
		_, text, _ := strings.Cut(body, `<span id="`+line+`">`)
		text, _, _ = strings.Cut(text, "\n")
		if text = regexp.MustCompile("<[^>]*>").ReplaceAllString(text, ""); !strings.Contains(text, "Push(n int") || strings.Contains(text, "hard") != (version == "v1.3.0") {
			t.Errorf("%s: line %s of %s is %q", version, line, file, text)
		}
	}
}

func TestWeb_Versions(t *testing.T) {
	site := siteOf(t, upgrade(t))
	for _, tt := range []struct{ path, last, want string }{
		{"/go/example.com/drawer", "/go/example.com/drawer@v1.2.3/", `<input type="hidden" name="package" value="/go/example.com/drawer@v1.2.3/">`},
		{"/-/version?package=/go/example.com/drawer@v1.2.3/&version=v1.3.0&show=version", "/go/example.com/drawer@v1.3.0/", `<span class="tag strong">v1.3.0</span>`},
		{"/-/version?package=/go/example.com/drawer@v1.2.3/&version=v1.3.0&show=difference", "/go/example.com/drawer@v1.2.3/-/diff/v1.3.0", `<h2 id="breaking">Breaking <span class="n">4</span></h2>`},
		{"/go/example.com/drawer@v1.2.3/-/diff/v1.3.0", "", `<a href="/go/example.com/drawer@v1.2.3/Drawer.Push"><code>Drawer.Push</code></a> <span class="tag">changed</span>`},
		{"/go/example.com/drawer@v1.2.3/-/diff/v1.3.0", "", "<del>func (d *Drawer) Push(n int)</del>\n<ins>func (d *Drawer) Push(n int, hard bool)</ins>"},
		{"/go/example.com/drawer@v1.2.3/-/diff/v1.3.0", "", `to <a href="/go/example.com/drawer/shut@v1.3.0/Shut">`},
		{"/go/example.com/drawer@v1.2.3/-/diff/v1.3.0", "", `<a href="/go/example.com/drawer/lock@v1.3.0/Wait"><code>example.com/drawer/lock: Wait</code></a> <span class="tag">added</span>`},
		{"/go/example.com/drawer@v1.3.0/-/diff/v1.3.0", "", "Nothing has changed"},
	} {
		code, body, last := visit(t, site, tt.path)
		if code != http.StatusOK || tt.last != "" && last != tt.last || !strings.Contains(body, tt.want) {
			t.Errorf("%s is at %s: %d; want %s:\n%s", tt.path, last, code, tt.want, body)
		}
	}
	for path, want := range map[string]int{
		"/-/version": http.StatusBadRequest, "/-/version?package=/cobol/x@1/&version=2": http.StatusBadRequest, "/-/version?package=/go/example.com/drawer@v1.2.3/&version=+": http.StatusBadRequest,
		"/go/example.com/drawer@v1.2.3/-/diff/v9.9.9": http.StatusNotFound,
	} {
		if code, body, _ := visit(t, site, path); code != want && (want != http.StatusNotFound || code != http.StatusBadGateway) {
			t.Errorf("%s: %d, want %d\n%s", path, code, want, body)
		}
	}
}

func TestWeb_OtherForms(t *testing.T) {
	dir := atelier(t)
	site := siteOf(t, dir)
	_, text, _ := visit(t, site, "/go/example.com/drawer@v1.2.3/Drawer.Push.md")
	if got := docent("describe", "go", "example.com/drawer", "Drawer.Push", "--project", dir); strings.TrimSpace(text) == "" || !strings.HasPrefix(got.out, text[:strings.LastIndexByte(strings.TrimSpace(text), '\n')]) {
		t.Errorf("Markdown:\n%s\nbut docent describe prints:\n%s", text, got.out)
	}
	if _, text, _ := visit(t, site, "/go/example.com/drawer@v1.2.3.md"); !strings.HasPrefix(text, "# example.com/drawer@v1.2.3\n") {
		t.Errorf("Markdown of a package:\n%s", text)
	}
	var symbol struct {
		Package string `json:"package"`
		Symbol  struct {
			Path string `json:"path"`
		} `json:"symbol"`
	}
	_, data, _ := visit(t, site, "/python/easel@2.0.0/Picture?format=json")
	if err := json.Unmarshal([]byte(data), &symbol); err != nil || symbol.Package != "easel" || symbol.Symbol.Path != "Picture" {
		t.Errorf("JSON: %v\n%s", err, data)
	}
	if _, data, _ := visit(t, site, "/npm/till@1.0.0/open.json"); !strings.Contains(data, `"declarations"`) {
		t.Errorf("JSON:\n%s", data)
	}
	for path, want := range map[string]int{
		"/go/example.com/drawer@v1.2.3/Missing": http.StatusNotFound, "/cobol/x@1/": http.StatusNotFound, "/go/nothing.example/x": http.StatusNotFound,
		"/go/..%2Fetc@1/": http.StatusBadRequest, "/go/%2Fetc@1/": http.StatusNotFound, "/npm/till@1.0.0/-/doc/package.json": http.StatusNotFound, "/npm/till@1.0.0/-/xyz/a": http.StatusNotFound,
		"/-/search?q=x&in=nothing": http.StatusBadRequest,
	} {
		if code, body, _ := visit(t, site, path); code != want && (want != http.StatusNotFound || code != http.StatusBadGateway) {
			t.Errorf("%s: %d, want %d\n%s", path, code, want, body)
		}
	}
}

func TestWeb_Command(t *testing.T) {
	dir := atelier(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read, write := io.Pipe()
	code := make(chan int, 1)
	opened := make(chan string, 1)
	go func() {
		s := streams{in: strings.NewReader(""), out: io.Discard, err: write, browse: func(_ context.Context, page string) error {
			opened <- page
			return nil
		}}
		code <- run(ctx, []string{"web", "--project", dir, "--addr", "127.0.0.1:0", "--open", "npm", "till", "open"}, s, languages)
	}()
	go io.Copy(io.Discard, read)
	page := <-opened
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || !strings.HasSuffix(page, "/npm/till@1.0.0/open") || !bytes.Contains(body, []byte("<h1>open</h1>")) {
		t.Errorf("%s: %v\n%s", page, err, body)
	}
	cancel()
	if got := <-code; got != exitOK {
		t.Errorf("the interrupted command ended with %d", got)
	}
	for _, addr := range []string{"0.0.0.0:0", "192.0.2.1:80", ":0", "example.com:80", "127.0.0.1"} {
		if got := docent("web", "--project", dir, "--addr", addr); got.code != exitUsage || !strings.Contains(got.err, "specify a loopback address") {
			t.Errorf("--addr %s: code %d, %s", addr, got.code, got.err)
		}
	}
	if got := docent("web", "--project", dir, "npm", "till", "missing"); got.code != exitNotFound {
		t.Errorf("a symbol that is missing: code %d, %s", got.code, got.err)
	}
}

func TestWeb_Export(t *testing.T) {
	dir := atelier(t)
	out := filepath.Join(t.TempDir(), "site")
	got := docent("web", "--project", dir, "--export", out, "--offline")
	if got.code != exitOK || !strings.Contains(got.out, " packages to "+out) {
		t.Fatalf("code %d: %s%s", got.code, got.out, got.err)
	}
	pages := checkLinks(t, out)
	for _, file := range []string{
		"index.html", "go/example.com/drawer@v1.2.3/index.html", "go/example.com/drawer@v1.2.3/Drawer.Push.html", "go/example.com/drawer/lock@v1.2.3/Open.html", "npm/till@1.0.0/Till.count.html",
		"npm/till@1.0.0/-/docs~2fguide.md.html", "python/easel@2.0.0/Picture.json.html", "rust/brush@/Brush~3a~3adip.html", "npm/till@1.0.0/-/source~2fi.d.ts.html", "go/example.com/drawer/lock@v1.2.3/-/source~2flock~2flock.go.html", "swift/Kiln@/Kiln.fire(_~3auntil~3a).html",
	} {
		if pages[file] == nil {
			t.Errorf("there is no %s", file)
		}
	}
	for file, want := range map[string]string{
		"go/example.com/drawer/lock@v1.2.3/Open.html": `<a href="../../drawer@v1.2.3/Drawer.html">drawer.Drawer</a>`,
		"npm/till@1.0.0/open.html":                    `<a href="-/source~2fi.d.ts.html#L5">i.d.ts:5</a>`,
		"index.html":                                  `<a class="card" href="npm/till@1.0.0/index.html">`,
		"npm/till@1.0.0/index.html":                   `<html lang="en" data-root="../..">`,
		"npm/till@1.0.0/Till.html":                    `default-src &#39;none&#39;`,
		"python/easel@2.0.0/Picture.html":             `<script src="../../assets/web.js"`,
		"swift/Kiln@/Kiln.html":                       `<form class="find" role="search" id="find" hidden="">`,
	} {
		if !bytes.Contains(pages[file], []byte(want)) {
			t.Errorf("%s lacks %s:\n%s", file, want, pages[file])
		}
	}
	without := filepath.Join(t.TempDir(), "site")
	if got := docent("web", "--project", dir, "--export", without, "--offline", "--no-source"); got.code != exitOK {
		t.Errorf("without source code: code %d, %s", got.code, got.err)
	}
	for file, page := range checkLinks(t, without) {
		if strings.Contains(file, "source") || bytes.Contains(page, []byte(`class="source"`)) {
			t.Errorf("--no-source exports %s", file)
		}
	}
	if got := docent("web", "--project", dir, "--no-source"); got.code != exitUsage || !strings.Contains(got.err, "use it with --export") {
		t.Errorf("--no-source without --export: code %d, %s", got.code, got.err)
	}
	if got := docent("web", "--project", dir, "--export", out); got.code != exitOK {
		t.Errorf("into the same directory again: code %d, %s", got.code, got.err)
	}
	if got := docent("web", "--project", dir, "--export", dir); got.code != exitFailure || !strings.Contains(got.err, "is not empty") {
		t.Errorf("into another directory: code %d, %s", got.code, got.err)
	}
	if got := docent("web", "--project", dir, "--export", out, "--open"); got.code != exitUsage {
		t.Errorf("with --open: code %d, %s", got.code, got.err)
	}
}

func TestWeb_ExportOfInheritedMembers(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"package.json":                   `{"name":"atelier","dependencies":{"till":"1"}}`,
		"node_modules/till/package.json": `{"name":"till","version":"1.0.0","types":"i.d.ts","dependencies":{"base":"1"}}`,
		"node_modules/till/i.d.ts":       "import { Base } from \"base\"\nexport declare class Till extends Base { count(): number }\n",
		"node_modules/base/package.json": `{"name":"base","version":"1.0.0","types":"i.d.ts"}`,
		"node_modules/base/i.d.ts":       "export declare class Base { shut(): void }\n",
	})
	site := siteOf(t, dir)
	_, body, _ := visit(t, site, "/npm/till@1.0.0/Till.shut")
	if want := `<a href="/npm/till@1.0.0/-/source/node_modules/base/i.d.ts#L1">`; !strings.Contains(body, want) {
		t.Errorf("an inherited member lacks %s:\n%s", want, body)
	}
	if code, body, _ := visit(t, site, "/npm/till@1.0.0/-/source/node_modules/base/i.d.ts"); code != http.StatusOK || !strings.Contains(body, "shut()") {
		t.Errorf("the source of an inherited member: %d", code)
	}
	out := filepath.Join(t.TempDir(), "site")
	if got := docent("web", "--project", dir, "--export", out, "--offline"); got.code != exitOK {
		t.Fatalf("code %d: %s", got.code, got.err)
	}
	pages := checkLinks(t, out)
	if pages["npm/till@1.0.0/-/source~2fi.d.ts.html"] == nil {
		t.Error("the source of the class is not exported")
	}
	for file := range pages {
		if strings.Contains(file, "base") {
			t.Errorf("%s is exported, but no page leads to it", file)
		}
	}
}

func TestWeb_ExportOfSubmodules(t *testing.T) {
	const python = ".venv/lib/python3.12/site-packages/"
	dir := filetest.Dir(t, map[string]string{
		"pyproject.toml":                           "[project]\nname = \"atelier\"\nversion = \"0\"\ndependencies = [\"easel\"]\n",
		".venv/pyvenv.cfg":                         "home = /usr/bin\nversion = 3.12.4\n",
		python + "easel/__init__.py":               "\"\"\"Holds pictures.\"\"\"\n",
		python + "easel/frame.py":                  "class Frame:\n    \"\"\"A frame.\"\"\"\n    def width(self) -> int:\n        \"\"\"The width.\"\"\"\n",
		python + "easel/wall.py":                   "from .frame import Frame\n\nclass _Nail: pass\n\ndef hang(frame: Frame) -> _Nail:\n    \"\"\"Hangs a frame.\"\"\"\n",
		python + "easel-2.0.0.dist-info/METADATA":  "Metadata-Version: 2.1\nName: easel\nVersion: 2.0.0\n",
		python + "easel-2.0.0.dist-info/RECORD":    "easel/__init__.py,,\neasel/frame.py,,\neasel/wall.py,,\neasel-2.0.0.dist-info/METADATA,,\n",
		python + "easel-2.0.0.dist-info/INSTALLER": "pip\n",
	})
	out := filepath.Join(t.TempDir(), "site")
	if got := docent("web", "--project", dir, "--export", out, "--offline"); got.code != exitOK {
		t.Fatalf("code %d: %s", got.code, got.err)
	}
	pages := checkLinks(t, out)
	if want, page := `<a href="../easel.frame@2.0.0/Frame.html">Frame</a>`, pages["python/easel.wall@2.0.0/hang.html"]; !bytes.Contains(page, []byte(want)) {
		t.Errorf("the page of hang lacks %s:\n%s", want, page)
	}
	for _, file := range []string{"python/easel.wall@2.0.0/Frame.html", "python/easel.wall@2.0.0/-/source~2feasel~2fframe.py.html"} {
		if pages[file] != nil {
			t.Errorf("%s is a second page of a symbol of easel.frame", file)
		}
	}
	if pages["python/easel.wall@2.0.0/_Nail.html"] == nil {
		t.Error("a type that cannot be imported has no page")
	}
}

// checkLinks fails the test for each link of a static site that leads to no file or to no part of it,
// and for each that begins at the root of a server. It returns the pages.
func checkLinks(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	pages, ids, links := map[string][]byte{}, map[string]bool{}, map[string][]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		file, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		file = filepath.ToSlash(file)
		ids[file] = true
		if !strings.HasSuffix(file, ".html") {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		pages[file] = data
		tags := regexp.MustCompile(`\s(href|src|id|action)="([^"]*)"`)
		for _, m := range tags.FindAllSubmatch(data, -1) {
			value := html.UnescapeString(string(m[2]))
			if string(m[1]) == "id" {
				ids[file+"#"+value] = true
			} else {
				links[file] = append(links[file], value)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for file, all := range links {
		for _, link := range all {
			u, err := url.Parse(link)
			switch {
			case err != nil || strings.HasPrefix(link, "/"):
				t.Errorf("%s links to %q: %v", file, link, err)
				continue
			case u.Scheme != "":
				continue
			}
			to := file
			if u.Path != "" {
				to = path.Join(path.Dir(file), u.Path)
			}
			if u.Fragment != "" {
				to += "#" + u.Fragment
			}
			if !ids[to] {
				t.Errorf("%s links to %q, which does not exist", file, link)
			}
		}
	}
	return pages
}

func TestWeb_VersionsOfPackagesWithEntryPoints(t *testing.T) {
	site := siteOf(t, filetest.Dir(t, map[string]string{
		"package.json":                   `{"name":"atelier","dependencies":{"box":"1","tray":"1"}}`,
		"node_modules/box/package.json":  `{"name":"box","version":"1.0.0","exports":{".":{"types":"./i.d.ts"},"./lid":{"types":"./lid.d.ts"}}}`,
		"node_modules/box/i.d.ts":        "export declare function open(): void\n",
		"node_modules/box/lid.d.ts":      "export declare function shut(): void\n",
		"node_modules/tray/package.json": `{"name":"tray","version":"1.0.0","exports":{"./lid":{"types":"./lid.d.ts"}}}`,
		"node_modules/tray/lid.d.ts":     "export declare function shut(): void\n",
	}))
	for path, want := range map[string]int{
		"/npm/box/lid/":    http.StatusOK,
		"/npm/box@1.0.0/":  http.StatusOK,
		"/npm/box@9.9.9/":  http.StatusBadGateway, // The test has no network.
		"/npm/tray/":       http.StatusOK,
		"/npm/tray@1.0.0/": http.StatusOK,
		"/npm/tray@9.9.9/": http.StatusBadGateway,
	} {
		if code, body, _ := visit(t, site, path); code != want {
			t.Errorf("%s: status %d, expected %d\n%s", path, code, want, body)
		}
	}
}
