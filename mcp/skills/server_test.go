package skills_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
	"github.com/docent-mcp/docent/mcp/skills"
)

// main returns a SKILL.md.
func main(name string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("---\nname: " + name + "\ndescription: About " + name + "\n---\n# " + name + "\n")}
}

// library returns skills in groups. One of them is in the directory of another.
func library() fstest.MapFS {
	return fstest.MapFS{
		"pdf/SKILL.md":                      main("pdf"),
		"pdf/references/FORMS.md":           {Data: []byte("# Forms")},
		"pdf/references/Ä b%.txt":           {Data: []byte("text")},
		"pdf/logo.png":                      {Data: []byte("\x89PNG\xff")},
		"pdf/.env":                          {Data: []byte("SECRET=1")},
		"pdf/.git/config":                   {Data: []byte("secret")},
		"acme/billing/refunds/SKILL.md":     main("refunds"),
		"acme/billing/refunds/email.md":     {Data: []byte("Dear customer")},
		"acme/billing/refunds/eu/SKILL.md":  main("eu"),
		"acme/billing/refunds/eu/rules.txt": {Data: []byte("rules")},
	}
}

func newCatalog(t testing.TB, opts *skills.Options) (*mcp.Server, *skills.Catalog) {
	t.Helper()
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	c, err := skills.New(s, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

func connectLibrary(t *testing.T, opts *skills.Options) *mcp.Client {
	t.Helper()
	s, c := newCatalog(t, opts)
	if err := c.AddAll("", library()); err != nil {
		t.Fatal(err)
	}
	return mcptest.Connect(t, s, nil)
}

func list(t *testing.T, c *mcp.Client) []*skills.Skill {
	t.Helper()
	var all []*skills.Skill
	for s, err := range skills.List(t.Context(), c) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

func names(all []*skills.Skill) string {
	var b []string
	for _, s := range all {
		b = append(b, s.Root())
	}
	return strings.Join(b, " ")
}

func TestCatalog_ServesEveryRevision(t *testing.T) {
	s, catalog := newCatalog(t, &skills.Options{Caching: mcp.Caching{TTL: time.Minute, Public: true}})
	if err := catalog.AddAll("", library()); err != nil {
		t.Fatal(err)
	}
	mcptest.EachRevision(t, s, nil, func(t *testing.T, _ string, c *mcp.Client) {
		raw, err := c.Call(t.Context(), "skills/get", map[string]string{"uri": "skill://acme/billing/refunds/SKILL.md"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var result struct {
			TTL   int64  `json:"ttlMs"`
			Scope string `json:"cacheScope"`
			Skill struct {
				URI         string            `json:"uri"`
				Frontmatter map[string]string `json:"frontmatter"`
				Resources   []skills.File     `json:"resources"`
			} `json:"skill"`
		}
		if err := json.Unmarshal(raw, &result); err != nil {
			t.Fatal(err)
		}
		var uris []string
		for _, f := range result.Skill.Resources {
			uris = append(uris, strings.TrimPrefix(f.URI, "skill://acme/billing/refunds/"))
		}
		if got := strings.Join(uris, " "); got != "SKILL.md email.md eu/SKILL.md eu/rules.txt" {
			t.Errorf("files: %s", got)
		}
		if result.Skill.Frontmatter["name"] != "refunds" || result.Skill.Frontmatter["description"] != "About refunds" {
			t.Errorf("frontmatter: %v", result.Skill.Frontmatter)
		}
		if result.TTL != 60_000 || result.Scope != "public" {
			t.Errorf("caching: %d %s", result.TTL, result.Scope)
		}
		email := result.Skill.Resources[1]
		if email.Size != 13 || email.Digest != "sha256:a721d791f600743c55777631d66ef23af6471f6eac51ca0d42b34dbeec7384ed" {
			t.Errorf("file: %+v", email)
		}
	})
}

func TestList_Pages(t *testing.T) {
	c := connectLibrary(t, &skills.Options{PageSize: 1})
	if got := names(list(t, c)); got != "skill://acme/billing/refunds skill://acme/billing/refunds/eu skill://pdf" {
		t.Errorf("skills: %s", got)
	}
	raw, err := c.Call(t.Context(), "skills/list", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(raw), `"nextCursor"`) || strings.Count(string(raw), `"frontmatter"`) != 1 {
		t.Errorf("first page: %s", raw)
	}
}

func TestList_ResourcesHaveOnlyMainFiles(t *testing.T) {
	c := connectLibrary(t, nil)
	var got []string
	for res, err := range c.Resources(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(res.URI, " ", res.Name, " ", res.Description, " ", res.MIMEType))
	}
	want := "skill://acme/billing/refunds/SKILL.md refunds About refunds text/markdown"
	if len(got) != 3 || got[0] != want {
		t.Errorf("resources: %q", got)
	}
}

func TestInvalidParams(t *testing.T) {
	c := connectLibrary(t, nil)
	for name, tt := range map[string]struct {
		method string
		params any
	}{
		"unknown skill":               {"skills/get", map[string]any{"uri": "skill://nothing/SKILL.md"}},
		"file instead of a skill":     {"skills/get", map[string]any{"uri": "skill://pdf/logo.png"}},
		"directory of a skill":        {"skills/get", map[string]any{"uri": "skill://pdf"}},
		"path out of the skill":       {"skills/get", map[string]any{"uri": "skill://pdf/../pdf/SKILL.md"}},
		"encoded path out":            {"skills/get", map[string]any{"uri": "skill://pdf/%2e%2e/pdf/SKILL.md"}},
		"another scheme":              {"skills/get", map[string]any{"uri": "file:///pdf/SKILL.md"}},
		"no uri":                      {"skills/get", nil},
		"uri of another type":         {"skills/get", map[string]any{"uri": 1}},
		"cursor of another type":      {"skills/list", map[string]any{"cursor": 1}},
		"invalid cursor":              {"skills/list", map[string]any{"cursor": "***"}},
		"unknown directory":           {"resources/directory/read", map[string]any{"uri": "skill://nothing"}},
		"file instead of a directory": {"resources/directory/read", map[string]any{"uri": "skill://pdf/SKILL.md"}},
		"slash at the end":            {"resources/directory/read", map[string]any{"uri": "skill://pdf/"}},
		"the scheme alone":            {"resources/directory/read", map[string]any{"uri": "skill://"}},
		"hidden directory":            {"resources/directory/read", map[string]any{"uri": "skill://pdf/.git"}},
		"hidden file":                 {"resources/read", map[string]any{"uri": "skill://pdf/.env"}},
		"directory as a file":         {"resources/read", map[string]any{"uri": "skill://pdf"}},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := c.Call(t.Context(), tt.method, tt.params, nil)
			var e *mcp.Error
			if !errors.As(err, &e) || e.Code != mcp.CodeInvalidParams {
				t.Errorf("%s, %v; want code %d", raw, err, mcp.CodeInvalidParams)
			}
		})
	}
}

func TestReadDir(t *testing.T) {
	for _, pageSize := range []int{0, 1} {
		c := connectLibrary(t, &skills.Options{PageSize: pageSize})
		for dir, want := range map[string]string{
			"skill://acme":                    "billing/",
			"skill://acme/billing":            "refunds/",
			"skill://acme/billing/refunds":    "refunds email.md eu/",
			"skill://acme/billing/refunds/eu": "eu rules.txt",
			"skill://pdf":                     "pdf logo.png references/",
			"skill://pdf/references":          "FORMS.md Ä b%.txt",
		} {
			var got []string
			for child, err := range skills.ReadDir(t.Context(), c, dir) {
				if err != nil {
					t.Fatal(err)
				}
				if child.MIMEType == skills.DirectoryMIMEType {
					child.Name += "/"
				}
				got = append(got, child.Name)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: %q, want %q", dir, got, want)
			}
		}
	}
}

func TestLoad_ReadsEveryFile(t *testing.T) {
	c := connectLibrary(t, nil)
	for _, s := range list(t, c) {
		loaded, err := skills.Load(t.Context(), c, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := string(main(s.Name()).Data); loaded.Text != want {
			t.Errorf("%s: %q", s.URI, loaded.Text)
		}
		for _, f := range s.Files {
			if _, err := loaded.Read(t.Context(), f.URI); err != nil {
				t.Error(err)
			}
		}
		if s.Name() != "pdf" {
			continue
		}
		for _, file := range []string{"references/Ä b%.txt", "./references/../references/Ä b%.txt", "skill://pdf/references/%C3%84%20b%25.txt"} {
			if data, err := loaded.Read(t.Context(), file); string(data) != "text" {
				t.Errorf("%s: %q, %v", file, data, err)
			}
		}
		children, err := loaded.ReadDir(t.Context(), "references")
		if err != nil || len(children) != 2 || children[0].URI != "skill://pdf/references/FORMS.md" {
			t.Errorf("references: %v, %v", children, err)
		}
		if children, err = loaded.ReadDir(t.Context(), "."); err != nil || len(children) != 3 || children[2].MIMEType != skills.DirectoryMIMEType {
			t.Errorf("root: %v, %v", children, err)
		}
		if _, err := loaded.ReadDir(t.Context(), "missing"); err == nil {
			t.Error("a directory that is missing was listed")
		}
	}
}

func TestAdd_Errors(t *testing.T) {
	many := fstest.MapFS{"SKILL.md": main("many")}
	for i := range skills.MaxFiles {
		many[fmt.Sprintf("file%d", i)] = &fstest.MapFile{}
	}
	front := func(text string) fstest.MapFS {
		return fstest.MapFS{"SKILL.md": {Data: []byte("---\n" + text + "\n---\n")}}
	}
	for _, tt := range []struct {
		path  string
		files fs.FS
		want  string
	}{
		{"x", fstest.MapFS{"README.md": {}}, "contains no SKILL.md file"},
		{"other", fstest.MapFS{"SKILL.md": main("x")}, "the name in SKILL.md is x, and the name of the directory is other"},
		{"X", fstest.MapFS{"SKILL.md": main("X")}, "the name \"X\" must have"},
		{"a--b", fstest.MapFS{"SKILL.md": main("a--b")}, "single hyphens"},
		{"", fstest.MapFS{"SKILL.md": main("x")}, "the part \"\" of the path"},
		{"../x", fstest.MapFS{"SKILL.md": main("x")}, "the part \"..\" of the path"},
		{"a b/x", fstest.MapFS{"SKILL.md": main("x")}, "the part \"a b\" of the path"},
		{"x", fstest.MapFS{"SKILL.md": {Data: []byte("# x")}}, "must begin with frontmatter"},
		{"x", fstest.MapFS{"SKILL.md": {Data: []byte("---\nname: x\n")}}, "must end with a line ---"},
		{"x", front("name: x"), "no description"},
		{"x", front("- x"), "names and values"},
		{"x", front("name: x\nname: y"), "the name \"name\" occurs twice"},
		{"x", front("name: x\ndescription: [unclosed"), "not valid YAML"},
		{"x", front("name: x\ndescription: y\nbase: &b {a: 1}\nuse: {<<: *b}"), "a name must be plain text"},
		{"x", front("name: x\ndescription: y\nn: .inf"), "finite"},
		{"x", front("name: x\ndescription: y\nn: " + strings.Repeat("[", 40) + strings.Repeat("]", 40)), "nested more than 32 deep"},
		{"x", front("name: x\ndescription: y\na: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]"), "more than 10000 values"},
		{"x", front("name: x\ndescription: " + strings.Repeat("y", 1025)), "1025 characters"},
		{"many", many, "more than 512 files"},
		{"x", fstest.MapFS{"SKILL.md": main("x"), "big": {Data: make([]byte, skills.MaxBytes)}}, "more than 16777216 bytes"},
		{"x", fstest.MapFS{"SKILL.md": main("x"), "pipe": {Mode: fs.ModeNamedPipe}}, "pipe is not a regular file"},
	} {
		s, c := newCatalog(t, nil)
		err := c.Add(tt.path, tt.files)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("path %q: %v; want %q", tt.path, err, tt.want)
		}
		if got := list(t, mcptest.Connect(t, s, nil)); len(got) != 0 {
			t.Errorf("path %q: the skill was added", tt.path)
		}
	}
	_, c := newCatalog(t, nil)
	if err := c.AddAll("", fstest.MapFS{"a/b.md": {}}); err == nil || !strings.Contains(err.Error(), "no skills") {
		t.Errorf("no skills: %v", err)
	}
}

func TestAdd_RefusesSymbolicLinks(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	for file, data := range map[string][]byte{filepath.Join(dir, "SKILL.md"): main("x").Data, secret: []byte("secret")} {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(secret, filepath.Join(dir, "link")); err != nil {
		t.Skip("this system does not let the user make symbolic links, which this test follows (on Windows, turn on developer mode): ", err)
	}
	_, c := newCatalog(t, nil)
	if err := c.Add("x", os.DirFS(dir)); err == nil || !strings.Contains(err.Error(), "link is not a regular file") {
		t.Errorf("Add: %v", err)
	}
	if err := c.AddDynamic("x", os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
}

func TestAdd_ReplacesAndRemove(t *testing.T) {
	s, catalog := newCatalog(t, nil)
	files := fstest.MapFS{"SKILL.md": main("x"), "a.txt": {Data: []byte("one")}}
	if err := catalog.Add("x", files); err != nil {
		t.Fatal(err)
	}
	c := mcptest.Connect(t, s, nil)
	before := list(t, c)[0]
	loaded, err := skills.Load(t.Context(), c, before, nil)
	if err != nil {
		t.Fatal(err)
	}
	files["a.txt"] = &fstest.MapFile{Data: []byte("two")}
	if data, err := loaded.Read(t.Context(), "a.txt"); string(data) != "one" {
		t.Errorf("a file that has changed on disk: %q, %v", data, err)
	}
	if err := catalog.Add("x", files); err != nil {
		t.Fatal(err)
	}
	var failed *skills.VerificationError
	if _, err := loaded.Read(t.Context(), "a.txt"); !errors.As(err, &failed) {
		t.Errorf("a file that has changed: %v", err)
	}
	after, err := skills.Get(t.Context(), c, before.URI)
	if err != nil {
		t.Fatal(err)
	}
	if before.ContentID() == after.ContentID() {
		t.Error("ContentID did not change with a file")
	}
	catalog.Remove("x")
	if _, err := skills.Get(t.Context(), c, before.URI); err == nil {
		t.Error("a skill that was removed is still served")
	}
	if _, err := c.ReadResource(t.Context(), before.URI, nil); !errors.Is(err, mcp.ErrResourceNotFound) {
		t.Errorf("a file of a skill that was removed: %v", err)
	}
}

func TestDynamic(t *testing.T) {
	s, catalog := newCatalog(t, &skills.Options{Caching: mcp.Caching{TTL: time.Hour, Public: true}})
	files := fstest.MapFS{"SKILL.md": main("daily"), "data/today.txt": {Data: []byte("1")}, ".env": {Data: []byte("secret")}}
	if err := catalog.AddDynamic("reports/daily", files); err != nil {
		t.Fatal(err)
	}
	c := mcptest.Connect(t, s, nil)
	skill := list(t, c)[0]
	if !skill.Dynamic || skill.ContentID() != "" || skill.Files != nil {
		t.Errorf("entry: %+v", skill)
	}
	if _, err := skills.Load(t.Context(), c, skill, nil); err == nil || !strings.Contains(err.Error(), "AllowDynamic") {
		t.Errorf("Load without AllowDynamic: %v", err)
	}
	loaded, err := skills.Load(t.Context(), c, skill, &skills.LoadOptions{AllowDynamic: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1", "2"} {
		files["data/today.txt"] = &fstest.MapFile{Data: []byte(want)}
		if data, err := loaded.Read(t.Context(), "data/today.txt"); string(data) != want {
			t.Errorf("%q, %v; want %q", data, err, want)
		}
	}
	raw, err := c.Call(t.Context(), "resources/read", map[string]string{"uri": "skill://reports/daily/data/today.txt"}, nil)
	if err != nil || !strings.Contains(string(raw), `"ttlMs":0`) {
		t.Errorf("caching of a file: %s, %v", raw, err)
	}
	children, err := loaded.ReadDir(t.Context(), ".")
	if err != nil || len(children) != 2 || children[1].MIMEType != skills.DirectoryMIMEType {
		t.Errorf("root: %v, %v", children, err)
	}
	if children, err = loaded.ReadDir(t.Context(), "data"); err != nil || len(children) != 1 {
		t.Errorf("data: %v, %v", children, err)
	}
	if _, err := loaded.ReadDir(t.Context(), "SKILL.md"); err == nil {
		t.Error("a file was listed as a directory")
	}
	if _, err := loaded.Read(t.Context(), ".env"); !errors.Is(err, mcp.ErrResourceNotFound) {
		t.Errorf("hidden file: %v", err)
	}
	files["SKILL.md"] = main("other")
	if _, err := skills.Load(t.Context(), c, skill, &skills.LoadOptions{AllowDynamic: true}); err == nil {
		t.Error("a skill whose frontmatter has changed was loaded")
	}
}

func TestVisible(t *testing.T) {
	c := connectLibrary(t, &skills.Options{Visible: func(_ *mcp.Request, s *skills.Skill) bool { return s.Name() == "pdf" }})
	if got := names(list(t, c)); got != "skill://pdf" {
		t.Errorf("skills: %s", got)
	}
	for _, uri := range []string{"skill://acme/billing/refunds/SKILL.md", "skill://acme/billing/refunds/email.md"} {
		if _, err := c.ReadResource(t.Context(), uri, nil); !errors.Is(err, mcp.ErrResourceNotFound) {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if _, err := skills.Get(t.Context(), c, "skill://acme/billing/refunds/SKILL.md"); err == nil {
		t.Error("Get returns a hidden skill")
	}
	for _, err := range skills.ReadDir(t.Context(), c, "skill://acme") {
		if err == nil {
			t.Error("the directory of hidden skills was listed")
		}
	}
}

func TestNew_TwiceIsAnError(t *testing.T) {
	s, _ := newCatalog(t, nil)
	if _, err := skills.New(s, nil); err == nil {
		t.Error("the extension was added twice")
	}
}

func TestList_ServerWithoutSkills(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	c := mcptest.Connect(t, s, nil)
	for _, err := range skills.List(t.Context(), c) {
		if !errors.Is(err, skills.ErrNotSupported) {
			t.Errorf("List: %v", err)
		}
	}
	if _, err := skills.Get(t.Context(), c, "skill://x/SKILL.md"); !errors.Is(err, skills.ErrNotSupported) {
		t.Errorf("Get: %v", err)
	}
}

func TestCatalog_ConcurrentUse(t *testing.T) {
	s, catalog := newCatalog(t, nil)
	c := mcptest.Connect(t, s, nil)
	done := make(chan error)
	go func() {
		var err error
		for range 50 {
			err = errors.Join(err, catalog.Add("x", fstest.MapFS{"SKILL.md": main("x")}))
			catalog.Remove("x")
		}
		done <- err
	}()
	for range 50 {
		if all := list(t, c); len(all) > 1 || slices.ContainsFunc(all, func(s *skills.Skill) bool { return s.Name() != "x" }) {
			t.Errorf("skills: %v", all)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
