package solve

import (
	"reflect"
	"testing"

	quern "hollin.example/quern/v2"
)

func TestGrades(t *testing.T) {
	got, err := Grades([]quern.Grist{
		{Label: "a", Weight: 32, Coarse: 3, Tags: []string{"WET"}}, {Label: "b", Weight: 20, Coarse: 6}, {Label: "c", Weight: 12, Coarse: 9, Tags: []string{"wet"}},
		{Label: "d", Weight: 11, Coarse: 40},
	})
	if want := map[string]int{"dusty": 32, "rough": 20, "rest": 23}; err != nil || !reflect.DeepEqual(got, want) {
		t.Fatal(got, err, want)
	}
	got, err = Grades([]quern.Grist{{Label: "a", Weight: 4, Coarse: 1}, {Label: "b", Weight: 30, Coarse: 2}})
	if want := map[string]int{"dusty": 0, "rough": 34}; err != nil || !reflect.DeepEqual(got, want) {
		t.Fatal(got, err, want)
	}
}
