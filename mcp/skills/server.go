package skills

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/docent-mcp/docent/mcp"
)

const (
	defaultPageSize = 100
	maxPageFiles    = 2048 // maximum number of files on a page, unless one skill has more
	maxSkillPath    = 1024 // maximum length of the path of a skill in bytes
)

// Options configure New. The zero value is suitable for most servers.
type Options struct {
	// PageSize is the number of entries on one page of a list; default 100.
	PageSize int
	// Caching specifies how long clients may cache the entries and files of skills. Skills that
	// are Dynamic are never cached.
	Caching mcp.Caching
	// Visible reports whether the client that sent r may see a skill; if it is nil, clients can see
	// all skills. The methods of the extension treat a hidden skill as if it did not exist, and its
	// files cannot be read. To hide its SKILL.md from the list of resources as well, use
	// mcp.ServerOptions.Visible.
	Visible func(r *mcp.Request, s *Skill) bool
}

// A Catalog contains the skills of a server. Its methods are safe for concurrent use.
type Catalog struct {
	server *mcp.Server
	opts   Options

	mu     sync.RWMutex
	skills map[string]*served // skills by path
}

// served is a skill of a Catalog. It is immutable.
type served struct {
	Skill
	path  string
	files map[string]string // contents by path in the skill; nil if the skill is dynamic
	fsys  fs.FS             // files of a dynamic skill
}

// New adds the extension and all of its methods to a server. Use the returned Catalog to add
// skills. New returns an error if the server already has the extension.
func New(s *mcp.Server, opts *Options) (*Catalog, error) {
	c := &Catalog{server: s, skills: map[string]*served{}}
	if opts != nil {
		c.opts = *opts
	}
	if c.opts.PageSize <= 0 {
		c.opts.PageSize = defaultPageSize
	}
	if err := s.AddExtension(ID, map[string]bool{"directoryRead": true}); err != nil {
		return nil, err
	}
	return c, errors.Join(
		s.Handle(methodList, c.list),
		s.Handle(methodGet, c.get),
		s.Handle(methodReadDir, c.readDir),
		c.addTemplate(mcp.ResourceTemplate{
			URITemplate: scheme + "{+path}",
			Name:        "skill-files",
			Title:       "Files of skills",
			Description: "The files that the skills of this server refer to.",
			Caching:     c.opts.Caching,
		}),
	)
}

// addTemplate adds a template whose resources are files of skills.
func (c *Catalog) addTemplate(t mcp.ResourceTemplate, options ...mcp.AddOption) error {
	return c.server.AddResourceTemplate(t, func(_ context.Context, r *mcp.Request, uri string, _ mcp.Variables) ([]mcp.ResourceContents, error) {
		return c.readFile(r, uri)
	}, options...)
}

// templateOf returns the template for the files of a dynamic skill, which clients must not cache.
func templateOf(s *served) mcp.ResourceTemplate {
	return mcp.ResourceTemplate{URITemplate: s.Root() + "/{+file}", Name: s.Name(), Description: "The files of the skill " + s.Name() + "."}
}

// Add adds the skill in the root of fsys. It reads all files immediately. skillPath is the path of
// the skill's directory in URIs, such as "refunds", or "acme/billing/refunds" for a skill in a
// group. Its last element must be the name in SKILL.md. Add replaces a skill with the same path.
//
// Files and directories whose names begin with a dot are ignored. It is an error if a file is not a
// regular file, or if there are more than MaxFiles files or MaxBytes bytes. Use the FS of an
// os.Root for directories that others can write to, because os.DirFS follows symbolic links that
// point outside the directory.
func (c *Catalog) Add(skillPath string, fsys fs.FS) error {
	files, err := readFiles(fsys)
	if err != nil {
		return fmt.Errorf("skill %q: %w", clip(skillPath), err)
	}
	return c.add(&served{path: skillPath, files: files}, []byte(files[mainFile]))
}

