package solve

import (
	"reflect"
	"testing"
)

func TestLate(t *testing.T) {
	got, err := Late([]int{1, 2, -5, 3, 4, -6})
	if err != nil || !reflect.DeepEqual(got, []int{2, 3, 4}) {
		t.Fatal(got, err)
	}
}
