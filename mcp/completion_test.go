package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// completeServer returns a server that completes the arguments of the prompt "review" and the
// variables of the template docs://{lang}/{+name}.
func completeServer(tb testing.TB) *mcp.Server {
	tb.Helper()
	s := newServer(nil)
	numbers := func(n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprint("n", i))
		}
		return all
	}
	answer := func(c mcp.Completion, err error) mcp.Completer {
		return func(context.Context, *mcp.Request, string, map[string]string) (mcp.Completion, error) { return c, err }
	}
	must(tb,
		s.AddPrompt(mcp.Prompt{Name: "review", Arguments: []mcp.PromptArgument{
			{Name: "language", Complete: mcp.OneOf("python", "java", "JavaScript", "c++", "go")},
			{Name: "framework", Complete: func(_ context.Context, _ *mcp.Request, typed string, chosen map[string]string) (mcp.Completion, error) {
				return mcp.Completion{Values: []string{typed + " for " + chosen["language"]}}, nil
			}},
			{Name: "free"},
			{Name: "many", Complete: answer(mcp.Completion{Values: numbers(250)}, nil)},
			{Name: "hundred", Complete: answer(mcp.Completion{Values: numbers(100)}, nil)},
			{Name: "counted", Complete: answer(mcp.Completion{Values: numbers(2), Total: 7}, nil)},
			{Name: "uncounted", Complete: answer(mcp.Completion{Values: numbers(2), More: true}, nil)},
			{Name: "odd", Complete: answer(mcp.Completion{Values: []string{"\xff\n", ""}, Total: -3}, nil)},
			{Name: "error", Complete: answer(mcp.Completion{}, errors.New("secret detail"))},
			{Name: "refused", Complete: answer(mcp.Completion{}, &mcp.Error{Code: mcp.CodeInvalidParams, Message: "choose a language first"})},
			{Name: "panic", Complete: func(context.Context, *mcp.Request, string, map[string]string) (mcp.Completion, error) {
				panic("secret detail")
			}},
		}}, says()),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "docs://{lang}/{+name}", Name: "docs",
			Complete: map[string]mcp.Completer{"lang": mcp.OneOf("go", "rust")}}, tells("docs")),
		s.AddResource(mcp.Resource{URI: "docs://index", Name: "index"}, holds()))
	return s
}

func promptRef(argument, value, more string) string {
	return fmt.Sprintf(`"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":%q,"value":%q}%s`, argument, value, more)
}

func resourceRef(uri, argument, value string) string {
	return fmt.Sprintf(`"ref":{"type":"ref/resource","uri":%q},"argument":{"name":%q,"value":%q}`, uri, argument, value)
}

func TestArgumentsAreCompleted(t *testing.T) {
	proves(t, "completion.ref-types", "completion.sorted", "completion.fuzzy", "completion.no-capability-2024")
	eachRevision(t, completeServer(t), func(t *testing.T, _ string, p *peer, params func(string) string) {
		for members, want := range map[string]string{
			promptRef("language", "", ""):                        `{"values":["python","java","JavaScript","c++","go"],"total":5,"hasMore":false}`,
			promptRef("language", "JA", ""):                      `{"values":["java","JavaScript"],"total":2,"hasMore":false}`,
			promptRef("language", "o", ""):                       `{"values":["python","go"],"total":2,"hasMore":false}`,
			promptRef("language", "ruby", ""):                    `{"values":[],"total":0,"hasMore":false}`,
			promptRef("free", "x", ""):                           `{"values":[],"total":0,"hasMore":false}`,
			promptRef("counted", "x", ""):                        `{"values":["n0","n1"],"total":7,"hasMore":true}`,
			promptRef("uncounted", "x", ""):                      `{"values":["n0","n1"],"hasMore":true}`,
			promptRef("odd", "x", ""):                            `{"values":["\ufffd\n",""],"total":2,"hasMore":false}`,
			promptRef("framework", "fla", ""):                    `{"values":["fla for "],"total":1,"hasMore":false}`,
			resourceRef("docs://{lang}/{+name}", "lang", "r"):    `{"values":["rust"],"total":1,"hasMore":false}`,
			resourceRef("docs://{lang}/{+name}", "name", "net/"): `{"values":[],"total":0,"hasMore":false}`,
			resourceRef("docs://index", "lang", "r"):             `{"values":[],"total":0,"hasMore":false}`,
		} {
			m := p.ask("1", "completion/complete", params(members))
			sameJSON(t, members, m.Result["completion"], want)
			if m.Result["ttlMs"] != nil {
				t.Error(m.line)
			}
		}
	})
}

