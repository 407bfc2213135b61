package swiftpm

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/internal/yaml"
)

// Pod is a pod of a Podfile.lock, with its subspecs.
type Pod struct {
	Name, Version string
	// Subspecs are the parts of the pod that are used, such as "Core" and "Auth/Public".
	Subspecs []string
	// Direct is true if the Podfile itself lists it.
	Direct bool
	// Path is the directory of a pod that is developed locally, as written in the file. It is
	// relative to the Podfile.
	Path string
	// Git is the URL of the repository, and Commit the commit, of a pod that comes from a
	// git repository.
	Git, Commit string
	// Checksum is the checksum of the pod's specification.
	Checksum string
}

var errNoPods = errors.New("it is not a Podfile.lock")

// parsePods parses a Podfile.lock.
func parsePods(ctx context.Context, data []byte) ([]Pod, error) {
	var pods []Pod
	byName := map[string]int{}
	known := false
	pod := func(name string) *Pod {
		top, _, _ := strings.Cut(name, "/")
		i, ok := byName[top]
		if !ok {
			return nil
		}
		return &pods[i]
	}
	add := func(entry string) error {
		name, version, ok := strings.Cut(entry, " (")
		version, closed := strings.CutSuffix(version, ")")
		if !ok || !closed {
			return errNoPods
		}
		top, subspec, _ := strings.Cut(name, "/")
		if top == "" {
			return errNoPods
		}
		i, ok := byName[top]
		if !ok {
			if len(pods) >= maxPins {
				return fmt.Errorf("it has more than %d pods", maxPins)
			}
			i = len(pods)
			byName[top] = i
			pods = append(pods, Pod{Name: top, Version: version})
		}
		if subspec != "" {
			pods[i].Subspecs = append(pods[i].Subspecs, subspec)
		}
		return nil
	}
	external := func(r *yaml.Reader) error {
		return r.Fields(func(name string) error {
			p := pod(name)
			return r.Fields(func(field string) error {
				text, err := r.Text()
				if p == nil || err != nil {
					return err
				}
				switch strings.TrimPrefix(field, ":") {
				case "path":
					p.Path = text
				case "git":
					p.Git = text
				case "commit":
					p.Commit = text
				}
				return nil
			})
		})
	}
	err := yaml.Read(ctx, data, func(r *yaml.Reader) error {
		return r.Fields(func(section string) error {
			switch section {
			case "PODS":
				known = true
				return r.Items(func() error {
					if kind, err := r.Kind(); err != nil || kind == yaml.Scalar {
						entry, failed := r.Text()
						if err = errors.Join(err, failed); err != nil {
							return err
						}
						return add(entry)
					}
					return r.Fields(func(entry string) error { return add(entry) })
				})
			case "DEPENDENCIES":
				return r.Items(func() error {
					entry, err := r.Text()
					name, _, _ := strings.Cut(entry, " (")
					if p := pod(name); p != nil {
						p.Direct = true
					}
					return err
				})
			case "EXTERNAL SOURCES", "CHECKOUT OPTIONS":
				return external(r)
			case "SPEC CHECKSUMS":
				return r.Fields(func(name string) error {
					sum, err := r.Text()
					if p := pod(name); p != nil {
						p.Checksum = sum
					}
					return err
				})
			}
			return nil
		})
	})
	if err == nil && !known {
		err = errNoPods
	}
	return pods, err
}
