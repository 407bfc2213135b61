package pylock

import (
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

const (
	maxRequirements = 16 << 20 // maximum size in bytes of one requirements file
	maxIncluded     = 100      // maximum number of files that one file includes
	maxLines        = 200_000  // maximum number of requirements in all of these files
)

// requirements collects requirements files and the files that they include.
type requirements struct {
	env     environ.Env
	read    func(file string) ([]byte, error)
	seen    map[string]bool
	lines   []requirementLine
	indexes []Index
	links   []string // values of --find-links
	noIndex bool
	problem string
}

// requirementLine is one requirement of a requirements file.
type requirementLine struct {
	pep508.Requirement
	constraint bool // whether it only limits versions and does not require the package
	editable   bool
	path       string // absolute path of a local project or archive
	file       string // base name of the file that contains it
	sha256     []string
}

// readRequirements reads a requirements file as pip does.
func readRequirements(file string, env environ.Env) *requirements {
	r := &requirements{env: env, seen: map[string]bool{}, read: func(file string) ([]byte, error) { return project.ReadFile(file, maxRequirements) }}
	r.include(file, false)
	return r
}

func (r *requirements) include(file string, constraint bool) {
	if r.seen[file] || len(r.seen) >= maxIncluded || isURL(file) {
		return
	}
	r.seen[file] = true
	data, err := r.read(file)
	if err != nil {
		if r.problem == "" {
			r.problem = filepath.Base(file) + " cannot be read"
		}
		return
	}
	for _, line := range logicalLines(string(data)) {
		if len(r.lines) < maxLines {
			r.line(r.expand(line), file, constraint)
		}
	}
}

func isURL(s string) bool {
	scheme, _, ok := strings.Cut(s, "://")
	return ok && !strings.ContainsAny(scheme, `/\ `)
}

// logicalLines joins continued lines and removes comments.
func logicalLines(text string) []string {
	var lines []string
	joined := ""
	text = strings.TrimPrefix(strings.ToValidUTF8(text, ""), "\uFEFF")
	for line := range strings.Lines(strings.ReplaceAll(text, "\r", "\n")) {
		line = strings.TrimRight(line, "\n")
		comment := strings.HasPrefix(strings.TrimSpace(line), "#")
		if rest, ok := strings.CutSuffix(line, `\`); ok && !comment {
			joined += rest
			continue
		}
		if !comment {
			joined += line
		}
		if joined = strings.TrimSpace(withoutComment(joined)); joined != "" {
			lines = append(lines, joined)
		}
		joined = ""
	}
	if joined = strings.TrimSpace(withoutComment(joined)); joined != "" {
		lines = append(lines, joined)
	}
	return lines
}

// withoutComment removes a comment, which begins with # after white space.
func withoutComment(line string) string {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return line[:i]
		}
	}
	return line
}

var requirementVariable = lazyregexp.New(`\$\{([A-Z0-9_]+)\}`)

// expand replaces environment variables such as ${NAME}. It does so only in options, because
// requirements do not need them.
func (r *requirements) expand(line string) string {
	if !strings.HasPrefix(line, "-") || !strings.Contains(line, "${") {
		return line
	}
	return requirementVariable().ReplaceAllStringFunc(line, func(m string) string {
		if value := r.env.Get(m[2 : len(m)-1]); value != "" {
			return value
		}
		return m
	})
}

// line reads one logical line, which is an option, or a requirement that may have options.
// constraint is true in a constraints file.
func (r *requirements) line(line, file string, constraint bool) {
	if strings.HasPrefix(line, "-") {
		r.option(line, file, constraint)
		return
	}
	text, options := line, ""
	if i := strings.Index(line, " --"); i >= 0 {
		text, options = strings.TrimSpace(line[:i]), line[i:]
	}
	out := requirementLine{constraint: constraint, file: filepath.Base(file)}
	for option := range strings.FieldsSeq(strings.ReplaceAll(options, "--hash ", "--hash=")) {
		if sum, ok := strings.CutPrefix(option, "--hash=sha256:"); ok {
			out.sha256 = append(out.sha256, sum)
		}
	}
	if parsed, err := pep508.Parse(text); err == nil {
		out.Requirement = parsed
		r.lines = append(r.lines, out)
		return
	}
	r.local(out, text, file)
}

// local reads a requirement that is a path or URL without a name.
func (r *requirements) local(out requirementLine, text, file string) {
	text, condition, _ := strings.Cut(text, " ;")
	if condition != "" {
		out.Marker = marker(strings.TrimSpace(condition))
	}
	u, fragment, _ := strings.Cut(text, "#")
	for part := range strings.SplitSeq(fragment, "&") {
		if egg, ok := strings.CutPrefix(part, "egg="); ok {
			out.Name, _, _ = strings.Cut(egg, "[")
		}
	}
	switch {
	case strings.HasPrefix(u, "file:"):
		if parsed, err := url.Parse(u); err == nil {
			out.path = filepath.FromSlash(parsed.Path)
		}
	case isURL(u):
		out.URL = u
		if parsed, err := url.Parse(u); err == nil && out.Name == "" {
			out.Name, _ = splitFileName(path.Base(parsed.Path))
		}
	default:
		u, _, _ = strings.Cut(u, "[") // Remove the extras.
		out.path = u
		if !filepath.IsAbs(u) {
			out.path = filepath.Join(filepath.Dir(file), filepath.FromSlash(u))
		}
	}
	if out.Name != "" && !pep508.ValidName(out.Name) {
		return
	}
	if out.Name != "" || out.path != "" {
		r.lines = append(r.lines, out)
	}
}

// option reads a line that begins with an option. constraint has the same meaning as in line.
func (r *requirements) option(line, file string, constraint bool) {
	name, value, ok := strings.Cut(line, "=")
	if !ok || strings.ContainsAny(name, " \t") {
		name, value, _ = strings.Cut(line, " ")
	}
	if !strings.HasPrefix(name, "--") && len(name) > 2 { // The file may follow the option directly, as in -rfile.
		name, value = name[:2], name[2:]+strings.TrimPrefix(line, name)
	}
	value = strings.Trim(strings.TrimSpace(value), `"'`)
	relative := func() string {
		if filepath.IsAbs(value) || isURL(value) {
			return value
		}
		return filepath.Join(filepath.Dir(file), filepath.FromSlash(value))
	}
	by := filepath.Base(file)
	switch name {
	case "-r", "--requirement":
		r.include(relative(), constraint)
	case "-c", "--constraint":
		r.include(relative(), true)
	case "-e", "--editable":
		r.local(requirementLine{editable: true, file: by}, value, file)
	case "-i", "--index-url", "--pypi-url":
		r.indexes = append(r.indexes, Index{URL: value, Default: true, By: by})
	case "--extra-index-url":
		r.indexes = append(r.indexes, Index{URL: value, By: by})
	case "-f", "--find-links":
		r.links = append(r.links, relative())
	case "--no-index":
		r.noIndex = true
	}
}

// splitFileName returns the name and version in the file name of a wheel or source distribution, as
// they are written there. Both are empty for other files.
func splitFileName(file string) (name, version string) {
	if stem, ok := strings.CutSuffix(file, ".whl"); ok {
		if parts := strings.Split(stem, "-"); len(parts) == 5 || len(parts) == 6 {
			return parts[0], parts[1]
		}
		return "", ""
	}
	for _, ending := range []string{".tar.gz", ".zip", ".tar.bz2", ".tgz", ".tar.xz"} {
		if stem, ok := strings.CutSuffix(file, ending); ok {
			if i := strings.LastIndexByte(stem, '-'); i > 0 {
				return stem[:i], stem[i+1:]
			}
		}
	}
	return "", ""
}

// lock returns the versions that the files pin with "==", like those in a lock
// file. It returns nil if no version is pinned.
func (r *requirements) lock() *Lock {
	l := &Lock{partial: true}
	pinned := false
	for _, line := range r.lines {
		if line.Name == "" {
			continue
		}
		p := &Package{Name: line.Name, Marker: line.Marker, Foreign: line.URL, Dir: line.path}
		version, exact := line.Specifiers.Exact()
		if p.Version = version; !exact && p.Foreign == "" && p.Dir == "" {
			continue
		}
		for _, sum := range line.sha256 {
			p.Files = append(p.Files, File{SHA256: sum})
		}
		pinned = true
		l.add(p)
	}
	if !pinned {
		return nil
	}
	return l
}
