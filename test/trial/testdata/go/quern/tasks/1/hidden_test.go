package solve

import (
	"reflect"
	"testing"
)

func TestSplit(t *testing.T) {
	got, err := Split("rye", 110)
	if want := []int{25, 25, 25, 25, 10}; err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%v %v, want %v", got, err, want)
	}
	if got, err := Split("rye", 7); err != nil || !reflect.DeepEqual(got, []int{7}) {
		t.Fatal(got, err)
	}
}