// AddDynamic adds a skill whose files are generated. They are read from fsys each time a client
// requests them. Clients cannot verify such a skill and may refuse it. The fields at the top of its
// SKILL.md must not change.
func (c *Catalog) AddDynamic(skillPath string, fsys fs.FS) error {
	main, err := readFile(fsys, mainFile, MaxBytes)
	if err != nil {
		return fmt.Errorf("skill %q: %w", clip(skillPath), err)
	}
	return c.add(&served{Skill: Skill{Dynamic: true}, path: skillPath, fsys: fsys}, main)
}

// AddAll adds each directory in fsys that contains a SKILL.md as a skill. The skill's path is
// prefix, which may be empty, followed by the directory's path. A skill in the directory of another
// skill is also added, and its files are also files of the outer skill.
func (c *Catalog) AddAll(prefix string, fsys fs.FS) error {
	found := 0
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && hidden(name):
			return fs.SkipDir
		case d.IsDir() || path.Base(name) != mainFile:
			return nil
		}
		dir := path.Dir(name)
		sub, err := fs.Sub(fsys, dir)
		if err != nil {
			return err
		}
		found++
		return c.Add(path.Join(prefix, dir), sub)
	})
	if err == nil && found == 0 {
		return fmt.Errorf("the directory has no skills: there is no %s file in it or below it", mainFile)
	}
	return err
}

// Remove removes the skill with the given path, if it exists.
func (c *Catalog) Remove(skillPath string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.skills[skillPath]
	if s == nil {
		return
	}
	delete(c.skills, skillPath)
	c.server.RemoveResources(s.URI)
	if s.Dynamic {
		c.server.RemoveResourceTemplates(templateOf(s).URITemplate)
	}
}

func (c *Catalog) add(s *served, main []byte) error {
	fail := func(err error) error { return fmt.Errorf("skill %q: %w", clip(s.path), err) }
	if err := checkSkillPath(s.path); err != nil {
		return fail(err)
	}
	if len(main) == 0 {
		return fail(fmt.Errorf("the directory contains no %s file, or that file is empty", mainFile))
	}
	var err error
	if s.Frontmatter, err = parseFrontmatter(main); err != nil {
		return fail(err)
	}
	s.URI = scheme + escape(s.path) + "/" + mainFile
	for name, data := range s.files {
		s.Files = append(s.Files, File{URI: s.Root() + "/" + escape(name), Digest: digest([]byte(data)), Size: int64(len(data))})
	}
	slices.SortFunc(s.Files, func(a, b File) int { return strings.Compare(a.URI, b.URI) })
	if err := s.checkServed(); err != nil {
		return fail(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.skills[s.path]
	resource := c.resource(s, mainFile)
	resource.Caching = c.caching(s)
	err = c.server.AddResource(resource, func(_ context.Context, r *mcp.Request, uri string) ([]mcp.ResourceContents, error) {
		return c.readFile(r, uri)
	}, mcp.Replace)
	if err == nil && s.Dynamic {
		err = c.addTemplate(templateOf(s), mcp.Replace)
	}
	if err != nil {
		return fail(err)
	}
	c.skills[s.path] = s
	if old != nil {
		if old.Dynamic && !s.Dynamic {
			c.server.RemoveResourceTemplates(templateOf(old).URITemplate)
		}
		c.server.ResourceUpdated(s.URI)
	}
	return nil
}

// checkServed returns an error if the skill violates a rule for skills that are served.
func (s *served) checkServed() error {
	if err := checkName(s.Name()); err != nil {
		return err
	}
	if last := path.Base(s.path); s.Name() != last {
		return fmt.Errorf("the name in %s is %s, and the name of the directory is %s; they must be the same", mainFile, s.Name(), last)
	}
	if n := utf8.RuneCountInString(s.Description()); n > maxDescription {
		return fmt.Errorf("the description in %s has %d characters; the maximum is %d", mainFile, n, maxDescription)
	}
	if err := s.check(); err != nil {
		return err
	}
	return s.CheckLimits()
}

// checkSkillPath returns an error if an element of the path would have to be escaped in a URI.
func checkSkillPath(skillPath string) error {
	if len(skillPath) > maxSkillPath {
		return fmt.Errorf("the path has more than %d bytes", maxSkillPath)
	}
	for part := range strings.SplitSeq(skillPath, "/") {
		unreserved := strings.Trim(part, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~") == ""
		if part == "" || part[0] == '.' || !unreserved {
			return fmt.Errorf("the part %q of the path must contain only A-Z, a-z, 0-9, '-', '.', '_' and '~', and must not begin with '.'", clip(part))
		}
	}
	return nil
}

// readFiles reads all files of a skill.
func readFiles(fsys fs.FS) (map[string]string, error) {
	files, remaining := map[string]string{}, int64(MaxBytes)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case hidden(name) && d.IsDir():
			return fs.SkipDir
		case hidden(name), d.IsDir():
			return nil
		case !d.Type().IsRegular():
			return fmt.Errorf("%s is not a regular file", name)
		case len(files) == MaxFiles:
			return fmt.Errorf("the directory has more than %d files", MaxFiles)
		}
		data, err := readFile(fsys, name, remaining)
		remaining -= int64(len(data))
		files[name] = string(data)
		return err
	})
	return files, err
}

