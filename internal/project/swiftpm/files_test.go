package swiftpm

import (
	"reflect"
	"testing"
)

const (
	resolved1 = `{"object": {"pins": [
  {"package": "LinkedList", "repositoryURL": "https://host.example/mona/linked-list.git", "state": {"branch": null, "revision": "aa", "version": "1.2.3"}},
  {"package": "Tree", "repositoryURL": "/src/tree", "state": {"branch": "main", "revision": "bb", "version": null}}
]}, "version": 1}`
	resolved2 = `{"pins": [
  {"identity": "linked-list", "kind": "remoteSourceControl", "location": "https://host.example/mona/linked-list.git", "state": {"revision": "aa", "version": "1.2.3"}},
  {"identity": "tree", "kind": "localSourceControl", "location": "/src/tree", "state": {"branch": "main", "revision": "bb"}},
  {"identity": "mona.hash", "kind": "registry", "location": "", "state": {"version": "2.0.0"}},
  {"identity": "queue", "kind": "remoteSourceControl", "location": "git@host.example:mona/queue.git", "state": {"revision": "cc"}}
], "version": 2}`
	resolved3 = `{"originHash": "00ff", "pins": [
  {"identity": "linked-list", "kind": "remoteSourceControl", "location": "https://host.example/mona/linked-list", "state": {"revision": "aa", "version": "1.2.3"}}
], "version": 3}`
)

