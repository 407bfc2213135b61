package fetch

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// metadataSpellings are addresses of metadata services and of the link, in each of
// the forms that lead there.
var metadataSpellings = []string{
	"169.254.169.254", "169.254.170.2", "::ffff:169.254.169.254", "::169.254.169.254", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a9fe:a9fe",
	"2002:a9fe:a9fe::", "fe80::1", "fe80::a9fe:a9fe%lo", "ff02::1", "224.0.0.1", "fd00:ec2::254", "fd20:ce::254", "100.100.100.200",
	"::ffff:100.100.100.200", "192.0.0.192", "168.63.129.16", "64:ff9b::a83f:8110",
}

func TestAddress_MetadataIsRefusedByEveryPolicy(t *testing.T) {
	for _, p := range policies {
		for _, s := range metadataSpellings {
			if p.check(netip.MustParseAddr(s)) == nil {
				t.Errorf("policy %d allows %s", p, s)
			}
		}
	}
	for _, s := range []string{"127.0.0.1", "::1", "10.0.0.1", "192.168.1.1", "fd00::1", "100.64.0.1", "1.1.1.1", "0.0.0.0"} {
		if err := anyAddress.check(netip.MustParseAddr(s)); err != nil {
			t.Errorf("a configured host at %s: %v", s, err)
		}
	}
}

// TestAddress_ConfiguredHostsAtMetadataAddresses makes whole requests for URLs in the user's
// configuration. The dialer's check fails before anything is sent.
func TestAddress_ConfiguredHostsAtMetadataAddresses(t *testing.T) {
	c, _ := client(Options{})
	for _, s := range metadataSpellings {
		host := strings.ReplaceAll(netip.MustParseAddr(s).String(), "%", "%25")
		address := (&url.URL{Scheme: "http", Host: net.JoinHostPort(host, "80")}).String()
		if strings.Contains(s, "%") {
			address = "http://[" + host + "]/"
		}
		if _, err := c.Get(t.Context(), Request{URL: address, Configured: true, Local: true}); kindOf(err) != Refused {
			t.Errorf("%s: %v", s, err)
		}
	}
}

// TestAddress_NamesOfMetadataAddresses resolves a name with a DNS server of its
// own, since the check is of what a name resolves to.
func TestAddress_NamesOfMetadataAddresses(t *testing.T) {
	d := newDialer(0, anyAddress)
	d.Resolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		server, client := net.Pipe()
		go answerDNS(t, server, [4]byte{169, 254, 169, 254})
		return client, nil
	}}
	if _, err := d.DialContext(t.Context(), "tcp", "registry.example.:80"); err == nil || !strings.Contains(err.Error(), "169.254.169.254, which is link-local") {
		t.Errorf("got %v", err)
	}
}

// answerDNS answers each query over TCP with one address, AAAA queries with none.
func answerDNS(t *testing.T, conn net.Conn, ip [4]byte) {
	defer conn.Close()
	for {
		head := make([]byte, 2)
		if _, err := conn.Read(head); err != nil {
			return
		}
		query := make([]byte, int(head[0])<<8|int(head[1]))
		if _, err := conn.Read(query); err != nil {
			t.Errorf("a query: %v", err)
			return
		}
		end := 12 // The name ends with an empty label, and the type and the class follow.
		for query[end] != 0 {
			end += 1 + int(query[end])
		}
		end += 5
		answer := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, query[12:end]...)
		if query[end-3] == 1 { // This is an A query.
			answer[7] = 1
			answer = append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ip[0], ip[1], ip[2], ip[3])
		}
		if _, err := conn.Write(append([]byte{byte(len(answer) >> 8), byte(len(answer))}, answer...)); err != nil {
			return
		}
	}
}

func TestAddress_ProxiesAreNotAskedForMetadata(t *testing.T) {
	proxy := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the proxy was asked") })
	u, _ := url.Parse(proxy.URL)
	c, _ := client(Options{Proxy: func(*http.Request) (*url.URL, error) { return u, nil }})
	for _, host := range []string{
		"169.254.169.254", "169.254.169.254.", "2852039166", "0xa9fea9fe", "169.254.43518", "0251.0376.0251.0376", "[fd00:ec2::254]", "[::ffff:a9fe:a9fe]",
		"metadata.google.internal", "METADATA.google.internal.", "metadata",
	} {
		if _, err := c.Get(t.Context(), Request{URL: "http://" + host + "/x", Configured: true}); kindOf(err) != Refused {
			t.Errorf("%s: %v", host, err)
		}
	}
	there, _ := url.Parse("http://169.254.169.254:3128")
	c, _ = client(Options{Proxy: func(*http.Request) (*url.URL, error) { return there, nil }})
	if _, err := c.Get(t.Context(), Request{URL: "http://registry.example/x", Configured: true}); kindOf(err) != Refused {
		t.Errorf("a proxy at a metadata address: %v", err)
	}
}
