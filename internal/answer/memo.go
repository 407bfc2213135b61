package answer

import "sync"

// maxMemo bounds the number of values in a memo, which is emptied when it is full:
// finding the least recently used ones would cost more than computing all of them
// again.
const maxMemo = 4096

// memo caches values that are computed from the symbols of a package, which do not
// change. It is safe for concurrent use.
type memo[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]V
}

// get returns the value of a key. It calls create for a key that is not cached.
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
