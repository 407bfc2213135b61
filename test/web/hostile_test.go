package web

import (
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// corpus returns the strings in testdata/hostile.txt, with which documentation attacks pages. Escapes
// represent characters that editors do not show.
func corpus(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "hostile.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(data)) {
		all = append(all, line)
		if !strings.HasPrefix(line, "<script>window.evil=\"code\"") && !strings.HasPrefix(line, "```") {
			all = append(all, "\n") // each line is a paragraph
		}
	}
	return strings.NewReplacer(`\u202e`, "\u202e", `\u202c`, "\u202c", `\u2066`, "\u2066", `\u2069`, "\u2069", `\u200b`, "\u200b", `\ufeff`, "\ufeff",
		`\U000e0041`, "\U000e0041", `\U000e0042`, "\U000e0042", `\x1b`, "\x1b", `\x07`, "\x07", `\x9b`, "\u009b").Replace(strings.Join(all, ""))
}

// handler is HTML that runs a script where it is written as it is.
const handler = `<img src=x onerror=window.evil=1>`

// commented returns text as comments of one line each.
func commented(begin, text string) string {
	return begin + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+begin) + "\n"
}

// hostileProject writes a project that contains the strings of the corpus in its own name and in its
// dependencies in five languages, wherever pages show text from packages.
func hostileProject(t *testing.T) string {
	t.Helper()
	const python = ".venv/lib/python3.12/site-packages/"
	text := corpus(t)
	short := handler + " </script><script>window.evil=1</script>\u202e"
	quoted := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	readme := "# Hive " + handler + "\n\n## " + short + "\n\n![Logo](logo.png \"" + handler + "\") ![Trap](trap.svg) <img src=logo.png alt='\"><script>window.evil=1</script>' onload=window.evil=1 width=40>\n\n" + text
	types := "/** " + text + " */\nexport declare class Nest<T> {\n  \"" + handler + "\": string;\n  /** " + text + " */\n  hum(a?: \"</code><script>window.evil=1</script>\"): void;\n}\n" +
		"/**\n * Hums.\n * " + handler + "\n * @deprecated " + short + "\n * @param options " + short + "\n * @example " + short + "\n * </code></pre>" + handler + "\n */\n" +
		"export declare function hum(options: Options, mode?: \"<svg onload=window.evil=1>\"): Nest<Options>;\n" +
		"export interface Options {\n  /** " + short + "\n   * @default " + short + " */\n  \"</pre><script>window.evil=1</script>\"?: string;\n}\n"
	golang := func(more string) string {
		return commented("// ", "Package hive hums "+short+"\n\n"+text) + "package hive\n\n" + commented("// ", "Sting is "+short+"\n\n"+text) + "const Sting = `</code>" + handler + "`\n\n" + commented("// ", "Hum hums "+short+"\n\nDeprecated: "+short) + "func Hum(s string) string { return s }\n\n" + commented("// ", text) + "type Nest struct {\n\t// Comb is " + short + "\n\tComb string `json:\"" + handler + "\"`\n}\n" + more
	}
	modules := t.TempDir()
	t.Setenv("GOMODCACHE", modules)
	t.Setenv("GOPROXY", "off")
	writeFiles(t, modules, map[string]string{
		"example.com/hive@v1.2.3/go.mod":       "module example.com/hive\n\ngo 1.26\n",
		"example.com/hive@v1.2.3/README.md":    readme,
		"example.com/hive@v1.2.3/logo.png":     image(t),
		"example.com/hive@v1.2.3/trap.svg":     trap,
		"example.com/hive@v1.2.3/hive.go":      golang("func Buzz(s struct{ A int `json:\"" + handler + "\"` }) {}\n"),
		"example.com/hive@v1.2.3/hive_test.go": "package hive_test\n\nimport (\n\t\"fmt\"\n\n\t\"example.com/hive\"\n)\n\n// " + short + "\nfunc ExampleHum() {\n\tfmt.Println(hive.Hum(`" + handler + "`))\n\t// Output: " + short + "\n}\n",
		"example.com/hive@v1.3.0/go.mod":       "module example.com/hive\n\ngo 1.26\n",
		"example.com/hive@v1.3.0/hive.go":      golang("func Buzz(s struct{ A string `json:\"" + handler + "\"` }) {}\n"),
	})
	dir := filepath.Join(t.TempDir(), handler)
	writeFiles(t, dir, map[string]string{
		"go.mod":                                 "module example.com/apiary\n\ngo 1.26\n\nrequire example.com/hive v1.2.3\n",
		"main.go":                                commented("// ", "Package main is hostile.\n\n"+text) + "package main\n\nimport \"example.com/hive\"\n\nfunc main() { hive.Hum(\"\") }\n",
		"package.json":                           `{"name":` + quoted("apiary"+handler) + `,"dependencies":{"hive":"1",` + quoted(handler) + `:` + quoted(short) + `,"keeper":"1"}}`,
		"node_modules/hive/package.json":         `{"name":"hive","version":"1.0.0","description":` + quoted(short) + `,"types":"i.d.ts","homepage":"javascript:window.evil=1","repository":` + quoted(`https://evil.example/"><script>window.evil=1</script>`) + `,"deprecated":` + quoted(short) + `}`,
		"node_modules/hive/i.d.ts":               types,
		"node_modules/hive/README.md":            readme + "\n[guide](docs/guide.md#" + handler + ")\n",
		"node_modules/hive/docs/guide.md":        "# " + short + "\n\n" + text,
		"node_modules/hive/logo.png":             image(t),
		"node_modules/hive/trap.svg":             trap,
		"node_modules/keeper/package.json":       `{"name":"keeper","version":"1.0.0","dependencies":{}}`,
		"pyproject.toml":                         "[project]\nname = \"apiary\"\nversion = \"1.0.0\"\ndescription = " + quoted(handler) + "\ndependencies = [\"hive\"]\n",
		"requirements.txt":                       "hive==2.0.0\n",
		".venv/pyvenv.cfg":                       "home = /usr/bin\nversion = 3.12.1\n",
		python + "hive/__init__.py":              "r\"\"\"Hums " + short + "\n\n" + text + "\"\"\"\nclass Nest:\n    r\"\"\"" + text + "\"\"\"\n    comb: str = '" + handler + "'\ndef hum(tune: \"" + handler + "\" = '</td>" + handler + "', /) -> '<script>window.evil=1</script>':\n    r\"\"\"Hum " + short + "\n\n    :param tune: " + short + "\n    >>> hum('" + handler + "')\n    " + handler + "\n    \"\"\"\n",
		python + "hive-2.0.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: hive\nVersion: 2.0.0\nSummary: " + short + "\nHome-page: javascript:window.evil=1\nProject-URL: Source, https://evil.example/\"><script>window.evil=1</script>\nDescription-Content-Type: text/markdown\n\n" + readme,
		python + "hive-2.0.0.dist-info/RECORD":   "hive/__init__.py,,\nhive-2.0.0.dist-info/METADATA,,\n",
		"Cargo.toml":                             "[package]\nname = \"apiary\"\nversion = \"1.0.0\"\nedition = \"2021\"\n\n[dependencies]\ncomb = { path = \"comb\" }\n",
		"Cargo.lock":                             "version = 4\n\n[[package]]\nname = \"apiary\"\nversion = \"1.0.0\"\ndependencies = [\"comb\"]\n\n[[package]]\nname = \"comb\"\nversion = \"1.0.0\"\n",
		"src/lib.rs":                             commented("//! ", text),
		"comb/Cargo.toml":                        "[package]\nname = \"comb\"\nversion = \"1.0.0\"\nedition = \"2021\"\ndescription = " + quoted(handler) + "\nhomepage = \"javascript:window.evil=1\"\n",
		"comb/README.md":                         readme,
		"comb/logo.png":                          image(t),
		"comb/src/lib.rs":                        commented("//! ", text) + commented("/// ", text) + "pub struct Comb<T> { /// " + short + "\n pub cell: T }\n" + commented("/// ", short) + "pub const STING: &str = \"</code>" + handler + "\";\n",
		"Package.swift":                          "// swift-tools-version:5.9\nimport PackageDescription\nlet package = Package(name: \"Smoker\", products: [.library(name: \"Smoker\", targets: [\"Smoker\"])], targets: [.target(name: \"Smoker\")])\n",
		"README.md":                              readme,
		"logo.png":                               image(t),
		"Sources/Smoker/Smoker.swift":            commented("/// ", text) + "public struct Smoker {\n  /// " + short + "\n  public func puff(_ text: String = \"</code>" + handler + "\") {}\n}\n",
	})
	return dir
}

