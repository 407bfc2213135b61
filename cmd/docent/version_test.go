package main

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	built := func(main string, settings ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: main}}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return info
	}
	const commit = "0123456789abcdef0123456789abcdef01234567"
	tests := []struct {
		name string
		tag  string
		info *debug.BuildInfo
		want string
	}{
		{"a release is its tag", "v1.2.3", built("v9.9.9", "vcs.revision", commit), "v1.2.3"},
		{"go install takes the module's version", "", built("v1.2.3"), "v1.2.3"},
		{"a checkout is devel with its commit", "", built("v1.2.4-0.20260101000000-0123456789ab", "vcs.revision", commit, "vcs.modified", "false"), "devel-0123456789ab"},
		{"a changed checkout says so", "", built("(devel)", "vcs.revision", commit, "vcs.modified", "true"), "devel-0123456789ab-dirty"},
		{"a build that knows nothing is devel", "", built("(devel)"), "devel"},
		{"a build without information is devel", "", nil, "devel"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := versionOf(tt.tag, tt.info); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
