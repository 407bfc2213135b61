package apps_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/apps"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

func newServer() *mcp.Server {
	return mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
}

func TestView_RoundTrip(t *testing.T) {
	s := newServer()
	border := false
	v := apps.View{URI: "ui://test/view", Name: "view", Title: "A view", HTML: "<!doctype html><p>hi", Metadata: apps.Metadata{
		CSP:         apps.CSP{Connect: []string{"https://api.example.com", "wss://live.example.com:8443"}, Resource: []string{"https://*.example.com"}},
		Permissions: apps.Permissions{Camera: true, ClipboardWrite: true}, Domain: "x.example.com", PrefersBorder: &border,
	}}
	if err := apps.Add(s, v); err != nil {
		t.Fatal(err)
	}
	mcptest.EachRevision(t, s, nil, func(t *testing.T, revision string, c *mcp.Client) {
		got, err := apps.Read(t.Context(), c, v.URI)
		if err != nil {
			t.Fatal(err)
		}
		if got.HTML != v.HTML {
			t.Errorf("page: %q", got.HTML)
		}
		if revision >= "2025-06-18" && (fmt.Sprint(got.CSP) != fmt.Sprint(v.CSP) || got.Permissions != v.Permissions || got.Domain != v.Domain || got.PrefersBorder == nil || *got.PrefersBorder) {
			t.Errorf("metadata: %+v", got.Metadata)
		}
	})
	c := mcptest.Connect(t, s, nil)
	raw, err := c.Call(t.Context(), "resources/read", map[string]string{"uri": v.URI}, nil)
	want := `"_meta":{"ui":{"csp":{"connectDomains":["https://api.example.com","wss://live.example.com:8443"],"resourceDomains":["https://*.example.com"]},"permissions":{"camera":{},"clipboardWrite":{}},"domain":"x.example.com","prefersBorder":false}}`
	if err != nil || !strings.Contains(string(raw), want) || !strings.Contains(string(raw), `"mimeType":"text/html;profile=mcp-app"`) {
		t.Errorf("wire: %s, %v", raw, err)
	}
}

func TestPolicy(t *testing.T) {
	if got, want := (apps.Metadata{}).Policy(), "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; "+
		"media-src 'self' data:; connect-src 'none'; frame-src 'none'; base-uri 'none'; object-src 'none'; form-action 'none'"; got != want {
		t.Errorf("without hosts: %s", got)
	}
	m := apps.Metadata{CSP: apps.CSP{Connect: []string{"https://a.example"}, Resource: []string{"https://b.example"}, Frame: []string{"https://c.example"}, BaseURI: []string{"https://d.example"}}}
	for _, part := range []string{"connect-src https://a.example;", "script-src 'self' 'unsafe-inline' https://b.example;", "frame-src https://c.example;", "base-uri https://d.example;"} {
		if !strings.Contains(m.Policy(), part) {
			t.Errorf("%s lacks %s", m.Policy(), part)
		}
	}
	m.Permissions = apps.Permissions{Camera: true, Microphone: true}
	if got := m.Allow(apps.Permissions{Camera: true, Geolocation: true}); got != "camera" {
		t.Errorf("allow: %q", got)
	}
}

