package mcp_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// modernRequests contains the members of a request for each method of revision 2026-07-28 and for
// an unknown method, and the value that Mcp-Name repeats.
var modernRequests = []struct{ method, members, name string }{
	{"server/discover", ``, ""},
	{"tools/list", ``, ""},
	{"tools/call", `"name":"read-only"`, "read-only"},
	{"prompts/list", ``, ""},
	{"prompts/get", `"name":"nothing"`, "nothing"},
	{"resources/list", ``, ""},
	{"resources/templates/list", ``, ""},
	{"resources/read", `"uri":"x:empty"`, "x:empty"},
	{"completion/complete", `"ref":{"type":"ref/prompt","name":"nothing"},"argument":{"name":"a","value":""}`, ""},
	{"subscriptions/listen", `"notifications":{}`, ""},
	{"tasks/get", `"taskId":"none"`, "none"},
	{"tasks/update", `"taskId":"none","inputResponses":{}`, "none"},
	{"tasks/cancel", `"taskId":"none"`, "none"},
	{"maps/zoom", ``, ""},
	{"none", ``, ""},
}

type namedRequest struct{ method, members, name, header string }

// namedRequests returns modernRequests. It repeats those with a name, with names of every kind.
func namedRequests() []namedRequest {
	var all []namedRequest
	for _, r := range modernRequests {
		if r.name == "" {
			all = append(all, namedRequest{r.method, r.members, "", ""})
			continue
		}
		for _, name := range []string{
			r.name, "x:a?b=c&d=%20#e", "file:///a/b.txt", "docs://a/b", "two words", strings.Repeat("long", 100), "7", "=?base64", "a=?base64?YQ==?=", "a,b;c",
			"é", " a", "a ", "a\tb\n", "=?base64?YQ==?=", "日本",
		} {
			quoted, _ := json.Marshal(name)
			old, _ := json.Marshal(r.name)
			header := name
			if strings.ContainsFunc(name, func(c rune) bool { return c < ' ' || c > '~' }) || strings.TrimSpace(name) != name || strings.HasPrefix(name, "=?base64?") {
				header = "=?base64?" + base64.StdEncoding.EncodeToString([]byte(name)) + "?="
			}
			all = append(all, namedRequest{r.method, strings.Replace(r.members, string(old), string(quoted), 1), name, header})
		}
	}
	return all
}

func clipped(s string) string { return s[:min(len(s), 20)] }

