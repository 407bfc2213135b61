package store

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/project"
)

// disk caches each package in a file. Its name is a hash of the language, the package's
// key and the build of docent, because another build may read the package differently. An
// entry is valid as long as the input files have the states that it lists. Several
// processes may use one directory. If an entry cannot be read or written, the package is
// simply read again.
type disk struct {
	cache *cachedir.Cache
	build string // identifies the build; if it is empty, the cache is disabled, because entries of other builds could not be recognized
	now   func() time.Time
}

// maxEntry is the maximum size of one file in bytes.
const maxEntry = 64 << 20

func (d *disk) name(language apidoc.Ecosystem, key string) string {
	sum := sha256.Sum256([]byte(d.build + "\x00" + string(language) + "\x00" + key))
	return "packages/" + hex.EncodeToString(sum[:20])
}

// load returns a cached package and the states of its input files. It returns nil if
// there is no valid entry.
func (d *disk) load(language apidoc.Ecosystem, found *ecosystem.Found) (*apidoc.Package, []fingerprint.Stamp) {
	if d.build == "" || found.Key == "" {
		return nil, nil
	}
	name := d.name(language, found.Key)
	data, err := d.cache.ReadString(name, maxEntry)
	if err != nil {
		return nil, nil
	}
	e, err := decodeEntry(data)
	if err != nil {
		d.cache.Drop(name)
		return nil, nil
	}
	if e.key != found.Key || !e.expires.IsZero() && !d.now().Before(e.expires) || !unchanged(e.stamps) {
		return nil, nil
	}
	pkg, err := apidoc.DecodePackage(e.pkg)
	if err != nil {
		d.cache.Drop(name)
		return nil, nil
	}
	return pkg, e.stamps
}

// unchanged reports whether all input files have the given states.
func unchanged(stamps []fingerprint.Stamp) bool {
	return !slices.ContainsFunc(stamps, func(m fingerprint.Stamp) bool { return !m.Unchanged() })
}

// save caches a package, unless it belongs to the user's own workspace or its
// inputs are unreliable.
func (d *disk) save(language apidoc.Ecosystem, found *ecosystem.Found, pkg *apidoc.Package) {
	if d.build == "" || found.Key == "" || pkg.Version == "" {
		return
	}
	now := d.now()
	stamps, age, ok := found.Fingerprint.Reusable(now)
	if !ok {
		return
	}
	e := entry{key: found.Key, stamps: stamps}
	if age > 0 {
		e.expires = now.Add(age)
	}
	encoded, err := pkg.Encode()
	if err != nil {
		return
	}
	head := e.head()
	if len(head)+encoded.Len() > maxEntry {
		return
	}
	_ = d.cache.Write(d.name(language, found.Key), func(f *os.File) error { // if writing fails, the package is read again next time
		return writeEntry(f, head, encoded)
	})
}

// thisBuild returns a text that identifies the build of docent. It is the version
// of its module, which names the commit of a clean checkout, or else the
// program's size and time. It returns "" if neither is known.
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
