package extension

import (
	"bytes"
	"compress/zlib"
	"io"
	"slices"
	"strings"
)

// These constants limit the search for the strings of one Cython module.
const (
	maxPlaces  = 200     // maximum number of places where compressed strings may begin
	maxStreams = 3       // maximum number of streams that are not empty
	maxStrings = 1 << 20 // maximum size in bytes of all strings
	minLengths = 30      // minimum number of lengths in a table, because a few may have the right sum by chance
	maxLengths = 50_000
)

// constants returns the names of constants that a module compiled with Cython creates when it is
// imported. Since Cython 3.2, all strings of a module are in its library as one compressed text,
// and their lengths are in a table. Most names in capitals are constants; a few are imported from
// other modules. The values of the constants are unknown.
func constants(data []byte) []string {
	streams := 0
	for i, places := 0, 0; places < maxPlaces && streams < maxStreams; places++ {
		k := bytes.Index(data[i:], []byte{0x78, 0xda}) // This is the header that zlib writes at its highest compression level.
		if k < 0 {
			return nil
		}
		i += k + 2
		text := inflate(data[i-2:])
		if len(text) < minLengths {
			continue
		}
		streams++
		if lengths := lengthsOf(data, len(text)); lengths != nil {
			return capitals(text, lengths)
		}
	}
	return nil
}

// inflate returns the content of a compressed stream, or nil if the data is not one or is
// too long.
func inflate(data []byte) []byte {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(z, maxStrings))
	if err != nil || len(text) == maxStrings || z.Close() != nil {
		return nil
	}
	return text
}

// lengthsOf finds the table of lengths, which are 32-bit numbers whose sum is total. It
// returns nil if there is none.
func lengthsOf(data []byte, total int) []int {
	var run []int // run contains the sums before each of the numbers that may be in one table.
	indexes := map[int]int{}
	sum, before := 0, 0
	for ; len(data) >= 4; data = data[4:] {
		n := int(little.Uint32(data))
		empty := n == 0 && before == 0 // Only one string may be empty.
		before = n
		if n > total || empty || len(run) > maxLengths {
			if run, sum = run[:0], 0; len(indexes) > 0 {
				indexes = map[int]int{} // clearing a large map would take long each time
			}
			continue
		}
		if len(run) == 0 {
			run = append(run, 0)
			indexes[0] = 0
		}
		sum += n
		if first, ok := indexes[sum-total]; ok && len(run)-first >= minLengths {
			lengths := make([]int, 0, len(run)-first)
			for k := first; k < len(run); k++ {
				next := sum
				if k+1 < len(run) {
					next = run[k+1]
				}
				lengths = append(lengths, next-run[k])
			}
			return lengths
		}
		if _, known := indexes[sum]; !known {
			indexes[sum] = len(run)
		}
		run = append(run, sum)
	}
	return nil
}

// capitals splits text into strings of the given lengths, and returns the strings that are names of
// constants.
func capitals(text []byte, lengths []int) []string {
	var names []string
	for _, n := range lengths {
		name := string(text[:n])
		text = text[n:]
		if len(name) > 1 && name[0] != '_' && isName(name) && strings.ToUpper(name) == name && !slices.Contains(names, name) && len(names) < maxEntries {
			names = append(names, name)
		}
	}
	return names
}
