package main

import (
	"os/exec"
	"strings"
	"testing"
)

func TestMan_HasEveryCommand(t *testing.T) {
	got := docent("man")
	for _, want := range []string{".TH DOCENT 1", ".SS docent describe", ".SS docent mcp proxy", ".B \\-\\-max\\-tokens int", ".SH EXIT STATUS"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(got.out, "docent man") || got.code != exitOK {
		t.Errorf("code %d; the hidden command is documented: %v", got.code, strings.Contains(got.out, "docent man"))
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed, which formats the page for this test; to run it, install groff")
	}
	cmd := exec.Command(groff, "-man", "-Tutf8", "-ww", "-z")
	cmd.Stdin = strings.NewReader(got.out)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v\n%s", err, out)
	}
}
