package mcp_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// openTo shows entries with "public" in their name to all clients, and entries with "secret" to the
// principal root. It panics for all other entries.
func openTo(r *mcp.Request, e mcp.Entry) bool {
	switch name := entryName(e); {
	case strings.Contains(name, "public"):
		return true
	case strings.Contains(name, "secret"):
		return r.Principal() == "root"
	}
	panic(fmt.Sprintf("not foreseen: %T %v", e, e))
}

// entryName returns the name, URI or template of e.
func entryName(e mcp.Entry) string {
	switch e := e.(type) {
	case *mcp.Tool:
		return e.Name
	case *mcp.Prompt:
		return e.Name
	case *mcp.Resource:
		return e.URI
	case *mcp.ResourceTemplate:
		return e.URITemplate
	}
	panic(fmt.Sprintf("no such entry: %T", e))
}

// guarded returns a server with one public, one secret and one broken entry of each kind.
func guarded(t testing.TB, opts *mcp.ServerOptions) *mcp.Server {
	opts.Visible = openTo
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, opts)
	for _, name := range []string{"broken", "public", "secret"} {
		must(t, mcp.AddTool(s, mcp.Tool{Name: name}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "ran", nil }))
		must(t, s.AddPrompt(mcp.Prompt{Name: name, Arguments: []mcp.PromptArgument{{Name: "a", Complete: mcp.OneOf("x")}}},
			func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
				return &mcp.PromptResult{Messages: []mcp.PromptMessage{{Content: mcp.Text("ran")}}}, nil
			}))
		must(t, s.AddResource(mcp.Resource{URI: "doc://fixed/" + name, Name: name, Caching: mcp.Caching{Public: true}},
			func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{{Text: "ran"}}, nil
			}))
		must(t, s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "doc://" + name + "/{x}", Name: name, Caching: mcp.Caching{Public: true}, Complete: map[string]mcp.Completer{"x": mcp.OneOf("x")}},
			func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{{Text: "ran"}}, nil
			}))
	}
	// This template also matches the URIs of all other templates.
	must(t, s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "doc://{+public}", Name: "all"},
		func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{Text: "ran"}}, nil
		}))
	return s
}

var guardedRequests = []struct{ method, members string }{
	{"tools/call", `"name":"%s"`},
	{"prompts/get", `"name":"%s"`},
	{"resources/read", `"uri":"doc://fixed/%s"`},
	{"resources/read", `"uri":"doc://%s/x"`},
	{"completion/complete", `"ref":{"type":"ref/prompt","name":"%s"},"argument":{"name":"a","value":""}`},
	{"completion/complete", `"ref":{"type":"ref/resource","uri":"doc://%s/{x}"},"argument":{"name":"x","value":""}`},
}

func TestWhatIsHiddenIsUnknownToEveryMethod(t *testing.T) {
	proves(t, "tools.security.access", "cache.scope.not-access-control", "cache.scope.access-control", "completion.access-control", "completion.no-disclosure")
	s := guarded(t, &mcp.ServerOptions{})
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		root := connectWith(mcp.WithPrincipal(context.Background(), "root"), t, s)
		open := root.open(revision)
		for _, method := range []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"} {
			if m := root.ask("1", method, open("")); !strings.Contains(m.line, "secret") {
				t.Errorf("%s of one who may see all: %s", method, m.line)
			}
			if m := p.ask("1", method, params("")); m.Error != nil || strings.Contains(m.line, "secret") {
				t.Errorf("%s after that of one who may see all: %s", method, m.line)
			}
		}
		for _, req := range guardedRequests {
			if m := p.ask("1", req.method, params(fmt.Sprintf(req.members, "public"))); m.Error != nil {
				t.Errorf("%s of what is shown: %s", req.method, m.line)
			}
			for _, name := range []string{"secret", "broken", `\u0073ecret`, `brok\u0065n`} {
				m := p.ask("2", req.method, params(fmt.Sprintf(req.members, name)))
				absent := p.ask("3", req.method, params(fmt.Sprintf(strings.Replace(req.members, "doc:", "absent:", 1), "absent")))
				switch {
				case m.Error == nil || absent.Error == nil:
					t.Errorf("%s of what is hidden: %s", req.method, m.line)
				case m.Error.Code != absent.Error.Code:
					t.Errorf("%s of what is hidden has code %d, of what does not exist %d", req.method, m.Error.Code, absent.Error.Code)
				case req.method == "tools/call" && m.Error.Code != mcp.CodeInvalidParams:
					t.Errorf("a hidden tool has code %d", m.Error.Code)
				}
			}
		}
	})
}

