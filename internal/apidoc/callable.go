package apidoc

import (
	"slices"
	"strings"
)

// Declaration is one declaration of a symbol as structured data: what --json and
// structured content show beside its text.
type Declaration struct {
	// TypeParams are the type parameters in order.
	TypeParams []TypeParam `json:"typeParams,omitempty"`
	// Params are the parameters in order, nil if the declaration is not called.
	Params []Param `json:"params,omitempty"`
	// Results are the results in order. A function without a written result has none.
	Results []Result `json:"results,omitempty"`
	// Effects are words such as async, throws and unsafe.
	Effects []string `json:"effects,omitempty"`
	// Throws are the types that a call is declared to throw.
	Throws []TypeText `json:"throws,omitempty"`
	// Bases are base classes, embedded types and conformances.
	Bases []TypeText `json:"bases,omitempty"`
	// Type is the type of a value or field, or the one for which an alias stands.
	Type *TypeText `json:"type,omitempty"`
	// Value is the value of a constant or variable, as it is shown.
	Value string `json:"value,omitempty"`
}

// Param is one parameter.
type Param struct {
	// Name is the name within the function; a pattern if it binds several names, and ""
	// if the declaration names only a type.
	Name string `json:"name,omitempty"`
	// Label is the word by which callers pass the parameter, if it differs from Name:
	// "_" if they pass none.
	Label string `json:"label,omitempty"`
	TypeText
	// Default is the text of the value that is used if the parameter is left out.
	Default string `json:"default,omitempty"`
	// Optional is true if the parameter may be left out.
	Optional bool `json:"optional,omitempty"`
	// Variadic is true if the parameter takes any number of arguments.
	Variadic       bool `json:"variadic,omitempty"`
	KeywordOnly    bool `json:"keywordOnly,omitempty"`
	PositionalOnly bool `json:"positionalOnly,omitempty"`
	// Self is true for the value on which a method is called.
	Self bool `json:"self,omitempty"`
}

// Result is one result of a function.
type Result struct {
	Name string `json:"name,omitempty"`
	TypeText
}

// TypeParam is one type parameter.
type TypeParam struct {
	Name        string     `json:"name"`
	Constraints []TypeText `json:"constraints,omitempty"`
	Default     string     `json:"default,omitempty"`
}

// TypeText is a type as it is written, with the symbols that it names.
type TypeText struct {
	Type string `json:"type,omitempty"`
	// Refs are the symbols that the type names, in order, each once. Those whose meaning
	// is not known have neither a package nor a path. Type parameters and parts of the
	// language are left out.
	Refs []Ref `json:"refs,omitempty"`
}

// Declarations returns the declarations in d as structured data.
func (d *Decl) Declarations() []Declaration {
	var all []Declaration
	for i := range d.Within(-1, DeclarationPart) {
		all = append(all, d.declaration(i))
	}
	return all
}

func (d *Decl) declaration(i int) Declaration {
	var out Declaration
	for k := range d.Within(i, 0) {
		switch d.Parts[k].Role {
		case TypeParamPart:
			out.TypeParams = append(out.TypeParams, d.typeParam(k))
		case ParamPart:
			out.Params = append(out.Params, d.param(k))
		case ResultPart:
			r := Result{Name: d.ChildText(k, NamePart)}
			if t := d.TypeOf(k); t >= 0 {
				r.TypeText = d.typeText(t)
			}
			out.Results = append(out.Results, r)
		case EffectPart:
			word := d.PartText(k)
			if t := d.Child(k, TypePart); t >= 0 {
				out.Throws = append(out.Throws, d.typeText(t))
				word = strings.TrimRight(d.Text[d.Parts[k].Start:d.Parts[t].Start], "( ")
			}
			out.Effects = append(out.Effects, word)
		case BasePart:
			out.Bases = append(out.Bases, d.typeText(k))
		case TypePart:
			t := d.typeText(k)
			out.Type = &t
		case ValuePart:
			out.Value = d.PartText(k)
		}
	}
	return out
}

func (d *Decl) param(i int) Param {
	flags := d.Parts[i].Flags
	p := Param{
		Name: d.ChildText(i, NamePart), Label: d.ChildText(i, LabelPart), Default: d.ChildText(i, DefaultPart),
		Optional: flags&Optional != 0, Variadic: flags&Variadic != 0, Self: flags&Self != 0,
		KeywordOnly: flags&KeywordOnly != 0, PositionalOnly: flags&PositionalOnly != 0,
	}
	if t := d.TypeOf(i); t >= 0 {
		p.TypeText = d.typeText(t)
	}
	return p
}

// TypeOf returns the index of the type of a parameter, result or member, -1 if it has
// none.
func (d *Decl) TypeOf(i int) int {
	for d.Parts[i].Flags&Shared != 0 {
		next := i + 1
		for next < len(d.Parts) && (d.Parts[next].Parent != d.Parts[i].Parent || d.Parts[next].Role != d.Parts[i].Role) {
			next++
		}
		if next == len(d.Parts) {
			return -1
		}
		i = next
	}
	return d.Child(i, TypePart)
}

func (d *Decl) typeParam(i int) TypeParam {
	p := TypeParam{Name: d.ChildText(i, NamePart), Default: d.ChildText(i, DefaultPart)}
	for c := range d.Within(i, ConstraintPart) {
		p.Constraints = append(p.Constraints, d.typeText(c))
	}
	return p
}

func (d *Decl) typeText(i int) TypeText {
	t := TypeText{Type: d.PartText(i)}
	for k := range d.References(i) {
		p := &d.Parts[k]
		if p.Flags&(Local|Builtin) != 0 {
			continue
		}
		ref := Ref{Name: d.PartText(k)}
		if p.Target != nil {
			ref = *p.Target
		}
		if !slices.Contains(t.Refs, ref) {
			t.Refs = append(t.Refs, ref)
		}
	}
	return t
}
