package npm

import (
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/rootfs"
)

// configs contains the names of the TypeScript configurations in directories. It lists a directory
// again when the directory has changed.
type configs struct {
	mu   sync.Mutex
	dirs map[string]configDir
}

type configDir struct {
	changed time.Time
	names   []string // the names of the configurations
}

const (
	// maxConfigDirs is the maximum number of directories whose configurations are known.
	maxConfigDirs = 10_000
	// maxConfigDir is the maximum number of names that are read in a directory.
	maxConfigDir = 100_000
)

// in returns the names of the TypeScript configurations in a directory.
func (c *configs) in(dir string) []string {
	info, err := os.Stat(dir)
	if err != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.dirs[dir]; ok && known.changed.Equal(info.ModTime()) {
		return known.names
	}
	names, _ := rootfs.Names(dir, maxConfigDir)
	names = slices.DeleteFunc(names, func(name string) bool { return !isConfig(name) })
	if c.dirs == nil || len(c.dirs) >= maxConfigDirs {
		c.dirs = map[string]configDir{}
	}
	c.dirs[dir] = configDir{info.ModTime(), slices.Clip(names)}
	return names
}

// isConfig reports whether a file is a TypeScript configuration.
func isConfig(name string) bool {
	return (strings.HasPrefix(name, "tsconfig") || name == "jsconfig.json") && path.Ext(name) == ".json"
}
