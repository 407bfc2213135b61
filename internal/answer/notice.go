package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// notices writes bold sentences before the title of an answer, one per line. Readers must know them
// to use the answer.
func (w *writer) notices(sentences []string) {
	for i, s := range sentences {
		sentences[i] = "**" + oneLine(s) + "**"
	}
	w.block(strings.Join(slices.Compact(sentences), "\n"))
}

// unchosen returns the notice for packages whose version was chosen neither by a project nor in the
// request. It returns none if there is no such package. project is Guide.Project.
func unchosen(in []*Renderer, project string) []string {
	n := 0
	for _, r := range in {
		if slices.Contains(r.pkg.Advice, ecosystem.Unchosen) {
			n++
		}
	}
	text := "This is the newest version. " + cmp.Or(project, "Specify the project's directory") + " to get the version that your project uses."
	switch {
	case n == 0:
		return nil
	case n > 1:
		text = "These are the newest versions. " + cmp.Or(project, "Specify the project's directory") + " to get the versions that your project uses."
	}
	return []string{text}
}

// incomplete returns the notice for packages that were read only partly. It returns none if there
// is no such package.
func incomplete(in []*Renderer) []string {
	var names []string
	for _, r := range in {
		if name := short(r.pkg.Name); slices.Contains(r.pkg.Warnings, ecosystem.Incomplete) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{"Only part of " + nameSome(names, 300) + " was read: declarations may be missing."}
}

// noticesAbout returns the notices at the beginning of every answer about packages.
func noticesAbout(in []*Renderer, project string) []string {
	return append(unchosen(in, project), incomplete(in)...)
}

// maxNotices is the maximum number of notices about symbols that a package does not export. More are
// combined into one.
const maxNotices = 2

// noticesOf returns the notices of an answer about symbols.
func noticesOf(requests []Subject, in []*Renderer, g Guide) []string {
	all := noticesAbout(in, g.Project)
	notices, imports := map[string][]string{}, map[string][]string{} // by the package that does not export the symbols
	for i := range requests {
		if a := &requests[i]; a.NotIn != "" {
			notices[a.NotIn] = appendNew(notices[a.NotIn], a.Notice)
			if a.Import != "" {
				imports[a.NotIn] = appendNew(imports[a.NotIn], a.Import)
			}
		}
	}
	for i := range requests {
		a := &requests[i]
		n := a.Notice
		if len(notices[a.NotIn]) > maxNotices {
			n = fmt.Sprintf("%s does not export %d of these symbols. The headings name the packages that do.", a.NotIn, len(notices[a.NotIn]))
			if len(imports[a.NotIn]) > 0 {
				n = fmt.Sprintf("%s does not export %d of these symbols. Import them with %s.", a.NotIn, len(notices[a.NotIn]), nameSome(imports[a.NotIn], maxExportedBytes))
			}
		}
		if n != "" && !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}
