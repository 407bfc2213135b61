package mcp_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

func textLogger(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func TestInitializeAgreesOnARevision(t *testing.T) {
	proves(t, "lifecycle.init.response", "lifecycle.version.server-echo", "lifecycle.version.server-counter",
		"lifecycle.version.server-latest", "lifecycle.capabilities.open-set", "meta.implementation.required",
		"versioning.single-per-session", "versioning.format", "ping.respond", "arch.features-advertised", "tools.capability", "lifecycle.instructions")
	for _, revision := range revisions[:4] {
		sameJSON(t, revision, connect(t, newServer(nil)).initialize(revision).Result["capabilities"], "{}")
		nameless := connect(t, mcp.NewServer(mcp.Implementation{}, nil)).initialize(revision)
		sameJSON(t, revision, nameless.Result["serverInfo"], `{"name":"","version":""}`)
	}
	s := echoServer(t, &mcp.ServerOptions{Instructions: "Say hello first.\nThen ask."})
	for request, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "2099-01-01": "2025-11-25", "": "2025-11-25", "1.0": "2025-11-25",
	} {
		t.Run("asked for "+request, func(t *testing.T) {
			p := connect(t, s)
			p.session = want
			m := p.ask("1", "initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"roots":{"listChanged":true,"new":1},"sampling":{"new":{}},"elicitation":{"new":{"x":[]}},"unheardOf":{"x":[1]}},"clientInfo":{"name":"c","version":"1","more":true},"more":1}`, request))
			if m.Result["protocolVersion"] != want {
				t.Errorf("want %s: %s", want, m.line)
			}
			if info := object(m.Result["serverInfo"]); info["name"] != "test" || info["version"] != "1.2.3" || (info["title"] == "Test") != (want >= "2025-06-18") {
				t.Errorf("serverInfo: %s", m.line)
			}
			if object(m.Result["capabilities"])["tools"] == nil || object(m.Result["capabilities"])["logging"] != nil {
				t.Errorf("capabilities: %s", m.line)
			}
			if m.Result["instructions"] != "Say hello first.\nThen ask." {
				t.Errorf("instructions: %s", m.line)
			}
			if m := p.ask("2", "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`); m.Error == nil || m.Error.Code != mcp.CodeInvalidRequest {
				t.Errorf("a second initialize: %s", m.line)
			}
			if m := p.ask("3", "ping", ""); m.Error != nil {
				t.Errorf("ping: %s", m.line)
			}
		})
	}
}

// The schemas of all revisions with initialize require protocolVersion, capabilities, and
// clientInfo with name and version.
func TestInitializeRefusesWhatItsSchemaDoes(t *testing.T) {
	proves(t, "base.error.invalid-params")
	s := echoServer(t, nil)
	for _, params := range []string{``, `{}`, `{"protocolVersion":20250618}`} {
		p := connect(t, s)
		if m := p.ask("1", "initialize", params); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("params %s: %s", params, m.line)
		}
	}
	const client = `"clientInfo":{"name":"c","version":"1"}`
	for _, revision := range revisions[:4] {
		for _, members := range []string{`"capabilities":[],` + client, `"capabilities":null,` + client, client, `"capabilities":{}`,
			`"capabilities":{},"clientInfo":null`, `"capabilities":{},"clientInfo":"me"`, `"capabilities":{},"clientInfo":{}`,
			`"capabilities":{},"clientInfo":{"name":"c"}`, `"capabilities":{},"clientInfo":{"version":"1"}`, `"capabilities":{},"clientInfo":{"name":"c","version":null}`} {
			params := fmt.Sprintf(`{"protocolVersion":%q,%s}`, revision, members)
			p := connect(t, s)
			if m := p.ask("1", "initialize", params); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
				t.Errorf("params %s: %s", params, m.line)
			}
			if m := p.ask("2", "initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},%s}`, revision, client)); m.Error != nil {
				t.Errorf("and then as it should be: %s", m.line)
			}
			p.session = revision
			p.end()
		}
	}
}

