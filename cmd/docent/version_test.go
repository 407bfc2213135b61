package main

import (
	"encoding/json"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/teamserver/command"
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
			if got := command.Version(tt.tag, tt.info); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestVersion_JSON(t *testing.T) {
	got := docent("version", "--json")
	var v versionData
	if err := json.Unmarshal([]byte(got.out), &v); err != nil || got.code != exitOK {
		t.Fatalf("code %d, %v: %s", got.code, err, got.out)
	}
	if v.Version != version() || v.Toolchain != runtime.Version() || !slices.Contains(v.Revisions, "2026-07-28") || !slices.Contains(v.Languages, "npm") || v.Platform == "" {
		t.Errorf("%+v", v)
	}
}

func TestCommands_NamesThatAreClose(t *testing.T) {
	for line, want := range map[string]string{
		"descibe": "did you mean describe?", "serach zod x": "did you mean search?", "mcp tols": "did you mean tools?", "skills instal x": "did you mean install?",
	} {
		if got := docent(strings.Fields(line)...); got.code != exitUsage || !strings.Contains(got.err, want) {
			t.Errorf("docent %s: code %d: %s", line, got.code, got.err)
		}
	}
	if got := docent("xyzzy"); got.code != exitUsage || strings.Contains(got.err, "did you mean") {
		t.Errorf("code %d: %s", got.code, got.err)
	}
}

func TestCompletion_WithoutALanguage(t *testing.T) {
	t.Chdir(shop(t))
	for line, want := range map[string][]string{
		"describe": {"go\n", "npm\n", "till\n"}, "describe til": nil, "describe till": {"Till\tclass", "open\tfunc"}, "search npm": {"till\n"},
	} {
		args := append([]string{"__complete"}, append(strings.Fields(line), "")...)
		got := docent(args...)
		for _, w := range want {
			if !strings.Contains(got.out, w) {
				t.Errorf("docent %s <TAB> lacks %q:\n%s%s", line, w, got.out, got.err)
			}
		}
	}
}
