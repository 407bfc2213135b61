package swift

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// pinned creates a project that pins a package on the world's git host.
func (w *world) pinned() {
	location := w.server.URL + "/mona/kite"
	filetest.Write(w.t, w.project, map[string]string{
		"Package.swift":    fmt.Sprintf(app, `.package(url: "`+location+`", from: "1.0.0")`, ""),
		"Package.resolved": resolved(pin("kite", location, "1.4.2", commitA)),
	})
}

func TestTheArchiveOfAGitHost(t *testing.T) {
	for form, path := range map[string]string{
		"GitHub's and Gitea's": "/mona/kite/archive/" + commitA + ".tar.gz", "GitLab's": "/mona/kite/-/archive/" + commitA + "/kite-" + commitA + ".tar.gz", "Bitbucket's": "/mona/kite/get/" + commitA + ".tar.gz",
	} {
		w := newWorld(t)
		w.pinned()
		w.files[path] = tarball(t, library("Kite", "KiteCore", "KiteTail"))
		for range 2 {
			p, err := w.describe("kite/KiteTail", "")
			has(t, p, err, "KiteTail")
			if p.Version != "1.4.2" || p.Provenance.Source != "git host" || p.Provenance.ChosenBy != "Package.resolved of "+filepath.Base(w.project) {
				t.Errorf("%s: %s, %+v", form, p.Version, p.Provenance)
			}
		}
		if n := strings.Count(strings.Join(w.requests, " "), path); n != 1 {
			t.Errorf("%s: the archive was asked for %d times: %q", form, n, w.requests)
		}
	}
}

func TestTheNewestTag(t *testing.T) {
	w := newWorld(t)
	location := w.server.URL + "/mona/kite"
	filetest.Write(t, w.project, map[string]string{"Package.swift": fmt.Sprintf(app, `.package(url: "`+location+`.git", from: "1.0.0")`, "")})
	w.refs["/mona/kite"] = list("HEAD "+commitB, "refs/heads/main "+commitB, "refs/heads/feature/x "+commitB, "refs/tags/1.9.0 "+commitB, "refs/tags/v1.10.0 "+commitA, "refs/tags/2.0.0 "+commitB, "refs/tags/3.0.0-beta "+commitB, "refs/tags/nightly "+commitB)
	for _, commit := range []string{commitA, commitB} {
		w.files["/mona/kite/archive/"+commit+".tar.gz"] = tarball(t, library("Kite", "KiteCore"))
	}
	for version, want := range map[string]string{
		"": "1.10.0 newest release that Package.swift of " + filepath.Base(w.project) + " allows (from 1.0.0); there is no Package.resolved", "latest": "2.0.0 newest release", "1.9.0": "1.9.0 requested", "^1": "1.10.0 newest release that satisfies ^1",
		"3.0.0-beta": "3.0.0-beta requested", "main": "main-bbbbbbb requested", "feature/x": "feature-x-bbbbbbb requested", "branch: main": "main-bbbbbbb requested", "aaaaaaa": "aaaaaaa requested", commitB: "bbbbbbb requested", "nightly": "nightly requested", "1.0.0..<1.10.0": "1.9.0 newest release that satisfies 1.0.0..<1.10.0",
	} {
		p, err := w.describe("kite", version)
		has(t, p, err, "KiteCore")
		if got := p.Version + " " + p.Provenance.ChosenBy; got != want {
			t.Errorf("%q: %s, want %s", version, got, want)
		}
	}
	e := w.failure("kite", "4.0.0")
	if e.Reason != ecosystem.NotFound || !slices.Equal(e.Near, []string{"3.0.0-beta", "2.0.0", "v1.10.0", "1.9.0"}) {
		t.Errorf("a version that is not there: %v", e)
	}
	if n := strings.Count(strings.Join(w.requests, " "), "info/refs"); n != 1 {
		t.Errorf("the tags were asked for %d times", n)
	}
	w.refs["/mona/kite"] = list("HEAD "+commitB, "refs/heads/main "+commitB)
	w.cache = newWorld(t).cache
	p, err := w.describe("kite", "latest")
	has(t, p, err, "KiteCore")
	if p.Version != "main-bbbbbbb" || !advised(p, "has no version tags") {
		t.Errorf("without tags: %s, %q", p.Version, p.Advice)
	}
}

