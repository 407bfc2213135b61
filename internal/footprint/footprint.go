// Package footprint notes which files and directories a reading looked at, so
// that what came of it can be used again for as long as none of them has
// changed: a compiler's list of dependencies, for documentation.
//
// It notes what was not there as well. A package that is not found where it
// would be looked for first is a fact that the answer rests on.
package footprint

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"sync"
	"time"
)

// Mark is the state in which a path was found.
type Mark struct {
	// Path is absolute.
	Path string
	Kind Kind
	// Size is in bytes, 0 for all but files.
	Size int64
	// Changed is when the file, or the list of a directory's names, changed
	// last, in nanoseconds since 1970. Where the system tells when it noticed a
	// change, that counts and not the time that programs can set: package
	// managers give all files the same.
	Changed int64
	// ID is the number by which the file system knows it, 0 where the system
	// tells none. A link may come to lead to another file of the same size that
	// was written in the same tick of the clock.
	ID uint64
}

// Kind is what a path leads to.
type Kind byte

// The kinds. What is neither file nor directory counts as other.
const (
	Absent Kind = iota
	File
	Directory
	Other
)

// MarkOf looks at a path now; links are followed.
func MarkOf(path string) Mark {
	info, err := os.Stat(path)
	if err != nil {
		return Mark{Path: path}
	}
	return markOf(path, info)
}

func markOf(path string, info fs.FileInfo) Mark {
	m := Mark{Path: path, Kind: Other}
	m.Changed, m.ID = state(info)
	switch {
	case info.IsDir():
		m.Kind = Directory
	case info.Mode().IsRegular():
		m.Kind, m.Size = File, info.Size()
	}
	return m
}

// Holds tells whether the path is still in that state.
func (m Mark) Holds() bool { return MarkOf(m.Path) == m }

// Footprint is what one reading looked at. The zero value is ready. It is safe
// for concurrent use; a nil Footprint notes nothing.
type Footprint struct {
	mu      sync.Mutex
	marks   map[string]Mark
	spoiled bool
	age     time.Duration
}

// maxMarks bounds how many paths are noted. To look at more again would take
// as long as to read anew.
const maxMarks = 20_000

// Look notes the state of a path.
func (f *Footprint) Look(path string) {
	if f != nil && !f.has(path) {
		f.add(MarkOf(path))
	}
}

func (f *Footprint) has(path string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.marks[path]
	return ok
}

// add notes a mark. The first state in which a path was seen counts.
func (f *Footprint) add(m Mark) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.marks[m.Path]; ok {
		return
	}
	if f.marks == nil {
		f.marks = map[string]Mark{}
	}
	if len(f.marks) >= maxMarks {
		f.spoiled = true
		return
	}
	f.marks[m.Path] = m
}

// Spoil says that the reading rests on something that no mark tells of, such
// as a registry that did not answer: it is not to be used again.
func (f *Footprint) Spoil() {
	if f != nil {
		f.mu.Lock()
		f.spoiled = true
		f.mu.Unlock()
	}
}

// Limit says that the reading is to be used again only so long, because it
// rests on what others may change: the newest version in a range. The shortest
// limit counts.
func (f *Footprint) Limit(age time.Duration) {
	if f != nil {
		f.mu.Lock()
		if f.age == 0 || age < f.age {
			f.age = age
		}
		f.mu.Unlock()
	}
}

// fresh is how long ago a change must be to tell it from a later one by its
// time: some file systems count in steps of two seconds.
const fresh = 2 * time.Second

// Sum returns what was noted, in the order of paths, and how long it may be
// relied on; 0 is for as long as it holds. ok is false if it must not be
// relied on at all, or if a path changed so shortly before now that one more
// change might not show.
func (f *Footprint) Sum(now time.Time) (marks []Mark, age time.Duration, ok bool) {
	if f == nil {
		return nil, 0, true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.spoiled {
		return nil, 0, false
	}
	marks = make([]Mark, 0, len(f.marks))
	for _, m := range f.marks {
		if m.Changed > now.Add(-fresh).UnixNano() {
			return nil, 0, false
		}
		marks = append(marks, m)
	}
	sort.Slice(marks, func(i, j int) bool { return marks[i].Path < marks[j].Path })
	return marks, f.age, true
}

// Marks returns what was noted, in no order.
func (f *Footprint) Marks() []Mark {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Collect(maps.Values(f.marks))
}

func join(dir, name string) string {
	if name == "." {
		return dir
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}
