package main

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// TestDescribe_TypeParametersAreNotTypesOfTheirName checks that no type of the package is shown for
// a name that is a type parameter of a call within the type of a value.
func TestDescribe_TypeParametersAreNotTypesOfTheirName(t *testing.T) {
	t.Chdir(filetest.Dir(t, map[string]string{
		"package.json":                   `{"dependencies":{"flow":"1.0.0"}}`,
		"node_modules/flow/package.json": `{"name":"flow","version":"1.0.0","types":"./i.d.ts"}`,
		"node_modules/flow/i.d.ts": `export interface A { unrelated: 1 }
export interface Source<T> { related: T }
export declare const partition: { <A>(of: Source<A>): [passes: A[], fails: A[]]; <A>(of: Source<A>, limit: number): A[] };
`,
	}))
	got := docent("describe", "npm", "flow", "partition")
	if got.code != exitOK || !strings.Contains(got.out, "related: T") || strings.Contains(got.out, "unrelated") {
		t.Errorf("code %d: %s%s", got.code, got.out, got.err)
	}
}