func TestPackageResolved(t *testing.T) {
	list := Pin{Identity: "linked-list", Kind: Remote, Location: "https://host.example/mona/linked-list.git", Version: "1.2.3", Revision: "aa"}
	tree := Pin{Identity: "tree", Kind: Local, Location: "/src/tree", Branch: "main", Revision: "bb"}
	named, namedTree, short := list, tree, list
	named.Name, namedTree.Name, short.Location = "LinkedList", "Tree", "https://host.example/mona/linked-list"
	for name, tt := range map[string]struct {
		file string
		want []Pin
	}{
		"version 1": {resolved1, []Pin{named, namedTree}},
		"version 2": {resolved2, []Pin{list, tree, {Identity: "mona.hash", Kind: Registry, Version: "2.0.0"}, {Identity: "queue", Kind: Remote, Location: "git@host.example:mona/queue.git", Revision: "cc"}}},
		"version 3": {resolved3, []Pin{short}},
		"empty":     {`{"pins": [], "version": 2}`, nil},
	} {
		if got, err := parseResolved([]byte(tt.file)); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for name, file := range map[string]string{
		"nothing": "", "HTML": "<html>", "a later version": `{"pins": [], "version": 4}`, "no version": `{"pins": []}`,
		"no identity":   `{"pins": [{"kind": "registry", "state": {"version": "1.0.0"}}], "version": 2}`,
		"no state":      `{"pins": [{"identity": "a", "state": {}}], "version": 2}`,
		"one twice":     `{"pins": [{"identity": "a", "state": {"version": "1.0.0"}}, {"identity": "a", "state": {"version": "1.0.1"}}], "version": 2}`,
		"a merge in it": "<<<<<<< ours\n" + resolved2,
	} {
		if got, err := parseResolved([]byte(file)); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	p := Pin{Branch: "main", Revision: "bb"}
	if p.Chosen() != "main" {
		t.Errorf("chosen is %s", p.Chosen())
	}
}

const (
	state4 = `{"object": {"artifacts": [], "dependencies": [
  {"basedOn": null, "packageRef": {"identity": "linked-list", "kind": "remote", "name": "LinkedList", "path": "https://host.example/mona/linked-list.git"},
   "state": {"checkoutState": {"branch": null, "revision": "aa", "version": "1.2.3"}, "name": "checkout"}, "subpath": "linked-list"},
  {"basedOn": null, "packageRef": {"identity": "near", "kind": "local", "name": "Near", "path": "/src/near"}, "state": {"name": "local"}, "subpath": "near"}
]}, "version": 4}`
	state7 = `{"object": {"artifacts": [], "prebuilts": [], "dependencies": [
  {"basedOn": null, "packageRef": {"identity": "linked-list", "kind": "remoteSourceControl", "name": "LinkedList", "location": "https://host.example/mona/linked-list.git"},
   "state": {"checkoutState": {"revision": "aa", "version": "1.2.3"}, "name": "sourceControlCheckout"}, "subpath": "linked-list"},
  {"basedOn": null, "packageRef": {"identity": "near", "kind": "fileSystem", "name": "Near", "location": "/src/near"}, "state": {"name": "fileSystem", "path": "/src/near"}, "subpath": "near"},
  {"basedOn": null, "packageRef": {"identity": "mona.hash", "kind": "registry", "name": "mona.hash", "location": "mona.hash"}, "state": {"name": "registryDownload", "version": "2.0.0"}, "subpath": "mona/hash/2.0.0"},
  {"basedOn": {}, "packageRef": {"identity": "tree", "kind": "remoteSourceControl", "name": "Tree", "location": "https://host.example/mona/tree"}, "state": {"name": "edited", "path": null}, "subpath": "tree"},
  {"basedOn": null, "packageRef": {"identity": "odd", "kind": "registry", "name": "odd", "location": "odd"}, "state": {"name": "custom", "version": "1.0.0", "path": "/src/odd"}, "subpath": "odd"}
]}, "version": 7}`
)

func TestWorkspaceState(t *testing.T) {
	list := Managed{Pin: Pin{Identity: "linked-list", Name: "LinkedList", Kind: Remote, Location: "https://host.example/mona/linked-list.git", Version: "1.2.3", Revision: "aa"}, Subpath: "linked-list"}
	near := Managed{Pin: Pin{Identity: "near", Name: "Near", Kind: Path, Location: "/src/near"}, Subpath: "near", Dir: "/src/near"}
	for name, tt := range map[string]struct {
		file string
		want []Managed
	}{
		"version 4": {state4, []Managed{list, near}},
		"version 7": {state7, []Managed{
			list, near,
			{Pin: Pin{Identity: "mona.hash", Name: "mona.hash", Kind: Registry, Location: "mona.hash", Version: "2.0.0"}, Subpath: "mona/hash/2.0.0"},
			{Pin: Pin{Identity: "tree", Name: "Tree", Kind: Remote, Location: "https://host.example/mona/tree"}, Subpath: "tree", Edited: true},
			{Pin: Pin{Identity: "odd", Name: "odd", Kind: Registry, Location: "odd", Version: "1.0.0"}, Subpath: "odd", Dir: "/src/odd"},
		}},
	} {
		if got, err := parseState([]byte(tt.file)); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for name, file := range map[string]string{"nothing": "", "a later version": `{"version": 8, "object": {}}`, "no version": `{"object": {}}`, "no identity": `{"version": 6, "object": {"dependencies": [{}]}}`} {
		if got, err := parseState([]byte(file)); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestMirrors(t *testing.T) {
	got, err := parseMirrors([]byte(`{"object": [{"mirror": "https://mirror.example/a", "original": "https://host.example/a"}, {"mirror": "x", "original": "https://host.example/a"}], "version": 1}`))
	if err != nil || !reflect.DeepEqual(got, map[string]string{"https://host.example/a": "https://mirror.example/a"}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, file := range []string{"", "{}", `{"version": 2, "object": []}`, `{"version": 1, "object": [{"original": "a"}]}`} {
		if got, err := parseMirrors([]byte(file)); err == nil {
			t.Errorf("%q: %v", file, got)
		}
	}
}

const podfileLock = `PODS:
  - Kite (5.8.0)
  - Kite/Core (5.8.0):
    - Thread
  - "Loom+Extra (1.0.0-beta)"
  - Thread (2.0.1)

DEPENDENCIES:
  - Kite (~> 5.8)
  - Loom+Extra (from ` + "`../Loom`" + `)

SPEC REPOS:
  trunk:
    - Kite

EXTERNAL SOURCES:
  Loom+Extra:
    :path: "../Loom"
  Thread:
    :git: https://host.example/mona/thread.git
    :tag: 2.0.1

CHECKOUT OPTIONS:
  Thread:
    :commit: 0123abc
    :git: https://host.example/mona/thread.git

SPEC CHECKSUMS:
  Kite: 00ff

PODFILE CHECKSUM: 11ee

COCOAPODS: 1.15.2
`

func TestPodfileLock(t *testing.T) {
	want := []Pod{
		{Name: "Kite", Version: "5.8.0", Subspecs: []string{"Core"}, Direct: true, Checksum: "00ff"},
		{Name: "Loom+Extra", Version: "1.0.0-beta", Direct: true, Path: "../Loom"},
		{Name: "Thread", Version: "2.0.1", Git: "https://host.example/mona/thread.git", Commit: "0123abc"},
	}
	if got, err := parsePods(t.Context(), []byte(podfileLock)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for name, file := range map[string]string{"nothing": "", "no pods": "DEPENDENCIES:\n  - A\n", "a pod without a version": "PODS:\n  - A\n", "a list that is none": "PODS: x\n"} {
		if got, err := parsePods(t.Context(), []byte(file)); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

const pbxproj = `// !$*UTF8*$!
{
	objects = {
/* Begin XCLocalSwiftPackageReference section */
		AA /* XCLocalSwiftPackageReference "Packages/Near" */ = {
			isa = XCLocalSwiftPackageReference;
			relativePath = Packages/Near;
		};
/* End XCLocalSwiftPackageReference section */
		BB /* XCRemoteSwiftPackageReference "list" */ = {
			isa = XCRemoteSwiftPackageReference;
			repositoryURL = "https://host.example/mona/list.git";
			requirement = {
				kind = upToNextMajorVersion;
				minimumVersion = 5.8.0;
			};
		};
		CC = {
			isa = XCRemoteSwiftPackageReference;
			repositoryURL = "https://host.example/mona/tree";
			requirement = {
				branch = main;
				kind = branch;
			};
		};
		DD = {
			isa = PBXGroup;
			kind = exactVersion;
		};
	};
}
`

func TestPackagesOfAnXcodeProject(t *testing.T) {
	want := []Reference{
		{Path: "Packages/Near"},
		{URL: "https://host.example/mona/list.git", Requirement: UpToNextMajor(Version{Major: 5, Minor: 8})},
		{URL: "https://host.example/mona/tree", Requirement: Requirement{Branch: "main"}},
	}
	if got := parseXcode([]byte(pbxproj)); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func FuzzPackageResolved(f *testing.F) {
	for _, s := range []string{resolved1, resolved2, resolved3} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		pins, err := parseResolved(data)
		for _, p := range pins {
			if err != nil || p.Identity == "" || p.Chosen() == "" {
				t.Fatalf("%+v, %v", p, err)
			}
		}
	})
}

func FuzzWorkspaceState(f *testing.F) {
	f.Add([]byte(state4))
	f.Add([]byte(state7))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := parseState(data)
		for _, m := range all {
			if err != nil || m.Identity == "" {
				t.Fatalf("%+v, %v", m, err)
			}
		}
	})
}

func FuzzPodfileLock(f *testing.F) {
	f.Add([]byte(podfileLock))
	f.Fuzz(func(t *testing.T, data []byte) {
		pods, err := parsePods(t.Context(), data)
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, p := range pods {
			if p.Name == "" || seen[p.Name] {
				t.Fatalf("%+v", p)
			}
			seen[p.Name] = true
		}
	})
}

func FuzzXcodeProject(f *testing.F) {
	f.Add([]byte(pbxproj))
	f.Fuzz(func(t *testing.T, data []byte) {
		if n := len(parseXcode(data)); n > len(data) {
			t.Fatal(n)
		}
	})
}

func FuzzRequirement(f *testing.F) {
	f.Add("from: 1.2.3")
	f.Add("1.0.0..<2.0.0")
	f.Add("branch: main")
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseRequirement(s)
		if err != nil {
			return
		}
		if r.Lower != nil && r.Branch == "" && !r.Matches(*r.Lower) && r.Upper != nil && r.Lower.Compare(*r.Upper) < 0 {
			t.Fatalf("%q does not allow its first version: %v", s, r)
		}
		_ = r.String()
	})
}
