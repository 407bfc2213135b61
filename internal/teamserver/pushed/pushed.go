// Package pushed stores projects that clients on other machines have pushed. Clients send the
// contents of their lock files in the format of docent deps --json. The package writes manifests
// and lock files from this data, so that files of clients are never read.
package pushed

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/quote"
)

const (
	// MaxProjects is the maximum number of projects of one owner.
	MaxProjects = 100
	// MaxAge is how long a project is kept after it was last pushed or used.
	MaxAge = 30 * 24 * time.Hour
	// fresh is how old the recorded time of use may become, so that not every use writes a file.
	fresh = 24 * time.Hour
)

// ErrFull is the error if the owner already has MaxProjects projects.
var ErrFull = fmt.Errorf("there are already %d projects; remove one", MaxProjects)

var validName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// checkName returns an error if text is not a valid name of a project.
func checkName(name string) error {
	if !validName().MatchString(name) {
		return fmt.Errorf("%.100q is not a valid name of a project; use at most 64 letters, digits, dots, dashes and underscores", name)
	}
	return nil
}

// A Project is a project that an owner has pushed.
type Project struct {
	Name string `json:"name"`
	// Packages is the number of packages whose versions are known.
	Packages int `json:"packages"`
	// Skipped lists packages that neither a registry nor an allowed git host contains with this
	// name and version, and packages of languages that cannot be pushed.
	Skipped []string `json:"skipped,omitempty"`
	// Pushed is the time when the project was last pushed.
	Pushed time.Time `json:"pushed"`
	// Content identifies the pushed data.
	Content string `json:"content"`
}

// A Store stores projects in a directory.
type Store struct {
	// Shared stores the projects for other servers as well. It is nil if there is only one server.
	// It must be set before the store is first used.
	Shared Shared

	dir     string
	writers map[string]ecosystem.ManifestWriter
	mu      sync.Mutex // held while files change
}

// Open returns the store in a directory, which does not have to exist. It removes expired projects.
func Open(dir string, languages ecosystem.Languages) (*Store, error) {
	s := &Store{dir: dir, writers: map[string]ecosystem.ManifestWriter{}}
	for _, l := range languages {
		if w, ok := l.(ecosystem.ManifestWriter); ok {
			s.writers[string(l.Info().ID)] = w
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("projects that clients push cannot be stored: %w", err)
	}
	owners, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("projects that clients push cannot be stored: %w", err)
	}
	for _, owner := range owners {
		s.expire(filepath.Join(dir, owner.Name()))
	}
	return s, nil
}

// ownerDir returns the directory of an owner.
func (s *Store) ownerDir(owner string) string {
	sum := sha256.Sum256([]byte(owner))
	return filepath.Join(s.dir, hex.EncodeToString(sum[:16]))
}

// recordSuffix is the end of the name of a file that describes a project.
const recordSuffix = ".json"

// Push stores a project under a name. It replaces the project that the owner has previously pushed
// under that name.
func (s *Store) Push(owner, name string, all []depgraph.Language) (Project, error) {
	if err := checkName(name); err != nil {
		return Project{}, err
	}
	p := Project{Name: name, Pushed: time.Now().UTC().Truncate(time.Second)}
	files := map[string][]byte{}
	for i := range all {
		w := s.writers[all[i].ID]
		if w == nil {
			p.Skipped = append(p.Skipped, fmt.Sprintf("%s of %s", quote.Count(len(all[i].Graph.Packages), "package"), all[i].ID))
			continue
		}
		written, skipped, err := w.Manifests(all[i].Graph)
		if err != nil {
			return Project{}, fmt.Errorf("%s: %w", all[i].ID, err)
		}
		maps.Copy(files, written)
		p.Skipped = append(p.Skipped, skipped...)
		for n := range all[i].Graph.Packages {
			if u := &all[i].Graph.Packages[n]; !u.Member && u.Version != "" {
				p.Packages++
			}
		}
		p.Packages -= len(skipped)
	}
	if len(files) == 0 {
		return Project{}, errors.New("the project has no packages")
	}
	p.Content = contentOf(files)
	s.mu.Lock()
	defer s.mu.Unlock()
	dir := s.ownerDir(owner)
	s.expire(dir)
	_, existed := s.record(dir, name)
	if records, _ := filepath.Glob(filepath.Join(dir, "*"+recordSuffix)); !existed && len(records) >= MaxProjects {
		return Project{}, ErrFull
	}
	if err := s.share(owner, p, files); err != nil {
		return Project{}, err
	}
	return p, s.keep(dir, p, files)
}

