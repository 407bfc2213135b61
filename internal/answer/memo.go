package answer

import "sync"

// maxMemo is the maximum number of values in a memo. When a memo is full, it is cleared, because
// finding the least recently used values would cost more than computing all values again.
const maxMemo = 4096

// memo caches values that are computed from the symbols of a package, which do not change. It is
// safe for concurrent use.
type memo[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]V
}

// get returns the value of a key. It calls create if the key is not cached.
func (m *memo[K, V]) get(key K, create func() V) V {
	m.mu.Lock()
	value, ok := m.values[key]
	m.mu.Unlock()
	if ok {
		return value
	}
	value = create()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil || len(m.values) >= maxMemo {
		m.values = make(map[K]V)
	}
	m.values[key] = value
	return value
}
