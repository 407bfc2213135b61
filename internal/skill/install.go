package skill

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/quote"
)

// recordFile is a file within an installed skill that records where the skill comes from.
const recordFile = ".docent.json"

const (
	maxFiles     = 500      // maximum number of files in one skill
	maxInstalled = 10 << 20 // maximum size of one skill in bytes
)

// Record specifies which package an installed skill comes from.
type Record struct {
	Language string `json:"language"`
	Package  string `json:"package"`
	Version  string `json:"version"`
	Skill    string `json:"skill"`
	// Digest is the digest of the files at the time of their installation.
	Digest string `json:"digest"`
	// Modified is true if the files were changed since then. It is not stored.
	Modified bool `json:"-"`
}

// ErrModified is returned for a skill whose files were changed after it was installed.
var ErrModified = errors.New("its files have changed since docent installed it")

// Install copies a skill into the directory place of a project and records where it comes from. It
// replaces an older version of the skill from the same package. It refuses to replace a directory
// that docent did not write. Unless force is true, it also refuses to replace one that was changed
// since; the error then wraps [ErrModified]. changed is false if the same files are already
// installed.
func Install(project *os.Root, place string, s *Skill, r Record, force bool) (changed bool, err error) {
	files, err := s.read()
	if err != nil {
		return false, err
	}
	r.Skill, r.Digest = s.Name, digest(files)
	dir := path.Join(place, s.Name)
	existing, err := installed(project, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return false, err
	case existing.Package != r.Package || existing.Language != r.Language:
		return false, fmt.Errorf("%s contains a skill from another package, %s; remove it first with docent skills remove %s", dir, existing.Package, s.Name)
	case existing.Modified && !force:
		return false, fmt.Errorf("%s cannot be replaced: %w", dir, ErrModified)
	case existing.Digest == r.Digest && existing.Version == r.Version && !existing.Modified:
		return false, nil
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return false, err
	}
	files = append(files, file{name: recordFile, data: append(data, '\n'), mode: 0o644})
	staged := path.Join(place, "."+s.Name+".new")
	if err := project.RemoveAll(staged); err != nil {
		return false, err
	}
	for _, f := range files {
		name := path.Join(staged, f.name)
		if err := project.MkdirAll(path.Dir(name), 0o755); err != nil {
			return false, err
		}
		if err := project.WriteFile(name, f.data, f.mode); err != nil {
			return false, err
		}
	}
	if err := project.RemoveAll(dir); err != nil {
		return false, err
	}
	return true, project.Rename(staged, dir)
}

// Remove removes an installed skill from the directory place of a project. It refuses to remove a
// directory that docent did not write and, unless force is true, one that was changed since.
func Remove(project *os.Root, place, name string, force bool) error {
	if !validName(name) {
		return fmt.Errorf("%.100q is not the name of a skill", name)
	}
	dir := path.Join(place, name)
	r, err := installed(project, dir)
	if err != nil {
		return err
	}
	if r.Modified && !force {
		return fmt.Errorf("%s was not removed: %w", dir, ErrModified)
	}
	return project.RemoveAll(dir)
}

// Installed returns the records of the skills that docent installed in the directory
// place of a project, by name.
func Installed(project *os.Root, place string) ([]Record, error) {
	entries, err := fs.ReadDir(project.FS(), place)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Record
	for _, e := range entries {
		if r, err := installed(project, path.Join(place, e.Name())); e.IsDir() && validName(e.Name()) && err == nil && r.Skill == e.Name() {
			all = append(all, *r)
		}
	}
	return all, nil
}

// installed reads the record of a directory. The error is fs.ErrNotExist if there is no
// such directory.
func installed(project *os.Root, dir string) (*Record, error) {
	if _, err := project.Lstat(dir); err != nil {
		return nil, err
	}
	data, err := project.ReadFile(path.Join(dir, recordFile))
	if err != nil {
		return nil, fmt.Errorf("%s was not installed by docent; move it elsewhere first", dir)
	}
	var r Record
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", path.Join(dir, recordFile), quote.Error(err))
	}
	files, err := readAll(project.FS(), dir)
	files = slices.DeleteFunc(files, func(f file) bool { return f.name == recordFile })
	r.Modified = err != nil || digest(files) != r.Digest
	return &r, nil //nolint:nilerr // files that cannot be read were changed
}

// file is one file of a skill.
type file struct {
	name string
	data []byte
	mode fs.FileMode
}

func (s *Skill) read() ([]file, error) {
	files, err := readAll(s.Files, s.Dir)
	if err != nil {
		return nil, fmt.Errorf("the skill %s: %w", s.Name, err)
	}
	return slices.DeleteFunc(files, func(f file) bool { return f.name == recordFile }), nil
}

// readAll reads the regular files below a directory, sorted by name.
func readAll(files fs.FS, dir string) ([]file, error) {
	var all []file
	size := 0
	err := fs.WalkDir(files, dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if size += len(data); size > maxInstalled || len(all) == maxFiles {
			return fmt.Errorf("it contains more than %d files or %d bytes", maxFiles, maxInstalled)
		}
		f := file{name: strings.TrimPrefix(name, dir+"/"), data: data, mode: 0o644}
		if info, err := e.Info(); err == nil && info.Mode()&0o111 != 0 {
			f.mode = 0o755
		}
		all = append(all, f)
		return nil
	})
	slices.SortFunc(all, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return all, err
}

// digest returns a hash of the names and contents of files.
func digest(files []file) string {
	h := sha256.New()
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(h, "%q %x\n", f.name, sum)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
