package pushed

import (
	"encoding/json"
	"errors"
	"path/filepath"
)

// A Shared stores projects for several servers. It may return any error for temporary failures. The
// servers then use the projects that they have already received.
type Shared interface {
	// PutProject stores the data of a project. It returns ErrFull for a new project if the owner
	// already has MaxProjects projects. content identifies the data.
	PutProject(owner, name, content string, data []byte) error
	// Contents returns the identifier of the latest data of the project with a name, for each owner
	// that has one. The servers use the project of the first of these owners.
	Contents(owners []string, name string) (contents map[string]string, err error)
	// ProjectData returns the data of a project, or fs.ErrNotExist.
	ProjectData(owner, name string) (data []byte, err error)
	// Names returns at most MaxProjects names of projects of owners, each once: those of the first
	// owner, sorted, then those of the next.
	Names(owners []string) ([]string, error)
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

// fetch replaces the projects of owners in their directories if newer ones were pushed to other
// servers. It ends at the first owner that has the project.
func (s *Store) fetch(owners []string, name string) {
	if s.Shared == nil {
		return
	}
	contents, err := s.Shared.Contents(owners, name)
	if err != nil {
		return
	}
	for _, owner := range owners {
		content, ok := contents[owner]
		dir := s.ownerDir(owner)
		if ok {
			s.fetchContent(owner, dir, name, content)
			return
		}
		s.mu.Lock()
		_, _ = s.remove(dir, name)
		s.mu.Unlock()
	}
}

// fetchContent replaces a project in the directory of an owner if it does not have the content.
func (s *Store) fetchContent(owner, dir, name, content string) {
	if local, ok := s.record(dir, name); ok && local.Content == content {
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
