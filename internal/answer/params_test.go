package answer

import (
	"strings"
	"testing"
)

func TestALongCommentKeepsItsParameters(t *testing.T) {
	code := "```py\n" + strings.Repeat("with pool() as p: ...\n", 20) + "```"
	list := "**Parameters:**\n\n" +
		"- `size` (int): How many there are at first. It grows.\n  Defaults to 10.\n" +
		"- `kind` (Union[str, bytes, None]): What they are:\n  - one, or\n  - the other.\n\n  Nothing else works.\n" +
		"- `loop`: A loop."
	doc := "Makes a pool.\n\n" + code + "\n\n" + list + "\n\n**Returns:** a pool.\n\n" + strings.Repeat("Prose. ", 50)
	for limit, want := range map[int]string{
		330: "Makes a pool. …\n\n" + list,
		215: "Makes a pool. …\n\n**Parameters:**\n\n- `size` (int): How many there are at first. … Defaults to 10.\n- `kind` (Union[str, bytes, None]): What they are …\n- `loop`: A loop.",
	} {
		got := excerptOfCall(doc, limit)
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") || len(got) > limit {
			t.Errorf("%d: got %d bytes:\n%s\nwant:\n%s", limit, len(got), got, want)
		}
	}
	if got := excerptOfCall(doc, len(doc)); got != strings.TrimSpace(doc) {
		t.Errorf("a comment that fits is cut:\n%s", got)
	}
	if got, want := excerptOfCall(doc, 90), excerpt(doc, 90); got != want {
		t.Errorf("without room for parameters: got\n%s\nwant\n%s", got, want)
	}
}

func TestTheParagraphsOfAnItemDoNotEndItsList(t *testing.T) {
	const list = "**Parameters:**\n\n- `a`: This.\n\n  And that.\n- `b`: Those."
	if got := commentText(list); got != "Parameters:\n- `a`: This.\n\n  And that.\n- `b`: Those." {
		t.Errorf("as a comment:\n%s", got)
	}
	if got := excerpt("Text.\n\n  More.\n- `b`: Those things. "+strings.Repeat("Word. ", 20), 60); strings.Contains(got, "More. - `b`") {
		t.Errorf("an item is joined to the text above it:\n%s", got)
	}
}

func FuzzExcerptOfCall(f *testing.F) {
	f.Add("A.\n\n**Parameters:**\n\n- `a` (int): B. Default 1.\n\n  ```\n- x\n```\n- `c`: D\n\n**Returns:** e", 40)
	f.Add("**Parameters:**\n", 3)
	f.Fuzz(func(t *testing.T, doc string, limit int) {
		limit &= 4095
		if before, items := parameters(doc); len(items) > 0 && len(strings.TrimSpace(doc)) > limit {
			if got := excerptOfCall(doc, limit); len(got) > 2*limit+2*maxDefault {
				t.Errorf("%d bytes of at most %d, before %q", len(got), limit, before)
			}
		}
	})
}
