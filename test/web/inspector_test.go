package web

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// inspect runs docent mcp ui for the server of the tests until the test ends, and returns the
// address of its pages.
func inspect(t *testing.T) string {
	t.Helper()
	return start(t, " the page is at ", "mcp", "ui", "--addr", "127.0.0.1:0", "--no-open", "--env", "INSPECTED=1", "--", os.Args[0])
}

// connected waits until the server has been connected and asked what it has.
func connected(t *testing.T, own string) {
	t.Helper()
	for t.Context().Err() == nil {
		resp, err := http.Get(own + "/prompts")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(body, []byte("name=greet")) {
			return
		}
	}
}

// has is an XPath of an element that shows a text.
func has(text string) string {
	return fmt.Sprintf(`//*[text()[contains(., %q)]]`, text)
}

// call opens the form of a tool and calls it.
func (b *browser) callTool(t *testing.T, own, tool string) {
	t.Helper()
	b.run(t, chromedp.Navigate(own+"/tools?name="+tool), chromedp.WaitVisible(`form.sheet button.primary`), chromedp.Click(`form.sheet button.primary`), chromedp.WaitVisible(`#request`))
}

// settle waits until the page is kept up to date.
var live = chromedp.WaitReady(`body[data-ready]`)

// forgive drops what the browser reports about answers with a status of a failure.
func (b *browser) forgive() {
	b.mu.Lock()
	defer b.mu.Unlock()
	var kept []string
	for _, problem := range b.problems {
		if !strings.Contains(problem, "the server responded with a status of") {
			kept = append(kept, problem)
		}
	}
	b.problems = kept
}

func TestInspector_Pages(t *testing.T) {
	b, script := open(t), axe(t)
	own := inspect(t)
	b.visit(t, own+"/tools", 1280, "light")
	b.run(t, chromedp.WaitVisible(has("Forecast")))
	b.callTool(t, own, "evil")
	b.callTool(t, own, "break")
	b.callTool(t, own, "slow")
	for _, tool := range []string{"ask", "sample", "visit"} {
		b.callTool(t, own, tool)
	}
	b.run(t, chromedp.Navigate(own+"/prompts?name=greet"), chromedp.SendKeys("#field-0", "Ada"), chromedp.Click(`form.sheet .actions button`), chromedp.WaitVisible(`#request`))
	questions := eval[[]string](t, b, `[...document.querySelectorAll("#waiting a")].map((a) => a.pathname)`)
	if len(questions) != 3 {
		t.Fatalf("there are the questions %v", questions)
	}
	host := own[:strings.LastIndexByte(own, '/')]
	for _, p := range []struct{ name, address string }{
		{"server", own + "/"}, {"tools", own + "/tools"}, {"tool", own + "/tools?name=forecast"}, {"evil tool", own + "/tools?name=evil"},
		{"missing tool", own + "/tools?name=nothing"}, {"result", own + "/requests/1"}, {"error", own + "/requests/2"}, {"running", own + "/requests/3"},
		{"prompt result", own + "/requests/7"}, {"again", own + "/tools?again=1"}, {"resources", own + "/resources"}, {"resource", own + "/resources?uri=doc://one"},
		{"template", own + "/resources?template=page://%7Bbook%7D/%7Bid%7D"}, {"prompts", own + "/prompts"}, {"prompt", own + "/prompts?name=greet"},
		{"requests", own + "/requests"}, {"tasks", own + "/tasks"}, {"questions", own + "/questions"}, {"form", host + questions[0]}, {"sampling", host + questions[1]}, {"page", host + questions[2]},
		{"roots", own + "/roots"}, {"messages", own + "/log"}, {"message", own + "/log/1"}, {"stderr", own + "/log?kind=stderr"}, {"nothing", own + "/requests/99"},
	} {
		for _, look := range []struct {
			width  int64
			scheme string
		}{{1280, "light"}, {1280, "dark"}, {320, "light"}, {320, "dark"}} {
			name := fmt.Sprintf("inspector %s %d %s", p.name, look.width, look.scheme)
			b.visit(t, p.address, look.width, look.scheme)
			b.run(t, live)
			eval[bool](t, b, `document.querySelectorAll("details").forEach((d) => { d.open = true; }), true`)
			b.checkAccessible(t, script, name)
			if width := eval[int64](t, b, `document.scrollingElement.scrollWidth`); width > look.width {
				t.Errorf("%s is %d pixels wide", name, width)
			}
			if dark := eval[bool](t, b, `(([r, g, b]) => r + g + b < 200)(getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number))`); dark != (look.scheme == "dark") {
				t.Errorf("%s: the background is dark: %v", name, dark)
			}
			if eval[bool](t, b, `!!window.evil || document.querySelectorAll("#main").length !== 1 || document.querySelectorAll("iframe, base, meta[http-equiv]").length > 0 || getComputedStyle(document.querySelector("main")).display === "none"`) {
				t.Errorf("%s: the server has changed the page", name)
			}
			if schemes := eval[string](t, b, `[...new Set([...document.links].map((a) => a.protocol))].join(" ")`); schemes != "http:" && schemes != "http: https:" && schemes != "https: http:" {
				t.Errorf("%s has links with %s", name, schemes)
			}
			b.shoot(t, name)
		}
	}
	b.visit(t, own+"/requests/1", 1280, "light")
	if got := eval[string](t, b, `[...document.querySelectorAll("#request img")].map((i) => i.complete && i.naturalWidth).join(" ")`); got != "320" {
		t.Errorf("the widths of the pictures are %q", got)
	}
	b.forgive()
	b.checkQuiet(t, own)
}

