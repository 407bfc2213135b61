package mcp_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/ratelimit"
)

func TestExtensionsHaveNamesWithAPrefix(t *testing.T) {
	proves(t, "ext.id-format")
	ranBeforeClients(t)
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	for _, id := range []string{"", "maps", "com.example", "com.example/", "/maps", "1com/maps", "com..example/maps", "com.example-/maps", "com.example/-maps", "com example/maps", "com.mcp/maps", "tools.modelcontextprotocol.io/maps"} {
		if err := s.AddExtension(id, nil); err == nil {
			t.Errorf("%q was taken", id)
		}
	}
	must(t, s.AddExtension("com.example/maps", map[string]any{"zoom": 3}))
	for what, err := range map[string]error{
		"the same again":       s.AddExtension("com.example/maps", nil),
		"settings: a list":     s.AddExtension("com.example/list", []int{1}),
		"settings: a channel":  s.AddExtension("com.example/channel", make(chan int)),
		"the protocol's own":   s.Handle("tools/list", func(context.Context, *mcp.Request) (mcp.Result, error) { return nil, nil }),
		"a method of no name":  s.Handle("", func(context.Context, *mcp.Request) (mcp.Result, error) { return nil, nil }),
		"a method of no doing": s.Handle("maps/zoom", nil),
	} {
		if err == nil {
			t.Errorf("%s was taken", what)
		}
	}
}

func TestExtensionsAreDeclaredWhereARevisionHasThem(t *testing.T) {
	proves(t, "ext.off-by-default", "ext.capability-field", "ext.legacy-advertise", "ext.mismatch", "ext.check-client")
	plain := echoServer(t, nil)
	s := echoServer(t, nil)
	must(t,
		s.AddExtension("com.example/maps", map[string]any{"zoom": 3}),
		s.Handle("maps/zoom", func(_ context.Context, r *mcp.Request) (mcp.Result, error) {
			settings, ok := r.ClientExtension("com.example/maps")
			if !ok && r.Revision() == "2026-07-28" {
				return nil, mcp.MissingExtension("com.example/maps")
			}
			return mcp.RawResult("{\n\"zoom\": 3, \"settings\": \"" + strings.ReplaceAll(string(settings), `"`, "'") + "\"}"), nil
		}))
	for _, revision := range revisions {
		capabilities := func(s *mcp.Server) map[string]any {
			p := connect(t, s)
			if revision == "2026-07-28" {
				return object(p.ask("1", "server/discover", p.open(revision)("")).Result["capabilities"])
			}
			return object(p.initialize(revision).Result["capabilities"])
		}
		if c := capabilities(plain); c["extensions"] != nil || c["tasks"] != nil {
			t.Errorf("%s: declared without being asked to: %v", revision, c)
		}
		declared := object(object(capabilities(s)["extensions"])["com.example/maps"])
		if (declared["zoom"] == 3.0) != (revision >= "2025-06-18") {
			t.Errorf("%s: %v", revision, declared)
		}
	}
	p := connect(t, s)
	p.initialize("2025-11-25")
	if m := p.ask("1", "maps/zoom", `{"a":1}`); m.Result["zoom"] != 3.0 {
		t.Error(m.line)
	}
	p = connect(t, s)
	m := p.ask("1", "maps/zoom", `{`+modernMeta("")+`}`)
	if m.Error == nil || m.Error.Code != mcp.CodeMissingCapability || object(object(m.Error.Data["requiredCapabilities"])["extensions"])["com.example/maps"] == nil {
		t.Error(m.line)
	}
	m = p.ask("2", "maps/zoom", `{`+metaWith(`{"extensions":{"com.example/maps":{"max":9}}}`)+`}`)
	if m.Result["settings"] != "{'max':9}" || m.Result["resultType"] != "complete" {
		t.Error(m.line)
	}
}

func TestCallsOfToolsCanBeLimited(t *testing.T) {
	proves(t, "tools.security.rate-limit")
	for _, revision := range revisions {
		for _, transport := range transportsOf(revision) {
			t.Run(revision+" "+transport, func(t *testing.T) {
				p := connectOver(t, echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{ratelimit.New(&ratelimit.Options{PerSecond: 0.001, Burst: 2})}}), revision, transport)
				params := p.open(revision)
				for i := range 4 {
					m := p.ask("1", "tools/call", params(callParams("echo", `{"message":"x"}`)))
					if limited := m.Result["isError"] == true; limited != (i >= 2) {
						t.Errorf("call %d: %s", i, m.line)
					}
				}
			})
		}
	}
}

