// Package environ reads environment variables, of the process or of a test.
package environ

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Env maps names of variables to values. If the operating system ignores the case of names, they
// are in upper case, and Get and Lookup accept any case.
type Env map[string]string

// Parse parses strings of the form "NAME=value". If a name occurs several times, its last value is
// used. If list is nil, Parse returns the environment of the process.
func Parse(list []string) Env {
	if list == nil {
		list = os.Environ()
	}
	e := make(Env, len(list))
	for _, text := range list {
		// Windows has variables such as "=C:", whose names begin with "=".
		if name, value, ok := strings.Cut(text, "="); ok && name != "" {
			e[key(name)] = value
		}
	}
	return e
}

// key returns name in the form in which the operating system compares names.
func key(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// Get returns the value of a variable, or "" if it is not set.
func (e Env) Get(name string) string { return e[key(name)] }

// Lookup returns the value of a variable and whether it is set.
func (e Env) Lookup(name string) (value string, ok bool) {
	value, ok = e[key(name)]
	return value, ok
}

// Names returns the names of all variables, sorted.
func (e Env) Names() []string { return slices.Sorted(maps.Keys(e)) }

// List returns the environment for os/exec: "NAME=value", sorted by name.
func (e Env) List() []string {
	list := make([]string, 0, len(e))
	for _, name := range e.Names() {
		list = append(list, name+"="+e[name])
	}
	return list
}

// Offline reports whether DOCENT_OFFLINE forbids network access.
func (e Env) Offline() bool {
	v := e.Get("DOCENT_OFFLINE")
	return v != "" && v != "0"
}

// Home returns the user's home directory, or "" if the environment has none.
func (e Env) Home() string {
	dir := e.Get("HOME")
	switch runtime.GOOS {
	case "windows":
		dir = e.Get("USERPROFILE")
	case "plan9":
		dir = e.Get("home")
	}
	if !filepath.IsAbs(dir) {
		return ""
	}
	return dir
}

// ConfigDir returns the directory for the user's settings, as os.UserConfigDir does, or
// "" if the environment has none.
func (e Env) ConfigDir() string {
	switch runtime.GOOS {
	case "windows":
		return e.Get("AppData")
	case "darwin", "ios":
		return Below(e.Home(), "Library", "Application Support")
	case "plan9":
		return Below(e.Home(), "lib")
	}
	if dir := e.Get("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return Below(e.Home(), ".config")
}

// Below joins elements to a directory. If dir is "", it returns "".
func Below(dir string, elements ...string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(append([]string{dir}, elements...)...)
}

// LookPath returns the path of a program in PATH, or "" if there is none. It skips
// relative directories and node_modules, because a project determines their contents.
func (e Env) LookPath(name string) string {
	endings := []string{""}
	if runtime.GOOS == "windows" {
		endings = []string{".exe", ".cmd"}
	}
	for _, dir := range filepath.SplitList(e.Get("PATH")) {
		if !filepath.IsAbs(dir) || strings.HasSuffix(filepath.ToSlash(filepath.Clean(dir)), "node_modules/.bin") {
			continue
		}
		for _, ending := range endings {
			file := filepath.Join(dir, name+ending)
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && (ending != "" || info.Mode()&0o111 != 0) {
				return file
			}
		}
	}
	return ""
}
