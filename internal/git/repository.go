// Package git reads git repositories without the program git: the files of a commit from packs and
// loose objects of a directory, and the branches and tags that a server advertises. It ignores
// hooks, filters and the user's configuration, and limits the data that it reads.
//
//	directory of a repository, its branches and tags   repository.go, config.go
//	commits as users name them                         revision.go
//	loose objects, commits                             object.go
//	packs and their indexes                            pack.go, delta.go
//	the files of a commit as a file system             tree.go
//	what a server advertises                           advertise.go
package git

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Hash is the SHA-1 of an object.
type Hash [20]byte

// ParseHash parses 40 hexadecimal digits. ok is false for any other text.
func ParseHash(s string) (h Hash, ok bool) {
	if len(s) != 2*len(h) {
		return h, false
	}
	_, err := hex.Decode(h[:], []byte(s))
	return h, err == nil
}

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// These constants limit what is read from a repository.
const (
	maxPacks      = 2000
	maxAlternates = 16
	maxObject     = 64 << 20 // maximum size in bytes of one object
	maxChain      = 4096     // maximum length of a chain of deltas
	maxRefs       = 500_000
	maxRefFile    = 64 << 20 // maximum size in bytes of packed-refs
	maxEntries    = 200_000  // maximum number of entries of a directory
)

// errMissing is the error for an object that a repository does not have.
var errMissing = errors.New("not in the repository")

// errDamaged is the error for a directory that is not a git repository, or for
// a damaged repository.
var errDamaged = errors.New("the repository is damaged")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errDamaged, fmt.Sprintf(format, args...))
}

// Repository is an open repository. It is safe for concurrent use.
type Repository struct {
	dir     string   // directory with refs
	head    string   // directory with HEAD; differs from dir in a linked work tree
	objects []string // directories of objects
	packs   []*pack
	bases   cache
}

// Open opens a bare repository, or the repository of a work tree. The latter is in the directory
// ".git" below dir, or at the path in the file ".git".
func Open(dir string) (*Repository, error) {
	head := dir
	if info, err := os.Stat(filepath.Join(dir, ".git")); err == nil && info.IsDir() {
		dir = filepath.Join(dir, ".git")
		head = dir
	} else if err == nil {
		if head, err = pathIn(filepath.Join(dir, ".git"), "gitdir: "); err != nil {
			return nil, err
		}
		if dir, err = pathIn(filepath.Join(head, "commondir"), ""); err != nil {
			dir = head // a submodule has its own repository
		}
	}
	r := &Repository{dir: dir, head: head}
	if format := r.setting("extensions.objectformat"); format != "" && format != "sha1" {
		return nil, fmt.Errorf("its objects have %.20s hashes, which docent does not read", format)
	}
	if format := r.setting("extensions.refstorage"); format != "" && format != "files" {
		return nil, fmt.Errorf("its branches are stored in the format %.20s, which docent does not read", format)
	}
	r.addObjects(filepath.Join(dir, "objects"), 0)
	if len(r.objects) == 0 {
		return nil, fmt.Errorf("%s is not a repository: %w", dir, fs.ErrNotExist)
	}
	for _, objects := range r.objects {
		names, err := readNames(filepath.Join(objects, "pack"))
		if err != nil {
			continue
		}
		for _, name := range names {
			base, ok := strings.CutSuffix(name, ".idx")
			if !ok || len(r.packs) >= maxPacks {
				continue
			}
			p, err := openPack(filepath.Join(objects, "pack", base))
			if err != nil {
				r.Close()
				return nil, err
			}
			r.packs = append(r.packs, p)
		}
	}
	return r, nil
}

// pathIn returns the path after a prefix in a file. The path may be relative to the directory of
// the file.
func pathIn(file, prefix string) (string, error) {
	data, err := readFile(file, 4096)
	if err != nil {
		return "", err
	}
	name, ok := strings.CutPrefix(strings.TrimSpace(string(data)), prefix)
	if !ok || name == "" {
		return "", damaged("%s does not name a directory", filepath.Base(file))
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(file), name)
	}
	return name, nil
}