func TestAdd_Errors(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(v *apps.View)
		want   string
	}{
		"another scheme":     {func(v *apps.View) { v.URI = "https://example.com" }, "must begin with ui://"},
		"no name in the URI": {func(v *apps.View) { v.URI = "ui:///x" }, "must begin with ui://"},
		"an empty page":      {func(v *apps.View) { v.HTML = " \n" }, "is empty"},
		"not UTF-8":          {func(v *apps.View) { v.HTML = "\xff" }, "not UTF-8"},
		"a large page":       {func(v *apps.View) { v.HTML = strings.Repeat("x", 9<<20) }, "more than 8388608 bytes"},
		"a keyword":          {func(v *apps.View) { v.CSP.Resource = []string{"'unsafe-eval'"} }, "is not a host"},
		"a directive":        {func(v *apps.View) { v.CSP.Connect = []string{"https://a.example; script-src *"} }, "is not a host"},
		"all hosts":          {func(v *apps.View) { v.CSP.Connect = []string{"*"} }, "is not a host"},
		"all of a scheme":    {func(v *apps.View) { v.CSP.Connect = []string{"https:"} }, "is not a host"},
		"data":               {func(v *apps.View) { v.CSP.Frame = []string{"data:"} }, "is not a host"},
		"a path":             {func(v *apps.View) { v.CSP.BaseURI = []string{"https://a.example/x"} }, "is not a host"},
		"many hosts":         {func(v *apps.View) { v.CSP.Connect = make([]string, 65) }, "more than 64 hosts"},
	} {
		v := apps.View{URI: "ui://a/b", Name: "b", HTML: "<p>"}
		tt.change(&v)
		if err := apps.Add(newServer(), v); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; want %q", name, err, tt.want)
		}
	}
}

func TestRead_HostileServers(t *testing.T) {
	for name, tt := range map[string]struct {
		contents mcp.ResourceContents
		want     string
	}{
		"another MIME type": {mcp.ResourceContents{MIMEType: "text/html", Text: "<p>"}, "the MIME type is"},
		"another resource":  {mcp.ResourceContents{URI: "ui://a/c", MIMEType: apps.MIMEType, Text: "<p>"}, "another resource"},
		"a policy":          {mcp.ResourceContents{MIMEType: apps.MIMEType, Text: "<p>", Meta: mcp.Meta{"ui": map[string]any{"csp": map[string]any{"connectDomains": []string{"*; script-src *"}}}}}, "is not a host"},
		"another type":      {mcp.ResourceContents{MIMEType: apps.MIMEType, Text: "<p>", Meta: mcp.Meta{"ui": "x"}}, "malformed"},
		"binary":            {mcp.ResourceContents{MIMEType: apps.MIMEType, Blob: []byte("\xff")}, "not UTF-8"},
		"no page":           {mcp.ResourceContents{MIMEType: apps.MIMEType}, "is empty"},
	} {
		s := newServer()
		mcp.Must(s.AddResource(mcp.Resource{URI: "ui://a/b", Name: "b", MIMEType: apps.MIMEType}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{tt.contents}, nil
		}))
		if _, err := apps.Read(t.Context(), mcptest.Connect(t, s, nil), "ui://a/b"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; want %q", name, err, tt.want)
		}
	}
	if _, err := apps.Read(t.Context(), mcptest.Connect(t, newServer(), nil), "https://a/b"); err == nil {
		t.Error("another scheme was read")
	}
}

