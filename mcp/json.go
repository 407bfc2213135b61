package mcp

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// userJSON are the options for types that users of the library bring: struct
// tags and marshalers mean what they mean to encoding/json, but duplicate
// names, invalid UTF-8 and names in another case are refused, and nil slices
// and maps are [] and {}.
var userJSON = json.JoinOptions(
	jsonv1.DefaultOptionsV1(),
	json.MatchCaseInsensitiveNames(false),
	json.FormatNilSliceAsNull(false),
	json.FormatNilMapAsNull(false),
	jsontext.AllowDuplicateNames(false),
	jsontext.AllowInvalidUTF8(false),
	jsontext.EscapeForHTML(false),
	jsontext.EscapeForJS(false),
)

func decode(data []byte, v any) error {
	return json.Unmarshal(data, v, userJSON)
}

func encode(v any) ([]byte, error) {
	return json.Marshal(v, userJSON)
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

// jsonValue is JSON kept as it is.
type jsonValue = jsontext.Value

// canonical is raw in the one form that all ways of writing the same value
// share; raw itself if it is not JSON.
func canonical(raw []byte) []byte {
	v := jsontext.Value(raw).Clone()
	if v.Canonicalize() != nil {
		return raw
	}
	return v
}

// compact is raw without white space, so that it holds no newline; nil if it
// is not JSON.
func compact(raw []byte) []byte {
	v := jsontext.Value(raw).Clone()
	if len(v) == 0 || v.Compact() != nil {
		return nil
	}
	return v
}
