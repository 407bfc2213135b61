package swift

import (
	"cmp"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

// question is a parsed ecosystem.Query.
type question struct {
	text string // the requested package, without a version
	// Exactly one of these identifies the package: a directory, the URL of a
	// repository, or a name.
	dir, url, name string
	// below is the part after the first slash of the name, such as "NIOCore" in
	// "swift-nio/NIOCore" and "swift-nio" in "apple/swift-nio".
	below string
	// module is the requested module or product, or "" for the whole package.
	module string
	index  bool // whether the index of all modules is requested

	project string // absolute directory, or ""
	version string // requested version, or ""
	// requirement is the parsed version. ref is the name of a branch, tag or
	// commit if that is not a version.
	requirement swiftpm.Requirement
	ref         string

	traits   []string // traits to enable in addition to the project's
	platform string   // such as "linux", "macOS" or "iOS"
	arch     string
}

// maxName is the maximum length of a package's name, in bytes.
const maxName = 400

// platformNames maps Go's names of operating systems to Swift's.
var platformNames = map[string]string{
	"darwin": "macOS", "macos": "macOS", "osx": "macOS", "ios": "iOS", "tvos": "tvOS", "watchos": "watchOS", "visionos": "visionOS", "xros": "visionOS",
	"linux": "linux", "windows": "windows", "android": "android", "wasi": "wasi", "wasip1": "wasi", "freebsd": "freebsd", "openbsd": "openbsd", "maccatalyst": "macCatalyst",
}

// parseQuestion parses a query, such as "swift-nio", "apple/swift-nio@2.60.0",
// "swift-nio/NIOCore", "https://host.example/mona/list.git", "mona.List" or
// "./Near".
func parseQuestion(q ecosystem.Query) (question, error) {
	ask := question{index: q.Index, traits: strings.FieldsFunc(q.Features, func(r rune) bool { return r == ',' || r == ' ' })}
	name, version := strings.TrimSpace(q.Package), strings.TrimSpace(q.Version)
	if i := strings.LastIndexByte(name, '@'); i > 0 && version == "" && !strings.ContainsAny(name[i+1:], ":/") {
		name, version = name[:i], name[i+1:]
	}
	ask.text = name
	if name == "" || len(name) > maxName || strings.ContainsAny(name, " \t\r\n\x00<>\"'`|;&$") {
		return ask, invalidName(q.Package)
	}
	var err error
	if ask.project, err = q.Project(); err != nil {
		return ask, err
	}
	system, arch, _ := strings.Cut(cmp.Or(q.Platform, runtime.GOOS+"/"+runtime.GOARCH), "/")
	ask.platform, ask.arch = platformNames[strings.ToLower(system)], cmp.Or(arch, runtime.GOARCH)
	if ask.platform == "" {
		return ask, ecosystem.Fail(ecosystem.Invalid, "%.100q is not a platform", q.Platform).WithNext("use macOS, iOS, tvOS, watchOS, visionOS, linux, windows, android, wasi, or GOOS/GOARCH such as linux/amd64")
	}
	if err := ask.parseName(name); err != nil {
		return ask, err
	}
	return ask, ask.parseVersion(version)
}

func invalidName(name string) error {
	return ecosystem.Fail(ecosystem.Invalid, "%.100q is not the name of a Swift package", name).
		WithNext("use a package (swift-nio), owner/repository (apple/swift-nio), a URL, a module (NIOCore) or a directory (./Packages/Core)")
}

// parseName determines the kind of a name.
func (q *question) parseName(name string) error {
	switch {
	case ecosystem.IsDirectory(name):
		q.dir = filepath.FromSlash(name)
		if !filepath.IsAbs(q.dir) {
			if q.project == "" {
				return ecosystem.Fail(ecosystem.Invalid, "%.100q is a relative path, but no project is specified", name).WithNext("specify the project's directory, or an absolute path")
			}
			q.dir = filepath.Join(q.project, q.dir)
		}
		return nil
	case strings.Contains(name, "://") || isSCP(name):
		q.url = name
		return nil
	}
	parts := strings.Split(strings.Trim(name, "/"), "/")
	for _, part := range parts {
		if part == "" || part == ".." || part == "." || strings.ContainsAny(part[:1], "-@") {
			return invalidName(name)
		}
	}
	if len(parts) >= 3 && strings.Contains(parts[0], ".") {
		q.url = "https://" + strings.Join(parts, "/")
		if hostOf(parts[0]).twoElements && len(parts) > 3 {
			q.url, q.module = "https://"+strings.Join(parts[:3], "/"), strings.Join(parts[3:], "/")
		}
		return nil
	}
	q.name = parts[0]
	switch len(parts) {
	case 1:
	case 2:
		q.below = parts[1]
	case 3:
		q.below, q.module = parts[1], parts[2]
	default:
		return invalidName(name)
	}
	return nil
}

// isSCP reports whether a location has the form user@host:path.
func isSCP(s string) bool {
	user, rest, ok := strings.Cut(s, "@")
	host, _, okHost := strings.Cut(rest, ":")
	return ok && okHost && user != "" && host != "" && !strings.Contains(user+host, "/")
}

// parseVersion parses the requested version: a version, a requirement, or the
// name of a branch, a tag or a commit.
func (q *question) parseVersion(version string) error {
	q.version = version
	switch version {
	case "", "latest", "newest", "*":
		return nil
	}
	r, err := swiftpm.ParseRequirement(version)
	switch {
	case err == nil && r.Branch != "":
		q.ref = r.Branch
	case err == nil && r.Revision != "":
		q.ref = r.Revision
	case err == nil:
		q.requirement = r
	case swiftpm.ValidRef(version):
		q.ref = version
	default:
		return ecosystem.Fail(ecosystem.Invalid, "%.100q is not a version, a requirement or a branch", version).
			WithNext(`use a version (1.38.0), a requirement ("from: 1.38.0", ^1.38, "1.0.0..<1.5.0"), a branch, a revision or "latest"`).WithErr(err)
	}
	return nil
}

// accepts reports whether a pin satisfies the requested version.
func (q *question) accepts(p *swiftpm.Pin) bool {
	if q.version == "" {
		return true
	}
	if q.ref != "" {
		return p.Branch == q.ref || p.Version == q.ref || len(q.ref) >= 7 && strings.HasPrefix(p.Revision, strings.ToLower(q.ref))
	}
	v, err := swiftpm.ParseTag(p.Version)
	return err == nil && !q.requirement.Any() && q.requirement.Matches(v)
}

// manifestHost returns the platform on which the manifest is evaluated.
func (q *question) manifestHost() string {
	switch q.platform {
	case "iOS", "tvOS", "watchOS", "visionOS", "macCatalyst":
		return "macOS"
	case "android", "wasi":
		return "linux"
	}
	return q.platform
}
