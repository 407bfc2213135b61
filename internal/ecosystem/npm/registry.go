package npm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/npmrc"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project/npmlock"
	"github.com/docent-mcp/docent/internal/quote"
)

// configuration returns the settings from .npmrc and similar files and the
// environment, read once per query.
func (f *finder) configuration(ctx context.Context) *npmrc.Config {
	if f.config == nil {
		f.config = npmrc.Read(ctx, f.n.env, f.project)
		f.warnings = append(f.warnings, f.config.Problems...)
	}
	return f.config
}

// registryOf returns the registry for a package.
func (f *finder) registryOf(ctx context.Context, name string) (*npmrc.Registry, error) {
	if r, err := f.configuration(ctx).RegistryFor(name); r != nil || err != nil {
		return r, err
	}
	return f.defaultRegistry(ctx)
}

// connection contains the settings for requests to a URL.
type connection struct {
	client  *fetch.Client
	cred    npmrc.Credential
	network npmrc.Network
	// configured is true if the user's own settings name the host, and plain if
	// they allow the credential to be sent without encryption.
	configured, plain bool
}

// connectionTo returns the credential, TLS settings and proxy for requests to u
// about a package.
func (f *finder) connectionTo(ctx context.Context, r *npmrc.Registry, name string, u *url.URL) (connection, error) {
	c := f.configuration(ctx)
	w := connection{cred: c.CredentialFor(r, name, u), configured: r != nil && strings.EqualFold(r.URL.Host, u.Host)}
	w.network = c.NetworkFor(u, w.cred)
	var err error
	if w.plain, err = c.AllowPlain(r, u, w.cred); err != nil {
		return w, err
	}
	w.client, err = f.n.client(c, w.network, u, w.cred)
	return w, err
}

// request returns the request for a URL.
func (w connection) request(u string, limit int64) fetch.Request {
	return fetch.Request{URL: u, Configured: w.configured, Authorization: w.cred.Authorization, Plain: w.plain, Limit: limit}
}

// fromRegistry finds a version, range or tag in the registry, or the version in the lock file. by
// describes what determined the version. The tarball is not opened, because its documentation may
// already be cached under its hash.
func (f *finder) fromRegistry(ctx context.Context, name, want string, locked *npmlock.Dependency, by string) (*located, error) {
	if !npmlock.ValidName(name) {
		return nil, &ecosystem.Error{Reason: ecosystem.Invalid, What: fmt.Sprintf("%q is not a valid package name", name)}
	}
	l, err := f.choose(ctx, name, want, locked)
	if err != nil {
		return nil, err
	}
	l.name = f.ask.name
	return chosen(l, by), nil
}

// obtain chooses a version and opens its tarball.
func (f *finder) obtain(ctx context.Context, name, want string, locked *npmlock.Dependency) (*located, error) {
	l, err := f.choose(ctx, name, want, locked)
	if err != nil {
		return nil, err
	}
	return l, f.unpacked(ctx, l)
}

// choose chooses a version and finds the hash of its tarball.
func (f *finder) choose(ctx context.Context, name, want string, locked *npmlock.Dependency) (*located, error) {
	d := &download{name: name, version: want}
	l := &located{tarball: d}
	if locked != nil && locked.Integrity != "" {
		anyOf, err := fetch.ParseIntegrity(locked.Integrity)
		if err != nil {
			return nil, &ecosystem.Error{
				Reason: ecosystem.Unreadable, What: fmt.Sprintf("the integrity of %s in %s cannot be read: %v", d.what(), locked.By, quote.Error(err)),
				Next: "reinstall the project's dependencies", Err: err,
			}
		}
		d.anyOf, d.vouched = anyOf, locked.By
		l.fetch = func(ctx context.Context) (*located, error) {
			if cached := f.openKept(d); cached != nil {
				return cached, nil
			}
			var err error
			if l.deprecated, err = f.address(ctx, d, want, locked); err != nil {
				return nil, err
			}
			return f.fetchTarball(ctx, d)
		}
	} else {
		var err error
		if l.deprecated, err = f.address(ctx, d, want, nil); err != nil {
			return nil, err
		}
		l.fetch = func(ctx context.Context) (*located, error) { return f.fetchTarball(ctx, d) }
	}
	l.provenance = d.provenance(d.anyOf[0])
	return l, nil
}

