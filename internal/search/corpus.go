package search

import "sync"

// Corpus is a set of indexes that are searched together. It caches how often words occur in all of
// them. It is safe for concurrent use.
type Corpus struct {
	indexes []*Index
	entries int

	mu     sync.Mutex
	counts map[string]int // number of entries in all indexes that contain a stem
}

// NewCorpus returns a Corpus of distinct indexes.
func NewCorpus(indexes ...*Index) *Corpus {
	c := &Corpus{indexes: indexes, counts: map[string]int{}}
	for _, x := range indexes {
		c.entries += len(x.entries)
	}
	return c
}

// count returns the number of entries of all indexes that contain a stem.
func (c *Corpus) count(stem string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, ok := c.counts[stem]
	if !ok {
		for _, x := range c.indexes {
			n += len(x.vocabulary().postingsOf(stem))
		}
		c.counts[stem] = n
	}
	return n
}
