package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// sboms writes a CycloneDX bill of materials for each binary, which lists the modules that the Go
// toolchain has recorded in it.
func (r *Release) sboms() error {
	for _, p := range r.platforms() {
		data, err := r.sbom(r.binaries[p])
		if err != nil {
			return err
		}
		if err := r.write("sbom/"+r.archiveName(p)+".cdx.json", data); err != nil {
			return err
		}
	}
	return nil
}

func (r *Release) sbom(b *Binary) ([]byte, error) {
	info, err := buildinfo.Read(bytes.NewReader(b.Data))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b.Data)
	main := component(&debug.Module{Path: info.Main.Path, Version: "v" + r.Version.SemVer})
	main.Type, main.Name = cdx.ComponentTypeApplication, r.Name
	main.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}}
	main.Licenses = &cdx.Licenses{{License: &cdx.License{ID: r.License}}}
	components := []cdx.Component{component(&debug.Module{Path: "std", Version: strings.TrimPrefix(info.GoVersion, "go")})}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		components = append(components, component(m))
	}
	bom := cdx.NewBOM()
	bom.SerialNumber = serial(sum)
	bom.Metadata = &cdx.Metadata{Timestamp: r.Time.Format(time.RFC3339), Component: &main}
	bom.Components = &components
	depends := make([]string, len(components))
	for i := range components {
		depends[i] = components[i].BOMRef
	}
	bom.Dependencies = &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &depends}}
	var out bytes.Buffer
	err = cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
	return out.Bytes(), err
}

func component(m *debug.Module) cdx.Component {
	url := "pkg:golang/" + m.Path + "@" + m.Version
	return cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: url}
}

// serial returns a UUID that depends only on the binary.
func serial(sum [32]byte) string {
	id := sum[:16]
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // The UUID has version 8, whose content the application defines.
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// checksums writes the checksums of all files, and a statement of provenance about them,
// which the workflow that publishes the release signs.
func (r *Release) checksums() error {
	type digest struct {
		SHA256 string `json:"sha256"`
	}
	type subject struct {
		Name   string `json:"name"`
		Digest digest `json:"digest"`
	}
	var list strings.Builder
	var subjects []subject
	err := r.eachFile(func(name string, data []byte) error {
		sum := sha256.Sum256(data)
		hash := hex.EncodeToString(sum[:])
		fmt.Fprintf(&list, "%s  %s\n", hash, name)
		subjects = append(subjects, subject{name, digest{hash}})
		return nil
	})
	if err != nil {
		return err
	}
	if err := r.write("SHA256SUMS", []byte(list.String())); err != nil {
		return err
	}
	statement, err := json.MarshalIndent(map[string]any{
		"_type": "https://in-toto.io/Statement/v1", "subject": subjects, "predicateType": "https://slsa.dev/provenance/v1",
		"predicate": map[string]any{
			"buildDefinition": map[string]any{
				"buildType":          r.Repository + "/blob/main/release/README.md",
				"externalParameters": map[string]string{"version": r.Version.Tag},
				"resolvedDependencies": []any{map[string]any{
					"uri": "git+" + r.Repository, "digest": map[string]string{"gitCommit": r.Commit},
				}},
			},
			"runDetails": map[string]any{
				"builder":  map[string]string{"id": r.Repository + "/.github/workflows/release.yml"},
				"metadata": map[string]string{"startedOn": r.Time.Format(time.RFC3339)},
			},
		},
	}, "", "  ")
	if err != nil {
		return err
	}
	return r.write("provenance.intoto.json", append(statement, '\n'))
}

// eachFile calls visit for every file of the release, in the order of their names.
func (r *Release) eachFile(visit func(name string, data []byte) error) error {
	return filepath.WalkDir(r.Out, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return visit(filepath.ToSlash(strings.TrimPrefix(file, r.Out+string(filepath.Separator))), data)
	})
}
