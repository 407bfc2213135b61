package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/apps"
)

// hostPage is a host of MCP apps in a web page: it passes messages between the sandbox, which is in another
// origin, and the bridge in this process.
const hostPage = `<!doctype html><title>Host</title><style>body{margin:0}iframe{border:0;width:600px;height:300px}</style><body>
<script>
const frame = document.createElement("iframe");
frame.allow = "ALLOW";
frame.src = "SANDBOX";
let last = Promise.resolve();
addEventListener("message", event => {
  if (event.source !== frame.contentWindow || !event.data.jsonrpc) return;
  if (event.data.method === "ui/notifications/sandbox-proxy-ready") {
    fetch("/view").then(r => r.text()).then(html =>
      frame.contentWindow.postMessage({jsonrpc: "2.0", method: "ui/notifications/sandbox-resource-ready", params: {html}}, "*"));
    return;
  }
  last = last.then(() => fetch("/message", {method: "POST", body: JSON.stringify(event.data)}));
});
new EventSource("/messages").onmessage = event => frame.contentWindow.postMessage(JSON.parse(event.data), "*");
document.body.append(frame);
</script>`

// sandboxPage has the view in a frame of an origin of its own, under the policy of the sandbox.
const sandboxPage = `<!doctype html><title>Sandbox</title><style>body{margin:0}iframe{border:0;width:100%;height:300px}</style>
<script>
const inner = document.createElement("iframe");
inner.sandbox = "allow-scripts";
addEventListener("message", event => {
  if (event.source === inner.contentWindow) { parent.postMessage(event.data, "*"); return; }
  if (event.source !== parent) return;
  if (event.data === "focused") { parent.postMessage({focused: document.activeElement === inner}, "*"); return; }
  if (event.data.method === "ui/notifications/sandbox-resource-ready") { inner.srcdoc = event.data.params.html; return; }
  inner.contentWindow.postMessage(event.data, "*");
});
addEventListener("DOMContentLoaded", () => {
  document.body.append(inner);
  parent.postMessage({jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {}}, "*");
});
</script><body>`

// appHost is a minimal host.
type appHost struct {
	url    string
	bridge *apps.Bridge
	logs   chan string // log messages of the view
	sizes  chan float64
	facts  chan string // what the view has told the model
}

// startHost shows a view of a server.
func startHost(t *testing.T, c *mcp.Client, view *apps.View, tool *mcp.Tool) *appHost {
	t.Helper()
	h := &appHost{logs: make(chan string, 100), sizes: make(chan float64, 100), facts: make(chan string, 100)}
	messages := make(chan json.RawMessage, 100)
	h.bridge = apps.NewBridge(c, func(m json.RawMessage) { messages <- m }, &apps.BridgeOptions{
		Host: mcp.Implementation{Name: "host", Version: "1"}, View: view, Tool: tool,
		Context:     map[string]any{"theme": "dark", "displayMode": "inline", "styles": map[string]any{"variables": map[string]string{"--color-text-primary": "rgb(240, 240, 240)"}}},
		Log:         func(_ string, data json.RawMessage) { h.logs <- string(data) },
		SizeChanged: func(_, height float64) { h.sizes <- height },
		UpdateContext: func(_ context.Context, _, structured json.RawMessage) error {
			h.facts <- string(structured)
			return nil
		},
	})
	t.Cleanup(h.bridge.Close)
	sandbox := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", view.Policy())
		_, _ = io.WriteString(w, sandboxPage)
	}))
	t.Cleanup(sandbox.Close)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, strings.NewReplacer("SANDBOX", sandbox.URL, "ALLOW", view.Allow(apps.Permissions{})).Replace(hostPage))
	})
	mux.HandleFunc("GET /view", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, view.HTML) })
	mux.HandleFunc("POST /message", func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			h.bridge.Receive(body)
		}
	})
	mux.HandleFunc("GET /messages", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			w.(http.Flusher).Flush()
			select {
			case m := <-messages:
				fmt.Fprintf(w, "data: %s\n\n", m)
			case <-r.Context().Done():
				return
			}
		}
	})
	page := httptest.NewServer(mux)
	t.Cleanup(func() {
		page.CloseClientConnections()
		page.Close()
	})
	h.url = page.URL
	return h
}

