package modules

import (
	"strings"
	"testing"
)

// largeClients are the files of a package that re-exports clients which are too large to be read at once.
func largeClients(exports string) map[string]string {
	comment := "/* " + strings.Repeat("x", maxWhole/2) + " */\n"
	return map[string]string{
		"package.json":       `{"name": "pkg", "types": "index.d.ts"}`,
		"index.d.ts":         "import { Options } from './lib/options';\n" + exports,
		"lib/options.d.ts":   "export interface Options { region: string }\n",
		"clients/all.d.ts":   "export import Big = require('./big');\nexport import Huge = require('./huge');\nexport import Small = require('./small');\n",
		"clients/big.d.ts":   comment + "import { Options } from '../lib/options';\ndeclare class Big { constructor(o: Options); /** Gets it. */ get(): string }\ndeclare namespace Big { type Input = string }\nexport = Big;\n",
		"clients/huge.d.ts":  comment + "declare class Huge {}\nexport = Huge;\n",
		"clients/small.d.ts": "declare class Small { put(): void }\nexport = Small;\n",
	}
}

func TestLarge_StarOfClients(t *testing.T) {
	w := newWorld(largeClients("export * from './clients/all';\nexport declare const options: Options;\n"))
	doc := w.read(t)
	if got := strings.Join(doc.Unread, " "); got != "Big Huge" {
		t.Errorf("these exports are not read: %q", got)
	}
	if s := doc.At("Big"); s == nil || s.Signature != `export import Big = require("./big")` {
		t.Errorf("Big is %+v", s)
	}
	if doc.At("Small.put") == nil || doc.At("options") == nil {
		t.Error("small declarations are missing")
	}
	part, err := w.reader(t).Read("./Big")
	if err != nil {
		t.Fatal(err)
	}
	if s := part.At("Big.get"); part.Part != "Big" || s == nil || s.Doc != "Gets it." || part.At("Big.Input") == nil {
		t.Errorf("the part is %+v", part)
	}
}

// TestLarge_Imports checks that a package is read as a whole if it only imports large files.
func TestLarge_Imports(t *testing.T) {
	doc := newWorld(largeClients("import * as clients from './clients/all';\nexport * from './lib/options';\nexport declare const big: clients.Big;\n")).read(t)
	if len(doc.Unread) > 0 || doc.At("big.get") == nil {
		t.Errorf("%q are not read, and big is %+v", doc.Unread, doc.At("big"))
	}
}
