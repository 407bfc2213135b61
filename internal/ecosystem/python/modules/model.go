package modules

import (
	"slices"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// setting returns the value of a setting of a pydantic model. The setting is in model_config, in a
// keyword of the class statement, in a nested class Config, or in the same places of a base.
// setting returns nil if the setting has no value or the class is not a model.
func (r *Reader) setting(e *entity, name string) *source.Tree {
	if r.styleOf(e) != pydanticModel {
		return nil
	}
	for _, c := range r.mro(e) {
		b := c.main()
		if c.external != "" || b == nil || b.stmt == nil || b.stmt.Kind != source.Class {
			continue
		}
		if strings.Contains(b.stmt.Params, name) {
			if t := b.stmt.Call().Argument(name, -1); t != nil {
				return t
			}
		}
		if config := r.inner(b).names["model_config"]; config != nil && strings.Contains(config.value.Text(), name) {
			switch t := config.value.Tree(); t.Kind {
			case source.Call:
				if t = t.Argument(name, -1); t != nil {
					return t
				}
			case source.Dict:
				for i, k := range t.Keys {
					if k != nil && k.Kind == source.String && k.Name == name {
						return t.Args[i]
					}
				}
			}
		}
		if config := r.inner(b).names["Config"]; config != nil && isClassBinding(config) {
			if x := r.inner(config).names[name]; x != nil && x.value.Text() != "" {
				return x.value.Tree()
			}
		}
	}
	return nil
}

// aliases returns the function that converts the names of a model's fields to the names of its
// parameters. It returns nil if these are the same, because no aliases are generated, because the
// fields' own names are also accepted, or because the program generates aliases with its own
// function.
func (r *Reader) aliases(e *entity) func(string) string {
	generator := r.setting(e, "alias_generator")
	if generator == nil {
		return nil
	}
	if r.takesNames(e) {
		return nil
	}
	switch lastOf(generator.Dotted()) {
	case "to_camel":
		return camel
	case "to_pascal":
		return pascal
	}
	return nil
}

// takesNames reports whether the constructor of a model accepts the names of fields that have aliases.
func (r *Reader) takesNames(e *entity) bool {
	for _, name := range [...]string{"populate_by_name", "validate_by_name", "allow_population_by_field_name"} {
		if t := r.setting(e, name); t != nil && t.Name == "True" {
			return true
		}
	}
	byAlias := r.setting(e, "validate_by_alias")
	return byAlias != nil && byAlias.Name == "False"
}

// computesAliases reports whether the program generates the aliases of a model's fields with its own function, or an
// expression is the alias of a field.
func (r *Reader) computesAliases(e *entity) bool {
	switch r.styleOf(e) {
	case pydanticModel, dataClass, attrsClass:
		if slices.ContainsFunc(r.fields(e), func(f *field) bool { return f.computed }) {
			return true
		}
	}
	return r.setting(e, "alias_generator") != nil && r.aliases(e) == nil && !r.takesNames(e)
}

// ignoresExtra reports whether pydantic validates the arguments of a class, and may ignore those that have no field. It
// does so unless a setting forbids them.
func (r *Reader) ignoresExtra(e *entity) bool {
	switch r.styleOf(e) {
	case pydanticModel:
		extra := r.setting(e, "extra")
		return extra == nil || extra.Name != "forbid"
	case dataClass:
		return slices.ContainsFunc(e.main().stmt.Decorators, func(d *source.Expression) bool {
			return r.is(e.main().scope, d.Tree().Function(), pydanticDataclasses)
		})
	}
	return false
}

// fillsFields reports whether a class may get values for fields that have no default and no argument: from a validator
// that runs before the fields are validated, or because pydantic does not validate the class, which is a table.
func (r *Reader) fillsFields(e *entity) bool {
	for _, c := range r.mro(e) {
		b := c.main()
		if c.external != "" || b == nil || b.stmt == nil || b.stmt.Kind != source.Class {
			continue
		}
		if r.styleOf(c) == pydanticModel && strings.Contains(b.stmt.Params, "table") && b.stmt.Call().Argument("table", -1) != nil {
			return true
		}
		for _, x := range r.inner(b).order {
			if x.stmt == nil {
				continue
			}
			for _, d := range x.stmt.Decorators {
				if name := lastOf("." + d.Tree().Function()); name != "model_validator" && name != "root_validator" {
					continue
				}
				if mode := d.Tree().Argument("mode", -1); mode == nil || mode.Name != "after" {
					return true
				}
			}
		}
	}
	return false
}

// pascal converts field_name to FieldName.
func pascal(name string) string {
	var b strings.Builder
	word := false // word is true if the previous character was a letter.
	for i, c := range name {
		switch {
		case c == '_' && i > 0 && name[i-1] != '_' && i+1 < len(name) && name[i+1] != '_':
		case word:
			b.WriteRune(unicode.ToLower(c))
		default:
			b.WriteRune(unicode.ToUpper(c))
		}
		word = unicode.IsLetter(c)
	}
	return b.String()
}

// camel converts field_name to fieldName. It returns a name in that form
// unchanged.
func camel(name string) string {
	is := func(i int, low, high byte) bool { return name[i] >= low && name[i] <= high }
	already := name != "" && is(0, 'a', 'z')
	for i := range name {
		already = already && name[i] != '_' && (i == 0 || !is(i-1, '0', '9') || !is(i, 'a', 'z'))
	}
	if already {
		return name
	}
	name = pascal(name)
	for i, c := range name {
		if c != '_' {
			return name[:i] + strings.ToLower(string(c)) + name[i+len(string(c)):]
		}
	}
	return name
}
