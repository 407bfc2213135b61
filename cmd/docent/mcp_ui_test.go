package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// ui runs docent mcp ui in the background, at a terminal, until the test ends. It returns the
// address of the page and a channel with the pages that were opened in the browser.
func ui(t *testing.T, args ...string) (page string, opened <-chan string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	reader, writer := io.Pipe()
	pages, done := make(chan string, 10), make(chan int, 1)
	s := streams{in: strings.NewReader(""), out: io.Discard, err: writer, inTerminal: true, errTerminal: true, browse: func(_ context.Context, page string) error {
		pages <- page
		return nil
	}}
	go func() {
		done <- run(ctx, append([]string{"mcp", "ui", "--addr", "127.0.0.1:0"}, args...), s, languages)
		writer.Close()
	}()
	t.Cleanup(func() {
		cancel()
		if code := <-done; code != 0 {
			t.Errorf("docent mcp ui ends with %d", code)
		}
	})
	line, err := bufio.NewReader(reader).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	_, page, ok := strings.Cut(strings.TrimSpace(line), "the page is at ")
	if !ok {
		t.Fatalf("docent says %q", line)
	}
	return page, pages
}

// fetchPage returns the status, the text and the address of a page, after redirects.
func fetchPage(t *testing.T, method, address string, form url.Values) (status int, body, last string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data), resp.Request.URL.String()
}

// eventually requests a page until it contains a text.
func eventually(t *testing.T, address, text string) string {
	t.Helper()
	for t.Context().Err() == nil {
		if _, body, _ := fetchPage(t, http.MethodGet, address, nil); strings.Contains(body, text) {
			return body
		}
	}
	t.Fatalf("%s does not come to have %q", address, text)
	return ""
}

func TestMCPUI(t *testing.T) {
	page, opened := ui(t, everything(t))
	if !regexp.MustCompile(`^http://127\.0\.0\.1:\d+/[A-Z2-7]{26}/$`).MatchString(page) {
		t.Fatalf("the page is at %s", page)
	}
	once := <-opened
	if !strings.Contains(once, "/once/") || strings.Contains(once, page) {
		t.Errorf("the browser opens %s", once)
	}
	if status, _, last := fetchPage(t, http.MethodGet, once, nil); status != 200 || last != page {
		t.Errorf("it leads to %s: %d", last, status)
	}
	if status, _, _ := fetchPage(t, http.MethodGet, once, nil); status != http.StatusForbidden {
		t.Errorf("a second time: %d", status)
	}
	u, err := url.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	if status, _, _ := fetchPage(t, http.MethodGet, "http://"+u.Host+"/tools", nil); status != http.StatusForbidden {
		t.Errorf("without the token: %d", status)
	}
	eventually(t, page+"tools", ">fail<")
	_, body, _ := fetchPage(t, http.MethodPost, page+"tools", url.Values{"name": {"add"}, "value.a": {"3"}, "do": {"call"}})
	if !strings.Contains(body, "Structured content") {
		t.Errorf("the page of a call is %s", body)
	}
}

func TestMCPUI_SignsIn(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(t.TempDir(), "config"))
	t.Setenv("HOME", t.TempDir()) // the settings directory on other systems
	t.Setenv("AppData", t.TempDir())
	page, opened := ui(t, guarded(t))
	<-opened
	login := <-opened
	if !strings.Contains(login, "/authorize?") {
		t.Fatalf("the browser opens %s", login)
	}
	body := eventually(t, page+"questions", "Sign in")
	question := regexp.MustCompile(`questions/\d+`).FindString(body)
	if _, body, _ := fetchPage(t, http.MethodGet, page+question, nil); !strings.Contains(body, "/authorize?") {
		t.Errorf("the page of the question is %s", body)
	}
	fetchPage(t, http.MethodGet, login, nil)
	eventually(t, page, `class="state connected"`)
	eventually(t, page+"questions", "No pending questions")
}

func TestMCPUI_ServersOfAConfiguration(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"mcp.json": `{"mcpServers":{"one":{"url":"` + everything(t) + `"},"two":{"command":"no-such-program"},"off":{"command":"x","disabled":true}}}`})
	page, _ := ui(t, "--no-open", "--config", filepath.Join(dir, "mcp.json"))
	_, body, _ := fetchPage(t, http.MethodGet, page, nil)
	if !strings.Contains(body, "not connected") || !strings.Contains(body, "two: no-such-program") || strings.Contains(body, "off:") {
		t.Errorf("the page is %s", body)
	}
	fetchPage(t, http.MethodPost, page+"connect", url.Values{"server": {"0"}, "level": {"info"}})
	eventually(t, page, `class="state connected"`)
	fetchPage(t, http.MethodPost, page+"connect", url.Values{"server": {"1"}, "level": {"info"}})
	eventually(t, page, "no-such-program")

	// One of the servers is connected immediately and is shown with its address.
	one, _ := ui(t, "--no-open", "--config", filepath.Join(dir, "mcp.json"), "--server", "one")
	if body := eventually(t, one, `class="state connected"`); !strings.Contains(body, "<code>http://") || !strings.Contains(body, `name="transport"`) {
		t.Errorf("the page is %s", body)
	}
}

func TestMCPUI_Refuses(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{nil, exitUsage, "specify a server"},
		{[]string{"http://127.0.0.1:1/mcp", "more"}, exitUsage, "no arguments other than the server"},
		{[]string{"--addr", "0.0.0.0:0", "http://127.0.0.1:1/mcp"}, exitUsage, "loopback address"},
		{[]string{"--addr", "192.0.2.1:0", "http://127.0.0.1:1/mcp"}, exitUsage, "loopback address"},
		{[]string{"--revision", "1999-01-01", "http://127.0.0.1:1/mcp"}, exitUsage, "not a protocol revision"},
	} {
		if got := docent(append([]string{"mcp", "ui"}, tt.args...)...); got.code != tt.code || !strings.Contains(got.err, tt.want) {
			t.Errorf("%v: %+v", tt.args, got)
		}
	}
}
