// Package rustdoc converts the JSON that rustdoc writes (--output-format json) to the model of
// documentation.
package rustdoc

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// These are the oldest and the newest version of the format that docent can read. Compilers that
// were released since the end of 2024 write these versions.
const (
	minVersion = 36
	maxVersion = 57
)

// These constants limit what is read from one file.
const (
	maxBytes   = 1 << 30
	maxItems   = 5_000_000
	maxSymbols = 400_000
	maxNested  = 100 // maximum nesting depth of types and of modules
)

// VersionError means that a file has a version of the format that is not
// supported.
type VersionError struct{ Version int }

func (e *VersionError) Error() string {
	return fmt.Sprintf("rustdoc's format version %d is not supported, only %d to %d", e.Version, minVersion, maxVersion)
}

// Crate is a crate in rustdoc's JSON.
type Crate struct {
	root    id
	version string
	index   map[id]*item
	paths   map[id]*summary
	symbols int
	name    string
}

// Version returns the version of the package, or "" if the file does not contain it.
func (c *Crate) Version() string { return c.version }

// Load reads a file. It returns a *VersionError for an unknown version of the
// format.
func Load(r io.Reader) (*Crate, error) {
	c, err := load(r)
	var version *VersionError
	if err != nil && !errors.As(err, &version) {
		return nil, fmt.Errorf("read rustdoc's JSON: %w", err)
	}
	return c, err
}

func load(r io.Reader) (*Crate, error) {
	limited := &io.LimitedReader{R: r, N: maxBytes}
	d := jsontext.NewDecoder(limited, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	c := &Crate{index: map[id]*item{}, paths: map[id]*summary{}}
	if d.PeekKind() != '{' {
		return nil, errShape
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	version := 0
	// An error within items may be due to an unsupported version. The version is
	// at the end of the file.
	var failed error
	for d.PeekKind() == '"' {
		tok, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		switch tok.String() {
		case "root":
			err = json.UnmarshalDecode(d, &c.root)
		case "crate_version":
			err = json.UnmarshalDecode(d, &c.version)
		case "format_version":
			if err = json.UnmarshalDecode(d, &version); err == nil && (version < minVersion || version > maxVersion) {
				return nil, &VersionError{version}
			}
		case "index":
			err = members(d, &failed, func(key id, it *item) {
				it.ID = key
				c.index[key] = it
			})
		case "paths":
			err = members(d, &failed, func(key id, s *summary) { c.paths[key] = s })
		default:
			err = d.SkipValue()
		}
		if err != nil {
			if limited.N <= 0 {
				return nil, fmt.Errorf("it is larger than %d MB", maxBytes>>20)
			}
			return nil, err
		}
	}
	switch {
	case d.PeekKind() != '}':
		if _, err := d.ReadToken(); err != nil {
			return nil, err
		}
		return nil, errShape
	case version == 0:
		return nil, errors.New("it does not contain a format_version")
	case failed != nil:
		return nil, failed
	case c.index[c.root] == nil || c.index[c.root].Inner.Module == nil:
		return nil, errors.New("it does not contain a root module")
	}
	c.name = c.index[c.root].Name
	return c, nil
}

// members reads the members of an object one by one. It skips a member with an
// error, and keeps the first such error.
func members[T any](d *jsontext.Decoder, failed *error, add func(id, *T)) error {
	if d.PeekKind() != '{' {
		return errShape
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for n := 0; d.PeekKind() == '"'; n++ {
		tok, err := d.ReadToken()
		if err != nil {
			return err
		}
		if n > maxItems {
			return errors.New("it contains too many items")
		}
		key := id(tok.String())
		raw, err := d.ReadValue()
		if err != nil {
			return err
		}
		v := new(T)
		if err := json.Unmarshal(raw, v, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
			if *failed == nil {
				*failed = err
			}
			continue
		}
		add(key, v)
	}
	_, err := d.ReadToken()
	return err
}
