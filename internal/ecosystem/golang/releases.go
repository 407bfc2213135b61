package golang

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
)

var _ ecosystem.Releaser = (*Golang)(nil)

// moduleReleases contains cached information about the versions of a module.
type moduleReleases struct {
	ecosystem.Validity

	Versions []string // tagged versions that are not retracted, in order
	Newest   string   // "" if no version is tagged
	ModFile  string   // go.mod file of Newest, which records deprecation and retractions
}

const (
	releasesTime = 10 * time.Minute // how long an answer about the versions of a module is fresh
	maxAnswer    = 32 << 20         // maximum size in bytes of a cached answer
	maxReason    = 400              // maximum length of the reason for a retraction
)

// Releases implements ecosystem.Releaser. It queries the module proxies in GOPROXY, or runs
// the go command for modules that must not be requested from a proxy. A requirement in
// go.mod allows any newer version of the dependency with the same path.
func (g *Golang) Releases(ctx context.Context, projectDir string, p *ecosystem.Used) (*ecosystem.Releases, error) {
	f, err := g.newFinder(question{project: projectDir})
	if err != nil {
		return nil, err
	}
	if err := module.CheckPath(p.Name); err != nil {
		return nil, invalid("%.200q is not a module path", p.Name).WithErr(err)
	}
	known, err := f.moduleReleases(ctx, p.Name)
	if err != nil {
		return nil, err
	}
	n := parseNotice([]byte(known.ModFile))
	out := &ecosystem.Releases{Newest: known.Newest, Deprecated: n.deprecated}
	out.Versions = func() []ecosystem.Version {
		all := make([]ecosystem.Version, len(known.Versions))
		for i, v := range known.Versions {
			all[i].Version = v
		}
		return ecosystem.Versions(all, func(a, b string) bool { return semver.Compare(a, b) > 0 })
	}
	if len(p.Wants) > 0 {
		out.Allowed = known.Newest
	}
	reason, retracted := n.retraction(p.Version)
	switch {
	case retracted:
		if out.Yanked = quote.Line(reason, maxReason); out.Yanked == "" {
			out.Yanked = ecosystem.NoReason
		}
	case module.IsPseudoVersion(p.Version), known.Newest != "" && newer(p.Version, known.Newest):
		out.Newest, out.Allowed = "", "" // The project uses a commit or a prerelease, which was an explicit choice.
	}
	out.Published = f.published(ctx, module.Version{Path: p.Name, Version: p.Version})
	return out, nil
}

// moduleReleases returns the versions of a module from the cache or from a registry.
func (f *finder) moduleReleases(ctx context.Context, path string) (*moduleReleases, error) {
	return ecosystem.Answer(ctx, ecosystem.Question[moduleReleases]{
		Cache:  f.g.options.Cache,
		File:   cachedir.HashName("go/releases/", path, f.st.get("GOPROXY")),
		Limit:  maxAnswer,
		Enough: func(k *moduleReleases) bool { return k.Fresh(releasesTime) },
		Ask: func(ctx context.Context, _ ecosystem.Validity) (*moduleReleases, *fetch.Response, error) {
			if f.networkOff(ctx) {
				return nil, nil, &fetch.Error{Kind: fetch.Offline, Detail: "network access is disabled"}
			}
			ctx, cancel := context.WithTimeout(ctx, f.g.options.Timeout)
			defer cancel()
			out, fails := f.askReleases(ctx, path)
			if fails != nil {
				return nil, nil, fails
			}
			return out, &fetch.Response{}, nil
		},
	})
}

// askReleases requests the versions of a module from a registry.
func (f *finder) askReleases(ctx context.Context, path string) (*moduleReleases, *ecosystem.Error) {
	client := &proxyClient{g: f.g, st: f.st}
	versions, fails := client.list(ctx, path)
	if fails != nil && fails.Reason == ecosystem.Refused && f.st.goCommand != "" {
		answer := (&goTool{f.g, f.st}).resolve(ctx, []string{path}, "latest")[0]
		if answer.err != nil {
			return nil, answer.err
		}
		out := &moduleReleases{Versions: answer.versions, Newest: answer.module.Version}
		out.ModFile = f.localModFile(path, answer.module.Version)
		return out, nil
	}
	if fails != nil {
		return nil, fails
	}
	out := &moduleReleases{Versions: client.offered(ctx, path, versions)}
	out.Newest, _ = pickVersion(out.Versions, "latest")
	if newest := newestOf(versions); newest != "" {
		// The newest version contains the retractions, even if it is retracted itself.
		if data, fails := client.modFile(ctx, path, newest); fails == nil {
			out.ModFile = string(data)
		}
	}
	return out, nil
}

// newestOf returns the newest of several versions.
func newestOf(versions []string) string {
	newest, _ := pickVersion(versions, "")
	return newest
}

// localModFile returns the contents of a go.mod file in the module cache, or "" if there is none.
func (f *finder) localModFile(path, version string) string {
	dir, name := escaped(module.Version{Path: path, Version: version})
	if dir == "" || f.st.modCache == "" {
		return ""
	}
	data, err := project.ReadFile(filepath.Join(f.st.modCache, "cache", "download", filepath.FromSlash(dir), "@v", name+".mod"), maxModFile)
	if err != nil {
		return ""
	}
	return string(data)
}

// maxInfo is the maximum size of an .info file, in bytes.
const maxInfo = 1 << 20

// published returns the time of a version, from the module cache or else from a module
// proxy. It returns the zero time if that fails.
func (f *finder) published(ctx context.Context, m module.Version) time.Time {
	if module.IsPseudoVersion(m.Version) {
		date, _ := module.PseudoVersionTime(m.Version)
		return date
	}
	path, version := escaped(m)
	if path == "" || !semver.IsValid(m.Version) {
		return time.Time{}
	}
	local := environ.Below(f.st.modCache, "cache", "download", filepath.FromSlash(path), "@v", version+".info")
	data, err := project.ReadFile(local, maxInfo)
	cached := downloadDir(path) + version + ".info"
	if err != nil {
		data, err = f.g.options.Cache.Read(cached, maxInfo)
	}
	if err != nil && !f.networkOff(ctx) {
		var fails *ecosystem.Error
		client := &proxyClient{g: f.g, st: f.st}
		if data, fails = client.get(ctx, m.Path, "@v/"+version+".info", maxInfo); fails != nil {
			return time.Time{}
		}
		_ = f.g.options.Cache.Write(cached, func(w *os.File) error { // if this fails, the next call requests it again
			_, err := w.Write(data)
			return err
		})
	}
	var info struct{ Time time.Time }
	if json.Unmarshal(data, &info) != nil {
		return time.Time{}
	}
	return info.Time
}
