package modules

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/project"
)

// manifest contains the fields of package.json that concern modules.
type manifest struct {
	types        string // types or typings
	main         string
	module       string
	exports      *value
	imports      *value
	typesVersion *value   // the applicable paths of typesVersions
	platforms    []*value // browser and react-native: the main file or replacements of files on these platforms
	esm          bool
	optional     []string // names of optionalDependencies
}

const maxManifest = 4 << 20 // maximum size in bytes of package.json

// readManifest reads package.json. If there is no such file, it returns an
// empty manifest.
func readManifest(fsys fs.FS) (manifest, error) {
	var m manifest
	data, err := project.ReadFS(fsys, "package.json", maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	} else if err != nil {
		return m, err
	}
	return parseManifest(data)
}

func parseManifest(data []byte) (manifest, error) {
	var m manifest
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\uFEFF"))))
	v, err := readValue(dec, 0)
	if err != nil {
		return m, err
	}
	str := func(name string) string {
		if f := v.get(name); f != nil {
			return f.str
		}
		return ""
	}
	if m.types = str("types"); m.types == "" {
		m.types = str("typings")
	}
	m.main, m.module = str("main"), str("module")
	m.esm = str("type") == "module"
	if e := v.get("exports"); e != nil && e.kind != null {
		m.exports = e
	}
	for _, name := range [...]string{"browser", "react-native"} {
		if f := v.get(name); f != nil {
			m.platforms = append(m.platforms, f)
		}
	}
	m.imports = v.get("imports")
	if o := v.get("optionalDependencies"); o != nil {
		for _, f := range o.fields {
			m.optional = append(m.optional, f.name)
		}
	}
	if tv := v.get("typesVersions"); tv != nil {
		for _, f := range tv.fields {
			if versionInRange(f.name) {
				m.typesVersion = f.value
				break
			}
		}
	}
	return m, nil
}

// value is a JSON value that keeps the order of members, because the conditions
// of exports depend on it.
type value struct {
	kind   byte // null, text, array, object or other
	str    string
	items  []*value
	fields []field
}

const (
	null byte = iota
	text
	array
	object
	other
)

type field struct {
	name  string
	value *value
}

func (v *value) get(name string) *value {
	if v == nil {
		return nil
	}
	for _, f := range v.fields {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

func readValue(dec *json.Decoder, depth int) (*value, error) {
	if depth > 64 {
		return nil, errors.New("it is nested too deeply")
	}
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case nil:
		return &value{}, nil
	case string:
		return &value{kind: text, str: t}, nil
	case json.Delim:
		v := &value{kind: array}
		if t == '{' {
			v.kind = object
		}
		for dec.More() {
			var name string
			if v.kind == object {
				k, err := dec.Token()
				if err != nil {
					return nil, err
				}
				name, _ = k.(string)
			}
			in, err := readValue(dec, depth+1)
			if err != nil {
				return nil, err
			}
			if v.kind == object {
				v.fields = append(v.fields, field{name, in})
			} else {
				v.items = append(v.items, in)
			}
		}
		_, err := dec.Token()
		return v, err
	}
	return &value{kind: other}, nil
}

// typescript is the version of TypeScript whose rules are applied if a package
// distinguishes between versions.
var typescript = [2]int{6, 0}

// versionInRange reports whether the version typescript is in a range of
// typesVersions or of a types@ condition, such as ">=4.2 <5", "*" or "4 || 5".
func versionInRange(s string) bool {
	for part := range strings.SplitSeq(s, "||") {
		ok := true
		for f := range strings.FieldsSeq(strings.NewReplacer("> ", ">", "= ", "=", "< ", "<").Replace(part)) {
			ok = ok && versionMatches(f)
		}
		if ok {
			return true
		}
	}
	return false
}

func versionMatches(s string) bool {
	op := strings.TrimRight(s, "0123456789.x*vX-")
	v := strings.TrimPrefix(s[len(op):], "v")
	if v == "" {
		return false
	}
	if v[0] == '*' || v[0] == 'x' {
		return true
	}
	var n [2]int
	parts := strings.SplitN(v, ".", 3)
	minor := len(parts) > 1
	for i := range min(2, len(parts)) {
		x, err := strconv.Atoi(strings.TrimRight(parts[i], "-"))
		if err != nil && i == 1 {
			minor = false
		}
		n[i] = x
	}
	cmp := typescript[0] - n[0]
	if cmp == 0 && minor {
		cmp = typescript[1] - n[1]
	}
	switch op {
	case ">=":
		return cmp >= 0
	case ">":
		return cmp > 0 || cmp == 0 && minor && len(parts) > 2 && typescript[1] > n[1]
	case "<=":
		return cmp <= 0
	case "<":
		return cmp < 0
	case "^":
		return cmp >= 0 && typescript[0] == n[0]
	case "~", "", "=":
		return cmp == 0
	}
	return false
}
