package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

func TestFetch(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/page":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<title>T</title><script>alert('no')</script><h1>Tea &amp; cake</h1><p>One <b>bold</b>\n  word.<!-- hidden --></p><ul><li>a<li>b</ul>")
		case "/moved":
			http.Redirect(w, r, "/page", http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/large":
			fmt.Fprint(w, strings.Repeat("x", maxPage+1))
		case "/binary":
			_, _ = w.Write([]byte{0xff, 0xfe, 0})
		default:
			http.NotFound(w, r)
		}
	}))
	defer web.Close()
	local := func(ip netip.Addr) bool { return ip.IsLoopback() }
	c := mcptest.Connect(t, newServer(newClient(local)), nil)
	for _, f := range []struct {
		in   page
		want string
	}{
		{page{URL: web.URL + "/page"}, "T\nTea & cake\nOne bold word.\na\nb"},
		{page{URL: web.URL + "/moved", MaxLength: 5}, "T\nTea\n\n[26 characters follow; continue with start_index 5]"},
		{page{URL: web.URL + "/page", Start: 25}, "d.\na\nb"},
	} {
		got, err := mcp.CallTool[string](t.Context(), c, "fetch", f.in, nil)
		if err != nil || got != f.want {
			t.Errorf("%+v: %q, %v; want %q", f.in, got, err, f.want)
		}
	}
	if got, err := mcp.CallTool[string](t.Context(), c, "fetch", page{URL: web.URL + "/page", Raw: true}, nil); err != nil || !strings.Contains(got, "<h1>") {
		t.Errorf("raw: %q, %v", got, err)
	}
	for _, wrong := range []string{"/none", "/loop", "/large", "/binary"} {
		if got, err := mcp.CallTool[string](t.Context(), c, "fetch", page{URL: web.URL + wrong}, nil); err == nil {
			t.Errorf("%s: %q", wrong, got)
		}
	}
	for _, wrong := range []string{"file:///etc/passwd", "page", "http://user:password@127.0.0.1/"} {
		if _, err := mcp.CallTool[string](t.Context(), c, "fetch", page{URL: wrong}, nil); err == nil {
			t.Errorf("%s is fetched", wrong)
		}
	}
	// The client that the command uses cannot reach anything on this machine.
	safe := mcptest.Connect(t, newServer(newClient(isPublic)), nil)
	for _, address := range []string{web.URL, strings.Replace(web.URL, "127.0.0.1", "localhost", 1), strings.Replace(web.URL, "127.0.0.1", "[::ffff:127.0.0.1]", 1)} {
		if _, err := mcp.CallTool[string](t.Context(), safe, "fetch", page{URL: address + "/page"}, nil); err == nil || !strings.Contains(err.Error(), "not public") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestIsPublic(t *testing.T) {
	for address, want := range map[string]bool{
		"93.184.216.34": true, "2606:2800:220:1::1": true,
		"127.0.0.1": false, "::1": false, "10.1.2.3": false, "192.168.0.1": false, "169.254.169.254": false, "100.64.0.1": false, "0.0.0.0": false,
		"::ffff:10.0.0.1": false, "fd00::1": false, "fe80::1": false, "224.0.0.1": false, "64:ff9b::7f00:1": false, "2002:7f00:1::": false,
	} {
		if isPublic(netip.MustParseAddr(address)) != want {
			t.Errorf("%s: public is %v", address, !want)
		}
	}
}
