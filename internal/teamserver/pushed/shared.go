package pushed

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
)

// A Shared stores projects for several servers. It may return any error for temporary failures. The
// servers then use the projects that they have already received.
type Shared interface {
	// PutProject stores the data of a project. It returns ErrFull for a new project if the owner
	// already has MaxProjects projects. content identifies the data.
	PutProject(owner, name, content string, data []byte) error
	// Content returns the identifier of the latest data of a project, or fs.ErrNotExist.
	Content(owner, name string) (content string, err error)
	// ProjectData returns the data of a project, or fs.ErrNotExist.
	ProjectData(owner, name string) (data []byte, err error)
	// Names returns the names of the projects of an owner.
	Names(owner string) ([]string, error)
	// RemoveProject removes a project. It returns false if the project does not exist.
	RemoveProject(owner, name string) (bool, error)
}

// sharedProject is the data of a project in a Shared.
type sharedProject struct {
	Project Project           `json:"project"`
	Files   map[string][]byte `json:"files"`
}

// share stores a project for other servers.
func (s *Store) share(owner string, p Project, files map[string][]byte) error {
	if s.Shared == nil {
		return nil
	}
	data, err := json.Marshal(sharedProject{p, files})
	if err != nil {
		return err
	}
	err = s.Shared.PutProject(owner, p.Name, p.Content, data)
	if err != nil && !errors.Is(err, ErrFull) {
		return errors.Join(errors.New("the project cannot be stored for all replicas of the server now; push it again later"), err)
	}
	return err
}

// fetch replaces the project in the directory if a newer version was pushed to another server.
func (s *Store) fetch(owner, name string) {
	if s.Shared == nil {
		return
	}
	dir := s.ownerDir(owner)
	content, err := s.Shared.Content(owner, name)
	if errors.Is(err, fs.ErrNotExist) {
		s.mu.Lock()
		defer s.mu.Unlock()
		_, _ = s.remove(dir, name)
		return
	}
	if local, ok := s.record(dir, name); err != nil || ok && local.Content == content {
		return
	}
	data, err := s.Shared.ProjectData(owner, name)
	if err != nil {
		return
	}
	var p sharedProject
	if json.Unmarshal(data, &p) != nil || p.Project.Name != name || p.Project.Content != contentOf(p.Files) {
		return
	}
	for file := range p.Files {
		if filepath.Base(file) != file || !filepath.IsLocal(file) {
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.keep(dir, p.Project, p.Files)
}
