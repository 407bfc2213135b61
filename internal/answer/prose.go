package answer

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/markup"
)

// prose is an answer about a package's README and guides.
type prose struct {
	renderer *Renderer
	// sections contains the requested sections in a useful reading order.
	sections []apidoc.Section
	project  string   // how to specify the user's project; see Guide
	omitted  []string // lines about the omitted sections and how to get them
}

// Hints contains parts of sentences that describe how to get prose that an answer omits.
type Hints struct {
	Section string // how to get one section, such as "with section"
	Query   string // how to find sections by words, such as "with a query"
	Larger  string // how to get a longer answer, such as "set a larger maxLength"
	Project string // how to specify the user's project; see Guide
}

// Sections answers with the requested sections, which belong to p, as Markdown of at most limit
// bytes (unlimited if 0 or less). It lists the IDs of omitted sections and of the package's other
// sections, and uses hints to describe how to get them.
func Sections(p *apidoc.Package, requests []apidoc.Section, limit int, hints Hints) *Answer {
	return &Answer{Packages: []About{about(p)}, Text: sectionsWithin(p, requests, limit, hints).markdown(limit)}
}

func sectionsWithin(p *apidoc.Package, requests []apidoc.Section, limit int, hints Hints) *prose {
	whole := &prose{renderer: NewRenderer(p), project: hints.Project}
	for i := range requests {
		whole.sections = append(whole.sections, apidoc.Section{
			ID: short(requests[i].ID), Title: short(requests[i].Title), Body: markup.Clean(requests[i].Body), Level: requests[i].Level, Origin: requests[i].Origin,
		})
	}
	text := 0
	for i := range whole.sections {
		text += len(whole.sections[i].Body)
	}
	room, listed := limit, min(maxOutline, max(minOutline, text/idLength))
	for {
		a := whole.within(room, hints)
		a.list(p, listed, hints)
		length := len(a.markdown(0))
		if limit <= 0 || length <= limit || room <= 1 && listed == 0 {
			return a
		}
		// The list of further sections takes at most a quarter of the limit.
		if n := len(a.omitted); n > 0 && len(a.omitted[n-1]) > limit/4 && listed > 0 {
			listed /= 2
			continue
		}
		if room <= 1 {
			listed /= 2
		}
		room = max(1, min(room-(length-limit), room-8))
	}
}

// within returns the answer with its text truncated to limit bytes.
func (a *prose) within(limit int, hints Hints) *prose {
	short := *a
	short.omitted = nil
	if limit <= 0 {
		return &short
	}
	short.sections = nil
	for _, s := range a.sections {
		heading := len("\n## \n\n") + len(s.Title)
		if len(s.Body)+heading <= limit {
			limit -= len(s.Body) + heading
			short.sections = append(short.sections, s)
			continue
		}
		if length := len(s.Body); len(short.sections) == 0 || limit > 400 {
			s.Body = beginning(s.Body, max(limit-heading, 0))
			short.omitted = append(short.omitted, fmt.Sprintf("This answer contains %[2]d of the %[3]d bytes of %[1]s; %[4]s.", s.ID, len(s.Body), length, hints.Larger))
			short.sections = append(short.sections, s)
		}
		break
	}
	return &short
}

// maxOutline is the number of sections that are listed in addition to those that are shown. If
// little text is shown, minOutline sections are listed.
const (
	maxOutline = 60
	minOutline = 12
	idLength   = 30 // typical length of an ID in bytes
)

