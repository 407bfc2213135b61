package auth

import (
	"encoding/json"
	"strings"
	"time"
)

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
		for _, at := range []*time.Time{&s.Expiry, &s.Obtained, &s.SignedIn} {
			*at = at.Add(-time.Hour)
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
