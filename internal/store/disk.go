package store

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/footprint"
	"github.com/docent-mcp/docent/internal/project"
)

// disk keeps what was read of packages in plain files, one each, named by a
// hash of all that the documentation depends on: the language, the package's
// key, and the build of docent, so that no reader's change is ever forgotten.
// Files that were looked at are compared with what they were then. Several
// processes may use one directory at once. Whatever goes wrong with it, the
// package is read anew.
type disk struct {
	dir   string // empty keeps nothing
	build string
	max   int64 // bytes
	now   func() time.Time
}

const (
	suffix = ".package"
	// maxEntry bounds the size of one file, in bytes.
	maxEntry = 64 << 20
	// touch is how old the time of a file gets before its use renews it.
	touch = time.Hour
)

func (d *disk) cache() cachedir.Dir { return cachedir.Dir{Path: d.dir, Max: d.max} }

func (d *disk) file(language apidoc.Ecosystem, key string) string {
	sum := sha256.Sum256([]byte(d.build + "\x00" + string(language) + "\x00" + key))
	return filepath.Join(d.dir, hex.EncodeToString(sum[:20])+suffix)
}

// load returns what was kept of a package, and what that rests on; nil if there
// is nothing that still holds.
func (d *disk) load(language apidoc.Ecosystem, found *ecosystem.Found) (*apidoc.Package, []footprint.Mark) {
	if d.dir == "" || found.Key == "" {
		return nil, nil
	}
	file := d.file(language, found.Key)
	data, err := project.ReadFile(file, maxEntry)
	if err != nil {
		return nil, nil
	}
	e, err := decodeEntry(data)
	if err != nil {
		os.Remove(file)
		return nil, nil
	}
	now := d.now()
	if e.key != found.Key || !e.expires.IsZero() && !now.Before(e.expires) || !hold(e.marks) {
		return nil, nil
	}
	pkg, err := apidoc.DecodePackage(e.pkg)
	if err != nil {
		os.Remove(file)
		return nil, nil
	}
	if info, err := os.Stat(file); err == nil && now.Sub(info.ModTime()) > touch {
		_ = os.Chtimes(file, now, now) // those that are not used go first
	}
	return pkg, e.marks
}

// hold tells whether nothing has changed of what a reading looked at.
func hold(marks []footprint.Mark) bool {
	return !slices.ContainsFunc(marks, func(m footprint.Mark) bool { return !m.Holds() })
}

// save keeps what was read of a package, if it is worth it.
func (d *disk) save(language apidoc.Ecosystem, found *ecosystem.Found, pkg *apidoc.Package) {
	if d.dir == "" || found.Key == "" || pkg.Version == "" {
		return
	}
	now := d.now()
	marks, age, ok := found.Footprint.Sum(now)
	if !ok {
		return
	}
	e := entry{key: found.Key, marks: marks}
	if age > 0 {
		e.expires = now.Add(age)
	}
	encoded, err := pkg.Encode()
	if err != nil {
		return
	}
	head := e.head()
	if size := sumAt + sumSize + len(head) + encoded.Len(); size > maxEntry || int64(size) > d.max {
		return
	}
	err = fetch.WriteFile(d.file(language, found.Key), func(f *os.File) error {
		sum, err := writeEntry(f, head, encoded)
		if err != nil {
			return err
		}
		if _, err := f.WriteAt(sum, int64(sumAt)); err != nil {
			return err
		}
		return os.Chtimes(f.Name(), now, now) // by the clock that prune goes by
	})
	if err == nil {
		d.cache().Prune(now)
	}
}

// thisBuild tells one build of docent from another: by the commit of a clean
// checkout or the version of a module, and else by the program's size and time.
func thisBuild() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		v := info.Main.Version
		if v != "" && v != "(devel)" && !strings.Contains(v, "dirty") {
			return v + " " + info.Main.Sum
		}
	}
	program, err := os.Executable()
	if err != nil {
		return ""
	}
	stamp := project.StampOf(program)
	if stamp == (project.Stamp{}) {
		return ""
	}
	return strconv.FormatInt(stamp.Size, 10) + " " + strconv.FormatInt(stamp.Modified.UnixNano(), 10)
}