// wait returns what the view sends next.
func wait[T any](t *testing.T, b *browser, from chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(runTime):
		b.mu.Lock()
		defer b.mu.Unlock()
		t.Fatalf("the view sends nothing; the browser reports: %q", b.problems)
		panic("unreachable")
	}
}

// pressButton presses the button of the chart as a keyboard does. focused is an expression of the host's page that tells
// whether the frame of the chart has the focus: a frame in a process of its own gets clicks once it has been painted.
func pressButton(t *testing.T, b *browser, focused string) {
	t.Helper()
	for has := false; !has; has = eval[bool](t, b, focused) {
		b.run(t, chromedp.MouseClickXY(300, 20))
	}
	b.run(t, chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
}

// startChart starts the example and calls its tool.
func startChart(t *testing.T) (c *mcp.Client, view *apps.View, tool *mcp.Tool, arguments map[string]any, result *mcp.CallToolResult) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "chart")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "github.com/docent-mcp/docent/examples/chart").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c, err := mcp.Connect(t.Context(), &mcp.CommandTransport{Command: program}, &mcp.ClientOptions{Extensions: map[string]any{apps.ID: apps.Settings()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	for one, err := range c.Tools(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if one.Name == "show_chart" {
			tool = one
		}
	}
	if view, err = apps.Read(t.Context(), c, apps.LinkOf(tool).URI); err != nil {
		t.Fatal(err)
	}
	arguments = map[string]any{"title": "Apples <b>", "bars": []any{map[string]any{"label": "May", "value": 2}, map[string]any{"label": "June", "value": 3}, map[string]any{"label": "July", "value": 1}}}
	if result, err = c.CallTool(t.Context(), "show_chart", arguments, nil); err != nil {
		t.Fatal(err)
	}
	return c, view, tool, arguments, result
}

func TestApps_ChartInOurHost(t *testing.T) {
	b := open(t)
	c, view, tool, arguments, result := startChart(t)
	h := startHost(t, c, view, tool)
	if err := h.bridge.ToolInput(arguments); err != nil {
		t.Fatal(err)
	}
	if err := h.bridge.ToolResult(result); err != nil {
		t.Fatal(err)
	}
	b.visit(t, h.url+"/", 800, "light")
	if got := wait(t, b, h.logs); got != `{"drawn":"Apples <b>","bars":3,"height":160}` {
		t.Errorf("drawn: %s", got)
	}
	if height := wait(t, b, h.sizes); height < 160 {
		t.Errorf("the page is %v pixels high", height)
	}
	b.shoot(t, "chart")
	pressButton(t, b, `new Promise(resolve => {
		addEventListener("message", event => resolve(event.data.focused === true), {once: true});
		frame.contentWindow.postMessage("focused", "*");
	})`)
	if got := wait(t, b, h.logs); got != `{"drawn":"100 rolls","bars":6,"height":160}` {
		t.Errorf("drawn after the button: %s", got)
	}
	if got := wait(t, b, h.facts); !strings.Contains(got, `"title":"100 rolls"`) {
		t.Errorf("told to the model: %s", got)
	}
	if err := h.bridge.Teardown(t.Context(), "the test ends"); err != nil {
		t.Error(err)
	}
	b.checkQuiet(t, "http://127.0.0.1:")
}

// TestApps_HostileView shows a page that tries to reach the network, the host's page and tools that are not for it.
func TestApps_HostileView(t *testing.T) {
	b := open(t)
	reached := make(chan string, 100)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { reached <- r.URL.Path }))
	defer elsewhere.Close()
	s := mcp.NewServer(mcp.Implementation{Name: "hostile", Version: "1"}, nil)
	mcp.Must(apps.Add(s, apps.View{URI: "ui://hostile/view", Name: "view", HTML: apps.WithScript(strings.ReplaceAll(`<!doctype html><html><head></head><body>
<img src="ELSEWHERE/image"><script src="ELSEWHERE/script"></script><link rel=stylesheet href="ELSEWHERE/style"><iframe src="ELSEWHERE/frame"></iframe>
<form id=form action="ELSEWHERE/form" method=post></form>
<script>
(async () => {
  const app = await mcpApp.connect({name: "hostile", version: "1"}), got = [];
  const attempt = async (name, action) => { try { await action(); got.push(name); } catch (error) {} };
  await attempt("fetch", () => fetch("ELSEWHERE/fetch"));
  await attempt("beacon", () => { if (!navigator.sendBeacon("ELSEWHERE/beacon")) throw 0; });
  await attempt("parent", () => parent.document.title);
  await attempt("top", () => top.document.title);
  await attempt("storage", () => localStorage.setItem("a", "b"));
  await attempt("cookie", () => { document.cookie = "a=b"; if (!document.cookie) throw 0; });
  await attempt("navigation", () => { top.location = "ELSEWHERE/navigation"; });
  await attempt("tool", () => app.callTool("secret"));
  await attempt("link", () => app.openLink("javascript:alert(1)"));
  form.submit();
  app.log("info", got.join(" "));
})();
</script></body></html>`, "ELSEWHERE", elsewhere.URL))}))
	mcp.Must(mcp.AddFunc(s, apps.Link(mcp.Tool{Name: "secret"}, "", apps.ForModel), func(context.Context, struct{}) (string, error) {
		t.Error("the view has called a tool that is only for the model")
		return "", nil
	}))
	c, err := mcp.Connect(t.Context(), &mcp.ServerTransport{Server: s}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	view, err := apps.Read(t.Context(), c, "ui://hostile/view")
	if err != nil {
		t.Fatal(err)
	}
	h := startHost(t, c, view, nil)
	b.visit(t, h.url+"/", 800, "light")
	if got := wait(t, b, h.logs); got != `""` && got != `"beacon"` { // The browser queues a beacon, and refuses it afterwards.
		t.Errorf("the view has reached %s", got)
	}
	b.run(t, chromedp.Evaluate[chromedp.Void](`new Promise(r => setTimeout(r))`))
	if at := eval[string](t, b, `location.href`); at != h.url+"/" {
		t.Errorf("the view has led the host to %s", at)
	}
	select {
	case path := <-reached:
		t.Errorf("the view has reached %s elsewhere", path)
	default:
	}
}

// officialSDK installs the official SDK of MCP apps and bundles a script that uses it.
func officialSDK(t *testing.T, script string) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed, so the official SDK cannot be: install Node.js")
	}
	dir := os.Getenv("EXT_APPS") // EXT_APPS is a directory in which the package is installed.
	if dir == "" {
		dir = t.TempDir()
		install := exec.CommandContext(t.Context(), npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", dir,
			"@modelcontextprotocol/ext-apps@2.0.4", "@modelcontextprotocol/client@2.4.0", "@modelcontextprotocol/core@2.4.0", "@modelcontextprotocol/server@2.4.0", "zod@4.6.7", "esbuild@0.28.2")
		if out, err := install.CombinedOutput(); err != nil {
			t.Skipf("the official SDK cannot be installed: %v\n%s", err, out)
		}
	}
	bundle := exec.CommandContext(t.Context(), filepath.Join(dir, "node_modules", ".bin", "esbuild"), "--bundle", "--format=iife", "--loader=js", "--log-level=warning")
	bundle.Dir = dir
	bundle.Stdin = strings.NewReader(script)
	bundle.Stderr = os.Stderr
	out, err := bundle.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestApps_ChartInTheOfficialHost shows the example's view with the host's side of the official SDK.
