package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed shim.cjs
var shim []byte

// npm writes the npm packages: one for each platform with the binary, and the main package, which
// has them as optional dependencies, so that npm installs the right one. No package has an install
// script.
func (r *Release) npm() error {
	optional := map[string]string{}
	for _, p := range r.platforms() {
		os, cpu := p.node()
		name := r.NPM.Scope + "/" + os + "-" + cpu
		optional[name] = r.Version.SemVer
		manifest := r.packageJSON(name, r.Description+" ("+os+" "+cpu+")")
		manifest["os"], manifest["cpu"] = []string{os}, []string{cpu}
		manifest["files"] = []string{"bin"}
		file := "bin/" + p.executable(r.Name)
		manifest["exports"] = map[string]string{"./" + file: "./" + file}
		err := r.npmPackage(r.Name+"-"+os+"-"+cpu, manifest,
			entry{name: file, data: r.binaries[p].Data, mode: 0o755},
			entry{name: "README.md", data: fmt.Appendf(nil, "The binary of [%s](%s) for %s %s. Install `%s` instead.\n", r.Title, r.Repository, os, cpu, r.NPM.Package), mode: 0o644})
		if err != nil {
			return err
		}
	}
	manifest := r.packageJSON(r.NPM.Package, r.Description)
	manifest["bin"] = map[string]string{r.Name: "bin/docent.cjs"}
	manifest["files"] = []string{"bin"}
	manifest["optionalDependencies"] = optional
	manifest["engines"] = map[string]string{"node": ">=18"}
	manifest["mcpName"] = r.Registry // The MCP registry requires this proof of ownership.
	manifest["keywords"] = []string{"mcp", "mcp-server", "documentation", "agents"}
	return r.npmPackage(r.NPM.Package, manifest,
		entry{name: "bin/docent.cjs", data: bytes.ReplaceAll(shim, []byte("@SCOPE"), []byte(r.NPM.Scope)), mode: 0o755},
		entry{name: "README.md", data: r.extra("README.md"), mode: 0o644})
}

func (r *Release) packageJSON(name, description string) map[string]any {
	return map[string]any{
		"name": name, "version": r.Version.SemVer, "description": description, "license": r.License,
		"homepage": r.Repository, "repository": map[string]string{"type": "git", "url": "git+" + r.Repository + ".git"},
	}
}

// npmPackage writes a tarball as npm pack does.
func (r *Release) npmPackage(file string, manifest map[string]any, files ...entry) error {
	data, err := json.MarshalIndent(manifest, "", "  ")
	if err != nil {
		return err
	}
	all := []entry{{name: "package/package.json", data: append(data, '\n'), mode: 0o644}, {name: "package/LICENSE", data: r.extra("LICENSE"), mode: 0o644}}
	for _, f := range files {
		f.name = "package/" + f.name
		all = append(all, f)
	}
	packed, err := tarGz(all, r.Time)
	if err != nil {
		return err
	}
	return r.write("npm/"+file+"-"+r.Version.SemVer+".tgz", packed)
}