// unpacked opens the tarball of a package, unless it is already open.
func (f *finder) unpacked(ctx context.Context, l *located) error {
	if l.pkg != nil {
		return nil
	}
	got, err := l.fetch(ctx)
	if err != nil {
		return err
	}
	l.pkg, l.manifest = got.pkg, got.manifest
	l.deprecated = cmp.Or(l.deprecated, got.deprecated)
	before := l.provenance
	l.provenance = got.provenance
	l.provenance.ChosenBy, l.provenance.Unused = before.ChosenBy, before.Unused
	if l.name != "" {
		l.pkg.Name = l.name
	}
	return nil
}

// address finds the URL of a tarball and, unless the lock file contains them, its version and
// hash. deprecated is the registry's deprecation notice.
func (f *finder) address(ctx context.Context, d *download, want string, locked *npmlock.Dependency) (deprecated string, err error) {
	name := d.name
	r, noRegistry := f.registryOf(ctx, name)
	if locked != nil && locked.Resolved != "" {
		u, err := url.Parse(locked.Resolved)
		// Use the lock file's URL if it is on the registry's host, or if the
		// registry is unknown. A configured registry replaces any other host.
		if err == nil && u.Host != "" && (r == nil || strings.EqualFold(u.Host, r.URL.Host)) {
			u.User = nil
			if r != nil {
				u.Scheme = r.URL.Scheme
			}
			d.url, d.registry = u, r
			return "", nil
		}
	}
	if noRegistry != nil {
		return "", noRegistry
	}
	d.registry = r
	p, err := f.packument(ctx, r, name, false, func(p *packument) bool {
		parsed, ok := parseRange(want)
		return ok && parsed.exact != "" && p.Versions[parsed.exact].Tarball != ""
	})
	if err != nil {
		return "", err
	}
	version, ok := p.pick(want)
	if !ok {
		return "", f.noVersion(r, p, name, want)
	}
	if p.Stale != nil {
		f.warnings = append(f.warnings, fmt.Sprintf("docent could not look up %s again (%v), so these are the versions from an earlier request", name, p.Stale))
	}
	known := p.Versions[version]
	d.version, d.local = version, p.Local
	if d.anyOf == nil {
		d.vouched = "the registry"
		if d.anyOf, err = known.digests(); err != nil {
			return "", &ecosystem.Error{
				Reason: ecosystem.Unreadable, What: fmt.Sprintf("%s does not provide a hash for the tarball of %s, so it cannot be verified", r.String(), d.what()),
				Next: "request another version, or install the package in the project", Err: err,
			}
		}
	}
	if d.url, err = tarballURL(r, known.Tarball); err != nil {
		return "", &ecosystem.Error{Reason: ecosystem.Unreadable, What: fmt.Sprintf("%s does not provide a URL for the tarball of %s", r.String(), d.what()), Err: err}
	}
	return known.Deprecated, nil
}

// digests returns the hashes that a registry lists for a tarball.
func (r *release) digests() ([]fetch.Digest, error) {
	if r.Integrity != "" {
		return fetch.ParseIntegrity(r.Integrity)
	}
	d, err := fetch.ParseHex("sha1", r.Shasum)
	return []fetch.Digest{d}, err
}

// tarballURL parses the URL of a tarball. Registries behind a proxy may send
// the wrong scheme.
func tarballURL(r *npmrc.Registry, raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, err
	}
	u = r.URL.ResolveReference(u)
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("not an http or https URL")
	}
	u.User = nil
	if strings.EqualFold(u.Host, r.URL.Host) {
		u.Scheme = r.URL.Scheme
	}
	return u, nil
}

