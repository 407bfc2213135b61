package swift

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestQuestion_FormsOfNames(t *testing.T) {
	project := t.TempDir()
	for text, want := range map[string]string{
		"swift-nio":                   "name swift-nio",
		"swift-nio@2.60.0":            "name swift-nio, version 2.60.0",
		"swift-nio@main":              "name swift-nio, version main, ref main",
		"apple/swift-nio":             "name apple, below swift-nio",
		"apple/swift-nio/NIOCore@^2":  "name apple, below swift-nio, module NIOCore, version ^2",
		"mona.HashMap":                "name mona.HashMap",
		"https://h.example/a/b.git":   "url https://h.example/a/b.git",
		"ssh://git@h.example/a/b@1.0": "url ssh://git@h.example/a/b, version 1.0",
		"git@h.example:a/b.git":       "url git@h.example:a/b.git",
		"github.com/a/b":              "url https://github.com/a/b",
		"github.com/a/b/Core/Deep":    "url https://github.com/a/b, module Core/Deep",
		"gitlab.com/a/b/c":            "url https://gitlab.com/a/b/c",
		"./Near":                      "dir " + filepath.Join(project, "Near"),
		"../Near":                     "dir " + filepath.Join(filepath.Dir(project), "Near"),
	} {
		q, err := parseQuestion(ecosystem.Query{Package: text, ProjectDir: project, Platform: "linux/amd64"})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var got []string
		for _, field := range [][2]string{{"dir", q.dir}, {"url", q.url}, {"name", q.name}, {"below", q.below}, {"module", q.module}, {"version", q.version}, {"ref", q.ref}} {
			if field[1] != "" {
				got = append(got, field[0]+" "+field[1])
			}
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
	if _, err := parseQuestion(ecosystem.Query{Package: "./Near"}); err == nil || !strings.Contains(err.Error(), "no project is specified") {
		t.Errorf("a relative path without a project: %v", err)
	}
}

func TestQuestion_Platforms(t *testing.T) {
	for text, want := range map[string]string{
		"darwin/arm64": "macOS arm64, manifests on macOS", "iOS": "iOS " + hostArch(), "macOS/amd64": "macOS amd64", "xros/arm64": "visionOS arm64, manifests on macOS",
		"Android/arm64": "android arm64, manifests on linux", "wasip1/wasm": "wasi wasm, manifests on linux", "windows/amd64": "windows amd64, manifests on windows", "maccatalyst/arm64": "macCatalyst arm64, manifests on macOS",
	} {
		q, err := parseQuestion(ecosystem.Query{Package: "a", Platform: text})
		got := q.platform + " " + q.arch + ", manifests on " + q.manifestHost()
		if err != nil || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, %v; want %s", text, got, err, want)
		}
	}
	if _, err := parseQuestion(ecosystem.Query{Package: "a", Platform: "beos"}); err == nil || !strings.Contains(err.Error(), "visionOS") {
		t.Errorf("an unknown platform: %v", err)
	}
}

// hostArch returns the architecture of queries that do not specify one.
func hostArch() string {
	q, _ := parseQuestion(ecosystem.Query{Package: "a"})
	return q.arch
}

func TestLocations_OnTheWeb(t *testing.T) {
	for location, want := range map[string]string{
		"https://user:secret@h.example/a/b.git/?x=1#y": "https://h.example/a/b", "git@h.example:a/b.git": "https://h.example/a/b", "git@h.example:/a/b": "https://h.example/a/b",
		"ssh://git@h.example:2222/a/b.git": "https://h.example/a/b", "git://h.example/a/b": "https://h.example/a/b", "http://h.example:8080/a/b.git": "http://h.example:8080/a/b",
		"/home/mona/b": "", "file:///home/mona/b": "", "../b": "", "": "", "ftp://h.example/a/b": "", "https://": "", "a b": "",
	} {
		if got := webLocation(location); got != want {
			t.Errorf("%q: %q, want %q", location, got, want)
		}
	}
	for location, want := range map[string][]string{
		"https://github.com/a/b":      {"https://github.com/a/b/archive/feature%2Fx.tar.gz"},
		"https://GitLab.com/a/b/c":    {"https://GitLab.com/a/b/c/-/archive/feature%2Fx/c-feature%2Fx.tar.gz"},
		"https://bitbucket.org/a/b":   {"https://bitbucket.org/a/b/get/feature%2Fx.tar.gz"},
		"https://code.example/mona/b": {"https://code.example/mona/b/archive/feature%2Fx.tar.gz", "https://code.example/mona/b/-/archive/feature%2Fx/b-feature%2Fx.tar.gz", "https://code.example/mona/b/get/feature%2Fx.tar.gz"},
	} {
		got := archivesOf(location, "feature/x")
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], "c-feature/x", "c-feature%2Fx")
		}
		if !slices.Equal(got, want) {
			t.Errorf("archives of %s: %q, want %q", location, got, want)
		}
	}
}