// watch is run before the scripts of each page. It records what the policy refuses.
const watch = `window.refused = []; document.addEventListener("securitypolicyviolation", (e) => window.refused.push(e.violatedDirective + " " + e.blockedURI + " " + e.sample));`

// deeds returns what documentation did to the page, one deed a line.
const deeds = `(() => {
	const all = window.refused.map((v) => "the policy refused " + v);
	if (window.evil !== undefined) all.push("a script ran: " + window.evil);
	const main = document.querySelectorAll("main");
	if (main.length !== 1 || main[0].id !== "main") all.push("there are " + main.length + " main elements");
	for (const id of ["main", "find", "q", "results", "status", "theme"]) {
		const n = document.querySelectorAll("#" + id).length;
		if (n !== 1) all.push(n + " elements have the ID " + id);
	}
	const seen = new Set();
	for (const e of document.querySelectorAll("[id]")) {
		if (seen.has(e.id)) all.push("two elements have the ID " + e.id);
		seen.add(e.id);
		if (e.closest(".prose") && e.closest(".prose") !== e && !e.id.startsWith("doc-")) all.push("prose has the ID " + e.id);
	}
	for (const e of document.body.querySelectorAll("*")) {
		const site = e.matches("script[src], #find, #find *, .versions form, .versions form *, .theme, .copy, .top svg, .top svg *, .top img");
		if (!site && e.matches("script, style, link, meta, base, iframe, object, embed, svg, math, form, input, button, textarea, select, video, audio, source, template, dialog, noscript, marquee, xmp")) all.push("there is a " + e.tagName);
		for (const a of e.attributes) {
			if (/^on|^(style|srcdoc|srcset|formaction|ping|contenteditable|accesskey|background|poster|target|name|dir)$/.test(a.name) && !site) all.push(e.tagName + " has " + a.name);
			if (/^(src|href)$/.test(a.name) && !site && /^\s*(javascript|vbscript|data|blob)/i.test(a.value)) all.push(e.tagName + " leads to " + a.value);
		}
		if (e.closest("main") && getComputedStyle(e).position === "fixed") all.push(e.tagName + " covers the page");
		if (e instanceof HTMLImageElement && !site && new URL(e.src).origin !== location.origin) all.push("an image comes from " + e.src);
	}
	for (const a of document.links) if (!["http:", "https:", "mailto:", "file:"].includes(a.protocol)) all.push("a link has the scheme " + a.protocol);
	const hidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u.exec(document.documentElement.outerHTML + document.title);
	if (hidden) all.push("there is a hidden character, U+" + hidden[0].codePointAt(0).toString(16));
	const brand = document.querySelector(".brand").getBoundingClientRect();
	if (!document.elementFromPoint(brand.left + brand.width / 2, brand.top + brand.height / 2)?.closest(".brand")) all.push("the head of the page is covered");
	if (getComputedStyle(document.body).backgroundColor !== "rgb(253, 253, 252)") all.push("the background is painted");
	if (getComputedStyle(main[0]).display === "none" || main[0].getBoundingClientRect().height < 40) all.push("the page is hidden");
	return all.join("\n");
})()`