// TestEveryHeaderOfEveryMethodIsCompared sends requests with each method. Each header that repeats
// a part of the request is missing, duplicated or changed.
func TestEveryHeaderOfEveryMethodIsCompared(t *testing.T) {
	proves(t, "http.header.mismatch-reject", "http.header.mismatch-400", "http.header.mismatch-code", "http.header.required-missing",
		"http.header.invalid-characters", "http.header.decode-before-compare", "http.header.bad-base64", "http.header.sentinel-exact",
		"http.header.value-case-sensitive", "http.header.trim-whitespace", "http.version-header.mismatch", "http.version-header.unsupported",
		"transport.binding.body-is-truth", "base.error.reserved-range.meaning", "http.header.no-trust", "http.header.name-case-insensitive")
	s := fullServer(t, mcp.Implementation{Name: "full", Version: "1"}, &mcp.ServerOptions{})
	encoded := func(s string) string { return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?=" }
	flip := func(s string) string {
		if up := strings.ToUpper(s); up != s {
			return up
		}
		return strings.ToLower(s) + "x"
	}
	for _, request := range namedRequests() {
		t.Run(request.method+" "+clipped(request.name), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				h := s.HTTPHandler(nil)
				w := host(t, s, nil).open(latest)
				body := func(version string) string {
					members := strings.TrimPrefix(request.members+","+metaWith(takesTasks), ",")
					return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`, request.method, strings.Replace(members, latest, version, 1))
				}
				right := http.Header{"Mcp-Protocol-Version": {latest}, "Mcp-Method": {request.method}}
				if request.name != "" {
					right["Mcp-Name"] = []string{request.header}
				}
				post := func(version, name string, values ...string) (status int, body_ string) {
					one := w.with()
					maps.Copy(one.head, right)
					if delete(one.head, name); len(values) > 0 {
						one.head[name] = values
					}
					if request.method == "subscriptions/listen" { // the response stays open if the request is accepted
						one.head["Accept"] = []string{"application/json"}
					}
					rec := one.direct(h, body(version))
					return rec.Code, rec.Body.String()
				}
				refused := func(why, version, name string, values ...string) {
					t.Helper()
					if status, got := post(version, name, values...); status != http.StatusBadRequest || !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,`) {
						t.Errorf("%s %s %q: %d %s", name, why, values, status, got)
					}
				}
				_, want := post(latest, "X")
				if strings.Contains(want, `"code":-32020`) {
					t.Fatal(want)
				}
				accepted := func(name string, values ...string) {
					t.Helper()
					if _, got := post(latest, name, values...); got != want {
						t.Errorf("%s %q: %s", name, values, got)
					}
				}
				for name, values := range right {
					value := values[0]
					accepted(name, value)
					accepted(name, " \t"+value+"\t ")
					refused("is missing", latest, name)
					refused("is empty", latest, name, "")
					refused("is doubled", latest, name, value, value)
					refused("is two", latest, name, value, "x")
					if flip(value) != value {
						refused("is in another case", latest, name, flip(value))
					}
					refused("is longer", latest, name, value+"x")
					refused("is shorter", latest, name, value[:len(value)-1])
					refused("is quoted", latest, name, `"`+value+`"`)
					refused("has more", latest, name, value+", "+value)
					if name != "Mcp-Name" {
						refused("is encoded", latest, name, encoded(value))
						continue
					}
					value = request.name
					accepted(name, encoded(value))
					accepted(name, " "+encoded(value)+" ")
					if request.header != request.name {
						refused("is not encoded", latest, name, value)
						continue
					}
					for _, bad := range []string{
						encoded(value + "x"), encoded(strings.ToUpper(value)), strings.Replace(encoded(value), "base64", "BASE64", 1), strings.TrimSuffix(encoded(value), "="),
						strings.Replace(encoded(value), "?=", "", 1), "=?base64??=", "=?base64?!!!!?=", encoded(value)[:len(encoded(value))-3] + "?=", encoded(value) + "x", "x" + encoded(value),
						strings.Replace(encoded(value), "=?", "=? ", 1), "=?base64?" + base64.RawURLEncoding.EncodeToString([]byte(value+"\xFB")) + "?=",
						value + "\x7F", value + "\x00", value + "\x1F", value + "é", "\x80" + value, value + "\n",
					} {
						if bad != encoded(value) {
							refused("is malformed", latest, name, bad)
						}
					}
				}
				refused("differs", "2025-11-25", "Mcp-Protocol-Version", latest)
				if status, got := post("2027-01-01", "Mcp-Protocol-Version", "2027-01-01"); status != http.StatusBadRequest ||
					!strings.Contains(got, `"code":-32022,`) || !strings.Contains(got, `"requested":"2027-01-01"`) {
					t.Errorf("an unknown version: %d %s", status, got)
				}
				if request.name == "" { // the header has no meaning in this request
					accepted("Mcp-Name", "anything")
				}
			})
		})
	}
}