// readFile reads a file of at most max bytes.
func readFile(fsys fs.FS, name string, max int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, max+1))
	if err == nil && int64(len(data)) > max {
		err = fmt.Errorf("the files have more than %d bytes", MaxBytes)
	}
	return data, err
}

func hidden(name string) bool { return name != "." && strings.HasPrefix(path.Base(name), ".") }

// visible returns the skills that the client may see, in the order of their paths.
func (c *Catalog) visible(r *mcp.Request) []*served {
	c.mu.RLock()
	skills := make([]*served, 0, len(c.skills))
	for _, s := range c.skills {
		skills = append(skills, s)
	}
	c.mu.RUnlock()
	skills = slices.DeleteFunc(skills, func(s *served) bool { return !c.shows(r, s) })
	slices.SortFunc(skills, func(a, b *served) int { return strings.Compare(a.path, b.path) })
	return skills
}

func (c *Catalog) shows(r *mcp.Request, s *served) bool {
	return c.opts.Visible == nil || c.opts.Visible(r, &s.Skill)
}

// locate returns the innermost skill that contains the path p below skill:// and is visible to the
// client. rest is the part of the path within the skill. It is empty for the skill's own directory.
func (c *Catalog) locate(r *mcp.Request, p string) (s *served, rest string) {
	for dir := p; dir != "."; dir = path.Dir(dir) {
		c.mu.RLock()
		s := c.skills[dir]
		c.mu.RUnlock()
		if s != nil && c.shows(r, s) {
			return s, strings.TrimPrefix(p[len(dir):], "/")
		}
	}
	return nil, ""
}

// list answers skills/list.
func (c *Catalog) list(_ context.Context, r *mcp.Request) (mcp.Result, error) {
	after, err := readCursor(r)
	if err != nil {
		return nil, err
	}
	result := struct {
		Skills     []*Skill `json:"skills"`
		NextCursor string   `json:"nextCursor,omitempty"`
		cacheHints
	}{Skills: []*Skill{}, cacheHints: hints(c.opts.Caching)}
	files, last := 0, ""
	for _, s := range c.visible(r) {
		if s.path <= after {
			continue
		}
		files += len(s.Files)
		if len(result.Skills) == c.opts.PageSize || len(result.Skills) > 0 && files > maxPageFiles {
			result.NextCursor = writeCursor(last)
			break
		}
		result.Skills, last = append(result.Skills, &s.Skill), s.path
	}
	return encode(result)
}

// get answers skills/get.
func (c *Catalog) get(_ context.Context, r *mcp.Request) (mcp.Result, error) {
	uri, p, err := uriParam(r)
	if err != nil {
		return nil, err
	}
	s, rest := c.locate(r, p)
	if s == nil || rest != mainFile { // rest is also different if the URI belongs to a hidden skill in the directory of s
		return nil, invalid("No skill is served at " + clip(uri))
	}
	return encode(struct {
		Skill *Skill `json:"skill"`
		cacheHints
	}{&s.Skill, hints(c.caching(s))})
}

