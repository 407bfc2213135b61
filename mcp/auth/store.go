package auth

import (
	"bytes"
	"context"
	"sync"
)

// A Store stores the tokens of an OAuthClient by server, and its registrations by issuer. The
// values are secrets. A Store can be implemented with the keychain of the operating system. Its
// methods must be safe for concurrent use.
type Store interface {
	// Load returns the value of a key, or nil if there is none.
	Load(ctx context.Context, key string) ([]byte, error)
	// Save stores the value of a key and replaces an earlier value. A nil value removes the key.
	Save(ctx context.Context, key string, value []byte) error
	// Lock waits until the lock for a key is free, and acquires it. The lock
	// excludes all processes that share the store, so that only one of them
	// refreshes a token.
	Lock(ctx context.Context, key string) (unlock func(), err error)
}

// MemoryStore is a Store in memory. Its zero value is empty.
type MemoryStore struct {
	mu     sync.Mutex
	values map[string][]byte
	locks  map[string]chan struct{} // locks that are held, by key; the channel is closed when the lock is released
}

// Load implements Store.
func (m *MemoryStore) Load(_ context.Context, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return bytes.Clone(m.values[key]), nil
}

// Save implements Store.
func (m *MemoryStore) Save(_ context.Context, key string, value []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if value == nil {
		delete(m.values, key)
		return nil
	}
	if m.values == nil {
		m.values = map[string][]byte{}
	}
	m.values[key] = bytes.Clone(value)
	return nil
}

// Lock implements Store.
func (m *MemoryStore) Lock(ctx context.Context, key string) (unlock func(), err error) {
	for {
		m.mu.Lock()
		held := m.locks[key]
		if held == nil {
			if m.locks == nil {
				m.locks = map[string]chan struct{}{}
			}
			released := make(chan struct{})
			m.locks[key] = released
			m.mu.Unlock()
			return sync.OnceFunc(func() {
				m.mu.Lock()
				delete(m.locks, key)
				m.mu.Unlock()
				close(released)
			}), nil
		}
		m.mu.Unlock()
		select {
		case <-held:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