func TestMirrorsAndLogins(t *testing.T) {
	w := newWorld(t)
	original := "https://nowhere.example/mona/kite.git"
	filetest.Write(t, w.project, map[string]string{
		"Package.swift": fmt.Sprintf(app, "", ""), "Package.resolved": resolved(pin("kite", original, "1.4.2", commitA)),
		".swiftpm/configuration/mirrors.json": `{"version": 1, "object": [{"original": "` + original + `", "mirror": "` + w.server.URL + `/mirrors/kite"}]}`,
	})
	w.files["/mirrors/kite/archive/"+commitA+".tar.gz"] = tarball(t, library("Kite", "KiteCore"))
	w.login = "Basic " + base64.StdEncoding.EncodeToString([]byte("mona:secret"))
	if e := w.failure("kite", ""); e.Reason != ecosystem.Refused || !strings.Contains(e.Next, "machine 127.0.0.1") {
		t.Errorf("without a login: %v", e)
	}
	filetest.Write(t, w.home, map[string]string{".netrc": "machine 127.0.0.1 login mona password wrong\n"})
	if e := w.failure("kite", ""); e.Reason != ecosystem.Refused || !strings.Contains(e.Next, "was not accepted") || strings.Contains(e.Error(), "wrong") {
		t.Errorf("with a wrong login: %v", e)
	}
	filetest.Write(t, w.home, map[string]string{".netrc": "default login mona password secret\n"})
	if e := w.failure("kite", ""); e.Reason != ecosystem.Refused {
		t.Errorf("the default login was sent: %v", e)
	}
	filetest.Write(t, w.home, map[string]string{".netrc": "machine 127.0.0.1 login mona password secret\n"})
	p, err := w.describe("kite", "")
	has(t, p, err, "KiteCore")
}

// faults are responses of a broken or hostile host.
var faults = map[string]struct {
	answer  http.HandlerFunc
	reason  ecosystem.Reason
	message string
}{
	"404": {http.NotFound, ecosystem.NotFound, "has no "},
	"403": {func(out http.ResponseWriter, _ *http.Request) { http.Error(out, "no", http.StatusForbidden) }, ecosystem.Refused, "denies access to"},
	"429": {func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Retry-After", "3600")
		http.Error(out, "later", http.StatusTooManyRequests)
	}, ecosystem.Unreachable, "429"},
	"500":     {func(out http.ResponseWriter, _ *http.Request) { http.Error(out, "broken", http.StatusNotImplemented) }, ecosystem.Unreachable, "501"},
	"HTML":    {func(out http.ResponseWriter, _ *http.Request) { fmt.Fprint(out, "<!DOCTYPE html><html>Log in</html>") }, ecosystem.Unreadable, "docent discarded the download"},
	"nothing": {func(http.ResponseWriter, *http.Request) {}, ecosystem.Unreadable, "docent discarded the download"},
	"slow": {func(out http.ResponseWriter, r *http.Request) {
		out.WriteHeader(http.StatusOK)
		out.(http.Flusher).Flush()
		<-r.Context().Done()
	}, ecosystem.Unreachable, "did not respond in time"},
	"a redirect to this machine": {func(out http.ResponseWriter, r *http.Request) {
		http.Redirect(out, r, "http://169.254.169.254/latest", http.StatusFound)
	}, ecosystem.Refused, "not followed"},
}

