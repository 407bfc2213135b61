package skills

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/mcp"
)

const (
	maxPages   = 10_000  // maximum number of pages of a list that a server sends
	maxEntries = 100_000 // maximum number of entries of such a list
)

// ErrNotSupported is returned if the server does not support the extension or the required part of
// it.
var ErrNotSupported = errors.New("the server does not support the extension for skills")

// An EntryError is the error for a skill with an invalid entry in a server's list. The skill must
// not be loaded.
type EntryError struct {
	URI string // URI of SKILL.md; may be empty
	Err error
}

func (e *EntryError) Error() string { return e.Err.Error() }
func (e *EntryError) Unwrap() error { return e.Err }

// A VerificationError is the error for a file that does not match its skill's entry. The file may
// have changed after the entry was fetched. In that case, Get returns the current entry, and the
// user must approve the skill again.
type VerificationError struct {
	URI    string
	Reason string
}

func (e *VerificationError) Error() string {
	return fmt.Sprintf("%s does not match the skill's entry: %s; get the entry again", clip(e.URI), e.Reason)
}

// Supported reports whether the server has skills and whether it can list directories.
func Supported(c *mcp.Client) (supported, directories bool) {
	settings, supported := c.Server().Extension(ID)
	var s struct {
		DirectoryRead bool `json:"directoryRead"`
	}
	if supported && json.Unmarshal(settings, &s) != nil {
		return supported, false
	}
	return supported, s.DirectoryRead
}

