package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

type resourceHandler = func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error)

// holds returns a resource handler that always returns the given contents.
func holds(contents ...mcp.ResourceContents) resourceHandler {
	return func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) { return contents, nil }
}

func lacks(err error) resourceHandler {
	return func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) { return nil, err }
}

func uriParams(uri string) string { return fmt.Sprintf(`"uri":%q`, uri) }

// notFound returns the error code for a resource that does not exist.
func notFound(revision string) int {
	if revision == "2026-07-28" {
		return mcp.CodeInvalidParams
	}
	return -32002
}

func TestAResourceIsListedWithWhatTheRevisionHasOfIt(t *testing.T) {
	proves(t, "resources.list.fields", "resources.list.answered", "resources.list.no-connection-variance", "content.annotations.last-modified")
	s := newServer(nil)
	must(t,
		s.AddResource(mcp.Resource{
			URI: "file:///a/b.rs", Name: "b.rs", Title: "B", Description: "about b", MIMEType: "text/x-rust", Size: 1 << 40,
			Annotations: &mcp.Annotations{Audience: []mcp.Role{mcp.RoleAssistant}, Priority: new(0.25), LastModified: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)},
			Icons:       []mcp.Icon{{Source: "https://example.com/i.png", Theme: "dark"}}, Meta: mcp.Meta{"example.com/k": 1},
		}, holds()),
		s.AddResource(mcp.Resource{URI: "x:", Name: "bare"}, holds()))
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		m := p.ask("1", "resources/list", params(""))
		more := ""
		annotations := `{"audience":["assistant"],"priority":0.25}`
		if revision >= "2025-06-18" {
			more = `"title":"B","_meta":{"example.com/k":1},`
			annotations = `{"audience":["assistant"],"priority":0.25,"lastModified":"2026-01-02T03:04:05Z"}`
		}
		if revision >= "2025-11-25" {
			more += `"icons":[{"src":"https://example.com/i.png","theme":"dark"}],`
		}
		sameJSON(t, "resources", m.Result["resources"], `[{`+more+`"uri":"file:///a/b.rs","name":"b.rs","description":"about b",
			"mimeType":"text/x-rust","size":1099511627776,"annotations":`+annotations+`},{"uri":"x:","name":"bare"}]`)
	})
}

func TestAResourceIsRead(t *testing.T) {
	proves(t, "resources.read.contents", "resources.security.binary", "resources.read.text-only-if-text", "resources.read.multiple", "content.embedded-resource")
	s := newServer(nil)
	must(t,
		s.AddResource(mcp.Resource{URI: "docs://text", Name: "text", MIMEType: "text/markdown"}, holds(mcp.ResourceContents{Text: "# é\n\u2028", Meta: mcp.Meta{"example.com/k": 1}})),
		s.AddResource(mcp.Resource{URI: "docs://blank", Name: "blank"}, holds(mcp.ResourceContents{})),
		s.AddResource(mcp.Resource{URI: "docs://blob", Name: "blob", MIMEType: "image/png"}, holds(mcp.ResourceContents{Blob: []byte{0xFF, 0xFE, 0}})),
		s.AddResource(mcp.Resource{URI: "docs://no-bytes", Name: "blob"}, holds(mcp.ResourceContents{Blob: []byte{}})),
		s.AddResource(mcp.Resource{URI: "docs://latin1", Name: "latin1"}, holds(mcp.ResourceContents{Text: "caf\xe9"})),
		s.AddResource(mcp.Resource{URI: "docs://dir", Name: "dir", MIMEType: "inode/directory"}, holds(
			mcp.ResourceContents{}, mcp.ResourceContents{URI: "docs://dir/a", MIMEType: "text/plain", Text: "A"}, mcp.ResourceContents{URI: "docs://dir/b", Blob: []byte("B")})),
		s.AddResource(mcp.Resource{URI: "docs://empty-dir", Name: "empty"}, holds([]mcp.ResourceContents{}...)),
		s.AddResource(mcp.Resource{URI: "docs://none", Name: "none"}, func(_ context.Context, r *mcp.Request, uri string) ([]mcp.ResourceContents, error) {
			if uri != "docs://none" || r.Name() != uri {
				t.Errorf("the handler was told %q and %q", uri, r.Name())
			}
			return []mcp.ResourceContents{}, nil
		}),
	)
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		meta := ""
		if revision >= "2025-06-18" {
			meta = `,"_meta":{"example.com/k":1}`
		}
		for uri, want := range map[string]string{
			"docs://text":     `[{"uri":"docs://text","mimeType":"text/markdown","text":"# é\n\u2028"` + meta + `}]`,
			"docs://blank":    `[{"uri":"docs://blank","text":""}]`,
			"docs://blob":     `[{"uri":"docs://blob","mimeType":"image/png","blob":"//4A"}]`,
			"docs://no-bytes": `[{"uri":"docs://no-bytes","blob":""}]`,
			"docs://latin1":   `[{"uri":"docs://latin1","blob":"Y2Fm6Q=="}]`,
			"docs://dir":      `[{"uri":"docs://dir","mimeType":"inode/directory","text":""},{"uri":"docs://dir/a","mimeType":"text/plain","text":"A"},{"uri":"docs://dir/b","blob":"Qg=="}]`,
			"docs://none":     `[]`,
		} {
			m := p.ask("1", "resources/read", params(uriParams(uri)))
			sameJSON(t, uri, m.Result["contents"], want)
		}
	})
}