func TestApps_ChartInTheOfficialHost(t *testing.T) {
	b := open(t)
	script := officialSDK(t, `
import {AppBridge, PostMessageTransport} from "@modelcontextprotocol/ext-apps/app-bridge";
(async () => {
  const {html, policy, input, result} = await (await fetch("/start")).json();
  const frame = document.getElementById("frame");
  window.seen = [];
  const bridge = new AppBridge(null, {name: "official", version: "1"}, {serverTools: {}, updateModelContext: {text: {}, structuredContent: {}}, logging: {}}, {hostContext: {theme: "dark"}});
  bridge.onloggingmessage = message => seen.push("log " + JSON.stringify(message.data));
  bridge.onsizechange = size => seen.push("size " + (size.height >= 160));
  bridge.onupdatemodelcontext = async params => { seen.push("context " + params.structuredContent.title); return {}; };
  bridge.oncalltool = async params => (await fetch("/call", {method: "POST", body: JSON.stringify(params)})).json();
  bridge.oninitialized = () => { seen.push("initialized " + bridge.getAppVersion().name); bridge.sendToolInput({arguments: input}); bridge.sendToolResult(result); };
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  window.teardown = () => bridge.teardownResource({}).then(() => seen.push("torn down"), error => seen.push("teardown: " + error));
  frame.srcdoc = html;
})();`)
	c, view, _, arguments, result := startChart(t)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<!doctype html><title>Host</title><style>body{margin:0}iframe{border:0;width:600px;height:300px}</style><iframe id="frame" sandbox="allow-scripts"></iframe><script src="/host.js"></script>`)
	})
	mux.HandleFunc("GET /host.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, script)
	})
	mux.HandleFunc("GET /start", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"html": view.HTML, "policy": view.Policy(), "input": arguments, "result": result})
	})
	mux.HandleFunc("POST /call", func(w http.ResponseWriter, r *http.Request) {
		var p struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}
		if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
			t.Error(err)
		}
		result, err := c.CallTool(r.Context(), p.Name, p.Arguments, nil)
		if err != nil {
			t.Error(err)
		}
		_ = json.NewEncoder(w).Encode(result)
	})
	host := httptest.NewServer(mux)
	defer host.Close()
	b.visit(t, host.URL+"/", 800, "light")
	seen := func(text string) {
		t.Helper()
		b.run(t, chromedp.Poll[chromedp.Void](fmt.Sprintf(`(window.seen || []).includes(%q)`, text)))
	}
	seen("initialized chart")
	seen(`log {"drawn":"Apples <b>","bars":3,"height":160}`)
	seen("size true")
	pressButton(t, b, `document.activeElement === frame`)
	seen(`log {"drawn":"100 rolls","bars":6,"height":160}`)
	seen("context 100 rolls")
	eval[bool](t, b, `teardown(), true`)
	seen("torn down")
	b.checkQuiet(t, host.URL)
}

// TestApps_OfficialViewInOurHost shows a view that is written with the official SDK.
func TestApps_OfficialViewInOurHost(t *testing.T) {
	b := open(t)
	script := officialSDK(t, `
import {App} from "@modelcontextprotocol/ext-apps";
(async () => {
  const app = new App({name: "official", version: "1"}, {});
  const got = [];
  app.ontoolinput = params => got.push("input " + params.arguments.text);
  app.ontoolresult = async params => {
    got.push("result " + params.content[0].text);
    const answer = await app.callServerTool({name: "echo", arguments: {text: "again"}});
    got.push("call " + answer.content[0].text);
    try { await app.callServerTool({name: "secret", arguments: {}}); } catch (error) { got.push("refused"); }
    got.push("host " + app.getHostVersion().name + " " + app.getHostContext().theme);
    await app.updateModelContext({structuredContent: {a: 1}});
    await app.sendLog({level: "info", data: got.join(", ")});
  };
  await app.connect();
})();`)
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	echo := func(_ context.Context, in struct {
		Text string `json:"text"`
	}) (string, error) {
		return in.Text, nil
	}
	page := "<!doctype html><html><head></head><body><p>official</p><script>" + strings.ReplaceAll(script, "</script", `<\/script`) + "</script></body></html>"
	mcp.Must(apps.Add(s, apps.View{URI: "ui://test/view", Name: "view", HTML: page}))
	mcp.Must(mcp.AddFunc(s, apps.Link(mcp.Tool{Name: "echo"}, "ui://test/view"), echo))
	mcp.Must(mcp.AddFunc(s, apps.Link(mcp.Tool{Name: "secret"}, "", apps.ForModel), echo))
	c, err := mcp.Connect(t.Context(), &mcp.ServerTransport{Server: s}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	view, err := apps.Read(t.Context(), c, "ui://test/view")
	if err != nil {
		t.Fatal(err)
	}
	result, err := c.CallTool(t.Context(), "echo", map[string]any{"text": "hi"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := startHost(t, c, view, &mcp.Tool{Name: "echo"})
	if err := h.bridge.ToolInput(map[string]any{"text": "hi"}); err != nil {
		t.Fatal(err)
	}
	if err := h.bridge.ToolResult(result); err != nil {
		t.Fatal(err)
	}
	b.visit(t, h.url+"/", 800, "light")
	if got := wait(t, b, h.logs); got != `"input hi, result hi, call again, refused, host host dark"` {
		t.Errorf("the view says %s", got)
	}
	if got := wait(t, b, h.facts); got != `{"a":1}` {
		t.Errorf("told to the model: %s", got)
	}
}
