package answer

import "testing"

func TestAMemoMakesAValueOnceAndIsBounded(t *testing.T) {
	var m memo[int, int]
	calls := 0
	get := func(key int) int { return m.get(key, func() int { calls++; return 2 * key }) }
	for range 2 {
		if get(3) != 6 || calls != 1 {
			t.Errorf("the value is %d, made %d times", get(3), calls)
		}
	}
	for key := range 3 * maxMemo {
		get(key)
		if len(m.values) > maxMemo {
			t.Fatalf("holds %d values", len(m.values))
		}
	}
}