// readDir answers resources/directory/read.
func (c *Catalog) readDir(_ context.Context, r *mcp.Request) (mcp.Result, error) {
	after, err := readCursor(r)
	if err != nil {
		return nil, err
	}
	uri, p, err := uriParam(r)
	if err != nil {
		return nil, err
	}
	children, ok, err := c.children(r, p)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, invalid(clip(uri) + " is not a directory resource")
	}
	names := make([]string, 0, len(children))
	for name := range children {
		if name > after {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	result := struct {
		Resources  []resource `json:"resources"`
		NextCursor string     `json:"nextCursor,omitempty"`
	}{Resources: []resource{}}
	for i, name := range names {
		if i == c.opts.PageSize {
			result.NextCursor = writeCursor(names[i-1])
			break
		}
		result.Resources = append(result.Resources, children[name])
	}
	return encode(result)
}

// children returns the entries of a directory, by name, and whether the directory exists.
func (c *Catalog) children(r *mcp.Request, dir string) (children map[string]resource, ok bool, err error) {
	children = map[string]resource{}
	addDir := func(name string) {
		children[name] = resource{URI: scheme + escape(dir+"/"+name), Name: name, MIMEType: DirectoryMIMEType}
	}
	addFile := func(s *served, file string) {
		res := c.resource(s, file)
		children[path.Base(file)] = resource{res.URI, res.Name, res.Description, res.MIMEType, res.Size}
	}
	for _, s := range c.visible(r) {
		if rest, below := strings.CutPrefix(s.path, dir+"/"); below {
			name, _, _ := strings.Cut(rest, "/")
			addDir(name)
			ok = true
			continue
		}
		rest, inside := strings.CutPrefix(dir+"/", s.path+"/")
		switch {
		case !inside:
		case s.Dynamic:
			entries, err := fs.ReadDir(s.fsys, path.Clean("./"+rest))
			if errors.Is(err, fs.ErrNotExist) || err != nil && isFile(s.fsys, rest) {
				continue
			}
			if err != nil {
				return nil, false, fmt.Errorf("directory of the skill %s: %w", s.path, err)
			}
			ok = true
			for _, e := range entries {
				switch {
				case hidden(e.Name()):
				case e.IsDir():
					addDir(e.Name())
				case e.Type().IsRegular():
					addFile(s, rest+e.Name())
				}
			}
		default:
			for file := range s.files {
				name, below := strings.CutPrefix(file, rest)
				if !below {
					continue
				}
				ok = true
				if first, _, deeper := strings.Cut(name, "/"); deeper {
					addDir(first)
				} else {
					addFile(s, file)
				}
			}
		}
	}
	return children, ok, nil
}

func isFile(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, strings.TrimSuffix(name, "/"))
	return err == nil && !info.IsDir()
}

// resource is an entry of a directory.
type resource struct {
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	MIMEType    string `json:"mimeType,omitempty"`
	Size        int64  `json:"size,omitempty"`
}

// resource describes a file in a skill.
func (c *Catalog) resource(s *served, file string) mcp.Resource {
	data, static := s.files[file]
	res := mcp.Resource{
		URI:      s.Root() + "/" + escape(file),
		Name:     path.Base(file),
		MIMEType: mimeType(file, !static || utf8.ValidString(data)),
		Size:     int64(len(data)),
	}
	if file == mainFile {
		res.Name, res.Description = s.Name(), s.Description()
	}
	return res
}

// readFile returns a file of a skill.
func (c *Catalog) readFile(r *mcp.Request, uri string) ([]mcp.ResourceContents, error) {
	p, err := skillURIPath(uri)
	if err != nil {
		return nil, mcp.ErrResourceNotFound
	}
	s, rest := c.locate(r, p)
	if s == nil || rest == "" {
		return nil, mcp.ErrResourceNotFound
	}
	text, ok := s.files[rest]
	if s.Dynamic {
		if slices.ContainsFunc(strings.Split(rest, "/"), hidden) {
			return nil, mcp.ErrResourceNotFound
		}
		data, err := readFile(s.fsys, rest, MaxBytes)
		if errors.Is(err, fs.ErrNotExist) || err != nil && !isFile(s.fsys, rest) {
			return nil, mcp.ErrResourceNotFound
		}
		if err == nil && rest == mainFile {
			err = s.checkFrontmatter(data)
		}
		if err != nil {
			return nil, fmt.Errorf("the skill %s: %w", s.path, err)
		}
		text = string(data)
	} else if !ok {
		return nil, mcp.ErrResourceNotFound
	}
	return []mcp.ResourceContents{{URI: uri, MIMEType: mimeType(rest, utf8.ValidString(text)), Text: text}}, nil
}

