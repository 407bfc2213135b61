package revision

import "testing"

func TestEveryRevisionIsFoundByItsNameAlone(t *testing.T) {
	all := All()
	if len(all) != Count-1 {
		t.Errorf("All lists %d of %d revisions", len(all), Count-1)
	}
	for i, r := range all {
		if Parse(r.String()) != r || len(r.String()) != len("2006-01-02") {
			t.Errorf("%q is found as %q", r, Parse(r.String()))
		}
		if i > 0 && all[i-1] <= r {
			t.Errorf("%s does not come before %s", all[i-1], r)
		}
		if r.HasSessions() == r.Stateless() {
			t.Errorf("%s both has sessions and is stateless, or neither", r)
		}
	}
	for _, name := range []string{"", "2024-11-5", "2024-11-05 ", "latest", "2026-07-29", "DRAFT-2026-v1"} {
		if got := Parse(name); got != None {
			t.Errorf("%q is found as %s", name, got)
		}
	}
	if None.HasSessions() || None.Stateless() || None.String() != "" {
		t.Error("None is a revision")
	}
	if Latest != all[0] || LatestWithSessions != all[1] {
		t.Error("Latest and LatestWithSessions are not the newest ones")
	}
}

// TestFeatures compares the predicates with the specification's lists of changes in each revision
// (2025-03-26 to 2026-07-28: Key Changes).
func TestFeatures(t *testing.T) {
	tests := []struct {
		name string
		has  func(Revision) bool
		want [5]bool // expected values, oldest revision first
	}{
		{"batches", Revision.HasBatch, [5]bool{false, true, false, false, false}},
		{"tool annotations", Revision.HasToolAnnotations, [5]bool{false, true, true, true, true}},
		{"audio", Revision.HasAudio, [5]bool{false, true, true, true, true}},
		{"messages of progress", Revision.HasProgressMessage, [5]bool{false, true, true, true, true}},
		{"completions as a capability", Revision.HasCompletions, [5]bool{false, true, true, true, true}},
		{"titles", Revision.HasTitle, [5]bool{false, false, true, true, true}},
		{"_meta of content", Revision.HasContentMeta, [5]bool{false, false, true, true, true}},
		{"resource links", Revision.HasResourceLink, [5]bool{false, false, true, true, true}},
		{"lastModified", Revision.HasLastModified, [5]bool{false, false, true, true, true}},
		{"structured content", Revision.HasStructured, [5]bool{false, false, true, true, true}},
		{"elicitation", Revision.HasElicitation, [5]bool{false, false, true, true, true}},
		{"icons", Revision.HasIcons, [5]bool{false, false, false, true, true}},
		{"errors without id", Revision.HasErrorWithoutID, [5]bool{false, false, false, true, true}},
		{"bad arguments as results", Revision.BadArgumentsAreResults, [5]bool{false, false, false, true, true}},
		{"any structured content", Revision.HasAnyStructured, [5]bool{false, false, false, false, true}},
		{"result types", Revision.HasResultType, [5]bool{false, false, false, false, true}},
		{"ping", has("ping"), [5]bool{true, true, true, true, false}},
		{"initialize", has("initialize"), [5]bool{true, true, true, true, false}},
		{"logging/setLevel", has("logging/setLevel"), [5]bool{true, true, true, true, false}},
		{"resources/subscribe", has("resources/subscribe"), [5]bool{true, true, true, true, false}},
		{"server/discover", has("server/discover"), [5]bool{false, false, false, false, true}},
		{"subscriptions/listen", has("subscriptions/listen"), [5]bool{false, false, false, false, true}},
		{"tools/call", has("tools/call"), [5]bool{true, true, true, true, true}},
		{"-32002 for unknown resources", func(r Revision) bool { return r.ResourceNotFound() == -32002 }, [5]bool{true, true, true, true, false}},
	}
	for _, test := range tests {
		for i, want := range test.want {
			if r := All()[4-i]; test.has(r) != want {
				t.Errorf("%s in %s: %v", test.name, r, !want)
			}
		}
	}
}

func has(method string) func(Revision) bool {
	return func(r Revision) bool { return r.HasMethod(method) }
}
