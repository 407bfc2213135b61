package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Manifest describes the contents of a release. It contains all names that belong to an account
// somewhere.
type Manifest struct {
	Name        string   `json:"name"` // name of the command
	Title       string   `json:"title"`
	Description string   `json:"description"`
	License     string   `json:"license"` // SPDX
	Repository  string   `json:"repository"`
	Maintainer  string   `json:"maintainer"`
	Platforms   []string `json:"platforms"` // GOOS/GOARCH
	NPM         struct {
		Package string `json:"package"`
		Scope   string `json:"scope"` // npm scope of the platform packages
	} `json:"npm"`
	PyPI struct {
		Package string `json:"package"`
	} `json:"pypi"`
	Image    string `json:"image"`    // name of the OCI image
	Registry string `json:"registry"` // name in the MCP registry
	Tap      string `json:"tap"`      // repository of the Homebrew formula
	Bucket   string `json:"bucket"`   // repository of the Scoop manifest
	Plugins  string `json:"plugins"`  // repository of the plugins for agents
}

//go:embed manifest.json
var manifestJSON []byte

func readManifest() (*Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(manifestJSON, &m); err != nil {
		return nil, errors.Join(errors.New("manifest.json cannot be read"), err)
	}
	return &m, nil
}

// Version is the version of a release in the forms that the channels require.
type Version struct {
	Tag    string // v1.2.3, or empty for a build without a tag
	SemVer string // 1.2.3
	PEP440 string // 1.2.3
}

// versionTag is a tag of a release: pre-releases are -alpha.N, -beta.N and -rc.N.
var versionTag = regexp.MustCompile(`^v(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.(\d+))?$`)

// parseVersion returns the forms of a tag. Without a tag, it returns a version for trials that is
// lower than all others.
func parseVersion(tag string) (Version, error) {
	if tag == "" {
		return Version{SemVer: "0.0.0-dev", PEP440: "0.0.0.dev0"}, nil
	}
	m := versionTag.FindStringSubmatch(tag)
	if m == nil {
		return Version{}, fmt.Errorf("the tag %q is not a version such as v1.2.3 or v1.2.3-rc.1", tag)
	}
	v := Version{Tag: tag, SemVer: strings.TrimPrefix(tag, "v"), PEP440: m[1]}
	if m[2] != "" {
		v.PEP440 += map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[m[2]] + m[3]
	}
	return v, nil
}

// Platform is an operating system and a processor architecture, with Go's names.
type Platform struct{ OS, Arch string }

func (m *Manifest) platforms() []Platform {
	var all []Platform
	for _, p := range m.Platforms {
		os, arch, _ := strings.Cut(p, "/")
		all = append(all, Platform{os, arch})
	}
	return all
}

// executable returns the name of the command's file on a platform.
func (p Platform) executable(name string) string {
	if p.OS == "windows" {
		return name + ".exe"
	}
	return name
}

// node returns the names that Node.js uses for the platform.
func (p Platform) node() (os, cpu string) {
	os, cpu = p.OS, p.Arch
	if os == "windows" {
		os = "win32"
	}
	if cpu == "amd64" {
		cpu = "x64"
	}
	return os, cpu
}

// download returns the address of a file of the release on the repository's host.
func (m *Manifest) download(v Version, file string) string {
	return m.Repository + "/releases/download/" + v.Tag + "/" + path.Base(file)
}
