package rust

import (
	"path/filepath"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/project"
)

const (
	// maxModuleDirs is the maximum number of directories in moduleFiles, and maxAbsentModules the maximum number of names in each of them.
	maxModuleDirs    = 1000
	maxAbsentModules = 10_000
	// freshDirectory is the age of a change to a directory below which a further change may have the same time.
	freshDirectory = 2 * time.Second
)

// moduleFiles finds the files of modules. It caches which names a directory does not contain until the directory changes,
// because most files of a project use the same crates. The zero value is ready to use.
type moduleFiles struct {
	now  func() time.Time // nil for time.Now
	mu   sync.Mutex
	dirs map[string]*moduleDir
}

// moduleDir is a directory that may contain files of modules.
type moduleDir struct {
	stamp  fingerprint.Stamp
	mu     sync.Mutex
	absent map[string]bool
}

// directory returns the current state of a directory.
func (m *moduleFiles) directory(path string) *moduleDir {
	stamp := fingerprint.StampOf(path)
	m.mu.Lock()
	defer m.mu.Unlock()
	if d := m.dirs[path]; d != nil && d.stamp == stamp {
		return d
	}
	d := &moduleDir{stamp: stamp, absent: map[string]bool{}}
	now := m.now
	if now == nil {
		now = time.Now
	}
	if now().Sub(time.Unix(0, stamp.Changed)) > freshDirectory {
		if m.dirs == nil || len(m.dirs) >= maxModuleDirs {
			m.dirs = map[string]*moduleDir{}
		}
		m.dirs[path] = d
	}
	return d
}

// has reports whether the directory contains the file of a module.
func (d *moduleDir) has(name string) bool {
	if d.stamp.Kind != fingerprint.Directory {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.absent[name] {
		return false
	}
	full := filepath.Join(d.stamp.Path, name)
	if project.IsFile(full+".rs") || project.IsFile(filepath.Join(full, "mod.rs")) {
		return true
	}
	// A file that is added to a directory with the name does not change the stamp.
	if len(d.absent) < maxAbsentModules && fingerprint.StampOf(full).Kind == fingerprint.Absent {
		d.absent[name] = true
	}
	return false
}