// TestEveryHeaderOfEveryNotificationIsCompared sends notifications in which a header is missing,
// duplicated or changed. Mcp-Method may be missing.
func TestEveryHeaderOfEveryNotificationIsCompared(t *testing.T) {
	proves(t, "transport.binding.body-is-truth", "http.header.mismatch-reject", "http.header.mismatch-400", "http.header.mismatch-code", "http.header.required-missing",
		"http.version-header.mismatch", "http.version-header.unsupported", "http.header.value-case-sensitive", "http.post.202", "http.post.reject-status", "base.notification.no-response")
	s := fullServer(t, mcp.Implementation{Name: "full", Version: "1"}, &mcp.ServerOptions{})
	h := s.HTTPHandler(nil)
	for _, method := range []string{"notifications/cancelled", "notifications/initialized", "notifications/progress", "notifications/roots/list_changed", "notifications/none", "tools/call", "none"} {
		for _, meta := range []string{"", `"params":{"requestId":1},`, `"params":{"requestId":1,"progressToken":1,"progress":1,` + metaWith(`{}`) + `},`} {
			line := fmt.Sprintf(`{"jsonrpc":"2.0",%s"method":%q}`, meta, method)
			post := func(header http.Header) (int, string) {
				w := host(t, s, nil).open(latest)
				for name, values := range header {
					if delete(w.head, name); len(values) > 0 {
						w.head[name] = values
					}
				}
				rec := w.direct(h, line)
				return rec.Code, rec.Body.String()
			}
			for _, header := range []http.Header{{}, {"Mcp-Method": {method}}, {"Mcp-Method": {" " + method + " "}}} {
				if status, body := post(header); status != http.StatusAccepted || body != "" {
					t.Errorf("%s with %v: %d %s", line, header, status, body)
				}
			}
			for _, header := range []http.Header{
				{"Mcp-Method": {method + "x"}}, {"Mcp-Method": {strings.ToUpper(method)}}, {"Mcp-Method": {""}}, {"Mcp-Method": {method, method}}, {"Mcp-Method": {"tools/list"}},
				{"Mcp-Protocol-Version": {latest, latest}},
			} {
				if status, body := post(header); status != http.StatusBadRequest || !strings.HasPrefix(body, `{"jsonrpc":"2.0","error":{"code":-32020,`) {
					t.Errorf("%s with %v: %d %s", line, header, status, body)
				}
			}
			if !strings.Contains(meta, "_meta") {
				continue
			}
			for _, version := range []string{"2025-11-25", "2027-01-01", "", "x"} {
				if status, body := post(http.Header{"Mcp-Protocol-Version": {version}}); status != http.StatusBadRequest || !strings.HasPrefix(body, `{"jsonrpc":"2.0","error":{"code":-32020,`) {
					t.Errorf("%s in version %q: %d %s", line, version, status, body)
				}
			}
			if status, body := post(http.Header{"Mcp-Protocol-Version": nil}); status != http.StatusBadRequest || !strings.HasPrefix(body, `{"jsonrpc":"2.0","error":{"code":-32020,`) {
				t.Errorf("%s without version: %d %s", line, status, body)
			}
		}
	}
}

