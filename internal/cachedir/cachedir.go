// Package cachedir knows where docent keeps files that it can have again, and
// keeps that bounded in size.
package cachedir

import (
	"path/filepath"
	"runtime"
)

// Of is docent's directory below the user's cache directory, where that is
// os.UserCacheDir in an environment, or the one that DOCENT_CACHE names; empty
// if the environment does not say.
func Of(getenv func(name string) string) string {
	if dir := getenv("DOCENT_CACHE"); filepath.IsAbs(dir) {
		return dir
	}
	under := func(name string, elem ...string) string {
		dir := getenv(name)
		if !filepath.IsAbs(dir) {
			return ""
		}
		return filepath.Join(append(append([]string{dir}, elem...), "docent")...)
	}
	switch runtime.GOOS {
	case "windows":
		return under("LocalAppData")
	case "darwin", "ios":
		return under("HOME", "Library", "Caches")
	case "plan9":
		return under("home", "lib", "cache")
	}
	if dir := under("XDG_CACHE_HOME"); dir != "" {
		return dir
	}
	return under("HOME", ".cache")
}
