package search

// Corpus is several indexes that are searched together. It caches how often words occur
// in all of them and is not safe for concurrent use.
type Corpus struct {
	indexes []*Index
	entries int
	counts  map[string]int // the number of entries that have a stem, in all indexes
}

// NewCorpus makes a Corpus of different indexes.
func NewCorpus(indexes ...*Index) *Corpus {
	c := &Corpus{indexes: indexes, counts: map[string]int{}}
	for _, x := range indexes {
		c.entries += len(x.entries)
	}
	return c
}

// count returns how many entries of all indexes have a stem.
func (c *Corpus) count(stem string) int {
	n, ok := c.counts[stem]
	if !ok {
		for _, x := range c.indexes {
			n += len(x.vocabulary().postingsOf(stem))
		}
		c.counts[stem] = n
	}
	return n
}
