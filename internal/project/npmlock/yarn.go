package npmlock

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/yaml"
)

// yarnLock is a yarn.lock of yarn 1 or of Berry (yarn 2 and later). Its entries are keyed by
// specifiers such as "ms@^2.1.0" and "ms@npm:^2.1.0", so a package.json is needed to choose among
// them.
type yarnLock struct {
	berry   bool
	entries map[string]*yarnEntry
	byName  map[string][]string // keys of entries by the name before the @
	members map[string]bool     // directories of the workspace
}

type yarnEntry struct {
	Version    string
	Resolution string // "ms@npm:2.1.2"; only in lock files of Berry
	Resolved   string // URL of the tarball; only in lock files of yarn 1
	Integrity  string // hash of the tarball; only in lock files of yarn 1

	requires  []string // keys of the entries that it requires
	optional  []string // keys in requires that may be missing; only in lock files of yarn 1
	platforms Platforms
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
				case "conditions":
					var text string
					text, err = r.Text()
					e.platforms = readConditions(text)
				case "dependencies":
					return r.Fields(func(name string) error {
						spec, err := r.Text()
						if !strings.Contains(spec, ":") {
							spec = "npm:" + spec
						}
						e.requires = append(e.requires, name+"@"+spec)
						return err
					})
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

var errYarn = errors.New("it is not in yarn's format")

// readClassic reads the format of yarn 1: entries begin in the first column, and fields
// are indented by two spaces.
func (l *yarnLock) readClassic(ctx context.Context, data string) error {
	var e *yarnEntry
	section := "" // section is the field whose dependencies follow.
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
		case strings.HasPrefix(line, "    ") && line[4:] != "":
			name, spec, ok := strings.Cut(line[4:], " ")
			if strings.HasPrefix(line[4:], `"`) {
				if end := strings.IndexByte(line[5:], '"'); end >= 0 {
					name, spec, ok = line[4:end+6], strings.TrimPrefix(line[end+6:], " "), true
				}
			}
			key := unquote(name) + "@" + unquote(spec)
			if ok && section != "" {
				e.requires = append(e.requires, key)
			}
			if ok && section == "optionalDependencies:" {
				e.optional = append(e.optional, key)
			}
		case strings.HasPrefix(line, "  ") && line[2:] != "" && line[2] != ' ':
			name, value, _ := strings.Cut(line[2:], " ")
			if section = ""; name == "dependencies:" || name == "optionalDependencies:" {
				section = name
			}
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

// readConditions reads conditions such as "os=linux & (cpu=x64 | cpu=arm64) & libc=glibc".
func readConditions(text string) (p Platforms) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" &|()", r) }) {
		switch field, name, _ := strings.Cut(word, "="); field {
		case "os":
			p.OS = append(p.OS, name)
		case "cpu":
			p.CPU = append(p.CPU, name)
		case "libc":
			p.Libc = append(p.Libc, name)
		}
	}
	return p
}

func (l *yarnLock) each(ctx context.Context, add func(Entry)) error {
	optional, needed := map[*yarnEntry]bool{}, map[*yarnEntry]bool{}
	for _, entry := range l.entries {
		for _, key := range entry.requires {
			if slices.Contains(entry.optional, key) {
				optional[l.entries[key]] = true
			} else {
				needed[l.entries[key]] = true
			}
		}
	}
	for key, entry := range l.entries {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		name, _ := SplitAt(key)
		e := Entry{Dependency: l.dependency(name, key, entry), Platforms: entry.platforms, Optional: optional[entry] && !needed[entry]}
		if e.Name = name; e.Dir != "" {
			continue // one of the project's own packages, or a link
		}
		for _, key := range entry.requires {
			name, _ := SplitAt(key)
			if to := l.entries[key]; to != nil {
				d := l.dependency(name, key, to)
				e.requires = append(e.requires, d.identity(name))
			} else if d, ok := newest(l.byName[name], func(key string) Dependency { return l.dependency(name, key, l.entries[key]) }); ok {
				e.requires = append(e.requires, d.identity(name)) // The field resolutions has replaced the specifier.
			}
		}
		add(e)
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
			d.Dir = s.Range // Lock files of yarn 1 do not contain the directory.
			return seen(d)
		}
		// For local packages, Berry appends "::locator=…" with the name of the package that
		// requires it.
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
	_, request := SplitAt(key)
	if !l.berry {
		d.Resolved, _, _ = strings.Cut(e.Resolved, "#")
		spec := ParseSpec(request)
		switch {
		case spec.Kind == Local && e.Resolved == "":
			d.Dir, d.Version = spec.Range, ""
		case spec.Kind == Local || spec.Kind == Foreign || foreign(d.Resolved):
			d.Foreign, d.Resolved = request, ""
		case spec.Name != name:
			d.Alias = spec.Name
		}
		// Version 1 of yarn appends the sha1 to the URL. Older lock files do not contain the
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
