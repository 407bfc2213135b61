package registry_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// played simulates a registry with the API of the official one, including its paths, parameters,
// cursors, _meta and errors.
type played struct {
	entries []string // the registry's entries, oldest first
	agents  []string // user agents of requests
}

func (p *played) start(t testing.TB) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v0.1/servers", func(w http.ResponseWriter, r *http.Request) {
		p.agents = append(p.agents, r.UserAgent())
		q := r.URL.Query()
		var found []string
		for _, e := range p.entries {
			if matches(e, q) {
				found = append(found, e)
			}
		}
		start, limit := 0, 30
		_, _ = fmt.Sscan(q.Get("cursor"), &start)
		_, _ = fmt.Sscan(q.Get("limit"), &limit)
		end := min(start+limit, len(found))
		next := ""
		if end < len(found) {
			next = fmt.Sprintf(`"nextCursor":"%d",`, end)
		}
		fmt.Fprintf(w, `{"servers":[%s],"metadata":{%s"count":%d}}`, strings.Join(found[start:end], ","), next, end-start)
	})
	mux.HandleFunc("GET /v0.1/servers/{name}/versions", func(w http.ResponseWriter, r *http.Request) {
		var found []string
		for _, e := range slices.Backward(p.entries) {
			if field(e, "name") == r.PathValue("name") {
				found = append(found, e)
			}
		}
		if found == nil {
			notFound(w)
			return
		}
		fmt.Fprintf(w, `{"servers":[%s],"metadata":{"count":%d}}`, strings.Join(found, ","), len(found))
	})
	mux.HandleFunc("GET /v0.1/servers/{name}/versions/{version}", func(w http.ResponseWriter, r *http.Request) {
		for _, e := range slices.Backward(p.entries) {
			version := r.PathValue("version")
			if field(e, "name") == r.PathValue("name") && (version == field(e, "version") || version == "latest" && strings.Contains(e, `"isLatest":true`)) {
				fmt.Fprint(w, e)
				return
			}
		}
		notFound(w)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func notFound(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(http.StatusNotFound)
	fmt.Fprint(w, `{"title":"Not Found","status":404,"detail":"Server not found"}`)
}

func matches(entry string, q url.Values) bool {
	deleted := strings.Contains(entry, `"status":"deleted"`)
	return strings.Contains(strings.ToLower(field(entry, "name")), strings.ToLower(q.Get("search"))) &&
		(q.Get("version") != "latest" || strings.Contains(entry, `"isLatest":true`)) &&
		(!deleted || q.Get("include_deleted") == "true" || q.Get("updated_since") != "")
}

func field(entry, name string) string {
	var e struct{ Server map[string]any }
	if err := json.Unmarshal([]byte(entry), &e); err != nil {
		panic(err)
	}
	text, _ := e.Server[name].(string)
	return text
}

// entry returns an entry in the format of the registry.
func entry(name, version, more, status string, latest bool) string {
	return fmt.Sprintf(`{"server":{"$schema":"https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json","name":%q,"description":"About %s","version":%q%s},`+
		`"_meta":{"io.modelcontextprotocol.registry/official":{"status":%q,"statusChangedAt":"2026-01-02T03:04:05.678901Z","statusMessage":"why","publishedAt":"2026-01-02T03:04:05.678901Z","updatedAt":"2026-01-03T03:04:05.678901Z","isLatest":%t}}}`,
		name, name, version, more, status, latest)
}
