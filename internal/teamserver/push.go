package teamserver

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/teamserver/pushed"
	"github.com/docent-mcp/docent/mcp/ratelimit"
)

// projectsPath is the path at which clients push projects.
const projectsPath = "/v1/projects"

// maxPushed is the maximum size of a project that a client pushes, in bytes.
const maxPushed = 8 << 20

// pushTimeout is how long a client may take to send a project.
const pushTimeout = 30 * time.Second

// addPushing adds the handlers for projects that clients push.
func (s *Server) addPushing(mux *http.ServeMux) {
	rates := ratelimit.NewLimiter(&ratelimit.Options{PerSecond: s.options.Rate})
	for pattern, handle := range map[string]http.HandlerFunc{
		"GET " + projectsPath:                s.listPushed,
		"PUT " + projectsPath + "/{name}":    s.push,
		"DELETE " + projectsPath + "/{name}": s.removePushed,
	} {
		mux.Handle(pattern, s.options.HTTP.Screen(s.authenticate.protect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			leave, ok := s.admit(w, r, rates)
			if !ok {
				return
			}
			defer leave()
			handle(w, r)
		}))))
	}
}

// ownerOf returns the owner of the project in a request. The owner is the principal or, if the
// request has the parameter group, a group. ok is false if the principal is not in the group.
func ownerOf(r *http.Request) (owner string, ok bool) {
	p := principalFrom(r.Context())
	group := r.URL.Query().Get("group")
	if group == "" {
		return ownPrefix + p.ID, true
	}
	return groupPrefix + group, slices.Contains(p.Groups, group)
}

// These prefixes distinguish principals from groups as owners.
const ownPrefix, groupPrefix = "principal ", "group "

// pushAnswer is the response to a pushed project.
type pushAnswer struct {
	// ProjectPath is the value of projectPath for tools.
	ProjectPath string `json:"projectPath"`
	pushed.Project
}

func (s *Server) push(w http.ResponseWriter, r *http.Request) {
	owner, ok := ownerOf(r)
	if !ok {
		http.Error(w, "you are not a member of this group", http.StatusForbidden)
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(pushTimeout)) // limit the time, because the request occupies a place in the queue
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxPushed))
	if err != nil {
		status := http.StatusBadRequest
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, "the project cannot be read: "+err.Error(), status)
		return
	}
	all, err := depgraph.Parse(data)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	project, err := s.pushed.Push(owner, r.PathValue("name"), all)
	switch {
	case errors.Is(err, pushed.ErrFull):
		http.Error(w, err.Error(), http.StatusInsufficientStorage)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.log.Info("a project was pushed", "principal", principalFrom(r.Context()).ID, "project", project.Name, "packages", project.Packages)
	writeJSON(w, pushAnswer{pushedScheme + project.Name, project})
}

func (s *Server) listPushed(w http.ResponseWriter, r *http.Request) {
	owner, ok := ownerOf(r)
	if !ok {
		http.Error(w, "you are not a member of this group", http.StatusForbidden)
		return
	}
	writeJSON(w, map[string]any{"projects": s.pushed.List(owner)})
}

func (s *Server) removePushed(w http.ResponseWriter, r *http.Request) {
	owner, ok := ownerOf(r)
	if !ok {
		http.Error(w, "you are not a member of this group", http.StatusForbidden)
		return
	}
	switch removed, err := s.pushed.Remove(owner, r.PathValue("name")); {
	case err != nil:
		s.log.Error("a pushed project cannot be removed", "error", err)
		http.Error(w, "the project cannot be removed", http.StatusInternalServerError)
	case !removed:
		http.Error(w, "there is no such project", http.StatusNotFound)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(v)
}
