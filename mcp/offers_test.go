package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// These tests cover the features that prompts, resources, resource templates and completion share.

func TestListsChangeWhileTheServerServes(t *testing.T) {
	proves(t, "prompts.list-changed", "prompts.list-changed.modern", "resources.list-changed", "resources.list-changed.modern",
		"resources.capability.options", "prompts.capability", "prompts.capability.modern")
	steps := []struct {
		name, kind, list string
		do               func(s *mcp.Server) error
		want             string // expected names in the list
	}{
		{"add a prompt", "prompts", "prompts/list", func(s *mcp.Server) error { return s.AddPrompt(mcp.Prompt{Name: "b"}, says()) }, "a b"},
		{"replace a prompt", "prompts", "prompts/list", func(s *mcp.Server) error {
			return s.AddPrompt(mcp.Prompt{Name: "b", Description: "new"}, says(), mcp.Replace)
		}, "a b: new"},
		{"replace a prompt that is not there", "prompts", "prompts/list", func(s *mcp.Server) error { return s.AddPrompt(mcp.Prompt{Name: "c"}, says(), mcp.Replace) }, "a b: new c"},
		{"remove prompts", "prompts", "prompts/list", func(s *mcp.Server) error { s.RemovePrompts("b", "nobody", "a"); return nil }, "c"},
		{"add a resource", "resources", "resources/list", func(s *mcp.Server) error { return s.AddResource(mcp.Resource{URI: "x:b", Name: "b"}, holds()) }, "a b"},
		{"replace a resource", "resources", "resources/list", func(s *mcp.Server) error {
			return s.AddResource(mcp.Resource{URI: "x:b", Name: "b", Description: "new"}, holds(), mcp.Replace)
		}, "a b: new"},
		{"remove a resource", "resources", "resources/list", func(s *mcp.Server) error { s.RemoveResources("x:a"); return nil }, "b: new"},
		{"add a template", "resources", "resources/templates/list", func(s *mcp.Server) error {
			return s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "t:{b}", Name: "b"}, tells(""))
		}, "a b"},
		{"replace a template", "resources", "resources/templates/list", func(s *mcp.Server) error {
			return s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "t:{b}", Name: "b", Description: "new"}, tells(""), mcp.Replace)
		}, "a b: new"},
		{"remove all prompts", "prompts", "prompts/list", func(s *mcp.Server) error { s.RemovePrompts("c"); return nil }, ""},
		{"remove all resources", "resources", "resources/list", func(s *mcp.Server) error { s.RemoveResources("x:b"); return nil }, ""},
		{"remove all templates", "resources", "resources/templates/list", func(s *mcp.Server) error { s.RemoveResourceTemplates("t:{a}", "t:{b}"); return nil }, ""},
	}
	eachInBubble(t, revisions, func(t *testing.T, revision string) {
		s := newServer(nil)
		must(t, s.AddPrompt(mcp.Prompt{Name: "a"}, says()), s.AddResource(mcp.Resource{URI: "x:a", Name: "a"}, holds()),
			s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "t:{a}", Name: "a"}, tells("")))
		p := connect(t, s)
		params := p.open(revision)
		if revision == "2026-07-28" {
			m := p.ask("0", "server/discover", params(""))
			for _, kind := range []string{"prompts", "resources"} {
				if object(object(m.Result["capabilities"])[kind])["listChanged"] != true {
					t.Error(m.line)
				}
			}
			p.send(`{"jsonrpc":"2.0","id":"sub","method":"subscriptions/listen","params":` + params(`"notifications":{"promptsListChanged":true,"resourcesListChanged":true}`) + `}`)
			if m := p.receive(); m.Method != "notifications/subscriptions/acknowledged" {
				t.Fatal(m.line)
			}
		} else {
			p.ask("0", "ping", "") // after the ping, the server has handled notifications/initialized
		}
		for _, step := range steps {
			must(t, step.do(s))
			if m := p.receive(); m.Method != "notifications/"+step.kind+"/list_changed" {
				t.Errorf("%s: %s", step.name, m.line)
			}
			m := p.ask("1", step.list, params(""))
			var got []string
			for _, entries := range m.Result {
				for _, e := range list(entries) {
					name := fmt.Sprint(object(e)["name"])
					if d := object(e)["description"]; d != nil {
						name += fmt.Sprint(": ", d)
					}
					got = append(got, name)
				}
			}
			if strings.Join(got, " ") != step.want {
				t.Errorf("%s: %s", step.name, m.line)
			}
		}
		// A call that changes nothing sends no notification.
		s.RemovePrompts("nobody")
		s.RemoveResources()
		s.RemoveResourceTemplates("x:a")
		if m := p.ask("2", "prompts/get", params(promptParams("a", ""))); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("a prompt that was removed: %s", m.line)
		}
		if m := p.ask("3", "resources/read", params(uriParams("x:a"))); m.Error == nil || m.Error.Code != notFound(revision) {
			t.Errorf("a resource that was removed: %s", m.line)
		}
		if m := p.ask("4", "resources/read", params(uriParams("t:1"))); m.Error == nil || m.Error.Code != notFound(revision) {
			t.Errorf("a template that was removed: %s", m.line)
		}
	})
}