func TestFaultsOfAGitHost(t *testing.T) {
	t.Parallel()
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.pinned()
			w.override = fault.answer
			for what, version := range map[string]string{"the archive": "", "the tags": "latest"} {
				if e := w.failure("kite", version); e.Reason != fault.reason || !strings.Contains(e.Error(), fault.message) || e.Next == "" {
					t.Errorf("%s: %s: %v", what, e.Reason, e)
				}
			}
		})
	}
}

func TestDamagedArchives(t *testing.T) {
	whole := tarball(t, library("Kite", "KiteCore"))
	for name, data := range map[string][]byte{
		"cut": whole[:len(whole)/2], "another package's": tarball(t, map[string]string{"README.md": "x"}), "a name that leads out": tarball(t, map[string]string{"../../evil": "x"}),
		"gzip without a tar file": {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1, 1, 0, 254, 255, 65},
	} {
		w := newWorld(t)
		w.pinned()
		w.files["/mona/kite/archive/"+commitA+".tar.gz"] = data
		if e := w.failure("kite", ""); e.Reason != ecosystem.Unreadable && e.Reason != ecosystem.NotFound {
			t.Errorf("%s: %s: %v", name, e.Reason, e)
		}
	}
}

func TestAHostThatIsNotConfigured(t *testing.T) {
	w := newWorld(t)
	w.refs["/mona/kite"] = list("HEAD "+commitA, "refs/tags/1.0.0 "+commitA)
	// The address, which is not public, is only in the query.
	if e := w.failure(w.server.URL+"/mona/kite", ""); e.Reason != ecosystem.Refused || len(w.requests) > 0 {
		t.Errorf("%s: %v; asked %q", e.Reason, e, w.requests)
	}
}

// hash is a package in the world's registry.
const hash = "mona.HashMap"

func TestAPackageOfARegistry(t *testing.T) {
	w := newWorld(t)
	w.useRegistry("mona", "")
	sum := w.publish("1.1.0", "", library("HashMap", "HashMap"))
	w.publish("1.0.0", "", library("HashMap", "HashMap"))
	w.publish("2.0.0", "", library("HashMap", "HashMap"))
	w.files["/mona/HashMap"] = []byte(`{"releases": {"1.0.0": {"url": "x"}, "2.0.0": {"problem": {"status": 410, "title": "Gone", "detail": "this release was removed"}}}}`)
	w.files["/mona/HashMap?page=2"] = []byte(`{"releases": {"1.1.0": {}, "2.1.0-beta": {}}}`)
	w.links["/mona/HashMap"] = `<` + w.server.URL + `/mona/HashMap/1.1.0>; rel="latest-version", </mona/HashMap?page=2>; rel="next"`
	w.types["/mona/HashMap"] = registryJSON
	for version, want := range map[string]string{"": "1.1.0", "1.0.0": "1.0.0", "^1.0": "1.1.0"} {
		p, err := w.describe(hash, version)
		has(t, p, err, "HashMap")
		if p.Version != want || p.Provenance.Source != "registry" || p.Provenance.Integrity != "sha256 of the registry" {
			t.Errorf("%q: %s, %+v", version, p.Version, p.Provenance)
		}
	}
	if e := w.failure(hash, "3.0.0"); e.Reason != ecosystem.NotFound || !slices.Contains(e.Near, "1.1.0") {
		t.Errorf("a version that is not there: %v", e)
	}
	fingerprints := func(sum string) {
		filetest.Write(t, w.home, map[string]string{".swiftpm/security/fingerprints/mona.hashmap.json": `{"version": 2, "versionFingerprints": {"1.1.0": {"registry": {"sourceCode": {"origin": "x", "fingerprint": "` + sum + `", "contentType": {"sourceCode": {}}}}}}}`})
	}
	fingerprints(sum)
	p, err := w.describe(hash, "1.1.0")
	has(t, p, err, "HashMap")
	if p.Provenance.Integrity != "sha256 of the registry and SwiftPM's fingerprints" {
		t.Errorf("%+v", p.Provenance)
	}
	w.signing = `, "signing": {"signatureBase64Encoded": "AA==", "signatureFormat": "cms-1.0.0"}`
	w.publish("2.1.0-beta", "", library("HashMap", "HashMap"))
	if p, err := w.describe(hash, "2.1.0-beta"); err != nil || p.Provenance.Integrity != "sha256 of the registry; its signature is not verified" {
		t.Errorf("a signed release: %+v, %v", p, err)
	}
	fingerprints(strings.Repeat("0", 64))
	if e := w.failure(hash, "1.1.0"); e.Reason != ecosystem.Refused || !strings.Contains(e.What, "differs from the one that SwiftPM recorded") {
		t.Errorf("another fingerprint: %v", e)
	}
	if got := parseFingerprints([]byte(`{"versionFingerprints": {"1.0.0": {"registry": {"origin": "x", "fingerprint": "`+sum+`"}}}}`), "1.0.0"); got != sum {
		t.Errorf("fingerprints of version 1: %q", got)
	}
}

