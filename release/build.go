package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Binary is the command for one platform.
type Binary struct {
	Platform
	Data []byte
}

// build compiles the command for every platform, and generates completions and the manual page with
// the binary for this machine.
func (r *Release) build() error {
	r.binaries = map[Platform]*Binary{}
	dir, err := os.MkdirTemp("", "docent-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r.team = map[Platform]*Binary{}
	for _, p := range r.platforms() {
		if r.binaries[p], err = r.compile(p, filepath.Join(dir, p.OS+"-"+p.Arch), r.Root, "./cmd/docent", "-mod=vendor"); err != nil {
			return err
		}
		if p.OS != "linux" {
			continue
		}
		if r.team[p], err = r.compile(p, filepath.Join(dir, "team-"+p.Arch), filepath.Join(r.Root, "team"), "./cmd/docent-team", "-mod=readonly"); err != nil {
			return err
		}
	}
	host := filepath.Join(dir, runtime.GOOS+"-"+runtime.GOARCH)
	if _, err := os.Stat(host); err != nil {
		return fmt.Errorf("the release has no binary for this machine, which is needed to generate completions and the manual page")
	}
	return r.readExtras(host)
}

// compile compiles a command of the module in a directory.
func (r *Release) compile(p Platform, file, module, command, flags string) (*Binary, error) {
	linker := "-s -w " + r.ldflags
	if r.Version.Tag != "" {
		linker += " -X main.tag=" + r.Version.Tag
	}
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=auto", "-ldflags", linker, "-o", file, command)
	cmd.Dir, cmd.Stderr = module, os.Stderr
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.OS, "GOARCH="+p.Arch, "GOFLAGS="+flags, "GOWORK=off")
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s for %s/%s: %w", command, p.OS, p.Arch, err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return &Binary{p, data}, nil
}

// readExtras collects the files that archives and packages contain in addition to the binary.
func (r *Release) readExtras(docent string) error {
	for _, name := range []string{"README.md", "LICENSE", "CHANGELOG.md"} {
		data, err := os.ReadFile(filepath.Join(r.Root, name))
		if err != nil {
			return err
		}
		r.extras = append(r.extras, entry{name: name, data: data, mode: 0o644})
	}
	for _, generated := range []struct {
		name string
		args []string
	}{
		{"completions/docent.bash", []string{"completion", "bash"}},
		{"completions/_docent", []string{"completion", "zsh"}},
		{"completions/docent.fish", []string{"completion", "fish"}},
		{"completions/docent.ps1", []string{"completion", "powershell"}},
		{"man/docent.1", []string{"man"}},
	} {
		var out bytes.Buffer
		cmd := exec.Command(docent, generated.args...)
		cmd.Stdout, cmd.Stderr = &out, os.Stderr
		cmd.Env = append(os.Environ(), "DOCENT_OFFLINE=1")
		if err := cmd.Run(); err != nil || out.Len() == 0 {
			return fmt.Errorf("docent %v printed %d bytes: %w", generated.args, out.Len(), err)
		}
		r.extras = append(r.extras, entry{name: generated.name, data: out.Bytes(), mode: 0o644})
	}
	return nil
}

// extra returns one of the files that accompany the binary.
func (r *Release) extra(name string) []byte {
	for _, e := range r.extras {
		if e.name == name {
			return e.data
		}
	}
	panic("the release has no " + name)
}
