package prose

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/work"
)

// readAll reads a text as each kind of prose and as Markdown elsewhere. It returns
// the bytes that this allocates, and whether it stays within steps that grow with
// the length of the text.
func readAll(t *testing.T, text string) (allocated uint64, linear bool) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	linear = true
	for _, name := range []string{"README.md", "docs/guide.mdx", "CHANGELOG.md", "docs/page.html"} {
		err := work.Run(t.Context(), 1<<16, func(ctx context.Context) error {
			Read(ctx, fstest.MapFS{name: {Data: []byte(text)}}, Layout{})
			linear = linear && !work.FromContext(ctx).Spent()
			return nil
		})
		linear = linear && err == nil
	}
	markup.WithoutBadges(text)
	markup.Synopsis(text)
	markup.PlainLinks(text)
	markup.Demote(text, 3)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, linear
}

// TestRead_StructuresTakeLinearWork reads each structure in two sizes. A reader that
// copies the rest of the text for each part allocates sixteen times as much for four
// times the text.
func TestRead_StructuresTakeLinearWork(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(filetest.Structures)) {
		t.Run(name, func(t *testing.T) {
			build := filetest.Structures[name]
			n := 1
			for len(build(2*n)) < 12<<10 {
				n *= 2
			}
			small, big := build(n), build(4*n)
			few, ok := readAll(t, small)
			many, linear := readAll(t, big)
			if !ok || !linear {
				t.Errorf("%d bytes take more steps than a text of this length may", len(big))
			}
			// A few allocations do not depend on the length, so the ratio may be below the ratio of
			// the lengths.
			growth := float64(many) / float64(few)
			if length := float64(len(big)) / float64(len(small)); growth > 2*length && many > 4<<20 {
				t.Errorf("for %.1f times the text, %.1f times the memory is allocated: %d bytes for %d", length, growth, many, len(big))
			}
			if many > 1000*uint64(len(big))*4+16<<20 {
				t.Errorf("%d bytes are allocated for a text of %d", many, len(big))
			}
		})
	}
}

// TestRead_ManyAnchorsAndEmptyLinks has enough of them to show quadratic copying.
func TestRead_ManyAnchorsAndEmptyLinks(t *testing.T) {
	for name, part := range map[string]string{"anchors": "<a name=\"x\"></a>\n", "empty links": "a [](x) "} {
		few, _ := readAll(t, strings.Repeat(part, 4000))
		many, _ := readAll(t, strings.Repeat(part, 16000))
		if many > 8*few {
			t.Errorf("%s: %d bytes are allocated for 4000, %d for 16000", name, few, many)
		}
	}
}

// TestRead_OutOfSteps reads prose after the rest of the package has used up the
// steps of a reading.
func TestRead_OutOfSteps(t *testing.T) {
	files := fstest.MapFS{"README.md": {Data: []byte("# A\n\nText.\n")}}
	err := work.Run(t.Context(), 10_000, func(ctx context.Context) error {
		work.FromContext(ctx).Step(12_000)
		sections, notes := Read(ctx, files, Layout{})
		if len(sections) > 0 || len(notes) != 1 || !strings.Contains(notes[0], "README.md was skipped") {
			t.Errorf("got %v, %q", sections, notes)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	long := fstest.MapFS{"README.md": {Data: []byte(strings.Repeat("text\n\n", 2000))}}
	if err := work.Run(ctx, 1<<20, func(ctx context.Context) error { Read(ctx, long, Layout{}); return nil }); err == nil {
		t.Error("a reading that nobody waits for goes on")
	}
}

func FuzzStructures(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(20))
	}
	f.Fuzz(func(t *testing.T, seed uint64, parts uint8) {
		text := filetest.Markdown(seed, int(parts))
		if allocated, linear := readAll(t, text); !linear || allocated > 4000*uint64(len(text))+16<<20 {
			t.Errorf("%d bytes are allocated for a text of %d, linear: %v", allocated, len(text), linear)
		}
	})
}

func TestNextLink(t *testing.T) {
	for text, want := range map[string]string{
		"a [b](c) d": "b|c", "[a [b] c](d)": "a [b] c|d", "[a](b c) [d](e)": "d|e", "[a](b(c)) [d](e)": "d|e", "[](a) [b](c)": "b|c", "[a]() [b](c)": "b|c",
		"[a [b [c](d)": "c|d", "[a](b": "", "[a]": "", "": "", "[a] (b)": "", "![a](b)": "a|b", "[a][b](c)": "b|c", "[é](ü)": "é|ü", "[[a](b)](c)": "[a](b)|c",
		"[" + strings.Repeat("a", maxInline) + "](b)":   strings.Repeat("a", maxInline) + "|b",
		"[" + strings.Repeat("a", maxInline+1) + "](b)": "",
	} {
		got := ""
		if open, middle, end, ok := nextLink(text); ok {
			got = text[open+1:middle] + "|" + text[middle+2:end]
		}
		if got != want {
			t.Errorf("%.60q: %.60q, want %.60q", text, got, want)
		}
	}
}
