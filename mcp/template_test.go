package mcp_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

type templateHandler = func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error)

// tells returns a template handler that returns its name and the variables.
func tells(name string) templateHandler {
	return func(_ context.Context, _ *mcp.Request, _ string, vars mcp.Variables) ([]mcp.ResourceContents, error) {
		values, err := json.Marshal(vars)
		return []mcp.ResourceContents{{Text: name + " " + string(values)}}, err
	}
}

// read requests a resource and returns its text.
func (p *peer) read(params string) string {
	p.t.Helper()
	m := p.ask("1", "resources/read", params)
	for _, contents := range list(m.Result["contents"]) {
		text, _ := object(contents)["text"].(string)
		return text
	}
	return m.line
}

func TestATemplateIsListedWithWhatTheRevisionHasOfIt(t *testing.T) {
	proves(t, "resources.templates.fields", "resources.templates.mime", "resources.capability", "page.operations")
	s := newServer(nil)
	must(t,
		s.AddResourceTemplate(mcp.ResourceTemplate{
			URITemplate: "docs://{lang}/{+name}{?version}", Name: "docs", Title: "Docs", Description: "about docs", MIMEType: "text/markdown",
			Annotations: &mcp.Annotations{Priority: new(1.0)}, Icons: []mcp.Icon{{Source: "data:image/png;base64,AAAA"}}, Meta: mcp.Meta{"k": true},
		}, tells("docs")),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "a://é{x}", Name: "bare"}, tells("bare")))
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		m := p.ask("1", "resources/templates/list", params(""))
		more := ""
		if revision >= "2025-06-18" {
			more = `"title":"Docs","_meta":{"k":true},`
		}
		if revision >= "2025-11-25" {
			more += `"icons":[{"src":"data:image/png;base64,AAAA"}],`
		}
		sameJSON(t, "templates", m.Result["resourceTemplates"], `[{"uriTemplate":"a://é{x}","name":"bare"},
			{`+more+`"uriTemplate":"docs://{lang}/{+name}{?version}","name":"docs","description":"about docs","mimeType":"text/markdown","annotations":{"priority":1}}]`)
		// A server with templates declares resources, even if it has no other resources.
		sameJSON(t, "resources", p.ask("2", "resources/list", params("")).Result["resources"], `[]`)
	})
}

func TestATemplateServesTheURIsThatFitIt(t *testing.T) {
	proves(t, "resources.templates.fields", "resources.read.contents")
	s := newServer(nil)
	must(t,
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "docs://{lang}/{+name}{?version}", Name: "x", MIMEType: "text/plain"}, tells("docs")),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "repo://{owner}/{name}{/path*}", Name: "x"}, tells("repo")))
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		for uri, want := range map[string]string{
			"docs://go/golang.org/x/net":                `docs {"lang":["go"],"name":["golang.org/x/net"]}`,
			"docs://go/golang.org/x/net?version=v1.2.3": `docs {"lang":["go"],"name":["golang.org/x/net"],"version":["v1.2.3"]}`,
			"docs://%E6%97%A5/caf%c3%a9%20x?version=":   `docs {"lang":["日"],"name":["café x"],"version":[""]}`,
			"repo://a/b":                    `repo {"name":["b"],"owner":["a"]}`,
			"repo://a/b/c/d%2Fe":            `repo {"name":["b"],"owner":["a"],"path":["c","d/e"]}`,
			"docs://go/x?versions=1":        "",
			"docs://go/x?version=1&extra=2": "",
			"docs://go/":                    "",
			"docs://go":                     "",
			"docs://go/%FF":                 "",
			"repo://a":                      "",
		} {
			m := p.ask("1", "resources/read", params(uriParams(uri)))
			if want == "" {
				if m.Error == nil || m.Error.Code != notFound(revision) {
					t.Errorf("%s: %s", uri, m.line)
				}
				continue
			}
			contents := object(append(list(m.Result["contents"]), nil)[0])
			if contents["text"] != want || contents["uri"] != uri || (contents["mimeType"] == "text/plain") != strings.HasPrefix(uri, "docs") {
				t.Errorf("%s: %s", uri, m.line)
			}
		}
	})
}

func TestTheMostFittingOneServesAResource(t *testing.T) {
	proves(t, "resources.read.contents")
	order := []string{"a://{+all}", "a://x/{b}", "a://{a}/b", "a://x/{c}", "a://x/yy{z}"}
	for turn := range order {
		s := newServer(nil)
		for i := range order {
			name := order[(i+turn)%len(order)]
			must(t, s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: name, Name: "x"}, tells(name)))
		}
		must(t, s.AddResource(mcp.Resource{URI: "a://x/static", Name: "x"}, holds(mcp.ResourceContents{Text: "static "})))
		p := connect(t, s)
		params := p.open("2025-11-25")
		for uri, want := range map[string]string{
			"a://x/static": "static", "a://x/b": "a://x/{b}", "a://y/b": "a://{a}/b", "a://x/yyy": "a://x/yy{z}", "a://x/yy": "a://x/{b}", "a://q/r/s": "a://{+all}",
		} {
			if got, _, _ := strings.Cut(p.read(params(uriParams(uri))), " "); got != want {
				t.Errorf("turn %d: %s is served by %s, want %s", turn, uri, got, want)
			}
		}
	}
}

