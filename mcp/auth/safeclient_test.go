package auth

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func TestAddressesThatAreAsked(t *testing.T) {
	proves(t, "sec.ssrf.consider", "sec.ssrf.private-ranges")
	for _, tt := range []struct {
		allowed addresses
		address string
		says    string // part of the error; empty if requests are allowed
	}{
		{addresses{}, "127.0.0.1:1", "not public"},
		{addresses{}, "localhost:1", "not public"},
		{addresses{loopback: true}, "127.0.0.1:1", ""},
		{addresses{loopback: true}, "[::1]:1", ""},
		{addresses{loopback: true}, "LOCALHOST:1", "not public"}, // a name that resolves to this machine
		{addresses{private: true}, "127.0.0.1:1", "not public"},
		{addresses{loopback: true, private: true}, "169.254.169.254:80", "not public"},
		{addresses{loopback: true, private: true}, "[fe80::1]:80", "not public"},
		{addresses{loopback: true, private: true}, "0.0.0.0:80", "not public"},
		{addresses{loopback: true}, "10.0.0.1:80", "not public"},
		{addresses{loopback: true}, "[fd00::1]:80", "not public"},
	} {
		conn, err := tt.allowed.dial(t.Context(), "tcp", tt.address)
		if err == nil {
			conn.Close()
		}
		if tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) || tt.says == "" && err != nil && strings.Contains(err.Error(), "public") {
			t.Errorf("%+v %s: %v", tt.allowed, tt.address, err)
		}
	}
	for text, want := range map[string]bool{"10.1.2.3": true, "172.16.0.1": true, "192.168.1.1": true, "100.64.0.1": true, "fd00::1": true, "169.254.169.254": false, "fe80::1": false, "127.0.0.1": false, "0.0.0.0": false} {
		if got := isPrivate(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s private: %t", text, got)
		}
	}
}

// TestTheDefaultClientHangsUp waits until the client has closed its connection.
func TestTheDefaultClientHangsUp(t *testing.T) {
	states := make(chan http.ConnState, 16)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) { states <- state }
	server.Start()
	t.Cleanup(server.Close)
	client := SafeClient()
	client.Transport.(safeTransport).next.IdleConnTimeout = 0
	if _, err := get(t.Context(), client, server.URL, 1<<10, nil); err != nil {
		t.Fatal(err)
	}
	for state := range states {
		if state == http.StateIdle {
			break
		}
	}
	client.CloseIdleConnections()
	for state := range states {
		if state == http.StateClosed {
			break
		}
	}
}
