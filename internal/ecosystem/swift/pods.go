package swift

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/manifest"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
	"github.com/docent-mcp/docent/internal/project"
)

// locatePod finds the files of a pod, in Pods or at its path.
func (f *finder) locatePod(_ context.Context, c *candidate) (*located, error) {
	l := &located{identity: c.Name, version: c.Version, location: webLocation(c.location), pod: true, manifest: &manifest.Manifest{}}
	l.provenance = apidoc.Provenance{Source: "Pods", ChosenBy: c.by, Integrity: "not verified: docent used the files on this machine"}
	dir := filepath.Join(f.project.PodsRoot, "Pods", c.Name)
	if c.pod.Path != "" {
		path := filepath.FromSlash(c.pod.Path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(f.project.PodsRoot, path)
		}
		if strings.HasSuffix(path, ".podspec") {
			path = filepath.Dir(path)
		}
		dir, l.inProject, l.version = path, true, ""
		l.provenance.Source, l.provenance.Integrity = "workspace", "not verified: the files are your own"
	}
	f.seen.Add(dir)
	if filepath.Base(c.Name) == c.Name && project.IsDir(dir) {
		l.dir, l.provenance.Location = dir, dir
		return l, nil
	}
	if c.Revision != "" && l.location != "" {
		l.pod = false
		if err := f.fromHost(l, c.location, c.Revision, true); err == nil {
			return l, nil
		}
	}
	return nil, ecosystem.Fail(ecosystem.NotFound, "the pod %s %s is not on this machine", c.Name, c.Version).WithTried(dir).
		WithNext("run pod install, or specify the URL of its repository with the version %s", c.Version)
}

// podTargets returns the module of a pod, which contains all of the pod's
// sources and headers.
func podTargets(l *located) []module.Target {
	budget := maxFiles
	exclude := map[string]bool{}
	for _, dir := range []string{"Tests", "Test", "Example", "Examples", "Demo", "Pods", "Carthage"} {
		exclude[dir] = true
	}
	w := &walker{files: l.files, budget: &budget, exclude: exclude}
	w.walk(".", 0)
	w.swift = slices.DeleteFunc(w.swift, manifestName)
	t := module.Target{Name: l.identity, Dir: ".", Files: append(w.swift, w.docs...), Products: []string{l.identity}}
	if c := c99(l.identity); c != t.Name {
		t.C99Name = c
	}
	if len(w.swift) == 0 {
		h := &walker{files: l.files, budget: &budget, exclude: exclude, headers: true}
		h.walk(".", 0)
		t.C, t.Files = true, h.swift
	}
	if len(t.Files) == 0 {
		return nil
	}
	return []module.Target{t}
}

func manifestName(name string) bool {
	base := name[strings.LastIndexByte(name, '/')+1:]
	return base == "Package.swift" || strings.HasPrefix(base, "Package@swift-")
}
