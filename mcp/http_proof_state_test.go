package mcp_test

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// asksTwice returns a server with a tool, a prompt and resources that each ask for two names, one
// after the other.
func asksTwice(t *testing.T, key []byte) *mcp.Server {
	t.Helper()
	s := newServer(&mcp.ServerOptions{SealKey: key})
	ask := func(ctx context.Context, r *mcp.Request) (string, error) {
		first, _, err := mcp.Elicit[nameForm](ctx, r, "Who are you?")
		if err != nil {
			return "", err
		}
		second, _, err := mcp.Elicit[nameForm](ctx, r, "And your friend?")
		return first.Name + " and " + second.Name, err
	}
	resource := func(ctx context.Context, r *mcp.Request, _ string) ([]mcp.ResourceContents, error) {
		text, err := ask(ctx, r)
		return []mcp.ResourceContents{{Text: text}}, err
	}
	for _, name := range []string{"a", "b"} {
		must(t,
			mcp.AddTool(s, mcp.Tool{Name: name}, func(ctx context.Context, r *mcp.Request, _ map[string]string) (string, error) { return ask(ctx, r) }),
			s.AddPrompt(mcp.Prompt{Name: name, Arguments: []mcp.PromptArgument{{Name: "x"}}}, func(ctx context.Context, r *mcp.Request, _ map[string]string) (*mcp.PromptResult, error) {
				text, err := ask(ctx, r)
				return &mcp.PromptResult{Messages: []mcp.PromptMessage{{Content: mcp.Text(text)}}}, err
			}),
			s.AddResource(mcp.Resource{URI: "x:" + name, Name: name}, resource))
	}
	return s
}

// asking is a request from a client to the server of asksTwice.
type asking struct {
	w              *web
	method, params string
	name           string // name that the header repeats
}

