package swift

import (
	"encoding/hex"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// registries is the content of a registries.json, or the merged content of several.
type registries struct {
	Registries map[string]struct {
		URL string `json:"url"`
	} `json:"registries"`
	Authentication map[string]struct {
		Type string `json:"type"`
	} `json:"authentication"`
	Version int `json:"version"`

	from map[string]string // the file that specifies each registry
}

// registry is the registry for a scope.
type registry struct {
	url, from string
	// authorization is the value of the Authorization header, or "" if there is
	// no login.
	authorization string
	// login is the kind of login that the settings require, such as "basic" or "token".
	login string
}

// defaultScope is the key of the registry for scopes without their own registry.
const defaultScope = "[default]"

// registrySettings reads the settings of the project and of the user. The
// project's settings take precedence, but logins are taken only from the user's
// settings.
func (f *finder) registrySettings() registries {
	all := registries{from: map[string]string{}}
	const below = ".swiftpm/configuration/registries.json"
	var files []string
	if f.project != nil {
		files = append(files, filepath.Join(f.project.Root, filepath.FromSlash(below)))
	}
	for _, dir := range f.sw.configurations() {
		files = append(files, filepath.Join(dir, "registries.json"))
	}
	for i, file := range files {
		f.seen.Add(file)
		var data []byte
		var err error
		if f.project != nil && i == 0 {
			data, err = project.ReadBelow(f.project.Root, below, maxSetting)
		} else {
			data, err = project.ReadSettings(file, maxSetting)
		}
		if err != nil {
			continue
		}
		var one registries
		if err := json.Unmarshal(data, &one, lenient); err != nil || one.Version != 1 {
			f.warnings = append(f.warnings, file+" is not a registries.json of version 1.")
			continue
		}
		if all.Registries == nil {
			all.Registries = one.Registries
			for scope := range one.Registries {
				all.from[scope] = file
			}
		}
		for scope, r := range one.Registries {
			if _, known := all.Registries[scope]; !known && len(all.Registries) < maxRepositories {
				all.Registries[scope], all.from[scope] = r, file
			}
		}
		if all.Authentication == nil {
			all.Authentication = one.Authentication
		}
		for host, a := range one.Authentication {
			if _, known := all.Authentication[host]; !known {
				all.Authentication[host] = a
			}
		}
	}
	return all
}

// registryFor returns the registry for a package. Its url is empty if no registry is
// configured.
func (f *finder) registryFor(identity string) registry {
	scope, _, ok := swiftpm.RegistryID(identity)
	if !ok {
		return registry{}
	}
	settings := f.registrySettings()
	for key, r := range settings.Registries {
		if strings.EqualFold(key, scope) {
			return f.withLogin(settings, registry{url: r.URL, from: settings.from[key]})
		}
	}
	if r, ok := settings.Registries[defaultScope]; ok {
		return f.withLogin(settings, registry{url: r.URL, from: settings.from[defaultScope]})
	}
	return registry{}
}

// withLogin adds the login to a registry.
func (f *finder) withLogin(settings registries, r registry) registry {
	u, err := url.Parse(r.url)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return registry{from: r.from}
	}
	r.url = strings.TrimSuffix(r.url, "/")
	for host, a := range settings.Authentication {
		if strings.EqualFold(host, u.Host) || strings.EqualFold(host, u.Hostname()) {
			r.login = a.Type
		}
	}
	l, ok := f.login(u.Hostname())
	if !ok || r.login == "" {
		return r
	}
	if r.login == "token" {
		r.authorization = "Bearer " + l.Password
	} else {
		r.authorization = fetch.Basic(l.User, l.Password)
	}
	return r
}

// fingerprint returns the checksum that SwiftPM has recorded for a version of a
// package in a registry, or "" if there is none. file is the path of the file
// that contains it.
func (f *finder) fingerprint(identity, version string) (checksum, file string) {
	home := f.sw.env.Home()
	for _, dir := range []string{environ.Below(home, ".swiftpm", "security", "fingerprints"), environ.Below(home, "Library", "org.swift.swiftpm", "security", "fingerprints")} {
		name := strings.ToLower(identity) + ".json"
		if dir == "" || !filepath.IsLocal(name) {
			continue
		}
		file = filepath.Join(dir, name)
		f.seen.Add(file)
		if data, err := project.ReadSettings(file, maxSetting); err == nil {
			if sum := parseFingerprints(data, version); sum != "" {
				return sum, file
			}
		}
	}
	return "", ""
}

// parseFingerprints returns the checksum of the source archive of a version from
// a fingerprint file, or "" if there is none. It supports versions 1 and 2 of the
// format.
func parseFingerprints(data []byte, version string) string {
	var file struct {
		Version  int                       `json:"version"`
		Versions map[string]jsontext.Value `json:"versionFingerprints"`
	}
	if json.Unmarshal(data, &file, lenient) != nil {
		return ""
	}
	type recorded struct {
		Fingerprint string `json:"fingerprint"`
	}
	if file.Version <= 1 {
		var kinds map[string]recorded
		if json.Unmarshal(file.Versions[version], &kinds, lenient) != nil {
			return ""
		}
		return checksumOf(kinds["registry"].Fingerprint)
	}
	var kinds map[string]map[string]recorded
	if json.Unmarshal(file.Versions[version], &kinds, lenient) != nil {
		return ""
	}
	return checksumOf(kinds["registry"]["sourceCode"].Fingerprint)
}

// checksumOf returns a SHA-256 in lower case, or "" if s is not one.
func checksumOf(s string) string {
	s = strings.ToLower(s)
	if sum, err := hex.DecodeString(s); err != nil || len(sum) != 32 {
		return ""
	}
	return s
}
