package teamserver

import (
	"cmp"
	"encoding"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/docent-mcp/docent/internal/apijson"
	"github.com/docent-mcp/docent/internal/compare"
	"github.com/docent-mcp/docent/internal/lookup"
)

// object is a JSON object.
type object = map[string]any

// openAPI returns a description of the HTTP API in OpenAPI 3.1. It is generated from operations and
// from the types of the responses.
func openAPI(version string) object {
	schemas := schemaSet{}
	responses := map[string]reflect.Type{
		"Package": reflect.TypeFor[apijson.Package](), "Symbols": reflect.TypeFor[apiSymbols](),
		"Results": reflect.TypeFor[apiResults](), "Comparison": reflect.TypeFor[compare.Report](),
		"Versions": reflect.TypeFor[lookup.Versions](), "Problem": reflect.TypeFor[problem](),
	}
	for name, t := range responses {
		schemas.names(t, name)
	}
	for _, t := range responses {
		schemas.schema(t)
	}
	content := func(name string) object {
		return object{"application/json": object{"schema": reference(name)}}
	}
	paths := object{}
	for i := range operations {
		o := &operations[i]
		parameters := []object{
			{"name": "language", "in": "path", "required": true, "description": "ID of a language.", "schema": object{"type": "string"}},
			{"name": "package", "in": "path", "required": true, "description": "Name of a package as users import it. Slashes are part of the path.", "schema": object{"type": "string"}},
		}
		for _, p := range o.all() {
			parameters = append(parameters, object{
				"name": p.name, "in": "query", "required": p.required, "description": p.description,
				"schema": object{"type": cmp.Or(p.kind, "string")},
			})
		}
		answer := content(o.response)
		if o.mediaType != "" {
			answer = object{o.mediaType: object{"schema": object{"type": "string", "format": "binary"}}}
		}
		paths[o.path+"/{language}/{package}"] = object{"get": object{
			"operationId": o.name, "summary": o.summary, "parameters": parameters,
			"responses": object{
				"200":     object{"description": o.summary, "content": answer},
				"default": object{"description": "The reason why there is no answer", "content": content("Problem")},
			},
		}}
	}
	return object{
		"openapi": "3.1.0",
		"info":    object{"title": "Docent", "version": cmp.Or(version, "devel"), "description": "Package documentation at the versions that projects use."},
		"paths":   paths,
		"components": object{
			"schemas":         schemas.definitions(),
			"securitySchemes": object{"bearer": object{"type": "http", "scheme": "bearer"}},
		},
		"security": []object{{"bearer": []string{}}, {}},
	}
}

func reference(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// schemaSet contains the schemas of named struct types.
type schemaSet map[reflect.Type]*namedSchema

type namedSchema struct {
	name   string
	schema object // nil until schema has described the type
}

// names sets the name of a type's schema.
func (s schemaSet) names(t reflect.Type, name string) { s[t] = &namedSchema{name: name} }

func (s schemaSet) definitions() object {
	all := object{}
	for _, n := range s {
		all[n.name] = n.schema
	}
	return all
}

// schema returns the JSON Schema for the JSON that encoding/json writes for a type.
func (s schemaSet) schema(t reflect.Type) object {
	if t.Implements(reflect.TypeFor[json.Marshaler]()) || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()) {
		return object{}
	}
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return object{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.schema(t.Elem())
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{"type": "integer"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Slice, reflect.Array:
		return object{"type": "array", "items": s.schema(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.schema(t.Elem())}
	case reflect.Struct:
		return s.structure(t)
	}
	return object{}
}

// structure returns a reference to the schema of a struct.
func (s schemaSet) structure(t reflect.Type) object {
	n := s[t]
	if n == nil {
		name := t.Name()
		for _, other := range s {
			if other.name == name { // another type already has this name
				name = strings.ToUpper(t.PkgPath()[strings.LastIndexByte(t.PkgPath(), '/')+1:][:1]) + t.PkgPath()[strings.LastIndexByte(t.PkgPath(), '/')+2:] + name
				break
			}
		}
		n = &namedSchema{name: name}
		s[t] = n
	}
	if n.schema == nil {
		n.schema = object{} // set it first, because a type may contain itself
		properties, required := object{}, []string{}
		s.fields(t, properties, &required)
		n.schema["type"], n.schema["properties"] = "object", properties
		if len(required) > 0 {
			n.schema["required"] = required
		}
	}
	return reference(n.name)
}

// fields adds the fields of a struct and of its embedded structs.
func (s schemaSet) fields(t reflect.Type, properties object, required *[]string) {
	for f := range t.Fields() {
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		embedded := f.Type
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		if f.Anonymous && name == "" && embedded.Kind() == reflect.Struct {
			s.fields(embedded, properties, required)
			continue
		}
		if !f.IsExported() || tag == "-" {
			continue
		}
		name = cmp.Or(name, f.Name)
		schema := s.schema(f.Type)
		if !strings.Contains(options, "omit") {
			*required = append(*required, name)
			if k := f.Type.Kind(); k == reflect.Slice || k == reflect.Map || k == reflect.Pointer {
				schema = object{"anyOf": []object{schema, {"type": "null"}}}
			}
		}
		properties[name] = schema
	}
}
