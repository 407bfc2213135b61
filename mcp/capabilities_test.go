package mcp_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// capable returns a server with something of every kind.
func capable(t *testing.T) *mcp.Server {
	t.Helper()
	s := echoServer(t, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}, Visible: func(*mcp.Request, mcp.Entry) bool { return true }})
	must(t,
		s.AddPrompt(mcp.Prompt{Name: "p", Arguments: []mcp.PromptArgument{{Name: "a", Complete: mcp.OneOf("x")}}}, says()),
		s.AddResource(mcp.Resource{URI: "x:a", Name: "a"}, holds()),
		mcp.AddTool(s, mcp.Tool{Name: "job", Task: mcp.TaskSupportOptional}, says1("done")),
		s.AddExtension("com.example/maps", map[string]any{"zoom": 3}))
	return s
}

func TestTheCapabilitiesAreAllDeclaredWhereverTheyAreAskedFor(t *testing.T) {
	proves(t, "versioning.discover.implemented", "xtasks.compat.legacy-not-advertised", "log.capability", "completion.capability", "tools.capability", "prompts.capability", "prompts.capability.modern", "resources.capability",
		"tasks.capability", "arch.features-advertised")
	s := capable(t)
	const (
		changes   = `"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"logging":{}`
		passing   = `"tools":{},"prompts":{},"resources":{},"logging":{}` // there is nobody to notify of changes
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