// TestRegistrySettings_AreMerged checks which registry and login is used for a scope if
// the project, the user and XDG_CONFIG_HOME have settings.
func TestRegistrySettings_AreMerged(t *testing.T) {
	w := newWorld(t)
	config := t.TempDir()
	w.env = append(w.env, "XDG_CONFIG_HOME="+config)
	filetest.Write(t, w.project, map[string]string{
		"Package.swift":                          fmt.Sprintf(app, "", ""),
		".swiftpm/configuration/registries.json": `{"registries": {"mona": {"url": "https://project.example/r/"}, "broken": {"url": "ftp://project.example"}}, "authentication": {}, "version": 1}`,
	})
	filetest.Write(t, config, map[string]string{"swiftpm/configuration/registries.json": `{"registries": {"mona": {"url": "https://xdg.example"}, "lisa": {"url": "https://xdg.example"}}, "authentication": {"xdg.example": {"type": "basic"}, "project.example": {"type": "token"}}, "version": 1}`})
	filetest.Write(t, w.home, map[string]string{
		".swiftpm/configuration/registries.json": `{"registries": {"lisa": {"url": "https://user.example"}, "[default]": {"url": "https://user.example/all"}}, "authentication": {"user.example": {"type": "basic"}}, "version": 1}`,
		".netrc":                                 "machine xdg.example login lisa password pw\nmachine project.example login token password tk\n",
	})
	sw := w.swift()
	f := sw.local(w.project)
	if f == nil {
		t.Fatal("the project is not found")
	}
	defer f.close()
	for identity, want := range map[string]string{
		"mona.A": "https://project.example/r token Bearer tk", "MONA.b": "https://project.example/r token Bearer tk", "lisa.A": "https://xdg.example basic Basic bGlzYTpwdw==",
		"other.A": "https://user.example/all basic ", "broken.A": "  ", "swift-nio": "  ",
	} {
		r := f.registryFor(identity)
		if got := r.url + " " + r.login + " " + r.authorization; got != want {
			t.Errorf("%s: %q, want %q", identity, got, want)
		}
	}
	facts := ""
	for _, fact := range sw.Doctor(w.project) {
		facts += fact.Name + ": " + fact.Value + "; " + fact.Problem + "\n"
	}
	for _, want := range []string{
		"Swift registry broken: ftp://project.example, from ; its URL is not an http or https URL", "Swift registry [default]: https://user.example/all, from " + filepath.Join(w.home, ".swiftpm/configuration/registries.json") + "; it requires a login (basic)",
		"Swift registry lisa: https://xdg.example, from " + filepath.Join(config, "swiftpm/configuration/registries.json") + ", with a login (netrc)", "its versions: from Package.swift; there is no Package.resolved",
	} {
		if !strings.Contains(facts, want) && !strings.Contains(strings.ReplaceAll(facts, "from "+filepath.Join(w.project, ".swiftpm/configuration/registries.json"), "from "), want) {
			t.Errorf("%q is missing in\n%s", want, facts)
		}
	}
	filetest.Write(t, w.project, map[string]string{".swiftpm/configuration/registries.json": `{"registries": {}, "version": 2}`})
	f = w.swift().local(w.project)
	defer f.close()
	if r := f.registryFor("mona.A"); r.url != "https://xdg.example" || !slices.ContainsFunc(f.warnings, func(s string) bool { return strings.Contains(s, "is not a registries.json of version 1") }) {
		t.Errorf("settings of another version: %+v, %q", r, f.warnings)
	}
}

