package solve

import (
	"time"

	"brae.example/sconce/code"
	"brae.example/sconce/shutter"
)

var table = code.Table{Turn: 3, Space: -1, Check: true}

func Beam(text string) (light time.Duration, total time.Duration, err error) {
	numbers, err := table.Encode(text)
	if err != nil {
		return 0, 0, err
	}
	pace := shutter.Pace{Flash: 100 * time.Millisecond}
	return pace.Lit(numbers), pace.Length(numbers), nil
}

func Read(numbers []int) (string, error) { return table.Decode(numbers) }
