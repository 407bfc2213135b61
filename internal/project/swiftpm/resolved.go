package swiftpm

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Kind is the kind of a package's source.
type Kind string

// These are the kinds of packages, with their names in Package.resolved.
const (
	Remote   Kind = "remoteSourceControl" // a repository at a URL
	Local    Kind = "localSourceControl"  // a repository at a path
	Registry Kind = "registry"            // a registry
	Path     Kind = "fileSystem"          // a directory
)

// Pin is a package that is pinned to a version, a branch or a revision.
type Pin struct {
	// Identity is the package's identity in lower case, such as "swift-nio" or "mona.linkedlist".
	Identity string
	// Name is the name of the package, or "" if the file does not contain it.
	Name string
	Kind Kind
	// Location is a URL or path, or "" for a package in a registry. Mirrors are
	// not applied.
	Location string
	// Version is empty for a branch or a revision.
	Version, Branch, Revision string
}

// Chosen returns the version, the branch or the revision to which the package is pinned.
func (p *Pin) Chosen() string {
	switch {
	case p.Version != "":
		return p.Version
	case p.Branch != "":
		return p.Branch
	}
	return p.Revision
}

// These constants limit the files that this package reads.
const (
	maxFile = 16 << 20 // maximum size in bytes of one file
	maxPins = 20_000
)

var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

var errNoResolved = errors.New("it is not a Package.resolved of version 1, 2 or 3")

// state is the state of a pin in Package.resolved, and of a checkout in
// workspace-state.json.
type state struct {
	Branch   string `json:"branch"`
	Revision string `json:"revision"`
	Version  string `json:"version"`
}

// parseResolved parses a Package.resolved of version 1, 2 or 3.
func parseResolved(data []byte) ([]Pin, error) {
	var file struct {
		Version int `json:"version"`
		Object  struct {
			Pins []struct {
				Package string `json:"package"`
				URL     string `json:"repositoryURL"`
				State   state  `json:"state"`
			} `json:"pins"`
		} `json:"object"`
		Pins []struct {
			Identity string `json:"identity"`
			Kind     Kind   `json:"kind"`
			Location string `json:"location"`
			State    state  `json:"state"`
		} `json:"pins"`
	}
	if err := json.Unmarshal(data, &file, lenient); err != nil {
		return nil, errNoResolved
	}
	var pins []Pin
	switch file.Version {
	case 1:
		for _, p := range file.Object.Pins {
			kind := Remote
			if isPath(p.URL) {
				kind = Local
			}
			pins = append(pins, Pin{
				Identity: Identity(p.URL), Name: p.Package, Kind: kind, Location: p.URL,
				Version: p.State.Version, Branch: p.State.Branch, Revision: p.State.Revision,
			})
		}
	case 2, 3:
		for _, p := range file.Pins {
			pins = append(pins, Pin{
				Identity: p.Identity, Kind: p.Kind, Location: p.Location,
				Version: p.State.Version, Branch: p.State.Branch, Revision: p.State.Revision,
			})
		}
	default:
		return nil, errNoResolved
	}
	if len(pins) > maxPins {
		return nil, fmt.Errorf("it has more than %d packages", maxPins)
	}
	seen := map[string]bool{}
	for _, p := range pins {
		if p.Identity == "" || p.Chosen() == "" {
			return nil, errNoResolved
		}
		if seen[p.Identity] {
			return nil, fmt.Errorf("it has two entries for %.100q", p.Identity)
		}
		seen[p.Identity] = true
	}
	return pins, nil
}

// isPath reports whether a location is an absolute path.
func isPath(location string) bool {
	return len(location) > 0 && (location[0] == '/' || len(location) > 2 && location[1] == ':' && (location[2] == '\\' || location[2] == '/'))
}
