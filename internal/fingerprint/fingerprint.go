// Package fingerprint records which files and directories were read to produce a
// result, so that the result can be cached until one of them changes. A
// compiler's list of dependencies serves the same purpose.
//
// Paths that do not exist are recorded, too: if a package is installed later in
// a directory that is searched first, the result changes.
package fingerprint

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

// Stamp is the recorded state of a path.
type Stamp struct {
	// Path is absolute.
	Path string
	Kind Kind
	// Size is the size of a file in bytes, and 0 for other kinds.
	Size int64
	// Changed is the time of the last change to the file, or to the names in the
	// directory, in nanoseconds since 1970. It is the inode change time if the
	// system has one, because package managers set all modification times to the
	// same value.
	Changed int64
	// ID is the inode number, or 0 if the system has none. It detects that a link was
	// changed to another file of the same size and time.
	ID uint64
}

// Kind is the kind of file at a path.
type Kind byte

// These are the kinds of files. Pipes, sockets and devices are Other.
const (
	Absent Kind = iota
	File
	Directory
	Other
)

// StampOf returns the current stamp of a path. It follows links.
func StampOf(path string) Stamp {
	info, err := os.Stat(path)
	if err != nil {
		return Stamp{Path: path}
	}
	return stampOf(path, info)
}

func stampOf(path string, info fs.FileInfo) Stamp {
	m := Stamp{Path: path, Kind: Other}
	m.Changed, m.ID = state(info)
	switch {
	case info.IsDir():
		m.Kind = Directory
	case info.Mode().IsRegular():
		m.Kind, m.Size = File, info.Size()
	}
	return m
}

// Unchanged reports whether the path still has that state.
func (m Stamp) Unchanged() bool { return StampOf(m.Path) == m }

// Fingerprint is the set of paths on which a result depends. The zero value is
// empty and ready to use. It is safe for concurrent use. A nil Fingerprint
// records nothing.
type Fingerprint struct {
	mu      sync.Mutex
	stamps  map[string]Stamp
	invalid bool
	age     time.Duration
}

// maxStamps is the maximum number of recorded paths. Checking more would take as long as
// reading the package again.
const maxStamps = 20_000

// Add records the current state of a path.
func (f *Fingerprint) Add(path string) {
	if f != nil && !f.has(path) {
		f.record(StampOf(path))
	}
}

// AddStamp records a state that the path had before it was read.
func (f *Fingerprint) AddStamp(m Stamp) { f.record(m) }

// Replace replaces the recorded state of a path.
func (f *Fingerprint) Replace(m Stamp) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stamps[m.Path] = m
}

func (f *Fingerprint) has(path string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.stamps[path]
	return ok
}

// record keeps the first stamp of each path.
func (f *Fingerprint) record(m Stamp) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.stamps[m.Path]; ok {
		return
	}
	if f.stamps == nil {
		f.stamps = map[string]Stamp{}
	}
	if len(f.stamps) >= maxStamps {
		f.invalid = true
		return
	}
	f.stamps[m.Path] = m
}

// Invalidate marks the result as not reusable, because it depends on something
// without a stamp, such as a registry that did not respond.
func (f *Fingerprint) Invalidate() {
	if f != nil {
		f.mu.Lock()
		f.invalid = true
		f.mu.Unlock()
	}
}

// LimitAge limits how long the result can be reused, because it depends on something remote, such
// as the newest version in a range. The shortest limit applies.
func (f *Fingerprint) LimitAge(age time.Duration) {
	if f != nil {
		f.mu.Lock()
		if f.age == 0 || age < f.age {
			f.age = age
		}
		f.mu.Unlock()
	}
}

// fresh is the age of a change below which a further change may have the same
// time, because some file systems have a resolution of two seconds.
const fresh = 2 * time.Second

// Include adds the paths and limits of another fingerprint.
func (f *Fingerprint) Include(other *Fingerprint) {
	if f == nil || other == nil || f == other {
		return
	}
	for _, m := range other.Stamps() {
		f.record(m)
	}
	other.mu.Lock()
	invalid, age := other.invalid, other.age
	other.mu.Unlock()
	if invalid {
		f.Invalidate()
	}
	if age > 0 {
		f.LimitAge(age)
	}
}

// Unchanged reports whether all paths still have the recorded state. It returns false if not all paths
// were recorded.
func (f *Fingerprint) Unchanged() bool {
	return !f.Invalid() && !slices.ContainsFunc(f.Stamps(), func(m Stamp) bool { return !m.Unchanged() })
}

// Invalid reports whether not all paths were recorded, or the result depends on something without a stamp.
func (f *Fingerprint) Invalid() bool {
	if f == nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.invalid
}

// Reusable returns the stamps sorted by path and the maximum age of the result, or 0 for
// no maximum. ok is false if the result must not be reused, or if a path changed so
// shortly before now that a further change could go unnoticed.
func (f *Fingerprint) Reusable(now time.Time) (stamps []Stamp, age time.Duration, ok bool) {
	if f == nil {
		return nil, 0, true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.invalid {
		return nil, 0, false
	}
	stamps = make([]Stamp, 0, len(f.stamps))
	for _, m := range f.stamps {
		if m.Changed > now.Add(-fresh).UnixNano() {
			return nil, 0, false
		}
		stamps = append(stamps, m)
	}
	sort.Slice(stamps, func(i, j int) bool { return stamps[i].Path < stamps[j].Path })
	return stamps, f.age, true
}

// Stamps returns the stamps in no particular order.
func (f *Fingerprint) Stamps() []Stamp {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Collect(maps.Values(f.stamps))
}

func join(dir, name string) string {
	if name == "." {
		return dir
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}
