package teamserver

import (
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/store"
	"github.com/docent-mcp/docent/internal/teamserver/apikey"
)

// pageRequest is a request for a page, as a browser sends it.
type pageRequest struct {
	method, path string // the method is GET by default
	key          string // sent as a bearer token
	password     string // sent by HTTP Basic authentication
	header       map[string]string
}

// openedPage is the response to a request for a page.
type openedPage struct {
	Status     string
	StatusCode int
	Header     http.Header
}

// open sends a request for a page and does not follow redirects.
func (r *running) open(t *testing.T, p pageRequest) (page openedPage, text string) {
	t.Helper()
	if p.method == "" {
		p.method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(t.Context(), p.method, r.url+p.path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range p.header {
		req.Header.Set(name, value)
	}
	if p.key != "" {
		req.Header.Set("Authorization", "Bearer "+p.key)
	}
	if p.password != "" {
		req.SetBasicAuth("anyone", p.password)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return openedPage{res.Status, res.StatusCode, res.Header}, string(data)
}

func TestPages(t *testing.T) {
	keys, add := newKeys(t)
	key := add("alice", 0)
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	r := start(t, shelf{}, Options{Keys: keys, AuditLog: audit, Rate: 1000})
	for _, tt := range []struct {
		path, location string
		status         int
		want           []string
	}{
		{"/", "", 200, []string{`action="/-/open"`, `<option value="tape">Tape</option>`, `/-/assets/style.css`}},
		{"/-/open?language=tape&package=turtle&version=1", "/tape/turtle@1/", 302, nil},
		{"/-/open?language=tape&package=deep/turtle%402", "/tape/deep/turtle@2/", 302, nil},
		{"/-/open?language=tape&package=/etc", "", 400, nil},
		{"/-/open?language=disc&package=turtle", "", 400, nil},
		{"/tape/turtle", "/tape/turtle@2/", 302, nil},
		{"/tape/turtle@1/", "", 200, []string{"<h1>turtle</h1>", "erase", "Asked for []"}},
		{"/tape/turtle@2/Pen.up", "", 200, []string{"Lifts the pen."}},
		{"/tape/turtle@2/Pen.up.md", "", 200, []string{"Lifts the pen."}},
		{"/tape/turtle@2/Pen.up.json", "", 200, []string{`"path":"Pen.up"`}},
		{"/tape/turtle@1/-/diff/2", "", 200, []string{"erase"}},
		{"/-/search?in=/tape/turtle@2/&q=draws", "", 200, []string{"plot"}},
		{"/-/search?q=draws", "", 200, []string{"Open a package to search it."}},
		{"/-/assets/web.js", "", 200, nil},
		{"/tape/%2Fetc", "", 404, nil},
		{"/tape/%2E%2E%2Fother@1/", "", 400, []string{"is a directory"}},
		{"/tape/hidden@1/", "", 403, []string{"is not for everyone"}},
		{"/tape/none@1/", "", 404, []string{"there is no package none"}},
	} {
		res, text := r.open(t, pageRequest{path: tt.path, key: key})
		if res.StatusCode != tt.status || res.Header.Get("Location") != tt.location {
			t.Errorf("%s: status %d, leads to %q", tt.path, res.StatusCode, res.Header.Get("Location"))
		}
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in %s", tt.path, want, text)
			}
		}
		if policy := res.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self'") {
			t.Errorf("%s: the policy is %q", tt.path, policy)
		}
	}
	for path, want := range map[string]int{"/disc/turtle": 404, "/tape": 404, "/v1/none": 404, "/favicon.ico": 404} {
		if res, text := r.open(t, pageRequest{path: path, key: key}); res.StatusCode != want || strings.Contains(text, "<html") {
			t.Errorf("%s: %d %s", path, res.StatusCode, text)
		}
	}
	if res, _ := r.open(t, pageRequest{method: http.MethodPost, path: "/tape/turtle@1/", key: key}); res.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %s", res.Status)
	}
	logged := filetest.Read(t, audit)
	for _, want := range []string{`"tool":"page","package":"turtle","version":"1","language":"tape","outcome":"answered"`, `"package":"none","version":"1","language":"tape","outcome":"not found"`, `"package":"turtle","version":"2"`} {
		if !strings.Contains(string(logged), want) {
			t.Errorf("the audit log has no %s: %s", want, logged)
		}
	}
	if strings.Contains(string(logged), "draws") {
		t.Errorf("the audit log has the words of a search: %s", logged)
	}
}

