package solve

import (
	"reflect"
	"testing"

	quern "hollin.example/quern/v2"
)

func TestMend(t *testing.T) {
	done, aside, err := Mend([]quern.Grist{
		{Label: "oat", Weight: 5, Coarse: 4}, {Weight: 3, Coarse: 1}, {Label: "rye", Weight: 9, Coarse: 15}, {Weight: 1}, {Label: "spelt", Weight: 2, Coarse: 1},
	})
	if err != nil || !reflect.DeepEqual(done, []string{"oat", "rye", "spelt"}) {
		t.Fatal(done, aside, err)
	}
	if !reflect.DeepEqual(aside, []string{"", ""}) {
		t.Fatal(aside)
	}
	// Twelve passes take a coarseness of 15 down to 3 and one of 14 to 2.
	done, _, err = Mend([]quern.Grist{{Label: "x", Weight: 1, Coarse: 16}, {Label: "y", Weight: 1, Coarse: 14}})
	if err != nil || !reflect.DeepEqual(done, []string{"y"}) {
		t.Fatal(done, err)
	}
}
