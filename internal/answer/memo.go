package answer

import "sync"

// maxMemo bounds the values that a memo holds. It is emptied at the bound: to keep the
// most recent ones would cost more than to make all again.
const maxMemo = 4096

// memo caches what is made of the symbols of a package, which do not change. It is safe
// for concurrent use.
type memo[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]V
}

// get returns the value of a key, which create makes when it is first asked for.
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
