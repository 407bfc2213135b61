// Package cachedir keeps files that docent can have again: downloads, what
// registries said, packages that were read before.
//
// A Cache holds files by name. It checks a file whenever it is opened and
// removes one that is damaged, lets one of several processes fetch a file while
// the others wait for it, and removes what was not used for the longest time
// when all files together are too large. A language downloads a file so:
//
//	f, err := cache.Fetch(ctx, "npm/tarballs/"+hash, func(w *os.File) error {
//		return client.Save(ctx, request, w, check)
//	})
//
// Several processes may use one directory at once. A directory that another
// user may change is not used.
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
