package main

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/mcp"
)

// The skills extension, with the public API for extensions: a declaration, and
// handlers of its methods.

const skillsExtension = "io.modelcontextprotocol/skills"

//go:embed skills
var skillFiles embed.FS

type skill struct {
	URI         string          `json:"uri"`
	Frontmatter frontmatter     `json:"frontmatter"`
	Resources   []skillResource `json:"resources"`
}

type frontmatter struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

type skillResource struct {
	URI    string `json:"uri"`
	Digest string `json:"digest"`
	Size   int    `json:"size"`
}

// entry is an entry of a directory.
type entry struct {
	URI      string `json:"uri"`
	Name     string `json:"name"`
	MIMEType string `json:"mimeType"`
}

func mimeType(file string) string {
	if path.Ext(file) == ".md" {
		return "text/markdown"
	}
	return "text/plain"
}

func skillURI(file string) string { return "skill://" + strings.TrimPrefix(file, "skills/") }

// readFrontmatter parses the "key: value" lines between the first two "---".
func readFrontmatter(data string) frontmatter {
	var f frontmatter
	_, rest, _ := strings.Cut(data, "---\n")
	head, _, _ := strings.Cut(rest, "---\n")
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "name":
			f.Name = value
		case "description":
			f.Description = value
		}
	}
	return f
}

func addSkills(s *mcp.Server) error {
	var skills []*skill
	directories := map[string][]entry{}
	err := fs.WalkDir(skillFiles, "skills", func(file string, d fs.DirEntry, err error) error {
		if err != nil || file == "skills" {
			return err
		}
		uri, parent := skillURI(file), skillURI(path.Dir(file))
		if d.IsDir() {
			directories[parent] = append(directories[parent], entry{uri, d.Name(), "inode/directory"})
			directories[uri] = nil
			if path.Dir(file) == "skills" {
				skills = append(skills, &skill{URI: uri + "/SKILL.md"})
			}
			return nil
		}
		directories[parent] = append(directories[parent], entry{uri, d.Name(), mimeType(file)})
		data, err := fs.ReadFile(skillFiles, file)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		owner := skills[len(skills)-1]
		owner.Resources = append(owner.Resources, skillResource{uri, "sha256:" + hex.EncodeToString(sum[:]), len(data)})
		resource := mcp.Resource{URI: uri, Name: path.Base(file), MIMEType: mimeType(file), Size: int64(len(data))}
		if uri == owner.URI {
			owner.Frontmatter = readFrontmatter(string(data))
			resource.Name, resource.Description = owner.Frontmatter.Name, owner.Frontmatter.Description
		}
		return s.AddResource(resource, text(string(data)))
	})
	if err != nil {
		return err
	}
	return errors.Join(
		s.AddExtension(skillsExtension, map[string]any{"directoryRead": true}),
		s.Handle("skills/list", func(_ context.Context, r *mcp.Request) (mcp.Result, error) {
			var p struct{ Cursor string }
			if err := params(r, &p); err != nil {
				return nil, err
			}
			// One skill per page tests pagination.
			start := slices.IndexFunc(skills, func(s *skill) bool { return p.Cursor == "" || s.URI == p.Cursor })
			if start < 0 {
				return nil, &mcp.Error{Code: mcp.CodeInvalidParams, Message: "Invalid cursor"}
			}
			page := map[string]any{"skills": skills[start : start+1], "ttlMs": 0, "cacheScope": "public"}
			if start+1 < len(skills) {
				page["nextCursor"] = skills[start+1].URI
			}
			return raw(page)
		}),
		s.Handle("skills/get", func(_ context.Context, r *mcp.Request) (mcp.Result, error) {
			var p struct{ URI string }
			if err := params(r, &p); err != nil {
				return nil, err
			}
			for _, one := range skills {
				if one.URI == p.URI {
					return raw(map[string]any{"skill": one, "ttlMs": 0, "cacheScope": "public"})
				}
			}
			return nil, &mcp.Error{Code: mcp.CodeInvalidParams, Message: "Unknown skill: " + p.URI}
		}),
		s.Handle("resources/directory/read", func(_ context.Context, r *mcp.Request) (mcp.Result, error) {
			var p struct{ URI, Cursor string }
			if err := params(r, &p); err != nil {
				return nil, err
			}
			entries, ok := directories[strings.TrimSuffix(p.URI, "/")]
			if !ok {
				return nil, &mcp.Error{Code: mcp.CodeInvalidParams, Message: "Not a directory: " + p.URI}
			}
			start := 0
			if p.Cursor != "" {
				if start = slices.IndexFunc(entries, func(e entry) bool { return e.URI == p.Cursor }); start < 0 {
					return nil, &mcp.Error{Code: mcp.CodeInvalidParams, Message: "Invalid cursor"}
				}
			}
			page := map[string]any{"resources": entries[start:min(start+1, len(entries))], "ttlMs": 0, "cacheScope": "public"}
			if start+1 < len(entries) {
				page["nextCursor"] = entries[start+1].URI
			}
			return raw(page)
		}),
	)
}

// params decodes the params of a request.
func params(r *mcp.Request, v any) error {
	if r.Params() == nil {
		return nil
	}
	if err := json.Unmarshal(r.Params(), v); err != nil {
		return &mcp.Error{Code: mcp.CodeInvalidParams, Message: "Invalid params"}
	}
	return nil
}

func raw(v any) (mcp.Result, error) {
	data, err := json.Marshal(v)
	return mcp.RawResult(data), err
}
