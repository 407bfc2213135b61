package rust

import (
	"bufio"
	"cmp"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// standardCrates are the crates that come with the compiler.
var standardCrates = []string{"std", "core", "alloc", "proc_macro", "test"}

func isStandard(name string) bool { return slices.Contains(standardCrates, name) }

// sysroot is an installed toolchain.
type sysroot struct {
	name string // "1.95.0", "nightly-2026-01-01"; empty without rustup
	by   string // what selected the toolchain
	dir  string // empty if it is not installed
}

// sysrootFor returns the toolchain for a directory of a project, which is selected as rustup does.
func (rs *Rust) sysrootFor(dir string) sysroot {
	name, by := rs.toolchain(dir)
	if filepath.IsAbs(name) {
		return sysroot{name: name, by: by, dir: name}
	}
	if home := rs.rustupHome(); home != "" && name != "" {
		parent := filepath.Join(home, "toolchains")
		entries := project.DirNames(parent)
		for _, entry := range entries {
			if entry == name || strings.HasPrefix(entry, name+"-") && strings.HasSuffix(entry, hostTriple()) {
				return sysroot{name: name, by: by, dir: filepath.Join(parent, entry)}
			}
		}
		if len(entries) > 0 {
			return sysroot{name: name, by: by}
		}
	}
	// Without rustup, the compiler is in its sysroot.
	if file := rs.env.LookPath("rustc"); file != "" {
		if real, err := filepath.EvalSymlinks(file); err == nil && !strings.HasPrefix(filepath.Base(real), "rustup") {
			if dir := filepath.Dir(filepath.Dir(real)); isSysroot(dir) {
				return sysroot{by: file, dir: dir}
			}
			env := append(rs.env.List(), "RUSTUP_AUTO_INSTALL=0")
			return sysroot{by: file, dir: rs.wrapper.Directory(env, isSysroot, file, "--print", "sysroot")}
		}
	}
	return sysroot{name: name, by: by}
}

// version returns the version of the toolchain, also if it is not installed but its name is a version. It returns "" if the version is
// unknown.
func (s sysroot) version() string {
	if version := rustVersion(s.dir); version != "" || s.dir != "" {
		return version
	}
	if strings.Count(s.name, ".") == 1 { // the last patch release
		return s.name + ".0"
	}
	return s.name
}

// isSysroot reports whether a directory contains a toolchain.
func isSysroot(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "lib", "rustlib"))
	return err == nil && info.IsDir()
}

func (rs *Rust) rustupHome() string {
	return cmp.Or(rs.env.Get("RUSTUP_HOME"), environ.Below(rs.env.Home(), ".rustup"))
}

// toolchain returns the name of the toolchain for a directory, and the file or variable that
// specifies it.
func (rs *Rust) toolchain(dir string) (name, by string) {
	if name = rs.env.Get("RUSTUP_TOOLCHAIN"); name != "" {
		return name, "RUSTUP_TOOLCHAIN"
	}
	var settings struct {
		Default   string            `toml:"default_toolchain"`
		Overrides map[string]string `toml:"overrides"`
	}
	settingsFile := environ.Below(rs.rustupHome(), "settings.toml")
	if data, err := project.ReadSettings(settingsFile, maxManifest); err == nil {
		_ = toml.Unmarshal(data, &settings) // without valid settings there is no default
	}
	if dir != "" {
		for _, above := range project.Upwards(dir) {
			if name := settings.Overrides[above]; name != "" {
				return name, "the rustup override for " + above
			}
			for _, file := range []string{"rust-toolchain", "rust-toolchain.toml"} {
				path := filepath.Join(above, file)
				if data, err := project.ReadFile(path, maxManifest); err == nil {
					if name := parseToolchain(data, above); name != "" {
						return name, path
					}
				}
			}
		}
	}
	return settings.Default, settingsFile
}

