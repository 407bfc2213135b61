package apikey

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

// errUnknown is the error of a key that is unknown, revoked or expired.
var errUnknown = errors.New("the key is unknown, revoked or expired")

// recheck is how long a Keyring waits before it checks again whether its file has changed.
const recheck = time.Second

// A Keyring finds the keys of a file. It reloads the file when it has changed.
type Keyring struct {
	file string
	now  func() time.Time

	mu      sync.Mutex
	byHash  map[string]*entry
	state   fileState
	checked time.Time
	failed  error // error of the last attempt to reload the file
}

type entry struct {
	key    Key
	valid  context.Context
	revoke context.CancelFunc
}

type fileState struct {
	modified time.Time
	size     int64
}

// Open reads a key file and returns its Keyring.
func Open(file string) (*Keyring, error) {
	r := &Keyring{file: file, now: time.Now, byHash: map[string]*entry{}}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r, r.read()
}

// Reload reloads the file. If that fails, the keys do not change.
func (r *Keyring) Reload() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.read()
}

// Len returns the number of keys.
func (r *Keyring) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.byHash)
}

// Find returns the description of a key, and a context that is cancelled when the key is revoked.
// The error wraps errUnknown if the key does not exist.
func (r *Keyring) Find(text string) (Key, context.Context, error) {
	if !strings.HasPrefix(text, Prefix) {
		return Key{}, nil, errUnknown
	}
	sum := hash(text)
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if now.Sub(r.checked) >= recheck {
		r.checked = now
		if state, err := stateOf(r.file); err != nil || state != r.state {
			r.failed = r.read()
		}
	}
	e := r.byHash[sum]
	if e == nil || e.key.Expired(now) {
		return Key{}, nil, errUnknown
	}
	return e.key, e.valid, nil
}

// Err returns the error if the file has changed and could not be reloaded, or nil.
func (r *Keyring) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// read replaces the keys by those in the file. If the file has been removed, there are no keys. The
// caller must hold mu.
func (r *Keyring) read() error {
	state, err := stateOf(r.file)
	var keys []Key
	if err == nil {
		keys, err = Load(r.file)
	}
	if err != nil && (r.state == fileState{} || !errors.Is(err, fs.ErrNotExist)) {
		return err
	}
	byHash := make(map[string]*entry, len(keys))
	for _, k := range keys {
		e := &entry{key: k}
		if previous := r.byHash[k.SHA256]; previous != nil {
			e.valid, e.revoke = previous.valid, previous.revoke
			delete(r.byHash, k.SHA256)
		} else {
			e.valid, e.revoke = context.WithCancel(context.Background())
		}
		byHash[k.SHA256] = e
	}
	for _, e := range r.byHash {
		e.revoke()
	}
	r.byHash, r.state, r.checked, r.failed = byHash, state, r.now(), err
	return err
}

func stateOf(file string) (fileState, error) {
	info, err := os.Stat(file)
	if err != nil {
		return fileState{}, fmt.Errorf("the key file cannot be read: %w", err)
	}
	return fileState{info.ModTime(), info.Size()}, nil
}

// writableByOthers reports whether a file mode allows other users to write. Windows does not have
// such modes.
func writableByOthers(mode fs.FileMode) bool {
	return runtime.GOOS != "windows" && mode.Perm()&0o022 != 0
}
