package python

import "testing"

func TestRules_WordName(t *testing.T) {
	for text, want := range map[string]string{"@staticmethod": "staticmethod", "@dataclasses.dataclass(frozen=True)": "dataclass", "@abc.abstractmethod": "abstractmethod", "@": "", "": ""} {
		if got := decoratorName(text); got != want {
			t.Errorf("the name in %q is %q, want %q", text, got, want)
		}
	}
}
