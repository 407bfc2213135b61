package registry_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/mcp/registry"
)

// valid is a server.json that contains every kind of field.
const valid = `{
  "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  "name": "io.github.someone/weather",
  "title": "Weather",
  "description": "The weather of tomorrow.",
  "version": "1.2.0",
  "websiteUrl": "https://example.com/weather",
  "repository": {"url": "https://github.com/someone/weather", "source": "github", "subfolder": "src/server"},
  "icons": [{"src": "https://example.com/icon.png", "sizes": ["48x48", "any"]}],
  "packages": [
    {"registryType": "npm", "identifier": "@someone/weather", "version": "1.2.0", "transport": {"type": "stdio"},
     "packageArguments": [{"type": "named", "name": "--units", "default": "metric"}, {"type": "positional", "valueHint": "city"}],
     "environmentVariables": [{"name": "API_KEY", "isRequired": true, "isSecret": true}]},
    {"registryType": "pypi", "identifier": "weather", "version": "1.2.0", "transport": {"type": "streamable-http", "url": "http://127.0.0.1:{PORT}/mcp"},
     "environmentVariables": [{"name": "PORT", "default": "8080"}]},
    {"registryType": "oci", "identifier": "docker.io/someone/weather:1.2.0", "transport": {"type": "stdio"}},
    {"registryType": "mcpb", "identifier": "https://github.com/someone/weather/releases/download/v1/weather.mcpb", "fileSha256": "fe333e598595000ae021bd27117db32ec69af6987f507ba7a63c90638ff633ce", "transport": {"type": "stdio"}}
  ],
  "remotes": [{"type": "streamable-http", "url": "https://{region}.example.com/mcp", "variables": {"region": {"default": "eu"}}}],
  "_meta": {"io.modelcontextprotocol.registry/publisher-provided": {"tool": "make"}}
}`

func TestCheck(t *testing.T) {
	if problems := registry.Check([]byte(valid)); len(problems) > 0 {
		t.Fatalf("a valid file: %v", problems)
	}
	for name, tt := range map[string]struct{ old, new, want string }{
		"not JSON":                     {`{`, `[`, "not JSON that describes"},
		"another schema":               {"2025-12-11", "2025-07-09", "$schema: must be https://"},
		"a name without a namespace":   {"io.github.someone/weather", "weather", "name: "},
		"a name with two slashes":      {"io.github.someone/weather", "io.github.someone/a/b", "name: "},
		"a name that ends with a dot":  {"io.github.someone/weather", "io.github.someone/weather.", "name: must be a namespace"},
		"a long description":           {"The weather of tomorrow.", strings.Repeat("x", 101), "description: "},
		"no description":               {`"description": "The weather of tomorrow.",`, "", "description"},
		"a blank title":                {`"Weather"`, `"  "`, "title: must not be blank"},
		"the version latest":           {`"version": "1.2.0",` + "\n", `"version": "latest",` + "\n", "version: must be a version, and not latest"},
		"a range":                      {`"version": "1.2.0",` + "\n", `"version": "^1.2.0",` + "\n", "version: must be one version"},
		"a wildcard":                   {`"@someone/weather", "version": "1.2.0"`, `"@someone/weather", "version": "1.x"`, "packages[0].version: must be one version"},
		"a website without TLS":        {"https://example.com/weather", "http://example.com/weather", "websiteUrl: "},
		"a repository elsewhere":       {"https://github.com/someone/weather\"", "https://example.com/someone/weather\"", "repository.url: "},
		"a subfolder above":            {"src/server", "../server", "repository.subfolder: "},
		"an icon without TLS":          {"https://example.com/icon.png", "http://example.com/icon.png", "icons[0].src: "},
		"the size of an icon":          {`"48x48"`, `"48"`, "icons[0].sizes[0]: "},
		"no transport":                 {`"1.2.0", "transport": {"type": "stdio"},` + "\n", `"1.2.0",` + "\n", "transport"},
		"an unknown registry":          {`"registryType": "npm"`, `"registryType": "other"`, `packages[0].registryType: "other" is not supported`},
		"no version of a package":      {`"identifier": "weather", "version": "1.2.0"`, `"identifier": "weather"`, "packages[1].version: is required"},
		"a flag with a value":          {`"--units"`, `"--units <metric>"`, "packages[0].packageArguments[0].name: "},
		"a value with the flag":        {`"metric"`, `"--units=metric"`, "packages[0].packageArguments[0]: the value must not begin"},
		"an argument without a value":  {`"valueHint": "city"`, `"description": "city"`, "packages[0].packageArguments[1]"},
		"a variable that is unknown":   {"{PORT}", "{OTHER}", "packages[1].transport.url: the variable {OTHER} is not declared"},
		"a version of an image":        {`weather:1.2.0",`, `weather:1.2.0", "version": "1.2.0",`, "packages[2].version: must be omitted"},
		"no hash of a bundle":          {`"fileSha256": "fe333e598595000ae021bd27117db32ec69af6987f507ba7a63c90638ff633ce", `, "", "packages[3].fileSha256: is required"},
		"a short hash":                 {"fe333e", "", "packages[3].fileSha256"},
		"a bundle elsewhere":           {"https://github.com/someone/weather/releases", "https://example.com/weather/releases", "packages[3].identifier: must be the URL"},
		"a bundle without mcp":         {"weather.mcpb", "weather.zip", "packages[3].identifier: must contain mcp"},
		"a remote variable":            {"{region}", "{zone}", "remotes[0].url: the variable {zone} is not declared"},
		"a remote server on this host": {"https://{region}.example.com", "http://127.0.0.1", "remotes[0].url: must be an address"},
		"a remote server on localhost": {"https://{region}.example.com", "http://localhost:8080", "remotes[0].url: must be an address"},
		"an unknown transport":         {`"remotes": [{"type": "streamable-http"`, `"remotes": [{"type": "stdio"`, "remotes[0].type: "},
		"another key of _meta":         {`"_meta": {`, `"_meta": {"com.example/x": {}, `, `and not "com.example/x"`},
		"much in _meta":                {`"make"`, `"` + strings.Repeat("x", 5000) + `"`, "at most 4096 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(valid, tt.old, tt.new, 1)
			if text == valid {
				t.Fatal("the test changes nothing")
			}
			problems := fmt.Sprint(registry.Check([]byte(text)))
			if !strings.Contains(problems, tt.want) {
				t.Errorf("%s; want %q", problems, tt.want)
			}
		})
	}
}

