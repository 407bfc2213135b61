package teamserver

import (
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/mcp"
)

// get returns the status and the body of an address.
func get(t *testing.T, url, key string) (status int, text string) {
	t.Helper()
	status, _, text = request(t, http.MethodGet, url, key, "")
	return status, text
}

// request sends a request and returns the response. If key is not empty, the request contains it.
func request(t *testing.T, method, url, key, body string) (status int, header http.Header, text string) {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(data)
}

func TestObserve_FiguresAndLogsSayWhoAskedButNotWhatTheAnswerIs(t *testing.T) {
	file, add := newKeys(t)
	alice := add("alice", time.Hour)
	dir := t.TempDir()
	access, audit := filepath.Join(dir, "access"), filepath.Join(dir, "audit")
	trusted, _ := ParsePrefixes([]string{"127.0.0.1"})
	r := start(t, tape{}, Options{Keys: file, AccessLog: access, AuditLog: audit, TrustedProxies: trusted})
	r.call(t, alice, map[string]any{"package": "turtle", "symbol": "PLOT"})
	r.call(t, alice, map[string]any{"package": "turtle"})
	r.call(t, alice, map[string]any{"package": "turtle", "projectPath": "/etc"})
	r.call(t, "", map[string]any{"package": "turtle"})

	status, text := get(t, r.url+"/metrics", alice)
	for _, want := range []string{
		`docent_calls_total{tool="describe_tape_package",outcome="answered"} 1`, `docent_calls_total{tool="describe_tape_package",outcome="refused"} 1`,
		`docent_calls_total{tool="describe_tape_package",outcome="no symbol"} 1`, `docent_call_duration_seconds_bucket{tool="describe_tape_package",le="+Inf"} 3`,
		`docent_call_duration_seconds_count{tool="describe_tape_package"} 3`, `docent_http_responses_total{status="401"} 1`, "docent_cached_packages 1\n",
		"# TYPE docent_call_duration_seconds histogram\n", "docent_http_requests_active 1\n", "docent_calls_active 0\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the figures lack %q", want)
		}
	}
	if status != 200 || !strings.HasSuffix(text, "\n# EOF\n") || strings.Contains(text, "alice") {
		t.Errorf("%d %s", status, text)
	}
	if status, _ := get(t, r.url+"/metrics", ""); status != http.StatusUnauthorized {
		t.Errorf("anyone gets the figures: %d", status)
	}
	for _, path := range []string{"/livez", "/readyz"} {
		if status, _ := get(t, r.url+path, ""); status != 200 {
			t.Errorf("%s: %d", path, status)
		}
	}
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	logs := map[string]string{}
	for _, name := range []string{access, audit} {
		data := filetest.Read(t, name)
		logs[name] = string(data)
		if strings.Contains(string(data), alice) || strings.Contains(string(data), "Asked for") {
			t.Errorf("a log has a key or an answer: %s", data)
		}
	}
	if log := logs[access]; !strings.Contains(log, `"client":"127.0.0.1"`) || !strings.Contains(log, `"name":"alice","method":"POST","path":"/mcp","proto":"HTTP/1.1","status":200`) ||
		!strings.Contains(log, `"name":"anonymous","method":"POST","path":"/mcp","proto":"HTTP/1.1","status":401`) {
		t.Errorf("the access log: %s", log)
	}
	if log := logs[audit]; strings.Count(log, "\n") != 3 || !strings.Contains(log, `"name":"alice","client":"127.0.0.1","tool":"describe_tape_package","package":"turtle","outcome":"answered"`) || strings.Contains(log, "PLOT") {
		t.Errorf("the audit log: %s", log)
	}
	if log := r.log.String(); !strings.Contains(log, "the server is listening") || !strings.Contains(log, "keys=1") {
		t.Errorf("the log: %s", log)
	}
}

