package docserver

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// nowhere is the working directory for clients on other machines. It is not in any project.
var nowhere = filepath.Join(string(filepath.Separator), "nonexistent")

// remoteProject is like project, for a client on another machine, which must not name files of this
// one.
func (s *server) remoteProject(ctx context.Context, projectPath string, names []string) (string, error) {
	for _, name := range names {
		if err := checkRemoteName(name, projectPath != ""); err != nil {
			return "", err
		}
	}
	if projectPath == "" {
		return "", nil
	}
	return s.projects(ctx, projectPath)
}

// checkRemoteName returns an error if a package, version or file is given by a path on this
// machine. In a project, the path of a file in the project is allowed.
func checkRemoteName(text string, inProject bool) error {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;@=", r) || r <= ' ' }) {
		word = strings.ToLower(filepath.ToSlash(strings.ReplaceAll(word, `\`, "/")))
		_, afterDrive, drive := strings.Cut(word, ":/")
		drive = drive && strings.Index(word, ":/") == 1 && !strings.HasPrefix(afterDrive, "/")
		local := strings.HasPrefix(word, "/") || word == "~" || strings.HasPrefix(word, "~") && strings.Contains(word, "/") || strings.Contains(word, "file:") || strings.Contains(word, "link:") ||
			drive || slices.Contains(strings.Split(word, "/"), "..") || !inProject && (word == "." || strings.HasPrefix(word, "./"))
		if local {
			return ecosystem.Fail(ecosystem.Invalid, "%.100q is a path on the server, which clients cannot use", text).WithNext("name a package")
		}
	}
	return nil
}
