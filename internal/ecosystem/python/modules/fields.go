package modules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// classStyle is the way in which the fields of a class define its constructor and
// members.
type classStyle uint8

const (
	plainClass classStyle = iota
	dataClass             // dataclasses and similar decorators
	attrsClass
	pydanticModel
	namedTuple
	typedDict
	enumeration
	protocol
)

// field is one field of a class whose fields define its constructor.
type field struct {
	name       string
	param      string // the name of the parameter, if it differs from the field's name
	annotation string
	value      string // the default as shown, empty if there is none
	doc        string
	keyword    bool // whether the parameter is keyword-only
	hidden     bool // whether the constructor does not have a parameter for it
	computed   bool // whether the program computes the name of the parameter
	binding    *binding
}

var (
	dataclassNames      = set("dataclasses.dataclass", "pydantic.dataclasses.dataclass", "pydantic_dataclasses.dataclass", "dataclass", "strawberry.type", "strawberry.input")
	pydanticDataclasses = set("pydantic.dataclasses.dataclass", "pydantic_dataclasses.dataclass")
	attrsNames          = set("attr.s", "attr.attrs", "attr.attributes", "attr.dataclass", "attr.define", "attr.frozen", "attr.mutable", "attr._make.attrs",
		"attrs.define", "attrs.frozen", "attrs.mutable", "attr._next_gen.define", "attr._next_gen.frozen", "attr._next_gen.mutable", "attr._make.s")
	attribNames   = set("attr.ib", "attr.attrib", "attr.attr", "attr.field", "attrs.field", "attr._make.attrib", "attr._next_gen.field", "attr._make.ib")
	pydanticNames = set("pydantic.BaseModel", "pydantic.main.BaseModel", "pydantic.v1.BaseModel", "pydantic.v1.main.BaseModel", "sqlmodel.SQLModel", "sqlmodel.main.SQLModel", "pydantic.RootModel")
	enumNames     = set("enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag")
	namedNames    = set("typing.NamedTuple", "typing_extensions.NamedTuple", "collections.namedtuple")
	typedNames    = set("typing.TypedDict", "typing_extensions.TypedDict")
	protocolNames = set("typing.Protocol", "typing_extensions.Protocol")
	settingsNames = set("pydantic_settings.BaseSettings", "pydantic_settings.main.BaseSettings", "pydantic.BaseSettings", "pydantic.env_settings.BaseSettings", "pydantic.v1.BaseSettings")
	fieldNames    = set("dataclasses.field", "pydantic.Field", "pydantic.fields.Field", "pydantic.v1.Field", "pydantic.v1.fields.Field", "sqlmodel.Field", "sqlmodel.main.Field")
)

// styleOf returns the style of a class.
func (r *Reader) styleOf(e *entity) classStyle {
	c := r.about(e)
	if c.styled {
		return c.style
	}
	c.styled = true
	c.style = r.findStyle(e)
	return c.style
}

func (r *Reader) findStyle(e *entity) classStyle {
	b := e.main()
	for _, d := range b.stmt.Decorators {
		switch name := d.Tree().Function(); {
		case name == "":
		case r.is(b.scope, name, dataclassNames):
			return dataClass
		case r.is(b.scope, name, attrsNames):
			return attrsClass
		}
	}
	switch {
	case r.inherits(e, enumNames):
		return enumeration
	case r.inherits(e, pydanticNames):
		return pydanticModel
	case r.inherits(e, namedNames):
		return namedTuple
	case r.inherits(e, typedNames):
		return typedDict
	case slices.ContainsFunc(r.bases(e), func(x *entity) bool { return protocolNames[x.full()] }):
		return protocol
	}
	return plainClass
}

// options returns the keyword arguments of a decorator or of a class statement.
func options(t *source.Tree) map[string]string {
	found := map[string]string{}
	if t.Kind == source.Call {
		for _, a := range t.Args {
			if a.Kind == source.Keyword {
				found[a.Name] = a.X.Text
			}
		}
	}
	return found
}

func (r *Reader) decoratorOptions(b *binding, names map[string]bool) map[string]string {
	for _, d := range b.stmt.Decorators {
		if name := d.Tree().Function(); name != "" && r.is(b.scope, name, names) {
			return options(d.Tree())
		}
	}
	return nil
}

