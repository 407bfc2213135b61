package teamserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/teamserver/pushed"
)

// lockedTape is a tape whose projects are files turtle.lock.
type lockedTape struct{ tape }

func (lockedTape) Manifests(g *ecosystem.Graph) (map[string][]byte, []string, error) {
	g, skipped := g.Releases(func(p *ecosystem.Used) bool { return !strings.ContainsAny(p.Name+p.Version, "/\n") })
	var text strings.Builder
	for i := range g.Packages[1:] {
		fmt.Fprintf(&text, "%s %s\n", g.Packages[i+1].Name, g.Packages[i+1].Version)
	}
	return map[string][]byte{"turtle.lock": []byte(text.String())}, skipped, nil
}

// pushable returns the JSON of a project with packages in the form NAME@VERSION.
func pushable(packages ...string) string {
	var list []string
	for _, p := range packages {
		name, version, _ := strings.Cut(p, "@")
		list = append(list, fmt.Sprintf(`{"id":%q,"name":%q,"version":%q,"dir":"/etc","file":"../../x"}`, p, name, version))
	}
	return `{"schemaVersion":1,"languages":[{"language":"tape","root":"/etc","packages":[` + strings.Join(list, ",") + `]}]}`
}

// about sends a request that concerns pushed projects.
func (r *running) about(t *testing.T, method, key, path, body string) (status int, text string) {
	t.Helper()
	status, _, text = request(t, method, r.url+"/v1/projects"+path, key, body)
	return status, text
}

func inProject(name string) map[string]any {
	return map[string]any{"package": "turtle", "projectPath": "project:" + name}
}