// TestEveryHeaderOfEveryArgumentIsCompared sends arguments of each type at each depth. The header
// that repeats an argument is missing, duplicated or changed.
func TestEveryHeaderOfEveryArgumentIsCompared(t *testing.T) {
	proves(t, "http.param.validate", "http.param.omitted-reject", "http.param.null-not-expected", "http.param.integer-range", "http.header.mismatch-reject",
		"http.header.mismatch-400", "http.header.mismatch-code", "http.header.bad-base64", "http.header.invalid-characters", "http.header.decode-before-compare",
		"http.header.sentinel-exact", "http.header.trim-whitespace", "http.header.name-case-insensitive", "base.error.reserved-range.meaning", "transport.binding.body-is-truth")
	s := echoServer(t, nil)
	type argument struct{ kind, value, header string }
	arguments := []argument{
		{"string", `"us-west1"`, "us-west1"}, {"string", `"a"`, "a"}, {"string", `"TRUE"`, "TRUE"}, {"string", `"7"`, "7"},
		{"integer", `7`, "7"}, {"integer", `0`, "0"}, {"integer", `-12`, "-12"}, {"integer", `9007199254740991`, "9007199254740991"}, {"integer", `-9007199254740991`, "-9007199254740991"},
		{"boolean", `true`, "true"}, {"boolean", `false`, "false"},
	}
	encoded := func(s string) string { return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?=" }
	for depth := range 3 {
		for _, kind := range []string{"string", "integer", "boolean"} {
			schema := fmt.Sprintf(`{"type":%q,"x-mcp-header":"X-%s"}`, kind, kind)
			for range depth + 1 {
				schema = belowKeyword("properties", schema)
			}
			must(t, mcp.AddTool(s, mcp.Tool{Name: fmt.Sprint(kind, depth), InputSchema: []byte(schema)}, taking[map[string]any]))
		}
	}
	h := s.HTTPHandler(nil)
	w := host(t, s, nil).open(latest)
	for depth := range 3 {
		for _, a := range arguments {
			tool := fmt.Sprint(a.kind, depth)
			name := http.CanonicalHeaderKey("Mcp-Param-X-" + a.kind)
			post := func(value string, header ...string) (int, string) {
				for range depth + 1 {
					value = `{"a":` + value + `}`
				}
				one := w.with("Mcp-Method: tools/call", "Mcp-Name: "+tool)
				if len(header) > 0 {
					one.head[name] = header
				}
				rec := one.direct(h, w.request(1, "tools/call", callParams(tool, value)))
				return rec.Code, rec.Body.String()
			}
			accepted := func(value string, header ...string) {
				t.Helper()
				if status, body := post(value, header...); status != http.StatusOK || strings.Contains(body, `"error"`) {
					t.Errorf("%s %s with %q: %d %s", tool, value, header, status, body)
				}
			}
			refused := func(value string, header ...string) {
				t.Helper()
				if status, body := post(value, header...); status != http.StatusBadRequest || !strings.HasPrefix(body, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,`) {
					t.Errorf("%s %s with %q: %d %s", tool, value, header, status, body)
				}
			}
			accepted(a.value, a.header)
			accepted(a.value, "\t "+a.header+" ")
			accepted(a.value, encoded(a.header))
			for _, header := range [][]string{
				nil, {""}, {a.header, a.header}, {a.header, "x"}, {a.header + "x"}, {"x" + a.header}, {a.header + "1"}, {`"` + a.header + `"`}, {a.header + "," + a.header}, {"null"}, {"undefined"},
				{encoded(a.header + "x")}, {strings.Replace(encoded(a.header), "base64", "Base64", 1)}, {strings.TrimSuffix(encoded(a.header), "=")}, {"=?base64?" + a.header + "!?="}, {"=?base64??="},
				{a.header + "\x7F"}, {a.header + "\x01"}, {a.header + "é"}, {encoded(a.header) + "\x80"},
			} {
				refused(a.value, header...)
			}
			if up := strings.ToUpper(a.header); up != a.header {
				refused(a.value, up)
			}
			if a.kind == "string" {
				accepted(`""`, "")
				accepted(`""`, encoded(""))
				for _, header := range [][]string{nil, {a.header}, {`""`}, {"", ""}, {encoded(" ")}} {
					refused(`""`, header...)
				}
			}
			if a.kind == "integer" && a.value != "0" {
				refused(a.value, strings.TrimPrefix("-"+a.header, "--"))
			}
			// If the argument is absent, the header has no meaning.
			for _, header := range [][]string{nil, {a.header}, {"anything"}, {"a", "b"}} {
				if status, body := post("null", header...); status != http.StatusOK || strings.Contains(body, "-32020") {
					t.Errorf("%s null with %q: %d %s", tool, header, status, body)
				}
			}
			for _, absent := range []string{`{}`, `{"b":1}`, `{"a":null}`, `{"a":{}}`, `{"a":{"a":{}}}`, `{"a":{"a":null}}`, `{"a":[]}`, `{"a":{"A":1}}`} {
				if strings.Count(absent, `"a"`) > depth { // the argument has another type
					continue
				}
				one := w.with("Mcp-Method: tools/call", "Mcp-Name: "+tool)
				if rec := one.direct(h, w.request(1, "tools/call", callParams(tool, absent))); rec.Code != http.StatusOK || strings.Contains(rec.Body.String(), "-32020") {
					t.Errorf("%s %s: %d %s", tool, absent, rec.Code, rec.Body)
				}
			}
		}
		for value, header := range map[string]string{"9007199254740992": "9007199254740992", "-9007199254740992": "-9007199254740992", "1e300": "1e300"} {
			tool := fmt.Sprint("integer", depth)
			for range depth + 1 {
				value = `{"a":` + value + `}`
			}
			one := w.with("Mcp-Method: tools/call", "Mcp-Name: "+tool, "Mcp-Param-X-Integer: "+header)
			if rec := one.direct(h, w.request(1, "tools/call", callParams(tool, value))); rec.Code != http.StatusBadRequest || !strings.Contains(rec.Body.String(), `"code":-32020,`) {
				t.Errorf("%s: %d %s", value, rec.Code, rec.Body)
			}
		}
	}
}

// TestNothingOfAPrincipalIsAnothers makes other principals try to use a session in every possible
// way.
func TestNothingOfAPrincipalIsAnothers(t *testing.T) {
	proves(t, "sec.session.verify-inbound", "sec.session.not-authentication", "elicit.state.user-bound", "elicit.state.not-session-alone",
		"elicit.state.protected", "elicit.bind-identity", "elicit.user.not-client-asserted")
	for _, revision := range revisions[:4] {
		for owner, others := range map[string][]string{"ada": {"eve", "ad", "adaa", "ADA", ""}, "": {"eve"}} {
			t.Run(fmt.Sprintf("%s %q", revision, owner), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					g := newStage(t, nil)
					endpoint := host(t, g.Server, nil)
					w := endpoint.web().with("Test-Principal: " + owner)
					w.initialize(revision, `{"elicitation":{},"roots":{}}`)
					a := w.talk(7, `"t"`, `{"times":1,"wait":true}`)
					last := a.nextMessage()
					for _, other := range others {
						thief := w.with("Test-Principal: " + other)
						// A client that claims to be the owner is still a different principal.
						claim := `"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"ada","version":"1"},"principal":"ada","user":"ada"}`
						for _, line := range []string{
							`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + claim + `}}`,
							`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + callParams("echo", `{"message":"x"}`) + `}}`,
							`{"jsonrpc":"2.0","id":1,"method":"none"}`,
							`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`,
							`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{` + claim + `}}`,
							`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`,
							`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}]`, `[{"jsonrpc":"2.0","id":1,"result":{}}]`,
						} {
							if a := thief.post(line); a.status != http.StatusNotFound || strings.Contains(a.body, `"result"`) {
								t.Errorf("%q: %s: %d %s", other, line, a.status, a.body)
							}
						}
						for _, id := range []string{"", last.id} {
							if a := thief.with("Last-Event-ID: "+id, "Content-Type:").do(http.MethodGet, nil); a.status != http.StatusNotFound {
								t.Errorf("%q: GET after %q: %d", other, id, a.status)
							}
						}
						if a := thief.do(http.MethodDelete, nil); a.status != http.StatusNotFound {
							t.Errorf("%q: DELETE: %d", other, a.status)
						}
					}
					settle()
					if len(g.ended) > 0 {
						t.Fatal("another client has cancelled a call")
					}
					g.release <- "done"
					if m, _ := a.response(); m.text() != "done" {
						t.Error(m.line)
					}
					w.do(http.MethodDelete, nil).want(http.StatusNoContent)
				})
			})
		}
	}
}

