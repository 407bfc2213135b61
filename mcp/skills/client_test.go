package skills_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
	"github.com/docent-mcp/docent/mcp/skills"
)

const pdf = "---\nname: pdf\ndescription: About pdf\nlicense: MIT\nmetadata:\n  version: 1.10\n  updated: 2026-01-02\n---\nBody\n"

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// played is a server whose entries and files are set by the test.
type played struct {
	pages []string          // results of skills/list by cursor: "", "1", "2", …
	files map[string]string // contents of files by URI
	reads []string
}

func (p *played) connect(t *testing.T) *mcp.Client {
	t.Helper()
	s := mcp.NewServer(mcp.Implementation{Name: "played", Version: "1"}, nil)
	result := func(text string) (mcp.Result, error) { return mcp.RawResult(text), nil }
	err := errors.Join(
		s.AddExtension(skills.ID, map[string]any{"directoryRead": true}),
		s.Handle("skills/list", func(_ context.Context, r *mcp.Request) (mcp.Result, error) {
			var params struct{ Cursor string }
			_ = json.Unmarshal(r.Params(), &params)
			page := 0
			if params.Cursor != "" {
				_, _ = fmt.Sscan(params.Cursor, &page)
			}
			return result(p.pages[page])
		}),
		s.Handle("skills/get", func(context.Context, *mcp.Request) (mcp.Result, error) { return result(p.pages[0]) }),
		s.Handle("resources/directory/read", func(context.Context, *mcp.Request) (mcp.Result, error) { return result(p.pages[0]) }),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "skill://{+path}", Name: "files"},
			func(_ context.Context, _ *mcp.Request, uri string, _ mcp.Variables) ([]mcp.ResourceContents, error) {
				p.reads = append(p.reads, uri)
				text, ok := p.files[uri]
				if !ok {
					return nil, mcp.ErrResourceNotFound
				}
				return []mcp.ResourceContents{{URI: uri, Text: text}}, nil
			}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return mcptest.Connect(t, s, nil)
}

// entry returns the entry of the skill pdf with parts of the text replaced.
func entry(replace ...string) string {
	return strings.NewReplacer(replace...).Replace(fmt.Sprintf(`{"uri": "skill://pdf/SKILL.md",
"frontmatter": {"name": "pdf", "description": "About pdf", "license": "MIT", "metadata": {"version": 1.1, "updated": "2026-01-02T00:00:00.000Z"}},
"resources": [{"uri": "skill://pdf/SKILL.md", "digest": "%s", "size": %d}, {"uri": "skill://pdf/a.txt", "digest": "%s", "size": 3}]}`, hash(pdf), len(pdf), hash("one")))
}

