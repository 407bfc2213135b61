package rustdoc

import (
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The types below are the parts of rustdoc's format that documentation needs.
// Other fields are skipped. A field that has different names in different
// versions of the format is declared under each name.

type id string

// UnmarshalJSONFrom reads an ID, which is a number in recent versions and a
// string in older ones.
func (i *id) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	switch v.Kind() {
	case '"':
		b, err := jsontext.AppendUnquote(nil, v)
		*i = id(b)
		return err
	case '0':
		*i = id(v)
		return nil
	case 'n':
		*i = ""
		return nil
	}
	return errShape
}

var errShape = errors.New("a value in the file does not have rustdoc's format")

type item struct {
	ID          id            `json:"id"`
	CrateID     int           `json:"crate_id"`
	Name        string        `json:"name"`
	Span        *span         `json:"span"`
	Visibility  tag[any]      `json:"visibility"`
	Docs        string        `json:"docs"`
	Links       map[string]id `json:"links"`
	Attrs       []tag[any]    `json:"attrs"`
	Deprecation *struct {
		Since string `json:"since"`
		Note  string `json:"note"`
	} `json:"deprecation"`
	Inner inner `json:"inner"`
}

type span struct {
	Filename string `json:"filename"`
	Begin    [2]int `json:"begin"`
}

// tag is a value of an enum, which is either only a name, or an object with the name as its key.
type tag[T any] struct {
	Name  string
	Value T
}

// UnmarshalJSONFrom reads a name, as a string, or an object whose only member is
// the name with the value.
func (t *tag[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	switch d.PeekKind() {
	case '"':
		tok, err := d.ReadToken()
		t.Name = tok.String()
		return err
	case '{':
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		if d.PeekKind() == '"' {
			tok, err := d.ReadToken()
			if err != nil {
				return err
			}
			t.Name = tok.String()
			if err := json.UnmarshalDecode(d, &t.Value); err != nil {
				return err
			}
		}
		for d.PeekKind() != '}' {
			if _, err := d.ReadToken(); err != nil {
				return err
			}
			if err := d.SkipValue(); err != nil {
				return err
			}
		}
		_, err := d.ReadToken()
		return err
	}
	return d.SkipValue()
}

// inner is the content of an item, by the kind of item.
type inner struct {
	Kind string `json:"-"`

	Module      *module      `json:"module"`
	Use         *use         `json:"use"`
	Import      *use         `json:"import"`
	ExternCrate *externCrate `json:"extern_crate"`
	Union       *structure   `json:"union"`
	Struct      *structure   `json:"struct"`
	StructField *typ         `json:"struct_field"`
	Enum        *structure   `json:"enum"`
	Variant     *variant     `json:"variant"`
	Function    *function    `json:"function"`
	Trait       *trait       `json:"trait"`
	TraitAlias  *trait       `json:"trait_alias"`
	Impl        *impl        `json:"impl"`
	TypeAlias   *alias       `json:"type_alias"`
	Constant    *constant    `json:"constant"`
	Static      *static      `json:"static"`
	ExternType  *struct{}    `json:"extern_type"`
	Macro       *string      `json:"macro"`
	ProcMacro   *procMacro   `json:"proc_macro"`
	Primitive   *structure   `json:"primitive"`
	AssocConst  *constant    `json:"assoc_const"`
	AssocType   *alias       `json:"assoc_type"`
}

// UnmarshalJSONFrom reads an item, whose key is the name of its kind.
func (i *inner) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == '"' {
		tok, err := d.ReadToken()
		i.Kind = tok.String()
		return err
	}
	type plain inner
	return json.UnmarshalDecode(d, (*plain)(i))
}

type module struct {
	IsCrate    bool `json:"is_crate"`
	Items      []id `json:"items"`
	IsStripped bool `json:"is_stripped"`
}

type use struct {
	Source string `json:"source"`
	Name   string `json:"name"`
	ID     id     `json:"id"`
	IsGlob bool   `json:"is_glob"`
}

type externCrate struct {
	Name   string `json:"name"`
	Rename string `json:"rename"`
}

type structure struct {
	Name                string          `json:"name"`
	Kind                tag[structKind] `json:"kind"`
	Generics            generics        `json:"generics"`
	HasStrippedFields   bool            `json:"has_stripped_fields"`
	HasStrippedVariants bool            `json:"has_stripped_variants"`
	Fields              []id            `json:"fields"`
	Variants            []id            `json:"variants"`
	Impls               []id            `json:"impls"`
}

// structKind is a list of fields, or an object that contains it.
type structKind struct {
	Tuple             []id
	Fields            []id
	HasStrippedFields bool
}

