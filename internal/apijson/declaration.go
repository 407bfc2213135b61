package apijson

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Declaration is the content of one declaration of a symbol as data.
type Declaration struct {
	// TypeParams are the type parameters in order.
	TypeParams []TypeParam `json:"typeParams,omitempty"`
	// Params are the parameters in order. It is nil if the declared symbol cannot be called.
	Params []Param `json:"params,omitempty"`
	// Results are the results in order. A function without a written result has none.
	Results []Result `json:"results,omitempty"`
	// Effects are words such as async, throws and unsafe.
	Effects []string `json:"effects,omitempty"`
	// Throws are the types that a call is declared to throw.
	Throws []TypeText `json:"throws,omitempty"`
	// Bases are base classes, embedded types and conformances.
	Bases []TypeText `json:"bases,omitempty"`
	// Type is the type of a value or field, or the type that an alias refers to.
	Type *TypeText `json:"type,omitempty"`
	// Value is the value of a constant or variable, as it is shown.
	Value string `json:"value,omitempty"`
}

// Param is one parameter.
type Param struct {
	// Name is the name within the function. It is a pattern if it binds several names, and "" if
	// the declaration contains only a type.
	Name string `json:"name,omitempty"`
	// Label is the word with which callers pass the parameter, if it differs from Name. It is "_"
	// if callers do not write a label.
	Label string `json:"label,omitempty"`
	TypeText
	// Default is the text of the value that is used if the parameter is omitted.
	Default string `json:"default,omitempty"`
	// Optional is true if the parameter may be omitted.
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

// TypeText is the text of a type, with the symbols that it refers to.
type TypeText struct {
	Type string `json:"type,omitempty"`
	// Refs are the symbols that the type refers to, in order and without duplicates. If the target
	// of a name is unknown, its entry has neither a package nor a path. Type parameters and parts
	// of the language are omitted.
	Refs []apidoc.Ref `json:"refs,omitempty"`
}

// Declarations returns the declarations in d.
func Declarations(d apidoc.Decl) []Declaration {
	var all []Declaration
	for i := range d.Within(-1, apidoc.DeclarationPart) {
		all = append(all, decl{d}.declaration(i))
	}
	return all
}

type decl struct{ apidoc.Decl }

func (d decl) declaration(i int) Declaration {
	var out Declaration
	for k := range d.Within(i, 0) {
		switch d.Parts[k].Role {
		case apidoc.TypeParamPart:
			out.TypeParams = append(out.TypeParams, d.typeParam(k))
		case apidoc.ParamPart:
			out.Params = append(out.Params, d.param(k))
		case apidoc.ResultPart:
			r := Result{Name: d.ChildText(k, apidoc.NamePart)}
			if t := d.TypeOf(k); t >= 0 {
				r.TypeText = d.typeText(t)
			}
			out.Results = append(out.Results, r)
		case apidoc.EffectPart:
			word := d.PartText(k)
			if t := d.Child(k, apidoc.TypePart); t >= 0 {
				out.Throws = append(out.Throws, d.typeText(t))
				word = strings.TrimRight(d.Text[d.Parts[k].Start:d.Parts[t].Start], "( ")
			}
			out.Effects = append(out.Effects, word)
		case apidoc.BasePart:
			out.Bases = append(out.Bases, d.typeText(k))
		case apidoc.TypePart:
			t := d.typeText(k)
			out.Type = &t
		case apidoc.ValuePart:
			out.Value = d.PartText(k)
		}
	}
	return out
}

func (d decl) param(i int) Param {
	flags := d.Parts[i].Flags
	p := Param{
		Name: d.ChildText(i, apidoc.NamePart), Label: d.ChildText(i, apidoc.LabelPart), Default: d.ChildText(i, apidoc.DefaultPart),
		Optional: flags&apidoc.Optional != 0, Variadic: flags&apidoc.Variadic != 0, Self: flags&apidoc.Self != 0,
		KeywordOnly: flags&apidoc.KeywordOnly != 0, PositionalOnly: flags&apidoc.PositionalOnly != 0,
	}
	if t := d.TypeOf(i); t >= 0 {
		p.TypeText = d.typeText(t)
	}
	return p
}

func (d decl) typeParam(i int) TypeParam {
	p := TypeParam{Name: d.ChildText(i, apidoc.NamePart), Default: d.ChildText(i, apidoc.DefaultPart)}
	for c := range d.Within(i, apidoc.ConstraintPart) {
		p.Constraints = append(p.Constraints, d.typeText(c))
	}
	return p
}

func (d decl) typeText(i int) TypeText {
	t := TypeText{Type: d.PartText(i)}
	for k := range d.References(i) {
		p := &d.Parts[k]
		if p.Flags&(apidoc.Local|apidoc.Builtin) != 0 {
			continue
		}
		ref := apidoc.Ref{Name: d.PartText(k)}
		if p.Target != nil {
			ref = *p.Target
		}
		if !slices.Contains(t.Refs, ref) {
			t.Refs = append(t.Refs, ref)
		}
	}
	return t
}
