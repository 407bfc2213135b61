package npm

import (
	"context"
	"iter"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

var _ ecosystem.OwnFinder = (*NPM)(nil)

// Own implements ecosystem.OwnFinder. A project declares modules that no package needs to contain, as in declare module "x".
func (n *NPM) Own(dir string, _ iter.Seq[string]) func(pkg string) bool {
	added := sync.OnceValue(func() *augmentations { return n.augmentationsOf(context.Background(), dir) })
	return func(pkg string) bool { return added() != nil && added().declares(pkg) }
}