func TestEveryListComesInPages(t *testing.T) {
	proves(t, "page.operations", "page.cursor-continues", "page.invalid-code", "page.stable-cursors", "cache.scope.same-on-pages", "cache.hints.present")
	s := newServer(&mcp.ServerOptions{PageSize: 2})
	for i := range 9 {
		must(t, s.AddPrompt(mcp.Prompt{Name: fmt.Sprint("a", 8-i)}, says()),
			s.AddResource(mcp.Resource{URI: fmt.Sprint("x:a", 8-i), Name: fmt.Sprint("a", 8-i)}, holds()),
			s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: fmt.Sprintf("x:a%d/{b}", 8-i), Name: fmt.Sprint("a", 8-i)}, tells("")))
	}
	lists := map[string]string{"prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates"}
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		for method, member := range lists {
			var names []string
			var cursors []string
			members := ""
			for {
				m := p.ask("1", method, params(members))
				for _, e := range list(m.Result[member]) {
					names = append(names, fmt.Sprint(object(e)["name"]))
				}
				names = append(names, "|")
				if (m.Result["cacheScope"] == "public") != (revision == "2026-07-28") || (m.Result["ttlMs"] == 0.0) != (revision == "2026-07-28") {
					t.Errorf("%s: %s", method, m.line)
				}
				next, ok := m.Result["nextCursor"].(string)
				if !ok {
					break
				}
				cursors = append(cursors, next)
				members = fmt.Sprintf(`"cursor":%q`, next)
			}
			if got := strings.Join(names, " "); got != "a0 a1 | a2 a3 | a4 a5 | a6 a7 | a8 |" {
				t.Errorf("%s: %s", method, got)
			}
			// A cursor for one list is not valid for another.
			for other := range lists {
				m := p.ask("2", other, params(fmt.Sprintf(`"cursor":%q`, cursors[0])))
				if refused := m.Error != nil && m.Error.Code == mcp.CodeInvalidParams; refused != (other != method) {
					t.Errorf("%s with a cursor of %s: %s", other, method, m.line)
				}
			}
		}
	})
}

// slowServer returns a server with a prompt, a resource, a template and a completer that block
// until they receive from release.
func slowServer(tb testing.TB, release <-chan struct{}) (s *mcp.Server, requests map[string]string) {
	s = newServer(nil)
	must(tb,
		s.AddPrompt(mcp.Prompt{Name: "slow", Arguments: []mcp.PromptArgument{{Name: "a", Complete: func(context.Context, *mcp.Request, string, map[string]string) (mcp.Completion, error) {
			<-release
			return mcp.Completion{}, nil
		}}}}, func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
			<-release
			return &mcp.PromptResult{}, nil
		}),
		s.AddResource(mcp.Resource{URI: "x:slow", Name: "slow"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
			<-release
			return []mcp.ResourceContents{}, nil
		}),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "y:{a}", Name: "slow", Complete: map[string]mcp.Completer{"a": func(context.Context, *mcp.Request, string, map[string]string) (mcp.Completion, error) {
			<-release
			return mcp.Completion{}, nil
		}}}, func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
			<-release
			return []mcp.ResourceContents{}, nil
		}))
	return s, map[string]string{
		"a prompt":                `"method":"prompts/get","params":{"name":"slow"}`,
		"a resource":              `"method":"resources/read","params":{"uri":"x:slow"}`,
		"a template":              `"method":"resources/read","params":{"uri":"y:1"}`,
		"a prompt's completion":   `"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"slow"},"argument":{"name":"a","value":""}}`,
		"a template's completion": `"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"y:{a}"},"argument":{"name":"a","value":""}}`,
	}
}