func TestAResourceThatDoesNotExistIsNotFound(t *testing.T) {
	proves(t, "resources.not-found.legacy", "resources.not-found.modern", "resources.not-found.data-uri", "resources.not-found.no-empty",
		"base.error.retired", "base.error.legacy-range.avoid")
	s := newServer(nil)
	must(t,
		s.AddResource(mcp.Resource{URI: "docs://gone", Name: "gone"}, lacks(fmt.Errorf("row 7: %w", mcp.ErrResourceNotFound))),
		s.AddResource(mcp.Resource{URI: "docs://nil", Name: "nil"}, lacks(nil)),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "docs://t/{id}", Name: "t"}, func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
			return nil, mcp.ErrResourceNotFound
		}),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "docs://n/{id}", Name: "n"}, func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
			return nil, nil
		}))
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		for _, uri := range []string{"docs://unknown", "docs://gone", "docs://nil", "docs://t/1", "docs://n/1", "docs://n/", "docs://GONE", "docs://gone/", "docs://gone?x", "docs://gone#x", "file:///etc/passwd"} {
			m := p.ask("1", "resources/read", params(uriParams(uri)))
			if m.Error == nil || m.Error.Code != notFound(revision) || m.Error.Data["uri"] != uri || m.Error.Message != "Resource not found" {
				t.Errorf("%s: %s", uri, m.line)
			}
		}
	})
}

func TestEveryURIIsChecked(t *testing.T) {
	proves(t, "resources.security.validate-uri", "resources.uri.custom-rfc3986", "resources.security.traversal", "base.error.invalid-params")
	s := newServer(nil)
	must(t, s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "{+all}", Name: "all"},
		func(_ context.Context, _ *mcp.Request, _ string, vars mcp.Variables) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{Text: vars.Get("all")}}, nil
		}))
	good := []string{"a:", "a:b", "A+b-c.1:x", "http://u:p@h.example:80/p/a;b=1?q=/?#f/?", "http://[::1]:80/", "http://[2001:db8::7]", "file:///a/b..c/.../d", "file:///a/.b",
		"docs://@scope/name@1.0", "urn:isbn:0451450523", "mailto:a@b.c", "x://h:/", "x:///", "x:?#", "data:,a%20b", "x://%C3%A9/%c3%a9", "docs://a/../b", "file:a?x=/../b",
		"x:" + strings.Repeat("y", 8190)}
	bad := []string{"", "a", "/a", "//a/b", ":a", "1a:b", "a_b:c", "é:x", "a b:c", "x:a b", "x:é", "x://é/", "x:a\tb", "x:a\nb", "x:a\x00b", `x:a"b`, "x:<a>", `x:a\b`, "x:a^b", "x:a`b", "x:{a}", "x:a|b",
		"x:%", "x:%4", "x:%4g", "x://%zz/", "x:a#b#c", "x:[a]", "x://a[b]/", "x://[::1", "x://[::1]a/", "x://[1.2.3.4]/", "x://[fe80::1%25en0]/", "x://a@b@c/", "x://a:b/", "x://a:1:2/",
		"file:///a/../b", "file:///..", "FILE:///a/..", "file:///a/%2e%2E/b", "file:///a%2f..%2Fb", "file:///a/..%5cb", "file://h/../x", "file:../x", "file:///a%00b",
		"x:" + strings.Repeat("y", 8191)}
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		for _, uri := range good {
			if m := p.ask("1", "resources/read", params(uriParams(uri))); m.Error != nil || object(list(m.Result["contents"])[0])["uri"] != uri {
				t.Errorf("%.80s: %.300s", uri, m.line)
			}
		}
		for _, uri := range bad {
			text := strings.Trim(fmt.Sprintf("%+q", uri), "'")
			text = strings.NewReplacer(`\x00`, `\u0000`).Replace(text)
			switch {
			case p.transport == "http":
			case revision != latest:
				for _, method := range []string{"resources/subscribe", "resources/unsubscribe"} {
					if m := p.ask("1", method, params(`"uri":`+text)); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
						t.Errorf("%s %.80q: %.300s", method, uri, m.line)
					}
				}
			default:
				if m := p.ask("1", "subscriptions/listen", params(`"notifications":{"resourceSubscriptions":["x:a",`+text+`]}`)); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
					t.Errorf("subscriptions/listen %.80q: %.300s", uri, m.line)
				}
			}
			m := p.ask("1", "resources/read", params(`"uri":`+text))
			if m.Error == nil || m.Error.Code != mcp.CodeInvalidParams || !strings.HasPrefix(m.Error.Message, "Invalid params of resources/read: uri: ") || len(m.line) > 300 {
				t.Errorf("%.80q: %.300s", uri, m.line)
			}
		}
		for _, members := range []string{`"uri":7`, `"uri":null`, `"uri":{}`, `"name":"x"`, ``} {
			if m := p.ask("1", "resources/read", params(members)); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
				t.Errorf("%s: %s", members, m.line)
			}
		}
	})
	for _, uri := range bad {
		if err := s.AddResource(mcp.Resource{URI: uri, Name: "x"}, holds()); err == nil {
			t.Errorf("a resource at %.80q was added", uri)
		}
	}
}

