package rust

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/cargoconf"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/cargo"
	"github.com/docent-mcp/docent/internal/prose"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/skill"
)

// finder answers one query.
type finder struct {
	rs       *Rust
	ask      question
	project  *cargo.Project // nil if there is none
	config   *cargoconf.Config
	target   *cargo.Target
	features *cargo.Features // features of the project's packages, once known
	seen     *fingerprint.Fingerprint
	closers  []io.Closer
	trees    int // number of open package directories
	warnings []string
	tried    []string
	choice   *ecosystem.MissingRelease // the release that the project chose

	opened    map[string]*located     // keyed by "lock:" and the index in the lock file, or "std:" and the name
	manifests map[int]*cargo.Manifest // keyed by index in the lock file; nil for a package that is not on this machine
	sources   map[*crate.Source]*located
	remote    int // number of dependencies that were looked up in registries
}

// Find implements ecosystem.Language. q.Package is a crate ("serde_json", "serde-json")
// or a module of a crate ("tokio::sync").
func (rs *Rust) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	ask, err := parseQuestion(q)
	if err != nil {
		return nil, err
	}
	f, err := rs.newFinder(ask)
	if err != nil {
		return nil, err
	}
	s := ecosystem.Steps[*located]{Find: f.find, Key: f.key, Read: f.read, Skills: f.skills, File: f.file, License: f.license, Finish: f.finish, Close: f.close, Fingerprint: f.seen, Missing: f.projectRelease}
	return s.Found(ctx)
}

func (rs *Rust) newFinder(ask question) (*finder, error) {
	f := &finder{
		rs: rs, ask: ask, seen: &fingerprint.Fingerprint{},
		opened: map[string]*located{}, manifests: map[int]*cargo.Manifest{}, sources: map[*crate.Source]*located{},
	}
	f.config = cargoconf.Read(rs.env, ask.project)
	f.warnings = append(f.warnings, f.config.Problems...)
	if ask.project != "" {
		p, err := rs.project(ask.project)
		if err := f.projectError(err); err != nil {
			return nil, err
		}
		f.project = p
	}
	for _, file := range f.config.Looked {
		f.seen.Add(file)
	}
	if f.project != nil {
		for file := range f.project.Files.Paths() {
			f.seen.Add(file)
		}
		f.warnings = append(f.warnings, f.project.Problems...)
	}
	f.target = cargo.NewTarget(cmp.Or(ask.triple, tripleOf(f.config.BuildTarget()), hostTriple()))
	return f, nil
}

func (f *finder) close() {
	for _, c := range f.closers {
		c.Close()
	}
	f.closers = nil
}

// find locates the package.
func (f *finder) find(ctx context.Context) (*located, error) {
	if isStandard(f.ask.crate) && f.ask.version == "" {
		return f.standard(f.ask.crate)
	}
	if f.project != nil {
		if l, err := f.inProject(ctx); l != nil || err != nil {
			return l, err
		}
	}
	return f.released(ctx)
}

// key identifies everything other than files that the documentation depends on. It returns "" if
// the documentation must not be cached.
func (f *finder) key(l *located) string {
	key := f.crateKey(l)
	if key == "" {
		return ""
	}
	if key += "\x00" + f.ask.module; f.ask.index {
		key += "\x00index"
	}
	if f.ask.names {
		key += "\x00names"
	}
	return key
}

// crateKey identifies everything other than files that the documentation of a crate's modules
// depends on. It returns "" if the documentation must not be cached.
func (f *finder) crateKey(l *located) string {
	if l.inProject {
		return "" // Users edit their own code between queries, so it is not cached.
	}
	parts := []string{l.provenance.Source, l.name, l.version, l.key, f.target.Triple, strings.Join(l.features, ",")}
	if l.key == "" {
		parts = append(parts, l.provenance.Location)
	}
	if f.project != nil && l.locked >= 0 {
		parts = append(parts, f.project.Root) // the lock file determines its dependencies
	}
	if l.request != nil {
		parts = append(parts, strings.Join(l.request.Features, ","), strconv.FormatBool(l.request.Default))
	}
	if len(f.ask.features) > 0 {
		parts = append(parts, "with "+strings.Join(f.ask.features, ","))
	}
	return strings.Join(parts, "\x00")
}

// layout lists the places where crates keep their prose.
var layout = prose.Layout{Code: map[string]string{".rs": "rust", ".sh": "sh", ".toml": "toml"}}