// parseToolchain returns the toolchain in a rust-toolchain file, which has one
// line, or is TOML. It returns "" if the file is invalid.
func parseToolchain(data []byte, dir string) string {
	var f struct {
		Toolchain struct {
			Channel string `toml:"channel"`
			Path    string `toml:"path"`
		} `toml:"toolchain"`
	}
	if line := strings.TrimSpace(string(data)); !strings.ContainsAny(line, "\n[=") {
		return line
	}
	if toml.Unmarshal(data, &f) != nil {
		return ""
	}
	if f.Toolchain.Path != "" {
		return filepath.Join(dir, filepath.FromSlash(f.Toolchain.Path))
	}
	return f.Toolchain.Channel
}

// library returns the directory with the sources of the standard library, or "" if they
// are not installed.
func (rs *Rust) library(s sysroot) string {
	var dirs []string
	if s.dir != "" {
		dirs = append(dirs, filepath.Join(s.dir, "lib", "rustlib", "src", "rust", "library"))
	}
	if s.name == "" {
		dirs = append(dirs, rs.system("/usr/lib/rustlib/src/rust/library"), rs.system("/usr/src/rust/library"))
	}
	if src := rs.env.Get("RUST_SRC_PATH"); src != "" {
		dirs = append(dirs, src)
	}
	for _, dir := range dirs {
		if project.IsFile(filepath.Join(dir, "std", "src", "lib.rs")) {
			return dir
		}
	}
	return ""
}

// standard locates a crate that comes with the compiler.
func (f *finder) standard(name string) (*located, error) {
	key := "std:" + name
	if l := f.opened[key]; l != nil {
		return l, nil
	}
	s := f.rs.sysrootFor(f.ask.project)
	library := f.rs.library(s)
	if library == "" {
		toolchain := ""
		if s.name != "" {
			toolchain = " --toolchain " + s.name
		}
		return nil, ecosystem.Fail(ecosystem.NotFound, "the sources of the standard library, to which %s belongs, are not installed", name).
			WithTried(cmp.Or(s.dir, "the toolchain "+s.name)).WithNext("run rustup component add rust-src%s, or install your system's package rust-src", toolchain)
	}
	dir := filepath.Join(library, name)
	m, err := f.rs.manifest(dir)
	if err != nil {
		return nil, ecosystem.Fail(ecosystem.Unreadable, "the Cargo.toml of %s in %s cannot be read", name, dir).WithErr(err)
	}
	manifest := *m
	if m.Edition == "" || m.Edition == "2015" {
		manifest.Edition = "2024" // The actual edition is inherited from a manifest that is not installed.
	}
	// Modules such as core::arch and core::simd are in sibling directories.
	manifest.Lib.Path = path.Join(name, m.Lib.Path)
	l := &located{
		name: name, version: rustVersion(s.dir), locked: -1, standard: true, dir: library, manifest: &manifest,
		features: m.Enabled(nil, true), featuresBy: "by default",
		provenance: apidoc.Provenance{Source: "rust-src", Location: library, ChosenBy: cmp.Or(s.by, "the compiler in PATH"), Integrity: "not verified: docent used the files on this machine"},
	}
	f.opened[key] = l
	return l, nil
}

// channelManifest returns the file in the directory of a toolchain that states its version.
func channelManifest(dir string) string {
	return filepath.Join(dir, "lib", "rustlib", "multirust-channel-manifest.toml")
}

// rustVersion returns the version of a toolchain, or "" if its files do not state it.
func rustVersion(dir string) string {
	f, err := rootfs.OpenAnywhere(channelManifest(dir))
	if err != nil {
		return ""
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, 64<<20))
	in := false
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "[") {
			in = line == "[pkg.rust]"
			continue
		}
		if rest, ok := strings.CutPrefix(line, `version = "`); ok && in {
			version, _, _ := strings.Cut(rest, `"`)
			version, _, _ = strings.Cut(version, " ")
			return version
		}
	}
	return ""
}