func TestListsLeaveOutWhatIsHidden(t *testing.T) {
	proves(t, "cache.scope.public-aware")
	s := guarded(t, &mcp.ServerOptions{PageSize: 1})
	lists := map[string]string{
		"tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates",
	}
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		for method, member := range lists {
			want := 1
			if member == "resourceTemplates" {
				want = 2
			}
			cursor := ""
			for i := range want { // one entry per page
				m := p.ask("1", method, params(cursor))
				if got := list(m.Result[member]); len(got) != 1 || strings.Contains(m.line, "secret") || strings.Contains(m.line, "broken") {
					t.Errorf("%s: %s", method, m.line)
				}
				if scope := m.Result["cacheScope"]; revision == "2026-07-28" && scope != "private" {
					t.Errorf("%s: the list is not the same for all, but its scope is %v", method, scope)
				}
				next, more := m.Result["nextCursor"].(string)
				if cursor = fmt.Sprintf(`"cursor":%q`, next); more != (i < want-1) {
					t.Errorf("%s: page %d: %s", method, i, m.line)
				}
			}
		}
	})
}

func TestAFilteredListHasPagesOfWhatIsShown(t *testing.T) {
	shown := func(_ *mcp.Request, e mcp.Entry) bool { return strings.HasSuffix(entryName(e), "0") }
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{PageSize: 2, Visible: shown})
	for i := range 50 {
		must(t, mcp.AddTool(s, mcp.Tool{Name: fmt.Sprintf("t%02d", i)}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "", nil }))
	}
	p := connect(t, s)
	params := p.open("2025-11-25")
	var names []string
	members := ""
	for {
		m := p.ask("1", "tools/list", params(members))
		for _, tool := range list(m.Result["tools"]) {
			names = append(names, object(tool)["name"].(string))
		}
		cursor, more := m.Result["nextCursor"]
		if !more {
			break
		}
		members = fmt.Sprintf(`"cursor":%q`, cursor)
	}
	if got := strings.Join(names, " "); got != "t00 t10 t20 t30 t40" {
		t.Errorf("the pages hold %s", got)
	}
}

func TestWhatIsHiddenCannotBeSubscribedTo(t *testing.T) {
	proves(t, "subs.ack.subset", "resources.subscribe")
	s := guarded(t, &mcp.ServerOptions{})
	p := connect(t, s)
	p.open("2025-11-25")
	for _, uri := range []string{"doc://fixed/secret", "doc://secret/x", "doc://fixed/broken"} {
		if m := p.ask("1", "resources/subscribe", fmt.Sprintf(`{"uri":%q}`, uri)); m.Error == nil {
			t.Errorf("subscribed to %s", uri)
		}
	}
	if m := p.ask("2", "resources/subscribe", `{"uri":"doc://fixed/public"}`); m.Error != nil {
		t.Errorf("what is shown: %s", m.line)
	}
	q := connect(t, s)
	q.send(`{"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["doc://fixed/secret","doc://fixed/public"]},` + modernMeta("") + `}}`)
	if m := q.receive(); !strings.Contains(m.line, "public") || strings.Contains(m.line, "secret") {
		t.Errorf("agreed to: %s", m.line)
	}
}

func TestEachPrincipalSeesItsOwnOverHTTP(t *testing.T) {
	s := guarded(t, &mcp.ServerOptions{})
	h := s.HTTPHandler(nil)
	ask := func(principal, method, members string) string {
		front := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h.ServeHTTP(w, r.WithContext(mcp.WithPrincipal(r.Context(), principal)))
		})
		return serveOnce(t, front, method, members)
	}
	if got := ask("root", "tools/list", ""); !strings.Contains(got, "secret") {
		t.Errorf("root sees %s", got)
	}
	if got := ask("guest", "tools/list", ""); strings.Contains(got, "secret") {
		t.Errorf("guest sees %s", got)
	}
	if got := ask("root", "tools/call", `"name":"secret",`); !strings.Contains(got, "ran") {
		t.Errorf("root calls: %s", got)
	}
	if got := ask("guest", "tools/call", `"name":"secret",`); !strings.Contains(got, "-32602") {
		t.Errorf("guest calls: %s", got)
	}
}