func TestLinkOf(t *testing.T) {
	for name, tt := range map[string]struct {
		meta mcp.Meta
		want apps.ToolLink
	}{
		"no link":            {nil, apps.ToolLink{"", true, true}},
		"a view":             {apps.Link(mcp.Tool{}, "ui://a/b").Meta, apps.ToolLink{"ui://a/b", true, true}},
		"for views":          {apps.Link(mcp.Tool{}, "ui://a/b", apps.ForView).Meta, apps.ToolLink{"ui://a/b", false, true}},
		"for the model":      {apps.Link(mcp.Tool{}, "", apps.ForModel).Meta, apps.ToolLink{"", true, false}},
		"the form of old":    {mcp.Meta{"ui/resourceUri": "ui://a/b"}, apps.ToolLink{"ui://a/b", true, true}},
		"both forms":         {mcp.Meta{"ui/resourceUri": "ui://a/old", "ui": map[string]any{"resourceUri": "ui://a/b"}}, apps.ToolLink{"ui://a/b", true, true}},
		"another scheme":     {mcp.Meta{"ui": map[string]any{"resourceUri": "https://a"}}, apps.ToolLink{"", true, true}},
		"for nobody":         {mcp.Meta{"ui": map[string]any{"visibility": []string{}}}, apps.ToolLink{"", false, false}},
		"a wrong visibility": {mcp.Meta{"ui": map[string]any{"visibility": "app"}}, apps.ToolLink{"", false, false}},
	} {
		if got := apps.LinkOf(&mcp.Tool{Meta: tt.meta}); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
	other := mcp.Meta{"com.example/x": 1}
	if linked := apps.Link(mcp.Tool{Meta: other}, "ui://a/b"); len(linked.Meta) != 2 || len(other) != 1 {
		t.Errorf("other metadata: %v, %v", linked.Meta, other)
	}
}

func TestSupported(t *testing.T) {
	s := newServer()
	mcp.Must(mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(_ context.Context, r *mcp.Request, _ struct{}) (bool, error) { return apps.Supported(r), nil }))
	for _, tt := range []struct {
		extensions map[string]any
		want       bool
	}{
		{nil, false},
		{map[string]any{apps.ID: apps.Settings()}, true},
		{map[string]any{apps.ID: map[string]any{"mimeTypes": []string{"text/plain"}}}, false},
	} {
		c := mcptest.Connect(t, s, &mcp.ClientOptions{Extensions: tt.extensions})
		if got, err := mcp.CallTool[bool](t.Context(), c, "ask", nil, nil); err != nil || got != tt.want {
			t.Errorf("%v: %t, %v", tt.extensions, got, err)
		}
	}
}

func TestWithScript(t *testing.T) {
	for page, want := range map[string]string{
		"<!DOCTYPE html><html><HEAD><title>": "<!DOCTYPE html><html><HEAD><script>",
		"<html><body>":                       "<html><script>",
		"<!doctype html><p>":                 "<!doctype html><script>",
		"<p>":                                "<script>",
	} {
		if got := apps.WithScript(page); !strings.HasPrefix(got, want) || !strings.Contains(got, "</script>") {
			t.Errorf("%s: %.60s", page, got)
		}
	}
}

// frame simulates the frame in which a host shows a view.
type frame struct {
	t        *testing.T
	bridge   *apps.Bridge
	messages chan map[string]any
}

func newFrame(t *testing.T, s *mcp.Server, opts *apps.BridgeOptions) *frame {
	t.Helper()
	f := &frame{t: t, messages: make(chan map[string]any, 100)}
	f.bridge = apps.NewBridge(mcptest.Connect(t, s, nil), func(message json.RawMessage) {
		var m map[string]any
		if err := json.Unmarshal(message, &m); err != nil {
			t.Error(err)
		}
		f.messages <- m
	}, opts)
	t.Cleanup(f.bridge.Close)
	return f
}

func (f *frame) next() map[string]any {
	f.t.Helper()
	select {
	case m := <-f.messages:
		return m
	case <-time.After(10 * time.Second):
		f.t.Fatal("the host sends nothing")
		return nil
	}
}

// request sends a request and returns the response as JSON.
func (f *frame) request(method, params string) string {
	f.t.Helper()
	f.bridge.Receive([]byte(`{"jsonrpc":"2.0","id":"x","method":"` + method + `","params":` + params + `}`))
	m := f.next()
	if m["id"] != "x" {
		f.t.Fatalf("got %v instead of an answer", m)
	}
	delete(m, "id")
	delete(m, "jsonrpc")
	data, _ := json.Marshal(m)
	return string(data)
}

