package io

// Reader reads.
type Reader interface {
	// Read reads up to len(p) bytes.
	Read(p []byte) (n int, err error)
}

// Writer writes.
type Writer interface {
	Write(p []byte) (n int, err error)
}
