package openapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
	"github.com/docent-mcp/docent/mcp/openapi"
)

// pets serves the API in testdata/pets.yaml on loopback. Most responses contain the request that it
// received.
func pets(t *testing.T) *httptest.Server {
	t.Helper()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a redirect to another origin is followed")
	}))
	t.Cleanup(elsewhere.Close)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/v1/picture":
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write([]byte{0x89, 'P', 'N', 'G', 0xff, 0xfe})
			return
		case r.URL.Path == "/v1/elsewhere":
			http.Redirect(w, r, elsewhere.URL, http.StatusFound)
			return
		case r.URL.Path == "/v1/pets/none":
			http.Error(w, "there is no such pet", http.StatusNotFound)
			return
		case r.URL.Path == "/v1/pets/old" && r.URL.RawQuery == "":
			http.Redirect(w, r, "/v1/pets/new", http.StatusFound)
			return
		}
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		fmt.Fprintf(w, `{"method":%q, "uri":%q, "trace":%q, "authorization":%q, "type":%q, "body":%q}`,
			r.Method, r.RequestURI, r.Header.Get("X-Trace"), r.Header.Get("Authorization"), r.Header.Get("Content-Type"), body)
	}))
	t.Cleanup(web.Close)
	return web
}

func load(t *testing.T) *openapi.API {
	t.Helper()
	description, err := os.ReadFile("testdata/pets.yaml")
	if err != nil {
		t.Fatal(err)
	}
	api, err := openapi.Load(description)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// serve adds the tools of pets to a server and connects to it.
func serve(t *testing.T, o openapi.Options) (*openapi.Report, *mcp.Client) {
	t.Helper()
	o.BaseURL = pets(t).URL + "/v1/"
	s := mcp.NewServer(mcp.Implementation{Name: "pets", Version: "1"}, nil)
	report, err := load(t).AddTools(s, &o)
	if err != nil {
		t.Fatal(err)
	}
	return report, mcptest.Connect(t, s, nil)
}

func TestAddTools_OnlySafeOperationsByDefault(t *testing.T) {
	report, _ := serve(t, openapi.Options{})
	if want := []string{"elsewhere", "listPets", "pets_get_one", "picture"}; !equal(report.Added, want) {
		t.Errorf("added %q", report.Added)
	}
	if len(report.Skipped) != 1 || !strings.Contains(report.Skipped["GET /secret/{missing}"], "missing") {
		t.Errorf("skipped %q", report.Skipped)
	}
	report, _ = serve(t, openapi.Options{Unsafe: true})
	if want := []string{"addPet", "elsewhere", "listPets", "pets_get_one", "picture", "put_pets_id"}; !equal(report.Added, want) {
		t.Errorf("added %q", report.Added)
	}
	if len(report.Skipped) != 2 || !strings.Contains(report.Skipped["POST /upload"], "neither JSON") {
		t.Errorf("skipped %q", report.Skipped)
	}
	report, _ = serve(t, openapi.Options{
		Unsafe: true, Include: func(o openapi.Operation) bool { return o.Method == http.MethodDelete || o.Method == http.MethodPut },
		Name: func(openapi.Operation) string { return "same name" },
	})
	if want := []string{"same_name", "same_name_2"}; !equal(report.Added, want) {
		t.Errorf("added %q", report.Added)
	}
}

func TestOptions_Name(t *testing.T) {
	report, _ := serve(t, openapi.Options{Unsafe: true, Name: func(op openapi.Operation) string {
		if op.ID == "listPets" {
			return "find pets!"
		}
		return ""
	}})
	if want := []string{"addPet", "elsewhere", "find_pets", "pets_get_one", "picture", "put_pets_id"}; !equal(report.Added, want) {
		t.Errorf("added %q", report.Added)
	}
}

func TestAddTools_SkipsNamesThatAreTaken(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "pets", Version: "1"}, nil)
	mcp.Must(mcp.AddFunc(s, mcp.Tool{Name: "listPets"}, func(context.Context, struct{}) (string, error) { return "", nil }))
	report, err := load(t).AddTools(s, nil)
	if err != nil || slices.Contains(report.Added, "listPets") {
		t.Errorf("added %q, %v", report.Added, err)
	}
	if got, want := report.Skipped["GET /pets"], `the server has a tool "listPets" already; give this one another name with Options.Name`; got != want {
		t.Errorf("skipped because %s; want %s", got, want)
	}
}