func TestAResourceThatFailsIsAnInternalError(t *testing.T) {
	proves(t, "resources.error.internal")
	var log strings.Builder
	s := newServer(&mcp.ServerOptions{Logger: textLogger(&log)})
	must(t,
		s.AddResource(mcp.Resource{URI: "x:error", Name: "x"}, lacks(errors.New("secret detail"))),
		s.AddResource(mcp.Resource{URI: "x:panic", Name: "x"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) { panic("secret detail") }),
		s.AddResource(mcp.Resource{URI: "x:bad-uri", Name: "x"}, holds(mcp.ResourceContents{URI: "no scheme"})),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "x:t{a}", Name: "x"}, func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
			panic("secret detail")
		}),
		s.AddResource(mcp.Resource{URI: "x:coded", Name: "x"}, lacks(&mcp.Error{Code: 7, Message: "not today"})),
		s.AddResource(mcp.Resource{URI: "x:fine", Name: "x"}, holds(mcp.ResourceContents{Text: "alive"})))
	eachRevision(t, s, func(t *testing.T, _ string, p *peer, params func(string) string) {
		for _, uri := range []string{"x:error", "x:panic", "x:bad-uri", "x:t1"} {
			m := p.ask("1", "resources/read", params(uriParams(uri)))
			if m.Error == nil || m.Error.Code != mcp.CodeInternalError || strings.Contains(m.line, "secret") {
				t.Errorf("%s: %s", uri, m.line)
			}
		}
		if m := p.ask("2", "resources/read", params(uriParams("x:coded"))); m.Error == nil || m.Error.Code != 7 {
			t.Error(m.line)
		}
		if m := p.ask("3", "resources/read", params(uriParams("x:fine"))); len(list(m.Result["contents"])) != 1 {
			t.Error(m.line)
		}
	})
	if !strings.Contains(log.String(), "secret detail") || !strings.Contains(log.String(), `has no scheme`) {
		t.Errorf("log: %s", log.String())
	}
}

func TestNoTimeThatSomethingMayBeKeptIsNegative(t *testing.T) {
	proves(t, "cache.ttl.non-negative")
	s := newServer(&mcp.ServerOptions{ListTTL: -time.Minute})
	must(t, s.AddResource(mcp.Resource{URI: "x:a", Name: "a", Caching: mcp.Caching{TTL: -time.Minute}}, holds(mcp.ResourceContents{Text: "a"})))
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		for method, members := range map[string]string{"resources/list": "", "resources/templates/list": "", "resources/read": uriParams("x:a"), "server/discover": ""} {
			if m := p.ask("1", method, params(members)); revision == latest && m.Result["ttlMs"] != 0.0 {
				t.Errorf("%s: %s", method, m.line)
			}
		}
	}, "pipe")
}

