package store

import (
	"hash/maphash"
	"runtime"
	"sync"
	"weak"

	"github.com/docent-mcp/docent/internal/apicodec"
	"github.com/docent-mcp/docent/internal/apidoc"
)

// decodedPackages are the decoded packages that are in use. The projects of a workspace share their symbols and sections, which
// take most of the memory, and differ only in the provenance and the advice. It is safe for concurrent use.
type decodedPackages struct {
	seed maphash.Seed

	mu     sync.Mutex
	byHash map[uint64]weak.Pointer[apidoc.Package]
}

// decode decodes a package. The caller may change the fields of the result, but not what they refer to.
func (d *decodedPackages) decode(encoded string) (*apidoc.Package, error) {
	hash := maphash.String(d.seed, encoded)
	d.mu.Lock()
	shared := d.byHash[hash].Value()
	d.mu.Unlock()
	if shared == nil {
		var err error
		if shared, err = apicodec.Decode(encoded); err != nil {
			return nil, err
		}
		d.mu.Lock()
		d.byHash[hash] = weak.Make(shared)
		d.mu.Unlock()
		runtime.AddCleanup(shared, d.forget, hash)
	}
	pkg := *shared
	runtime.AddCleanup(&pkg, func(*apidoc.Package) {}, shared) // shared remains in use as long as the copy
	return &pkg, nil
}

// forget removes a package that is no longer in use.
func (d *decodedPackages) forget(hash uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.byHash[hash].Value() == nil {
		delete(d.byHash, hash)
	}
}
