package jsonrpc

import "bytes"

// ResponseID returns the id of the response in data, which Parse cannot parse. With the id, the
// caller can fail the request that the response answers. It returns nil if data does not seem to be
// a response. It looks only at the outermost members, regardless of the depth of their values and
// of errors in them.
func ResponseID(data []byte) ID {
	var id []byte
	response := false
	for i := skipSpace(data, 0); i < len(data) && (data[i] == '{' || data[i] == ','); {
		start := skipSpace(data, i+1)
		end := endOfString(data, start)
		colon := skipSpace(data, end)
		if colon >= len(data) || data[colon] != ':' {
			break
		}
		name := data[start+1 : end-1]
		if i = endOfValue(data, colon+1); i == len(data) && string(name) == "id" {
			break // the id may be incomplete
		}
		value := bytes.TrimSpace(data[colon+1 : i])
		switch string(name) {
		case "id":
			if id != nil {
				return nil
			}
			id = value
		case "method":
			if string(value) != "null" {
				return nil
			}
		case "result", "error":
			response = true
		}
	}
	if !response || !ValidID(id) {
		return nil
	}
	return id
}

// Objects calls yield with the text of each object in data, a JSON array that Batch cannot parse.
// It accepts nesting of any depth and malformed objects.
func Objects(data []byte) func(yield func(object []byte) bool) {
	return func(yield func(object []byte) bool) {
		for i := skipSpace(data, 0); i < len(data) && (data[i] == '[' || data[i] == ','); {
			start := skipSpace(data, i+1)
			i = endOfValue(data, start)
			if start < i && data[start] == '{' && !yield(data[start:i]) {
				return
			}
		}
	}
}

// endOfString returns the index after the string at data[i]. If there is no complete string, it
// returns len(data).
func endOfString(data []byte, i int) int {
	if i >= len(data) || data[i] != '"' {
		return len(data)
	}
	for i++; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}

// endOfValue returns the index of the comma or bracket that ends the value at
// data[i], or len(data) if there is none.
func endOfValue(data []byte, i int) int {
	for depth := 0; i < len(data); {
		switch data[i] {
		case '"':
			i = endOfString(data, i)
			continue
		case '{', '[':
			depth++
		case ',':
			if depth == 0 {
				return i
			}
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		}
		i++
	}
	return len(data)
}