func (f *frame) open() {
	f.t.Helper()
	f.request("ui/initialize", `{"protocolVersion":"2026-01-26","appInfo":{"name":"a","version":"1"},"appCapabilities":{}}`)
	f.bridge.Receive([]byte(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`))
	<-f.bridge.Ready()
}

func toolServer() *mcp.Server {
	s := newServer()
	echo := func(_ context.Context, in struct{ Text string }) (string, error) { return in.Text, nil }
	mcp.Must(mcp.AddFunc(s, mcp.Tool{Name: "both"}, echo))
	mcp.Must(mcp.AddFunc(s, apps.Link(mcp.Tool{Name: "view"}, "", apps.ForView), echo))
	mcp.Must(mcp.AddFunc(s, apps.Link(mcp.Tool{Name: "model"}, "", apps.ForModel), echo))
	mcp.Must(apps.Add(s, apps.View{URI: "ui://a/b", Name: "b", HTML: "<p>page"}))
	return s
}

func TestBridge_Lifecycle(t *testing.T) {
	f := newFrame(t, toolServer(), &apps.BridgeOptions{
		Host: mcp.Implementation{Name: "host", Version: "2"}, Tool: &mcp.Tool{Name: "both"}, Context: map[string]any{"theme": "dark"},
		View: &apps.View{Metadata: apps.Metadata{CSP: apps.CSP{Connect: []string{"https://a.example"}}}},
		Log:  func(string, json.RawMessage) {},
	})
	if err := f.bridge.ToolResult(&mcp.CallToolResult{}); err == nil {
		t.Error("the result was sent before the arguments")
	}
	for _, err := range []error{
		f.bridge.ToolInputPartial(map[string]any{"text": "h"}), f.bridge.ToolInput(map[string]any{"text": "hi"}),
		f.bridge.ToolResult(&mcp.CallToolResult{Content: []mcp.Content{mcp.Text("hi")}}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := f.request("tools/call", `{"name":"both"}`); !strings.Contains(got, "not initialized") {
		t.Errorf("before initialization: %s", got)
	}
	got := f.request("ui/initialize", `{}`)
	for _, part := range []string{`"protocolVersion":"2026-01-26"`, `"hostInfo":{"name":"host","version":"2"}`, `"theme":"dark"`, `"toolInfo":{"tool":{`, `"connectDomains":["https://a.example"]`, `"logging":{}`, `"serverTools":{}`} {
		if !strings.Contains(got, part) {
			t.Errorf("ui/initialize lacks %s: %s", part, got)
		}
	}
	if strings.Contains(got, "openLinks") || strings.Contains(got, "updateModelContext") {
		t.Errorf("the host claims what it does not do: %s", got)
	}
	f.bridge.Receive([]byte(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`))
	f.bridge.Receive([]byte(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`))
	for _, want := range []string{"tool-input-partial", "tool-input", "tool-result"} {
		if m := f.next(); m["method"] != "ui/notifications/"+want {
			t.Errorf("got %v, want %s", m, want)
		}
	}
	if f.bridge.ToolInput(nil) == nil || f.bridge.ToolInputPartial(nil) == nil || f.bridge.ToolCancelled("x") == nil {
		t.Error("messages of a call that has ended were sent")
	}
	if err := f.bridge.ContextChanged(map[string]any{"theme": "light"}); err != nil || f.next()["method"] != "ui/notifications/host-context-changed" {
		t.Errorf("context: %v", err)
	}
	ended := make(chan error)
	go func() { ended <- f.bridge.Teardown(t.Context(), "bye") }()
	m := f.next()
	f.bridge.Receive([]byte(`{"jsonrpc":"2.0","id":99,"result":{}}`))
	f.bridge.Receive([]byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32603,"message":"not now"}}`, m["id"])))
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "not now") || m["method"] != "ui/resource-teardown" {
		t.Errorf("teardown: %v, %v", m, err)
	}
	canceled, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("impatient"))
	if err := f.bridge.Teardown(canceled, "bye"); err == nil || err.Error() != "impatient" {
		t.Errorf("a view that does not answer: %v", err)
	}
}