func TestAHundredSuggestionsAreTheMost(t *testing.T) {
	proves(t, "completion.max-100")
	eachRevision(t, completeServer(t), func(t *testing.T, _ string, p *peer, params func(string) string) {
		for argument, want := range map[string]string{"many": "100 250 true", "hundred": "100 100 false"} {
			c := object(p.ask("1", "completion/complete", params(promptRef(argument, "", ""))).Result["completion"])
			values := list(c["values"])
			if got := fmt.Sprint(len(values), c["total"], c["hasMore"]); got != want || values[99] != "n99" {
				t.Errorf("%s: %s, want %s", argument, got, want)
			}
		}
	})
}

func TestCompletionKnowsWhatWasChosen(t *testing.T) {
	proves(t, "completion.validate")
	eachRevision(t, completeServer(t), func(t *testing.T, revision string, p *peer, params func(string) string) {
		m := p.ask("1", "completion/complete", params(promptRef("framework", "fla", `,"context":{"arguments":{"language":"python"},"more":1}`)))
		want := `["fla for python"]`
		if revision < "2025-06-18" {
			want = `["fla for "]`
		}
		sameJSON(t, "values", object(m.Result["completion"])["values"], want)
		for _, context := range []string{`7`, `[]`, `{"arguments":[]}`, `{"arguments":{"language":7}}`, `{"arguments":{"language":null}}`} {
			m := p.ask("1", "completion/complete", params(promptRef("framework", "fla", `,"context":`+context)))
			refused := m.Error != nil && m.Error.Code == mcp.CodeInvalidParams && strings.Contains(m.Error.Message, "context.arguments")
			if refused != (revision >= "2025-06-18") {
				t.Errorf("context %s: %s", context, m.line)
			}
		}
		if m := p.ask("1", "completion/complete", params(promptRef("framework", "", `,"context":{}`))); m.Error != nil {
			t.Error(m.line)
		}
	})
}

func TestABadRequestForCompletionIsRefused(t *testing.T) {
	proves(t, "completion.error.bad-ref", "completion.error.missing-argument", "completion.validate", "completion.ref-types", "base.error.invalid-params")
	argument := `"argument":{"name":"language","value":"x"}`
	ref := `"ref":{"type":"ref/prompt","name":"review"}`
	eachRevision(t, completeServer(t), func(t *testing.T, _ string, p *peer, params func(string) string) {
		for members, part := range map[string]string{
			``:                    "ref must be an object",
			argument:              "ref must be a ref/prompt",
			ref:                   "argument an object with name and value",
			`"ref":7,` + argument: "ref must be an object",
			`"ref":{"type":"ref/tool","name":"review"},` + argument:                                               "ref must be a ref/prompt",
			`"ref":{"type":"ref/prompt"},` + argument:                                                             "ref must be a ref/prompt",
			`"ref":{"type":"ref/prompt","uri":"review"},` + argument:                                              "ref must be a ref/prompt",
			`"ref":{"type":"ref/resource","name":"x"},` + argument:                                                "ref must be a ref/prompt",
			`"ref":{"name":"review"},` + argument:                                                                 "ref must be a ref/prompt",
			`"ref":{"uri":"docs://{lang}/{+name}"},"argument":{"name":"lang","value":"g"}`:                        "ref must be a ref/prompt",
			`"ref":{"type":"Ref/prompt","name":"review"},` + argument:                                             "ref must be a ref/prompt",
			`"ref":{"type":"ref/template","uri":"docs://{lang}/{+name}"},"argument":{"name":"lang","value":"g"}`:  "ref must be a ref/prompt",
			`"ref":{"type":"ref/resources","uri":"docs://{lang}/{+name}"},"argument":{"name":"name","value":"g"}`: "ref must be a ref/prompt",
			`"ref":{"type":"ref/prompt","name":7},` + argument:                                                    "ref must be an object",
			`"ref":{"type":"ref/prompt","name":"no"},` + argument:                                                 "Unknown prompt: no",
			`"ref":{"type":"ref/resource","uri":"no:"},` + argument:                                               "Unknown resource template: no:",
			ref + `,"argument":{"name":"language"}`:                                                               "name and value",
			ref + `,"argument":{"value":"x"}`:                                                                     "name and value",
			ref + `,"argument":{"name":"language","value":7}`:                                                     "name and value",
			ref + `,"argument":{"name":"language","value":null}`:                                                  "name and value",
			ref + `,"argument":[]`:                                                                                "name and value",
			promptRef("age", "x", ""):                                                                             "Prompt review has no argument age",
			resourceRef("docs://{lang}/{+name}", "age", "x"):                                                      "has no variable age",
			promptRef("", "x", ""):                                                                                "Prompt review has no argument ",
			resourceRef("docs://{lang}/{+name}", "", "x"):                                                         "has no variable ",
			resourceRef("docs://{lang}/{+name}", "Lang", "x"):                                                     "has no variable Lang",
		} {
			m := p.ask("1", "completion/complete", params(members))
			if m.Error == nil || m.Error.Code != mcp.CodeInvalidParams || !strings.Contains(m.Error.Message, part) {
				t.Errorf("%s: %s", members, m.line)
			}
		}
	})
}