func TestLoad_Verifies(t *testing.T) {
	for name, tt := range map[string]struct {
		entry string
		main  string
		file  string // file to read; empty if Load must fail
		want  string // text that the VerificationError must contain; empty if no error is expected
	}{
		"an honest skill":              {entry(), pdf, "a.txt", ""},
		"digest of SKILL.md":           {entry(), strings.Replace(pdf, "Body", "Evil", 1), "", "digest differs"},
		"size of SKILL.md":             {entry(), pdf + "more", "", "bytes instead of"},
		"frontmatter":                  {entry("About pdf", "About something else"), pdf, "", "frontmatter"},
		"a field that is missing":      {entry(`"license": "MIT", `, ""), pdf, "", "frontmatter"},
		"a field that was added":       {entry(`"license": "MIT", `, `"license": "MIT", "allowed-tools": "Bash", `), pdf, "", "frontmatter"},
		"a number as text":             {entry(`1.1`, `"1.10"`), pdf, "", "frontmatter"},
		"another date":                 {entry(`2026-01-02T`, `2026-01-03T`), pdf, "", "frontmatter"},
		"digest of a file":             {entry(hash("one"), hash("two")), pdf, "a.txt", "digest differs"},
		"size of a file":               {entry(`"size": 3`, `"size": 4`), pdf, "a.txt", "3 bytes instead of 4"},
		"a file that is not listed":    {entry(), pdf, "b.txt", "does not list"},
		"a URI that is not listed":     {entry(), pdf, "skill://pdf/b.txt", "does not list"},
		"a file of another skill":      {entry(), pdf, "../other/SKILL.md", "out of the skill's directory"},
		"a URI of another skill":       {entry(), pdf, "skill://other/SKILL.md", "not a file below skill://pdf"},
		"an encoded way out":           {entry(), pdf, "skill://pdf/%2e%2e/other/SKILL.md", "not the name of a file"},
		"an absolute path":             {entry(), pdf, "/etc/passwd", "out of the skill's directory"},
		"a path of another system":     {entry(), pdf, `..\secret`, "out of the skill's directory"},
		"a URI of another scheme":      {entry(), pdf, "file:///etc/passwd", "not a file below"},
		"a prefix of the skill's name": {entry(), pdf, "skill://pdfs/SKILL.md", "not a file below"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &played{pages: []string{`{"skills": [` + tt.entry + `]}`}, files: map[string]string{"skill://pdf/SKILL.md": tt.main, "skill://pdf/a.txt": "one", "skill://pdf/b.txt": "b", "skill://other/SKILL.md": "x"}}
			c := p.connect(t)
			skill := list(t, c)[0]
			if len(p.reads) != 0 {
				t.Error("a file was read before it was needed")
			}
			loaded, err := skills.Load(t.Context(), c, skill, nil)
			if err == nil && tt.file != "" {
				_, err = loaded.Read(t.Context(), tt.file)
			}
			var failed *skills.VerificationError
			switch {
			case tt.want == "":
				if err != nil {
					t.Error(err)
				}
			case !errors.As(err, &failed) || !strings.Contains(err.Error(), tt.want):
				t.Errorf("%v; want a VerificationError: %s", err, tt.want)
			case tt.file == "" && loaded != nil:
				t.Error("the skill was loaded nevertheless")
			}
			for _, uri := range p.reads {
				if uri != "skill://pdf/SKILL.md" && uri != "skill://pdf/a.txt" {
					t.Errorf("the client has read %s", uri)
				}
			}
		})
	}
}

func TestList_InvalidEntries(t *testing.T) {
	for name, tt := range map[string]struct{ entry, want string }{
		"not an object":            {`7`, "malformed"},
		"no frontmatter":           {`{"uri": "skill://pdf/SKILL.md", "resources": []}`, "frontmatter must be an object"},
		"frontmatter null":         {`{"uri": "skill://pdf/SKILL.md", "frontmatter": null, "resources": []}`, "frontmatter must be an object"},
		"no resources":             {`{"uri": "skill://pdf/SKILL.md", "frontmatter": {"name": "pdf", "description": "x"}}`, "resources must be an array"},
		"other resources":          {`{"uri": "skill://pdf/SKILL.md", "frontmatter": {"name": "pdf", "description": "x"}, "resources": "static"}`, "resources must be an array"},
		"name of another skill":    {entry(`"name": "pdf"`, `"name": "other"`), "must end with /other/SKILL.md"},
		"name out of the alphabet": {entry(`"name": "pdf"`, `"name": "../pdf"`), "must have 1 to 64"},
		"no description":           {entry(`"description": "About pdf"`, `"description": " "`), "no description"},
		"no digest":                {entry(hash("one"), ""), "the digest of skill://pdf/a.txt"},
		"digest in capitals":       {entry(hash("one"), "sha256:"+strings.ToUpper(hash("one")[7:])), "the digest of skill://pdf/a.txt"},
		"another algorithm":        {entry(hash("one"), "md5:900150983cd24fb0d6963f7d28e17f72"), "the digest of skill://pdf/a.txt"},
		"no size":                  {entry(`, "size": 3`, ""), "has no size"},
		"a size with a fraction":   {entry(`"size": 3`, `"size": 3.5`), "size in bytes"},
		"a negative size":          {entry(`"size": 3`, `"size": -3`), "is negative"},
		"a file elsewhere":         {entry("skill://pdf/a.txt", "skill://other/a.txt"), "not a file below"},
		"a file above":             {entry("skill://pdf/a.txt", "skill://pdf/../a.txt"), "not the name of a file"},
		"a file listed twice":      {entry("a.txt", "SKILL.md"), "listed twice"},
		"twice in another form":    {entry("a.txt", "%53KILL.md"), "listed twice"},
		"without SKILL.md":         {entry(`{"uri": "skill://pdf/SKILL.md", "digest"`, `{"uri": "skill://pdf/b.md", "digest"`), "do not include SKILL.md"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &played{pages: []string{`{"skills": [` + tt.entry + `,` + entry() + `]}`}}
			var failed *skills.EntryError
			var good int
			for s, err := range skills.List(t.Context(), p.connect(t)) {
				switch {
				case err == nil:
					good++
				case s != nil || !errors.As(err, &failed) || !strings.Contains(err.Error(), tt.want):
					t.Errorf("%v; want an EntryError: %s", err, tt.want)
				}
			}
			if failed == nil || good != 1 {
				t.Errorf("failed: %v, %d valid entries", failed, good)
			}
		})
	}
}