func TestBridge_Requests(t *testing.T) {
	s := toolServer()
	var opened, message, modelContext string
	full := &apps.BridgeOptions{
		CallTool: func(_ context.Context, _ *mcp.Tool, arguments json.RawMessage) error {
			if strings.Contains(string(arguments), "forbidden") {
				return errors.New("secret reason")
			}
			return nil
		},
		OpenLink: func(_ context.Context, url string) error { opened = url; return nil },
		Message:  func(_ context.Context, content json.RawMessage) error { message = string(content); return nil },
		UpdateContext: func(_ context.Context, _, structured json.RawMessage) error {
			modelContext = string(structured)
			return nil
		},
		DisplayMode: func(_ context.Context, mode string) (string, error) { return mode, nil },
	}
	for name, tt := range map[string]struct {
		opts           *apps.BridgeOptions
		method, params string
		want           string
	}{
		"a tool":                    {full, "tools/call", `{"name":"both","arguments":{"Text":"hi"}}`, `"text":"hi"`},
		"a tool for views":          {full, "tools/call", `{"name":"view","arguments":{"Text":"hi"}}`, `"text":"hi"`},
		"a tool for the model":      {full, "tools/call", `{"name":"model","arguments":{"Text":"hi"}}`, `Views cannot call the tool \"model\"`},
		"a tool that is missing":    {full, "tools/call", `{"name":"other"}`, `Views cannot call the tool \"other\"`},
		"a tool without a name":     {full, "tools/call", `{}`, `"code":-32602`},
		"a call that is refused":    {full, "tools/call", `{"name":"both","arguments":{"Text":"forbidden"}}`, `{"error":{"code":-32603,"message":"the host refused the request"}}`},
		"a resource":                {full, "resources/read", `{"uri":"ui://a/b"}`, `"text":"\u003cp\u003epage"`},
		"a resource that is not":    {full, "resources/read", `{"uri":"ui://a/c"}`, `"error":`},
		"another method":            {full, "prompts/list", `{}`, `"code":-32601`},
		"a sandbox message":         {full, "ui/notifications/sandbox-resource-ready", `{}`, `"code":-32601`},
		"a link":                    {full, "ui/open-link", `{"url":"https://example.com"}`, `{"result":{}}`},
		"a link to a script":        {full, "ui/open-link", `{"url":"javascript:alert(1)"}`, `only links with the scheme https or http`},
		"a link to a file":          {full, "ui/open-link", `{"url":"file:///etc/passwd"}`, `only links with the scheme https or http`},
		"a link to nothing":         {full, "ui/open-link", `[]`, `"code":-32602`},
		"a message":                 {full, "ui/message", `{"role":"user","content":{"type":"text","text":"hi"}}`, `{"result":{}}`},
		"a message of another role": {full, "ui/message", `{"role":"assistant","content":{}}`, `"code":-32602`},
		"context":                   {full, "ui/update-model-context", `{"structuredContent":{"a":1}}`, `{"result":{}}`},
		"a mode":                    {full, "ui/request-display-mode", `{"mode":"fullscreen"}`, `"mode":"fullscreen"`},
		"an unknown mode":           {full, "ui/request-display-mode", `{"mode":"window"}`, `"code":-32602`},
		"ping":                      {full, "ping", `{}`, `{"result":{}}`},
		"no links":                  {nil, "ui/open-link", `{"url":"https://example.com"}`, `does not open links`},
		"no messages":               {nil, "ui/message", `{"role":"user","content":{}}`, `does not accept messages`},
		"no context":                {nil, "ui/update-model-context", `{}`, `does not accept context`},
		"no other mode":             {nil, "ui/request-display-mode", `{"mode":"pip"}`, `"mode":"inline"`},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFrame(t, s, tt.opts)
			f.open()
			if got := f.request(tt.method, tt.params); !strings.Contains(got, tt.want) {
				t.Errorf("%s; want %s", got, tt.want)
			}
		})
	}
	if opened != "https://example.com" || message != `{"type":"text","text":"hi"}` || modelContext != `{"a":1}` {
		t.Errorf("the host got %q, %q, %q", opened, message, modelContext)
	}
}