func TestACompleterThatFailsIsAnInternalError(t *testing.T) {
	proves(t, "completion.error.internal", "base.error.internal")
	eachRevision(t, completeServer(t), func(t *testing.T, _ string, p *peer, params func(string) string) {
		for argument, code := range map[string]int{"error": mcp.CodeInternalError, "panic": mcp.CodeInternalError, "refused": mcp.CodeInvalidParams} {
			m := p.ask("1", "completion/complete", params(promptRef(argument, "x", "")))
			if m.Error == nil || m.Error.Code != code || strings.Contains(m.line, "secret") {
				t.Errorf("%s: %s", argument, m.line)
			}
		}
		if m := p.ask("2", "completion/complete", params(promptRef("language", "g", ""))); m.Error != nil {
			t.Error(m.line)
		}
	})
}

// capabilities returns the capabilities that a server declares in the given
// revision.
func (p *peer) capabilities(revision string) map[string]any {
	p.t.Helper()
	if revision == "2026-07-28" {
		return object(p.ask("0", "server/discover", "{"+modernMeta("")+"}").Result["capabilities"])
	}
	return object(p.initialize(revision).Result["capabilities"])
}

func TestWhatAServerHasItDeclaresAndWhatItHasNotItDoesNotKnow(t *testing.T) {
	proves(t, "completion.capability", "completion.error.unsupported", "resources.list.answered", "completion.no-capability-2024", "prompts.capability", "prompts.capability.modern",
		"resources.capability", "resources.capability.options", "arch.features-advertised", "prompts.respect-capabilities", "base.error.method-not-found")
	methods := map[string]string{
		"prompts/list": "", "prompts/get": promptParams("p", ""), "resources/list": "", "resources/templates/list": "", "resources/read": uriParams("x:a"),
		"completion/complete": `"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}`,
	}
	with := func(do func(s *mcp.Server) error) *mcp.Server {
		s := newServer(nil)
		must(t, do(s))
		return s
	}
	for name, test := range map[string]struct {
		server  *mcp.Server
		has     string // expected capabilities
		answers string // methods that the server must support
	}{
		"nothing":   {newServer(nil), "", ""},
		"prompts":   {with(func(s *mcp.Server) error { return s.AddPrompt(mcp.Prompt{Name: "p"}, says()) }), "prompts", "prompts/"},
		"resources": {with(func(s *mcp.Server) error { return s.AddResource(mcp.Resource{URI: "x:a", Name: "a"}, holds()) }), "resources", "resources/"},
		"templates": {with(func(s *mcp.Server) error {
			return s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "x:{a}", Name: "a"}, tells(""))
		}), "resources", "resources/"},
		"a prompt with a completer": {with(func(s *mcp.Server) error {
			return s.AddPrompt(mcp.Prompt{Name: "p", Arguments: []mcp.PromptArgument{{Name: "b"}, {Name: "a", Complete: mcp.OneOf("x")}}}, says())
		}), "prompts completions", "prompts/ completion/"},
		"a template with a completer": {with(func(s *mcp.Server) error {
			return s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "x:{a}", Name: "a", Complete: map[string]mcp.Completer{"a": mcp.OneOf("x")}}, tells(""))
		}), "resources completions", "resources/ completion/"},
		"prompts that are gone": {with(func(s *mcp.Server) error {
			err := s.AddPrompt(mcp.Prompt{Name: "p"}, says())
			s.RemovePrompts("p")
			return err
		}), "prompts", "prompts/"},
	} {
		for _, revision := range revisions {
			p := connect(t, test.server)
			has := p.capabilities(revision)
			params := func(members string) string { return "{" + members + "}" }
			if revision == "2026-07-28" {
				params = p.open(revision)
			}
			for _, kind := range []string{"prompts", "resources", "completions", "tools", "logging"} {
				want := strings.Contains(test.has, kind) && (kind != "completions" || revision >= "2025-03-26")
				if (has[kind] != nil) != want || want && kind != "completions" && object(has[kind])["listChanged"] != true {
					t.Errorf("%s, %s: %s: %v", name, revision, kind, has)
				}
			}
			for method, members := range methods {
				m := p.ask("1", method, params(members))
				prefix, _, _ := strings.Cut(method, "/")
				if known := m.Error == nil || m.Error.Code != mcp.CodeMethodNotFound; known != strings.Contains(test.answers, prefix+"/") {
					t.Errorf("%s, %s: %s", name, revision, m.line)
				}
			}
		}
	}
}