// List returns an iterator over the server's skills, which requests one page after another. If the
// entry of a skill is invalid, its error is an *EntryError, and the list continues. Any other error
// comes last, and the list is then incomplete. A server may have skills that it does not list. Get
// also returns those.
func List(ctx context.Context, c *mcp.Client) iter.Seq2[*Skill, error] {
	return func(yield func(*Skill, error) bool) {
		if supported, _ := Supported(c); !supported {
			yield(nil, ErrNotSupported)
			return
		}
		for raw, err := range list(ctx, c, methodList, "", "skills") {
			var s *Skill
			if err == nil {
				s, err = decodeSkill(raw)
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

// Get returns the current entry of a skill. uri is the URI of its SKILL.md, which may come from the
// server's instructions or from the user.
func Get(ctx context.Context, c *mcp.Client, uri string) (*Skill, error) {
	if supported, _ := Supported(c); !supported {
		return nil, ErrNotSupported
	}
	raw, err := c.Call(ctx, methodGet, map[string]string{"uri": uri}, nil)
	if err != nil {
		return nil, err
	}
	var result struct {
		Skill json.RawMessage `json:"skill"`
	}
	if err := json.Unmarshal(raw, &result); err != nil || result.Skill == nil {
		return nil, fmt.Errorf("%s: the server's result has no skill", methodGet)
	}
	s, err := decodeSkill(result.Skill)
	if err == nil && s.URI != uri {
		return nil, &EntryError{uri, fmt.Errorf("the server has answered with the skill %s instead of %s", clip(s.URI), clip(uri))}
	}
	return s, err
}

func decodeSkill(raw json.RawMessage) (*Skill, error) {
	s := &Skill{}
	if err := json.Unmarshal(raw, s); err != nil {
		var e struct {
			URI string `json:"uri"`
		}
		_ = json.Unmarshal(raw, &e) // an error is ignored, because the URI is only needed for the message
		return nil, &EntryError{e.URI, err}
	}
	return s, nil
}

// ReadDir returns the current files and directories in a directory on the server. The MIME type of
// directories is DirectoryMIMEType. uri must not have a trailing slash. The result can differ from
// the files in a skill's entry. Only files in the entry may be read.
func ReadDir(ctx context.Context, c *mcp.Client, uri string) iter.Seq2[*mcp.Resource, error] {
	return func(yield func(*mcp.Resource, error) bool) {
		if _, directories := Supported(c); !directories {
			yield(nil, ErrNotSupported)
			return
		}
		for raw, err := range list(ctx, c, methodReadDir, uri, "resources") {
			var res *mcp.Resource
			if err == nil {
				if res, err = decodeChild(raw, uri); err != nil {
					err = fmt.Errorf("%s of %s: %w", methodReadDir, clip(uri), err)
				}
			}
			if !yield(res, err) || err != nil {
				return
			}
		}
	}
}

func decodeChild(raw json.RawMessage, dir string) (*mcp.Resource, error) {
	var child struct {
		resource
		Title string `json:"title"`
	}
	if err := json.Unmarshal(raw, &child); err != nil {
		return nil, errors.New("the server has sent a malformed entry")
	}
	name, err := relative(dir, child.URI)
	if err != nil {
		return nil, err
	}
	if strings.Contains(name, "/") {
		return nil, fmt.Errorf("%s is not directly in the directory", clip(child.URI))
	}
	return &mcp.Resource{URI: child.URI, Name: child.Name, Title: child.Title, Description: child.Description, MIMEType: child.MIMEType, Size: child.Size}, nil
}

// list iterates over the entries of all pages. An error comes last.
func list(ctx context.Context, c *mcp.Client, method, uri, field string) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		seen, count := map[string]bool{}, 0
		params := map[string]string{}
		if uri != "" {
			params["uri"] = uri
		}
		for range maxPages {
			raw, err := c.Call(ctx, method, params, nil)
			if err != nil {
				yield(nil, err)
				return
			}
			var page map[string]json.RawMessage
			var entries []json.RawMessage
			if json.Unmarshal(raw, &page) != nil || json.Unmarshal(page[field], &entries) != nil {
				yield(nil, fmt.Errorf("%s: the server's result has no list %s", method, field))
				return
			}
			for _, e := range entries {
				if count++; count > maxEntries {
					yield(nil, fmt.Errorf("%s: the list has more than %d entries", method, maxEntries))
					return
				}
				if !yield(e, nil) {
					return
				}
			}
			var next string
			if page["nextCursor"] == nil || json.Unmarshal(page["nextCursor"], &next) != nil || next == "" {
				return
			}
			if seen[next] {
				yield(nil, fmt.Errorf("%s: the server repeats the cursor of an earlier page", method))
				return
			}
			seen[next] = true
			params["cursor"] = next
		}
		yield(nil, fmt.Errorf("%s: the list has more than %d pages", method, maxPages))
	}
}

// LoadOptions configure Load.
type LoadOptions struct {
	// AllowDynamic allows Load to load skills whose files cannot be verified. Without it, loading
	// such a skill is an error.
	AllowDynamic bool
	// AllowLarge allows Load to load skills that exceed MaxFiles or MaxBytes.
	AllowLarge bool
}

// Loaded is a skill that has been loaded into the context of a model. Its files are read from its
// server, and only files that its entry lists can be read. Its methods are safe for concurrent use.
type Loaded struct {
	// Skill is the entry from which the skill was loaded.
	Skill *Skill
	// Text is the verified SKILL.md. Like the result of a tool, it is untrusted text from the
	// server. Show the model and the user which server it comes from.
	Text string

	client *mcp.Client
	opts   LoadOptions
	files  map[string]File // files by path; nil if the skill is dynamic

	mu   sync.Mutex
	size int64 // number of bytes that were read from a dynamic skill
}

// Load fetches and verifies the SKILL.md of a skill that List or Get has returned. Call it when the
// user or the model requests the skill and the user has approved it, because files must not be
// fetched before they are needed. If a file does not match the entry, the error is a
// *VerificationError. Nil options mean the zero value.
func Load(ctx context.Context, c *mcp.Client, s *Skill, options *LoadOptions) (*Loaded, error) {
	l := &Loaded{Skill: s, client: c}
	if options != nil {
		l.opts = *options
	}
	if err := s.check(); err != nil {
		return nil, &EntryError{s.URI, fmt.Errorf("the skill %s: %w", clip(s.URI), err)}
	}
	if s.Dynamic {
		if !l.opts.AllowDynamic {
			return nil, fmt.Errorf("the files of the skill %s are generated and cannot be verified (LoadOptions.AllowDynamic)", clip(s.URI))
		}
	} else {
		if err := s.CheckLimits(); err != nil && !l.opts.AllowLarge {
			return nil, err
		}
		l.files, _ = s.paths() // checked above, so there is no error
	}
	data, err := l.Read(ctx, mainFile)
	if err != nil {
		return nil, err
	}
	if err := s.checkFrontmatter(data); err != nil {
		return nil, &VerificationError{s.URI, err.Error()}
	}
	l.Text = string(data)
	return l, nil
}

// Read fetches and verifies a file of the skill. file is the file's URI, or a path from SKILL.md,
// such as references/FORMS.md. If the entry does not list the file, Read does not request it, and
// the error is a *VerificationError.
func (l *Loaded) Read(ctx context.Context, file string) ([]byte, error) {
	p, err := l.resolve(file)
	if err != nil {
		return nil, err
	}
	uri := l.Skill.Root() + "/" + escape(p)
	listed, ok := l.files[p]
	if !l.Skill.Dynamic {
		if !ok {
			return nil, &VerificationError{uri, "the entry does not list it"}
		}
		uri = listed.URI
	}
	result, err := l.client.ReadResource(ctx, uri, &mcp.CallOptions{Fresh: true})
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(result.Contents, func(c mcp.ResourceContents) bool { return c.URI == uri })
	if i < 0 {
		return nil, &VerificationError{uri, "the response does not contain the requested resource"}
	}
	data := result.Contents[i].Blob
	if data == nil {
		data = []byte(result.Contents[i].Text)
	}
	if l.Skill.Dynamic {
		return data, l.count(int64(len(data)))
	}
	if int64(len(data)) != listed.Size {
		return nil, &VerificationError{uri, fmt.Sprintf("it has %d bytes instead of %d", len(data), listed.Size)}
	}
	if digest(data) != listed.Digest {
		return nil, &VerificationError{uri, "its digest differs"}
	}
	return data, nil
}

// count adds n to the number of bytes that were read from a dynamic skill. It returns an error if
// the limit is exceeded.
func (l *Loaded) count(n int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.size += n; l.size > MaxBytes && !l.opts.AllowLarge {
		return fmt.Errorf("the files read from the skill %s have more than %d bytes", clip(l.Skill.URI), MaxBytes)
	}
	return nil
}

// ReadDir returns the files and directories in a directory of the skill; "." is the skill's own
// directory. They come from the entry or, for a Dynamic skill, from the server.
func (l *Loaded) ReadDir(ctx context.Context, dir string) ([]*mcp.Resource, error) {
	prefix, uri := "", l.Skill.Root()
	if dir != "." && dir != "" && dir != uri {
		p, err := l.resolve(strings.TrimSuffix(dir, "/"))
		if err != nil {
			return nil, err
		}
		prefix, uri = p+"/", uri+"/"+escape(p)
	}
	if l.Skill.Dynamic {
		var children []*mcp.Resource
		for child, err := range ReadDir(ctx, l.client, uri) {
			if err != nil {
				return nil, err
			}
			children = append(children, child)
		}
		return children, nil
	}
	children := map[string]*mcp.Resource{}
	for p, f := range l.files {
		rest, ok := strings.CutPrefix(p, prefix)
		if !ok {
			continue
		}
		if name, _, deeper := strings.Cut(rest, "/"); deeper {
			children[name] = &mcp.Resource{URI: uri + "/" + escape(name), Name: name, MIMEType: DirectoryMIMEType}
		} else {
			children[name] = &mcp.Resource{URI: f.URI, Name: name, MIMEType: mimeType(name, true), Size: f.Size}
		}
	}
	if len(children) == 0 {
		return nil, fmt.Errorf("the skill %s has no directory %s", clip(l.Skill.URI), clip(dir))
	}
	list := make([]*mcp.Resource, 0, len(children))
	for _, child := range children {
		list = append(list, child)
	}
	slices.SortFunc(list, func(a, b *mcp.Resource) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// resolve returns the path of a file in the skill's directory.
func (l *Loaded) resolve(file string) (string, error) {
	if strings.Contains(file, "://") {
		p, err := relative(l.Skill.Root(), file)
		if err != nil {
			return "", &VerificationError{file, err.Error()}
		}
		return p, nil
	}
	p := path.Clean(file)
	if path.IsAbs(p) || p == "." || p == ".." || strings.HasPrefix(p, "../") || strings.ContainsAny(p, "\\\x00") {
		return "", &VerificationError{file, "the path leads out of the skill's directory"}
	}
	return p, nil
}
