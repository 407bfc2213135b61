package npmlock

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// pnpmOf returns the pnpm lock file of a project with n packages.
func pnpmOf(n int) []byte {
	var b strings.Builder
	b.WriteString("lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      pkg1:\n        specifier: ^1.0.0\n        version: 1.0.1\n\npackages:\n")
	for i := range n {
		fmt.Fprintf(&b, "\n  pkg%d@1.0.%d:\n    resolution: {integrity: sha512-3%019d==}\n", i, i%10, i)
	}
	return []byte(b.String())
}

// berryOf returns the berry lock file of a project with n packages.
func berryOf(n int) []byte {
	var b strings.Builder
	b.WriteString("__metadata:\n  version: 8\n")
	for i := range n {
		fmt.Fprintf(&b, "\n\"pkg%d@npm:^1.0.0\":\n  version: 1.0.%d\n  resolution: \"pkg%d@npm:1.0.%d\"\n", i, i%10, i, i%10)
	}
	return []byte(b.String())
}

// numbered repeats a format with increasing numbers until the text is a megabyte long.
func numbered(head, format string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; b.Len() < mega; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// allocated returns the number of bytes that a call allocates.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

const mega = 1 << 20

// hostile returns one-megabyte files that are slow to parse as YAML.
func hostile() map[string]string {
	repeat := func(s string) string { return strings.Repeat(s, mega/len(s)) }
	return map[string]string{
		"one key many times":         repeat("a: 1\n"),
		"one package many times":     "packages:\n" + repeat("  a: {}\n"),
		"explicit keys in each":      repeat("? ? a\n"),
		"explicit keys":              repeat("? a\n"),
		"explicit keys on one line":  repeat("? "),
		"brackets":                   repeat("["),
		"braces":                     repeat("{a: "),
		"dashes":                     repeat("- "),
		"indentation":                deep(1400),
		"items":                      "a: [" + repeat("a,") + "]",
		"lists":                      "a: [" + repeat("[],") + "]",
		"fields without values":      "packages: {" + repeat("a:,") + "}",
		"many packages":              numbered("packages:\n", " %x:\n"),
		"many packages in braces":    numbered("packages: {", "%x,"),
		"many versions":              numbered("packages: {", "a@%x,"),
		"many names":                 numbered("packages: {", "%xa@1,"),
		"many dependencies":          numbered("dependencies: {", "%x: a,"),
		"many importers":             numbered("importers: {", "%x,"),
		"many importers with fields": numbered("importers: {", "%x: {dependencies: {}, devDependencies: {}},"),
		"one anchor":                 repeat("- &a b\n"),
		"many anchors":               numbered("", "- &a%d\n"),
		"aliases":                    "a: &a b\nb: [" + repeat("*a,") + "]",
		"aliases of aliases":         "a: &a [b,b,b,b,b,b,b,b]\n" + numbered("", "a%[1]d: &a%[1]d [*a,*a,*a,*a,*a]\n"),
		"merge keys":                 "a: &a {b: c}\n" + numbered("", "a%d: {<<: *a}\n"),
		"comments":                   repeat("#\n"),
		"comments behind keys":       numbered("", "a%d: #\n"),
		"documents":                  repeat("---\n"),
		"directives":                 numbered("", "%%TAG !%d! x\n") + "--- a\n",
		"blank lines":                repeat("\n"),
		"a long scalar":              "a: " + repeat("b "),
		"a long scalar over lines":   "a: " + repeat("b\n "),
		"a long quote":               `a: "` + repeat("\n") + `"`,
		"escapes":                    `a: "` + repeat(`\U0001F600`) + `"`,
		"a long literal":             "a: |\n" + repeat("  b\n"),
		"a long folded text":         "a: >\n" + repeat("  b\n"),
		"literals":                   "a:\n" + repeat("- |\n"),
		"tags":                       repeat("- !!str\n"),
		"yarn's keys in one":         "__metadata: a\n\"" + numbered("", "%x, ") + "\":\n  version: 1\n",
		"yarn's entries":             numbered("__metadata: a\n", "%x:\n"),
		"yarn's classic entries":     numbered("", "%x:\n"),
	}
}

// deep returns nested mappings.
func deep(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func TestHostileLockFilesTakeLittleMemory(t *testing.T) {
	for name, text := range hostile() {
		for kind, parse := range map[string]func(context.Context, []byte) (lock, error){"pnpm": parsePnpm, "yarn": parseYarn} {
			var err error
			bytes := allocated(func() { _, err = parse(context.Background(), []byte(text)) })
			if bytes > 100*mega {
				t.Errorf("%s: %s allocates %d MB", kind, name, bytes/mega)
			}
			if err != nil && len(err.Error()) > 300 {
				t.Errorf("%s: %s: an error of %d bytes", kind, name, len(err.Error()))
			}
		}
	}
}

func TestSettingsOfAWorkspaceTakeLittleMemory(t *testing.T) {
	for name, text := range hostile() {
		bytes := allocated(func() {
			_, _ = readCatalogs([]byte(text))
			readPatterns(context.Background(), []byte(text))
		})
		if bytes > 200*mega { // This is the memory for two readings.
			t.Errorf("%s allocates %d MB", name, bytes/mega)
		}
	}
}

func TestLargeLockFilesAreReadInLittleMemory(t *testing.T) {
	for _, lock := range []struct {
		name  string
		data  []byte
		parse func(context.Context, []byte) (lock, error)
	}{{"pnpm", pnpmOf(100_000), parsePnpm}, {"yarn", berryOf(100_000), parseYarn}} {
		bytes := allocated(func() {
			l, err := lock.parse(context.Background(), lock.data)
			if err != nil {
				t.Fatal(err)
			}
			if d, ok := l.find(".", "pkg99999", ""); !ok || d.Version != "1.0.9" {
				t.Errorf("%s: %+v", lock.name, d)
			}
		})
		if bytes > 150*mega {
			t.Errorf("%s: %d packages take %d MB", lock.name, 100_000, bytes/mega)
		}
	}
}

func TestComplaintsAboutAFileAreShort(t *testing.T) {
	long := strings.Repeat("x", mega)
	for file, text := range map[string]string{
		"package-lock.json": `{"packages":{"` + long + `": 5}}`,
		"package.json":      `{"` + long + `": 5 5}`,
		"bun.lock":          `{"packages":{"` + long + `": 5}}`,
		"pnpm-lock.yaml":    "packages: {" + long + ": {}, " + long + ": {}}",
		"yarn.lock":         "__metadata: {}\n? " + long + "\n? " + long + "\n",
	} {
		dir := t.TempDir()
		filetest.Write(t, dir, map[string]string{"package.json": "{}"})
		filetest.Write(t, dir, map[string]string{file: text})
		var l Loader
		p, err := l.Find(context.Background(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if p.Problem == "" || len(p.Problem) > 500 {
			t.Errorf("%s: %d bytes: %.400s", file, len(p.Problem), p.Problem)
		}
	}
}

func TestACanceledCallStopsReadingLockFiles(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for file, text := range map[string]string{
		"pnpm-lock.yaml": string(pnpmOf(10_000)), "yarn.lock": string(berryOf(10_000)), "package-lock.json": `{"packages":{}}`, "bun.lock": `{"packages":{}}`,
	} {
		dir := t.TempDir()
		filetest.Write(t, dir, map[string]string{"package.json": "{}", file: text})
		var l Loader
		if _, err := l.Find(ctx, dir); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", file, err)
		}
		if p, err := l.Find(context.Background(), dir); err != nil || p.Problem != "" {
			t.Errorf("%s later: %+v, %v", file, p, err)
		}
	}
}

func BenchmarkPnpmLock(b *testing.B)  { benchmark(b, pnpmOf(100_000), parsePnpm) }
func BenchmarkBerryLock(b *testing.B) { benchmark(b, berryOf(100_000), parseYarn) }

func benchmark(b *testing.B, data []byte, parse func(context.Context, []byte) (lock, error)) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parse(context.Background(), data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHostileLocks reads one megabyte of each hostile kind.
func BenchmarkHostileLocks(b *testing.B) {
	for name, text := range hostile() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = parsePnpm(context.Background(), []byte(text))
				_, _ = parseYarn(context.Background(), []byte(text))
			}
		})
	}
}