func equal(got, want []string) bool {
	got = slices.Clone(got)
	slices.Sort(got)
	return slices.Equal(got, want)
}

func TestAddTools_Schemas(t *testing.T) {
	_, c := serve(t, openapi.Options{Unsafe: true})
	schemas := map[string]string{}
	for tool, err := range c.Tools(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		schemas[tool.Name] = string(tool.InputSchema)
		if a := tool.Annotations; a == nil || a.ReadOnly != !slices.Contains([]string{"addPet", "put_pets_id"}, tool.Name) {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
	}
	for tool, want := range map[string]string{
		"listPets": `{"additionalProperties":false,"properties":{
			"X-Trace":{"type":"string"},
			"filter":{"properties":{"age":{"type":"integer"},"name":{"type":"string"}},"type":"object"},
			"ids":{"items":{"type":"integer"},"type":"array"},
			"limit":{"description":"how many","exclusiveMinimum":0,"maximum":100,"type":"integer"},
			"tags":{"items":{"type":"string"},"type":"array"}},"type":"object"}`,
		"addPet": `{"$defs":{"Pet":{"properties":{
			"age":{"type":["integer","null"]},"kind":{"enum":["cat","dog",null],"type":["string","null"]},
			"name":{"description":"what it is called","type":"string"},"parent":{"$ref":"#/$defs/Pet"}},"required":["name"],"type":"object"}},
			"additionalProperties":false,"properties":{"body":{"$ref":"#/$defs/Pet"}},"required":["body"],"type":"object"}`,
	} {
		var got, expected any
		if json.Unmarshal([]byte(schemas[tool]), &got) != nil || json.Unmarshal([]byte(want), &expected) != nil {
			t.Fatal(schemas[tool])
		}
		if fmt.Sprint(got) != fmt.Sprint(expected) {
			t.Errorf("%s:\n got %s\nwant %s", tool, schemas[tool], want)
		}
	}
}

func TestCalls(t *testing.T) {
	_, c := serve(t, openapi.Options{Unsafe: true, Authorize: openapi.Bearer("secret")})
	for _, call := range []struct{ tool, args, want string }{
		{"listPets", `{"limit":5,"tags":["a b","c&d"],"ids":[1,2],"filter":{"name":"x","age":3},"X-Trace":"t"}`,
			`"uri":"/v1/pets?limit=5&tags=a+b&tags=c%26d&ids=1%7C2&filter%5Bage%5D=3&filter%5Bname%5D=x","trace":"t","authorization":"Bearer secret"`},
		{"pets_get_one", `{"id":"a/b ?#%"}`, `"uri":"/v1/pets/a%2Fb%20%3F%23%25"`},
		{"pets_get_one", `{"id":"old"}`, `"uri":"/v1/pets/new"`},
		{"addPet", `{"body":{"name":"Rex","age":null}}`, `"type":"application/json","body":"{\"name\":\"Rex\",\"age\":null}"`},
		{"put_pets_id", `{"id":7,"id_path":"x","body":{"name":"a b","tags":["c","d"]}}`,
			`"uri":"/v1/pets/x?id=7","trace":"","authorization":"Bearer secret","type":"application/x-www-form-urlencoded","body":"name=a+b&tags=c&tags=d"`},
		{"picture", `{}`, `The response is binary (image/png) and is not shown.`},
	} {
		text, err := mcp.CallTool[string](t.Context(), c, call.tool, json.RawMessage(call.args), nil)
		if err != nil || !strings.Contains(text, call.want) {
			t.Errorf("%s %s:\n got %s, %v\nwant %s", call.tool, call.args, text, err, call.want)
		}
	}
	for _, call := range []struct{ tool, args, want string }{
		{"pets_get_one", `{"id":".."}`, "dot segment"},
		{"pets_get_one", `{"id":""}`, "empty"},
		{"pets_get_one", `{"id":"none"}`, "HTTP 404 Not Found\nthere is no such pet"},
		{"elsewhere", `{}`, "another address, which is not followed"},
		{"listPets", `{"limit":0}`, "limit"},
		{"listPets", `{"api_key":"mine"}`, "api_key"},
		{"listPets", `{"X-Trace":"a\r\nb: c"}`, "control characters"},
	} {
		_, err := mcp.CallTool[string](t.Context(), c, call.tool, json.RawMessage(call.args), nil)
		if failed, ok := errors.AsType[*mcp.ToolError](err); !ok || !strings.Contains(failed.Error(), call.want) {
			t.Errorf("%s %s: %v; want %s", call.tool, call.args, err, call.want)
		}
	}
}

// TestCalls_Styles sends the values in the table "Style Examples" of OpenAPI 3.1, and others that
// contain separators.
func TestCalls_Styles(t *testing.T) {
	const list, object = `["blue","black","brown"]`, `{"R":100,"G":200,"B":150}` // members are sent in the order of their names
	type row struct{ in, style, value, want string }
	rows := []row{
		{"path", "style: simple, explode: false", `"blue"`, "/v1/blue"},
		{"path", "style: simple, explode: false", list, "/v1/blue,black,brown"},
		{"path", "style: simple, explode: true", list, "/v1/blue,black,brown"},
		{"path", "style: simple, explode: false", object, "/v1/B,150,G,200,R,100"},
		{"path", "style: simple, explode: true", object, "/v1/B=150,G=200,R=100"},
		{"header", "style: simple, explode: false", list, "blue,black,brown"},
		{"header", "style: simple, explode: true", object, "B=150,G=200,R=100"},
		{"query", "style: form, explode: false", `""`, "/v1?color="},
		{"query", "style: form, explode: false", `"blue"`, "/v1?color=blue"},
		{"query", "style: form, explode: false", list, "/v1?color=blue,black,brown"},
		{"query", "style: form, explode: false", object, "/v1?color=B,150,G,200,R,100"},
		{"query", "style: form, explode: true", list, "/v1?color=blue&color=black&color=brown"},
		{"query", "style: form, explode: true", object, "/v1?B=150&G=200&R=100"},
		{"query", "style: spaceDelimited, explode: false", list, "/v1?color=blue%20black%20brown"},
		{"query", "style: spaceDelimited, explode: false", object, "/v1?color=B%20150%20G%20200%20R%20100"},
		{"query", "style: pipeDelimited, explode: false", list, "/v1?color=blue%7Cblack%7Cbrown"},
		{"query", "style: pipeDelimited, explode: false", object, "/v1?color=B%7C150%7CG%7C200%7CR%7C100"},
		{"query", "style: deepObject, explode: true", object, "/v1?color%5BB%5D=150&color%5BG%5D=200&color%5BR%5D=100"},
		// elements that contain separators
		{"query", "explode: false", `["a","b,c"]`, "/v1?color=a,b%2Cc"},
		{"query", "explode: false", `["a b","c&d=e"]`, "/v1?color=a+b,c%26d%3De"},
		{"query", "style: pipeDelimited, explode: false", `["a,b","c d"]`, "/v1?color=a%2Cb%7Cc+d"},
		{"query", "style: spaceDelimited, explode: false", `["a,b","c|d"]`, "/v1?color=a%2Cb%20c%7Cd"},
		{"path", "style: simple", `["a/b","c,d"]`, "/v1/a%2Fb,c%2Cd"},
		{"path", "explode: true", `{"a=b":"c,d=e"}`, "/v1/a%3Db=c%2Cd%3De"},
		{"path", "style: simple", `["..","."]`, "/v1/..,."},
		// values that the style cannot represent
		{"query", "style: pipeDelimited, explode: false", `["a","b|c"]`, `error: argument "color": "b|c" contains "|"`},
		{"query", "style: spaceDelimited, explode: false", `["a","b c"]`, `error: argument "color": "b c" contains " "`},
		{"path", "style: simple", `[".."]`, "error: the arguments make the path"},
		{"path", "style: simple", `[""]`, "error: argument \"color\": a part of a path cannot be empty"},
	}
	for _, row := range rows {
		path := map[string]string{"path": "/{color}"}[row.in]
		got := ""
		web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = r.RequestURI
			if row.in == "header" {
				got = r.Header.Get("color")
			}
		}))
		api, err := openapi.Load([]byte("{openapi: 3.1.0, info: {title: a, version: '1'}, paths: {'/v1" + path + "': {get: {operationId: get, parameters: [{name: color, in: " + row.in + ", required: true, " + row.style + ", schema: {}}], responses: {}}}}}"))
		if err != nil {
			t.Fatal(err)
		}
		s := mcp.NewServer(mcp.Implementation{Name: "colors", Version: "1"}, nil)
		if _, err := api.AddTools(s, &openapi.Options{BaseURL: web.URL}); err != nil {
			t.Fatal(err)
		}
		_, err = mcp.CallTool[string](t.Context(), mcptest.Connect(t, s, nil), "get", json.RawMessage(`{"color":`+row.value+`}`), nil)
		web.Close()
		if reason, fails := strings.CutPrefix(row.want, "error: "); fails {
			if err == nil || !strings.Contains(err.Error(), reason) {
				t.Errorf("%s, %s, %s: got %q, %v; want the error %s", row.in, row.style, row.value, got, err, reason)
			}
		} else if err != nil || got != row.want {
			t.Errorf("%s, %s, %s: got %q, %v; want %q", row.in, row.style, row.value, got, err, row.want)
		}
	}
}

