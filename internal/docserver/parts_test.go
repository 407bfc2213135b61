package docserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/store"
)

// TestParts uses a package that is too large to be read at once: each of its exports can
// be requested and searched.
func TestParts(t *testing.T) {
	long := "/* " + strings.Repeat("generated ", 4000) + "*/\n"
	dir := filetest.Dir(t, map[string]string{
		"package.json":                      `{"name":"app","dependencies":{"clients":"^1.0.0"}}`,
		"node_modules/clients/package.json": `{"name":"clients","version":"1.2.0","types":"index.d.ts"}`,
		"node_modules/clients/index.d.ts": `export { clients, Clients } from './clients';
export { drive_v3 } from './drive';
export { mail_v1 } from './mail';
export * as shapes from './shapes';
export { video_v1 } from './video';
`,
		"node_modules/clients/clients.d.ts": "import { drive_v3 } from './drive';\nexport declare class Clients {\n  drive(options: Options): drive_v3.Drive;\n}\ninterface Options { key: string }\nexport declare const clients: Clients;\n",
		"node_modules/clients/drive.d.ts":   long + "export declare namespace drive_v3 {\n  /** Keeps files. */\n  class Drive { files: Files }\n  class Files {\n    /** Lists the files of a user. */\n    list(folder: string): string[]\n  }\n}\n",
		"node_modules/clients/mail.d.ts":    long + "export declare namespace mail_v1 {\n  class Mail { send(to: string): void }\n}\n",
		"node_modules/clients/shapes.d.ts":  "export interface Point { x: number; y: number }\n",
		"node_modules/clients/video.d.ts":   "export declare namespace video_v1 {}\n",
	})
	// The file has no blocks on the disk.
	if err := os.Truncate(filepath.Join(dir, "node_modules/clients/video.d.ts"), 70<<20); err != nil {
		t.Fatal(err)
	}
	language := npm.New(ecosystem.Options{Offline: true, Env: []string{"HOME=" + t.TempDir()}})
	cache := store.New(ecosystem.Languages{language}, store.Options{})
	s := &server{lookup: lookup.New(cache), store: cache, dir: t.TempDir()}
	about := func(symbol string) describeInput {
		return describeInput{Package: "clients", Symbol: symbol, ProjectPath: dir}
	}
	expectAnswers(t, s.describe(language.Info()), []toolCase[describeInput]{
		{"the package", about(""), "so this overview lists only the names of 4 exports. To get the declarations of one of them, request it as a symbol or as a package, such as clients/drive_v3.", false},
		{"a small file", about("Clients"), "drive(options: Options): drive_v3.Drive", false},
		{"an export", about("drive_v3"), "class Drive", false},
		{"a member", about("drive_v3.Files.list"), "list(folder: string): string[]", false},
		{"a pattern", about("mail_v1.*"), "send(to: string): void", false},
		{"an export with a module's members", about("shapes.Point"), "x: number", false},
		{"an export as a package", describeInput{Package: "clients/drive_v3", ProjectPath: dir}, "# drive_v3 (namespace) in clients@1.2.0", false},
		{"several", about("drive_v3.Drive, mail_v1.Mail"), "# clients@1.2.0\n", false},
		{"a missing member", about("drive_v3.Filez"), "the nearest are drive_v3.Files", true},
		{"a missing export", about("drive_v9"), "the nearest are drive_v3", true},
		{"a missing export as a package", describeInput{Package: "clients/drive_v9", ProjectPath: dir}, `has no entry point "./drive_v9"`, true},
		{"an export whose file is too large", about("video_v1"), "video_v1", true},
	})
	search := func(in, query string) searchInput {
		return searchInput{Language: "npm", Package: in, Query: query, ProjectPath: dir}
	}
	expectAnswers(t, s.search, []toolCase[searchInput]{
		{"all", search("clients", "drive list files"), "**drive_v3.Files.list**", false},
		{"what was left out", search("clients", "drive list files"), "Not searched: the declarations in 3 exports of clients", false},
		{"one part", search("clients/mail_v1", "send"), "**mail_v1.Mail.send**", false},
	})
}