// UnmarshalJSONFrom reads a list of IDs, or an object with the list fields.
func (s *structKind) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == '[' {
		return json.UnmarshalDecode(d, &s.Tuple)
	}
	var plain struct {
		Fields            []id `json:"fields"`
		HasStrippedFields bool `json:"has_stripped_fields"`
	}
	err := json.UnmarshalDecode(d, &plain)
	s.Fields, s.HasStrippedFields = plain.Fields, plain.HasStrippedFields
	return err
}

type variant struct {
	Kind         tag[structKind] `json:"kind"`
	Discriminant *struct {
		Expr string `json:"expr"`
	} `json:"discriminant"`
}

type function struct {
	Sig      functionSig `json:"sig"`
	Generics generics    `json:"generics"`
	Header   header      `json:"header"`
	HasBody  bool        `json:"has_body"`
}

type functionSig struct {
	Inputs      []input `json:"inputs"`
	Output      *typ    `json:"output"`
	IsCVariadic bool    `json:"is_c_variadic"`
}

// input is a parameter: a name and a type.
type input struct {
	Name string
	Type typ
}

// UnmarshalJSONFrom reads a list of two elements: the name and the type.
func (i *input) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if k := d.PeekKind(); k != '[' {
		return errShape
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	if err := json.UnmarshalDecode(d, &i.Name); err != nil {
		return err
	}
	if err := json.UnmarshalDecode(d, &i.Type); err != nil {
		return err
	}
	if d.PeekKind() != ']' {
		return errShape
	}
	_, err := d.ReadToken()
	return err
}

type header struct {
	IsConst  bool     `json:"is_const"`
	IsUnsafe bool     `json:"is_unsafe"`
	IsAsync  bool     `json:"is_async"`
	ABI      tag[abi] `json:"abi"`
}

// abi is the name of an ABI, and whether it unwinds.
type abi struct {
	Name   string
	Unwind bool
}

// UnmarshalJSONFrom reads a name, as a string, or an object with the member
// unwind.
func (a *abi) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == '"' {
		return json.UnmarshalDecode(d, &a.Name)
	}
	var plain struct {
		Unwind bool `json:"unwind"`
	}
	err := json.UnmarshalDecode(d, &plain)
	a.Unwind = plain.Unwind
	return err
}

type generics struct {
	Params []param     `json:"params"`
	Where  []predicate `json:"where_predicates"`
}

type param struct {
	Name string         `json:"name"`
	Kind tag[paramKind] `json:"kind"`
}

type paramKind struct {
	Outlives    []string  `json:"outlives"`
	Bounds      []bound   `json:"bounds"`
	Type        *typ      `json:"type"`
	Default     *fallback `json:"default"`
	IsSynthetic bool      `json:"is_synthetic"`
}

// fallback is the default of a parameter: a type, or an expression.
type fallback struct {
	Type *typ
	Expr string
}

// UnmarshalJSONFrom reads an expression, as a string, or a type.
func (f *fallback) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == '"' {
		tok, err := d.ReadToken()
		f.Expr = tok.String()
		if f.Expr == "infer" {
			f.Expr = "_"
		}
		return err
	}
	return json.UnmarshalDecode(d, &f.Type)
}

type predicate struct {
	Bound *struct {
		Type   typ     `json:"type"`
		Bounds []bound `json:"bounds"`
		Params []param `json:"generic_params"`
	} `json:"bound_predicate"`
	Lifetime *struct {
		Lifetime string   `json:"lifetime"`
		Outlives []string `json:"outlives"`
	} `json:"lifetime_predicate"`
	Eq *struct {
		Left  typ  `json:"lhs"`
		Right term `json:"rhs"`
	} `json:"eq_predicate"`
}

type bound struct {
	Trait *struct {
		Trait    path     `json:"trait"`
		Params   []param  `json:"generic_params"`
		Modifier tag[any] `json:"modifier"`
	} `json:"trait_bound"`
	Outlives *string    `json:"outlives"`
	Use      []captured `json:"use"`
}

// captured is a lifetime or parameter of use<…>.
type captured struct{ Name string }

// UnmarshalJSONFrom reads a name, or an object that contains it.
func (c *captured) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var t tag[string]
	err := t.UnmarshalJSONFrom(d)
	if c.Name = t.Value; c.Name == "" {
		c.Name = t.Name
	}
	return err
}

type term struct {
	Type     *typ   `json:"type"`
	Constant *value `json:"constant"`
}

type value struct {
	Expr      string `json:"expr"`
	Value     string `json:"value"`
	IsLiteral bool   `json:"is_literal"`
}

type path struct {
	Path string `json:"path"`
	Name string `json:"name"` // the name in old versions of the format
	ID   id     `json:"id"`
	Args *args  `json:"args"`
}

func (p *path) text() string {
	if p.Path != "" {
		return p.Path
	}
	return p.Name
}

