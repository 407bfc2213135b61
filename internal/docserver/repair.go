package docserver

import (
	"encoding/json"
	"strconv"
	"strings"
)

// aliases maps other names that models use for arguments, in the form that fold
// returns, to the arguments. An alias is used only if the tool has no argument with that name.
var aliases = map[string]string{
	"name": "package", "packagename": "package", "pkg": "package", "packages": "package", "library": "package", "module": "package", "crate": "package",
	"symbols": "symbol", "symbolname": "symbol", "names": "symbol", "symbolpath": "symbol",
	"lang": "language", "ecosystem": "language",
	"path": "projectPath", "project": "projectPath", "projectdir": "projectPath", "projectroot": "projectPath", "cwd": "projectPath", "directory": "projectPath", "root": "projectPath",
	"q": "query", "queries": "query", "search": "query", "text": "query", "keywords": "query", "wishes": "query",
	"tokens": "maxTokens", "budget": "maxTokens", "limit": "maxTokens", "length": "maxLength", "maxbytes": "maxLength",
	"packageversion": "version", "sections": "section", "sectionid": "section",
	"lines": "source", "code": "source", "includesource": "source",
}

// repair rewrites arguments that do not satisfy a tool's schema. It corrects
// spellings of names, removes null values, converts numbers and booleans written
// as strings, and accepts lists instead of a single text. It returns nil if it
// cannot correct anything.
func repair(args json.RawMessage, arguments []argument) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(args, &members) != nil {
		return nil
	}
	out := map[string]json.RawMessage{}
	changed := false
	for name, value := range members {
		a := argumentOf(arguments, name)
		switch {
		case string(value) == "null":
			changed = true
			continue
		case a == nil:
			out[name] = value // The schema will reject the argument with an error that contains its name.
			continue
		}
		mended := mend(value, &a.schema)
		changed = changed || a.name != name || string(mended) != string(value)
		if _, twice := out[a.name]; twice && a.name != name {
			continue // the argument with the right name takes precedence
		}
		out[a.name] = mended
	}
	if !changed {
		return nil
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil
	}
	return b
}

// argumentOf returns the argument that a name refers to, or nil if there is none.
func argumentOf(arguments []argument, name string) *argument {
	for i := range arguments {
		if fold(arguments[i].name) == fold(name) {
			return &arguments[i]
		}
	}
	meant := aliases[fold(name)]
	for i := range arguments {
		if arguments[i].name == meant {
			return &arguments[i]
		}
	}
	return nil
}

// fold returns a name in the form in which all its spellings are equal.
func fold(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}

// mend converts a value to the type in a schema if it has that type in another
// notation. Otherwise it returns the value unchanged.
func mend(value json.RawMessage, schema *property) json.RawMessage {
	var list []string
	text, isText := "", json.Unmarshal(value, &list) != nil && value[0] == '"'
	if isText && json.Unmarshal(value, &text) != nil {
		return value
	}
	switch schema.Type {
	case "string":
		if list != nil {
			text, isText = strings.Join(list, "; "), true
		}
		if schema.truth && (string(value) == "true" || string(value) == "false") {
			return appendJSON(nil, string(value))
		}
		if !isText {
			return value
		}
		if schema.spelled != nil {
			if l := schema.spelled.Find(strings.TrimSpace(text)); l != nil {
				text = string(l.Info().ID)
			}
		}
		return appendJSON(nil, text)
	case "integer":
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if !isText {
			err = json.Unmarshal(value, &n)
		}
		if err != nil || n != n {
			return value
		}
		return appendJSON(nil, int(min(max(n, float64(schema.Minimum)), float64(schema.Maximum))))
	case "boolean":
		if truth, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(text))); isText && err == nil {
			return appendJSON(nil, truth)
		}
	}
	return value
}
