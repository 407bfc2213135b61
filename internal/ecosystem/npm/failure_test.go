package npm

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestADirectoryThatCannotBeWrittenDoesNotHinderTheAnswer(t *testing.T) {
	s := newStub(t)
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "coins"), "latest")
	w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
	w.cache = filepath.Join(w.cache, "file", "docent")
	filetest.Write(t, filepath.Dir(filepath.Dir(w.cache)), map[string]string{"file": "no directory"})
	if p := describe(t, w.npm(), "till", "", ""); symbols(p) != "coins" {
		t.Errorf("read %s", symbols(p))
	}
}

func TestVersionsCloseToOneThatDoesNotExist(t *testing.T) {
	p := &packument{Tags: map[string]string{"latest": "2.1.0"}, Versions: map[string]release{}}
	for _, v := range []string{"1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.9.0", "1.9.1-rc.1", "2.0.0", "2.1.0"} {
		p.Versions[v] = release{}
	}
	for want, near := range map[string][]string{
		"1.2.5":  {"1.1.0", "1.2.0", "1.3.0", "1.4.0", "2.1.0"},
		"1.0.9":  {"1.0.0", "1.1.0", "1.2.0", "1.3.0", "2.1.0"},
		"^1.99":  {"1.2.0", "1.3.0", "1.4.0", "1.9.0", "2.1.0"},
		"1.x.z":  {"1.2.0", "1.3.0", "1.4.0", "1.9.0", "2.1.0"},
		"v3":     {"2.1.0"},
		"banana": {"2.1.0"},
		"2.0.5":  {"2.0.0", "2.1.0"},
	} {
		if got := p.close(want); !slices.Equal(got, near) {
			t.Errorf("close to %s are %q, not %q", want, got, near)
		}
	}
}

func TestWhatIsCloseToAPackageThatCannotBeHad(t *testing.T) {
	s := newStub(t)
	s.publish("tlil", "1.0.0", packed(t, "tlil", "1.0.0", "x"))
	s.packuments["tlil"]["versions"] = map[string]any{} // This version has been withdrawn.
	w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
	filetest.Write(t, w.project, map[string]string{
		"package.json":                   `{"name": "shop", "dependencies": {"till": "1"}}`,
		"node_modules/till/package.json": `{"name": "till", "version": "1.2.0"}`,
	})
	n := New(ecosystem.Options{Env: w.env, Cache: w.newCache(), Offline: true})
	for _, test := range []struct {
		language   *NPM
		name, near string
		reason     ecosystem.Reason
	}{
		{w.npm(), "tlil", "till", ecosystem.NotFound},
		{w.npm(), "tilll", "till", ecosystem.NotFound},
		{w.npm(), "exprress", "express", ecosystem.NotFound}, // a popular package
		{n, "tilll", "till", ecosystem.Unreachable},
		{n, "till@3.0.0", "till@1.2.0", ecosystem.Unreachable},
	} {
		if e := failure(t, test.language, test.name, w.project); e.Reason != test.reason || !slices.Equal(e.Near, []string{test.near}) {
			t.Errorf("of %s it said %v", test.name, e)
		}
	}
}

func TestALookalikeOfAPackageThatTheProjectUsesIsReported(t *testing.T) {
	s := newStub(t)
	for _, name := range []string{"tilll", "till-plugin"} {
		s.publish(name, "1.0.0", packed(t, name, "1.0.0", "x"), "latest")
	}
	w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
	filetest.Write(t, w.project, map[string]string{"package.json": `{"name": "shop", "dependencies": {"till": "1"}}`})
	for name, want := range map[string]string{"tilll": "shop does not use tilll; it uses till: check the name before you install it", "till-plugin": ""} {
		if got := strings.Join(describe(t, w.npm(), name, "", w.project).Advice, "\n"); got != want {
			t.Errorf("of %s it warned %q", name, got)
		}
	}
}

// jwt returns a token with an expiry and an invalid signature.
func jwt(expires time.Time) string {
	return "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"name":"clerk","exp":%d}`, expires.Unix())) + ".c2ln"
}

func TestOneSentenceSaysWhyARegistryRefuses(t *testing.T) {
	old := jwt(time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC))
	tests := []struct {
		name, npmrc, headers, body string
		status                     int
		want                       []string
	}{
		{"no credential", "", "", "", 401, []string{"no credential", "npm login --scope=@till --registry=URL/", ":_authToken=${NPM_TOKEN}"}},
		{"a wrong token", "AT:_authToken=wr0ng", "", `{"error":"bad token wr0ng"}`, 401, []string{"HOST does not accept", "AT:_authToken in HOME/.npmrc", "npm login"}},
		{"what the registry says", "AT:_authToken=wr0ng", "", `{"error":"please log in anew"}`, 401, []string{`"please log in anew"`}},
		{"a token that says when it expired", "AT:_authToken=" + old, "", "", 401, []string{"expired on 2020-01-02 03:04 UTC", "AT:_authToken in HOME/.npmrc", "npm login"}},
		{"a token that has not", "AT:_authToken=" + jwt(time.Now().Add(time.Hour)), "", "", 401, []string{"wrong or has expired"}},
		{"may not read", "AT:_authToken=wr0ng", "", "", 403, []string{"does not have access or has expired"}},
		{"a variable that is not set", "AT:_authToken=${WR0NG}", "", "", 401, []string{"WR0NG, which is not set", "set WR0NG"}},
		{"a credential for another registry", "registry=https://other.example\n_authToken=wr0ng", "", "", 401, []string{"docent does not send it the credential _authToken in HOME/.npmrc", "write the credential as AT:_authToken"}},
		{"a one-time password", "AT:_authToken=wr0ng", "OTP", "", 401, []string{"one-time password"}},
		{"an address", "AT:_authToken=wr0ng", "ipaddress", "", 401, []string{"address of this machine"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newStub(t)
			s.refuse(test.status, test.headers, test.body)
			host := strings.TrimPrefix(s.URL, "http://")
			w := newWorld(t)
			fill := strings.NewReplacer("AT", "//"+host+"/", "URL", s.URL, "HOST", host, "HOME", w.home)
			filetest.Write(t, w.home, map[string]string{".npmrc": "@till:registry=" + s.URL + "\n" + fill.Replace(test.npmrc)})
			e := failure(t, w.npm(), "@till/coins", "")
			text := fmt.Sprintf("%+v %v", e, e.Err)
			for _, want := range test.want {
				if !strings.Contains(e.Error(), fill.Replace(want)) {
					t.Errorf("%q is not in %q", fill.Replace(want), e)
				}
			}
			if e.Reason != ecosystem.Refused || strings.Contains(text, "wr0ng") || strings.Contains(text, old) || strings.Contains(e.Error(), "\n") {
				t.Errorf("said %s %s", e.Reason, text)
			}
		})
	}
}

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