func TestPush(t *testing.T) {
	file, add := newKeys(t)
	alice, bob, carol := add("alice", 0, "shop"), add("bob", 0, "shop"), add("carol", 0, "bank")
	dir := t.TempDir()
	r := start(t, lockedTape{}, Options{Keys: file, ProjectsDir: dir})
	status, text := r.about(t, "PUT", alice, "/web", pushable("turtle@2.0", "../../etc/passwd@1", "hare@1.0"))
	var answer struct {
		ProjectPath string
		Packages    int
		Skipped     []string
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil || status != 200 || answer.ProjectPath != "project:web" || answer.Packages != 2 || len(answer.Skipped) != 1 {
		t.Fatalf("%d %s (%v)", status, text, err)
	}
	written, _ := filepath.Glob(filepath.Join(dir, "*", "*", "web", "turtle.lock"))
	if len(written) != 1 {
		t.Fatalf("files: %q", written)
	}
	if data, _ := os.ReadFile(written[0]); string(data) != "turtle 2.0\nhare 1.0\n" {
		t.Errorf("the lock file has %q", data)
	}
	if status, text := r.call(t, alice, inProject("web")); status != 200 || !strings.Contains(text, "sked for ["+filepath.Dir(written[0])+"]") {
		t.Errorf("her own project: %d %s", status, text)
	}
	for name, key := range map[string]string{"one of her group": bob, "one of another group": carol} {
		if _, text := r.call(t, key, inProject("web")); strings.Contains(text, "sked for") || strings.Contains(text, "web, or") {
			t.Errorf("%s sees a project that is hers alone: %s", name, text)
		}
	}
	// All principals in a group can use a project of the group.
	if status, text := r.about(t, "PUT", bob, "/api?group=shop", pushable("turtle@3.0")); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	if _, text := r.call(t, alice, inProject("api")); !strings.Contains(text, "sked for [") {
		t.Errorf("a project of the group: %s", text)
	}
	if _, text := r.call(t, carol, inProject("api")); strings.Contains(text, "sked for [") {
		t.Errorf("another group sees it: %s", text)
	}
	if _, text := r.call(t, alice, inProject("nothing")); !strings.Contains(text, "project:web, project:api") {
		t.Errorf("it does not name those that there are: %s", text)
	}
	// A project that is pushed again replaces the previous one.
	if status, text := r.about(t, "PUT", alice, "/web", pushable("turtle@2.1")); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	if again, _ := filepath.Glob(filepath.Join(dir, "*", "*", "web", "turtle.lock")); len(again) != 1 || again[0] == written[0] {
		t.Errorf("files after another push: %q", again)
	}
	if status, text := r.about(t, "GET", alice, "", ""); status != 200 || !strings.Contains(text, `"name":"web","packages":1`) || strings.Contains(text, "api") {
		t.Errorf("her list: %d %s", status, text)
	}
	if status, _ := r.about(t, "DELETE", alice, "/web", ""); status != http.StatusNoContent {
		t.Errorf("removing: %d", status)
	}
	if _, text := r.call(t, alice, inProject("web")); strings.Contains(text, "sked for [") {
		t.Errorf("it is still there: %s", text)
	}
	if status, _ := r.about(t, "DELETE", alice, "/web", ""); status != http.StatusNotFound {
		t.Errorf("removing it again: %d", status)
	}
}

func TestAttack_PushedProjects(t *testing.T) {
	file, add := newKeys(t)
	mallory := add("mallory", 0, "shop")
	dir := t.TempDir()
	r := start(t, lockedTape{}, Options{Keys: file, ProjectsDir: dir, Rate: 10_000})
	many := make([]string, 60_000)
	for i := range many {
		many[i] = fmt.Sprint("p", i, "@1")
	}
	for name, tt := range map[string]struct {
		method, key, path, body string
		want                    int
	}{
		"without a key":                  {"PUT", "", "/web", pushable("turtle@1"), 401},
		"a list without a key":           {"GET", "", "", "", 401},
		"for a group that is not theirs": {"PUT", mallory, "/web?group=bank", pushable("turtle@1"), 403},
		"the list of such a group":       {"GET", mallory, "?group=bank", "", 403},
		"removing from such a group":     {"DELETE", mallory, "/web?group=bank", "", 403},
		"a name with a path":             {"PUT", mallory, "/..%2f..%2fweb", pushable("turtle@1"), 400},
		"a hidden name":                  {"PUT", mallory, "/.web", pushable("turtle@1"), 400},
		"a long name":                    {"PUT", mallory, "/" + strings.Repeat("a", 65), pushable("turtle@1"), 400},
		"no JSON":                        {"PUT", mallory, "/web", "[", 400},
		"another format":                 {"PUT", mallory, "/web", `{"schemaVersion":2}`, 400},
		"nothing":                        {"PUT", mallory, "/web", pushable(), 200},
		"a requirement that is missing":  {"PUT", mallory, "/web", `{"schemaVersion":1,"languages":[{"language":"tape","packages":[{"id":"a","name":"a","version":"1","requires":["b"]}]}]}`, 400},
		"too many packages":              {"PUT", mallory, "/web", pushable(many...), 400},
		"too many bytes":                 {"PUT", mallory, "/web", strings.Repeat(" ", maxPushed+1), 413},
		"removing a path":                {"DELETE", mallory, "/..%2f..", "", 404},
	} {
		if status, text := r.about(t, tt.method, tt.key, tt.path, tt.body); status != tt.want {
			t.Errorf("%s: status %d, want %d: %.200s", name, status, tt.want, text)
		}
	}
	if status, text := r.call(t, mallory, inProject("../web")); strings.Contains(text, "sked for [") {
		t.Errorf("a path as the name of a project: %d %s", status, text)
	}
	for i := range pushed.MaxProjects + 1 {
		want := 200
		if i >= pushed.MaxProjects-1 { // the project web already exists
			want = http.StatusInsufficientStorage
		}
		if status, text := r.about(t, "PUT", mallory, fmt.Sprint("/p", i), pushable("turtle@1")); status != want {
			t.Fatalf("project %d: status %d, want %d: %s", i, status, want, text)
		}
	}
}

// Requests about pushed projects count toward the limits of a principal, and pages of other sites
// cannot send such requests.
func TestAttack_PushedProjectsAreLimited(t *testing.T) {
	file, add := newKeys(t)
	mallory, alice := add("mallory", 0), add("alice", 0)
	r := start(t, lockedTape{}, Options{Keys: file, Rate: 0.001})
	refused := false
	for range 1000 {
		if status, text := r.about(t, "PUT", mallory, "/web", pushable("turtle@1")); status == http.StatusTooManyRequests {
			refused = true
			break
		} else if status != http.StatusOK {
			t.Fatalf("%d %s", status, text)
		}
	}
	if !refused {
		t.Error("1000 projects are accepted at once")
	}
	if status, text := r.about(t, "GET", alice, "", ""); status != http.StatusOK {
		t.Errorf("an honest principal: %d %s", status, text)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+"/v1/projects", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "evil.example.net"
	req.Header.Set("Authorization", "Bearer "+alice)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if res.Body.Close(); res.StatusCode != http.StatusForbidden {
		t.Errorf("the name of another host: %s", res.Status)
	}
}

func TestPush_ProjectsExpire(t *testing.T) {
	file, add := newKeys(t)
	alice := add("alice", 0)
	dir := t.TempDir()
	r := start(t, lockedTape{}, Options{Keys: file, ProjectsDir: dir})
	for _, name := range []string{"used", "unused"} {
		if status, text := r.about(t, "PUT", alice, "/"+name, pushable("turtle@2.0")); status != 200 {
			t.Fatalf("%d %s", status, text)
		}
	}
	long := time.Now().Add(-pushed.MaxAge - time.Hour)
	records, _ := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	for _, record := range records {
		if err := os.Chtimes(record, long, long); err != nil {
			t.Fatal(err)
		}
	}
	if _, text := r.call(t, alice, inProject("used")); !strings.Contains(text, "sked for [") {
		t.Errorf("a project that has not been removed yet: %s", text)
	}
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	r = start(t, lockedTape{}, Options{Keys: file, ProjectsDir: dir})
	if _, text := r.call(t, alice, inProject("used")); !strings.Contains(text, "sked for [") {
		t.Errorf("the project that was used is gone: %s", text)
	}
	if _, text := r.call(t, alice, inProject("unused")); strings.Contains(text, "sked for [") {
		t.Errorf("the project that nobody used is still there: %s", text)
	}
}