func TestRequestsNeedASessionOrMeta(t *testing.T) {
	proves(t, "meta.request.missing.code", "ping.respond")
	p := connect(t, echoServer(t, nil))
	for method, params := range map[string]string{
		"tools/list":      ``,
		"tools/call":      `{"name":"echo","arguments":{"message":"x"}}`,
		"server/discover": `{}`,
	} {
		if m := p.ask("1", method, params); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("%s: %s", method, m.line)
		}
	}
	for _, meta := range []string{
		`{"io.modelcontextprotocol/clientCapabilities":{}}`,
		`{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`,
		`{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[]}`,
		`{"io.modelcontextprotocol/protocolVersion":20260728,"io.modelcontextprotocol/clientCapabilities":{}}`,
		`{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":"me"}`,
		`{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"loud"}`,
	} {
		if m := p.ask("1", "tools/list", `{"_meta":`+meta+`}`); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("_meta %s: %s", meta, m.line)
		}
	}
	for _, member := range []string{
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/protocolVersion":"2025-11-25"`,
		`"io.modelcontextprotocol/clientCapabilities":{}`, `"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}`,
		`"progressToken":1,"progressToken":1`, `"progressToken":null,"progressToken":1`,
	} {
		if m := p.ask("1", "tools/list", `{`+modernMeta(","+member)+`}`); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams || !strings.Contains(m.line, "twice") {
			t.Errorf("_meta with %s once more: %s", member, m.line)
		}
	}
	for _, params := range []string{``, `{}`, `{"_meta":{"progressToken":1}}`} {
		if m := p.ask("2", "ping", params); m.Error != nil || len(m.Result) != 0 {
			t.Errorf("ping before initialize with %s: %s", params, m.line)
		}
	}
}