func TestReleases_OfARegistry(t *testing.T) {
	w := newWorld(t)
	w.useRegistry("mona", "")
	filetest.Write(t, w.project, map[string]string{
		"Package.swift":    fmt.Sprintf(app, `.package(id: "mona.HashMap", "1.0.0"..<"1.2.0")`, `.product(name: "HashMap", package: "mona.HashMap")`),
		"Package.resolved": resolved(`{"identity": "mona.hashmap", "kind": "registry", "location": "", "state": {"version": "1.0.0"}}`, `{"identity": "lisa.tree", "kind": "registry", "location": "", "state": {"version": "1.0.0"}}`),
	})
	w.files["/mona/HashMap"] = []byte(`{"releases": {"1.0.0": {}, "1.1.0": {}, "1.3.0": {"problem": {"status": 410}}, "1.2.0": {}, "2.0.0-rc.1": {}}}`)
	w.files["/mona/hashmap"] = w.files["/mona/HashMap"]
	w.types["/mona/HashMap"], w.types["/mona/hashmap"] = registryJSON, registryJSON
	got, err := w.swift().Releases(t.Context(), w.project, &ecosystem.Used{Name: "mona.HashMap", Version: "1.0.0"})
	if err != nil || got.Newest != "1.2.0" || got.Allowed != "1.1.0" || len(got.Versions()) != 4 {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := w.swift().Releases(t.Context(), w.project, &ecosystem.Used{Name: "lisa.tree", Version: "1.0.0"}); err == nil || !strings.Contains(err.Error(), "no registry is configured") {
		t.Errorf("a scope without a registry: %v", err)
	}
}

// TestStandardLibrary_OfSDKs checks which interface of a module is read.
func TestStandardLibrary_OfSDKs(t *testing.T) {
	w := newWorld(t)
	sdk, developer := t.TempDir(), t.TempDir()
	w.env = append(w.env, "SDKROOT="+sdk, "DEVELOPER_DIR="+developer)
	text := func(name string) string {
		return "// swift-interface-format-version: 1.0\n// swift-compiler-version: Apple Swift version 6.2 effective-5.10 (swiftlang-6.2)\npublic struct " + name + " {}\n"
	}
	filetest.Write(t, filepath.Join(sdk, "System/Library/Frameworks/Combine.framework/Modules/Combine.swiftmodule"), map[string]string{
		"arm64-apple-ios-simulator.swiftinterface": text("Simulator"), "x86_64-apple-ios.swiftinterface": text("Intel"), "arm64-apple-ios.swiftinterface": text("Device"), "arm64-apple-ios.package.swiftinterface": text("Package"),
	})
	filetest.Write(t, filepath.Join(developer, "Platforms/iPhoneOS.platform/Developer/SDKs/iPhoneOS.sdk/usr/lib/swift/Observation.swiftmodule"), map[string]string{"arm64-apple-ios.swiftinterface": text("Phone")})
	filetest.Write(t, filepath.Join(developer, "Platforms/MacOSX.platform/Developer/SDKs/MacOSX.sdk/usr/lib/swift/Observation.swiftmodule"), map[string]string{"arm64-apple-macos.swiftinterface": "public struct Mac {}\n"})
	for query, want := range map[[2]string]string{
		{"Combine", "ios/arm64"}: "Device 6.2", {"Combine", "ios/amd64"}: "Intel 6.2", {"Observation", "ios/arm64"}: "Phone 6.2", {"Observation", "macos/arm64"}: "Mac toolchain", {"Observation", "maccatalyst/arm64"}: "Mac toolchain", {"Observation", "linux/arm64"}: "",
	} {
		p, err := ecosystem.Describe(t.Context(), w.swift(), ecosystem.Query{Package: query[0], Platform: query[1]}, nil)
		got := ""
		if err == nil && len(p.Symbols) == 1 {
			got = p.Symbols[0].Path + " " + p.Version
		}
		if got != want {
			t.Errorf("%s: %q, %v; want %q", query, got, err, want)
		}
	}
}
