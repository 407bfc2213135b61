package auth

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/proof"
)

// proves declares the rows of requirements.tsv that the test proves. The test does not depend on
// the revision.
func proves(t *testing.T, ids ...string) {
	proof.Proves(t, ids...)
	proof.Ran(t, "any", "any")
}

// RecordUse binds c to a server, and returns a record of how its default HTTP
// client is used from then on: requests and closing of idle connections.
func RecordUse(c *OAuthClient, server string) (used func() []string, err error) {
	u, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	if err := c.prepare(u); err != nil {
		return nil, err
	}
	r := &recordedTransport{next: c.http.Transport}
	c.http.Transport = r
	return func() []string {
		r.mu.Lock()
		defer r.mu.Unlock()
		return slices.Clone(r.used)
	}, nil
}

type recordedTransport struct {
	next http.RoundTripper
	mu   sync.Mutex
	used []string
}

func (r *recordedTransport) use(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used = append(r.used, what)
}

func (r *recordedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	r.use(req.URL.Path)
	return r.next.RoundTrip(req)
}

func (r *recordedTransport) CloseIdleConnections() {
	r.use("hang up")
	r.next.(interface{ CloseIdleConnections() }).CloseIdleConnections()
}

// Rewrite replaces old by new in the values whose keys have the prefix.
func Rewrite(m *MemoryStore, prefix, old, new string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, value := range m.values {
		if strings.HasPrefix(key, prefix) {
			m.values[key] = []byte(strings.ReplaceAll(string(value), old, new))
		}
	}
}

// Age makes all sessions of a store an hour older, and reports whether there
// are any.
func Age(m *MemoryStore) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := false
	for key, value := range m.values {
		var s session
		if !strings.HasPrefix(key, "session ") || json.Unmarshal(value, &s) != nil {
			continue
		}
		found = true
		for _, moment := range []*time.Time{&s.Expiry, &s.Obtained, &s.SignedIn} {
			*moment = moment.Add(-time.Hour)
		}
		m.values[key], _ = json.Marshal(s)
	}
	return found
}

// BrowserCommand is browserCommand.
var BrowserCommand = browserCommand

// IsPublic is isPublic.
var IsPublic = isPublic

// Elsewhere is the default client for a server that is not on this machine.
var Elsewhere = addresses{}.client