// keep writes a project to the directory of an owner. The caller must hold mu.
func (s *Store) keep(dir string, p Project, files map[string][]byte) error {
	before, existed := s.record(dir, p.Name)
	if err := write(filepath.Join(dir, p.Content, p.Name), files); err != nil {
		return err
	}
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if err := replace(filepath.Join(dir, p.Name+recordSuffix), data); err != nil {
		return err
	}
	if existed && before.Content != p.Content {
		removeContent(dir, before)
	}
	return nil
}

// contentOf returns a name for files, which is a hash of their names and contents.
func contentOf(files map[string][]byte) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(files[name]), files[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// write writes files to a directory. If it fails, the directory does not exist afterwards.
func write(dir string, files map[string][]byte) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	incomplete, err := os.MkdirTemp(filepath.Dir(dir), ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(incomplete)
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(incomplete, name), data, 0o600); err != nil {
			return err
		}
	}
	if err := os.Rename(incomplete, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// replace writes a file. Readers get either the old or the new content.
func replace(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// record reads the record of a project.
func (s *Store) record(ownerDir, name string) (p Project, ok bool) {
	data, err := os.ReadFile(filepath.Join(ownerDir, name+recordSuffix))
	return p, err == nil && json.Unmarshal(data, &p) == nil && p.Name == name
}

// Dir returns the directory of the project of the first of owners that has one of this name. It
// returns false if none has.
func (s *Store) Dir(owners []string, name string) (string, bool) {
	if checkName(name) != nil {
		return "", false
	}
	s.fetch(owners, name)
	for _, owner := range owners {
		ownerDir := s.ownerDir(owner)
		p, ok := s.record(ownerDir, name)
		if !ok {
			continue
		}
		path := filepath.Join(ownerDir, name+recordSuffix)
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > fresh {
			now := time.Now()
			_ = os.Chtimes(path, now, now)
		}
		return filepath.Join(ownerDir, p.Content, name), true
	}
	return "", false
}

// List returns the projects of an owner, sorted by name.
func (s *Store) List(owner string) []Project {
	if s.Shared != nil {
		names, _ := s.Shared.Names([]string{owner})
		for _, name := range names {
			if checkName(name) == nil {
				s.fetch([]string{owner}, name)
			}
		}
	}
	dir := s.ownerDir(owner)
	records, _ := filepath.Glob(filepath.Join(dir, "*"+recordSuffix))
	projects := []Project{}
	for _, path := range records {
		if p, ok := s.record(dir, strings.TrimSuffix(filepath.Base(path), recordSuffix)); ok {
			projects = append(projects, p)
		}
	}
	return projects
}

// Names returns the names of the projects of owners, each once: those of the first owner, sorted, then
// those of the next. Unlike List, it does not get those that were pushed to other servers.
func (s *Store) Names(owners []string) []string {
	if s.Shared != nil {
		if names, err := s.Shared.Names(owners); err == nil {
			return slices.DeleteFunc(names, func(name string) bool { return checkName(name) != nil })
		}
	}
	var names []string
	for _, owner := range owners {
		records, _ := filepath.Glob(filepath.Join(s.ownerDir(owner), "*"+recordSuffix))
		for _, path := range records {
			if name := strings.TrimSuffix(filepath.Base(path), recordSuffix); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Remove removes a project. It returns false if the owner has no such project.
func (s *Store) Remove(owner, name string) (bool, error) {
	if checkName(name) != nil {
		return false, nil
	}
	shared := false
	if s.Shared != nil {
		var err error
		if shared, err = s.Shared.RemoveProject(owner, name); err != nil {
			return false, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	local, err := s.remove(s.ownerDir(owner), name)
	return local || shared, err
}

func (s *Store) remove(ownerDir, name string) (bool, error) {
	p, ok := s.record(ownerDir, name)
	if err := os.Remove(filepath.Join(ownerDir, name+recordSuffix)); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return false, err
	}
	if ok {
		removeContent(ownerDir, p)
	}
	return true, nil
}

// removeContent removes the files of a project and their directory, unless another project has the
// same files.
func removeContent(ownerDir string, p Project) {
	if len(p.Content) != 32 {
		return
	}
	_ = os.RemoveAll(filepath.Join(ownerDir, p.Content, p.Name))
	_ = os.Remove(filepath.Join(ownerDir, p.Content))
}

// expire removes projects from an owner's directory that have not been used for MaxAge.
func (s *Store) expire(ownerDir string) {
	records, _ := filepath.Glob(filepath.Join(ownerDir, "*"+recordSuffix))
	for _, path := range records {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > MaxAge {
			_, _ = s.remove(ownerDir, strings.TrimSuffix(filepath.Base(path), recordSuffix))
		}
	}
}
