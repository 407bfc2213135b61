package npmlock

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/yaml"
)

// yarnLock is yarn.lock, of yarn 1 or of berry (yarn 2 and later). Its entries
// are keyed by specifier ("ms@^2.1.0", "ms@npm:^2.1.0"), so a package.json is
// needed to choose among them.
type yarnLock struct {
	berry   bool
	entries map[string]*yarnEntry
	byName  map[string][]string // keys of entries by the name before the @
	members map[string]bool     // directories of the workspace
}

type yarnEntry struct {
	Version    string
	Resolution string // "ms@npm:2.1.2"; only in lock files of berry
	Resolved   string // URL of the tarball; only in lock files of yarn 1
	Integrity  string // hash of the tarball; only in lock files of yarn 1
}

func parseYarn(ctx context.Context, data []byte) (lock, error) {
	l := &yarnLock{entries: map[string]*yarnEntry{}, byName: map[string][]string{}, members: map[string]bool{}}
	var err error
	if bytes.Contains(data, []byte("__metadata:")) {
		l.berry = true
		err = l.readBerry(ctx, data)
	} else {
		err = l.readClassic(ctx, string(data))
	}
	return l, err
}

func (l *yarnLock) add(keys []string, e *yarnEntry) {
	for _, key := range keys {
		name, spec := SplitAt(key)
		l.entries[key] = e
		l.byName[name] = append(l.byName[name], key)
		if dir, ok := strings.CutPrefix(spec, "workspace:"); ok {
			l.members[dir] = true
		}
	}
}

func (l *yarnLock) readBerry(ctx context.Context, data []byte) error {
	return yaml.Read(ctx, data, func(r *yaml.Reader) error {
		return r.Fields(func(key string) error {
			if key == "__metadata" {
				return nil
			}
			e := &yarnEntry{}
			err := r.Fields(func(name string) (err error) {
				switch name {
				case "version":
					e.Version, err = r.Text()
				case "resolution":
					e.Resolution, err = r.Text()
				}
				return err
			})
			if err != nil {
				return err
			}
			keys := strings.Split(key, ", ")
			if l.entries[keys[0]] != nil {
				return twice(keys[0])
			}
			l.add(keys, e)
			return nil
		})
	})
}

var errYarn = errors.New("it is not written as yarn writes it")

// readClassic reads the format of yarn 1: entries begin in the first column,
// fields are indented by two spaces.
func (l *yarnLock) readClassic(ctx context.Context, data string) error {
	var e *yarnEntry
	for line := range strings.Lines(data) {
		if err := ctx.Err(); err != nil {
			return err
		}
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] != ' ':
			head, ok := strings.CutSuffix(line, ":")
			if !ok {
				return errYarn
			}
			var keys []string
			for k := range strings.SplitSeq(head, ", ") {
				keys = append(keys, unquote(k))
			}
			e = &yarnEntry{}
			l.add(keys, e)
		case e == nil:
			return errYarn
		case strings.HasPrefix(line, "  ") && line[2:] != "" && line[2] != ' ':
			name, value, _ := strings.Cut(line[2:], " ")
			switch unquote(name) {
			case "version":
				e.Version = unquote(value)
			case "resolved":
				e.Resolved = unquote(value)
			case "integrity":
				e.Integrity = unquote(value)
			}
		}
	}
	return nil
}

func unquote(s string) string {
	if strings.HasPrefix(s, `"`) {
		if u, err := strconv.Unquote(s); err == nil {
			return u
		}
	}
	return s
}

func (l *yarnLock) knows(importer string) bool { return l.members[importer] }

func (l *yarnLock) find(importer, name, spec string) (Dependency, bool) {
	if spec != "" {
		// A directory is relative to the package that requires it.
		local := ParseSpec(spec).Kind == Local
		seen := func(d Dependency) (Dependency, bool) {
			if local && d.Dir != "" && !path.IsAbs(d.Dir) {
				d.Dir = path.Join(importer, d.Dir)
			}
			return d, true
		}
		for _, key := range []string{name + "@" + spec, name + "@npm:" + spec} {
			if e := l.entries[key]; e != nil {
				return seen(l.dependency(name, key, e))
			}
		}
		if strings.HasPrefix(spec, "patch:") {
			// A patched package also has an entry without the patch.
			in := ParseSpec(spec)
			for _, key := range []string{in.Name + "@npm:" + in.Range, in.Name + "@" + in.Range} {
				if e := l.entries[key]; e != nil {
					return l.dependency(name, key, e), true
				}
			}
		}
		if s := ParseSpec(spec); s.Kind == Local && strings.HasPrefix(spec, "link:") {
			var d Dependency
			d.Dir = s.Range // the lock file of yarn 1 omits it
			return seen(d)
		}
		// For local packages, berry appends "::locator=…", which names the
		// requiring package.
		descriptor := name + "@" + spec + "::"
		for _, key := range l.byName[name] {
			if by, _ := url.QueryUnescape(key); strings.HasPrefix(key, descriptor) && strings.HasSuffix(by, "@workspace:"+importer) {
				return seen(l.dependency(name, key, l.entries[key]))
			}
		}
	}
	return newest(l.byName[name], func(key string) Dependency { return l.dependency(name, key, l.entries[key]) })
}

func (l *yarnLock) dependency(name, key string, e *yarnEntry) Dependency {
	d := Dependency{Integrity: e.Integrity}
	d.Version = e.Version
	_, asked := SplitAt(key)
	if !l.berry {
		d.Resolved, _, _ = strings.Cut(e.Resolved, "#")
		spec := ParseSpec(asked)
		switch {
		case spec.Kind == Local && e.Resolved == "":
			d.Dir, d.Version = spec.Range, ""
		case spec.Kind == Local || spec.Kind == Foreign || foreign(d.Resolved):
			d.Foreign, d.Resolved = asked, ""
		case spec.Name != name:
			d.Alias = spec.Name
		}
		// yarn 1 appends the sha1 to the URL; older lock files have no
		// integrity.
		if _, sum, ok := strings.Cut(e.Resolved, "#"); ok && d.Integrity == "" && d.Foreign == "" {
			d.Integrity = sha1Integrity(sum)
		}
		return d
	}
	published, how := SplitAt(e.Resolution)
	how, _, _ = strings.Cut(how, "::")
	switch protocol, rest, _ := strings.Cut(how, ":"); protocol {
	case "npm":
		if d.Version = rest; published != name {
			d.Alias = published
		}
	case "workspace", "link", "portal":
		rest, _, _ = strings.Cut(rest, "#")
		d.Dir, d.Version = rest, ""
	case "patch":
		in := ParseSpec(how)
		if d.Version = in.Range; in.Name != name {
			d.Alias = in.Name
		}
	default:
		d.Foreign = how
	}
	return d
}
