package main

import (
	"bytes"
	"debug/macho"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/mutate"
)

func TestVersion_Forms(t *testing.T) {
	tests := []struct{ tag, semver, pep440 string }{
		{"", "0.0.0-dev", "0.0.0.dev0"},
		{"v1.2.3", "1.2.3", "1.2.3"},
		{"v1.2.3-rc.1", "1.2.3-rc.1", "1.2.3rc1"},
		{"v1.2.3-alpha.4", "1.2.3-alpha.4", "1.2.3a4"},
		{"v1.2.3-beta.10", "1.2.3-beta.10", "1.2.3b10"},
	}
	for _, tt := range tests {
		if v, err := parseVersion(tt.tag); err != nil || v.SemVer != tt.semver || v.PEP440 != tt.pep440 {
			t.Errorf("%q: %+v, %v", tt.tag, v, err)
		}
	}
	for _, tag := range []string{"1.2.3", "v1.2", "v1.2.3-5-gabcdef", "v1.2.3-dirty", "v1.2.3\n"} {
		if v, err := parseVersion(tag); err == nil {
			t.Errorf("%q: %+v", tag, v)
		}
	}
}

func TestManifest_EveryPlatformHasAWheel(t *testing.T) {
	m, err := readManifest()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range m.platforms() {
		if wheelTags[p] == "" {
			t.Errorf("there is no wheel tag for %v", p)
		}
	}
}

func TestWorkflow_NamesAreThoseOfTheManifest(t *testing.T) {
	m, err := readManifest()
	if err != nil {
		t.Fatal(err)
	}
	workflow, err := os.ReadFile(filepath.Join("..", ".github", "workflows", "release.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"repository: " + m.Tap + ",", "repository: " + m.Bucket + ",", "repository: " + m.Plugins + ",", "dist/npm/" + m.NPM.Package + "-*", "dist/npm/" + m.Name + "-linux-*"} {
		if !strings.Contains(string(workflow), name) {
			t.Errorf("release.yml does not contain %q", name)
		}
	}
}

func TestUniversal_HoldsBothPrograms(t *testing.T) {
	// The header of a program without load commands.
	program := func(cpu, subtype byte) []byte {
		return []byte{0xcf, 0xfa, 0xed, 0xfe, cpu, 0, 0, 1, subtype, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	}
	fat, err := macho.NewFatFile(bytes.NewReader(universal(program(7, 3), program(12, 0))))
	if err != nil || len(fat.Arches) != 2 || fat.Arches[0].Cpu != macho.CpuAmd64 || fat.Arches[1].Cpu != macho.CpuArm64 {
		t.Errorf("%+v, %v", fat, err)
	}
}

func TestImages_RunTheirCommands(t *testing.T) {
	m, err := readManifest()
	if err != nil {
		t.Fatal(err)
	}
	r := &Release{Manifest: m, Version: Version{SemVer: "1.2.3"}, Out: t.TempDir(), binaries: map[Platform]*Binary{}, team: map[Platform]*Binary{}}
	for _, p := range m.platforms() {
		r.binaries[p], r.team[p] = &Binary{p, []byte("docent")}, &Binary{p, []byte("docent-team")}
	}
	if err := r.images(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{"docent": {"/usr/bin/docent", "serve"}, "docent-team": {"/usr/bin/docent-team"}} {
		packed, err := os.ReadFile(filepath.Join(r.Out, name+"-1.2.3-oci.tar"))
		if err != nil || len(packed) == 0 {
			t.Fatal(err)
		}
		image, err := r.imageOf(m.platforms()[0], name, want[1:], []byte(name))
		if err != nil {
			t.Fatal(err)
		}
		config, err := image.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Concat(config.Config.Entrypoint, config.Config.Cmd); !slices.Equal(got, want) {
			t.Errorf("%s runs %q", name, got)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(mutate.Extract(image)); err != nil || !strings.Contains(b.String(), "usr/bin/"+name+"\x00") {
			t.Errorf("%s does not contain its program: %v", name, err)
		}
	}
}