// list adds the IDs of at most maximum sections that are not shown.
func (a *prose) list(p *apidoc.Package, maximum int, hints Hints) {
	shown := map[string]bool{}
	for i := range a.sections {
		shown[a.sections[i].ID] = true
	}
	outline := Outline(p.Sections)
	// The reader will probably request the next sections.
	next := 0
	for i := range outline {
		if shown[outline[i].ID] {
			next = i + 1
		}
	}
	var rest []string
	remaining := 0
	for i := range outline {
		switch s := &outline[(next+i)%len(outline)]; {
		case shown[s.ID]:
		case len(rest) < maximum:
			rest = append(rest, short(s.ID))
		default:
			remaining++
		}
	}
	switch {
	case len(rest)+remaining == 0:
		return
	case len(rest) == 0:
		a.omitted = append(a.omitted, fmt.Sprintf("%s not listed; to see their names, %s.", plural(remaining, "other section is", "other sections are"), hints.Larger))
		return
	}
	more := ""
	if remaining > 0 {
		more = fmt.Sprintf(" and %d more, which you can find %s", remaining, hints.Query)
	}
	a.omitted = append(a.omitted, "Other sections, available "+hints.Section+": "+strings.Join(rest, ", ")+more+".")
}

// Outline selects the sections that contain the others. These are the sections of the README down
// to the second level, and each guide and example as a whole.
func Outline(sections []apidoc.Section) []apidoc.Section {
	var picked []apidoc.Section
	for i := range sections {
		s := &sections[i]
		below := s.Level > 1 && i > 0 && sections[i-1].File == s.File
		if isReadme(s.ID) {
			below = s.Level > 2 && s.Body == "" || s.Level > 3
		}
		if !below && (s.Body != "" || i+1 < len(sections) && sections[i+1].Level > s.Level) {
			picked = append(picked, *s)
		}
	}
	return picked
}

func isReadme(id string) bool { return strings.HasPrefix(id, "readme/") }

// Readme returns the sections that are shown by default. These are the README, or all sections if
// there is no README.
func Readme(sections []apidoc.Section) []apidoc.Section {
	end := 0
	for end < len(sections) && isReadme(sections[end].ID) {
		end++
	}
	if end == 0 {
		return sections
	}
	return sections[:end]
}

// markdown returns the answer, which ends with a newline. If not even its beginning fits, it is
// truncated to limit bytes (unlimited if 0 or less).
func (a *prose) markdown(limit int) string {
	var w writer
	head := about(a.renderer.pkg)
	w.notices(noticesAbout([]*Renderer{a.renderer}, a.project))
	w.block("# Documentation of " + head.label())
	w.block(a.renderer.head())
	a.renderer.writeSections(&w, a.sections, 2)
	if len(a.sections) == 0 {
		if reason := notInVendor(a.renderer.pkg); reason != "" {
			w.block("No README is available: " + reason)
		} else {
			w.block("The package does not contain a README that explains its use.")
		}
	}
	for _, omitted := range a.omitted {
		w.block(omitted)
	}
	return w.within(limit)
}

// FindSections returns the section with the ID, title or file name, and the sections below it. name
// may also be a path such as "docs" or "docs/guides", which selects all sections below it, or
// several names separated by commas. The error lists the sections of the package.
func FindSections(p *apidoc.Package, name string) ([]apidoc.Section, error) {
	found, err := findSection(p, name)
	if err == nil || !strings.Contains(name, ",") {
		return found, err
	}
	taken := map[string]bool{}
	for each := range strings.SplitSeq(name, ",") {
		if strings.TrimSpace(each) == "" {
			continue
		}
		sections, err := findSection(p, each)
		if err != nil {
			return nil, err
		}
		for _, s := range sections {
			if key := s.ID + "\n" + s.Title; !taken[key] {
				taken[key] = true
				found = append(found, s)
			}
		}
	}
	if len(found) == 0 {
		return nil, err
	}
	return found, nil
}