func TestInspector_CallsAToolFromItsForm(t *testing.T) {
	b, script := open(t), axe(t)
	own := inspect(t)
	b.visit(t, own+"/tools?name=forecast", 1280, "light") // The server may not be connected yet.
	b.run(t, chromedp.WaitVisible("#field-0"), chromedp.SetValue("#field-1", "x"), chromedp.Click(`form.sheet button.primary`), chromedp.WaitVisible(has("This is not of type integer.")))
	b.checkAccessible(t, script, "form with an error")
	b.shoot(t, "inspector form with an error")
	b.forgive()
	b.run(t,
		chromedp.SetValue("#field-1", "2"), chromedp.SendKeys("#field-0", "Turin"), chromedp.SetValue("#field-2", `"celsius"`),
		chromedp.Click(`#field-4 label:nth-of-type(2) input`), chromedp.SetValue("#field-5", "a\nb"), chromedp.SetValue("#field-6", `{"k": "v"}`),
		chromedp.Click(`form.sheet button.primary`), chromedp.WaitVisible(has("Structured content")),
	)
	const want = `{"city":"Turin","days":2,"unit":"celsius","parts":["wind"],"tags":["a","b"],"more":{"k":"v"}}`
	if got := eval[string](t, b, `JSON.stringify(JSON.parse([...document.querySelectorAll("#request pre")][0].textContent))`); got != want {
		t.Errorf("the result is %s", got)
	}
	b.run(t, chromedp.Click(`a.button`), chromedp.WaitVisible("#field-0"))
	if got := eval[string](t, b, `document.getElementById("field-0").value + document.getElementById("field-5").value`); got != "Turina\nb" {
		t.Errorf("the form is filled in again with %q", got)
	}
	b.checkQuiet(t, own)
}

func TestInspector_LiveParts(t *testing.T) {
	b, other := open(t), open(t)
	own := inspect(t)
	other.visit(t, own+"/tools", 1280, "light")
	other.run(t, chromedp.WaitVisible(has("Forecast")))
	b.visit(t, own+"/tools", 1280, "light")
	b.callTool(t, own, "slow")
	b.run(t, live, chromedp.WaitVisible(`#request progress`), chromedp.WaitVisible(has("half of it is done")))
	stays := func(when string) {
		t.Helper()
		if !eval[bool](t, b, `window.stays === true`) {
			t.Errorf("the page was loaded again %s", when)
		}
	}
	eval[bool](t, b, `window.stays = true`)
	other.callTool(t, own, "proceed")
	b.run(t, chromedp.WaitVisible(has("all of it is done")))
	stays("for a result")
	if said := eval[string](t, b, `document.getElementById("status").textContent`); said != "slow is done" {
		t.Errorf("the page says %q", said)
	}

	// A question appears on a page while the user types, and disappears when it is answered.
	b.run(t, chromedp.Navigate(own+"/tools?name=forecast"), live, chromedp.SendKeys("#field-0", "Tur"))
	eval[bool](t, b, `window.stays = true`)
	other.callTool(t, own, "ask")
	b.run(t, chromedp.WaitVisible(`#waiting a`), chromedp.SendKeys("#field-0", "in"))
	if typed := eval[string](t, b, `document.getElementById("field-0").value`); typed != "Turin" {
		t.Errorf("the field has %q", typed)
	}
	other.run(t, chromedp.Click(`#waiting a`), chromedp.WaitVisible("#field-0"), chromedp.SendKeys("#field-0", "Ada"), chromedp.Click(`form.sheet button.primary`), chromedp.WaitVisible(has("No pending questions.")))
	b.run(t, chromedp.WaitNotPresent(`#waiting a`))

	// New tools and messages appear; what is unfolded stays so.
	other.callTool(t, own, "grow")
	b.run(t, chromedp.WaitVisible(has("sprout")))
	stays("for a list")
	b.run(t, chromedp.Navigate(own+"/log"), live, chromedp.Click(`#entries li:nth-child(2) summary`), chromedp.WaitVisible(`#entries li:nth-child(2) pre`))
	eval[bool](t, b, `window.stays = true`)
	first := eval[string](t, b, `document.querySelector("#entries li").id`)
	other.run(t, chromedp.Navigate(own+"/"), chromedp.Click(`form[action$="/ping"] button`), chromedp.WaitVisible(`#request`))
	b.run(t, chromedp.WaitReady(fmt.Sprintf(`#entries li:not(#%s) ~ #%[1]s`, first)))
	if !eval[bool](t, b, `document.querySelectorAll("#entries details[open]").length === 1`) {
		t.Error("what was unfolded is no longer")
	}
	stays("for messages")
	b.checkQuiet(t, own)
	other.checkQuiet(t, own)
}

