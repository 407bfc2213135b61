package registry_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp/registry"
)

func wayOf(t testing.TB, text string) registry.Way {
	t.Helper()
	s, err := registry.ParseServer([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Ways()[0]
}

func pkg(kind, id, version, more string) string {
	return fmt.Sprintf(`{"packages":[{"registryType":%q,"identifier":%q,"version":%q,"transport":{"type":"stdio"}%s}]}`, kind, id, version, more)
}

func remote(url, more string) string {
	return fmt.Sprintf(`{"remotes":[{"type":"streamable-http","url":%q%s}]}`, url, more)
}

func TestLaunch(t *testing.T) {
	for name, tt := range map[string]struct {
		server string
		values map[string]string
		want   string
	}{
		"npm":                {pkg("npm", "@a/b", "1.0.0", ""), nil, `npx ["-y","@a/b@1.0.0"] {}`},
		"npm, -y repeated":   {pkg("npm", "b", "1.0.0", `,"runtimeHint":"npx","runtimeArguments":[{"type":"positional","value":"-y"}]`), nil, `npx ["-y","b@1.0.0"] {}`},
		"another runtime":    {pkg("npm", "b", "1.0.0", `,"runtimeHint":"bunx"`), nil, `bunx ["b@1.0.0"] {}`},
		"pypi":               {pkg("pypi", "b", "1.0.0", `,"packageArguments":[{"type":"positional","value":"serve"}]`), nil, `uvx ["b@1.0.0","serve"] {}`},
		"nuget":              {pkg("nuget", "B.C", "1.0.0", `,"packageArguments":[{"type":"positional","value":"serve"}]`), nil, `dnx ["B.C@1.0.0","--yes","--","serve"] {}`},
		"go":                 {pkg("go", "github.com/a/b", "v1.0.0", ""), nil, `go ["run","github.com/a/b@v1.0.0"] {}`},
		"an image":           {pkg("oci", "docker.io/a/b:1", "", `,"environmentVariables":[{"name":"KEY"},{"name":"MODE","value":"x"}]`), map[string]string{"KEY": "k"}, `docker ["run","-i","--rm","-e","KEY","-e","MODE","docker.io/a/b:1"] {"KEY":"k","MODE":"x"}`},
		"a named argument":   {pkg("npm", "b", "1", `,"packageArguments":[{"type":"named","name":"--dir","isRequired":true}]`), map[string]string{"dir": "/tmp/a b"}, `npx ["-y","b@1","--dir","/tmp/a b"] {}`},
		"a flag":             {pkg("npm", "b", "1", `,"packageArguments":[{"type":"named","name":"--verbose"}]`), nil, `npx ["-y","b@1","--verbose"] {}`},
		"an optional one":    {pkg("npm", "b", "1", `,"packageArguments":[{"type":"named","name":"--dir","description":"a directory"}]`), nil, `npx ["-y","b@1"] {}`},
		"a default":          {pkg("npm", "b", "1", `,"environmentVariables":[{"name":"PORT","default":"80","format":"number"}]`), nil, `npx ["-y","b@1"] {"PORT":"80"}`},
		"variables in value": {pkg("oci", "a/b", "", `,"runtimeArguments":[{"type":"named","name":"--mount","value":"src={path},dst={other}","variables":{"path":{"isRequired":true,"format":"filepath"}}}]`), map[string]string{"path": "/data"}, `docker ["run","-i","--rm","--mount","src=/data,dst={other}","a/b"] {}`},
		"remote":             {remote("https://{region}.example.com/mcp", `,"variables":{"region":{"default":"eu","choices":["eu","us"]}},"headers":[{"name":"Authorization","value":"Bearer {token}","variables":{"token":{"isRequired":true,"isSecret":true}}}]`), map[string]string{"token": "t"}, `https://eu.example.com/mcp {"Authorization":"Bearer t"}`},
	} {
		t.Run(name, func(t *testing.T) {
			launcher := wayOf(t, tt.server)
			l, err := launcher.Launch(tt.values)
			if err != nil {
				t.Fatal(err)
			}
			encode := func(v any) string { b, _ := json.Marshal(v); return string(b) }
			got := l.Command + " " + encode(l.Args) + " " + encode(l.Env)
			if l.URL != "" {
				got = l.URL + " " + encode(l.Headers)
			}
			if got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestLaunch_Errors(t *testing.T) {
	for name, tt := range map[string]struct {
		server string
		values map[string]string
		want   string
	}{
		"a bundle":                 {pkg("mcpb", "https://github.com/a/b/mcp.mcpb", "", ""), nil, "cannot be started with a command"},
		"an option as a name":      {pkg("npm", "--registry=https://evil.example", "1", ""), nil, "could mistake"},
		"a name with a space":      {pkg("npm", "a b", "1", ""), nil, "could mistake"},
		"a version with a command": {pkg("npm", "a", "1;rm -rf /", ""), nil, "could mistake"},
		"a shell as runtime":       {pkg("npm", "a", "1", `,"runtimeHint":"sh"`), nil, `started with "sh"`},
		"a path as runtime":        {pkg("npm", "a", "1", `,"runtimeHint":"/tmp/npx"`), nil, "started with"},
		"a server over HTTP":       {`{"packages":[{"registryType":"npm","identifier":"a","transport":{"type":"sse","url":"http://localhost"}}]}`, nil, "start it yourself"},
		"a name of a variable":     {pkg("npm", "a", "1", `,"environmentVariables":[{"name":"A=B","value":"x"}]`), nil, "not the name of a variable"},
		"a name of a header":       {remote("https://example.com", `,"headers":[{"name":"A: B\r\nC","value":"x"}]`), nil, "not the name of a header"},
		"another scheme":           {remote("file:///etc/passwd", ""), nil, "not an http or https URL"},
		"a variable as scheme":     {remote("{scheme}://example.com", `,"variables":{"scheme":{"isRequired":true}}`), map[string]string{"scheme": "ftp"}, "not an http or https URL"},
		"a password in the URL":    {remote("https://user:password@example.com", ""), nil, "not an http or https URL"},
		"not one of the choices":   {remote("https://{r}.example.com", `,"variables":{"r":{"choices":["eu","us"]}}`), map[string]string{"r": "evil.example/"}, "must be one of eu, us"},
		"not a number":             {pkg("npm", "a", "1", `,"environmentVariables":[{"name":"PORT","format":"number"}]`), map[string]string{"PORT": "x"}, "must be a number"},
		"not true or false":        {pkg("npm", "a", "1", `,"environmentVariables":[{"name":"ON","format":"boolean"}]`), map[string]string{"ON": "1"}, "true or false"},
		"a line break":             {pkg("npm", "a", "1", `,"environmentVariables":[{"name":"A"}]`), map[string]string{"A": "x\ny"}, "line breaks"},
		"an unknown value":         {pkg("npm", "a", "1", ""), map[string]string{"A": "x"}, `no input "A"`},
	} {
		t.Run(name, func(t *testing.T) {
			if l, err := wayOf(t, tt.server).Launch(tt.values); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%+v, %v; want %q", l, err, tt.want)
			}
		})
	}
	var missing *registry.MissingError
	launcher := wayOf(t, pkg("npm", "a", "1", `,"environmentVariables":[{"name":"A","isRequired":true,"isSecret":true,"description":"d"},{"name":"B"}],"packageArguments":[{"type":"positional","valueHint":"dir","isRequired":true}]`))
	if _, err := launcher.Launch(nil); !errors.As(err, &missing) || len(missing.Inputs) != 2 || !missing.Inputs[0].Secret || missing.Inputs[1].Name != "dir" {
		t.Errorf("missing values: %v", err)
	}
	if inputs := launcher.Inputs(); len(inputs) != 3 || inputs[1].Name != "B" || inputs[1].Required {
		t.Errorf("inputs: %+v", inputs)
	}
}

func FuzzServer(f *testing.F) {
	f.Add([]byte(pkg("npm", "a", "1", `,"environmentVariables":[{"name":"A","value":"{b}","variables":{"b":{"default":"c"}}}]`)))
	f.Add([]byte(remote("https://{a}.example.com/{b}", `,"variables":{"a":{}}`)))
	f.Add([]byte(`{"packages":[{"registryType":"oci"}],"_meta":{"x":{}}}`))
	f.Fuzz(func(_ *testing.T, data []byte) {
		registry.Check(data)
		s, err := registry.ParseServer(data)
		if err != nil {
			return
		}
		for _, launcher := range s.Ways() {
			launcher.Inputs()
			_, _ = launcher.Launch(map[string]string{"a": "b"})
		}
	})
}
