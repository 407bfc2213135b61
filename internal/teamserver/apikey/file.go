package apikey

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/docent-mcp/docent/internal/quote"
)

// maxFile is the maximum size of a key file in bytes.
const maxFile = 8 << 20

// document is the content of a key file.
type document struct {
	Keys []Key `json:"keys"`
}

// Parse decodes the content of a key file.
func Parse(data []byte) ([]Key, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var d document
	if err := decoder.Decode(&d); err != nil {
		return nil, fmt.Errorf("it is not a key file: %w", quote.Error(err))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("it is not a key file: there is text after the keys")
	}
	if len(d.Keys) > maxKeys {
		return nil, fmt.Errorf("it has %d keys; the limit is %d", len(d.Keys), maxKeys)
	}
	ids, hashes := map[string]bool{}, map[string]bool{}
	for i := range d.Keys {
		k := &d.Keys[i]
		if err := k.check(); err != nil {
			return nil, err
		}
		if ids[k.ID] || hashes[k.SHA256] {
			return nil, fmt.Errorf("it contains key %.50q twice", k.ID)
		}
		ids[k.ID], hashes[k.SHA256] = true, true
	}
	return d.Keys, nil
}

// Load reads a key file. It returns an error if other users can write to the file.
func Load(file string) ([]Key, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("the key file cannot be read: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("the key file cannot be read: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("the key file %s is not a regular file", file)
	case writableByOthers(info.Mode()):
		return nil, fmt.Errorf("other users can write to the key file %s; run chmod 600 %s", file, file)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("the key file cannot be read: %w", err)
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("the key file %s is larger than %d bytes", file, maxFile)
	}
	keys, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("the key file %s: %w", file, err)
	}
	return keys, nil
}

// Create adds a key to a file, which it creates if necessary, and returns the key. The key cannot
// be read from the file later. If expires is zero, the key never expires.
func Create(file, name string, groups []string, expires time.Time) (text string, k Key, err error) {
	err = change(file, true, func(keys []Key) ([]Key, error) {
		text, k, err = create(name, groups, time.Now(), expires)
		if err == nil && len(keys) >= maxKeys {
			err = fmt.Errorf("the key file %s already has %d keys; revoke some", file, len(keys))
		}
		return append(keys, k), err
	})
	if err != nil {
		return "", Key{}, err
	}
	return text, k, nil
}

// Revoke removes the key with an ID, or all keys with a name, and returns them.
func Revoke(file, idOrName string) (revoked []Key, err error) {
	err = change(file, false, func(keys []Key) ([]Key, error) {
		var rest []Key
		for _, k := range keys {
			if k.ID == idOrName || k.Name == idOrName {
				revoked = append(revoked, k)
			} else {
				rest = append(rest, k)
			}
		}
		if len(revoked) == 0 {
			return nil, fmt.Errorf("the key file %s has no key with the ID or name %.100q; docent token list shows the keys", file, idOrName)
		}
		return rest, nil
	})
	return revoked, err
}

// change changes the keys in a file. It locks the file, so that no other process changes it at the
// same time.
func change(file string, create bool, edit func([]Key) ([]Key, error)) error {
	lock, err := os.OpenFile(file+".lock", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("another process is changing the key file %s; try again, or remove %s.lock if there is no such process", file, file)
	}
	if err != nil {
		return fmt.Errorf("the key file cannot be changed: %w", err)
	}
	defer func() { lock.Close(); os.Remove(lock.Name()) }()
	keys, err := Load(file)
	if create && errors.Is(err, fs.ErrNotExist) {
		keys, err = nil, nil
	}
	if err != nil {
		return err
	}
	keys, err = edit(keys)
	if err != nil {
		return err
	}
	if keys == nil {
		keys = []Key{}
	}
	data, err := json.MarshalIndent(document{keys}, "", "  ")
	if err != nil {
		return err
	}
	return replace(file, append(data, '\n'))
}

// replace writes a file with mode 0600. Readers get either the old or the new content.
func replace(file string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".keys-*") // CreateTemp uses mode 0600
	if err != nil {
		return fmt.Errorf("the key file cannot be written: %w", err)
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("the key file cannot be written: %w", err)
	}
	return nil
}
