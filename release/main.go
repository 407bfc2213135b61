// Release builds everything that a release of docent publishes, from manifest.json, in one
// directory: archives, deb and rpm packages, an OCI image, npm packages, Python wheels, MCPB
// bundles, the entry for the MCP registry, plugins for agents, a Homebrew formula and a Scoop
// manifest, SBOMs for the binaries, and finally the checksums and the provenance of all files. It
// does not publish anything.
//
// The same commit produces the same bytes: all times are the time of the commit, and no step
// depends on the machine.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	root := flag.String("root", "..", "directory of docent's module")
	out := flag.String("out", "../dist", "directory for the release; it is emptied first")
	tag := flag.String("version", "", "tag of the release, such as v1.2.3; empty for a trial")
	ldflags := flag.String("ldflags", "", "additional linker flags")
	flag.Parse()
	if err := run(*root, *out, *tag, *ldflags); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// Release is one release while it is built.
type Release struct {
	*Manifest
	Version Version
	Root    string    // directory of docent's module
	Out     string    // directory that files are written to
	Time    time.Time // time of the commit
	Commit  string
	ldflags string

	binaries map[Platform]*Binary
	team     map[Platform]*Binary // docent-team, for Linux
	extras   []entry              // README, licence, completions and manual page
}

func run(root, out, tag, ldflags string) error {
	m, err := readManifest()
	if err != nil {
		return err
	}
	v, err := parseVersion(tag)
	if err != nil {
		return err
	}
	if root, err = filepath.Abs(root); err != nil {
		return err
	}
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	r := &Release{Manifest: m, Version: v, Root: root, Out: out, ldflags: ldflags}
	if err := r.readCommit(); err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(out, 0o755)); err != nil {
		return err
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"binaries", r.build},
		{"archives", r.archives},
		{"deb and rpm", r.linuxPackages},
		{"images", r.images},
		{"npm", r.npm},
		{"wheels", r.wheels},
		{"MCPB", r.bundles},
		{"Homebrew and Scoop", r.formulas},
		{"MCP registry", r.registryEntry},
		{"plugins", r.plugins},
		{"SBOM", r.sboms},
		{"checksums", r.checksums},
	} {
		begun := time.Now()
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Printf("%-20s %5.1f s\n", step.name, time.Since(begun).Seconds())
	}
	return r.summary()
}

// readCommit sets the commit and its time. Outside a checkout, the time is SOURCE_DATE_EPOCH or
// 1980, the earliest year that zip files support.
func (r *Release) readCommit() error {
	r.Time = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	out, err := exec.Command("git", "-C", r.Root, "log", "-1", "--format=%H %ct").Output()
	if err == nil {
		commit, seconds, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
		unix, err := strconv.ParseInt(seconds, 10, 64)
		if err != nil {
			return err
		}
		r.Commit, r.Time = commit, time.Unix(unix, 0).UTC()
	}
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		unix, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
		}
		r.Time = time.Unix(unix, 0).UTC()
	}
	return nil
}

// write writes a file of the release.
func (r *Release) write(name string, data []byte) error {
	file := filepath.Join(r.Out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// summary prints the files with their sizes.
func (r *Release) summary() error {
	return r.eachFile(func(name string, data []byte) error {
		fmt.Printf("%10d  %s\n", len(data), name)
		return nil
	})
}
