package store

import (
	"context"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/apicodec"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/project"
)

// layer caches packages in a backend. An entry is valid as long as the input files have the
// states that it lists. If an entry cannot be read or written, the package is simply read again.
type layer struct {
	backend Backend
	group   string
	build   string // identifies the build; if it is empty, the cache is disabled, because entries of other builds could not be recognized
	shared  bool   // whether other machines use it, so that entries contain hashes of input files, not their times
	now     func() time.Time
	decoded *decodedPackages
}

const (
	// maxEntry is the maximum size of one entry in bytes.
	maxEntry = 64 << 20
	// maxShared is the maximum number of input files of an entry that other machines may use.
	maxShared = 2000
)

// key returns the key of a package, and false if the package is not cached.
func (l *layer) key(language apidoc.Ecosystem, found *ecosystem.Found) (Key, bool) {
	return Key{Build: l.build, Group: l.group, Language: language, Found: found.Key}, l.backend != nil && l.build != "" && found.Key != ""
}

// load returns a cached package, the states of its input files, and when the entry expires, which
// is zero for never. It returns nil if there is no valid entry.
func (l *layer) load(ctx context.Context, language apidoc.Ecosystem, found *ecosystem.Found) (pkg *apidoc.Package, stamps []fingerprint.Stamp, expires time.Time) {
	k, ok := l.key(language, found)
	if !ok {
		return nil, nil, expires
	}
	data, err := l.backend.Load(ctx, k)
	if err != nil {
		return nil, nil, expires
	}
	e, err := decodeEntry(data)
	if err != nil {
		l.backend.Drop(ctx, k)
		return nil, nil, expires
	}
	if e.key != found.Key || !e.expires.IsZero() && !l.now().Before(e.expires) {
		return nil, nil, expires
	}
	stamps = e.stamps
	if l.shared {
		stamps = make([]fingerprint.Stamp, len(e.stamps))
		for i := range e.stamps {
			stamps[i] = fingerprint.StampOf(e.stamps[i].Path)
			if content, ok := fingerprint.ContentOf(e.stamps[i].Path); !ok || content != e.stamps[i] {
				return nil, nil, expires
			}
		}
	} else if !unchanged(stamps) {
		return nil, nil, expires
	}
	if pkg, err = l.decoded.decode(e.pkg); err != nil {
		l.backend.Drop(ctx, k)
		return nil, nil, expires
	}
	return pkg, stamps, e.expires
}

// unchanged reports whether all input files have the given states.
func unchanged(stamps []fingerprint.Stamp) bool {
	return !slices.ContainsFunc(stamps, func(m fingerprint.Stamp) bool { return !m.Unchanged() })
}

// save caches a package, unless it belongs to the user's own workspace or its
// inputs are unreliable. hidden is as in Value.
func (l *layer) save(ctx context.Context, language apidoc.Ecosystem, found *ecosystem.Found, pkg *apidoc.Package, hidden bool) {
	k, ok := l.key(language, found)
	if !ok || pkg.Version == "" {
		return
	}
	now := l.now()
	stamps, age, ok := l.stampsOf(found, now)
	if !ok {
		return
	}
	e := entry{key: found.Key, stamps: stamps}
	if age > 0 {
		e.expires = now.Add(age)
	}
	encoded, err := apicodec.Encode(pkg)
	if err != nil {
		return
	}
	head := e.head()
	size := len(head) + encoded.Len()
	if size > maxEntry {
		return
	}
	_ = l.backend.Save(ctx, k, &Value{ // if writing fails, the package is read again next time
		Package: pkg, Hidden: hidden, Expires: e.expires, Size: size, Write: func(w io.Writer) error { return writeEntry(w, head, encoded) },
	})
}

// stampsOf returns the states of the input files of a package for an entry, and how long the
// entry is valid. ok is false if there must be no entry.
func (l *layer) stampsOf(found *ecosystem.Found, now time.Time) (stamps []fingerprint.Stamp, age time.Duration, ok bool) {
	if !l.shared {
		return found.Fingerprint.Reusable(now)
	}
	// Contents reveal changes even if the modification time is the same, so no file is too recent.
	local, age, ok := found.Fingerprint.Reusable(now.Add(time.Hour))
	if !ok || len(local) > maxShared {
		return nil, 0, false
	}
	for i := range local {
		content, ok := fingerprint.ContentOf(local[i].Path)
		if !ok {
			return nil, 0, false
		}
		stamps = append(stamps, content)
	}
	return stamps, age, unchanged(local)
}

// thisBuild returns text that identifies the build of docent. It is the version of its module,
// which contains the commit of a clean checkout, or else the program's size and time. It returns ""
// if neither is known.
func thisBuild() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; v != "" && v != "(devel)" && !strings.Contains(v, "dirty") {
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
