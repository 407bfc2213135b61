package swiftpm

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
)

// Managed is a package that SwiftPM has fetched for a project, according to
// workspace-state.json.
type Managed struct {
	Pin
	// Subpath is the path of the directory below "checkouts" or "registry/downloads".
	Subpath string
	// Dir is the absolute path of the directory of a package that is specified by its path or is
	// edited there. It is empty for an edited package in the directory "Packages".
	Dir string
	// Edited is true if the user edits the package.
	Edited bool
}

var errNoState = errors.New("it is not a workspace-state.json of version 1 to 7")

// parseState parses a workspace-state.json of versions 1 to 7.
func parseState(data []byte) ([]Managed, error) {
	var file struct {
		Version int `json:"version"`
		Object  struct {
			Dependencies []struct {
				PackageRef struct {
					Identity string `json:"identity"`
					Kind     string `json:"kind"`
					Name     string `json:"name"`
					Path     string `json:"path"` // versions 1 to 4
					Location string `json:"location"`
				} `json:"packageRef"`
				State struct {
					Name          string `json:"name"`
					Path          string `json:"path"`
					Version       string `json:"version"`
					CheckoutState state  `json:"checkoutState"`
				} `json:"state"`
				Subpath string `json:"subpath"`
			} `json:"dependencies"`
		} `json:"object"`
	}
	if err := json.Unmarshal(data, &file, lenient); err != nil || file.Version < 1 || file.Version > newestState {
		return nil, errNoState
	}
	if len(file.Object.Dependencies) > maxPins {
		return nil, fmt.Errorf("it has more than %d packages", maxPins)
	}
	var all []Managed
	for _, d := range file.Object.Dependencies {
		m := Managed{Subpath: d.Subpath}
		m.Identity, m.Name, m.Location = d.PackageRef.Identity, d.PackageRef.Name, d.PackageRef.Location
		m.Location = cmp.Or(m.Location, d.PackageRef.Path)
		m.Version, m.Branch, m.Revision = d.State.CheckoutState.Version, d.State.CheckoutState.Branch, d.State.CheckoutState.Revision
		switch d.PackageRef.Kind {
		case "local", "root", string(Path):
			m.Kind = Path
		case "remote", string(Remote):
			m.Kind = Remote
		default:
			m.Kind = Kind(d.PackageRef.Kind)
		}
		switch d.State.Name {
		case "local", "fileSystem":
			m.Dir = cmp.Or(d.State.Path, m.Location)
		case "edited":
			m.Edited, m.Dir = true, d.State.Path
		case "registryDownload":
			m.Version = d.State.Version
		case "custom":
			m.Version, m.Dir = d.State.Version, d.State.Path
		}
		if m.Identity == "" {
			return nil, errNoState
		}
		all = append(all, m)
	}
	return all, nil
}

const newestState = 7 // newest supported version of workspace-state.json

var errNoMirrors = errors.New("it is not a mirrors.json of version 1")

// parseMirrors parses a mirrors.json into a map from locations to the mirrors that replace them. If
// a location has several mirrors, the first one is used.
func parseMirrors(data []byte) (map[string]string, error) {
	var file struct {
		Version int `json:"version"`
		Object  []struct {
			Original string `json:"original"`
			Mirror   string `json:"mirror"`
		} `json:"object"`
	}
	if err := json.Unmarshal(data, &file, lenient); err != nil || file.Version != 1 || len(file.Object) > maxPins {
		return nil, errNoMirrors
	}
	mirrors := map[string]string{}
	for _, m := range file.Object {
		if m.Original == "" || m.Mirror == "" {
			return nil, errNoMirrors
		}
		if _, ok := mirrors[m.Original]; !ok {
			mirrors[m.Original] = m.Mirror
		}
	}
	return mirrors, nil
}
