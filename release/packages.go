package main

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// linuxPackages writes deb and rpm packages.
func (r *Release) linuxPackages() error {
	dir, err := os.MkdirTemp("", "docent-packages")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, p := range r.platforms() {
		if p.OS != "linux" {
			continue
		}
		man, err := gz(r.extra("man/docent.1"))
		if err != nil {
			return err
		}
		contents := []struct {
			source, target string
			data           []byte
			mode           os.FileMode
		}{
			{"docent", "/usr/bin/docent", r.binaries[p].Data, 0o755},
			{"docent.1.gz", "/usr/share/man/man1/docent.1.gz", man, 0o644},
			{"docent.bash", "/usr/share/bash-completion/completions/docent", r.extra("completions/docent.bash"), 0o644},
			{"_docent", "/usr/share/zsh/site-functions/_docent", r.extra("completions/_docent"), 0o644},
			{"docent.fish", "/usr/share/fish/vendor_completions.d/docent.fish", r.extra("completions/docent.fish"), 0o644},
			{"README.md", "/usr/share/doc/docent/README.md", r.extra("README.md"), 0o644},
			{"LICENSE", "/usr/share/doc/docent/copyright", r.extra("LICENSE"), 0o644},
		}
		info := &nfpm.Info{
			Name: r.Name, Arch: p.Arch, Platform: "linux", Version: r.Version.SemVer, VersionSchema: "semver", Release: "1",
			Section: "devel", Priority: "optional", Maintainer: r.Maintainer, Description: r.Description, Homepage: r.Repository, License: r.License, MTime: r.Time,
		}
		info.RPM.BuildHost = "localhost"
		for _, c := range contents {
			source := filepath.Join(dir, p.Arch+"-"+c.source)
			if err := os.WriteFile(source, c.data, c.mode); err != nil {
				return err
			}
			info.Contents = append(info.Contents, &files.Content{
				Source: source, Destination: c.target, FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: c.mode, MTime: r.Time},
			})
		}
		for _, format := range []string{"deb", "rpm"} {
			packager, err := nfpm.Get(format)
			if err != nil {
				return err
			}
			own := nfpm.WithDefaults(info)
			if err := nfpm.PrepareForPackager(own, format); err != nil {
				return err
			}
			var b bytes.Buffer
			if err := packager.Package(own, &b); err != nil {
				return err
			}
			if err := r.write(packager.ConventionalFileName(own), b.Bytes()); err != nil {
				return err
			}
		}
	}
	return nil
}
