package npm

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/npmlock"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// manifestName is the name of the file that describes a package.
const manifestName = "package.json"

// license returns the licence that package.json declares, or else the text of the licence.
func (f *finder) license(ctx context.Context, l *located) ecosystem.License {
	read := func(name string) ([]byte, error) { return f.file(ctx, l, name) }
	data, err := read(manifestName)
	if err != nil {
		return ecosystem.License{}
	}
	return licenseIn(data, read)
}

var _ ecosystem.Licenser = (*NPM)(nil)

// License implements ecosystem.Licenser for packages without declarations, such as
// packages that contain a program for one platform.
func (n *NPM) License(ctx context.Context, projectDir string, u *ecosystem.Used) ecosystem.License {
	p, err := n.projects.Find(ctx, projectDir)
	if err != nil {
		return ecosystem.License{}
	}
	dir := filepath.Join(p.Root, "node_modules", filepath.FromSlash(u.Name))
	read := func(name string) ([]byte, error) {
		return project.ReadFS(rootfs.New(dir), name, ecosystem.MaxSourceFile)
	}
	data, err := read(manifestName)
	if err != nil {
		return ecosystem.License{}
	}
	if m, err := npmlock.ParseManifest(data); err != nil || m.Version != u.Version {
		return ecosystem.License{}
	}
	return licenseIn(data, read)
}

// licenseIn returns the information in package.json about the licence, or else the licence in the
// files that read returns.
func licenseIn(data []byte, read func(name string) ([]byte, error)) ecosystem.License {
	var m struct {
		License  json.RawMessage `json:"license"`
		Licenses json.RawMessage `json:"licenses"`
	}
	_ = json.Unmarshal(data, &m)
	names := append(licenseNames(m.License), licenseNames(m.Licenses)...)
	if len(names) == 0 || strings.HasPrefix(strings.ToUpper(names[0]), "SEE LICENSE IN") {
		return ecosystem.LicenseOf(read)
	}
	return ecosystem.License{Expression: strings.Join(names, " OR "), From: manifestName}
}

// licenseNames parses a licence in the forms that old and new packages use: a name, an
// object with a type, or a list of these.
func licenseNames(raw json.RawMessage) []string {
	var name string
	if json.Unmarshal(raw, &name) == nil && name != "" {
		return []string{name}
	}
	var object struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(raw, &object) == nil && object.Type != "" {
		return []string{object.Type}
	}
	var list []json.RawMessage
	var names []string
	if json.Unmarshal(raw, &list) == nil {
		for _, one := range list[:min(len(list), 10)] {
			if json.Unmarshal(one, &list) != nil { // A list must not contain another list.
				names = append(names, licenseNames(one)...)
			}
		}
	}
	return names
}