func TestOptions_Authorize(t *testing.T) {
	for want, authorize := range map[string]func(*http.Request) error{
		`"uri":"/v1/pets?tags=a&api_key=k%26"`: openapi.APIKey("query", "api_key", "k&"),
		`"authorization":"Basic YTpi"`:         openapi.Basic("a", "b"),
		`"authorization":"k"`:                  openapi.APIKey("header", "Authorization", "k"),
	} {
		_, c := serve(t, openapi.Options{Authorize: authorize})
		text, err := mcp.CallTool[string](t.Context(), c, "listPets", json.RawMessage(`{"tags":["a"]}`), nil)
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: got %s, %v", want, text, err)
		}
	}
	_, c := serve(t, openapi.Options{Authorize: func(*http.Request) error { return errors.New("no key for you") }})
	if _, err := mcp.CallTool[string](t.Context(), c, "listPets", nil, nil); err == nil || !strings.Contains(err.Error(), "no key for you") {
		t.Errorf("error %v", err)
	}
	s := mcp.NewServer(mcp.Implementation{Name: "pets", Version: "1"}, nil)
	if _, err := load(t).AddTools(s, &openapi.Options{Authorize: openapi.Bearer("x")}); err == nil || !strings.Contains(err.Error(), "BaseURL") {
		t.Errorf("credentials go where the description says: %v", err)
	}
	if report, err := load(t).AddTools(s, nil); err != nil || len(report.Added) == 0 {
		t.Errorf("with the address of the description: %v", err)
	}
}