// checkFrontmatter returns an error if the frontmatter of the file differs from the entry.
func (s *Skill) checkFrontmatter(file []byte) error {
	fields, err := parseFrontmatter(file)
	if err == nil && !sameFrontmatter(fields, s.Frontmatter) {
		err = fmt.Errorf("the frontmatter of %s differs from that in the skill's entry", mainFile)
	}
	return err
}

func (c *Catalog) caching(s *served) mcp.Caching {
	if s.Dynamic {
		return mcp.Caching{}
	}
	return c.opts.Caching
}

// cacheHints contains the members of a result that clients of revision 2026-07-28 need.
type cacheHints struct {
	TTL   int64  `json:"ttlMs"`
	Scope string `json:"cacheScope"`
}

func hints(caching mcp.Caching) cacheHints {
	h := cacheHints{max(caching.TTL.Milliseconds(), 0), "private"}
	if caching.Public {
		h.Scope = "public"
	}
	return h
}

// uriParam returns the parameter uri and its path below skill://.
func uriParam(r *mcp.Request) (uri, p string, err error) {
	var params struct {
		URI *string `json:"uri"`
	}
	if err := json.Unmarshal(object(r.Params()), &params); err != nil || params.URI == nil {
		return "", "", invalid("Invalid params of " + r.Method() + ": uri must be a string")
	}
	if p, err = skillURIPath(*params.URI); err != nil {
		return "", "", invalid("Nothing is served at " + clip(*params.URI))
	}
	return *params.URI, p, nil
}

func skillURIPath(uri string) (string, error) {
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok || strings.ContainsAny(rest, "?#") {
		return "", errors.New("not a URI of a skill")
	}
	return unescape(rest)
}

// readCursor returns the cursor of a request, which is the name of the last entry of the previous
// page.
func readCursor(r *mcp.Request) (string, error) {
	var params struct {
		Cursor *string `json:"cursor"`
	}
	if err := json.Unmarshal(object(r.Params()), &params); err != nil {
		return "", invalid("Invalid params of " + r.Method() + ": cursor must be a string")
	}
	if params.Cursor == nil {
		return "", nil
	}
	name, err := base64.RawURLEncoding.DecodeString(*params.Cursor)
	if err != nil || len(name) == 0 {
		return "", invalid("Invalid params of " + r.Method() + ": the cursor is not one of this list")
	}
	return string(name), nil
}

func writeCursor(name string) string { return base64.RawURLEncoding.EncodeToString([]byte(name)) }

// object returns params, or an empty object if there are none.
func object(params json.RawMessage) json.RawMessage {
	if len(bytes.TrimSpace(params)) == 0 {
		return json.RawMessage("{}")
	}
	return params
}

func invalid(message string) *mcp.Error {
	return &mcp.Error{Code: mcp.CodeInvalidParams, Message: message}
}

func encode(result any) (mcp.Result, error) {
	data, err := json.Marshal(result)
	return mcp.RawResult(data), err
}

// mimeTypes contains the MIME types of files in skills. The tables of the operating system are not
// used, because responses would then depend on the machine.
var mimeTypes = map[string]string{
	".md": "text/markdown", ".txt": "text/plain", ".csv": "text/csv", ".html": "text/html", ".css": "text/css",
	".json": "application/json", ".yaml": "application/yaml", ".yml": "application/yaml", ".toml": "application/toml", ".xml": "application/xml",
	".py": "text/x-python", ".sh": "text/x-shellscript", ".js": "text/javascript", ".mjs": "text/javascript", ".ts": "text/x-typescript", ".go": "text/x-go",
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".svg": "image/svg+xml",
	".pdf": "application/pdf", ".zip": "application/zip",
}

func mimeType(file string, text bool) string {
	if typ, ok := mimeTypes[strings.ToLower(path.Ext(file))]; ok {
		return typ
	}
	if text {
		return "text/plain"
	}
	return "application/octet-stream"
}
