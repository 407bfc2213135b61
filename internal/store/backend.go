package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
)

// A Backend stores encoded packages for several processes. It is safe for concurrent use. A
// package that it cannot load or save is read again.
type Backend interface {
	// Load returns the value that Save stored for a key. The error is fs.ErrNotExist if there is
	// none.
	Load(ctx context.Context, k Key) (string, error)
	// Save stores a value, which replaces any other value of the key.
	Save(ctx context.Context, k Key, v *Value) error
	// Drop removes the value of a key because it is damaged.
	Drop(ctx context.Context, k Key)
	// Lock waits while another process or goroutine holds the lock of a key. The only possible
	// error is the error of the context. If locks are not available, or after some time, the
	// caller proceeds without the lock.
	Lock(ctx context.Context, k Key) (unlock func(), err error)
}

// A Key identifies a package, including its version, and everything that its documentation
// depends on besides files.
type Key struct {
	// Build identifies the program, because another build may read the package differently.
	Build string
	// Group is the group whose credentials were used to fetch the package. Only that group may see
	// it. It is empty for packages that everyone may see.
	Group    string
	Language apidoc.Ecosystem
	// Found is the Key of an ecosystem.Found.
	Found string
}

// Hash returns a hash of the key.
func (k Key) Hash() [sha256.Size]byte {
	text := []byte{}
	for _, part := range []string{k.Build, k.Group, string(k.Language), k.Found} {
		text = appendText(text, part)
	}
	return sha256.Sum256(text)
}

// A Value is a package to store.
type Value struct {
	Package *apidoc.Package
	// Hidden is true for a value that searches do not find: an index of modules, or a package of a
	// project that only some clients may name.
	Hidden bool
	// Expires is when the value is no longer valid; zero for never.
	Expires time.Time
	// Size is the number of bytes that Write writes.
	Size  int
	Write func(io.Writer) error
}

// directory is the Backend of a cache directory. Each value is a file.
type directory struct{ cache *cachedir.Cache }

// Directory returns the Backend of a cache directory.
func Directory(cache *cachedir.Cache) Backend { return directory{cache} }

func (d directory) name(k Key) string {
	sum := k.Hash()
	return "packages/" + hex.EncodeToString(sum[:20])
}

func (d directory) Load(_ context.Context, k Key) (string, error) {
	return d.cache.ReadString(d.name(k), maxEntry)
}

func (d directory) Save(_ context.Context, k Key, v *Value) error {
	return d.cache.Write(d.name(k), func(f *os.File) error { return v.Write(f) })
}

func (d directory) Drop(_ context.Context, k Key) { d.cache.Drop(d.name(k)) }

func (d directory) Lock(ctx context.Context, k Key) (unlock func(), err error) {
	return d.cache.Lock(ctx, d.name(k))
}