// fields returns the fields of a class and its bases, in the order of the
// parameters that they become.
func (r *Reader) fields(e *entity) []*field {
	style := r.styleOf(e)
	var all []*field
	for _, c := range slices.Backward(r.mro(e)) {
		if c.external != "" || c.main() == nil {
			continue
		}
		if made := c.main(); made.stmt != nil && made.stmt.Kind != source.Class {
			all = append(all, r.madeFields(made)...)
			continue
		}
		switch s := r.styleOf(c); {
		case s == style:
		case style == pydanticModel || style == typedDict || style == namedTuple:
		case s == plainClass || s == protocol:
			continue
		}
		for _, f := range r.ownFields(c, style) {
			if i := slices.IndexFunc(all, func(x *field) bool { return x.name == f.name }); i >= 0 {
				all[i] = f
			} else {
				all = append(all, f)
			}
		}
	}
	return all
}

// ownFields returns the fields that one class declares.
func (r *Reader) ownFields(e *entity, style classStyle) []*field {
	var all []*field
	keywords := style == pydanticModel
	b := e.main()
	switch style {
	case dataClass:
		keywords = r.decoratorOptions(b, dataclassNames)["kw_only"] == "True"
	case attrsClass:
		keywords = r.decoratorOptions(b, attrsNames)["kw_only"] == "True"
	}
	s := r.inner(b)
	annotated := style != attrsClass || r.annotatesFields(b)
	for _, x := range s.order {
		if !isField(x) {
			continue
		}
		f := &field{name: x.name, binding: x, keyword: keywords, annotation: source.Flat(x.annotation.Text()), value: short(x.value.Text())}
		value := &source.Tree{}
		if strings.Contains(x.value.Text(), "(") {
			value = x.value.Tree()
		}
		called := ""
		if value.Kind == source.Call {
			called = value.X.Dotted()
		}
		if style == attrsClass && (called == "" || !r.is(s, called, attribNames)) && (x.annotation == nil || !annotated) {
			continue
		}
		if style != attrsClass && x.annotation == nil {
			continue
		}
		switch typeName(x.annotation.Type()) {
		case "ClassVar":
			continue
		case "KW_ONLY":
			keywords = true
			continue
		case "InitVar":
			if _, rest, ok := strings.Cut(f.annotation, "InitVar["); ok {
				f.annotation = strings.TrimSuffix(rest, "]")
			}
		}
		switch style {
		case pydanticModel:
			if strings.HasPrefix(x.name, "_") || x.name == "model_config" {
				continue
			}
			r.annotated(s, f)
		case attrsClass:
			f.param = strings.TrimLeft(x.name, "_")
		case namedTuple, typedDict:
			if strings.HasPrefix(x.name, "_") && style == namedTuple {
				continue
			}
		}
		if called != "" && (r.is(s, called, fieldNames) || r.is(s, called, attribNames)) {
			r.fieldCall(f, value, style, x)
		}
		all = append(all, f)
	}
	return all
}

// annotatesFields reports whether annotations make names fields of a class that attrs decorates. If they do not, only the
// names to which attr.ib() or field() is assigned are fields.
func (r *Reader) annotatesFields(b *binding) bool {
	for _, d := range b.stmt.Decorators {
		name := d.Tree().Function()
		if name == "" || !r.is(b.scope, name, attrsNames) {
			continue
		}
		switch options(d.Tree())["auto_attribs"] {
		case "True":
			return true
		case "", "None":
		default:
			return false
		}
		switch lastOf("." + name) {
		case "s", "attrs", "attributes":
			return false
		case "dataclass":
			return true
		}
	}
	s := r.inner(b)
	return !slices.ContainsFunc(s.order, func(x *binding) bool {
		return isField(x) && x.annotation == nil && strings.Contains(x.value.Text(), "(") && r.is(s, x.value.Tree().Function(), attribNames)
	})
}

// convertsFields reports whether a class that attrs decorates, or a base of it, gets its fields from arguments of the
// decorator, or loses its own __init__ to the decorator.
func (r *Reader) convertsFields(e *entity) bool {
	for _, c := range r.mro(e) {
		if c.external != "" || r.styleOf(c) != attrsClass {
			continue
		}
		b := c.main()
		options := r.decoratorOptions(b, attrsNames)
		if options["these"] != "" || options["field_transformer"] != "" {
			return true
		}
		if c == e && r.inner(b).names["__init__"] != nil && options["init"] == "" && options["auto_detect"] != "True" && slices.ContainsFunc(b.stmt.Decorators, func(d *source.Expression) bool {
			name := d.Tree().Function()
			return replacesInit[lastOf("."+name)] && r.is(b.scope, name, attrsNames)
		}) {
			return true
		}
	}
	return false
}

