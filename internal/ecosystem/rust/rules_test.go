package rust

import "testing"

func TestRules_WordName(t *testing.T) {
	for text, want := range map[string]string{"#[repr(C, align(8))]": "repr", "#[non_exhaustive]": "non_exhaustive", `extern "C"`: "extern", "unsafe": "unsafe", "pub(crate)": "pub", "#[": "", "": ""} {
		if got := wordName(text); got != want {
			t.Errorf("the name in %q is %q, want %q", text, got, want)
		}
	}
}
