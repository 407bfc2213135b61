package lookup

import (
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/store"
)

func TestStandingOfOtherPackages(t *testing.T) {
	for _, test := range []struct {
		name, request, other, module string
		entryPoints                  bool
		query                        string
		want                         float64
	}{
		{"another package of the module", "example.com/fire", "example.com/fire/auth", "example.com/fire", false, "open", otherPackage},
		{"another entry point", "fire", "fire/auth", "fire", true, "open", entryPoint},
		{"the next major version", "example.com/fire", "example.com/fire/v2", "example.com", false, "open", nextMajor},
		{"an older version below", "example.com/fire", "example.com/fire/v1", "example.com/fire", false, "open", otherPackage * supporting},
		{"an older version", "fire", "fire.v1.types", "fire", true, "open", entryPoint * supporting},
		{"the older version, asked for", "fire.v1", "fire.v1.types", "fire", true, "open", entryPoint},
		{"helpers of tests", "fire", "fire.testing", "fire", true, "invoke", entryPoint * supporting},
		{"helpers of tests, where the query says so", "fire", "fire.testing", "fire", true, "Test invocation", entryPoint},
		{"a module of helpers of tests", "fire/Fire", "fire/FireTestKit", "fire", true, "open", entryPoint * supporting},
		{"a module of helpers of tests, where the query says so", "fire/Fire", "fire/FireTestKit", "fire", true, "test that it opens", entryPoint},
		{"a module of a package for tests", "fire/FireTesting", "fire/InlineFireTesting", "fire", true, "open", entryPoint},
		{"a vendored package", "fire", "fire.externals.smoke", "fire", true, "open", entryPoint * supporting},
		{"a private module", "fire", "fire._impl", "fire", true, "open", entryPoint * supporting},
		{"the major version of the module is none of a package", "example.com/fire/v5", "example.com/fire/v5/auth", "example.com/fire/v5", false, "open", otherPackage},
	} {
		t.Run(test.name, func(t *testing.T) {
			request, other := &apidoc.Package{Name: test.request, Module: test.module}, &apidoc.Package{Name: test.other}
			if got := standing(request, other, test.entryPoints, test.query); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestTheSameQuestionHasTheSameAnswer(t *testing.T) {
	const query = "sign out of everything; open and save; sta"
	ask := func(l *Lookup) string {
		a, _, err := l.Search(t.Context(), Search{Package: Package{Language: "go", Name: "example.com/fire"}, Query: query, Fuzzy: true})
		if err != nil {
			t.Fatal(err)
		}
		return a.Text
	}
	var want string
	for i := range 20 {
		packages := map[string]*apidoc.Package{}
		for _, p := range []*apidoc.Package{
			pkg("example.com/fire", "example.com/fire", []string{"example.com/fire/auth", "example.com/fire/store", "example.com/fire/web"}, "Start", "SignOut", "Sign", "Out"),
			pkg("example.com/fire/auth", "example.com/fire", nil, "SignOutAll", "SignAll", "OpenAll", "SaveAll"),
			pkg("example.com/fire/store", "example.com/fire", nil, "SignOutAll2", "SignAll2", "OpenAll2", "SaveAll2"),
			pkg("example.com/fire/web", "example.com/fire", nil, "SignOutAll3", "SignAll3", "OpenAll3", "SaveAll3"),
		} {
			packages[p.Name] = p
		}
		l := New(store.New(ecosystem.Languages{&shelves{id: "go", packages: packages}}, store.Options{}))
		cold, warm := ask(l), ask(l)
		if i == 0 {
			want = cold
		}
		if cold != want || warm != want {
			t.Fatalf("answers differ:\n%s\n%s\n%s", want, cold, warm)
		}
	}
}
