package compare

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/check"
)

// Used returns the changes that affect code in the given files, each with its places. Members that
// are used through values are found only by their names, in files that use the package.
func Used(changes []Change, files []check.FileUses) (used []Change) {
	finder := &finder{uses: map[string][]Place{}, below: map[string][]Place{}, names: map[string][]Place{}, packages: map[string][]Place{}}
	for i := range files {
		finder.add(&files[i], changes)
	}
	for _, change := range changes {
		if change.Places = finder.places(&change); len(change.Places) > 0 {
			used = append(used, change)
		}
	}
	return used
}

// maxPlaces is the maximum number of places of one change.
const maxPlaces = 200

// finder finds the places of symbols in files.
type finder struct {
	uses  map[string][]Place // by package and path
	below map[string][]Place // by package and the path of a symbol that contains the used one
	names map[string][]Place // places of members, by name
	// packages contains the places where packages are imported.
	packages map[string][]Place
}

func (f *finder) add(file *check.FileUses, changes []Change) {
	for _, u := range file.Uses {
		place := Place{File: file.File, Line: u.Line, Column: u.Column}
		if u.Import && len(f.packages[u.Package]) < maxPlaces {
			f.packages[u.Package] = append(f.packages[u.Package], place)
		}
		f.uses[u.Package+"\x00"+u.Path] = append(f.uses[u.Package+"\x00"+u.Path], place)
		for i, r := range u.Path {
			if i > 0 && strings.ContainsRune(".:", r) {
				k := u.Package + "\x00" + u.Path[:i]
				f.below[k] = append(f.below[k], place)
			}
		}
	}
	wanted := map[string]bool{}
	for i := range changes {
		if r := cmp.Or(changes[i].old, changes[i].new); r != nil && r.owner != nil {
			name, _ := apidoc.CutLabels(r.Name())
			wanted[name] = true
		}
	}
	line, start := 1, 0
	text := file.Text
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == '\n' {
			line, start = line+1, i+1
		}
		if !isWord(r) {
			i += size
			continue
		}
		end := i
		for end < len(text) {
			r, size := utf8.DecodeRune(text[end:])
			if !isWord(r) {
				break
			}
			end += size
		}
		if name := string(text[i:end]); wanted[name] && isMember(text, i, end) && len(f.names[name]) < maxPlaces {
			f.names[name] = append(f.names[name], Place{File: file.File, Line: line, Column: i - start + 1, ByName: true})
		}
		i = end
	}
}

// isMember reports whether a word of a program is in the position of a member: after a value, or
// before the value of a field.
func isMember(text []byte, start, end int) bool {
	before := bytes.TrimRight(text[:start], " \t\r\n")
	if n := len(before); n > 0 && (before[n-1] == '.' || before[n-1] == ':' && n > 1 && before[n-2] == ':') {
		return true
	}
	after := bytes.TrimLeft(text[end:min(end+8, len(text))], " ")
	return len(after) > 0 && after[0] == ':' && !bytes.HasPrefix(after, []byte(":=")) && !bytes.HasPrefix(after, []byte("::"))
}

// places returns the places that a change affects, in order and without duplicates.
func (f *finder) places(change *Change) (all []Place) {
	if change.Path == "" {
		return f.packages[change.Package]
	}
	names := append([]string{change.Package + ": " + change.Path}, change.Also...)
	r := cmp.Or(change.old, change.new)
	for _, name := range names {
		pkg, path, _ := strings.Cut(name, ": ")
		k := pkg + "\x00" + path
		all = append(all, f.uses[k]...)
		if change.Kind == Removed || change.Kind == Moved {
			all = append(all, f.below[k]...)
		}
		role := r.Role()
		if owner := strings.TrimSuffix(path, r.in.Separator()+r.Name()); r.owner != nil && owner != path &&
			(role == apidoc.ConstructorRole || change.Kind == Added) {
			all = append(all, f.uses[pkg+"\x00"+owner]...)
		}
	}
	if r.owner != nil && change.Kind != Added {
		name, _ := apidoc.CutLabels(r.Name())
		all = append(all, f.names[name]...)
	}
	slices.SortStableFunc(all, func(a, b Place) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	// Several places on one line count as one. A certain place comes before one that was found by
	// name only.
	slices.SortStableFunc(all, func(a, b Place) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), boolOrder(a.ByName, b.ByName))
	})
	all = slices.CompactFunc(all, func(a, b Place) bool { return a.File == b.File && a.Line == b.Line })
	return all[:min(len(all), maxPlaces)]
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