func TestAdmin_HasProfilesOnItsOwnAddressAlone(t *testing.T) {
	file, add := newKeys(t)
	alice := add("alice", time.Hour)
	hold, busy := make(chan struct{}), make(chan struct{})
	r := start(t, tape{hold, busy}, Options{Keys: file, Admin: "127.0.0.1:0", HTTP: mcp.HTTPOptions{AllowedHosts: []string{"docs.example.com", "127.0.0.1"}}})
	_, after, _ := strings.Cut(r.log.String(), "admin=")
	admin := "http://" + strings.Fields(after)[0]
	for path, want := range map[string]string{"/livez": "ok", "/readyz": "ok", "/metrics": "# EOF", "/debug/pprof/": "goroutine"} {
		if status, text := get(t, admin+path, ""); status != 200 || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	for path, want := range map[string]int{"/livez": 200, "/readyz": 200, "/metrics": 404, "/debug/pprof/": 404} { // for a load balancer, which has no access to the other address
		if status, _ := get(t, r.url+path, alice); status != want {
			t.Errorf("clients get %s: %d", path, status)
		}
	}
	for _, tt := range []struct {
		host, origin string
		want         int
	}{
		{"", "", 200}, {"docs.example.com", "", 200}, {"localhost:9090", "", 200}, {"10.1.2.3:9090", "", 200}, {"[::1]:9090", "", 200},
		{"evil.example.net", "", 403}, {"localhost.evil.example.net", "", 403}, {"127.0.0.1", "https://evil.example.net", 403}, {"docs.example.com", "https://evil.example.net", 403},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, admin+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		if req.Host = tt.host; tt.origin != "" {
			req.Header.Set("Origin", tt.origin)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if res.Body.Close(); res.StatusCode != tt.want {
			t.Errorf("%+v: %s", tt, res.Status)
		}
	}
	if status, _ := get(t, admin+"/mcp", ""); status != http.StatusNotFound {
		t.Errorf("the address for operators serves clients: %d", status)
	}
	answered := make(chan int)
	go func() {
		status, _ := r.call(t, alice, map[string]any{"package": "slow"})
		answered <- status
	}()
	<-busy
	go func() { _ = r.stop() }()
	for status := 200; status != http.StatusServiceUnavailable; {
		status, _ = get(t, admin+"/readyz", "")
	}
	if status, _ := get(t, admin+"/livez", ""); status != 200 {
		t.Errorf("a server that ends is not live: %d", status)
	}
	close(hold)
	if status := <-answered; status != 200 {
		t.Errorf("the last answer: %d", status)
	}
}

func TestAttack_AFloodLeavesOthersAPlace(t *testing.T) {
	file, add := newKeys(t)
	mallory, alice := add("mallory", time.Hour), add("alice", time.Hour)
	hold, busy := make(chan struct{}), make(chan struct{}, 1000)
	r := start(t, tape{hold, busy}, Options{Keys: file, Rate: 1000, Concurrent: 3, MaxCalls: 5})
	const calls = 80
	texts := make(chan string, calls)
	for n := range calls {
		go func() {
			_, text := r.call(t, mallory, map[string]any{"package": "slow" + strings.Repeat("x", n)})
			texts <- text
		}()
	}
	for range 3 {
		<-busy
	}
	refused := 0
	for range calls - 3 - maxWaitingEach { // all other calls are running or waiting
		if strings.Contains(<-texts, "calls are waiting") {
			refused++
		}
	}
	if refused != calls-3-maxWaitingEach {
		t.Errorf("%d calls were refused", refused)
	}
	if status, text := r.call(t, alice, describeTurtle); status != 200 || !strings.Contains(text, "Asked for") {
		t.Errorf("beside a flood: %d %s", status, text)
	}
	if _, waiting := r.queue.load(); waiting != maxWaitingEach {
		t.Errorf("%d calls wait", waiting)
	}
	close(hold)
	for range 3 + maxWaitingEach {
		if text := <-texts; !strings.Contains(text, "Asked for") {
			t.Errorf("a call that waited: %s", text)
		}
	}
}

func TestAttack_ARateIsPerPrincipal(t *testing.T) {
	file, add := newKeys(t)
	mallory, alice := add("mallory", time.Hour), add("alice", time.Hour)
	r := start(t, tape{}, Options{Keys: file, Rate: 0.001})
	refused := false
	for range 3 {
		_, text := r.call(t, mallory, describeTurtle)
		refused = refused || strings.Contains(text, "Rate limit reached")
	}
	if !refused {
		t.Error("no call was over the rate")
	}
	if _, text := r.call(t, alice, describeTurtle); !strings.Contains(text, "Asked for") {
		t.Errorf("another principal: %s", text)
	}
}
