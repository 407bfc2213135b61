package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"text/template"
)

//go:embed docent.rb.tmpl
var formula string

// formulas writes the Homebrew formula and the Scoop manifest.
func (r *Release) formulas() error {
	type build struct{ URL, SHA256 string }
	builds := map[string]build{}
	for _, p := range r.platforms() {
		sum, err := r.sum(r.archiveFile(p))
		if err != nil {
			return err
		}
		builds[p.OS+"_"+p.Arch] = build{r.download(r.Version, r.archiveFile(p)), sum}
	}
	t, err := template.New("formula").Parse(formula)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, map[string]any{"Release": r, "Builds": builds}); err != nil {
		return err
	}
	if err := r.write("homebrew/docent.rb", b.Bytes()); err != nil {
		return err
	}
	architecture := func(arch string) map[string]string {
		one := builds["windows_"+arch]
		return map[string]string{"url": one.URL, "hash": one.SHA256, "extract_dir": r.archiveName(Platform{"windows", arch})}
	}
	data, err := json.MarshalIndent(map[string]any{
		"version": r.Version.SemVer, "description": r.Description, "homepage": r.Repository, "license": r.License, "bin": "docent.exe",
		"architecture": map[string]any{"64bit": architecture("amd64"), "arm64": architecture("arm64")},
	}, "", "  ")
	if err != nil {
		return err
	}
	return r.write("scoop/docent.json", append(data, '\n'))
}