func TestAPinnedPackageOfARegistry(t *testing.T) {
	w := newWorld(t)
	w.useRegistry("[default]", `"`+strings.TrimPrefix(w.server.URL, "http://")+`": {"type": "token"}`)
	w.publish("1.1.0", "", library("HashMap", "HashMap"))
	filetest.Write(t, w.project, map[string]string{
		"Package.swift":    fmt.Sprintf(app, `.package(id: "mona.HashMap", from: "1.0.0")`, `.product(name: "HashMap", package: "mona.HashMap")`),
		"Package.resolved": resolved(`{"identity": "mona.HashMap", "kind": "registry", "location": "", "state": {"version": "1.1.0"}}`),
	})
	w.login = "Bearer token-1"
	if e := w.failure("HashMap", ""); e.Reason != ecosystem.Refused {
		t.Errorf("without a token: %v", e)
	}
	filetest.Write(t, w.home, map[string]string{".netrc": "machine 127.0.0.1 login token password token-1\n"})
	for _, name := range []string{"mona.HashMap", "mona.hashmap", "HashMap", "mona.HashMap/HashMap"} {
		p, err := w.describe(name, "")
		has(t, p, err, "HashMap")
		if p.Version != "1.1.0" || p.Provenance.ChosenBy != "Package.resolved of "+filepath.Base(w.project) {
			t.Errorf("%s: %s, %+v", name, p.Version, p.Provenance)
		}
	}
	facts := fmt.Sprint(w.swift().Doctor(w.project))
	if !strings.Contains(facts, "with a login (netrc)") || strings.Contains(facts, "token-1") {
		t.Errorf("doctor: %s", facts)
	}
	w.requests = nil
	filetest.Write(t, filepath.Join(w.home, ".cache/org.swift.swiftpm/registry/downloads/mona/HashMap/1.1.0"), library("HashMap", "HashMap"))
	p, err := w.describe("mona.HashMap", "")
	has(t, p, err, "HashMap")
	if p.Provenance.Source != "registry download" || len(w.requests) > 0 {
		t.Errorf("%+v, asked %q", p.Provenance, w.requests)
	}
}

func TestFaultsOfARegistry(t *testing.T) {
	t.Parallel()
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.useRegistry("mona", "")
			w.override = fault.answer
			for _, version := range []string{"", "1.0.0"} {
				if e := w.failure(hash, version); e.Reason != fault.reason || !strings.Contains(e.Error(), fault.message) || e.Next == "" {
					t.Errorf("%q: %s: %v", version, e.Reason, e)
				}
			}
		})
	}
	w := newWorld(t)
	w.useRegistry("mona", "")
	w.files["/mona/HashMap"] = []byte(`{"releases": {"1.0.0": {}}}`)
	w.publish("1.0.0", strings.Repeat("0", 64), library("HashMap", "HashMap"))
	if e := w.failure(hash, ""); e.Reason != ecosystem.Unreadable || !strings.Contains(e.What, "does not match the sha256") {
		t.Errorf("a wrong checksum: %v", e)
	}
	if e := w.failure("nobody.Thing", ""); e.Reason != ecosystem.NotFound {
		t.Errorf("no registry: %v", e)
	}
}

