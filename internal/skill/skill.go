// Package skill finds the skills that packages ship for coding agents. These are directories with a
// SKILL.md in the form of the Agent Skills specification, in the places where npm packages, Python
// packages and crates keep them.
//
// A skill is a set of instructions by the authors of a package. Programs that show a skill quote
// it; only the user decides whether to install it.
package skill

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/yaml"
)

const (
	// File is the name of the file that makes a directory a skill.
	File = "SKILL.md"

	maxSkills = 100       // maximum number of skills of one package
	maxDepth  = 4         // maximum depth of the directories of skills
	maxDirs   = 1000      // maximum number of directories that are searched in one package
	maxFile   = 256 << 10 // maximum size of a SKILL.md in bytes
	maxName   = 64        // maximum length of a name in bytes, according to the specification
	maxText   = 1024      // maximum length of a description in bytes, according to the specification
)

// Skill is one skill of a package.
type Skill struct {
	// Name consists of letters, digits, hyphens, underscores and dots, so it can be the name of a
	// directory.
	Name        string
	Description string
	// Body is the Markdown of SKILL.md below its front matter.
	Body string
	// Dir is the directory of the skill within Files.
	Dir   string
	Files fs.FS
}

// Find returns the skills in the directories "skills" and ".agents/skills" below each of the given
// directories of a package, sorted by name. It ignores files that are not skills, and all skills of
// the same name except the first.
func Find(ctx context.Context, files fs.FS, dirs ...string) []Skill {
	f := finder{ctx: ctx, files: files}
	for _, dir := range dirs {
		for _, place := range []string{"skills", ".agents/skills"} {
			f.search(path.Join(dir, place), 0)
		}
	}
	slices.SortFunc(f.found, func(a, b Skill) int { return strings.Compare(a.Name, b.Name) })
	return f.found
}

type finder struct {
	ctx   context.Context
	files fs.FS
	dirs  int
	found []Skill
}

func (f *finder) search(dir string, depth int) {
	if f.dirs++; depth > maxDepth || f.dirs > maxDirs || len(f.found) >= maxSkills {
		return
	}
	entries, err := fs.ReadDir(f.files, dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		switch {
		case e.IsDir():
			f.search(path.Join(dir, e.Name()), depth+1)
		case e.Name() == File && depth > 0:
			data, err := project.ReadFS(f.files, path.Join(dir, File), maxFile)
			if err != nil {
				continue
			}
			s, err := Parse(f.ctx, string(data))
			if err != nil || slices.ContainsFunc(f.found, func(other Skill) bool { return other.Name == s.Name }) {
				continue
			}
			s.Dir, s.Files = dir, f.files
			f.found = append(f.found, s)
		}
	}
}

// Parse reads a SKILL.md: its front matter, which must contain a name and a description, and its
// body.
func Parse(ctx context.Context, text string) (Skill, error) {
	var s Skill
	text = strings.ReplaceAll(strings.ToValidUTF8(strings.TrimPrefix(text, "\uFEFF"), ""), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	head, body, closed := strings.Cut(rest, "\n---")
	if !ok || !closed {
		return s, fmt.Errorf("%s does not begin with front matter", File)
	}
	if end := strings.IndexByte(body, '\n'); end >= 0 {
		s.Body = strings.TrimSpace(markup.Clean(body[end:]))
	}
	err := yaml.Read(ctx, []byte(head), func(r *yaml.Reader) error {
		return r.Fields(func(key string) error {
			switch key {
			case "name":
				return scalar(r, &s.Name)
			case "description":
				return scalar(r, &s.Description)
			}
			return r.Skip()
		})
	})
	if err != nil {
		return s, fmt.Errorf("the front matter of %s: %w", File, err)
	}
	if !validName(s.Name) {
		return s, fmt.Errorf("%s has no valid name: %.100q", File, s.Name)
	}
	if s.Description = strings.Join(strings.Fields(markup.Clean(s.Description)), " "); s.Description == "" {
		return s, fmt.Errorf("the skill %s has no description", s.Name)
	}
	if len(s.Description) > maxText {
		s.Description = strings.ToValidUTF8(s.Description[:maxText-3], "") + "…"
	}
	return s, nil
}

func scalar(r *yaml.Reader, to *string) (err error) {
	*to, err = r.Text()
	return err
}

// validName reports whether a name can be the name of a directory on every system.
func validName(name string) bool {
	return name != "" && len(name) <= maxName && name[0] != '.' && !strings.HasSuffix(name, ".") &&
		strings.IndexFunc(name, func(c rune) bool {
			return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.')
		}) < 0
}

// Section returns the skill as a section of its package's documentation.
func (s *Skill) Section() apidoc.Section {
	return apidoc.Section{
		ID: apidoc.SkillPrefix + strings.ToLower(s.Name), Title: s.Name, Level: 1, File: path.Join(s.Dir, File),
		Body: s.Description + "\n\n" + s.Body,
	}
}
