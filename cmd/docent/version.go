package main

import (
	"runtime/debug"
	"sync"
)

// tag is the version of a release. The build sets it from the tag of the
// checkout (-ldflags "-X main.tag=v1.2.3"); it is empty in any other build.
var tag string

// version is the version of this binary: a release's tag, the version of "go
// install …@version", or "devel" with the commit if it is known.
var version = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(tag, info)
})

func versionOf(tag string, info *debug.BuildInfo) string {
	if tag != "" {
		return tag
	}
	if info == nil {
		return "devel"
	}
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit, fromCheckout := settings["vcs.revision"]
	switch {
	case fromCheckout:
		v := "devel-" + commit[:min(len(commit), 12)]
		if settings["vcs.modified"] == "true" {
			v += "-dirty"
		}
		return v
	case info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version
	}
	return "devel"
}
