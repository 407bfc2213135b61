package registry_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp/registry"
)

func newPlayed() *played {
	return &played{entries: []string{
		entry("io.github.someone/weather", "1.0.0", "", "deleted", false),
		entry("io.github.someone/weather", "1.1.0+build", "", "deprecated", false),
		entry("io.github.someone/weather", "2.0.0", "", "active", true),
		entry("com.example/weather-map", "1.0.0", "", "active", true),
		entry("com.example/files", "1.0.0", "", "active", true),
	}}
}

func names(t *testing.T, c *registry.Client, q *registry.Query) string {
	t.Helper()
	var list []string
	for e, err := range c.Search(t.Context(), q) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e.Server.Name+"@"+e.Server.Version)
	}
	return strings.Join(list, " ")
}

func TestSearch(t *testing.T) {
	p := newPlayed()
	c := &registry.Client{URL: p.start(t), UserAgent: "test/1"}
	for _, tt := range []struct {
		query *registry.Query
		want  string
	}{
		{nil, "io.github.someone/weather@2.0.0 com.example/weather-map@1.0.0 com.example/files@1.0.0"},
		{&registry.Query{Text: "WEATHER", PageSize: 1}, "io.github.someone/weather@2.0.0 com.example/weather-map@1.0.0"},
		{&registry.Query{Text: "someone", AllVersions: true}, "io.github.someone/weather@1.1.0+build io.github.someone/weather@2.0.0"},
		{&registry.Query{Text: "someone", AllVersions: true, Deleted: true}, "io.github.someone/weather@1.0.0 io.github.someone/weather@1.1.0+build io.github.someone/weather@2.0.0"},
		{&registry.Query{Text: "someone", AllVersions: true, UpdatedSince: time.Now()}, "io.github.someone/weather@1.0.0 io.github.someone/weather@1.1.0+build io.github.someone/weather@2.0.0"},
		{&registry.Query{Text: "nothing"}, ""},
	} {
		if got := names(t, c, tt.query); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.query, got, tt.want)
		}
	}
	if p.agents[0] != "test/1" {
		t.Errorf("user agent: %s", p.agents[0])
	}
}

func TestGet(t *testing.T) {
	c := &registry.Client{URL: newPlayed().start(t) + "/"}
	for version, want := range map[string]registry.Status{"": "active", "latest": "active", "1.1.0+build": "deprecated", "1.0.0": "deleted"} {
		e, err := c.Get(t.Context(), "io.github.someone/weather", version)
		if err != nil {
			t.Fatal(err)
		}
		if e.Status != want || e.StatusMessage != "why" || e.Latest != (want == "active") || e.PublishedAt.Year() != 2026 {
			t.Errorf("%q: %+v", version, e)
		}
	}
	for _, missing := range [][2]string{{"io.github.someone/other", ""}, {"io.github.someone/weather", "9.0.0"}, {"../weather", ""}} {
		if _, err := c.Get(t.Context(), missing[0], missing[1]); !errors.Is(err, registry.ErrNotFound) || !strings.Contains(err.Error(), "Server not found") {
			t.Errorf("%v: %v", missing, err)
		}
	}
}

func TestVersions(t *testing.T) {
	c := &registry.Client{URL: newPlayed().start(t)}
	all, err := c.Versions(t.Context(), "io.github.someone/weather")
	if err != nil || len(all) != 3 || all[0].Server.Version != "2.0.0" {
		t.Errorf("versions: %v, %v", all, err)
	}
	if _, err := c.Versions(t.Context(), "a/b"); !errors.Is(err, registry.ErrNotFound) {
		t.Errorf("unknown server: %v", err)
	}
}

func TestHostileAnswers(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		body   string
		want   string
	}{
		"not JSON":            {200, `<html>`, "does not have the format of its API"},
		"another server":      {200, entry("evil/server", "1.0.0", "", "active", true), `instead of "a/b"`},
		"another version":     {200, entry("a/b", "2.0.0", "", "active", true), `instead of "a/b" in version "1.0.0"`},
		"no server":           {200, `{"_meta":{}}`, "no server"},
		"another type":        {200, `{"server":{"name":"a/b","packages":7}}`, "does not have the format of its API"},
		"a date that is none": {200, strings.Replace(entry("a/b", "1.0.0", "", "active", true), "2026-01-02", "2026-13-02", 2), "io.modelcontextprotocol.registry/official"},
		"a large answer":      {200, strings.Repeat(" ", 16<<20) + "{}", "more than 16777216 bytes"},
		"an error":            {500, `{"title":"x","detail":"broken"}`, "status 500: broken"},
		"an error of old":     {400, `{"error":"wrong"}`, "status 400: wrong"},
		"a long error":        {400, `{"error":"` + strings.Repeat("x", 10_000) + `"}`, "…"},
		"an error without":    {502, `<html>`, "status 502"},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(tt.status)
				_, _ = io.WriteString(w, tt.body)
			}))
			defer s.Close()
			_, err := (&registry.Client{URL: s.URL}).Get(t.Context(), "a/b", "1.0.0")
			if err == nil || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 2000 {
				t.Errorf("%v; want %q", err, tt.want)
			}
		})
	}
}

func TestSearch_HostilePages(t *testing.T) {
	for name, tt := range map[string]struct{ page, want string }{
		"a cursor that repeats": {`{"servers":[],"metadata":{"nextCursor":"x"}}`, "repeats the cursor"},
		"an empty entry":        {`{"servers":[null]}`, "an empty entry"},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, tt.page) }))
			defer s.Close()
			var got error
			for _, err := range (&registry.Client{URL: s.URL}).Search(t.Context(), nil) {
				got = err
			}
			if got == nil || !strings.Contains(got.Error(), tt.want) {
				t.Errorf("%v; want %q", got, tt.want)
			}
		})
	}
}

func ExampleClient() {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, entry("io.github.someone/weather", "1.2.0", `,"packages":[{"registryType":"npm","identifier":"weather-mcp","version":"1.2.0","transport":{"type":"stdio"},`+
			`"environmentVariables":[{"name":"API_KEY","isRequired":true,"isSecret":true}]}]`, "active", true))
	}))
	defer s.Close()
	c := &registry.Client{URL: s.URL} // a real program can omit URL to use the official registry
	e, err := c.Get(context.Background(), "io.github.someone/weather", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	launcher := e.Server.Ways()[0]
	_, err = launcher.Launch(nil)
	fmt.Println(err)
	launch, err := launcher.Launch(map[string]string{"API_KEY": "secret"})
	fmt.Println(launch.Command, launch.Args, launch.Env, err)
	// Output:
	// values are missing: API_KEY
	// npx [-y weather-mcp@1.2.0] map[API_KEY:secret] <nil>
}
