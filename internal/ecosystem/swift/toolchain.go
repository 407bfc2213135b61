package swift

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/manifest"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project"
)

// standardModules are the modules of the toolchain and of Apple's SDKs that users
// look up most often.
var standardModules = strings.Fields(`Swift Foundation FoundationEssentials FoundationNetworking FoundationXML Dispatch _Concurrency Synchronization RegexBuilder
	_StringProcessing Observation Distributed Cxx XCTest Darwin Glibc Combine SwiftUI SwiftData UIKit AppKit CoreGraphics CoreData CryptoKit Network OSLog os
	MapKit AVFoundation StoreKit WidgetKit Charts Metal CoreML ARKit RealityKit WebKit PackageDescription ObjectiveC`)

func isStandard(name string) bool { return slices.Contains(standardModules, name) }

// sdks returns the directories with .swiftmodule directories, and the directories
// with frameworks, of the toolchains and SDKs on this machine.
func (sw *Swift) sdks(platform string) (modules, frameworks []string) {
	var roots []string // roots contains the root directories of SDKs.
	sdk := map[string]string{"macOS": "MacOSX", "iOS": "iPhoneOS", "tvOS": "AppleTVOS", "watchOS": "WatchOS", "visionOS": "XROS", "macCatalyst": "MacOSX"}[platform]
	developer := []string{sw.env.Get("DEVELOPER_DIR"), sw.system("/Applications/Xcode.app/Contents/Developer")}
	if sdk != "" {
		for _, dir := range developer {
			if filepath.IsAbs(dir) {
				roots = append(roots, filepath.Join(dir, "Platforms", sdk+".platform", "Developer", "SDKs", sdk+".sdk"))
			}
		}
		if sdk == "MacOSX" {
			roots = append(roots, sw.system("/Library/Developer/CommandLineTools/SDKs/MacOSX.sdk"))
		}
	}
	if dir := sw.env.Get("SDKROOT"); filepath.IsAbs(dir) {
		roots = append([]string{dir}, roots...)
	}
	for _, root := range roots {
		modules = append(modules, filepath.Join(root, "usr", "lib", "swift"))
		frameworks = append(frameworks, filepath.Join(root, "System", "Library", "Frameworks"))
	}
	for _, root := range sw.toolchains() {
		modules = append(modules, filepath.Join(root, "lib", "swift", strings.ToLower(platform)), filepath.Join(root, "lib", "swift_static", strings.ToLower(platform)))
	}
	return modules, frameworks
}

// system returns the path of a file of the operating system.
func (sw *Swift) system(path string) string { return filepath.Join(sw.root, path) }

// toolchains returns the "usr" directories of the toolchains on this machine.
func (sw *Swift) toolchains() []string {
	var dirs []string
	if file := sw.env.LookPath("swift"); file != "" {
		if real, err := filepath.EvalSymlinks(file); err == nil {
			dirs = append(dirs, filepath.Dir(filepath.Dir(real)))
		}
	}
	home := sw.env.Home()
	for _, parent := range []string{
		environ.Below(home, ".local", "share", "swiftly", "toolchains"), environ.Below(home, ".swiftly", "toolchains"), environ.Below(home, "Library", "Developer", "Toolchains"),
		sw.system("/Library/Developer/Toolchains"), sw.system("/opt"), sw.system("/usr/share"), sw.system("/usr/libexec"),
	} {
		if parent == "" {
			continue
		}
		for _, name := range slices.Backward(project.DirNames(parent)) {
			system := strings.HasSuffix(parent, "opt") || strings.HasSuffix(parent, "share") || strings.HasSuffix(parent, "libexec")
			if system && !strings.HasPrefix(name, "swift") {
				continue
			}
			for _, dir := range []string{filepath.Join(parent, name, "usr"), filepath.Join(parent, name)} {
				if project.IsDir(filepath.Join(dir, "lib", "swift")) {
					dirs = append(dirs, dir)
					break
				}
			}
		}
	}
	return append(dirs, sw.system("/usr"))
}

// standard locates a module of the toolchain or of an SDK by its interface. It
// returns nil if name is not the name of such a module.
func (f *finder) standard() (*located, error) {
	name := f.ask.name
	if name == "" || f.ask.below != "" || c99(name) != name || f.ask.version != "" {
		return nil, nil
	}
	modules, frameworks := f.sw.sdks(f.ask.platform)
	var dirs []string
	for _, dir := range modules {
		dirs = append(dirs, filepath.Join(dir, name+".swiftmodule"))
	}
	for _, dir := range frameworks {
		dirs = append(dirs, filepath.Join(dir, name+".framework", "Modules", name+".swiftmodule"))
	}
	for _, dir := range dirs {
		if file := f.interfaceIn(dir); file != "" {
			f.seen.Add(dir)
			l := &located{identity: name, version: interfaceVersion(filepath.Join(dir, file)), dir: dir, pod: true, manifest: &manifest.Manifest{}, key: filepath.Join(dir, file), interfaceFile: file}
			l.provenance = apidoc.Provenance{Source: "toolchain", Location: filepath.Join(dir, file), ChosenBy: "the toolchain or SDK on this machine", Integrity: "not verified: docent used the files on this machine"}
			return l, nil
		}
	}
	if !isStandard(name) {
		return nil, nil
	}
	return nil, ecosystem.Fail(ecosystem.NotFound, "the module %s is part of a Swift toolchain or of Apple's SDKs, but its interface was not found on this machine", name).
		WithTried(dirs[:min(len(dirs), maxNear)]...).WithNext("install a toolchain or Xcode, or set SDKROOT or DEVELOPER_DIR")
}

// interfaceIn returns the name of the textual interface in a .swiftmodule
// directory that best matches the architecture, or "" if there is none.
func (f *finder) interfaceIn(dir string) string {
	best, points := "", -1
	for _, name := range project.DirNames(dir) {
		base, ok := strings.CutSuffix(name, ".swiftinterface")
		if !ok || strings.HasSuffix(base, ".private") || strings.HasSuffix(base, ".package") {
			continue
		}
		n := 0
		arch := map[string]string{"amd64": "x86_64", "arm64": "arm64"}[f.ask.arch]
		if arch != "" && (strings.HasPrefix(base, arch) || arch == "arm64" && strings.HasPrefix(base, "aarch64")) {
			n++
		}
		if !strings.Contains(base, "simulator") && !strings.Contains(base, "macabi") {
			n += 2
		}
		if n > points {
			best, points = name, n
		}
	}
	return best
}

// interfaceVersion returns the version of the compiler that wrote an interface.
// It returns "toolchain" if the file does not specify one, and "" if it cannot be
// read.
func interfaceVersion(file string) string {
	head := project.Head(file, 4096)
	if head == "" {
		return ""
	}
	for line := range strings.Lines(head) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "// swift-compiler-version:"); ok {
			_, version, found := strings.Cut(rest, "Swift version ")
			version, _, _ = strings.Cut(version, " ")
			if found {
				return version
			}
		}
	}
	return "toolchain"
}
