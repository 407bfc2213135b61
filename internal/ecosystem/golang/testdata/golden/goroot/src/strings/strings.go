package strings

// A Builder builds.
type Builder struct{ b []byte }
