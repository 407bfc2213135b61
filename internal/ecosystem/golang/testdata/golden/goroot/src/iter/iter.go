package iter

// Seq2 yields pairs.
type Seq2[K, V any] func(yield func(K, V) bool)