func TestARevisionThatIsNamedTwiceIsRefusedOverHTTP(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), nil)
		w := endpoint.open("2026-07-28")
		for _, version := range []string{"2026-07-28", "2025-11-25"} {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{%s}}`, modernMeta(fmt.Sprintf(`,"io.modelcontextprotocol/protocolVersion":%q`, version)))
			for _, w := range []*web{w.with("Mcp-Method: tools/list"), w.with("Mcp-Protocol-Version:")} {
				if m := w.post(body).wantError(http.StatusBadRequest, mcp.CodeInvalidParams); !strings.Contains(m.line, "twice") {
					t.Errorf("%s: %s", version, m.line)
				}
			}
		}
	})
}

func TestNothingButAPingComesBeforeInitialize(t *testing.T) {
	s := tourServer(t)
	revisionsOf(t, "lifecycle.init.first", func(t *testing.T, revision string) {
		p := connect(t, s)
		old := host(t, s, nil).pair("", "")
		old.session = revision
		for method := range strings.FieldsSeq(`tools/list tools/call prompts/list prompts/get resources/list resources/templates/list
			resources/read resources/subscribe resources/unsubscribe completion/complete logging/setLevel tasks/get tasks/list
			tasks/result tasks/cancel maps/zoom no/such`) {
			const params = `"name":"content","uri":"x:all","level":"info","taskId":"x"`
			for _, more := range []string{``, `,"cursor":""`, `,"_meta":{"progressToken":1}`} {
				for where, m := range map[string]*message{"a pipe": p.ask("1", method, "{"+params+more+"}"), "SSE": old.ask("1", method, "{"+params+more+"}")} {
					if m.Error == nil || m.Error.Code != mcp.CodeInvalidParams || !strings.Contains(m.Error.Message, "initialize") {
						t.Errorf("%s%s on %s: %s", method, more, where, m.line)
					}
				}
			}
			// A separate request with a revision does not open a session either.
			meta := strings.Replace(modernMeta(""), latest, revision, 1)
			for where, m := range map[string]*message{"a pipe": p.ask("1", method, "{"+params+","+meta+"}"), "SSE": old.ask("1", method, "{"+params+","+meta+"}")} {
				if m.Error == nil || m.Error.Code != mcp.CodeUnsupportedVersion {
					t.Errorf("%s in a request of its own on %s: %s", method, where, m.line)
				}
			}
		}
		for _, m := range []*message{p.ask("2", "ping", ""), old.ask("2", "ping", "{}")} {
			if m.Error != nil {
				t.Error(m.line)
			}
		}
		p.initialize(revision)
		if m := p.ask("3", "tools/call", "{"+callParams("quick", "{}")+"}"); m.text() != "quick" {
			t.Error(m.line)
		}
		if revision == "2024-11-05" { // this revision does not have Streamable HTTP
			return
		}
		w := host(t, s, nil).web().with("MCP-Protocol-Version: " + revision)
		w.session = revision
		w.post(`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}`).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
	})
}

func TestDiscoverTellsWhatTheServerServes(t *testing.T) {
	proves(t, "versioning.discover.implemented", "discover.result.fields", "cache.hints.present", "cache.ttl.non-negative",
		"cache.scope.values", "meta.result.server-info", "base.result.type.required", "base.result.type.complete", "versioning.format")
	p := connect(t, echoServer(t, &mcp.ServerOptions{Instructions: "Hello."}))
	m := p.ask("1", "server/discover", p.open("2026-07-28")(""))
	if got := fmt.Sprint(m.Result["supportedVersions"]); got != "[2026-07-28 2025-11-25 2025-06-18 2025-03-26 2024-11-05]" {
		t.Errorf("supportedVersions: %s", got)
	}
	info := object(object(m.Result["_meta"])["io.modelcontextprotocol/serverInfo"])
	if info["name"] != "test" || m.Result["resultType"] != "complete" || m.Result["ttlMs"] != 0.0 || m.Result["cacheScope"] != "public" || m.Result["instructions"] != "Hello." {
		t.Error(m.line)
	}
}

func TestAnUnknownRevisionIsRefusedWithThoseServed(t *testing.T) {
	proves(t, "versioning.unsupported.code", "base.error.reserved-range.meaning")
	p := connect(t, echoServer(t, nil))
	for _, version := range []string{"1900-01-01", "v999.0.0", "2026-07-28-draft", "", "2025-11-25"} {
		m := p.ask("1", "tools/list", fmt.Sprintf(`{"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{}}}`, version))
		if m.Error == nil || m.Error.Code != mcp.CodeUnsupportedVersion || m.Error.Data["requested"] != version {
			t.Errorf("version %q: %s", version, m.line)
			continue
		}
		// If a request contains a revision with sessions, the error must not list other revisions
		// with sessions.
		want := "[2026-07-28 2025-11-25 2025-06-18 2025-03-26 2024-11-05]"
		if version == "2025-11-25" {
			want = "[2026-07-28]"
		}
		if got := fmt.Sprint(m.Error.Data["supported"]); got != want {
			t.Errorf("version %q: supported are %s, not %s", version, got, want)
		}
	}
	// A notification over HTTP is also refused if its version is not supported.
	for _, version := range []string{"1900-01-01", "2031-01-01", "v999.0.0", "2026-07-28-draft"} {
		w := host(t, echoServer(t, nil), nil).web().with("MCP-Protocol-Version: "+version, "Mcp-Method: notifications/cancelled")
		m := w.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,`+strings.Replace(modernMeta(""), latest, version, 1)+`}}`).wantError(http.StatusBadRequest, mcp.CodeUnsupportedVersion)
		if m.Error.Data["requested"] != version || len(list(m.Error.Data["supported"])) != len(revisions) {
			t.Errorf("a notification of version %q: %s", version, m.line)
		}
	}
}

func TestBothErasShareAConnection(t *testing.T) {
	proves(t, "versioning.dual-era.select-modern", "versioning.dual-era.select-legacy", "base.stateless.no-prior-context")
	p := connect(t, echoServer(t, nil))
	modern := p.open("2026-07-28")
	if m := p.ask("1", "tools/list", modern("")); m.Result["resultType"] != "complete" {
		t.Errorf("modern before initialize: %s", m.line)
	}
	p.initialize("2025-06-18")
	if m := p.ask("2", "tools/list", "{}"); m.Result["tools"] == nil || m.Result["resultType"] != nil || m.Result["_meta"] != nil {
		t.Errorf("legacy: %s", m.line)
	}
	if m := p.ask("3", "tools/list", modern("")); m.Result["resultType"] != "complete" || m.Result["ttlMs"] == nil {
		t.Errorf("modern in a legacy session: %s", m.line)
	}
	if m := p.ask("4", "ping", modern("")); m.Error == nil {
		t.Errorf("a modern ping: %s", m.line)
	}
}
