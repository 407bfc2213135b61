package registry

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const (
	maxProjectFiles = 10_000  // maximum number of files in a project that are examined
	maxProjectDepth = 4       // maximum depth of the directories that are searched
	maxProjectFile  = 4 << 20 // maximum size of a file that is read
)

// CheckOwnership checks a project's files for the markers that the official registry uses to verify
// that the publisher owns the packages: mcpName in package.json, "mcp-name: NAME" in a README, an
// image's label, or a Go module's owner. The registry searches the published packages for them, so
// a marker must exist before the package is built. The project is the directory that contains
// server.json.
func CheckOwnership(s *Server, project fs.FS) ([]Problem, error) {
	files, err := readProject(project)
	if err != nil {
		return nil, err
	}
	c := &checker{}
	for i := range s.Packages {
		p := &s.Packages[i]
		field := fmt.Sprintf("packages[%d]", i)
		switch p.RegistryType {
		case "npm":
			c.packageJSON(field, s, p, files)
		case "pypi", "nuget":
			c.readme(field, s, files, func(text string) string { return text })
		case "cargo":
			c.readme(field, s, files, func(text string) string { return htmlComment().ReplaceAllString(text, "") })
		case "oci":
			c.label(field, s, files)
		case "go":
			c.module(field, s, p)
		}
	}
	return c.problems, nil
}

// projectFile is a file of a project that can contain a marker.
type projectFile struct {
	path string
	text string
}

// readProject reads the files that can contain markers. Files in outer directories are first.
func readProject(project fs.FS) ([]projectFile, error) {
	var files []projectFile
	count := 0
	err := fs.WalkDir(project, ".", func(name string, d fs.DirEntry, err error) error {
		if count++; err != nil || count > maxProjectFiles {
			if name == "." {
				return err
			}
			return fs.SkipDir // a directory that cannot be read contains no markers
		}
		base := strings.ToLower(d.Name())
		if d.IsDir() {
			skipped := base == "node_modules" || base == "vendor" || base == "target" || name != "." && strings.HasPrefix(base, ".")
			if skipped || strings.Count(name, "/") >= maxProjectDepth {
				return fs.SkipDir
			}
			return nil
		}
		marked := base == "package.json" || strings.HasPrefix(base, "readme") || isImageFile(base)
		if info, err := d.Info(); !marked || err != nil || !d.Type().IsRegular() || info.Size() > maxProjectFile {
			return nil //nolint:nilerr // a file that cannot be read contains no markers
		}
		data, err := fs.ReadFile(project, name)
		if err == nil { // a file that cannot be read contains no markers
			files = append(files, projectFile{name, string(data)})
		}
		return nil
	})
	slices.SortStableFunc(files, func(a, b projectFile) int { return strings.Count(a.path, "/") - strings.Count(b.path, "/") })
	return files, err
}

func isImageFile(base string) bool {
	return strings.HasPrefix(base, "dockerfile") || strings.HasSuffix(base, ".dockerfile") || strings.HasPrefix(base, "containerfile")
}

func (c *checker) packageJSON(field string, s *Server, p *Package, files []projectFile) {
	for _, f := range files {
		var manifest struct {
			Name    string  `json:"name"`
			Version string  `json:"version"`
			MCPName *string `json:"mcpName"`
		}
		if path.Base(f.path) != "package.json" || json.Unmarshal([]byte(f.text), &manifest) != nil || manifest.Name != p.Identifier {
			continue
		}
		switch {
		case manifest.MCPName == nil:
			c.add(field, `%s has no "mcpName"; add "mcpName": %q`, f.path, s.Name)
		case *manifest.MCPName != s.Name:
			c.add(field, `"mcpName" in %s is %q; it must be %q`, f.path, *manifest.MCPName, s.Name)
		}
		if manifest.Version != "" && manifest.Version != p.Version {
			c.add(field+".version", "is %q, but the version in %s is %q", p.Version, f.path, manifest.Version)
		}
		return
	}
	c.add(field, `no package.json has the name %q; the package's package.json must have "mcpName": %q`, p.Identifier, s.Name)
}

var htmlComment = pattern(`(?s)<!--.*?-->`)

// readme searches the visible text of READMEs for the marker.
func (c *checker) readme(field string, s *Server, files []projectFile, shown func(string) string) {
	mark := "mcp-name: " + s.Name
	for _, f := range files {
		if !strings.HasPrefix(strings.ToLower(path.Base(f.path)), "readme") {
			continue
		}
		if hasMark(shown(f.text), mark) {
			return
		}
		if hasMark(f.text, mark) {
			c.add(field, "the line %q in %s is in a comment, which is not shown where the package is published; write it in the text", mark, f.path)
			return
		}
	}
	c.add(field, "no README has %q; add it to the one that is published with the package, on a separate line", mark)
}

// hasMark reports whether text contains the marker. The character after the marker must not be able
// to belong to a name.
func hasMark(text, mark string) bool {
	for {
		_, rest, found := strings.Cut(text, mark)
		if !found {
			return false
		}
		if rest == "" || strings.HasPrefix(rest, "-->") || strings.HasPrefix(rest, "--!>") ||
			!strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-", rune(rest[0])) {
			return true
		}
		text = rest
	}
}

var imageLabel = pattern(`io\.modelcontextprotocol\.server\.name"?\s*=\s*["']?([^"'\s\\]+)`)

func (c *checker) label(field string, s *Server, files []projectFile) {
	for _, f := range files {
		if !isImageFile(strings.ToLower(path.Base(f.path))) {
			continue
		}
		match := imageLabel().FindStringSubmatch(f.text)
		if match == nil {
			continue
		}
		if match[1] != s.Name {
			c.add(field, "the label io.modelcontextprotocol.server.name in %s is %q; it must be %q", f.path, match[1], s.Name)
		}
		return
	}
	c.add(field, `no Dockerfile sets the label that the image needs: LABEL io.modelcontextprotocol.server.name=%q`, s.Name)
}

// module checks that a Go module belongs to the owner of the namespace.
func (c *checker) module(field string, s *Server, p *Package) {
	namespace, _, _ := strings.Cut(s.Name, "/")
	owner, ok := strings.CutPrefix(namespace, "io.github.")
	if prefix := "github.com/" + owner + "/"; !ok || !strings.HasPrefix(strings.ToLower(p.Identifier), strings.ToLower(prefix)) {
		c.add(field+".identifier", "must be a module below github.com/OWNER/, for a server with the name io.github.OWNER/…")
	}
}