// TestCredentials_AreNotSentIfWrong uses credentials that are empty or not allowed in a request.
// Each call must fail before the request is sent, and the error must not contain the credentials.
func TestCredentials_AreNotSentIfWrong(t *testing.T) {
	for name, test := range map[string]struct {
		authorize func(*http.Request) error
		want      string
	}{
		"no token":                  {openapi.Bearer(""), "the bearer token is empty"},
		"a line":                    {openapi.Bearer("s3cret\n"), "the bearer token contains a line break"},
		"a header in a token":       {openapi.Bearer("s3cret\r\nX-Admin: yes"), "the bearer token contains a line break"},
		"a space":                   {openapi.Bearer(" s3cret"), "the bearer token begins or ends with a space"},
		"a space inside":            {openapi.Bearer("Bearer s3cret"), "the bearer token contains a space"},
		"no key":                    {openapi.APIKey("header", "X-Key", ""), "the API key is empty"},
		"no key for the query":      {openapi.APIKey("query", "key", ""), "the API key is empty"},
		"no key for the cookie":     {openapi.APIKey("cookie", "key", ""), "the API key is empty"},
		"a line as a key":           {openapi.APIKey("query", "key", "s3cret\n"), "the API key contains a line break"},
		"a key no cookie can be":    {openapi.APIKey("cookie", "key", "s3cret;a=b"), "a character that a cookie cannot contain"},
		"no name":                   {openapi.APIKey("query", "", "s3cret"), `in the query under the name ""`},
		"a name no header has":      {openapi.APIKey("header", "X Key", "s3cret"), `in the header under the name "X Key"`},
		"a name no cookie has":      {openapi.APIKey("cookie", "a;b", "s3cret"), `in the cookie under the name "a;b"`},
		"another place":             {openapi.APIKey("body", "key", "s3cret"), `not in "body"`},
		"neither name nor password": {openapi.Basic("", ""), "name and password are empty"},
		"a colon in the name":       {openapi.Basic("a:b", "s3cret"), "name contains a colon"},
		"a line as a name":          {openapi.Basic("a\n", "s3cret"), "name contains a line break"},
		"a line as a password":      {openapi.Basic("a", "s3cret\n"), "password contains a line break"},
	} {
		sent := false
		_, c := serve(t, openapi.Options{Authorize: test.authorize, HTTPClient: &http.Client{Transport: transport(func(*http.Request) (*http.Response, error) {
			sent = true
			return nil, errors.New("sent")
		})}})
		_, err := mcp.CallTool[string](t.Context(), c, "listPets", nil, nil)
		if err == nil || sent || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: sent %v, error %v; want %s", name, sent, err, test.want)
		}
	}
	// These credentials are valid.
	for _, authorize := range []func(*http.Request) error{
		openapi.Bearer("1|abc/+~.-_:=="), openapi.Basic("key", ""), openapi.Basic("", "key"), openapi.APIKey("header", "Authorization", "Token a b"),
		openapi.APIKey("cookie", "session", "abc"),
	} {
		if err := authorize(httptest.NewRequest(http.MethodGet, "/", nil)); err != nil {
			t.Error(err)
		}
	}
	// A key replaces any value that the model sends with the key's name. The rest of the request is
	// not changed.
	req := httptest.NewRequest(http.MethodGet, "/?a=1,2%2C3&key=mine&ke%79=mine&b=%7C", nil)
	if err := openapi.APIKey("query", "key", "k")(req); err != nil || req.URL.RawQuery != "a=1,2%2C3&b=%7C&key=k" {
		t.Errorf("query %s, %v", req.URL.RawQuery, err)
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func TestOptions_BaseURL(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "pets", Version: "1"}, nil)
	for address, want := range map[string]string{
		"https://ada:s3cret@example.com/v1":   "openapi: Options.BaseURL contains user information",
		"https://ada@example.com/v1":          "openapi: Options.BaseURL contains user information",
		"https://example.com/v1?key=s3cret":   "openapi: Options.BaseURL contains a query",
		"https://example.com/v1#s3cret":       "openapi: Options.BaseURL contains a fragment",
		"https://ada:s3cret/x@example.com/v1": "openapi: Options.BaseURL is not a URL",
		"ada:s3cret@example.com/v1":           "openapi: Options.BaseURL is not an absolute URL",
		"example.com/v1":                      "openapi: Options.BaseURL is not an absolute URL",
		"ftp://example.com/v1":                "openapi: Options.BaseURL is not an absolute URL",
	} {
		_, err := load(t).AddTools(s, &openapi.Options{BaseURL: address})
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "ada") {
			t.Errorf("%s: error %v; want %s", address, err, want)
		}
	}
	for servers, want := range map[string]string{
		`[]`:                                 "openapi: the first server of the description is missing",
		`[{"url": "https://a:b@localhost"}]`: "openapi: the first server of the description contains user information",
	} {
		api, err := openapi.Load([]byte(`{"openapi": "3.1.0", "info": {"title": "a", "version": "1"}, "paths": {}, "servers": ` + servers + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := api.AddTools(s, nil); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "set Options.BaseURL") {
			t.Errorf("%s: error %v; want %s", servers, err, want)
		}
	}
}