func TestNextPages(t *testing.T) {
	const address = "https://packages.example/mona/List"
	for header, want := range map[string]string{
		`<https://packages.example/mona/List?page=2>; rel="next"`: "https://packages.example/mona/List?page=2",
		`</x>; rel="first", <?page=3>; rel=next; title="a"`:       "https://packages.example/mona/List?page=3",
		`<https://evil.example/x>; rel="next"`:                    "", `<http://packages.example/x>; rel="next"`: "", `<` + address + `>; rel="next"`: "", "": "", "x; rel=next": "", `<://>; rel="next"`: "",
	} {
		if got, _ := nextPage(address, header); got != want {
			t.Errorf("%s: %q, want %q", header, got, want)
		}
	}
}

func FuzzRegistryAnswers(f *testing.F) {
	f.Add([]byte(`{"releases": {"1.0.0": {"problem": null}}}`), "1.0.0")
	f.Add([]byte(`{"resources": [{"name": "source-archive", "type": "application/zip", "checksum": "00"}]}`), "1.0.0")
	f.Add([]byte(`{"version": 2, "versionFingerprints": {"1.0.0": {"registry": {"sourceCode": {"fingerprint": "00"}}}}}`), "1.0.0")
	f.Add([]byte(`{"identifiers": ["mona.HashMap"]}`), "1.0.0")
	f.Fuzz(func(t *testing.T, data []byte, version string) {
		_, _ = parseReleases(data)
		if names, err := parseIdentifiers(data); err == nil && len(names) > maxIdentifiers {
			t.Fatalf("%d identifiers", len(names))
		}
		if release, err := parseRelease(data); err == nil && len(release.sum) != 64 {
			t.Fatalf("the checksum %q", release.sum)
		}
		if sum := parseFingerprints(data, version); sum != "" && len(sum) != 64 {
			t.Fatalf("the fingerprint %q", sum)
		}
		_, _ = nextPage("https://host.example/a/b", string(data))
	})
}

func TestARegistryTellsThePackageOfAURL(t *testing.T) {
	w := newWorld(t)
	w.useRegistry("mona", "")
	w.publish("1.1.0", "", library("HashMap", "HashMap"))
	filetest.Write(t, w.project, map[string]string{
		"Package.swift":    fmt.Sprintf(app, "", ""),
		"Package.resolved": resolved(`{"identity": "mona.HashMap", "kind": "registry", "location": "", "state": {"version": "1.1.0"}}`),
	})
	address := "https://code.example/mona/hash-map"
	w.files["/identifiers?url="+url.QueryEscape(address)] = []byte(`{"identifiers": ["other.HashMap", "Mona.hashmap"]}`)
	w.types["/identifiers?url="+url.QueryEscape(address)] = registryJSON
	p, err := w.describe(address, "")
	has(t, p, err, "HashMap")
	if p.Version != "1.1.0" || p.Provenance.Source != "registry" || !strings.Contains(p.Provenance.ChosenBy, "Package.resolved") {
		t.Errorf("%s, %+v", p.Version, p.Provenance)
	}
	for what, answer := range map[string]string{"other.js": `{"identifiers": ["other.js"]}`, "none": `{"identifiers": []}`, "nothing": `{}`, "no JSON": `<html>`} {
		other := address + "-" + strings.ReplaceAll(what, " ", "")
		w.files["/identifiers?url="+url.QueryEscape(other)] = []byte(answer)
		if p, err := w.describe(other, ""); err == nil {
			t.Errorf("%s: the URL means %s", what, p.Name)
		}
	}
}