func TestInspector_Completion(t *testing.T) {
	b := open(t)
	own := inspect(t)
	b.visit(t, own+"/prompts", 1280, "light")
	b.run(t, chromedp.WaitVisible(has("greet")), chromedp.Navigate(own+"/prompts?name=greet"), chromedp.SendKeys("#field-0", "al"), chromedp.WaitReady(`#field-0-list option[value="Alan"]`))
	if options := eval[int](t, b, `document.querySelectorAll("#field-0-list option").length`); options != 1 {
		t.Errorf("%d values are suggested", options)
	}
	// Enter sends the form, and does not request suggestions.
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
		text := ""
		if kind == input.DispatchKeyEventTypeKeyDown {
			text = "\r"
		}
		call(t, b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: "Enter", Code: "Enter", Text: text, WindowsVirtualKeyCode: 13})
	}
	b.run(t, chromedp.WaitVisible(`#request`))
	b.checkQuiet(t, own)
}

func TestInspector_WithoutJavaScript(t *testing.T) {
	b := open(t)
	own := inspect(t)
	call(t, b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	connected(t, own)
	b.visit(t, own+"/prompts?name=greet", 1280, "light")
	b.run(t, chromedp.SendKeys("#field-0", "al"), chromedp.Click(`button.suggest`), chromedp.WaitVisible(`.suggestions code`), chromedp.SetValue("#field-0", "Alan"), chromedp.Click(`form.sheet .actions button`), chromedp.WaitVisible(has("Hello, Alan")))
	b.callTool(t, own, "ask")
	b.run(t, chromedp.Click(`#waiting a`), chromedp.SendKeys("#field-0", "Ada"), chromedp.Click(`form.sheet button.primary`), chromedp.WaitVisible(has("No pending questions.")))
	b.run(t, chromedp.Navigate(own+"/requests/2"), chromedp.WaitVisible(has("accept {Name:Ada Color:red}")))
	b.forgive()
	b.checkQuiet(t, own)
}

func TestInspector_OtherSitesCannotUseIt(t *testing.T) {
	b := open(t)
	own := inspect(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<form id="act" method="post" action="%s/ping"></form><form id="bare" method="post" action="%[1]s/tools" rel="noreferrer"><input name="name" value="grow"></form>`, own)
	}))
	t.Cleanup(site.Close)
	b.visit(t, own+"/tools", 1280, "light")
	b.run(t, chromedp.WaitVisible(has("Forecast")))
	// The test uses the correct token, as an attacker would who had learned it.
	for _, attempt := range []string{
		`fetch(%q, { method: "POST", mode: "no-cors" }).then((r) => r.type, () => "refused")`,
		`fetch(%q, { method: "POST" }).then(() => "read", () => "refused")`,
		`fetch(%q).then(() => "read", () => "refused")`,
		`new Promise((resolve) => { const s = new EventSource(%q.replace("/ping", "/events")); s.onopen = () => resolve("open"); s.onerror = () => resolve("refused"); })`,
		`new Promise((resolve) => { const s = document.createElement("script"); s.onload = () => resolve("loaded"); s.onerror = () => resolve("refused"); s.src = %q.replace("/ping", "/assets/theme.js"); document.body.append(s); })`,
	} {
		b.visit(t, site.URL, 1280, "light")
		if got := eval[string](t, b, fmt.Sprintf(attempt, own+"/ping")); got != "refused" && got != "opaque" {
			t.Errorf("%s: %s", attempt, got)
		}
	}
	for _, form := range []string{"act", "bare"} {
		b.visit(t, site.URL, 1280, "light")
		eval[bool](t, b, fmt.Sprintf(`document.getElementById(%q).submit(), true`, form))
		b.run(t, chromedp.WaitVisible(`//*[contains(., "Forbidden origin")]`))
	}
	b.visit(t, own+"/requests", 1280, "light")
	if !eval[bool](t, b, `document.querySelector("main").textContent.includes("None yet.")`) {
		t.Error("another site has made the inspector send a request")
	}
}