func TestSuggestPutsTheLikeliestFirst(t *testing.T) {
	proves(t, "completion.sorted", "completion.fuzzy")
	values := []string{"golang.org/x/net", "net/http", "internet", "n-e-t", "Netscape", "ten", "éneté", "x/internet/net", "日本語"}
	for typed, want := range map[string]string{
		"net":     "net/http Netscape golang.org/x/net x/internet/net internet éneté n-e-t",
		"NET/":    "net/http x/internet/net",
		"":        strings.Join(values, " "),
		"本語":      "日本語",
		"日語":      "日本語",
		"É":       "éneté",
		"zzz":     "",
		"nettttt": "",
	} {
		got := strings.Join(mcp.Suggest(typed, values).Values, " ")
		if got != want {
			t.Errorf("%q: %s, want %s", typed, got, want)
		}
	}
	if values[4] != "Netscape" {
		t.Error("the values were changed")
	}
}

// as opens a connection on behalf of the given principal.
func as(t *testing.T, s *mcp.Server, principal, revision string) (*peer, func(string) string) {
	t.Helper()
	p := connectWith(mcp.WithPrincipal(context.Background(), principal), t, s)
	return p, p.open(revision)
}

func TestCompletionIsLimited(t *testing.T) {
	proves(t, "completion.rate-limit")
	// far makes calls until one is refused, and returns the number of calls before it.
	far := func(t *testing.T, p *peer, params func(string) string) (n int) {
		t.Helper()
		for ; n < 100; n++ {
			m := p.ask("1", "completion/complete", params(promptRef("language", "", "")))
			if m.Error != nil {
				if m.Error.Code != mcp.CodeInternalError || !strings.Contains(m.Error.Message, "Too many") {
					t.Error(m.line)
				}
				break
			}
		}
		return n
	}
	eachInBubble(t, revisions, func(t *testing.T, revision string) {
		s := completeServer(t)
		limited := newServer(&mcp.ServerOptions{Limits: mcp.Limits{MaxCompletionRate: 5}})
		must(t, limited.AddPrompt(mcp.Prompt{Name: "review", Arguments: []mcp.PromptArgument{{Name: "language", Complete: mcp.OneOf("x")}}}, says()))
		ada, adaParams := as(t, limited, "ada", revision)
		eve, eveParams := as(t, limited, "eve", revision)
		again, againParams := as(t, limited, "eve", revision)
		nobody, nobodyParams := as(t, limited, "", revision)
		for _, test := range []struct {
			what   string
			p      *peer
			params func(string) string
			want   int
			after  time.Duration
		}{
			{"a client", ada, adaParams, 5, 0},
			{"at once again", ada, adaParams, 0, 0},
			{"another principal", eve, eveParams, 5, 0},
			{"the same principal on another connection", again, againParams, 0, 0},
			{"a client without principal", nobody, nobodyParams, 5, 0},
			{"a client that has waited a little", ada, adaParams, 2, 400 * time.Millisecond},
			{"a client that has waited long", eve, eveParams, 5, time.Hour},
		} {
			<-time.After(test.after) // advance the fake time
			if got := far(t, test.p, test.params); got != test.want {
				t.Errorf("%s may ask %d times, want %d", test.what, got, test.want)
			}
		}
		// Other methods are not limited, and the default limit is high.
		if m := ada.ask("2", "prompts/list", adaParams("")); m.Error != nil {
			t.Error(m.line)
		}
		p, params := as(t, s, "", revision)
		if got := far(t, p, params); got != 100 {
			t.Errorf("a client may ask %d times", got)
		}
	})
}

