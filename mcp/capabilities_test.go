package mcp_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// capable returns a server with one entry of each kind: tools, prompts, resources and so on.
func capable(t *testing.T) *mcp.Server {
	t.Helper()
	s := echoServer(t, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}, Visible: func(*mcp.Request, mcp.Entry) bool { return true }})
	must(t,
		s.AddPrompt(mcp.Prompt{Name: "p", Arguments: []mcp.PromptArgument{{Name: "a", Complete: mcp.OneOf("x")}}}, says()),
		s.AddResource(mcp.Resource{URI: "x:a", Name: "a"}, holds()),
		mcp.AddTool(s, mcp.Tool{Name: "job", TaskSupport: mcp.TaskSupportOptional}, says1("done")),
		s.AddExtension("com.example/maps", map[string]any{"zoom": 3}))
	return s
}

func TestTheCapabilitiesAreAllDeclaredWhereverTheyAreAskedFor(t *testing.T) {
	proves(t, "versioning.discover.implemented", "xtasks.compat.legacy-not-advertised", "log.capability", "completion.capability", "tools.capability", "prompts.capability", "prompts.capability.modern", "resources.capability",
		"tasks.capability", "arch.features-advertised")
	s := capable(t)
	const (
		changes   = `"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"logging":{}`
		passing   = `"tools":{},"prompts":{},"resources":{},"logging":{}` // declared over connections on which the server cannot notify the client of changes
		extension = `,"extensions":{"com.example/maps":{"zoom":3}`
	)
	more := map[string]string{
		"2024-11-05": ``, "2025-03-26": `,"completions":{}`, "2025-06-18": `,"completions":{}` + extension + `}`,
		"2025-11-25": `,"completions":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}` + extension + `}`,
		"2026-07-28": `,"completions":{}` + extension + `,"io.modelcontextprotocol/tasks":{}}`,
	}
	passingMore := map[string]string{
		"2025-03-26": more["2025-03-26"], "2025-06-18": more["2025-06-18"],
		"2025-11-25": `,"completions":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}` + extension + `}`,
	}
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			want := "{" + changes + more[revision] + "}"
			for _, principal := range []string{"", "ada"} {
				p := connectWith(mcp.WithPrincipal(context.Background(), principal), t, s)
				sameJSON(t, "pipe of "+principal, any(p.capabilities(revision)), want)
			}
			switch revision {
			case "2024-11-05":
				p := host(t, s, nil).pair("", "")
				p.session = revision
				m := p.ask(`1`, "initialize", `{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
				sameJSON(t, "HTTP+SSE", m.Result["capabilities"], want)
			case "2026-07-28":
				for what, opts := range map[string]*mcp.HTTPOptions{"HTTP": nil, "HTTP without sessions": {Stateless: true}} {
					m := host(t, s, opts).open(revision).begin(1, "server/discover", "").want(http.StatusOK).message()
					sameJSON(t, what, m.Result["capabilities"], want)
				}
			default:
				m := host(t, s, nil).web().initialize(revision, `{}`).message()
				sameJSON(t, "HTTP", m.Result["capabilities"], want)
				m = host(t, s, &mcp.HTTPOptions{Stateless: true}).web().initialize(revision, `{}`).message()
				sameJSON(t, "HTTP without sessions", m.Result["capabilities"], "{"+passing+passingMore[revision]+"}")
			}
		})
	}
}

func TestNoCapabilityIsDeclaredOfWhatIsNotThere(t *testing.T) {
	everywhere(t, "lifecycle.operation.capabilities.must", newServer(nil), func(t *testing.T, c *caller) {
		if modern(c.revision) {
			sameJSON(t, "server/discover", c.ask("1", "server/discover", "").Result["capabilities"], `{}`)
		}
		for method, members := range map[string]string{
			"tools/list": ``, "tools/call": callParams("echo", `{}`), "prompts/list": ``, "prompts/get": `"name":"p"`, "resources/list": ``,
			"resources/templates/list": ``, "resources/read": `"uri":"x:a"`, "logging/setLevel": `"level":"info"`,
			"completion/complete": `"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}`,
			"tasks/get":           `"taskId":"x"`, "tasks/cancel": `"taskId":"x"`, "tasks/list": ``, "tasks/result": `"taskId":"x"`,
			"resources/subscribe": `"uri":"x:a"`,
		} {
			if m := c.ask("1", method, members); m.Error == nil || m.Error.Code != mcp.CodeMethodNotFound {
				t.Errorf("%s: %s", method, m.line)
			}
		}
	})
}