func TestOptions_Limits(t *testing.T) {
	_, c := serve(t, openapi.Options{MaxResponseBytes: 20})
	text, err := mcp.CallTool[string](t.Context(), c, "listPets", nil, nil)
	if err != nil || !strings.HasPrefix(text, `{"method":"GET", "ur`+"\n\n[The response is longer; only the first 20 bytes") {
		t.Errorf("got %s, %v", text, err)
	}
	_, c = serve(t, openapi.Options{MaxResponseBytes: 20, Shape: func(_ openapi.Operation, body json.RawMessage) (json.RawMessage, error) {
		var v struct{ Method string }
		err := json.Unmarshal(body, &v)
		return json.RawMessage(`{ "m": "` + v.Method + `" }`), err
	}})
	if text, err := mcp.CallTool[string](t.Context(), c, "listPets", nil, nil); err != nil || text != `{"m":"GET"}` {
		t.Errorf("got %s, %v", text, err)
	}
	_, c = serve(t, openapi.Options{MaxResponseBytes: 5})
	text, err = mcp.CallTool[string](t.Context(), c, "picture", nil, nil)
	if err != nil || text != "The response is binary (image/png) and is not shown." {
		t.Errorf("got %s, %v", text, err)
	}
	_, err = mcp.CallTool[string](t.Context(), c, "pets_get_one", json.RawMessage(`{"id":"none"}`), nil)
	if err == nil || !strings.Contains(err.Error(), "HTTP 404 Not Found\nthere\n\n[The response is longer; only the first 5 bytes are shown.") {
		t.Errorf("error %v", err)
	}
	s := mcp.NewServer(mcp.Implementation{Name: "pets", Version: "1"}, nil)
	if _, err := load(t).AddTools(s, &openapi.Options{MaxTools: 2}); err == nil || !strings.Contains(err.Error(), "MaxTools") {
		t.Errorf("error %v", err)
	}
	// If a schema is too large, first the descriptions and then the details of the body are
	// removed.
	for max, want := range map[int]string{340: `"$ref":"#/$defs/Pet"`, 150: `"body":{}`, 20: ""} {
		s := mcp.NewServer(mcp.Implementation{Name: "pets", Version: "1"}, nil)
		_, err := load(t).AddTools(s, &openapi.Options{Unsafe: true, MaxSchemaBytes: max, Include: func(o openapi.Operation) bool { return o.ID == "addPet" }})
		if want == "" {
			if err == nil {
				t.Error("a schema of any size fits")
			}
			continue
		}
		if err != nil {
			t.Errorf("%d bytes: %v", max, err)
			continue
		}
		for tool := range mcptest.Connect(t, s, nil).Tools(context.Background()) {
			if schema := string(tool.InputSchema); len(schema) > max || !strings.Contains(schema, want) || strings.Contains(schema, "what it is called") {
				t.Errorf("%d bytes: %s", max, schema)
			}
		}
	}
}

