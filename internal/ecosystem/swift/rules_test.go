package swift

import "testing"

func TestRules_WordName(t *testing.T) {
	for text, want := range map[string]string{"@available(iOS 13, *)": "available", "@MainActor": "MainActor", "nonisolated(unsafe)": "nonisolated", "throws(Failure)": "throws", "?": "?", "@": "", "": ""} {
		if got := wordName(text); got != want {
			t.Errorf("the name in %q is %q, want %q", text, got, want)
		}
	}
}
