package rust

import (
	"bufio"
	"cmp"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/cargoconf"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// buildDefault is the index of cargo's default registry on the machine where a release was built. The
// linker sets it. It is empty in other builds.
var buildDefault string

// defaultIndex is the index of the default registry.
type defaultIndex struct {
	index, from string
	stamp       project.Stamp
}

// addressed returns a source with the address of its index. For the default
// registry, the address is the one that cargo uses.
func (f *finder) addressed(s cargoconf.Source) (cargoconf.Source, error) {
	if s.Index != "" || !s.Default {
		if !s.Sparse {
			return s, ecosystem.Fail(ecosystem.Refused, "the index of the registry %s is a git repository, which docent does not support", cmp.Or(s.Name, s.Index)).
				WithNext("run cargo fetch to download its crates to this machine")
		}
		return s, nil
	}
	found := f.rs.findDefault(f.config.Home)
	if found.index == "" {
		return s, ecosystem.Fail(ecosystem.Unreachable, "no registry is known: neither cargo nor its caches are on this machine, and none is configured").
			WithTried(f.tried...).WithNext("configure one with replace-with under [source.crates-io] in cargo's config.toml")
	}
	s.Index, s.Sparse, s.From, s.User = found.index, true, found.from, true
	return s, nil
}

// findDefault returns the index of the default registry. It is found in the directories
// in which cargo keeps files of that registry, or else in the cargo executable. Otherwise
// it is the one recorded when docent was built.
func (rs *Rust) findDefault(home string) defaultIndex {
	rs.mu.Lock()
	known := rs.standard
	rs.mu.Unlock()
	if known != nil && project.StampOf(known.from) == known.stamp {
		return *known
	}
	found := rs.cachedDefault(home)
	if found.index == "" {
		found = rs.cargoDefault(home)
	}
	if found.index == "" {
		found = defaultIndex{index: buildDefault, from: "this build of docent"}
	}
	found.stamp = project.StampOf(found.from)
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.standard = &found
	return found
}

// cachedDefault reads the host of the default registry from the name of the
// directory with its index.
func (rs *Rust) cachedDefault(home string) defaultIndex {
	if home == "" {
		return defaultIndex{}
	}
	parent := filepath.Join(home, "registry", "index")
	for _, name := range slices.Backward(project.DirNames(parent)) {
		for _, hash := range defaultDirectories[:2] { // The other hash is for a git repository.
			if host, ok := strings.CutSuffix(name, hash); ok && strings.Contains(host, ".") && project.IsFile(filepath.Join(parent, name, "config.json")) {
				return defaultIndex{index: "https://" + host + "/", from: filepath.Join(parent, name)}
			}
		}
	}
	return defaultIndex{}
}

// sparseAddress finds the addresses of sparse indexes in the cargo executable.
var sparseAddress = lazyregexp.New(`sparse\+https://([a-z0-9-]{1,60}\.[a-z0-9.-]{2,60}/)`)

// maxProgram is the maximum number of bytes of the cargo executable that are searched.
const maxProgram = 128 << 20

// cargoDefault searches the cargo executable for the address of its index.
func (rs *Rust) cargoDefault(home string) defaultIndex {
	name := "cargo"
	if runtime.GOOS == "windows" {
		name = "cargo.exe"
	}
	var files []string
	if sysroot := rs.sysrootFor(""); sysroot.dir != "" {
		files = append(files, filepath.Join(sysroot.dir, "bin", name))
	}
	files = append(files, rs.env.LookPath("cargo"), environ.Below(home, "bin", name))
	for _, file := range files {
		if index := searchAddress(file); index != "" {
			return defaultIndex{index: index, from: file}
		}
	}
	return defaultIndex{}
}

// searchAddress returns the first address of a sparse index in an executable. It returns
// "" if there is none.
func searchAddress(file string) string {
	if file == "" || !project.IsFile(file) {
		return ""
	}
	f, err := rootfs.OpenAnywhere(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	reader := bufio.NewReaderSize(io.LimitReader(f, maxProgram), 1<<20)
	for {
		window, err := reader.Peek(1 << 20)
		for _, m := range sparseAddress().FindAllSubmatch(window, 10) {
			if !strings.Contains(string(m[1]), "example") {
				return "https://" + string(m[1])
			}
		}
		const overlap = 256
		if _, discarded := reader.Discard(max(len(window)-overlap, 1)); err != nil || discarded != nil {
			return ""
		}
	}
}
