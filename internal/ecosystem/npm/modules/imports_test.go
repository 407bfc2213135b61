package modules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

func TestImports_ReferencesToOtherPackages(t *testing.T) {
	p := newWorld(map[string]string{
		"index.d.ts": `import { Agent, Pool as AgentPool } from "dep/http";
import Client, * as ns from "dep";
import type { Reexported } from "./far";
import { Unlisted } from "./inner";
import { Event } from "dep";
import legacy = require("dep/legacy");
import { Box as Box$2 } from "dep";
import { Request } from "./far";
export * from "./far";
export declare function f(a: Agent, b: AgentPool[], c: Client): ns.deep.Thing;
export declare function g(a: Event, b: Reexported, c: legacy.Old, d: import("dep").Odd, e: typeof ns.value, u: Unlisted): Promise<Own>;
export interface Own extends Agent { own: Own; Request: Request }
export declare const h: Box$2;
import * as inner from "./far";
export { inner };
export declare function m(x: inner.Request): Nested;
import { Nested } from "./nested";
export * as space from "./nested";`,
		"nested.d.ts":    "export interface Nested { n: Nested }",
		"far.d.ts":       "import { Inner } from 'dep/inner';\nexport { Inner as Reexported };\nexport interface Request { far: 1 }\nexport declare function k(e: Event, a: Agent): void;\nimport { Other as Agent } from 'dep';\nexport declare function l<Agent>(x: Agent): ReturnType<typeof k>;\n",
		"inner.d.ts":     "export { Unlisted } from 'dep/inner';",
		"dep:index.d.ts": "",
	}).read(t)
	p.Style.Syntax = Syntax{}
	r := naming.NewResolver(p)
	var got strings.Builder
	for _, path := range []string{"f", "g", "Own", "Own.Request", "h", "k", "l", "m", "space.Nested.n"} {
		d := r.Decl(p.At(path))
		for i := range d.References(-1) {
			if d.Parts[i].Flags&(apidoc.Builtin|apidoc.Local) != 0 {
				continue
			}
			fmt.Fprintf(&got, "%s: %s", path, d.PartText(i))
			if to := d.Parts[i].Target; to != nil {
				fmt.Fprintf(&got, " = %s", strings.TrimSpace(to.Package+" "+to.Path))
			}
			got.WriteByte('\n')
		}
	}
	want := `f: Agent = dep/http Agent
f: AgentPool = dep/http Pool
f: Client = dep default
f: ns.deep.Thing = dep deep.Thing
g: Event = dep Event
g: Reexported = Reexported
g: legacy.Old = dep/legacy Old
g: import("dep").Odd = dep Odd
g: ns.value = dep value
g: Unlisted = dep/inner Unlisted
g: Own = Own
Own: Agent = dep/http Agent
Own.Request: Request = Request
h: Box = dep Box
k: Agent = dep Other
l: k = k
m: inner.Request = Request
m: Nested = space.Nested
space.Nested.n: Nested = space.Nested
`
	if got.String() != want {
		t.Errorf("the references are\n%swant\n%s\nimports %v", got.String(), want, p.Imports)
	}
}