func TestAttack_PagesWithoutAccess(t *testing.T) {
	file, add := newKeys(t)
	good, expired, revoked := add("alice", time.Hour), add("bob", -time.Hour), add("mallory", time.Hour)
	r := start(t, shelf{}, Options{Keys: file, Rate: 1000})
	if _, err := apikey.Revoke(file, "mallory"); err != nil {
		t.Fatal(err)
	}
	r.Reload()
	for name, p := range map[string]pageRequest{
		"nothing": {}, "an expired key": {key: expired}, "an expired password": {password: expired}, "a revoked password": {password: revoked},
		"a made-up password": {password: apikey.Prefix + strings.Repeat("A", 43)}, "a word": {password: "secret"}, "no password": {header: map[string]string{"Authorization": "Basic !"}},
		"the user's name": {header: map[string]string{"Authorization": "Basic " + good}},
	} {
		for _, path := range []string{"/", "/tape/turtle@1/", "/tape/turtle@1/plot.json", "/-/search?in=/tape/turtle@1/&q=plot", "/-/open?language=tape&package=turtle", "/-/assets/style.css"} {
			p.path = path
			res, text := r.open(t, p)
			if res.StatusCode != http.StatusUnauthorized || strings.Contains(text, "turtle") || !strings.Contains(strings.Join(res.Header.Values("WWW-Authenticate"), " "), "Basic realm=") {
				t.Errorf("%s: %s: %s, %v %s", name, path, res.Status, res.Header.Values("WWW-Authenticate"), text)
			}
		}
	}
	if res, text := r.open(t, pageRequest{path: "/tape/turtle@1/", password: good}); res.StatusCode != http.StatusOK || !strings.Contains(text, "<h1>turtle</h1>") {
		t.Errorf("a key as the password: %s", res.Status)
	}
	for _, path := range []string{"/v1/packages/tape/turtle", "/mcp", "/metrics"} {
		if res, _ := r.open(t, pageRequest{path: path, password: good}); res.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: a password is accepted: %s", path, res.Status)
		}
	}
	for name, header := range map[string]map[string]string{
		"another origin":               {"Origin": "https://evil.test"},
		"an image of another site":     {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
		"a frame of another site":      {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
		"a subdomain that loads pages": {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"},
	} {
		if res, text := r.open(t, pageRequest{path: "/tape/turtle@1/", password: good, header: header}); res.StatusCode != http.StatusForbidden || strings.Contains(text, "turtle") {
			t.Errorf("%s: %s", name, res.Status)
		}
	}
}

func TestAttack_PagesOfPrivatePackages(t *testing.T) {
	file, add := newKeys(t)
	alice, bob, eve := add("alice", time.Hour, "payments"), add("bob", time.Hour, "search"), add("eve", time.Hour)
	r := start(t, private{}, Options{
		Keys: file, Rate: 1000, Groups: map[string]Group{"payments": {Home: t.TempDir(), Environment: []string{"TOKEN=hush"}}, "search": {Home: t.TempDir()}},
		NewStore: func(_ string, env []string) *store.Store {
			return store.New(ecosystem.Languages{private{token: environ.Parse(env).Get("TOKEN")}}, store.Options{})
		},
	})
	paths := []string{"/tape/secret", "/tape/secret@2/", "/tape/secret@2/?format=json", "/tape/secret@2/?format=md", "/tape/secret@2/-/diff/1", "/-/search?in=/tape/secret@2/&q=asked", "/tape/secret@2/-/doc/README.md", "/tape/secret@2/-/source/a.tape"}
	before := map[string]string{}
	for _, path := range paths {
		_, before[path] = r.open(t, pageRequest{path: path, password: bob})
	}
	if res, text := r.open(t, pageRequest{path: "/tape/secret@2/", password: alice}); res.StatusCode != http.StatusOK || !strings.Contains(text, "<h1>secret</h1>") {
		t.Fatalf("the group: %s %s", res.Status, text)
	}
	for _, path := range paths {
		for name, key := range map[string]string{"another group": bob, "no group": eve} {
			res, after := r.open(t, pageRequest{path: path, password: key})
			if res.StatusCode != http.StatusNotFound || strings.Contains(strings.ToLower(after), "asked for") || after != before[path] {
				t.Errorf("%s: %s: %s %s, and before: %s", name, path, res.Status, after, before[path])
			}
		}
	}
}

func TestPages_Limits(t *testing.T) {
	keys, add := newKeys(t)
	key := add("alice", 0)
	r := start(t, shelf{}, Options{Keys: keys, Rate: 1})
	refused := 0
	for range 20 {
		if res, text := r.open(t, pageRequest{path: "/tape/turtle@1/", password: key}); res.StatusCode == http.StatusTooManyRequests && strings.Contains(text, "send fewer per second") {
			refused++
		}
		if res, _ := r.open(t, pageRequest{path: "/-/assets/style.css", password: key}); res.StatusCode != http.StatusOK {
			t.Errorf("the style sheet counts as a page: %s", res.Status)
		}
	}
	if refused < 10 {
		t.Errorf("%d of 20 requests were refused", refused)
	}
}

func TestPages_OfThisMachineAnswerOnlyToIt(t *testing.T) {
	r := start(t, shelf{}, Options{})
	if res, text := r.open(t, pageRequest{path: "/tape/turtle@1/"}); res.StatusCode != http.StatusOK || !strings.Contains(text, "<h1>turtle</h1>") {
		t.Errorf("%s", res.Status)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+"/tape/turtle@1/", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "rebound.example"
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusForbidden {
		t.Errorf("a name that points to this machine: %s", res.Status)
	}
}