// replacesInit contains the decorators of attrs that replace __init__ of a class by default.
var replacesInit = set("s", "attrs", "attributes", "dataclass")

func isField(b *binding) bool {
	return b.stmt != nil && b.stmt.Kind == source.Assign && !b.instance && !b.imported && b.stmt.Op == ""
}

// annotated sets the options of a field that are in its annotation, as in Annotated[T, Field(…)].
func (r *Reader) annotated(s *scope, f *field) {
	if !strings.Contains(f.annotation, "Annotated[") || !strings.Contains(f.annotation, "Field(") {
		return
	}
	t := source.Parse(f.annotation)
	if t.Kind != source.Subscript || len(t.Args) < 2 {
		return
	}
	for _, a := range t.Args[1:] {
		if a.Kind == source.Call && r.is(s, a.X.Dotted(), fieldNames) {
			value := f.value
			r.fieldCall(f, a, pydanticModel, nil)
			if value != "" {
				f.value = value
			}
		}
	}
}

// isStandardDataclass reports whether a class has the decorator of the standard library.
func (r *Reader) isStandardDataclass(b *binding) bool {
	return b.stmt != nil && slices.ContainsFunc(b.stmt.Decorators, func(d *source.Expression) bool {
		return r.is(b.scope, d.Tree().Function(), standardDataclass)
	})
}

var standardDataclass = set("dataclasses.dataclass")

// fieldCall reads the options of a field in field(…), Field(…) or attr.ib(…).
func (r *Reader) fieldCall(f *field, call *source.Tree, style classStyle, b *binding) {
	f.value = ""
	index := -1
	if style == pydanticModel || style == attrsClass && strings.HasSuffix(call.X.Dotted(), "ib") {
		index = 0
	}
	if d := call.Argument("default", index); d != nil && d.Text != "..." && !strings.HasSuffix(d.Text, "NOTHING") {
		f.value = short(d.Text)
	}
	for _, name := range []string{"default_factory", "factory"} {
		if d := call.Argument(name, -1); d != nil {
			f.value = short(d.Text) + "()"
			if strings.HasPrefix(d.Text, "lambda") {
				f.value = "..."
			}
		}
	}
	if d := call.Argument("description", -1); d != nil && d.Kind == source.String {
		f.doc = d.Name
	}
	if d := call.Argument("doc", -1); d != nil && d.Kind == source.String {
		f.doc = d.Name
	}
	if d := call.Argument("init", -1); d != nil {
		f.hidden = d.Text == "False"
	}
	if d := call.Argument("kw_only", -1); d != nil {
		f.keyword = d.Text == "True"
	}
	if style == dataClass && lastOf("."+call.X.Dotted()) == "Field" && b != nil && b.scope.class != nil && r.isStandardDataclass(b.scope.class) {
		f.value = cmp.Or(f.value, "...") // The decorator takes what Field of pydantic returns for the default.
		return
	}
	for _, name := range []string{"validation_alias", "alias"} {
		if d := call.Argument(name, -1); d != nil && d.Kind == source.String && isName(d.Name) {
			f.param = d.Name
			break
		} else if d != nil && d.Kind != source.String && d.Text != "None" {
			f.computed = true
		}
	}
	if d := call.Argument("type", -1); d != nil && f.annotation == "" {
		f.annotation = d.Text
	}
	if style == attrsClass && f.value == "" && b != nil { // A method decorated with @x.default may provide the default.
		for _, x := range b.scope.order {
			if x.stmt != nil && x.stmt.Kind == source.Def && slices.ContainsFunc(x.stmt.Decorators, func(d *source.Expression) bool { return d.Tree().Dotted() == f.name+".default" }) {
				f.value = "..."
			}
		}
	}
}