func (f *finder) noVersion(r *npmrc.Registry, p *packument, name, want string) error {
	e := &ecosystem.Error{
		Reason: ecosystem.NotFound, What: fmt.Sprintf("there is no version %s of %s", want, name),
		Tried: append(f.tried, r.String()), Near: p.close(want), Next: "request a version that exists",
	}
	if len(p.Versions) == 0 {
		e.What, e.Next = name+" has no versions", "check the name"
		e.Near = f.near(name)
		if modules.Builtin(name) {
			e.Next = "for the module of Node.js, " + askNode(name)
		}
	}
	if p.Stale != nil {
		e.What += " among the known versions"
		e.Reason, e.Err = ecosystem.Unreachable, p.Stale
		e.Next = "allow network access (unset DOCENT_OFFLINE and omit --offline), or request one of these"
	}
	return e
}

// maxRemote is the maximum number of dependencies that are downloaded to resolve declarations. Component libraries
// have more than a hundred packages, one for each component.
const maxRemote = 150

// remoteDependency finds a dependency of a package from the registry. It returns
// nil if that fails.
func (f *finder) remoteDependency(ctx context.Context, from *located, name string) *located {
	want := ""
	for _, dependencies := range []map[string]string{from.manifest.Dependencies, from.manifest.Peer, from.manifest.Optional} {
		if spec, ok := dependencies[name]; ok {
			want = spec
			break
		}
	}
	if want == "" && name == typesName(from.pkg.Name) && !strings.HasPrefix(from.pkg.Name, "@types/") {
		if f.installed(from.pkg.Name, "", "") != nil && f.installed(name, "", "") == nil {
			return nil // The project's version is read from its code, which can be compared only with code.
		}
		// The major version of an @types package is the same as that of the
		// package that it declares.
		major, _, _ := strings.Cut(from.pkg.Version, ".")
		want = major
	}
	if want == "" {
		// This is the @types package of a dependency without its own types.
		for dep, spec := range from.manifest.Dependencies {
			if typesName(dep) == name {
				r, _ := parseRange(spec)
				want = "*"
				if n, _ := numbers(strings.TrimLeft(r.text, "^~>= v")); len(n) > 0 {
					want = fmt.Sprint(n[0])
				}
				break
			}
		}
	}
	if want == "" {
		return nil
	}
	spec := remoteSpec{name, want}
	l, known := f.remotes[spec]
	if !known && len(f.remotes) < maxRemote {
		l = f.fromRange(ctx, spec)
		if f.remotes == nil {
			f.remotes = map[remoteSpec]*located{}
		}
		f.remotes[spec] = l
	}
	return l
}

// remoteSpec is a dependency as a manifest lists it: a name and a range of versions.
type remoteSpec struct{ name, want string }

// fromRange finds a dependency in the registry, at the project's version if it is in the range. It returns nil if
// that fails.
func (f *finder) fromRange(ctx context.Context, dependency remoteSpec) *located {
	name, want := dependency.name, dependency.want
	f.restsOnRegistry()
	if f.project != nil {
		if dep, ok := f.project.Locked(name); ok && dep.Alias == "" && dep.Dir == "" && dep.Foreign == "" {
			if r, ok := parseRange(want); ok && r.matches(dep.Version) {
				l, err := f.obtain(ctx, name, dep.Version, &dep)
				if err == nil {
					return l
				}
				f.lacks(err)
			}
		}
	}
	spec := npmlock.ParseSpec(want)
	if spec.Kind != npmlock.Registry {
		return nil
	}
	warnings := f.warnings
	l, err := f.obtain(ctx, cmp.Or(spec.Name, name), cmp.Or(spec.Range, "*"), nil)
	if err != nil && strings.HasPrefix(name, "@types/") && want != "*" {
		l, err = f.obtain(ctx, name, "*", nil)
	}
	f.warnings = warnings
	if err != nil {
		f.lacks(err)
		return nil
	}
	return l
}
