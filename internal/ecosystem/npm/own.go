package npm

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

var _ ecosystem.OwnFinder = (*NPM)(nil)

// Own implements ecosystem.OwnFinder. A project declares modules that no package needs to contain, as in declare module "x", its
// bundler gives names other meanings, and finds modules in directories such as src.
func (n *NPM) Own(dir string, paths iter.Seq[string]) func(pkg string) bool {
	added := sync.OnceValue(func() *augmentations { return n.augmentationsOf(context.Background(), dir) })
	files := sync.OnceValue(func() []string { return slices.Collect(paths) })
	texts := sync.OnceValue(func() []string { return aliasTexts(dir, files()) })
	roots := sync.OnceValue(func() map[string]bool { return rootNames(files()) })
	docusaurus := sync.OnceValue(func() bool { return slices.ContainsFunc(files(), isDocusaurus) })
	return func(pkg string) bool {
		if added() != nil && added().declares(pkg) || roots()[pkg] {
			return true
		}
		if slices.ContainsFunc(docusaurusAliases, func(prefix string) bool { return strings.HasPrefix(pkg, prefix) }) && docusaurus() {
			return true
		}
		return slices.ContainsFunc(texts(), aliasKey(pkg).MatchString)
	}
}
