package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/schemaform"
)

// maxArguments is the maximum size in bytes of the JSON that is read from standard input.
const maxArguments = 32 << 20

// toolArguments returns the arguments of a tool as a JSON object. It adds the arguments that words
// contains to base, which is a JSON object or empty. A word has the form key=value, where the schema
// determines the type, or key:=json.
func toolArguments(base []byte, words []string, schema json.RawMessage) (json.RawMessage, error) {
	args := map[string]json.RawMessage{}
	if len(base) > 0 {
		if err := json.Unmarshal(base, &args); err != nil || args == nil {
			return nil, errors.New("the arguments are not a JSON object")
		}
	}
	known := map[string]*schemaform.Property{}
	all := schemaform.Properties(schema)
	for i := range all {
		known[all[i].Name] = &all[i]
	}
	names := map[string]bool{}
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		raw := strings.HasSuffix(key, ":")
		key = strings.TrimSuffix(key, ":")
		switch {
		case !ok || key == "":
			return nil, fmt.Errorf("%q is not an argument: write key=value, or key:=json", word)
		case raw:
			if !json.Valid([]byte(value)) {
				return nil, fmt.Errorf("%s: %q is not JSON; for a string, write %[1]s=%[2]s", key, value)
			}
			args[key], names[key] = json.RawMessage(value), true
			continue
		}
		p := known[key]
		if p == nil {
			p = new(schemaform.Property)
		}
		typed, err := p.Parse(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		if p.IsList() && schemaform.TypeOf(typed) != "array" {
			typed = appendElement(args[key], typed, names[key])
		} else if names[key] {
			return nil, fmt.Errorf("%s occurs twice", key)
		}
		args[key], names[key] = typed, true
	}
	return json.Marshal(args)
}

// appendElement appends element to list if an earlier word started the list. Otherwise, it returns
// a new list with element.
func appendElement(list, element json.RawMessage, begun bool) json.RawMessage {
	if !begun || len(list) < 2 {
		return json.RawMessage("[" + string(element) + "]")
	}
	return json.RawMessage(string(list[:len(list)-1]) + "," + string(element) + "]")
}

// stringArguments returns the arguments of a prompt from words of the form key=value. Any other
// word is an error.
func stringArguments(words []string) (map[string]string, error) {
	args := map[string]string{}
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("%q is not an argument: write key=value", word)
		}
		args[key] = value
	}
	return args, nil
}

// readArguments reads all of in. It returns an error if in contains more than maxArguments bytes.
func readArguments(in io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxArguments+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the arguments from standard input: %w", err)
	case len(data) > maxArguments:
		return nil, fmt.Errorf("the arguments on standard input are longer than %d bytes", maxArguments)
	}
	return data, nil
}

// missing returns the required properties that the arguments do not contain.
func missing(args json.RawMessage, schema json.RawMessage) []string {
	var arguments map[string]json.RawMessage
	_ = json.Unmarshal(args, &arguments) // no error, because this program has created the object
	names := slices.Collect(maps.Keys(arguments))
	var lacking []string
	all := schemaform.Properties(schema)
	for i := range all {
		if all[i].Required && !slices.Contains(names, all[i].Name) {
			lacking = append(lacking, all[i].Name)
		}
	}
	return lacking
}
