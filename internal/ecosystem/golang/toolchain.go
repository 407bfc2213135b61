package golang

import (
	"go/version"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project"
)

// toolchain returns the installation whose standard library the project is
// built with. That is the installed Go, or a newer one in the module cache that
// is selected by go.mod, go.work or GOTOOLCHAIN.
func (f *finder) toolchain() toolchain {
	tool := toolchain{root: f.st.goroot, version: f.st.goVersion, why: "the installed Go"}
	want, by := f.requiredToolchain()
	if tool.root != "" && (want == "" || version.Compare(want, tool.version) <= 0) {
		return tool
	}
	if want != "" && f.onlyLocal() {
		tool.why += "; " + by + " requires " + want + ", which GOTOOLCHAIN=local does not allow"
		return tool
	}
	if root := f.downloadedToolchain(want); root != "" {
		return toolchain{root: root, version: want, why: by}
	}
	if want != "" {
		tool.why += "; " + by + " requires " + want + ", which is not on this machine"
	}
	return tool
}

// onlyLocal reports whether the user forbids any Go but the installed one. The
// default in an installation's go.env does not count, because a newer toolchain
// in the module cache was installed there on purpose.
func (f *finder) onlyLocal() bool {
	name, _, _ := strings.Cut(f.st.chosen("GOTOOLCHAIN"), "+")
	return name == "local"
}

// requiredToolchain returns the lowest version that the project and GOTOOLCHAIN
// require, and the name of the file or variable that requires it. The version is empty if the
// installed toolchain is new enough.
func (f *finder) requiredToolchain() (want, by string) {
	setting := f.st.get("GOTOOLCHAIN")
	if name, mode, _ := strings.Cut(setting, "+"); strings.HasPrefix(name, "go1") {
		want, by = name, "GOTOOLCHAIN"
		if mode == "" {
			return want, by
		}
	}
	if f.project == nil {
		return want, by
	}
	for _, v := range []string{f.project.Toolchain, "go" + f.project.Go} {
		if version.IsValid(v) && (want == "" || version.Compare(v, want) > 0) {
			want, by = v, f.project.Name()
		}
	}
	return want, by
}

// downloadedToolchain returns the GOROOT of a toolchain in the module cache or
// below ~/sdk, or "" if there is none.
func (f *finder) downloadedToolchain(name string) string {
	if !version.IsValid(name) {
		return ""
	}
	for _, dir := range []string{
		environ.Below(f.st.modCache, "golang.org", "toolchain@v0.0.1-"+name+toolchainSuffix),
		environ.Below(f.st.env.Home(), "sdk", name),
	} {
		if dir != "" && isGoroot(dir) {
			return dir
		}
	}
	return ""
}

const toolchainSuffix = "." + runtime.GOOS + "-" + runtime.GOARCH

// requestedToolchain returns the installation of the requested version.
func (f *finder) requestedToolchain() (toolchain, error) {
	tool := f.toolchain()
	ask := f.ask.version
	if ask == "" || !tool.inStd(f.ask.path) {
		return tool, nil
	}
	if ask == "latest" || ask == "upgrade" || ask == "patch" {
		tool.why += "; docent does not look for newer releases of Go"
		return tool, nil
	}
	want := "go" + strings.TrimPrefix(strings.TrimPrefix(ask, "go"), "v")
	if !version.IsValid(want) {
		return tool, invalid("%s is not a version of Go", clip(ask)).WithNext("use a version such as go1.26.0, or omit it")
	}
	if want == tool.version || want == version.Lang(want) && version.Lang(tool.version) == want {
		tool.why = "requested"
		return tool, nil
	}
	if root := f.downloadedToolchain(want); root != "" {
		return toolchain{root: root, version: want, why: "requested"}, nil
	}
	return tool, ecosystem.Fail(ecosystem.NotFound, "the standard library of %s is not on this machine", want).
		WithTried("GOROOT "+tool.root+", which is "+tool.version, "the module cache", "sdk in the home directory").
		WithNear(f.installedToolchains(tool)...).
		WithNext("install it with: go install golang.org/dl/%s@latest && %s download", want, want)
}

// installedToolchains lists the installations that requestedToolchain searches.
func (f *finder) installedToolchains(tool toolchain) []string {
	var list []string
	for _, name := range project.DirNames(environ.Below(f.st.modCache, "golang.org")) {
		if name, ok := strings.CutPrefix(name, "toolchain@v0.0.1-"); ok {
			if name, ok = strings.CutSuffix(name, toolchainSuffix); ok {
				list = append(list, name)
			}
		}
	}
	sdk := environ.Below(f.st.env.Home(), "sdk")
	for _, name := range project.DirNames(sdk) {
		if version.IsValid(name) && isGoroot(filepath.Join(sdk, name)) {
			list = append(list, name)
		}
	}
	if tool.root != "" {
		list = append(list, tool.version)
	}
	slices.SortFunc(list, version.Compare)
	return slices.Compact(list)
}
