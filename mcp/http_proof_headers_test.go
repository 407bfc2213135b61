package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// direct calls h without an HTTP server, as some frontends do.
func (w *web) direct(h http.Handler, body string) *httptest.ResponseRecorder {
	w.t.Helper()
	w.note([]byte(body))
	ctx := context.WithValue(w.t.Context(), http.LocalAddrContextKey, net.Addr(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}))
	req := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/mcp", strings.NewReader(body))
	req.Header = w.head.Clone()
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	return rec
}

func TestEveryMethodThatNamesSomethingHasItsNameInAHeader(t *testing.T) {
	proves(t, "transport.binding.body-is-truth", "http.header.mismatch-reject", "http.header.required-missing", "http.header.mismatch-400", "http.header.mismatch-code")
	bubble(t, func(t *testing.T) {
		s := changing(t, nil)
		must(t, mcp.AddTool(s, mcp.Tool{Name: "job", TaskSupport: mcp.TaskSupportOptional}, says1("done")))
		w := host(t, s, nil).open("2026-07-28")
		meta := metaWith(`{"extensions":{"io.modelcontextprotocol/tasks":{}}}`)
		call := func(method, member, name string, headers ...string) *answer {
			line := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%q:%q,%s}}`, method, member, name, meta)
			return w.with(append([]string{"Mcp-Method: " + method}, headers...)...).post(line)
		}
		id, _ := call("tools/call", "name", "job", "Mcp-Name: job").want(200).message().Result["taskId"].(string)
		for _, test := range []struct{ method, member, name string }{
			{"tools/call", "name", "job"},
			{"prompts/get", "name", "a"},
			{"resources/read", "uri", "x:a"},
			{"tasks/get", "taskId", id},
			{"tasks/update", "taskId", id},
			{"tasks/cancel", "taskId", id},
		} {
			for _, header := range []string{"Mcp-Name:", "Mcp-Name: " + test.name + "x", "Mcp-Name: =?base64?eA==?="} {
				if m := call(test.method, test.member, test.name, header).wantError(http.StatusBadRequest, mcp.CodeHeaderMismatch); string(m.ID) != "1" {
					t.Errorf("%s with %q: %s", test.method, header, m.line)
				}
			}
			if a := call(test.method, test.member, test.name, "Mcp-Name: "+test.name); a.status != http.StatusOK {
				t.Errorf("%s: status %d: %s", test.method, a.status, a.body)
			}
		}
		// If the name is empty or missing in the body, the header is still required.
		for _, params := range []string{`"name":"",`, ``} {
			line := `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{` + params + meta + `}}`
			w.with("Mcp-Method: prompts/get", "Mcp-Name:").post(line).wantError(http.StatusBadRequest, mcp.CodeHeaderMismatch)
		}
		// Requests with other methods have no name, so the header is ignored.
		w.with("Mcp-Method: tools/list", "Mcp-Name: anything").post(w.request(2, "tools/list", "")).want(http.StatusOK)
	})
}

func TestHeadersThatNoServerHasLookedAt(t *testing.T) {
	// net/http trims white space and refuses control characters, but other callers of an
	// http.Handler may not do so.
	proves(t, "http.header.trim-whitespace", "http.header.invalid-characters", "http.header.name-case-insensitive")
	h := headerServer(t).HTTPHandler(nil)
	w := (&site{t: t}).open("2026-07-28").with("Mcp-Method: tools/call", "Mcp-Name: query", "Mcp-Param-Region: eu")
	line := w.request(1, "tools/call", callParams("query", `{"region":"eu"}`))
	for _, name := range []string{"Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Param-Region"} {
		value := w.head.Get(name)
		for got, ok := range map[string]bool{
			value: true, " " + value: true, value + "\t ": true, "\t" + value + "\t": true,
			"\x00" + value: false, value + "\x1f": false, value + "\x7f": false, value + "\n": false, "\u00a0" + value: false,
		} {
			w := w.with()
			w.head.Set(name, got)
			rec := w.direct(h, line)
			if ok && rec.Code != http.StatusOK || !ok && (rec.Code != http.StatusBadRequest || w.decode(rec.Body.String()).Error == nil) {
				t.Errorf("%s is %q: status %d: %s", name, got, rec.Code, rec.Body)
			}
			if !ok && name != "Mcp-Protocol-Version" && !strings.Contains(rec.Body.String(), "-32020") {
				t.Errorf("%s is %q: %s", name, got, rec.Body)
			}
		}
	}
	// An invalid character is refused, even if the argument also contains it.
	for _, region := range []string{"a\x00b", "a\nb", "a\x7fb", "caf\u00e9", "a\r\nX: y"} {
		w := w.with()
		w.head.Set("Mcp-Param-Region", region)
		text, err := json.Marshal(region)
		must(t, err)
		rec := w.direct(h, w.request(1, "tools/call", callParams("query", `{"region":`+string(text)+`}`)))
		if rec.Code != http.StatusBadRequest || !strings.Contains(rec.Body.String(), "-32020") {
			t.Errorf("%q: status %d: %s", region, rec.Code, rec.Body)
		}
	}
}

func TestSessionIDsAreRandom(t *testing.T) {
	proves(t, "session.id.unguessable", "sec.session.non-deterministic", "sec.session.rng")
	const sessions = 600
	h := echoServer(t, nil).HTTPHandler(nil)
	w := (&site{t: t}).web()
	var ids []string
	for i := range sessions {
		w.session = overHTTP[i%3]
		ids = append(ids, w.direct(h, strings.Replace(initializeLine, "2025-11-25", w.session, 1)).Header().Get("Mcp-Session-Id"))
	}
	// A base32 character has 5 bits. The probability that 600 samples miss one of its 32 values is
	// 2e-7, so they very rarely miss two at the same position. 26 positions contain the 128 bits.
	free := 0
	for place := range len(ids[0]) {
		seen := map[byte]bool{}
		changes := 0
		for i, id := range ids {
			seen[id[place]] = true
			if i > 0 && id[place] != ids[i-1][place] {
				changes++
			}
		}
		if len(seen) >= 31 && changes > sessions*3/4 {
			free++
		}
	}
	if free < 26 {
		t.Errorf("only %d characters of ids such as %q are random", free, ids[0])
	}
	must(t, h.Shutdown(context.Background()))
}