// TestASessionHasWhatInitializeDeclared adds the first entry of each kind after the handshake. A
// session must not have features that the response to initialize did not declare. A client without
// a session has the features that exist at the time of the request.
func TestASessionHasWhatInitializeDeclared(t *testing.T) {
	proves(t, "arch.tools-need-capability", "arch.capabilities-respected", "lifecycle.operation.capabilities.must", "base.error.method-not-found", "tasks.undeclared-ignored", "tasks.tool.required-error")
	eachTransport := func(s func() *mcp.Server, f func(t *testing.T, revision, transport string, s *mcp.Server, p *peer, params func(string) string)) {
		for _, revision := range revisions {
			for _, transport := range transportsOf(revision) {
				t.Run(revision+" "+transport, func(t *testing.T) {
					s := s()
					p := connectOver(t, s, revision, transport)
					f(t, revision, transport, s, p, p.open(revision))
				})
			}
		}
	}
	eachTransport(func() *mcp.Server { return newServer(nil) }, func(t *testing.T, revision, transport string, s *mcp.Server, p *peer, params func(string) string) {
		must(t,
			mcp.AddTool(s, mcp.Tool{Name: "echo", TaskSupport: mcp.TaskSupportOptional}, says1("done")),
			s.AddPrompt(mcp.Prompt{Name: "p", Arguments: []mcp.PromptArgument{{Name: "a", Complete: mcp.OneOf("x")}}}, says()),
			s.AddResource(mcp.Resource{URI: "x:a", Name: "a"}, holds(mcp.ResourceContents{Text: "x"})))
		inSession := !modern(revision) && transport != "stateless"
		for method, members := range map[string]string{
			"tools/list": ``, "tools/call": callParams("echo", `{}`), "prompts/list": ``, "prompts/get": `"name":"p"`, "resources/list": ``,
			"resources/templates/list": ``, "resources/read": `"uri":"x:a"`,
			"completion/complete": `"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}`,
		} {
			m := p.ask("1", method, params(members))
			refused := m.Error != nil && m.Error.Code == mcp.CodeMethodNotFound
			// Revision 2024-11-05 has no capability for completions.
			if want := inSession && (method != "completion/complete" || revision != "2024-11-05"); refused != want || !refused && m.Error != nil {
				t.Errorf("%s: %s", method, m.line)
			}
		}
		for _, method := range []string{"resources/subscribe", "tasks/list", "tasks/get"} {
			if inSession {
				wantCode(t, p.ask("1", method, params(`"uri":"x:a","taskId":"x"`)), mcp.CodeMethodNotFound)
			}
		}
	})
	// A tool with tasks is added to a server that had no such tool.
	eachTransport(func() *mcp.Server { return echoServer(t, nil) }, func(t *testing.T, revision, transport string, s *mcp.Server, p *peer, params func(string) string) {
		if modern(revision) || transport == "stateless" {
			return
		}
		must(t, mcp.AddTool(s, mcp.Tool{Name: "optional", TaskSupport: mcp.TaskSupportOptional}, says1("done")),
			mcp.AddTool(s, mcp.Tool{Name: "required", TaskSupport: mcp.TaskSupportRequired}, says1("done")))
		for _, tool := range []string{"optional", "required"} {
			m := p.ask1("1", "tools/call", params(callParams(tool, `{}`)+`,"task":{}`))
			for m.ID == nil { // skip notifications/tools/list_changed
				m = p.receive()
			}
			if tool == "required" && revision == "2025-11-25" {
				wantCode(t, m, mcp.CodeMethodNotFound)
			} else if m.text() != "done" {
				t.Errorf("%s: %s", tool, m.line)
			}
		}
	})
}
