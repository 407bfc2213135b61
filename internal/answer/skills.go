package answer

import (
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func isSkill(id string) bool { return strings.HasPrefix(id, apidoc.SkillPrefix) }

// maxSkills is the maximum number of skills that an overview lists.
const maxSkills = 10

// skills lists the skills for coding agents in the package.
func (r *Renderer) skills(w *writer, g Guide) {
	var lines []string
	first, more := "", 0
	for i := range r.pkg.Sections {
		s := &r.pkg.Sections[i]
		if !isSkill(s.ID) {
			continue
		}
		if len(lines) == maxSkills {
			more++
			continue
		}
		if first == "" {
			first = s.ID
		}
		description, _, _ := strings.Cut(s.Body, "\n")
		lines = append(lines, "- "+s.ID+": "+excerpt(oneLine(description), 200))
	}
	if len(lines) == 0 {
		return
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("- … and %d more", more))
	}
	head := "Skills that the package ships for coding agents, written by the package's authors"
	if g.Section != "" {
		head += "; to read one, " + strings.Replace(g.Section, "%s", first, 1)
	}
	w.block(head + ":\n" + strings.Join(lines, "\n"))
}