func TestCheckOwnership(t *testing.T) {
	const name = "io.github.someone/weather"
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	for title, tt := range map[string]struct {
		kind, id string
		files    fstest.MapFS
		want     string // the expected problem, or empty
	}{
		"npm":                          {"npm", "w", fstest.MapFS{"package.json": file(`{"name":"w","version":"1.0.0","mcpName":"` + name + `"}`)}, ""},
		"npm in a workspace":           {"npm", "w", fstest.MapFS{"package.json": file(`{"name":"root"}`), "packages/w/package.json": file(`{"name":"w","mcpName":"` + name + `"}`)}, ""},
		"npm without the mark":         {"npm", "w", fstest.MapFS{"package.json": file(`{"name":"w"}`)}, `package.json has no "mcpName"`},
		"npm with another mark":        {"npm", "w", fstest.MapFS{"package.json": file(`{"name":"w","mcpName":"io.github.someone/other"}`)}, `it must be "io.github.someone/weather"`},
		"npm in another version":       {"npm", "w", fstest.MapFS{"package.json": file(`{"name":"w","version":"2.0.0","mcpName":"` + name + `"}`)}, `the version in package.json is "2.0.0"`},
		"npm, another package":         {"npm", "w", fstest.MapFS{"node_modules/w/package.json": file(`{"name":"w","mcpName":"` + name + `"}`)}, "no package.json has the name"},
		"npm, broken":                  {"npm", "w", fstest.MapFS{"package.json": file(`{`)}, "no package.json has the name"},
		"pypi in a comment":            {"pypi", "w", fstest.MapFS{"README.md": file("# W\n<!-- mcp-name: " + name + " -->")}, ""},
		"pypi without space":           {"pypi", "w", fstest.MapFS{"README.rst": file("<!-- mcp-name: " + name + "-->")}, ""},
		"pypi, a longer name":          {"pypi", "w", fstest.MapFS{"README.md": file("mcp-name: " + name + "-pro")}, "no README has"},
		"pypi, a longer name first":    {"pypi", "w", fstest.MapFS{"README.md": file("mcp-name: " + name + "-pro\nmcp-name: " + name + "\n")}, ""},
		"pypi, a full stop":            {"pypi", "w", fstest.MapFS{"README.md": file("mcp-name: " + name + ".")}, "no README has"},
		"pypi without README":          {"pypi", "w", fstest.MapFS{}, "no README has"},
		"nuget":                        {"nuget", "w", fstest.MapFS{"src/readme.md": file("mcp-name: " + name)}, ""},
		"cargo":                        {"cargo", "w", fstest.MapFS{"README.md": file("- `mcp-name: " + name + "`")}, ""},
		"cargo in a comment":           {"cargo", "w", fstest.MapFS{"README.md": file("<!-- mcp-name: " + name + " -->")}, "is in a comment"},
		"an image":                     {"oci", "docker.io/s/w:1", fstest.MapFS{"Dockerfile": file("FROM scratch\nLABEL io.modelcontextprotocol.server.name=\"" + name + "\"\n")}, ""},
		"an image, several labels":     {"oci", "docker.io/s/w:1", fstest.MapFS{"deploy/Containerfile": file("LABEL a=b \\\n  \"io.modelcontextprotocol.server.name\"=" + name + " \\\n c=d")}, ""},
		"an image with another label":  {"oci", "docker.io/s/w:1", fstest.MapFS{"Dockerfile": file("LABEL io.modelcontextprotocol.server.name=x/y")}, `is "x/y"`},
		"an image without a label":     {"oci", "docker.io/s/w:1", fstest.MapFS{"Dockerfile": file("FROM scratch")}, "no Dockerfile sets"},
		"a module":                     {"go", "github.com/Someone/weather", nil, ""},
		"a module of another owner":    {"go", "github.com/someone-else/weather", nil, "must be a module below"},
		"a bundle has no mark to find": {"mcpb", "https://github.com/s/w.mcpb", nil, ""},
	} {
		t.Run(title, func(t *testing.T) {
			server := &registry.Server{Name: name, Packages: []registry.Package{{RegistryType: tt.kind, Identifier: tt.id, Version: "1.0.0"}}}
			problems, err := registry.CheckOwnership(server, tt.files)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(problems); tt.want == "" && len(problems) > 0 || !strings.Contains(got, tt.want) {
				t.Errorf("%s; want %q", got, tt.want)
			}
		})
	}
}

func TestServer_RoundTrip(t *testing.T) {
	s, err := registry.ParseServer([]byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if problems := registry.Check(data); len(problems) > 0 {
		t.Errorf("a server that was decoded and encoded: %v", problems)
	}
}
