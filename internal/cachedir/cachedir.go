// Package cachedir caches files that docent can obtain again, such as downloads, registry responses
// and decoded packages.
//
// A Cache stores files by name. It verifies a file when it is opened and removes a damaged one. If
// several processes need a file, one of them fetches it while the others wait. The least recently
// used files are removed when the total size exceeds a maximum. A language downloads a file in this
// way:
//
//	f, err := cache.Fetch(ctx, "npm/tarballs/"+hash, func(w *os.File) error {
//		return client.Save(ctx, request, w, check)
//	})
//
// Several processes may share one directory. A directory that another user can
// change is not used.
package cachedir

import (
	"path/filepath"
	"runtime"
)

// Default returns docent's cache directory: DOCENT_CACHE, or else a directory below the one that
// os.UserCacheDir returns for that environment. It returns "" if there is neither.
func Default(getenv func(name string) string) string {
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