func TestWhatWasReadSaysHowLongItMayBeKept(t *testing.T) {
	proves(t, "cache.hints.present", "cache.ttl.non-negative", "cache.scope.values", "cache.scope.public-aware")
	s := newServer(&mcp.ServerOptions{ListTTL: time.Minute})
	caching := map[string]mcp.Caching{
		"x:default": {}, "x:private": {TTL: 1500 * time.Millisecond}, "x:public": {TTL: time.Hour, Public: true}, "x:negative": {TTL: -time.Second},
	}
	for uri, c := range caching {
		must(t,
			s.AddResource(mcp.Resource{URI: uri, Name: "x", Caching: c}, holds(mcp.ResourceContents{Text: "x"})),
			s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: uri + "/{a}", Name: "x", Caching: c}, func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{{Text: "x"}}, nil
			}))
	}
	want := map[string]string{"x:default": "private 0", "x:private": "private 1500", "x:public": "public 3.6e+06", "x:negative": "private 0"}
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		for uri := range caching {
			for _, uri := range []string{uri, uri + "/1"} {
				m := p.ask("1", "resources/read", params(uriParams(uri)))
				got := fmt.Sprint(m.Result["cacheScope"], " ", m.Result["ttlMs"])
				if revision != "2026-07-28" {
					if got != "<nil> <nil>" {
						t.Errorf("%s: %s", uri, m.line)
					}
				} else if base, _, _ := strings.Cut(uri, "/"); got != want[base] {
					t.Errorf("%s: %s", uri, m.line)
				}
			}
		}
		for _, method := range []string{"resources/list", "resources/templates/list"} {
			m := p.ask("1", method, params(""))
			if got := fmt.Sprint(m.Result["cacheScope"], " ", m.Result["ttlMs"]); revision == "2026-07-28" && got != "public 60000" {
				t.Errorf("%s: %s", method, m.line)
			}
		}
	})
}

func TestMistakesInAResourceAreReportedAtOnce(t *testing.T) {
	proves(t, "icons.src-required")
	ranBeforeClients(t)
	s := newServer(nil)
	must(t, s.AddResource(mcp.Resource{URI: "x:taken", Name: "x"}, holds()))
	for _, test := range []struct {
		name     string
		resource mcp.Resource
		handler  resourceHandler
		part     string
	}{
		{"no URI", mcp.Resource{Name: "x"}, holds(), `resource "": a URI must have 1 to 8192 bytes`},
		{"a path", mcp.Resource{URI: "/a/b", Name: "x"}, holds(), `resource "/a/b": "/a/b" has no scheme`},
		{"no name", mcp.Resource{URI: "x:a"}, holds(), `resource "x:a": a name must have 1 to 256 bytes`},
		{"a URI that is taken", mcp.Resource{URI: "x:taken", Name: "x"}, holds(), `resource "x:taken": the URI is taken; choose another, or add it with the option Replace`},
		{"no handler", mcp.Resource{URI: "x:a", Name: "x"}, nil, `resource "x:a": the handler is nil`},
		{"a negative size", mcp.Resource{URI: "x:a", Name: "x", Size: -1}, holds(), "size is negative"},
		{"a MIME type without slash", mcp.Resource{URI: "x:a", Name: "x", MIMEType: "text"}, holds(), `"text" is not a MIME type`},
		{"an audience of its own", mcp.Resource{URI: "x:a", Name: "x", Annotations: &mcp.Annotations{Audience: []mcp.Role{"system"}}}, holds(), `not "system"`},
		{"a priority of 2", mcp.Resource{URI: "x:a", Name: "x", Annotations: &mcp.Annotations{Priority: new(2.0)}}, holds(), "between 0 and 1, not 2"},
		{"an icon from a file", mcp.Resource{URI: "x:a", Name: "x", Icons: []mcp.Icon{{Source: "file:///i"}}}, holds(), "http, https or data"},
		{"a value that is no JSON", mcp.Resource{URI: "x:a", Name: "x", Meta: mcp.Meta{"k": func() {}}}, holds(), `_meta key "k"`},
	} {
		if err := s.AddResource(test.resource, test.handler); err == nil || !strings.Contains(err.Error(), test.part) {
			t.Errorf("%s: %v, want %q in it", test.name, err, test.part)
		}
	}
}