// checkDeeds fails the test for each effect that the documentation had on a page.
func (b *browser) checkDeeds(t *testing.T, address string) {
	t.Helper()
	b.run(t, chromedp.WaitVisible("#main"))
	// Handlers run, images load and pages are refreshed before two frames have been painted and the network is idle.
	eval[bool](t, b, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => done(true)))))`)
	if got := eval[string](t, b, deeds); got != "" {
		t.Errorf("%s: %s", address, got)
	}
	if at := eval[string](t, b, `location.href`); at != address {
		t.Errorf("the browser went from %s to %s", address, at)
	}
}

func TestHostile(t *testing.T) {
	b := open(t)
	call(t, b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch})
	dir := hostileProject(t)
	own := serve(t, dir)
	query := url.Values{"q": {handler + "</title><script>window.evil=1</script>\u202e"}}.Encode()
	for _, p := range []struct{ name, path, says string }{
		{"start", "/", "hive"},
		{"search", "/-/search?" + query, "onerror"},
		{"search with results", "/-/search?q=hum", "hum"},
		{"search in a package", "/-/search?q=hum&in=%2Fnpm%2Fhive%401.0.0%2F", "hum"},
		{"missing", "/npm/hive@1.0.0/" + url.PathEscape(handler+"x"), "onerror"},
		{"missing language", "/" + url.PathEscape(handler) + "/x@1/", "onerror"},
		{"npm package", "/npm/hive@1.0.0/", "window.evil"},
		{"npm README", "/npm/hive@1.0.0/-/doc/README.md", "window.evil"},
		{"npm guide", "/npm/hive@1.0.0/-/doc/docs/guide.md", "window.evil"},
		{"npm class", "/npm/hive@1.0.0/Nest", "window.evil"},
		{"npm method", "/npm/hive@1.0.0/Nest.hum", "window.evil"},
		{"npm function", "/npm/hive@1.0.0/hum", "window.evil"},
		{"npm interface", "/npm/hive@1.0.0/Options", "window.evil"},
		{"npm source", "/npm/hive@1.0.0/-/source/i.d.ts", "<script>window.evil"},
		{"Go versions", "/go/example.com/hive@v1.2.3/-/diff/v1.3.0", "onerror"},
		{"Go program", "/go/example.com/apiary@project/", "hostile"},
		{"Go package", "/go/example.com/hive@v1.2.3/", "window.evil"},
		{"Go README", "/go/example.com/hive@v1.2.3/-/doc/README.md", "window.evil"},
		{"Go constant", "/go/example.com/hive@v1.2.3/Sting", "window.evil"},
		{"Go function", "/go/example.com/hive@v1.2.3/Hum", "window.evil"},
		{"Go type", "/go/example.com/hive@v1.2.3/Nest", "window.evil"},
		{"Go source", "/go/example.com/hive@v1.2.3/-/source/hive.go", "<script>window.evil"},
		{"Python package", "/python/hive@2.0.0/", "window.evil"},
		{"Python class", "/python/hive@2.0.0/Nest", "window.evil"},
		{"Python function", "/python/hive@2.0.0/hum", "window.evil"},
		{"Python source", "/python/hive@2.0.0/-/source/hive/__init__.py", "<script>window.evil"},
		{"Rust package", "/rust/comb@project/", "window.evil"},
		{"Rust struct", "/rust/comb@project/Comb", "window.evil"},
		{"Swift module", "/swift/Smoker@project/", "window.evil"},
		{"Swift method", "/swift/Smoker@project/Smoker.puff%28_:%29", "window.evil"},
	} {
		ok := t.Run(p.name, func(t *testing.T) {
			b.visit(t, own+p.path, 1280, "light")
			b.checkDeeds(t, own+p.path)
			if text := eval[string](t, b, `document.querySelector("main").textContent`); !strings.Contains(text, p.says) {
				t.Errorf("the page does not say %s:\n%.2000s", p.says, text)
			}
			b.shoot(t, "hostile "+p.name)
			b.checkQuiet(t, own)
		})
		if !ok {
			return // the browser may be elsewhere
		}
	}

	// Results of a search that the script writes.
	b.visit(t, own+"/npm/hive@1.0.0/", 1280, "light")
	b.run(t, chromedp.SendKeys("#q", "onerror"), chromedp.WaitVisible("#results li"))
	b.checkDeeds(t, own+"/npm/hive@1.0.0/")
	b.checkQuiet(t, own)

	out := filepath.Join(t.TempDir(), "site")
	export := exec.CommandContext(t.Context(), command, "web", "--project", dir, "--offline", "--export", out)
	export.Env = append(os.Environ(), "DOCENT_CACHE="+t.TempDir())
	if text, err := export.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	own = (&url.URL{Scheme: "file", Path: out}).String()
	n := 0
	for _, pattern := range []string{"index.html", "*/*/index.html", "*/*/*/index.html", "*/*/*.html", "*/*/-/*.html"} {
		names, err := filepath.Glob(filepath.Join(out, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			n++
			address := (&url.URL{Scheme: "file", Path: name}).String()
			b.visit(t, address, 1280, "light")
			b.checkDeeds(t, address)
		}
	}
	if n < 20 {
		t.Errorf("%d exported pages were visited", n)
	}
	b.checkQuiet(t, own)
}