// TestAStateServesOneRequestOfOnePrincipal sends back the state of a question in every wrong way.
func TestAStateServesOneRequestOfOnePrincipal(t *testing.T) {
	proves(t, "elicit.state.user-bound-if-any", "elicit.bind-identity", "elicit.user.not-client-asserted", "elicit.state.protected", "mrtr.state.integrity",
		"mrtr.state.reject-bad", "mrtr.state.untrusted", "mrtr.no-assumed-retry", "sec.handle.not-authentication", "sec.session.verify-inbound")
	ask := func(ctx context.Context, r *mcp.Request) (string, error) {
		q := &mcp.Elicitation{Message: "Who?", Schema: []byte(`{"type":"object","properties":{"name":{"type":"string"}}}`)}
		answer, err := r.AskUser(ctx, q)
		if err != nil {
			return "", err
		}
		return "for " + r.Principal() + ": " + string(answer.Content), nil
	}
	s := newServer(nil)
	for _, name := range []string{"a", "b"} {
		must(t, mcp.AddTool(s, mcp.Tool{Name: name}, func(ctx context.Context, r *mcp.Request, _ map[string]any) (string, error) { return ask(ctx, r) }),
			s.AddPrompt(mcp.Prompt{Name: name, Arguments: []mcp.PromptArgument{{Name: "x"}}}, func(ctx context.Context, r *mcp.Request, _ map[string]string) (*mcp.PromptResult, error) {
				text, err := ask(ctx, r)
				return &mcp.PromptResult{Messages: []mcp.PromptMessage{{Content: mcp.Text(text)}}}, err
			}),
			s.AddResource(mcp.Resource{URI: "x:" + name, Name: name}, func(ctx context.Context, r *mcp.Request, _ string) ([]mcp.ResourceContents, error) {
				text, err := ask(ctx, r)
				return []mcp.ResourceContents{{Text: text}}, err
			}))
	}
	requests := []struct{ method, members string }{
		{"tools/call", `"name":"a","arguments":{"x":"1"}`}, {"tools/call", `"name":"a","arguments":{"x":"2"}`}, {"tools/call", `"name":"a"`}, {"tools/call", `"name":"b","arguments":{"x":"1"}`},
		{"prompts/get", `"name":"a","arguments":{"x":"1"}`}, {"prompts/get", `"name":"a","arguments":{"x":"2"}`}, {"prompts/get", `"name":"a"`}, {"prompts/get", `"name":"b"`},
		{"resources/read", `"uri":"x:a"`}, {"resources/read", `"uri":"x:b"`},
	}
	people := []string{"ada", "eve", "ad", ""}
	for _, transport := range []string{"pipe", "http"} {
		t.Run(transport, func(t *testing.T) {
			endpoint := host(t, s, nil)
			pipes := map[string]*peer{}
			call := func(person, method, members string) *message {
				t.Helper()
				members += "," + metaWith(`{"elicitation":{}}`)
				if transport == "http" {
					var head []string
					text := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`, method, members)
					head = append(headers(text), "Test-Principal: "+person)
					return endpoint.open(latest).with(head...).post(text).message()
				}
				if pipes[person] == nil {
					pipes[person] = connectWith(mcp.WithPrincipal(context.Background(), person), t, s)
				}
				return pipes[person].ask("1", method, "{"+members+"}")
			}
			const answers = `"inputResponses":{"input-1":{"action":"accept","content":{"name":"x"}}}`
			for i, request := range requests {
				for _, person := range people {
					m := call(person, request.method, request.members)
					state, _ := m.Result["requestState"].(string)
					if m.Result["resultType"] != "input_required" || state == "" {
						t.Fatal(m.line)
					}
					for j, other := range requests {
						for _, thief := range people {
							if i != j && person != thief && i%3 != j%3 {
								continue // one of them is sufficient
							}
							m := call(thief, other.method, other.members+`,`+answers+fmt.Sprintf(`,"requestState":%q`, state))
							right := i == j && person == thief
							if right != (m.Error == nil && m.Result["resultType"] == "complete" && strings.Contains(m.line, "for "+person+": ")) {
								t.Errorf("the state of %q for %s %s, sent by %q with %s %s: %s", person, request.method, request.members, thief, other.method, other.members, m.line)
							}
							if !right && (m.Error == nil || m.Error.Code != mcp.CodeInvalidParams) {
								t.Errorf("sent by %q: %s", thief, m.line)
							}
						}
					}
				}
			}
		})
	}
}