func TestAClientCannotClimbOutOfADirectory(t *testing.T) {
	proves(t, "resources.security.traversal")
	s := newServer(nil)
	must(t, s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "file:///srv/{+path}", Name: "x"},
		func(_ context.Context, _ *mcp.Request, uri string, _ mcp.Variables) ([]mcp.ResourceContents, error) {
			t.Errorf("%s reached the handler", uri)
			return nil, nil
		}))
	p := connect(t, s)
	params := p.open("2026-07-28")
	for _, path := range []string{"../etc/passwd", "a/../../b", "..", "a/..", "%2e%2e/x", ".%2E%2fx", "..%2Fx", "%2E.%5C..%5Cx", "a%2F%2e%2E", "a%00"} {
		if m := p.ask("1", "resources/read", params(uriParams("file:///srv/"+path))); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("%s: %s", path, m.line)
		}
	}
}

func TestMistakesInATemplateAreReportedAtOnce(t *testing.T) {
	s := newServer(nil)
	must(t, s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "x:{a}", Name: "x"}, tells("")))
	for _, test := range []struct {
		name     string
		template mcp.ResourceTemplate
		handler  templateHandler
		part     string
	}{
		{"nothing", mcp.ResourceTemplate{Name: "x"}, tells(""), `resource template "": a template must begin with a scheme`},
		{"no scheme", mcp.ResourceTemplate{URITemplate: "/a/{b}", Name: "x"}, tells(""), "must begin with a scheme"},
		{"an open brace", mcp.ResourceTemplate{URITemplate: "x:{a", Name: "x"}, tells(""), `resource template "x:{a": the { at byte 2 is not closed`},
		{"a blank", mcp.ResourceTemplate{URITemplate: "x:a {b}", Name: "x"}, tells(""), `' ' at byte 3 must be percent-encoded`},
		{"a bad name of a variable", mcp.ResourceTemplate{URITemplate: "x:{a-b}", Name: "x"}, tells(""), `"a-b" is not a valid variable name`},
		{"no name", mcp.ResourceTemplate{URITemplate: "x:{b}"}, tells(""), "a name must have 1 to 256 bytes"},
		{"a template that is taken", mcp.ResourceTemplate{URITemplate: "x:{a}", Name: "x"}, tells(""), `resource template "x:{a}": the URI template is taken; choose another, or add it with the option Replace`},
		{"no handler", mcp.ResourceTemplate{URITemplate: "x:{b}", Name: "x"}, nil, "the handler is nil"},
		{"a completer for no variable", mcp.ResourceTemplate{URITemplate: "x:{b}", Name: "x", Complete: map[string]mcp.Completer{"c": mcp.OneOf("1")}}, tells(""), `Complete["c"] does not name a variable of the template`},
		{"no completer for a variable", mcp.ResourceTemplate{URITemplate: "x:{b}", Name: "x", Complete: map[string]mcp.Completer{"b": nil}}, tells(""), `Complete["b"] is nil`},
		{"a bad MIME type", mcp.ResourceTemplate{URITemplate: "x:{b}", Name: "x", MIMEType: "/"}, tells(""), "is not a MIME type"},
	} {
		if err := s.AddResourceTemplate(test.template, test.handler); err == nil || !strings.Contains(err.Error(), test.part) {
			t.Errorf("%s: %v, want %q in it", test.name, err, test.part)
		}
	}
	must(t, s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "{scheme}://{+rest}", Name: "x"}, tells("")))
}

func TestTemplate_Variables(t *testing.T) {
	d := mcp.ResourceTemplate{URITemplate: "x:{a}{data*}{?b,a}"}
	got, err := d.Variables()
	if want := []mcp.TemplateVariable{{Name: "a"}, {Name: "data", Exploded: true}, {Name: "b"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("the variables are %v, want %v: %v", got, want, err)
	}
	d.URITemplate = "x:{"
	if got, err := d.Variables(); err == nil {
		t.Errorf("a malformed template has %v and no error", got)
	}
}

func TestATemplateMakesLinks(t *testing.T) {
	d := mcp.ResourceTemplate{URITemplate: "docs://{lang}/{+name}{?version}"}
	uri, err := d.Expand(map[string]any{"lang": "日", "name": "a/b c"})
	if err != nil || uri != "docs://%E6%97%A5/a/b%20c" {
		t.Errorf("%s, %v", uri, err)
	}
	for _, d := range []mcp.ResourceTemplate{{URITemplate: "docs://{"}, {URITemplate: "{x}"}, {URITemplate: "x:{y}"}} {
		if uri, err := d.Expand(map[string]any{"x": "no scheme", "y": 7}); err == nil {
			t.Errorf("%s: %s and no error", d.URITemplate, uri)
		}
	}
}