func TestLoad_Limits(t *testing.T) {
	p := &played{files: map[string]string{"skill://pdf/SKILL.md": pdf}, pages: []string{`{"skills": [` + entry(`"size": 3`, `"size": 16777216`) + `]}`}}
	c := p.connect(t)
	large := list(t, c)[0]
	if _, err := skills.Load(t.Context(), c, large, nil); err == nil || !strings.Contains(err.Error(), "more than 16777216 bytes") || len(p.reads) != 0 {
		t.Errorf("Load: %v after reading %v", err, p.reads)
	}
	if _, err := skills.Load(t.Context(), c, large, &skills.LoadOptions{AllowLarge: true}); err != nil {
		t.Error(err)
	}
	var files strings.Builder
	for i := range skills.MaxFiles - 1 {
		fmt.Fprintf(&files, `, {"uri": "skill://pdf/%d", "digest": "%s", "size": 0}`, i, hash(""))
	}
	p.pages[0] = `{"skills": [` + entry(`"size": 3}`, `"size": 3}`+files.String()) + `]}`
	if _, err := skills.Load(t.Context(), c, list(t, c)[0], nil); err == nil || !strings.Contains(err.Error(), "513 files") {
		t.Errorf("Load: %v", err)
	}
}

func TestList_HostilePages(t *testing.T) {
	for name, tt := range map[string]struct {
		pages []string
		want  string
	}{
		"a cursor that repeats": {[]string{`{"skills": [], "nextCursor": "1"}`, `{"skills": [], "nextCursor": "1"}`}, "repeats the cursor"},
		"no list":               {[]string{`{}`}, "has no list skills"},
		"another type":          {[]string{`{"skills": {}}`}, "has no list skills"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &played{pages: tt.pages}
			var got error
			for _, err := range skills.List(t.Context(), p.connect(t)) {
				got = err
			}
			if got == nil || !strings.Contains(got.Error(), tt.want) {
				t.Errorf("%v; want %q", got, tt.want)
			}
		})
	}
}

func TestGet_AnotherSkill(t *testing.T) {
	p := &played{pages: []string{`{"skill": ` + entry() + `}`}}
	if _, err := skills.Get(t.Context(), p.connect(t), "skill://other/SKILL.md"); err == nil || !strings.Contains(err.Error(), "instead of skill://other") {
		t.Errorf("Get: %v", err)
	}
}

func TestReadDir_HostileChildren(t *testing.T) {
	for _, uri := range []string{"skill://other/a", "skill://pdf/a/b", "skill://pdf/..", "skill://pdf/a?b", "file:///etc/passwd"} {
		p := &played{pages: []string{`{"resources": [{"uri": "` + uri + `", "name": "a"}]}`}}
		for child, err := range skills.ReadDir(t.Context(), p.connect(t), "skill://pdf") {
			if err == nil {
				t.Errorf("%s is listed as %v", uri, child)
			}
		}
	}
}

func FuzzSkill(f *testing.F) {
	f.Add([]byte(entry()), []byte(pdf))
	f.Add([]byte(entry("pdf", "%70df")), []byte("---\na: &a [*a]\n---\n"))
	f.Add([]byte(`{"resources":"dynamic","frontmatter":{"name":"a","description":"b"},"uri":"x://a/SKILL.md"}`), []byte("---\n? [a]\n: b\n---\n"))
	f.Fuzz(func(t *testing.T, data, main []byte) {
		var s skills.Skill
		if json.Unmarshal(data, &s) == nil {
			encoded, err := json.Marshal(&s)
			if err != nil {
				t.Fatal(err)
			}
			var again skills.Skill
			if err := json.Unmarshal(encoded, &again); err != nil || again.ContentID() != s.ContentID() {
				t.Fatalf("%s: %v", encoded, err)
			}
		}
		skills.ParseFrontmatter(main)
	})
}
