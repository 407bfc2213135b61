package npm

import (
	"context"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/npmlock"
)

// Names implements ecosystem.Language. It completes prefix with the dependencies of the project in
// projectDir and of its workspace root, the project's own packages, and, after the name of an
// installed package, its entry points. It skips files that cannot be read, and lists at most limit
// names.
func (n *NPM) Names(projectDir, prefix string, limit int) []string {
	dir, err := filepath.Abs(projectDir)
	if projectDir == "" || err != nil {
		return nil
	}
	p, err := n.projects.Find(context.Background(), dir)
	if err != nil {
		return nil
	}
	found := map[string]bool{}
	add := func(name string) {
		// Other names could contain control sequences for the terminal.
		if strings.HasPrefix(name, prefix) && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }) {
			found[name] = true
		}
	}
	manifests := []*npmlock.Manifest{p.Manifest}
	if root, err := npmlock.ReadManifest(filepath.Join(p.Root, "package.json")); err == nil && p.Root != p.Dir {
		manifests = append(manifests, root)
	}
	for _, m := range manifests {
		for _, dependencies := range []map[string]string{m.Dependencies, m.Dev, m.Optional, m.Peer} {
			for name := range dependencies {
				// Users look for a package of declarations by the name of the package
				// that it declares.
				if !strings.HasPrefix(name, "@types/") || strings.HasPrefix(prefix, "@types") {
					add(name)
				}
			}
		}
	}
	for name := range p.Members() {
		add(name)
	}
	for _, name := range entryPoints(p, prefix) {
		add(name)
	}
	return ecosystem.FirstNames(found, limit)
}

// entryPoints lists the entry points of an installed package that begin with prefix.
// It returns nothing unless prefix has a slash after the package's name.
func entryPoints(p *npmlock.Project, prefix string) []string {
	parts := strings.SplitN(prefix, "/", 3)
	n := 1
	if strings.HasPrefix(prefix, "@") {
		n = 2
	}
	if len(parts) <= n {
		return nil
	}
	name := strings.Join(parts[:n], "/")
	if !npmlock.ValidName(name) {
		return nil
	}
	for _, dir := range project.Upwards(p.Dir) {
		data, err := project.ReadFile(filepath.Join(dir, "node_modules", filepath.FromSlash(name), "package.json"), 1<<20)
		if err != nil {
			continue
		}
		var m struct {
			Exports map[string]jsontext.Value `json:"exports"`
		}
		if json.Unmarshal(data, &m, lenient) != nil {
			return nil
		}
		var names []string
		for sub, target := range m.Exports {
			if rest, ok := strings.CutPrefix(sub, "./"); ok && rest != "package.json" && !strings.Contains(rest, "*") && target.Kind() != 'n' {
				names = append(names, name+"/"+rest)
			}
		}
		return names
	}
	return nil
}
