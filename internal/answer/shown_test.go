package answer

import "testing"

func TestAListThatAParagraphAnnouncesIsShownAgain(t *testing.T) {
	const (
		announces = "For each level it reports the kind of the value there, which is one of:"
		kinds     = "- object, for a level that stands for a JSON object, and\n- array, for one that stands for an array."
		remark    = "Levels are counted from zero, which stands for the top-level value."
	)
	shown := newShown(nil)
	shown.say("Depth is how deep it is.\n\n" + announces + "\n\n" + kinds + "\n\n" + remark)
	got := shown.unsaid("Level says more of it: " + announces + "\n\n" + kinds + "\n\n" + remark)
	if want := "Level says more of it: " + announces + "\n\n" + kinds; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := shown.unsaid("Level.\n\n" + announces + "\n\n" + kinds); got != "Level." {
		t.Errorf("what was shown whole is shown again: %q", got)
	}
}