// TestBridge_Panics makes each of the host's functions panic or end its
// goroutine.
func TestBridge_Panics(t *testing.T) {
	for name, end := range map[string]func(){"panics": func() { panic("key 12345") }, "ends its goroutine": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			f := newFrame(t, toolServer(), &apps.BridgeOptions{
				Logger:        slog.New(slog.NewTextHandler(&log, nil)),
				CallTool:      func(context.Context, *mcp.Tool, json.RawMessage) error { end(); return nil },
				OpenLink:      func(context.Context, string) error { end(); return nil },
				Message:       func(context.Context, json.RawMessage) error { end(); return nil },
				UpdateContext: func(context.Context, json.RawMessage, json.RawMessage) error { end(); return nil },
				DisplayMode:   func(context.Context, string) (string, error) { end(); return "", nil },
			})
			f.open()
			for method, params := range map[string]string{
				"tools/call":              `{"name":"view"}`,
				"ui/open-link":            `{"url":"https://example.com"}`,
				"ui/message":              `{"role":"user","content":{"type":"text","text":"a"}}`,
				"ui/update-model-context": `{"content":[]}`,
				"ui/request-display-mode": `{"mode":"pip"}`,
			} {
				for range 20 { // more requests than are served at a time
					if got := f.request(method, params); !strings.Contains(got, "-32603") || strings.Contains(got, "12345") {
						t.Fatalf("%s: %s", method, got)
					}
				}
			}
			if got := log.String(); strings.Contains(got, "key 12345") != (name == "panics") {
				t.Errorf("the log has %.300s", got)
			}
		})
	}
}

func TestBridge_MalformedMessages(t *testing.T) {
	f := newFrame(t, toolServer(), &apps.BridgeOptions{SizeChanged: func(float64, float64) { t.Error("a size that is none was reported") }})
	f.open()
	for _, message := range []string{
		``, `7`, `[]`, `{`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`{"jsonrpc":"2.0","id":[1],"method":"ping"}`, `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":1}`, `{"jsonrpc":"2.0","method":7}`, `{"jsonrpc":"2.0","method":"other"}`,
		`{"jsonrpc":"2.0","method":"ui/notifications/size-changed","params":{"width":-1,"height":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":"` + strings.Repeat("x", 5<<20) + `"}`,
	} {
		f.bridge.Receive([]byte(message))
	}
	if got := f.request("ping", `{}`); got != `{"result":{}}` {
		t.Errorf("after malformed messages: %s", got)
	}
}

func TestBridge_ManyRequests(t *testing.T) {
	s := newServer()
	release := make(chan struct{})
	mcp.Must(mcp.AddFunc(s, mcp.Tool{Name: "wait"}, func(context.Context, struct{}) (string, error) { <-release; return "", nil }))
	f := newFrame(t, s, nil)
	f.open()
	for i := range 40 {
		f.bridge.Receive([]byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"wait"}}`, i)))
	}
	for range 24 {
		if m := f.next(); m["error"] == nil {
			t.Errorf("got %v", m)
		}
	}
	close(release)
	for range 16 {
		if m := f.next(); m["result"] == nil {
			t.Errorf("got %v", m)
		}
	}
}

func FuzzBridge(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"ui/initialize","params":{}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":"a","method":"ui/open-link","params":{"url":"https://a"}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"ui/notifications/size-changed","params":{"width":1e999}}`))
	f.Fuzz(func(t *testing.T, message []byte) {
		c := mcptest.Connect(t, newServer(), nil)
		b := apps.NewBridge(c, func(m json.RawMessage) {
			if !json.Valid(m) {
				t.Errorf("not JSON: %s", m)
			}
		}, nil)
		b.Receive([]byte(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`))
		b.Receive(message)
		b.Close()
	})
}