func TestASlowHandlerHoldsUpNobody(t *testing.T) {
	_, requests := slowServer(t, nil)
	for name, request := range requests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				release := make(chan struct{})
				s, _ := slowServer(t, release)
				p := connect(t, s)
				p.initialize("2025-11-25")
				// During the first call, other requests wait as long as the reading goroutine does.
				// After that, the server knows that the handler is slow.
				for _, patience := range []time.Duration{time.Millisecond, 0} {
					began := time.Now()
					p.send(`{"jsonrpc":"2.0","id":1,` + request + `}`)
					p.ask("2", "ping", "")
					if waited := time.Since(began); waited > patience {
						t.Errorf("another request waited %v", waited)
					}
					release <- struct{}{}
					if m := p.receive(); string(m.ID) != "1" || m.Error != nil {
						t.Error(m.line)
					}
					settle() // the response can arrive before the server knows that the handler is slow
				}
			})
		})
	}
}

func TestPromptsAndResourcesCanAskTheClient(t *testing.T) {
	proves(t, "mrtr.supported-requests", "prompts.input-required", "resources.read.input-required", "base.result.type.complete", "cache.hints.not-interim")
	s := newServer(nil)
	ask := func(ctx context.Context, r *mcp.Request) (string, error) {
		form, _, err := mcp.Elicit[nameForm](ctx, r, "Who are you?")
		if err != nil {
			return "", err
		}
		return "for " + form.Name, nil
	}
	must(t,
		s.AddPrompt(mcp.Prompt{Name: "ask", Arguments: []mcp.PromptArgument{{Name: "a", Complete: func(ctx context.Context, r *mcp.Request, _ string, _ map[string]string) (mcp.Completion, error) {
			_, err := ask(ctx, r)
			if err == nil {
				t.Errorf("a completer asked: %v", err)
			}
			return mcp.Completion{Values: []string{"x"}}, nil
		}}}}, func(ctx context.Context, r *mcp.Request, _ map[string]string) (*mcp.PromptResult, error) {
			text, err := ask(ctx, r)
			return &mcp.PromptResult{Messages: []mcp.PromptMessage{{Content: mcp.Text(text)}}}, err
		}),
		s.AddResource(mcp.Resource{URI: "x:ask", Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ string) ([]mcp.ResourceContents, error) {
			text, err := ask(ctx, r)
			return []mcp.ResourceContents{{Text: text}}, err
		}))
	const answer = `{"action":"accept","content":{"name":"Ada"}}`
	requests := map[string]string{"prompts/get": `"name":"ask"`, "resources/read": `"uri":"x:ask"`}

	p := connect(t, s)
	p.openWith("2025-11-25", `{"elicitation":{}}`)
	for method, members := range requests {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`, method, members))
		m := p.receive()
		if m.Method != "elicitation/create" {
			t.Fatal(m.line)
		}
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, answer))
		if m := p.receive(); string(m.ID) != "1" || !strings.Contains(m.line, "for Ada") {
			t.Error(m.line)
		}
	}

	p = connect(t, s)
	meta := metaWith(`{"elicitation":{}}`)
	for method, members := range requests {
		m := p.ask("1", method, "{"+members+","+meta+"}")
		if m.Result["resultType"] != "input_required" || m.Result["ttlMs"] != nil || m.Result["cacheScope"] != nil {
			t.Fatal(m.line)
		}
		state, _ := json.Marshal(m.Result["requestState"])
		for key := range object(m.Result["inputRequests"]) {
			m = p.ask("2", method, fmt.Sprintf(`{%s,"inputResponses":{%q:%s},"requestState":%s,%s}`, members, key, answer, state, meta))
		}
		if m.Result["resultType"] != "complete" || !strings.Contains(m.line, "for Ada") {
			t.Error(m.line)
		}
	}
	m := p.ask("3", "completion/complete", `{"ref":{"type":"ref/prompt","name":"ask"},"argument":{"name":"a","value":""},`+meta+"}")
	if m.Result["completion"] == nil || m.Result["resultType"] != "complete" {
		t.Error(m.line)
	}
}