// constructor returns the parameters of the constructor that a class gets from its fields. ok is
// false if it does not get one.
func (r *Reader) constructor(e *entity) (params []source.Param, ok bool) {
	b := e.main()
	style := r.styleOf(e)
	switch style {
	case dataClass:
		if init := r.decoratorOptions(b, dataclassNames)["init"]; init != "" && init != "True" {
			return nil, false
		}
	case attrsClass:
		if init := r.decoratorOptions(b, attrsNames)["init"]; init != "" && init != "True" {
			return nil, false
		}
	case pydanticModel, namedTuple:
	default:
		return nil, false
	}
	var last []source.Param
	alias := r.aliases(e)
	settings := r.inherits(e, settingsNames)
	for _, f := range r.fields(e) {
		if f.hidden {
			continue
		}
		p := source.Param{Kind: source.Positional, Name: f.name, Annotation: f.annotation, Default: f.value}
		if settings && p.Default == "" {
			p.Default = "..." // a variable of the environment may contain the value
		}
		if f.param != "" {
			if f.param != f.name && r.takesNames(e) { // either name can be passed
				p.Default = cmp.Or(p.Default, "...")
				last = append(last, source.Param{Kind: source.KeywordOnly, Name: f.name, Annotation: f.annotation, Default: p.Default})
			}
			p.Name = f.param
		} else if alias != nil {
			p.Name = alias(f.name)
		}
		if f.keyword {
			p.Kind = source.KeywordOnly
			last = append(last, p)
		} else {
			params = append(params, p)
		}
	}
	params = append(params, last...)
	if extra := r.setting(e, "extra"); extra != nil && extra.Name == "allow" {
		params = append(params, source.Param{Kind: source.VarKeyword, Name: "extra_data", Annotation: "Any"})
	}
	return params, true
}

// isMadeClass reports whether an assignment creates a class by a call, such as namedtuple(…),
// NamedTuple(…), TypedDict(…) or Enum(…).
func (r *Reader) isMadeClass(b *binding) bool {
	if b.stmt == nil || b.stmt.Kind != source.Assign || !strings.HasSuffix(b.value.Text(), ")") || b.value.Tree().Kind != source.Call {
		return false
	}
	switch name := b.value.Tree().Function(); lastOf(name) {
	case "namedtuple", "NamedTuple", "TypedDict":
		return true
	case "Enum", "IntEnum", "Flag", "IntFlag", "StrEnum":
		return r.is(b.scope, name, enumNames)
	}
	return false
}

// madeFields returns the fields of a class that is created by a call.
func (r *Reader) madeFields(b *binding) []*field {
	t := b.value.Tree()
	if t.Kind != source.Call || len(t.Args) < 2 || b.filling {
		return nil
	}
	b.filling = true
	defer func() { b.filling = false }()
	var all []*field
	add := func(name, annotation string) {
		if isName(name) && !strings.HasPrefix(name, "_") {
			x := &binding{name: name, scope: b.scope, annotation: source.Annotation(annotation), stmt: &source.Stmt{Kind: source.Assign, Line: b.stmt.Line}}
			all = append(all, &field{name: name, annotation: annotation, binding: x})
		}
	}
	r.addFields(b, t.Args[1], add, 0)
	if defaults := t.Argument("defaults", -1); defaults != nil {
		n := len(defaults.Args)
		for i, d := range defaults.Args {
			if k := len(all) - n + i; k >= 0 {
				all[k].value = short(d.Text)
			}
		}
	}
	return all
}

// addFields adds the fields that are named in an argument of a call such as namedtuple(…).
func (r *Reader) addFields(b *binding, arg *source.Tree, add func(name, annotation string), depth int) {
	switch arg.Kind {
	case source.Binary: // The value is a concatenation, as in ("frame",) + Traceback._fields.
		if depth < maxDepth && arg.Name == "+" {
			r.addFields(b, arg.X, add, depth+1)
			r.addFields(b, arg.Args[0], add, depth+1)
		}
	case source.Attribute:
		if e := r.resolve(b.scope, arg.X.Dotted()); arg.Name == "_fields" && e.known() && e.main() != nil && e.main() != b && depth < maxDepth {
			if e.isClass() {
				for _, f := range r.fields(e) {
					add(f.name, f.annotation)
				}
			} else if made := e.main(); r.isMadeClass(made) {
				for _, f := range r.madeFields(made) {
					add(f.name, f.annotation)
				}
			}
		}
	case source.Name:
		if list := b.scope.named(arg.Name); list != nil && list.value.Text() != "" && list.alt == nil && list != b && depth < maxDepth {
			r.addFields(b, list.value.Tree(), add, depth+1)
		}
	case source.String:
		for _, n := range strings.FieldsFunc(arg.Name, func(c rune) bool { return c == ',' || c == ' ' || c == '\n' || c == '\t' }) {
			add(n, "")
		}
	case source.List, source.Tuple:
		for _, a := range arg.Args {
			switch {
			case a.Kind == source.String:
				add(a.Name, "")
			case len(a.Args) == 2 && a.Args[0].Kind == source.String:
				add(a.Args[0].Name, a.Args[1].Text)
			}
		}
	case source.Dict:
		for i, k := range arg.Keys {
			if k != nil && k.Kind == source.String {
				add(k.Name, arg.Args[i].Text)
			}
		}
	}
}
