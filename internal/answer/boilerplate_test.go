package answer

import "testing"

func TestRepeatsName(t *testing.T) {
	for _, tt := range []struct {
		doc, path string
		want      bool
	}{
		{"Sets `edition`.", "Revise.edition", true},
		{"SetReadyBy sets the value of ready by.", "Options.SetReadyBy", true},
		{"Returns the name.", "Gate.name", true},
		{"Returns the name in capitals.", "Gate.name", false},
		{"Sets the value.", "Gate.name", false},
		{"The delay (0 to 20).", "Gate.delay", false},
		{"The delay, <= the delay of the gate.", "Gate.delay", false},
		{"", "Gate.name", false},
	} {
		if got := repeatsName(tt.doc, tt.path); got != tt.want {
			t.Errorf("%q on %s: got %v", tt.doc, tt.path, got)
		}
	}
}