func TestWhatIsLoggedHoldsNoSecrets(t *testing.T) {
	proves(t, "log.no-secrets", "log.strip-sensitive")
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
	later := make(chan *mcp.Request, 1)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "log"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		r.Log(mcp.LevelError, "test", map[string]any{"user": "ada", "password": "hunter2", "head": map[string]string{"Authorization": "Bearer abc.def"}})
		r.Log(mcp.LevelError, "ada", "Bearer abc.def")
		r.Log(mcp.LevelError, "ada", "basic hunter2")
		r.Log(mcp.LevelError, "ada", []any{1, []any{"BEARER abc.def", map[string]any{"x": []string{"Basic hunter2"}}}})
		r.Log(mcp.LevelError, "ada", []any{map[string]any{"API-Key": "hunter2", "dbPassword": []string{"hunter2"}, "access_token": map[string]int{"hunter2": 1}, "Set-Cookie": "hunter2"}})
		slog.New(r.LogHandler("ada")).With("secret", "hunter2").WithGroup("g").Error("m", "token", "abc.def", "auth", "Bearer abc.def")
		r.Log(mcp.LevelError, "ada", "cloned https://ada:hunter2@example.com/a?api_key=abc.def")
		r.Log(mcp.LevelError, "ada", []string{"https://hunter2@example.com", `{"password":"hunter2"}`})
		r.Log(mcp.LevelError, "ada", json.RawMessage(`{"a":{"b":[{"c":{"passwd":"hunter2","d":{"tokens":["abc.def"]}}}]},"Tokens":"abc.def","pwd":"hunter2"}`))
		later <- r
		return "", nil
	}))
	for _, revision := range revisions {
		p := connect(t, s)
		params := p.open(revision)(`"name":"log"`)
		if revision == "2026-07-28" {
			params = `{"name":"log",` + modernMeta(`,"io.modelcontextprotocol/logLevel":"debug"`) + `}`
		}
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`)
		check := func(n int) {
			for range n {
				m := p.receive()
				if m.Method != "notifications/message" || !strings.Contains(m.line, "ada") || strings.Contains(m.line, "hunter2") || strings.Contains(m.line, "abc.def") {
					t.Errorf("%s: %s", revision, m.line)
				}
			}
		}
		check(9)
		p.receive()
		if r := <-later; !modern(revision) {
			go r.Session().Log(mcp.LevelError, "ada", map[string]any{"password": "hunter2", "head": "Bearer abc.def"})
			check(1)
		}
	}
}

func TestWhatARawResultSaysItselfIsWrittenOnce(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	answers := map[string]mcp.RawResult{
		"maps/meta": mcp.RawResult(`{"a":1,"_meta":{"com.example/x":[1],"b":2},"c":3}`),
		"maps/type": mcp.RawResult(`{"resultType":"map","a":1}`),
		"maps/own":  mcp.RawResult(`{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"other","version":"2"}}}`),
		"maps/odd":  mcp.RawResult(`{"_meta":null,"resultType":7}`),
	}
	for method, answer := range answers {
		must(t, s.Handle(method, func(context.Context, *mcp.Request) (mcp.Result, error) { return answer, nil }))
	}
	info := `"io.modelcontextprotocol/serverInfo":{"name":"test","version":"1"}`
	for method, want := range map[string][2]string{
		"maps/meta": {`{"a":1,"c":3,"_meta":{"b":2,"com.example/x":[1]}}`, `{"a":1,"c":3,"resultType":"complete","_meta":{` + info + `,"b":2,"com.example/x":[1]}}`},
		"maps/type": {`{"resultType":"map","a":1}`, `{"a":1,"resultType":"map","_meta":{` + info + `}}`},
		"maps/own": {`{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"other","version":"2"}}}`,
			`{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"other","version":"2"}}}`},
		"maps/odd": {`{"resultType":7}`, `{"resultType":"complete","_meta":{` + info + `}}`},
	} {
		for i, revision := range []string{"2025-11-25", "2026-07-28"} {
			p := connect(t, s)
			if m := p.ask("1", method, p.open(revision)("")); m.line != `{"jsonrpc":"2.0","id":1,"result":`+want[i]+`}` {
				t.Errorf("%s of %s:\n got %s\nwant %s", method, revision, m.line, want[i])
			}
		}
	}
}