// abbreviated returns the commits whose hashes begin with the given digits.
func (r *Repository) abbreviated(digits string) (commits []Hash) {
	const fewest = 4
	first, ok := ParseHash(digits + strings.Repeat("0", max(0, 2*len(Hash{})-len(digits))))
	if !ok || len(digits) < fewest {
		return nil
	}
	add := func(h Hash) bool {
		if !strings.HasPrefix(h.String(), digits) {
			return false
		}
		if k, err := r.kindOf(h); err == nil && k == commit && !slices.Contains(commits, h) {
			commits = append(commits, h)
		}
		return true
	}
	for _, p := range r.packs {
		i, err := p.search(first)
		for ; err == nil && i < p.count && len(commits) < 2; i++ {
			if name, err := p.name(i); err != nil || !add(name) {
				break
			}
		}
	}
	for _, dir := range r.objects {
		names, _ := readNames(filepath.Join(dir, digits[:2]))
		for _, name := range names {
			if h, ok := ParseHash(digits[:2] + name); ok {
				add(h)
			}
		}
	}
	return commits
}

// addObjects adds a directory of objects and the alternates that it refers to.
func (r *Repository) addObjects(dir string, depth int) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || len(r.objects) >= maxAlternates {
		return
	}
	r.objects = append(r.objects, dir)
	data, err := readFile(filepath.Join(dir, "info", "alternates"), 1<<16)
	if err != nil || depth >= maxAlternates {
		return
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == '"' {
			continue
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(dir, line)
		}
		r.addObjects(line, depth+1)
	}
}

// Close closes the files of the repository.
func (r *Repository) Close() error {
	for _, p := range r.packs {
		p.close()
	}
	r.packs = nil
	return nil
}

// Ref is a branch or a tag.
type Ref struct {
	Name string // "refs/tags/1.0.0"
	// Commit is the commit of the branch or tag. For a tag with a message, it is
	// not the tag object.
	Commit Hash
}

// Refs returns the branches and tags.
func (r *Repository) Refs() ([]Ref, error) {
	byName := map[string]Hash{}
	var refs []Ref
	peeled := map[string]Hash{} // peeled contains the commits of tags, as recorded by git.
	if data, err := readFile(filepath.Join(r.dir, "packed-refs"), maxRefFile); err == nil {
		noted := strings.HasPrefix(string(data), "# pack-refs with:") && strings.Contains(string(data[:min(len(data), 100)]), " fully-peeled")
		last := ""
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSpace(line)
			if target, ok := strings.CutPrefix(line, "^"); ok {
				if h, valid := ParseHash(target); valid && last != "" {
					peeled[last] = h
				}
				continue
			}
			hash, name, ok := strings.Cut(line, " ")
			if h, valid := ParseHash(hash); ok && valid && len(byName) < maxRefs {
				byName[name], last = h, name
				if noted {
					peeled[name] = h
				}
			}
		}
	}
	for _, below := range []string{"refs/tags", "refs/heads", "refs/remotes"} {
		r.looseRefs(below, byName, peeled, 0)
	}
	for name, h := range byName {
		if commit, ok := peeled[name]; ok {
			refs = append(refs, Ref{name, commit})
		} else if commit, err := r.commitOf(h); err == nil {
			refs = append(refs, Ref{name, commit})
		}
	}
	return refs, nil
}

// looseRefs adds the branches and tags that have their own files.
func (r *Repository) looseRefs(below string, byName, peeled map[string]Hash, depth int) {
	const deepest = 16
	names, err := readNames(filepath.Join(r.dir, filepath.FromSlash(below)))
	if err != nil || depth > deepest {
		return
	}
	for _, name := range names {
		full := below + "/" + name
		data, err := readFile(filepath.Join(r.dir, filepath.FromSlash(full)), 1024)
		if err != nil {
			r.looseRefs(full, byName, peeled, depth+1)
			continue
		}
		if h, ok := ParseHash(strings.TrimSpace(string(data))); ok && len(byName) < maxRefs {
			byName[full] = h
			delete(peeled, full) // The file is newer.
		}
	}
}

// Head returns the commit that is checked out, or in a bare repository the
// commit of the default branch.
func (r *Repository) Head() (Hash, error) {
	data, err := readFile(filepath.Join(r.head, "HEAD"), 4096)
	if err != nil {
		return Hash{}, err
	}
	text := strings.TrimSpace(string(data))
	name, symbolic := strings.CutPrefix(text, "ref: ")
	if !symbolic {
		h, ok := ParseHash(text)
		if !ok {
			return h, damaged("HEAD does not name a commit")
		}
		return h, nil
	}
	refs, err := r.Refs()
	if ref, ok := find(refs, name); ok {
		return ref.Commit, nil
	}
	return Hash{}, errors.Join(err, fmt.Errorf("the branch %.100q is %w; it may have no commits", name, errMissing))
}

func readNames(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(maxEntries)
}

// readFile reads a regular file of at most limit bytes.
func readFile(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, damaged("%s is not a file, or is too large", filepath.Base(name))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}
