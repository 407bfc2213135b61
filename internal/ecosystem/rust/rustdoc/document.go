package rustdoc

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/doctext"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	"github.com/docent-mcp/docent/internal/markup"
)

var errTooMuch = errors.New("the crate has too many symbols")

func deprecation(it *item) string {
	d := it.Deprecation
	if d == nil {
		return ""
	}
	text := "deprecated"
	if d.Since != "" {
		text += " since " + d.Since
	}
	if d.Note != "" {
		text += ": " + strings.TrimSpace(d.Note)
	}
	return markup.Clean(text)
}

// docs returns the documentation of an item as Markdown.
func (c *Crate) docs(it *item) string {
	if it.Docs == "" {
		return ""
	}
	return strings.Trim(markup.Clean(doctext.Links(doctext.Examples(it.Docs), func(target string) string {
		i, ok := it.Links[target]
		if !ok {
			if i, ok = it.Links["`"+target+"`"]; !ok {
				return ""
			}
		}
		if p := c.paths[i]; p != nil {
			return strings.Join(p.Path, "::")
		}
		if t := c.index[i]; t != nil {
			return strings.Trim(strings.TrimSuffix(target, "()"), "`")
		}
		return ""
	})), "\n")
}

// base returns a symbol with the fields that all symbols have.
func (c *Crate) base(it *item, path string) apidoc.Symbol {
	c.symbols++
	s := apidoc.Symbol{Path: path, Doc: c.docs(it), Deprecated: deprecation(it)}
	if it.Span != nil {
		s.File, s.Line = it.Span.Filename, it.Span.Begin[0]
	}
	return s
}

// kinds maps the kinds in summaries of items of other crates to kinds of symbols.
var kinds = map[string]apidoc.Kind{
	"module": apidoc.Module, "struct": apidoc.Struct, "union": apidoc.Union, "enum": apidoc.Enum, "variant": apidoc.Variant, "function": apidoc.Function,
	"type_alias": apidoc.TypeAlias, "constant": apidoc.Const, "trait": apidoc.Trait, "trait_alias": apidoc.TraitAlias, "static": apidoc.Static,
	"macro": apidoc.Macro, "proc_attribute": apidoc.AttributeMacro, "proc_derive": apidoc.DeriveMacro, "primitive": apidoc.PrimitiveType, "extern_type": apidoc.ForeignType,
}

// symbol documents one exported name. It returns false for kinds of items that
// are not shown.
func (c *Crate) symbol(x export) (apidoc.Symbol, bool) {
	if x.item == nil {
		s := apidoc.Symbol{Path: x.name, Kind: apidoc.Reexport, Doc: c.docs(x.use)}
		if k, ok := kinds[x.path.Kind]; ok {
			s.Kind = k
		}
		source := strings.Join(x.path.Path, "::")
		if u := cmp.Or(x.use.Inner.Use, x.use.Inner.Import); u != nil && u.Source != "" {
			source = u.Source // the item may be in a private module
		}
		s.Signature = "pub use " + source
		if !strings.HasSuffix("::"+source, "::"+x.name) {
			s.Signature += " as " + x.name
		}
		s.Signature += ";"
		return s, true
	}
	s := c.base(x.item, x.name)
	if x.use != nil {
		if doc := c.docs(x.use); doc != "" {
			s.Doc = strings.Trim(doc+"\n\n"+s.Doc, "\n")
		}
	}
	if !c.declare(&s, x.item) {
		return s, false
	}
	if marks := marks(x.item); marks != "" {
		s.Signature = marks + s.Signature
	}
	return s, true
}