func TestOptions_ShapeOfLargeResponse(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"secret":1,"long":"`+strings.Repeat("a", 16<<20)+`"}`)
	}))
	t.Cleanup(web.Close)
	s := mcp.NewServer(mcp.Implementation{Name: "pets", Version: "1"}, nil)
	_, err := load(t).AddTools(s, &openapi.Options{BaseURL: web.URL, Shape: func(openapi.Operation, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`{}`), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := mcp.CallTool[string](t.Context(), mcptest.Connect(t, s, nil), "listPets", nil, nil)
	if err == nil || !strings.Contains(err.Error(), "larger than 16777216 bytes") || strings.Contains(text+err.Error(), "secret") {
		t.Errorf("got %.100s, %v; want an error", text, err)
	}
}

func TestOptions_Timeout(t *testing.T) {
	t.Parallel() // run in parallel, because the test waits for timeouts
	for _, test := range []struct {
		half    bool // whether the server sends the beginning of a response
		timeout time.Duration
		want    string
	}{
		{false, 20 * time.Millisecond, "GET /pets: no response within 20ms"},
		{true, time.Second, "GET /pets: reading the response: it did not end within 1s"},
	} {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if test.half {
				_ = http.NewResponseController(w).Flush()
			}
			<-r.Context().Done()
		}))
		t.Cleanup(web.Close)
		s := mcp.NewServer(mcp.Implementation{Name: "pets", Version: "1"}, nil)
		if _, err := load(t).AddTools(s, &openapi.Options{BaseURL: web.URL, Timeout: test.timeout}); err != nil {
			t.Fatal(err)
		}
		_, err := mcp.CallTool[string](t.Context(), mcptest.Connect(t, s, nil), "listPets", nil, nil)
		if err == nil || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("error %v; want %s", err, test.want)
		}
	}
}

func TestLoad_RefusesWhatItCannotRead(t *testing.T) {
	for name, description := range map[string]string{
		"empty":                 "",
		"no description":        "a: b",
		"another version":       `{"openapi":"4.0.0","info":{"title":"a","version":"1"},"paths":{}}`,
		"of Swagger":            `{"swagger":"2.0","info":{"title":"a","version":"1"},"paths":{}}`,
		"refers to a file":      `{"openapi":"3.0.0","info":{"title":"a","version":"1"},"paths":{"/a":{"$ref":"other.yaml"}}}`,
		"refers to another one": `{"openapi":"3.0.0","info":{"title":"a","version":"1"},"paths":{"/a":{"get":{"parameters":[{"$ref":"http://127.0.0.1:1/a.json#/b"}],"responses":{}}}}}`,
	} {
		if _, err := openapi.Load([]byte(description)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestLoad_BoundsAliases loads a description whose aliases would expand to billions of values.
func TestLoad_BoundsAliases(t *testing.T) {
	var b strings.Builder
	b.WriteString("openapi: 3.0.0\ninfo: {title: a, version: '1'}\nx-0: &a0 [a, a, a, a, a, a, a, a, a]\n")
	for i := range 12 {
		fmt.Fprintf(&b, "x-%d: &a%[1]d [%s]\n", i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9))
	}
	b.WriteString("paths: {}\n")
	if _, err := openapi.Load([]byte(b.String())); err == nil {
		t.Error("the aliases are expanded")
	}
}
