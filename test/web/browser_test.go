package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	browserdomain "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser is a tab that records what its pages do.
type browser struct {
	context.Context

	mu       sync.Mutex
	requests map[network.RequestID]string // that the policy let pass
	problems []string                     // errors of scripts, refusals by the policy, dialogs
}

// chromium returns the path of Chromium, or skips the test where there is none.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && name != "" {
			return found
		}
	}
	t.Skip("Chromium is not installed: install the package chromium, or name the program in CHROMIUM")
	return ""
}

// open starts a browser, or skips the test where there is none.
func open(t *testing.T) *browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.UserDataDir(t.TempDir()))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, stop := chromedp.NewExecAllocator(t.Context(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		cancel()
		stop()
	})
	b := &browser{Context: ctx, requests: map[network.RequestID]string{}}
	err := chromedp.Listen(ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			b.requests[e.RequestID] = e.Request.URL
		case *network.EventLoadingFailed:
			if e.BlockedReason == network.BlockedReasonCsp {
				delete(b.requests, e.RequestID)
			}
		case *runtime.EventExceptionThrown:
			b.problems = append(b.problems, e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			if e.Entry.Level == "error" && !strings.Contains(e.Entry.Text, "404 (Not Found)") {
				b.problems = append(b.problems, e.Entry.Text)
			}
		case *page.EventJavascriptDialogOpening:
			b.problems = append(b.problems, "dialog: "+e.Message)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	call(t, b, network.Enable, network.EnableParams{})
	return b
}

// call runs a command of the browser's protocol.
func call[P, R any](t *testing.T, b *browser, command cdp.Command[P, R], params P) {
	t.Helper()
	if _, err := chromedp.Call(b, command, params); err != nil {
		t.Fatal(err)
	}
}

// runTime is how long a series of actions may take, on a machine that is busy.
const runTime = time.Minute

// run runs actions and fails the test if one fails, or if they take longer than runTime.
func (b *browser) run(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b, runTime)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		text := ""
		if ctx.Err() != nil {
			text, _ = chromedp.Run(b, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText`))
		}
		t.Fatalf("%v\n%s", err, text)
	}
}

// visit opens a page in a window of a width and a color scheme.
func (b *browser) visit(t *testing.T, address string, width int64, scheme string) {
	t.Helper()
	call(t, b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	b.run(t, chromedp.EmulateViewport(width, 900), chromedp.Navigate(address))
}

// slash presses the key "/" as a keyboard does: a page that handles it stops the character.
func slash(t *testing.T, b *browser) {
	t.Helper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
		text := ""
		if kind == input.DispatchKeyEventTypeKeyDown {
			text = "/"
		}
		call(t, b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: "/", Code: "Slash", Text: text})
	}
	if eval[string](t, b, `document.activeElement.id`) != "q" {
		t.Error("the key / does not lead to the search field")
	}
}

// eval evaluates an expression of the page.
func eval[T any](t *testing.T, b *browser, expression string) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(b, runTime)
	defer cancel()
	out, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// checkQuiet fails the test if a page did something that it should not have done, or if
// anything was requested from elsewhere.
func (b *browser) checkQuiet(t *testing.T, own string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, problem := range b.problems {
		t.Errorf("the browser reports: %s", problem)
	}
	for _, r := range b.requests {
		if !strings.HasPrefix(r, own) && !strings.HasPrefix(r, "data:") && r != "about:blank" {
			t.Errorf("the browser requested %s", r)
		}
	}
	b.problems = nil
	clear(b.requests)
}

// fromNPM returns a directory in which npm has installed packages for the test, or the directory
// given by the environment variable. It skips the test if they cannot be installed.
func fromNPM(t *testing.T, variable string, packages ...string) string {
	t.Helper()
	if dir := os.Getenv(variable); dir != "" {
		return dir
	}
	name, _, _ := strings.Cut(packages[0], "@")
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skipf("%s is missing: install npm, or name a directory with node_modules/%s in %s", name, name, variable)
	}
	dir := t.TempDir()
	install := exec.CommandContext(t.Context(), npm, append([]string{"install", "--no-audit", "--no-fund", "--prefix", dir}, packages...)...)
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("%s cannot be installed: %v\n%s", name, err, out)
	}
	return dir
}

// axe returns the script of axe-core, which npm installs for the test.
func axe(t *testing.T) string {
	t.Helper()
	dir := fromNPM(t, "AXE", "axe-core@4")
	script, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	if err != nil { // AXE is the directory of the package itself.
		script, err = os.ReadFile(filepath.Join(dir, "axe.min.js"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// violation is a rule of accessibility that a page breaks.
type violation struct {
	ID    string `json:"id"`
	Help  string `json:"help"`
	Nodes []struct {
		HTML    string `json:"html"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

// checkAccessible fails the test for each violation that axe-core finds on the page.
func (b *browser) checkAccessible(t *testing.T, script, name string) {
	t.Helper()
	b.run(t, chromedp.Evaluate[chromedp.Void](script))
	text := eval[string](t, b, `axe.run(document, { preload: false }).then((r) => JSON.stringify(r.violations))`)
	var all []violation
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		t.Errorf("%s: %s: %s\n%s\n%s", name, v.ID, v.Help, v.Nodes[0].HTML, v.Nodes[0].Summary)
	}
}

// shoot writes a picture of the page to the directory given by SHOTS, if the variable is set.
func (b *browser) shoot(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("SHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+".png"), png, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestPages(t *testing.T) {
	b, script := open(t), axe(t)
	own := serve(t, project(t))
	for _, p := range pages {
		for _, look := range []struct {
			width  int64
			scheme string
		}{{1280, "light"}, {1280, "dark"}, {320, "light"}, {320, "dark"}} {
			name := fmt.Sprintf("%s %d %s", p.name, look.width, look.scheme)
			b.visit(t, own+p.path, look.width, look.scheme)
			b.checkAccessible(t, script, name)
			if width := eval[int64](t, b, `document.scrollingElement.scrollWidth`); width > look.width {
				t.Errorf("%s is %d pixels wide", name, width)
			}
			if dark := eval[bool](t, b, `(([r, g, b]) => r + g + b < 200)(getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number))`); dark != (look.scheme == "dark") {
				t.Errorf("%s: the background is dark: %v", name, dark)
			}
			if eval[bool](t, b, `!!window.evil || document.querySelectorAll("#main, #find, #q").length !== 3 || getComputedStyle(document.querySelector("main")).display === "none"`) {
				t.Errorf("%s: documentation has changed the page", name)
			}
			b.shoot(t, name)
		}
		b.checkQuiet(t, own)
	}
}

func TestHostileLinksLeadNowhere(t *testing.T) {
	b := open(t)
	own := serve(t, project(t))
	for _, path := range []string{"/npm/till@1.0.0/", "/npm/till@1.0.0/Till", "/python/easel@2.0.0/"} {
		b.visit(t, own+path, 1280, "light")
		schemes := eval[string](t, b, `[...new Set([...document.links].map((a) => a.protocol))].join(" ")`)
		if strings.Contains(schemes, "javascript") || strings.Contains(schemes, "data") {
			t.Errorf("%s has links with %s", path, schemes)
		}
		// The policy blocks content that the sanitizer does not remove.
		if eval[bool](t, b, `(() => {
			try {
				document.createElement("img").setAttribute("onerror", "window.evil = 1");
				return true;
			} catch {
				return false;
			}
		})()`) {
			t.Errorf("%s: the policy lets handlers pass", path)
		}
		refused := eval[bool](t, b, `new Promise((resolve) => {
			document.addEventListener("securitypolicyviolation", () => resolve(true), { once: true });
			const style = document.createElement("style");
			style.textContent = "main { display: none }";
			document.head.append(style);
			try { document.body.insertAdjacentHTML("beforeend", "<b>x</b>"); } catch { /* trusted types */ }
		})`)
		if !refused || eval[bool](t, b, `!!window.evil || getComputedStyle(document.querySelector("main")).display === "none"`) {
			t.Errorf("%s: the policy lets styles pass", path)
		}
	}
}

func TestSearch_ByKeyboard(t *testing.T) {
	b, script := open(t), axe(t)
	own := serve(t, project(t))
	b.visit(t, own+"/go/example.com/drawer@v1.2.3/", 1280, "light")
	slash(t, b)
	b.run(t, chromedp.SendKeys("#q", "push"), chromedp.WaitVisible("#results li"))
	b.checkAccessible(t, script, "results")
	b.shoot(t, "results")
	if text := eval[string](t, b, `document.getElementById("q").value + " finds " + document.querySelector("#results li .name").textContent`); text != "push finds Drawer.Push" {
		t.Errorf("it is %q", text)
	}
	b.run(t, chromedp.KeyEvent(kb.ArrowDown))
	if active := eval[string](t, b, `document.getElementById("q").getAttribute("aria-activedescendant")`); active != "result-0" {
		t.Errorf("the chosen result is %q", active)
	}
	b.run(t, chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible(`//h1[text()="Drawer.Push"]`))
	if at := eval[string](t, b, `location.pathname`); at != "/go/example.com/drawer@v1.2.3/Drawer.Push" {
		t.Errorf("Enter leads to %s", at)
	}
	slash(t, b)
	b.run(t, chromedp.SendKeys("#q", "push"), chromedp.WaitVisible("#results li"), chromedp.KeyEvent(kb.Escape), chromedp.WaitNotVisible("#results"))
	// In the whole project, packages are found by their names.
	eval[bool](t, b, `document.getElementById("in").value = "", document.getElementById("q").value = "", true`)
	b.run(t, chromedp.SendKeys("#q", "easel"), chromedp.WaitVisible(`//ul[@id="results"]/li/span[text()="easel"]`))
	b.checkQuiet(t, own)
}

func TestCopy_Examples(t *testing.T) {
	b := open(t)
	own := serve(t, project(t))
	call(t, b, browserdomain.SetPermission, browserdomain.SetPermissionParams{Permission: &browserdomain.PermissionDescriptor{Name: "clipboard-read"}, Setting: browserdomain.PermissionSettingGranted})
	for _, tt := range []struct{ path, frame, want string }{
		{"/npm/till@1.0.0/open", ".example .frame", "open({slow: true})\n"},
		{"/npm/till@1.0.0/-/doc/README.md", ".prose .frame", "const t = open()\n"},
		{"/npm/till@1.0.0/Till", ".frame:has(> .declaration)", "class Till\n"},
	} {
		b.visit(t, own+tt.path, 1280, "light")
		if !eval[bool](t, b, `!!document.querySelector("pre .kw")`) {
			t.Errorf("%s: code is not highlighted", tt.path)
		}
		b.run(t, chromedp.Click(tt.frame+" > .copy"), chromedp.WaitVisible(`//button[text()="Copied"]`))
		if got := eval[string](t, b, `navigator.clipboard.readText()`); !strings.HasSuffix(got, "\n") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: the copy is %q, want %q", tt.path, got, tt.want)
		}
	}
	b.checkQuiet(t, own)
}

func TestSource_FromSymbols(t *testing.T) {
	b := open(t)
	own := serve(t, project(t))
	b.visit(t, own+"/go/example.com/drawer@v1.2.3/Drawer.Push", 1280, "light")
	b.run(t, chromedp.Click(`.place a`), chromedp.WaitVisible(`.source`))
	if line := eval[string](t, b, `document.querySelector(":target").textContent`); !strings.HasPrefix(line, "20func (d *Drawer) Push(hard bool) error") {
		t.Errorf("the link leads to the line %q", line)
	}
	// A line that is clicked has its address; the numbers are not copied with the code.
	b.run(t, chromedp.Click(`#L1 > a`))
	if at := eval[string](t, b, `location.hash`); at != "#L1" {
		t.Errorf("a click on the number leads to %q", at)
	}
	if text := eval[string](t, b, `getSelection().selectAllChildren(document.querySelector(".source")), getSelection().toString()`); !strings.HasPrefix(text, "// Package drawer keeps things.\n//\n// # Use\n") {
		t.Errorf("the selected code is %q", text[:min(len(text), 200)])
	}
	// A line of another page of the file, by its anchor and without JavaScript.
	for _, link := range []string{"#L3000", "?line=3000"} {
		b.visit(t, own+"/go/net/http@project/-/source/net/http/server.go"+link, 1280, "light")
		b.run(t, chromedp.WaitVisible(`#L3000`))
		if at := eval[string](t, b, `location.pathname + location.hash`); !strings.HasSuffix(at, "/-/source-3/net/http/server.go#L3000") {
			t.Errorf("%s leads to %s", link, at)
		}
	}
	b.visit(t, own+"/go/example.com/drawer@v1.2.3/-/source/drawer.go", 1280, "light")
	b.run(t, chromedp.Click(`//nav[@aria-label="Declared here"]//a[code="Drawer.Push"]`), chromedp.WaitVisible(`//h1[text()="Drawer.Push"]`))
	b.checkQuiet(t, own)
}

func TestImages_OfThePackage(t *testing.T) {
	b := open(t)
	own := serve(t, project(t))
	b.visit(t, own+"/npm/till@1.0.0/-/doc/README.md", 1280, "light")
	const loaded = `Promise.all([...document.querySelectorAll(".prose img")].map((i) => { i.loading = "eager"; return i.decode().then(() => i.alt + " " + i.naturalWidth, () => i.alt + " is not loaded"); })).then((all) => all.join(", "))`
	if got := eval[string](t, b, loaded); got != "Logo 2, Chart 60, Trap 60" {
		t.Errorf("the images are %q", got)
	}
	if got := eval[string](t, b, `[...document.querySelectorAll(".prose span.image")].map((i) => i.textContent).join(", ")`); got != "Secret, Fake" {
		t.Errorf("as text: %q", got)
	}
	b.checkQuiet(t, own)
	for _, tt := range []struct{ name, path, want string }{
		{"Go", "/go/example.com/drawer@v1.2.3/", "Open 2"},
		{"npm", "/npm/till@1.0.0/", "Logo 2, Chart 60, Trap 60"},
		{"Python", "/python/easel@2.0.0/", ""}, // The README of a wheel is text in its metadata, and its images are not available.
		{"Rust", "/rust/brush@project/", "Hair 2"},
		{"Swift", "/swift/Kiln@project/", "Glow 60"},
	} {
		b.visit(t, own+tt.path, 1280, "light")
		if got := eval[string](t, b, loaded); got != tt.want {
			t.Errorf("%s: the images of the README are %q, want %q", tt.name, got, tt.want)
		}
		b.checkQuiet(t, own)
	}
	// An image that is opened by itself runs no script and loads nothing.
	b.visit(t, own+"/npm/till@1.0.0/-/file/art/trap.svg", 1280, "light")
	if eval[bool](t, b, `!!window.evil`) || eval[string](t, b, `document.documentElement.tagName + document.querySelectorAll("script").length`) != "svg1" {
		t.Error("the script of an image ran")
	}
	b.mu.Lock()
	b.problems = nil // These problems are the requests that the policy refused.
	b.mu.Unlock()
	b.checkQuiet(t, own)
}

func TestWithoutJavaScript(t *testing.T) {
	b := open(t)
	own := serve(t, project(t))
	call(t, b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.visit(t, own+"/npm/till@1.0.0/", 1280, "light")
	b.run(t, chromedp.SendKeys("#q", "count"), chromedp.Click("#find button"), chromedp.WaitVisible(".hits"), chromedp.Click(`//ol[@class="hits"]//a[code="Till.count"]`), chromedp.WaitVisible(`//h1[text()="Till.count"]`))
	b.run(t, chromedp.Click(`//pre[contains(@class,"declaration")]//a[text()="Options"]`), chromedp.WaitVisible(`//h1[text()="Options"]`))
	b.checkQuiet(t, own)
}

func TestExport_FromFiles(t *testing.T) {
	b, script := open(t), axe(t)
	out := filepath.Join(t.TempDir(), "a site")
	export := exec.CommandContext(t.Context(), command, "web", "--project", project(t), "--offline", "--export", out)
	export.Env = append(os.Environ(), "DOCENT_CACHE="+t.TempDir())
	if text, err := export.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	own := (&url.URL{Scheme: "file", Path: out}).String()
	b.visit(t, own+"/index.html", 1280, "dark")
	b.checkAccessible(t, script, "exported start page")
	slash(t, b)
	b.run(t, chromedp.SendKeys("#q", "count"), chromedp.WaitVisible("#results li"), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible(`//h1[text()="Till.count"]`))
	b.run(t, chromedp.Click(`//pre[contains(@class,"declaration")]//a[text()="Options"]`), chromedp.WaitVisible(`//h1[text()="Options"]`))
	b.run(t, chromedp.Click(`.place a`), chromedp.WaitVisible(`.source`))
	if line := eval[string](t, b, `document.querySelector(":target").textContent`); line != "1export interface Options { slow?: boolean }" {
		t.Errorf("the link to the source leads to the line %q", line)
	}
	b.visit(t, own+"/npm/till@1.0.0/-/README.md.html", 1280, "dark")
	if got := eval[string](t, b, `Promise.all([...document.querySelectorAll(".prose img")].map((i) => { i.loading = "eager"; return i.decode().then(() => i.alt); })).then((all) => all.join(", "))`); got != "Logo, Chart" {
		t.Errorf("the exported images are %q", got)
	}
	if _, err := os.Stat(filepath.Join(out, "npm", "till@1.0.0", "-", "art~2ftrap.svg")); err == nil {
		t.Error("an image with a script is exported")
	}
	if color := eval[string](t, b, `getComputedStyle(document.body).backgroundColor`); color != "rgb(18, 22, 28)" {
		t.Errorf("the style sheet is not used: the background is %s", color)
	}
	b.checkQuiet(t, own)
}