// marks returns the attributes that precede a declaration.
func marks(it *item) string {
	var b strings.Builder
	for _, a := range it.Attrs {
		switch {
		case strings.HasPrefix(a.Name, "#["):
			for _, name := range []string{"must_use", "non_exhaustive", "repr", "no_mangle", "export_name", "link_section", "target_feature"} {
				if strings.HasPrefix(a.Name[2:], name) {
					b.WriteString(a.Name + "\n")
				}
			}
		case a.Name == "non_exhaustive", a.Name == "no_mangle":
			b.WriteString("#[" + a.Name + "]\n")
		case a.Name == "must_use":
			reason := ""
			if v, ok := a.Value.(map[string]any); ok {
				reason, _ = v["reason"].(string)
			}
			if reason != "" {
				b.WriteString("#[must_use = " + strconv.Quote(reason) + "]\n")
			} else {
				b.WriteString("#[must_use]\n")
			}
		case a.Name == "repr":
			b.WriteString(repr(a.Value))
		case a.Name == "other":
			if s, ok := a.Value.(string); ok && strings.HasPrefix(s, "#[repr") {
				b.WriteString(s + "\n")
			}
		}
	}
	return b.String()
}

func repr(v any) string {
	m, ok := v.(map[string]any)
	if !ok {
		return ""
	}
	var parts []string
	if k, ok := m["kind"].(string); ok && k != "rust" {
		parts = append(parts, map[string]string{"c": "C"}[k]+strings.TrimPrefix(k, "c"))
	}
	if n, ok := m["int"].(string); ok {
		parts = append(parts, n)
	}
	for _, name := range []string{"align", "packed"} {
		if n, ok := m[name].(float64); ok {
			parts = append(parts, fmt.Sprintf("%s(%d)", name, int(n)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "#[repr(" + strings.Join(parts, ", ") + ")]\n"
}

// declare writes the signature and members of an item. It returns false for kinds of
// items that are not shown.
func (c *Crate) declare(s *apidoc.Symbol, it *item) bool {
	in := &it.Inner
	switch {
	case in.Function != nil:
		s.Kind, s.Signature = apidoc.Function, functionText(it, true, "")
	case in.Struct != nil:
		s.Kind = apidoc.Struct
		c.structure(s, it, in.Struct, "struct")
		c.implementations(s, in.Struct.Impls)
	case in.Union != nil:
		s.Kind = apidoc.Union
		c.structure(s, it, in.Union, "union")
		c.implementations(s, in.Union.Impls)
	case in.Enum != nil:
		s.Kind = apidoc.Enum
		var lines []signature.Field
		for _, i := range in.Enum.Variants {
			v := c.index[i]
			if v == nil || v.Inner.Variant == nil {
				continue
			}
			m := c.variant(v, s.Path+"::"+v.Name)
			lines = append(lines, signature.Field{Text: m.Signature, Doc: m.Doc})
			s.Members = append(s.Members, m)
		}
		rest := ""
		if in.Enum.HasStrippedVariants {
			rest = signature.OmittedVariants
		}
		s.Signature = signature.Fields("pub enum "+it.Name+signature.Generics(paramList(in.Enum.Generics.Params)), signature.Where(whereList(in.Enum.Generics.Where)), lines, rest)
		c.implementations(s, in.Enum.Impls)
	case in.Variant != nil:
		v := c.variant(it, s.Path)
		s.Kind, s.Signature, s.Members = v.Kind, v.Signature, v.Members
	case in.Trait != nil:
		s.Kind = apidoc.Trait
		c.trait(s, it)
	case in.TraitAlias != nil:
		s.Kind = apidoc.TraitAlias
		s.Signature = "pub trait " + it.Name + signature.Generics(paramList(in.TraitAlias.Generics.Params)) + " = " + text(func(p *printer) { p.bounds(in.TraitAlias.Params) }) +
			signature.End(signature.Where(whereList(in.TraitAlias.Generics.Where)))
	case in.TypeAlias != nil:
		s.Kind = apidoc.TypeAlias
		s.Signature = "pub type " + it.Name + signature.Generics(paramList(in.TypeAlias.Generics.Params)) + signature.Where(whereList(in.TypeAlias.Generics.Where)) + " = " + typeText(in.TypeAlias.Type) + ";"
	case in.Constant != nil:
		s.Kind, s.Signature = apidoc.Const, "pub const "+it.Name+": "+typeText(&in.Constant.Type)
		if in.Constant.Const != nil && in.Constant.Const.Expr != "" {
			s.Signature += " = " + in.Constant.Const.Expr
		}
		s.Signature += ";"
	case in.Static != nil:
		s.Kind = apidoc.Static
		word := "pub static "
		if in.Static.IsUnsafe {
			word = "pub unsafe static "
		}
		if in.Static.IsMutable {
			word += "mut "
		}
		s.Signature = word + it.Name + ": " + typeText(&in.Static.Type) + ";"
	case in.Kind == "extern_type":
		s.Kind, s.Signature = apidoc.ForeignType, "pub type "+it.Name+";"
	case in.Macro != nil:
		s.Kind, s.Signature = apidoc.Macro, *in.Macro
	case in.ProcMacro != nil:
		switch in.ProcMacro.Kind {
		case "bang":
			s.Kind, s.Signature = apidoc.Macro, it.Name+"!() { /* proc-macro */ }"
		case "attr":
			s.Kind, s.Signature = apidoc.AttributeMacro, "#["+it.Name+"]"
		default:
			s.Kind, s.Signature = apidoc.DeriveMacro, "#[derive("+it.Name+")]"
			if len(in.ProcMacro.Helpers) > 0 {
				s.Signature += "\n{\n    // Attributes available to this derive:"
				for _, h := range in.ProcMacro.Helpers {
					s.Signature += "\n    #[" + h + "]"
				}
				s.Signature += "\n}"
			}
		}
	case in.Primitive != nil:
		s.Kind, s.Signature = apidoc.PrimitiveType, it.Name
		c.implementations(s, in.Primitive.Impls)
	case in.Module != nil:
		s.Kind, s.Signature = apidoc.Module, "pub mod "+s.Path
	default:
		return false
	}
	return true
}

func typeText(t *typ) string {
	if t == nil {
		return ""
	}
	return text(func(p *printer) { p.typ(t) })
}

// functionText returns the declaration of a function. If public is true, it
// begins with pub.
func functionText(it *item, public bool, body string) string {
	fn := it.Inner.Function
	head := fn.Header.words() + "fn " + it.Name + signature.Generics(paramList(fn.Generics.Params))
	if public {
		head = "pub " + head
	}
	f := signature.Func{Head: head, Where: whereList(fn.Generics.Where), Body: body}
	for i := range fn.Sig.Inputs {
		in := &fn.Sig.Inputs[i]
		if self := selfText(in); in.Name == "self" && self != "" {
			f.Params = append(f.Params, self)
			continue
		}
		f.Params = append(f.Params, cmp.Or(in.Name, "_")+": "+typeText(&in.Type))
	}
	if fn.Sig.IsCVariadic {
		f.Params = append(f.Params, "...")
	}
	f.Output = typeText(fn.Sig.Output)
	return f.String()
}

// selfText returns a receiver in its short form. It returns "" for other
// parameters.
func selfText(in *input) string {
	isSelf := func(t *typ) bool { return t.Generic != nil && *t.Generic == "Self" }
	switch t := &in.Type; {
	case isSelf(t):
		return "self"
	case t.BorrowedRef != nil && isSelf(&t.BorrowedRef.Type):
		s := "&"
		if t.BorrowedRef.Lifetime != "" {
			s += t.BorrowedRef.Lifetime + " "
		}
		if t.BorrowedRef.IsMutable {
			s += "mut "
		}
		return s + "self"
	}
	return ""
}

// structure writes a struct or union with its fields.
func (c *Crate) structure(s *apidoc.Symbol, it *item, x *structure, word string) {
	head := "pub " + word + " " + it.Name + signature.Generics(paramList(x.Generics.Params))
	where := signature.Where(whereList(x.Generics.Where))
	switch x.Kind.Name {
	case "unit":
		s.Signature = head + signature.End(where)
	case "tuple":
		shown, fields := c.tuple(x.Kind.Value.Tuple, s.Path, "pub ")
		s.Signature, s.Members = head+"("+shown+")"+signature.End(where), fields
	default:
		ids, stripped := x.Fields, x.HasStrippedFields
		if x.Kind.Name == "plain" {
			ids, stripped = x.Kind.Value.Fields, x.Kind.Value.HasStrippedFields
		}
		var lines []signature.Field
		s.Members, lines = c.fields(ids, s.Path, "pub ")
		rest := ""
		if stripped {
			rest = signature.PrivateFields
		}
		s.Signature = signature.Fields(head, where, lines, rest)
	}
}

func (c *Crate) fields(ids []id, path, public string) (all []apidoc.Symbol, lines []signature.Field) {
	for _, i := range ids {
		f := c.index[i]
		if f == nil || f.Inner.StructField == nil {
			continue
		}
		m := c.base(f, path+"::"+f.Name)
		m.Kind, m.Signature = apidoc.Field, public+f.Name+": "+typeText(f.Inner.StructField)
		all = append(all, m)
		lines = append(lines, signature.Field{Text: m.Signature, Doc: m.Doc})
	}
	return all, lines
}

func (c *Crate) tuple(ids []id, path, public string) (shown string, all []apidoc.Symbol) {
	var parts []string
	private := 0
	for n, i := range ids {
		f := c.index[i]
		if f == nil || f.Inner.StructField == nil {
			parts = append(parts, "_")
			private++
			continue
		}
		name := strconv.Itoa(n)
		t := typeText(f.Inner.StructField)
		m := c.base(f, path+"::"+name)
		m.Kind, m.Signature = apidoc.Field, public+name+": "+t
		parts = append(parts, public+t)
		all = append(all, m)
	}
	if private > 0 && private == len(parts) {
		return signature.PrivateFields, all
	}
	return strings.Join(parts, ", "), all
}

func (c *Crate) variant(it *item, path string) apidoc.Symbol {
	s := c.base(it, path)
	s.Kind = apidoc.Variant
	v := it.Inner.Variant
	switch v.Kind.Name {
	case "tuple":
		shown, fields := c.tuple(v.Kind.Value.Tuple, path, "")
		s.Signature, s.Members = it.Name+"("+shown+")", fields
	case "struct":
		fields, lines := c.fields(v.Kind.Value.Fields, path, "")
		rest := ""
		if v.Kind.Value.HasStrippedFields {
			rest = "// some fields omitted"
		}
		s.Signature, s.Members = signature.Fields(it.Name, "", lines, rest), fields
	default:
		s.Signature = it.Name
	}
	if v.Discriminant != nil {
		s.Signature += " = " + v.Discriminant.Expr
	}
	return s
}

func (c *Crate) trait(s *apidoc.Symbol, it *item) {
	t := it.Inner.Trait
	head := "pub "
	if t.IsUnsafe {
		head += "unsafe "
	}
	if t.IsAuto {
		head += "auto "
	}
	head += "trait " + it.Name + signature.Generics(paramList(t.Generics.Params))
	if len(t.Bounds) > 0 {
		head += ": " + text(func(p *printer) { p.bounds(t.Bounds) })
	}
	s.Signature = head + signature.Where(whereList(t.Generics.Where))
	for _, i := range t.Items {
		if m := c.index[i]; m != nil {
			if x, ok := c.associated(m, s.Path, true); ok {
				s.Members = append(s.Members, x)
			}
		}
	}
	var impls []apidoc.Symbol
	for _, i := range t.Implementations {
		im := c.index[i]
		if im == nil || im.Inner.Impl == nil || im.Inner.Impl.IsSynthetic {
			continue
		}
		if c.foreign(&im.Inner.Impl.For) {
			impls = append(impls, c.implementation(im, s.Path))
		}
	}
	slices.SortStableFunc(impls, func(a, b apidoc.Symbol) int { return cmp.Compare(a.Path, b.Path) })
	s.Members = append(s.Members, impls...)
}

// foreign reports whether a type is not declared in the crate.
func (c *Crate) foreign(t *typ) bool {
	for t.BorrowedRef != nil {
		t = &t.BorrowedRef.Type
	}
	if t.DynTrait != nil && len(t.DynTrait.Traits) > 0 {
		return c.index[t.DynTrait.Traits[0].Trait.ID] == nil
	}
	if t.ResolvedPath == nil {
		return true
	}
	if it := c.index[t.ResolvedPath.ID]; it != nil {
		return false
	}
	p := c.paths[t.ResolvedPath.ID]
	return p != nil && p.CrateID != 0
}

// associated documents an item of a trait or an implementation. It returns false
// if the item is not shown.
func (c *Crate) associated(m *item, path string, inTrait bool) (apidoc.Symbol, bool) {
	s := c.base(m, path+"::"+m.Name)
	public := ""
	if !inTrait {
		public = "pub "
	}
	switch in := &m.Inner; {
	case in.Function != nil:
		body := ""
		if inTrait && in.Function.HasBody {
			body = " { ... }"
		}
		s.Kind, s.Signature = apidoc.Method, functionText(m, !inTrait, body)
	case in.AssocConst != nil:
		s.Kind, s.Signature = apidoc.AssocConst, public+"const "+m.Name+": "+typeText(&in.AssocConst.Type)
		if v := in.AssocConst.Value; v != "" {
			s.Signature += " = " + v
		}
		s.Signature += ";"
	case in.AssocType != nil:
		s.Kind, s.Signature = apidoc.AssocType, public+"type "+m.Name+signature.Generics(paramList(in.AssocType.Generics.Params))
		if len(in.AssocType.Bounds) > 0 {
			s.Signature += ": " + text(func(p *printer) { p.bounds(in.AssocType.Bounds) })
		}
		if in.AssocType.Type != nil {
			s.Signature += " = " + typeText(in.AssocType.Type)
		}
		s.Signature += signature.End(signature.Where(whereList(in.AssocType.Generics.Where)))
	default:
		return s, false
	}
	if marks := marks(m); marks != "" {
		s.Signature = marks + s.Signature
	}
	return s, true
}

// implementations documents the inherent members of a type and the traits that
// it implements.
func (c *Crate) implementations(s *apidoc.Symbol, ids []id) {
	var traits []apidoc.Symbol
	for _, i := range ids {
		it := c.index[i]
		if it == nil || it.Inner.Impl == nil {
			continue
		}
		im := it.Inner.Impl
		switch {
		case im.IsSynthetic || im.Blanket != nil:
		case im.Trait == nil:
			for _, i := range im.Items {
				if m := c.index[i]; m != nil {
					if x, ok := c.associated(m, s.Path, false); ok {
						s.Members = append(s.Members, x)
					}
				}
			}
		default:
			traits = append(traits, c.implementation(it, s.Path))
		}
	}
	slices.SortStableFunc(traits, func(a, b apidoc.Symbol) int { return cmp.Compare(a.Path, b.Path) })
	s.Members = append(s.Members, traits...)
}

func (c *Crate) implementation(it *item, path string) apidoc.Symbol {
	im := it.Inner.Impl
	var p printer
	if im.IsUnsafe {
		p.WriteString("unsafe ")
	}
	p.WriteString("impl" + signature.Generics(paramList(im.Generics.Params)) + " ")
	if im.IsNegative {
		p.WriteByte('!')
	}
	p.path(im.Trait)
	p.WriteString(" for ")
	p.typ(&im.For)
	first := p.String()
	p.WriteString(signature.Where(whereList(im.Generics.Where)))
	s := c.base(it, path+"::"+signature.ImplName(first))
	s.Kind, s.Signature = apidoc.Impl, p.String()
	return s
}
