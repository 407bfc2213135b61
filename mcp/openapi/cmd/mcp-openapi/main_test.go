package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

func TestRun_List(t *testing.T) {
	description, err := os.ReadFile("../../testdata/pets.yaml")
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/pets.yaml" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(description)
	}))
	defer web.Close()
	none := func(string) string { return "" }
	for _, source := range []string{"../../testdata/pets.yaml", web.URL + "/pets.yaml"} {
		var out bytes.Buffer
		if err := run(t.Context(), []string{"-list", "-unsafe", "-include", "^(GET /pets|upload)", source}, none, &out); err != nil {
			t.Errorf("%s: %v", source, err)
		}
		if got := out.String(); !strings.Contains(got, "listPets\npets_get_one\n") || !strings.Contains(got, "skipped POST /upload: ") || strings.Contains(got, "addPet") {
			t.Errorf("%s: %s", source, got)
		}
	}
	for name, args := range map[string][]string{
		"no description":     {},
		"no such file":       {"none.yaml"},
		"no such page":       {web.URL + "/none"},
		"no token":           {"-bearer", "API_TOKEN", "../../testdata/pets.yaml"},
		"malformed header":   {"-header", "X-Key", "../../testdata/pets.yaml"},
		"two credentials":    {"-header", "X-Key=A", "-bearer", "B", "../../testdata/pets.yaml"},
		"malformed pattern":  {"-include", "(", "../../testdata/pets.yaml"},
		"nothing to offer":   {"-include", "nothing", "../../testdata/pets.yaml"},
		"an unknown flag":    {"-verbose", "../../testdata/pets.yaml"},
		"too many for tools": {"-max-tools", "1", "../../testdata/pets.yaml"},
	} {
		if err := run(t.Context(), args, none, new(bytes.Buffer)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	env := func(name string) string { return map[string]string{"KEY": "s3cret", "LINE": "s3cret\n"}[name] }
	for _, flags := range [][]string{{"-bearer", "LINE"}, {"-header", "X-Key=LINE"}, {"-header", "X Key=KEY"}} {
		if _, err := parse(append(flags, "a.yaml"), env, new(bytes.Buffer)); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: error %v", flags, err)
		}
	}
	for _, flags := range [][]string{{"-bearer", "KEY"}, {"-header", "X-Key=KEY"}} {
		set, err := parse(append(flags, "a.yaml"), env, new(bytes.Buffer))
		if err != nil {
			t.Fatal(err)
		}
		req := httptest.NewRequest(http.MethodGet, "http://localhost/", nil)
		if err := set.options.Authorize(req); err != nil || !strings.Contains(req.Header.Get("Authorization")+req.Header.Get("X-Key"), "s3cret") {
			t.Errorf("%v: header %v, %v", flags, req.Header, err)
		}
	}
}
