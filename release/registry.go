package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	apiv0 "github.com/modelcontextprotocol/registry/pkg/api/v0"
	"github.com/modelcontextprotocol/registry/pkg/model"
)

// registryEntry writes the server.json that describes the release to the MCP registry.
func (r *Release) registryEntry() error {
	serve := []model.Argument{{Type: model.ArgumentTypePositional, InputWithVariables: model.InputWithVariables{Input: model.Input{Value: "serve"}}}}
	stdio := model.Transport{Type: "stdio"}
	server := apiv0.ServerJSON{
		Schema: model.CurrentSchemaURL, Name: r.Registry, Title: r.Title, Description: r.Description, Version: r.Version.SemVer,
		Repository: &model.Repository{URL: r.Repository, Source: "github"},
		Packages: []model.Package{
			{RegistryType: "npm", Identifier: r.NPM.Package, Version: r.Version.SemVer, RunTimeHint: "npx", Transport: stdio, PackageArguments: serve},
			{RegistryType: "pypi", Identifier: r.PyPI.Package, Version: r.Version.PEP440, RunTimeHint: "uvx", Transport: stdio, PackageArguments: serve},
			{RegistryType: "oci", Identifier: r.Image + ":" + r.Version.SemVer, RunTimeHint: "docker", Transport: stdio, PackageArguments: serve},
		},
	}
	for _, os := range []string{"darwin", "windows", "linux-amd64", "linux-arm64"} {
		sum, err := r.sum("mcpb/" + r.mcpbFile(os))
		if err != nil {
			return err
		}
		server.Packages = append(server.Packages, model.Package{
			RegistryType: "mcpb", Identifier: r.download(r.Version, r.mcpbFile(os)), Version: r.Version.SemVer, FileSHA256: sum, Transport: stdio,
		})
	}
	data, err := json.MarshalIndent(server, "", "  ")
	if err != nil {
		return err
	}
	return r.write("server.json", append(data, '\n'))
}

// sum returns the SHA-256 of a file of the release.
func (r *Release) sum(name string) (string, error) {
	data, err := os.ReadFile(filepath.Join(r.Out, filepath.FromSlash(name)))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}
