package git

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// kind is the type of an object, with the numbers used in packs.
type kind byte

const (
	commit kind = 1
	tree   kind = 2
	blob   kind = 3
	tag    kind = 4
	offset kind = 6 // a delta whose base is at an earlier offset in the pack
	named  kind = 7 // a delta whose base is given by name
)

var kinds = map[string]kind{"commit": commit, "tree": tree, "blob": blob, "tag": tag}

// object returns the content of an object.
func (r *Repository) object(h Hash) (kind, []byte, error) {
	for _, p := range r.packs {
		offset, ok, err := p.find(h)
		if err != nil {
			return 0, nil, err
		}
		if ok {
			return r.packed(p, offset)
		}
	}
	name := h.String()
	for _, dir := range r.objects {
		if k, data, err := loose(filepath.Join(dir, name[:2], name[2:])); !errors.Is(err, fs.ErrNotExist) {
			return k, data, err
		}
	}
	if _, err := os.Stat(filepath.Join(r.dir, "shallow")); err == nil {
		return 0, nil, fmt.Errorf("%s is %w, which is a shallow clone; to get its whole history, run git fetch --unshallow", name, errMissing)
	}
	return 0, nil, fmt.Errorf("%s is %w", name, errMissing)
}

// size returns the size of an object, if possible without reading all of it.
func (r *Repository) size(h Hash) (int64, error) {
	for _, p := range r.packs {
		offset, ok, err := p.find(h)
		if err != nil {
			return 0, err
		}
		if ok {
			return p.size(offset)
		}
	}
	_, data, err := r.object(h)
	return int64(len(data)), err
}

// loose reads an object that has its own file.
func loose(file string) (kind, []byte, error) {
	info, err := os.Lstat(file)
	if err != nil {
		return 0, nil, err
	}
	if !info.Mode().IsRegular() {
		return 0, nil, damaged("an object is not a file")
	}
	f, err := os.Open(file)
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	return readLoose(f)
}

func readLoose(f io.Reader) (kind, []byte, error) {
	z, err := zlib.NewReader(f)
	if err != nil {
		return 0, nil, damaged("an object: %v", err)
	}
	defer z.Close()
	in := bufio.NewReader(z)
	head, err := in.ReadSlice(0)
	if err != nil {
		return 0, nil, damaged("an object has no header")
	}
	name, length, _ := strings.Cut(string(head[:len(head)-1]), " ")
	size, err := strconv.ParseInt(length, 10, 64)
	k, ok := kinds[name]
	if err != nil || !ok || size < 0 || size > maxObject {
		return 0, nil, damaged("the header of an object is malformed")
	}
	data, err := readExactly(in, size)
	return k, data, err
}

// readExactly reads size bytes, and returns an error if more follow.
func readExactly(in io.Reader, size int64) ([]byte, error) {
	var b bytes.Buffer
	const trusted = 1 << 20
	b.Grow(int(min(size, trusted)) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(in, size+1))
	if err != nil {
		return nil, damaged("an object: %v", err)
	}
	if n != size {
		return nil, damaged("an object does not have the size that it declares")
	}
	return b.Bytes(), nil
}

// commitOf returns the commit that a hash refers to, directly or through tags.
func (r *Repository) commitOf(h Hash) (Hash, error) {
	const longest = 8
	for range longest {
		k, err := r.kindOf(h)
		if err != nil || k == commit {
			return h, err
		}
		if k != tag {
			return h, damaged("a tag does not point to a commit")
		}
		_, data, err := r.object(h)
		if err != nil {
			return h, err
		}
		target, ok := headerHash(data, "object ")
		if !ok {
			return h, damaged("a tag does not point to an object")
		}
		h = target
	}
	return h, damaged("too many tags point to other tags")
}

// parent returns the parent of a commit with the given number, counting from 1.
func (r *Repository) parent(h Hash, number int) (Hash, error) {
	_, data, err := r.object(h)
	if err != nil {
		return h, err
	}
	for line := range bytes.Lines(data) {
		if rest, ok := bytes.CutPrefix(line, []byte("parent ")); ok {
			if number--; number > 0 {
				continue
			}
			if p, ok := ParseHash(string(bytes.TrimSpace(rest))); ok {
				return p, nil
			}
			return h, damaged("a commit has no valid parent")
		}
		if len(bytes.TrimSpace(line)) == 0 {
			break
		}
	}
	return h, fmt.Errorf("a commit before %s is %w", h, errMissing)
}

// kindOf returns the type of an object without reading all of it.
func (r *Repository) kindOf(h Hash) (kind, error) {
	for _, p := range r.packs {
		if pos, ok, err := p.find(h); err == nil && ok {
			if k, err := p.kind(pos); err == nil && k < offset {
				return k, nil
			}
		}
	}
	k, _, err := r.object(h)
	return k, err
}

// headerHash returns the hash in the first line of a commit or a tag. It returns
// false if there is none.
func headerHash(data []byte, prefix string) (Hash, bool) {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	rest, ok := bytes.CutPrefix(line, []byte(prefix))
	if !ok {
		return Hash{}, false
	}
	return ParseHash(string(rest))
}

// cache stores objects that are bases of deltas.
type cache struct {
	mu      sync.Mutex
	entries map[place]cached
	bytes   int64
}

type place struct {
	pack   *pack
	offset int64
}

type cached struct {
	kind kind
	data []byte
}

const maxCached = 32 << 20 // maximum total size of cached objects in bytes

func (c *cache) get(p place) (cached, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.entries[p]
	return o, ok
}

func (c *cache) put(p place, o cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil || c.bytes+int64(len(o.data)) > maxCached {
		c.entries, c.bytes = map[place]cached{}, 0
	}
	c.entries[p] = o
	c.bytes += int64(len(o.data))
}