func TestHandlersKnowOnWhoseBehalfTheyAct(t *testing.T) {
	proves(t, "completion.access-control", "completion.no-disclosure", "resources.security.access", "resources.security.permissions",
		"cache.scope.access-control", "cache.scope.not-access-control")
	s := newServer(nil)
	allowed := func(r *mcp.Request) error {
		if r.Principal() != "ada" {
			return &mcp.Error{Code: 403, Message: "not yours"}
		}
		return nil
	}
	err := s.AddPrompt(mcp.Prompt{Name: "p", Arguments: []mcp.PromptArgument{{Name: "a", Complete: func(_ context.Context, r *mcp.Request, typed string, _ map[string]string) (mcp.Completion, error) {
		var values []string
		if r.Principal() == "ada" {
			values = []string{"secret"}
		}
		return mcp.Suggest(typed, values), nil
	}}}}, func(_ context.Context, r *mcp.Request, _ map[string]string) (*mcp.PromptResult, error) {
		return &mcp.PromptResult{}, allowed(r)
	})
	must(t, err,
		s.AddResource(mcp.Resource{URI: "x:a", Name: "a", Caching: mcp.Caching{TTL: time.Hour, Public: true}}, func(_ context.Context, r *mcp.Request, _ string) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{}, allowed(r)
		}),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "y:{a}", Name: "a"}, func(_ context.Context, r *mcp.Request, _ string, _ mcp.Variables) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{}, allowed(r)
		}))
	for _, revision := range revisions {
		for _, principal := range []string{"ada", "eve", ""} {
			p, params := as(t, s, principal, revision)
			for method, members := range map[string]string{"prompts/get": promptParams("p", ""), "resources/read": uriParams("x:a")} {
				if m := p.ask("1", method, params(members)); (m.Error == nil) != (principal == "ada") || m.Error != nil && m.Error.Code != 403 {
					t.Errorf("%s, %q: %s", revision, principal, m.line)
				}
			}
			if m := p.ask("2", "resources/read", params(uriParams("y:1"))); (m.Error == nil) != (principal == "ada") {
				t.Errorf("%s, %q: %s", revision, principal, m.line)
			}
			m := p.ask("3", "completion/complete", params(`"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}`))
			if strings.Contains(m.line, "secret") != (principal == "ada") {
				t.Errorf("%s, %q: %s", revision, principal, m.line)
			}
		}
	}
}

func TestACompleterGetsTheValueAsItWasTyped(t *testing.T) {
	proves(t, "completion.ref-types")
	echo := func(_ context.Context, _ *mcp.Request, typed string, _ map[string]string) (mcp.Completion, error) {
		return mcp.Completion{Values: []string{typed}}, nil
	}
	s := newServer(nil)
	must(t, s.AddPrompt(mcp.Prompt{Name: "p", Arguments: []mcp.PromptArgument{{Name: "a", Complete: echo}}}, says()),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "x:{a}", Name: "t", Complete: map[string]mcp.Completer{"a": echo}}, tells("")))
	eachRevision(t, s, func(t *testing.T, _ string, p *peer, params func(string) string) {
		for _, typed := range []string{"", " ", " a ", "A", "a\n", "é", "\u0000", "%20", strings.Repeat("x", 5000)} {
			for _, ref := range []string{`{"type":"ref/prompt","name":"p"}`, `{"type":"ref/resource","uri":"x:{a}"}`} {
				value, _ := json.Marshal(typed)
				m := p.ask("1", "completion/complete", params(`"ref":`+ref+`,"argument":{"name":"a","value":`+string(value)+`}`))
				if values := list(object(m.Result["completion"])["values"]); len(values) != 1 || values[0] != typed {
					t.Errorf("%q: %s", typed, m.line)
				}
			}
		}
	})
}