// round sends the request with an answer to the question with the given number. It sends the state
// unless it is "".
func (a *asking) round(number int, state string) *answer {
	more := ""
	if number > 0 {
		more = fmt.Sprintf(`,"inputResponses":{"input-%d":{"action":"accept","content":{"name":"name %d"}}}`, number, number)
	}
	if state != "" {
		more += fmt.Sprintf(`,"requestState":%q`, state)
	}
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s%s,%s}}`, a.method, a.params, more, metaWith(`{"elicitation":{}}`))
	return a.w.with("Mcp-Method: "+a.method, "Mcp-Name: "+a.name).post(line)
}

// forgeries returns states with the content of a valid state that a server with the key has issued.
// All except one are not sealed with this key.
func forgeries(t *testing.T, key []byte, state string) map[string]string {
	t.Helper()
	aead := func(key []byte) cipher.AEAD {
		block, err := aes.NewCipher(key)
		must(t, err)
		sealer, err := cipher.NewGCM(block)
		must(t, err)
		return sealer
	}
	derived := func(key []byte) cipher.AEAD {
		made, err := hkdf.Key(sha256.New, key, nil, "mcp requestState", 32)
		must(t, err)
		return aead(made)
	}
	data, err := base64.RawURLEncoding.DecodeString(state)
	must(t, err)
	nonce, sealed := data[:12:12], data[12:]
	plain, err := derived(key).Open(nil, nonce, sealed, nil)
	must(t, err)
	forged := map[string]string{"of JSON": string(plain)}
	for what, b := range map[string][]byte{
		"as the server seals it":        derived(key).Seal(nonce, nonce, plain, nil),
		"in plain":                      plain,
		"in plain after a nonce":        append(nonce, plain...),
		"in plain, with room for a tag": append(append(nonce, plain...), make([]byte, 16)...),
		"without its tag":               append(nonce, sealed[:len(plain)]...),
		"with an empty tag":             append(append(nonce, sealed[:len(plain)]...), make([]byte, 16)...),
		"sealed with the bare key":      aead(key).Seal(nonce, nonce, plain, nil),
		"sealed with a key of zeros":    derived(make([]byte, 32)).Seal(nonce, nonce, plain, nil),
		"sealed with bare zeros":        aead(make([]byte, 32)).Seal(nonce, nonce, plain, nil),
		"sealed with an empty key":      derived(nil).Seal(nonce, nonce, plain, nil),
	} {
		forged[what] = base64.RawURLEncoding.EncodeToString(b)
	}
	forged["in plain, padded"] = base64.StdEncoding.EncodeToString(plain)
	return forged
}

func TestStateIsOfOneRequestOfOnePrincipal(t *testing.T) {
	proves(t, "mrtr.state.request-binding", "mrtr.state.principal", "mrtr.state.integrity", "mrtr.state.reject-bad", "mrtr.state.expiry", "mrtr.state.untrusted",
		"elicit.state.user-bound-if-any", "elicit.state.protected", "sec.handle.not-authentication", "sec.handle.bind-user")
	bubble(t, func(t *testing.T) {
		key := bytes.Repeat([]byte{7}, 32)
		endpoint, replica, foreign := host(t, asksTwice(t, key), nil), host(t, asksTwice(t, key), nil), host(t, asksTwice(t, nil), nil)
		var all []*asking
		for _, principal := range []string{"", "ada", "eve"} {
			w := endpoint.open("2026-07-28").with("Test-Principal: " + principal)
			for _, params := range []string{`"name":"a","arguments":{}`, `"name":"b","arguments":{}`, `"name":"a","arguments":{"x":"y"}`} {
				for _, method := range []string{"tools/call", "prompts/get"} {
					all = append(all, &asking{w, method, params, params[8:9]})
				}
			}
			all = append(all, &asking{w, "resources/read", `"uri":"x:a"`, "x:a"}, &asking{w, "resources/read", `"uri":"x:b"`, "x:b"})
		}
		var states []string
		for _, a := range all {
			m := a.round(1, "").want(200).message()
			state, _ := m.Result["requestState"].(string)
			if m.Result["resultType"] != "input_required" || state == "" {
				t.Fatal(m.line)
			}
			states = append(states, state)
		}
		for i, a := range all {
			for j, state := range states {
				if i != j {
					a.round(2, state).wantError(http.StatusBadRequest, mcp.CodeInvalidParams)
				}
			}
			// Only the state contains the answer of the first round.
			if m := a.round(2, states[i]).want(200).message(); m.Result["resultType"] != "complete" || !strings.Contains(m.line, "name 1 and name 2") {
				t.Errorf("%s of %s: %s", a.method, a.params, m.line)
			}
		}
		one, state := all[0], states[0]
		other := func(endpoint *site) *asking {
			return &asking{endpoint.open("2026-07-28"), one.method, one.params, one.name}
		}
		other(replica).round(2, state).want(200)
		other(foreign).round(2, state).wantError(http.StatusBadRequest, mcp.CodeInvalidParams)
		// Changing any character makes the state invalid.
		for i := range state {
			changed := []byte(state)
			if changed[i]++; !json.Valid(fmt.Appendf(nil, "%q", changed)) {
				continue
			}
			one.round(2, string(changed)).wantError(http.StatusBadRequest, mcp.CodeInvalidParams)
		}
		for what, forged := range forgeries(t, key, state) {
			if what == "as the server seals it" {
				one.round(2, forged).want(200)
				continue
			}
			if a := one.round(2, forged); a.status != http.StatusBadRequest {
				t.Errorf("a state %s: status %d: %s", what, a.status, a.body)
			}
		}
		time.Sleep(14*time.Minute + 50*time.Second)
		for i, a := range all {
			a.round(2, states[i]).want(200)
		}
		time.Sleep(15 * time.Second)
		for i, a := range all {
			a.round(2, states[i]).wantError(http.StatusBadRequest, mcp.CodeInvalidParams)
		}
	})
}
