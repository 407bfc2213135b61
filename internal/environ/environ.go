// Package environ is the environment that languages find their settings in: the
// process's own, or one that a test has made.
package environ

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Env holds variables by name. Names are in upper case where the operating
// system ignores case; Get takes care of that.
type Env map[string]string

// Of reads "NAME=value" texts, of which the last of a name counts. Nil is the
// environment of the process.
func Of(list []string) Env {
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

// key is a name as the operating system compares it.
func key(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// Get is the value of a variable, empty if it is not set.
func (e Env) Get(name string) string { return e[key(name)] }

// Lookup also reports whether the variable is set.
func (e Env) Lookup(name string) (value string, ok bool) {
	value, ok = e[key(name)]
	return value, ok
}

// Names are the names of all variables in order, capitals first.
func (e Env) Names() []string { return slices.Sorted(maps.Keys(e)) }

// List is the environment as programs are given it, in the order of names.
func (e Env) List() []string {
	list := make([]string, 0, len(e))
	for _, name := range e.Names() {
		list = append(list, name+"="+e[name])
	}
	return list
}

// Offline reports whether DOCENT_OFFLINE keeps docent away from the network.
func (e Env) Offline() bool {
	v := e.Get("DOCENT_OFFLINE")
	return v != "" && v != "0"
}

// Home is the user's home directory, empty if the environment does not say.
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

// ConfigDir is where programs keep the user's settings, empty if the
// environment does not say.
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

// Below joins elements to a directory, unless that is empty.
func Below(dir string, elements ...string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(append([]string{dir}, elements...)...)
}

// LookPath finds a program in PATH, empty if it is not there. It leaves out
// relative directories, which are not the user's, and programs that packages of
// a project bring along.
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
