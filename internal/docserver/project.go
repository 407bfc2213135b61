package docserver

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// project returns the directory of the project for a question. It is the directory that the
// question names, or else the client's first root that is in a project of the language, or else the
// working directory if it is in one. names are the packages, versions and files that the question
// names.
func (s *server) project(ctx context.Context, req *mcp.Request, language, projectPath string, names ...string) (string, error) {
	if err := inBounds(projectPath); err != nil {
		return "", err
	}
	if s.projects != nil {
		return s.remoteProject(ctx, strings.TrimSpace(projectPath), names)
	}
	if dir, err := directory(projectPath); err != nil || dir != "" {
		return dir, err
	}
	dirs, err := s.roots.dirsOf(ctx, req)
	if err != nil {
		return "", err
	}
	for _, dir := range dirs {
		if s.hasProject(language, dir) {
			return dir, nil
		}
	}
	if s.hasProject(language, s.dir) {
		return s.dir, nil
	}
	return "", nil
}

// hasProject reports whether a directory is in a project of a language, or of
// any language if none is named.
func (s *server) hasProject(language, dir string) bool {
	if language != "" {
		return s.store.HasProject(language, dir)
	}
	for _, l := range s.store.Languages() {
		if l.HasProject(dir) {
			return true
		}
	}
	return false
}

// directory reads projectPath, which agents write as a path or as a file URI.
func directory(projectPath string) (string, error) {
	path := strings.TrimSpace(projectPath)
	if path == "" {
		return "", nil
	}
	if strings.HasPrefix(path, "file:") {
		u, err := url.Parse(path)
		if err != nil || u.Path == "" || u.Host != "" && u.Host != "localhost" {
			return "", fmt.Errorf("projectPath %q is not on this machine; set it to an absolute directory", projectPath)
		}
		path = u.Path
		if len(path) > 2 && path[0] == '/' && path[2] == ':' {
			path = path[1:] // on Windows, the path in file:///C:/src is C:/src
		}
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("projectPath %q is relative; set it to an absolute directory", projectPath)
	}
	return path, nil
}

// roots caches the folders on which clients work.
type roots struct {
	single bool // whether the server has only one client

	mu    sync.Mutex
	known map[string]rootList
}

type rootList struct {
	dirs        []string
	requestTime time.Time
}

const (
	// rootsAge is the time for which a client's folders are cached.
	rootsAge = time.Minute
	// maxClients is the maximum number of clients whose folders are cached.
	maxClients = 1000
)

// dirsOf returns the folders on which the client of a request works, or none if the client does not
// report them. In revisions in which a question ends the request, the error is
// mcp.ErrInputRequired, and the client's answer comes with another request. Such a client is asked
// only once if it can be identified, and otherwise for each request that does not specify a project.
func (r *roots) dirsOf(ctx context.Context, req *mcp.Request) ([]string, error) {
	if req == nil || req.ClientCapabilities().Roots == nil {
		return nil, nil
	}
	client := "" // One principal may have several sessions with different folders, so the key includes the session.
	switch {
	case req.Principal() != "":
	case req.Caller() != "":
		client = req.Caller()
	case r.single:
		client = "the only one"
	}
	r.mu.Lock()
	cached, ok := r.known[client]
	r.mu.Unlock()
	if ok && client != "" && (time.Since(cached.requestTime) < rootsAge || req.AsksByResult()) {
		return cached.dirs, nil
	}
	listed, err := req.Roots(ctx)
	if errors.Is(err, mcp.ErrInputRequired) {
		return nil, err
	}
	var dirs []string
	for _, root := range listed { // listed is empty if the client failed to answer.
		if dir, err := directory(root.URI); err == nil && dir != "" {
			dirs = append(dirs, dir)
		}
	}
	if client == "" || err != nil && !req.AsksByResult() {
		return dirs, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil || len(r.known) >= maxClients {
		r.known = map[string]rootList{}
	}
	r.known[client] = rootList{dirs, time.Now()}
	return dirs, nil
}
