package setup

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/environ"
)

// Machine is the computer that hosts run on.
type Machine struct {
	OS  string // as runtime.GOOS
	Env environ.Env
}

func (m Machine) home() string {
	if m.OS == "windows" {
		return m.Env.Get("USERPROFILE")
	}
	return m.Env.Get("HOME")
}

func (p paths) forSystem(system string) []string {
	switch {
	case system == "darwin" && p.darwin != nil:
		return p.darwin
	case system == "windows" && p.windows != nil:
		return p.windows
	}
	return p.others
}

// expand returns the path of a template with forward slashes, or "" if a variable is not set.
// chosen reports whether a variable that the user has set determines it.
func (m Machine) expand(template, project string) (path string, chosen bool) {
	if rest, ok := strings.CutPrefix(template, "~/"); ok {
		if m.home() == "" {
			return "", false
		}
		return slashes(m.home()) + "/" + rest, false
	}
	if !strings.HasPrefix(template, "{") {
		return slashes(project) + "/" + template, false
	}
	name, rest, _ := strings.Cut(template, "}")
	if systems, ok := base()[name+"}"]; ok {
		templates := systems[m.OS]
		if templates == nil {
			templates = systems[""]
		}
		for _, t := range templates {
			if dir, _ := m.expand(t, project); dir != "" {
				return dir + rest, false
			}
		}
		return "", false
	}
	dir := slashes(m.Env.Get(strings.TrimPrefix(name, "{")))
	if dir == "" || m.OS != "windows" && !strings.HasPrefix(dir, "/") {
		return "", false
	}
	return strings.TrimSuffix(dir, "/") + rest, true
}

func slashes(path string) string { return strings.ReplaceAll(path, `\`, "/") }

// choose returns the path that the host uses, or "" if it uses none.
func (m Machine) choose(p paths, project string) string {
	first := ""
	for _, template := range p.forSystem(m.OS) {
		path, chosen := m.expand(template, project)
		if path == "" {
			continue
		}
		path = filepath.FromSlash(path)
		if chosen {
			return path
		}
		if _, err := os.Lstat(path); err == nil {
			return path
		}
		first = cmp.Or(first, path)
	}
	return first
}

// installed reports whether a host is on the machine.
func (m Machine) installed(h *host) bool {
	for _, template := range h.dirs {
		if path, _ := m.expand(template, ""); path != "" {
			if info, err := os.Stat(filepath.FromSlash(path)); err == nil && info.IsDir() {
				return true
			}
		}
	}
	return slices.ContainsFunc(h.commands, func(name string) bool { return m.Env.LookPath(name) != "" })
}

// stateDir is the directory for the record and the backups.
func (m Machine) stateDir() (string, error) {
	dir, _ := m.expand("{config}/docent", "")
	if dir == "" {
		return "", errors.New("the environment does not contain a home directory")
	}
	return filepath.FromSlash(dir), nil
}

// follow returns the file to which path leads through symbolic links. It fails if that file is
// outside root.
func follow(path, root string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return "", fmt.Errorf("%s is a symbolic link to a file that does not exist", path)
		}
		dir := filepath.Dir(path)
		if dir == path {
			return path, nil
		}
		parent, err := follow(dir, root)
		return filepath.Join(parent, filepath.Base(path)), err
	}
	if err != nil {
		return "", err
	}
	if real == filepath.Clean(path) {
		return path, nil
	}
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", err
	}
	// The root itself may be reached through a link.
	if below, err := filepath.Rel(root, path); err == nil && filepath.Join(realRoot, below) == real {
		return real, nil
	}
	if below, err := filepath.Rel(realRoot, real); err != nil || below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("%s is reached through a symbolic link to %s, outside %s", path, real, root)
	}
	return real, nil
}
