package modules

import (
	"container/list"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// Files keeps what was read of files for the next Reader, the least used going
// first: the declarations of Node.js and of TypeScript's library are wanted by
// many packages. It is safe for concurrent use.
type Files struct {
	mu   sync.Mutex
	max  int
	size int
	used *list.List // of *kept, the last used first
	at   map[fileID]*list.Element
}

// fileID names a file by the content of its package.
type fileID struct{ pkg, path string }

type kept struct {
	id   fileID
	file *dts.File
}

// NewFiles makes a cache for files of together max bytes of source. Read, a
// file takes some three times as much memory as its source.
func NewFiles(max int) *Files {
	return &Files{max: max, used: list.New(), at: map[fileID]*list.Element{}}
}

func (c *Files) get(id fileID) *dts.File {
	if c == nil || id.pkg == "" {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.at[id]
	if e == nil {
		return nil
	}
	c.used.MoveToFront(e)
	return e.Value.(*kept).file
}

func (c *Files) put(id fileID, f *dts.File) {
	if c == nil || id.pkg == "" || len(f.Source) > c.max {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at[id] != nil {
		return
	}
	c.at[id] = c.used.PushFront(&kept{id, f})
	c.size += len(f.Source)
	for c.size > c.max {
		e := c.used.Back()
		old := c.used.Remove(e).(*kept)
		delete(c.at, old.id)
		c.size -= len(old.file.Source)
	}
}