// read reads a crate that was found.
func (f *finder) read(ctx context.Context, l *located) (*apidoc.Package, error) {
	if err := f.open(ctx, l); err != nil {
		return nil, ecosystem.AsError(err)
	}
	if err := f.addFeatures(l); err != nil {
		return nil, err
	}
	var sections []apidoc.Section
	var notes []string
	if f.ask.module == "" && !f.ask.index && !l.standard {
		sections, notes = prose.Read(ctx, l.files, f.layoutOf(l))
	}
	out := &apidoc.Package{Symbols: []apidoc.Symbol{}}
	if f.isProgram(l) {
		out.Command = true
		out.Warnings = append(out.Warnings, "The package contains only programs and no library: "+f.programs(l)+".")
	} else {
		var err error
		if f.ask.index {
			out, err = f.readIndex(ctx, l)
		} else {
			out, err = f.readModule(ctx, l)
		}
		if err != nil {
			return nil, f.readError(l, err)
		}
		if !f.ask.index && crate.HasGaps(out) {
			if written := f.fillGaps(l, out); written != nil {
				out = written
			} else {
				f.fillFromHost(ctx, l, out)
			}
		}
	}
	if f.ask.index {
		out.Version = l.version
		return out, nil
	}
	joinImpls(out.Symbols)
	out.Name, out.Version, out.Platform = l.library(), l.version, f.target.Triple
	if f.ask.module != "" {
		out.Name += "::" + f.ask.module
	}
	out.LocalName = cmp.Or(out.LocalName, out.Name[strings.LastIndexByte(out.Name, ':')+1:])
	out.Module = l.name
	out.Homepage, out.Repository = l.manifest.Homepage, l.manifest.Repository
	if f.ask.module == "" {
		out.Synopsis = cmp.Or(out.Synopsis, markup.Synopsis(l.manifest.Description))
	}
	out.Doc = cmp.Or(out.Doc, strings.TrimSpace(l.manifest.Description))
	if !l.standard {
		out.Options = append(featureNote(l), out.Options...)
	}
	out.Sections, out.Omissions = append(sections, out.Sections...), append(out.Omissions, notes...)
	return out, nil
}

// skills returns the skills that a crate ships.
func (f *finder) skills(ctx context.Context, l *located) ([]skill.Skill, error) {
	if l.standard || f.ask.module != "" {
		return nil, nil
	}
	if err := f.open(ctx, l); err != nil {
		return nil, ecosystem.AsError(err)
	}
	return skill.Find(ctx, l.files, "."), nil
}

// file returns the text of a file of a located package.
func (f *finder) file(ctx context.Context, l *located, name string) ([]byte, error) {
	if err := f.open(ctx, l); err != nil {
		return nil, ecosystem.AsError(err)
	}
	return project.ReadFS(l.files, name, ecosystem.MaxSourceFile)
}

// layoutOf returns the layout of a package's prose, with the README that its manifest specifies.
func (f *finder) layoutOf(l *located) prose.Layout {
	with := layout
	name := strings.TrimPrefix(l.manifest.Readme, "./")
	if name == "" || strings.EqualFold(name, "readme.md") || !fs.ValidPath(name) {
		return with
	}
	if data, err := project.ReadFS(l.files, name, maxManifest); err == nil {
		with.Readme = &prose.Document{Name: name, Text: string(data)}
	}
	return with
}

// isProgram reports whether a package contains programs and no library.
func (f *finder) isProgram(l *located) bool {
	if _, err := fs.Stat(l.files, l.manifest.Lib.Path); err == nil {
		return false
	}
	return !l.manifest.Lib.Declared
}

// programs lists the names of a package's programs.
func (f *finder) programs(l *located) string {
	names := slices.Clone(l.manifest.Bins)
	if _, err := fs.Stat(l.files, "src/main.rs"); err == nil && !slices.Contains(names, l.name) {
		names = append(names, l.name)
	}
	if len(names) == 0 {
		return "none are listed in its manifest"
	}
	return strings.Join(names[:min(len(names), 10)], ", ")
}

// finish sets the fields that depend on the query.
func (f *finder) finish(p *apidoc.Package, l *located) {
	p.Provenance = l.provenance
	p.Advice = append(slices.Clone(p.Advice), f.warnings...)
	if off := f.requestedAndOff(l); off != "" {
		p.Advice = append(p.Advice, off)
	}
	if l.inProject {
		p.Version = ""
	}
}

// requestedAndOff returns advice about the features that the query requests although they are off
// in the project, or "" if there are none.
func (f *finder) requestedAndOff(l *located) string {
	if f.project == nil || l.locked < 0 || l.inProject {
		return ""
	}
	var off []string
	for _, name := range f.ask.features {
		if name != allFeatures && (slices.Contains(l.requested, name) || !slices.Contains(l.features, name)) && !slices.Contains(off, name) {
			off = append(off, name)
		}
	}
	switch len(off) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("You requested the feature %s of %s, but it is disabled in %s: to use it, enable it in Cargo.toml.", off[0], l.name, f.project.Name())
	}
	return fmt.Sprintf("You requested the features %s of %s, but they are disabled in %s: to use them, enable them in Cargo.toml.", quote.List(off, maxNamed), l.name, f.project.Name())
}

// maxNamed is the maximum number of features that advice lists.
const maxNamed = 12

// featureNote returns advice that lists the features that are on.
func featureNote(l *located) []string {
	var on, off []string
	for _, name := range l.manifest.FeatureNames() {
		switch {
		case slices.Contains(l.features, name):
			on = append(on, name)
		case name != "default" && !strings.HasPrefix(name, "_"):
			off = append(off, name)
		}
	}
	if len(on)+len(off) == 0 {
		return nil
	}
	text := "Enabled features (" + l.featuresBy + "): " + quote.List(on, maxNamed) + "."
	if len(off) > 0 {
		text += " Disabled: " + quote.List(off, maxNamed) + "."
	}
	return []string{text}
}