type args struct {
	Angle *struct {
		Args        []arg        `json:"args"`
		Constraints []constraint `json:"constraints"`
		Bindings    []constraint `json:"bindings"`
	} `json:"angle_bracketed"`
	Parens *struct {
		Inputs []typ `json:"inputs"`
		Output *typ  `json:"output"`
	} `json:"parenthesized"`
	ReturnType bool `json:"-"`
}

// wordOr reads v, or a string, which is the form of a value without fields. It
// sets word to report whether it read a string.
func wordOr(d *jsontext.Decoder, word *bool, v any) error {
	if *word = d.PeekKind() == '"'; *word {
		_, err := d.ReadToken()
		return err
	}
	return json.UnmarshalDecode(d, v)
}

// UnmarshalJSONFrom reads arguments, or the string "return_type_notation".
func (a *args) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain args
	return wordOr(d, &a.ReturnType, (*plain)(a))
}

type arg struct {
	Lifetime *string `json:"lifetime"`
	Type     *typ    `json:"type"`
	Const    *value  `json:"const"`
	Infer    bool    `json:"-"`
}

// UnmarshalJSONFrom reads an argument, or the string "infer".
func (a *arg) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain arg
	return wordOr(d, &a.Infer, (*plain)(a))
}

type constraint struct {
	Name    string `json:"name"`
	Args    *args  `json:"args"`
	Binding struct {
		Equality   *term   `json:"equality"`
		Constraint []bound `json:"constraint"`
	} `json:"binding"`
}

type typ struct {
	ResolvedPath *path `json:"resolved_path"`
	DynTrait     *struct {
		Traits []struct {
			Trait  path    `json:"trait"`
			Params []param `json:"generic_params"`
		} `json:"traits"`
		Lifetime string `json:"lifetime"`
	} `json:"dyn_trait"`
	Generic         *string `json:"generic"`
	Primitive       *string `json:"primitive"`
	FunctionPointer *struct {
		Sig    functionSig `json:"sig"`
		Params []param     `json:"generic_params"`
		Header header      `json:"header"`
	} `json:"function_pointer"`
	Tuple *[]typ `json:"tuple"`
	Slice *typ   `json:"slice"`
	Array *struct {
		Type typ    `json:"type"`
		Len  string `json:"len"`
	} `json:"array"`
	Pat *struct {
		Type typ `json:"type"`
	} `json:"pat"`
	ImplTrait  *[]bound `json:"impl_trait"`
	Infer      bool     `json:"-"`
	RawPointer *struct {
		IsMutable bool `json:"is_mutable"`
		Type      typ  `json:"type"`
	} `json:"raw_pointer"`
	BorrowedRef *struct {
		Lifetime  string `json:"lifetime"`
		IsMutable bool   `json:"is_mutable"`
		Type      typ    `json:"type"`
	} `json:"borrowed_ref"`
	QualifiedPath *struct {
		Name  string `json:"name"`
		Args  *args  `json:"args"`
		Self  typ    `json:"self_type"`
		Trait *path  `json:"trait"`
	} `json:"qualified_path"`
}

// UnmarshalJSONFrom reads a type, or the string "infer".
func (t *typ) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain typ
	return wordOr(d, &t.Infer, (*plain)(t))
}

type trait struct {
	IsAuto          bool     `json:"is_auto"`
	IsUnsafe        bool     `json:"is_unsafe"`
	Items           []id     `json:"items"`
	Generics        generics `json:"generics"`
	Bounds          []bound  `json:"bounds"`
	Params          []bound  `json:"params"` // parameters of an alias
	Implementations []id     `json:"implementations"`
}

type impl struct {
	IsUnsafe    bool     `json:"is_unsafe"`
	Generics    generics `json:"generics"`
	Provided    []string `json:"provided_trait_methods"`
	Trait       *path    `json:"trait"`
	For         typ      `json:"for"`
	Items       []id     `json:"items"`
	IsNegative  bool     `json:"is_negative"`
	IsSynthetic bool     `json:"is_synthetic"`
	Blanket     *typ     `json:"blanket_impl"`
}

type alias struct {
	Type     *typ     `json:"type"`
	Generics generics `json:"generics"`
	Bounds   []bound  `json:"bounds"`
}

type constant struct {
	Type  typ    `json:"type"`
	Const *value `json:"const"`
	Value string `json:"value"` // value of an associated constant
}

type static struct {
	Type      typ    `json:"type"`
	IsMutable bool   `json:"is_mutable"`
	IsUnsafe  bool   `json:"is_unsafe"`
	Expr      string `json:"expr"`
}

type procMacro struct {
	Kind    string   `json:"kind"`
	Helpers []string `json:"helpers"`
}

type summary struct {
	CrateID int      `json:"crate_id"`
	Path    []string `json:"path"`
	Kind    string   `json:"kind"`
}