func findSection(p *apidoc.Package, name string) ([]apidoc.Section, error) {
	want := strings.ToLower(strings.TrimSpace(name))
	file, anchor, _ := strings.Cut(strings.Trim(strings.TrimPrefix(want, "./"), "/"), "#")
	if file == "" {
		file, want = anchor, anchor
	}
	for _, same := range []func(s *apidoc.Section) bool{
		func(s *apidoc.Section) bool { return strings.EqualFold(s.ID, want) },
		func(s *apidoc.Section) bool {
			return strings.EqualFold(s.File, file) && (anchor == "" || strings.HasSuffix(strings.ToLower(s.ID), "/"+anchor))
		},
		func(s *apidoc.Section) bool { return strings.EqualFold(s.File, file) },
	} {
		for i := range p.Sections {
			if same(&p.Sections[i]) {
				if isReadme(p.Sections[i].ID) && anchor == "" && file == strings.ToLower(p.Sections[i].File) {
					return Readme(p.Sections), nil
				}
				return below(p.Sections, i), nil
			}
		}
	}
	if under := inFolder(p.Sections, file); len(under) > 0 {
		return under, nil
	}
	for _, same := range []func(id, title string) bool{
		func(_, title string) bool { return title == want },
		func(id, _ string) bool { return strings.HasSuffix(id, "/"+want) },
		func(id, title string) bool {
			return utf8.RuneCountInString(want) > 2 && (strings.Contains(title, want) || strings.Contains(id, want))
		},
	} {
		for i := range p.Sections {
			if same(strings.ToLower(p.Sections[i].ID), strings.ToLower(p.Sections[i].Title)) {
				return below(p.Sections, i), nil
			}
		}
	}
	if found := inDoc(p, want); len(found) > 0 {
		return found, nil
	}
	var ids []string
	for _, s := range Outline(p.Sections) {
		ids = append(ids, s.ID)
	}
	failure := &ecosystem.Error{Reason: ecosystem.NotFound, What: fmt.Sprintf("%s has no section %q", p.Name, oneLine(name)), Next: "request one of these sections, or search for words"}
	if len(ids) == 0 {
		failure.Next = "describe the package to see its symbols"
		if reason := notInVendor(p); reason != "" {
			failure.What += ", nor any other: " + reason
		} else {
			failure.What += ", nor any other: it has no README or guides"
		}
		return nil, failure
	}
	failure.What += ". It has " + strings.Join(ids[:min(len(ids), maxOutline)], ", ")
	if n := len(ids) - maxOutline; n > 0 {
		failure.What += fmt.Sprintf(" and %d more", n)
	}
	return nil, failure
}

// inDoc returns the section with the title want in the package's own documentation, and the
// sections below it. For the name "doc", it returns all sections.
func inDoc(p *apidoc.Package, want string) (found []apidoc.Section) {
	if want == "" {
		return nil
	}
	level := 0 // heading level of the section found
	for _, part := range markup.Parts(p.Doc) {
		switch {
		case want == "doc":
		case level > 0 && part.Level <= level:
			return found
		case level == 0 && strings.ToLower(part.Title) != want:
			continue
		case level == 0:
			level = max(part.Level, 1)
		}
		title := part.Title
		if title == "" {
			title = p.Name
		}
		found = append(found, apidoc.Section{ID: "doc", Title: title, Level: max(part.Level, 1), Body: part.Body})
	}
	return found
}

// notInVendor returns a note that the go command omits prose from vendor directories if the package
// was read from such a directory. Otherwise, it returns "".
func notInVendor(p *apidoc.Package) string {
	if p.Provenance.Source != "vendor" {
		return ""
	}
	return fmt.Sprintf("docent read the package from a vendor directory, which does not contain READMEs or guides; to read those of the module, request version %s", p.Version)
}

// below returns a section and the sections below it.
func below(sections []apidoc.Section, first int) []apidoc.Section {
	end := first + 1
	for end < len(sections) && sections[end].Level > sections[first].Level && sections[end].File == sections[first].File {
		end++
	}
	return sections[first:end]
}

// inFolder returns the sections whose IDs begin with the path of a folder.
func inFolder(sections []apidoc.Section, folder string) []apidoc.Section {
	start := -1
	for i := range sections {
		inside := strings.HasPrefix(strings.ToLower(sections[i].ID), folder+"/")
		switch {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			return sections[start:i]
		}
	}
	if start < 0 {
		return nil
	}
	return sections[start:]
}
