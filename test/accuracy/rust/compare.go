package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/rustdoc"
)

// oracle contains all modules that rustdoc describes.
func oracle(file, name string) ([]*apidoc.Package, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := rustdoc.Load(f)
	if err != nil {
		return nil, err
	}
	root, err := c.Module(name)
	if err != nil {
		return nil, err
	}
	all := []*apidoc.Package{root}
	for _, sub := range root.Subpackages {
		p, err := c.Module(sub.Name)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// ratio counts the correct items of a total.
type ratio struct{ right, total int }

func (r ratio) String() string {
	if r.total == 0 {
		return "    -"
	}
	return fmt.Sprintf("%5.1f", 100*float64(r.right)/float64(r.total))
}

func (r ratio) low() bool { return r.total > 0 && 100*r.right < 95*r.total }

// score compares one crate.
type score struct {
	recall, precision, members, signatures, impls, headers ratio
	differences                                            []string
	aliases                                                map[string]bool
}

const header = "crate                 items recall precis. members   signat.   impls  headers"

func (s *score) line(name string) string {
	return fmt.Sprintf("%-20s %6d %6s %6s %6s (%6d) %6s %6s (%6d) %6s", name, s.recall.total, s.recall, s.precision, s.members, s.members.total, s.signatures, s.impls, s.impls.total, s.headers)
}

func (s *score) low() bool {
	return s.recall.low() || s.precision.low() || s.members.low() || s.signatures.low() || s.impls.low()
}

func (s *score) add(o *score) {
	for _, p := range []struct{ to, from *ratio }{{&s.recall, &o.recall}, {&s.precision, &o.precision}, {&s.members, &o.members}, {&s.signatures, &o.signatures}, {&s.impls, &o.impls}, {&s.headers, &o.headers}} {
		p.to.right += p.from.right
		p.to.total += p.from.total
	}
}

func (s *score) print(limit int) {
	for i, d := range s.differences {
		if i == limit {
			fmt.Printf("   … %d more\n", len(s.differences)-limit)
			break
		}
		fmt.Println("  ", d)
	}
}

func (s *score) differ(format string, args ...any) {
	s.differences = append(s.differences, fmt.Sprintf(format, args...))
}

// symbolsOf returns the symbols of all modules by path and kind. It includes modules.
func symbolsOf(name string, all []*apidoc.Package) map[string][]*apidoc.Symbol {
	found := map[string][]*apidoc.Symbol{}
	for _, p := range all {
		if p.Name != name {
			found[p.Name] = append(found[p.Name], &apidoc.Symbol{Path: p.Name, Kind: apidoc.Module})
		}
		for i := range p.Symbols {
			s := &p.Symbols[i]
			path := p.Name + "::" + s.Path
			found[path] = append(found[path], s)
		}
	}
	return found
}

// compare compares a crate with rustdoc's results. pages are the files of rustdoc's HTML, or nil if
// they are unknown.
func compare(name string, got, want []*apidoc.Package, pages map[string]bool) *score {
	s := &score{aliases: map[string]bool{}}
	for _, p := range got {
		for i := range p.Symbols {
			if p.Symbols[i].Kind == apidoc.TypeAlias {
				s.aliases[p.Symbols[i].Path] = true
			}
		}
	}
	ours, theirs := symbolsOf(name, got), symbolsOf(name, want)
	matched := map[*apidoc.Symbol]bool{}
	for path, list := range theirs {
		for _, t := range list {
			s.recall.total++
			var match *apidoc.Symbol
			for _, o := range ours[path] {
				if !matched[o] && sameKind(o, t) {
					match = o
					break
				}
			}
			if match == nil {
				s.differ("missing %s (%s)", path, t.Kind)
				continue
			}
			matched[match] = true
			s.recall.right++
			if !strings.HasPrefix(t.Signature, "pub use ") && match.From == "" && t.Kind != apidoc.Module {
				s.symbol(path, match, t)
			}
		}
	}
	for path, list := range ours {
		for _, o := range list {
			if o.From != "" && !matched[o] {
				continue // from another crate through a glob, which rustdoc's JSON does not list
			}
			if !matched[o] && pages[pageOf(path, o.Kind)] {
				continue // from a hidden module: omitted in rustdoc's JSON but not in its pages
			}
			s.precision.total++
			if matched[o] {
				s.precision.right++
			} else {
				s.differ("extra %s (%s)", path, o.Kind)
			}
		}
	}
	return s
}

// pageOf returns the file of rustdoc's HTML that shows an item.
func pageOf(path string, kind apidoc.Kind) string {
	prefix, ok := map[apidoc.Kind]string{
		apidoc.Function: "fn", apidoc.Struct: "struct", apidoc.Enum: "enum", apidoc.Trait: "trait", apidoc.Const: "constant",
		apidoc.TypeAlias: "type", apidoc.Static: "static", apidoc.Macro: "macro", apidoc.Union: "union",
	}[kind]
	if !ok {
		return ""
	}
	path = strings.ReplaceAll(path, "::", "/")
	i := strings.LastIndexByte(path, '/')
	return path[:i+1] + prefix + "." + path[i+1:] + ".html"
}

func sameKind(ours, theirs *apidoc.Symbol) bool {
	if ours.Kind == theirs.Kind {
		return true
	}
	return strings.HasPrefix(theirs.Signature, "pub use ") && (ours.Kind == apidoc.Reexport || theirs.Kind == apidoc.Reexport || theirs.Kind == apidoc.PrimitiveType)
}

// symbol compares signatures and members.
func (s *score) symbol(path string, o, t *apidoc.Symbol) {
	s.signature(path, o, t)
	list := func(all []apidoc.Symbol) (members, impls map[string][]*apidoc.Symbol) {
		members, impls = map[string][]*apidoc.Symbol{}, map[string][]*apidoc.Symbol{}
		for i := range all {
			m := &all[i]
			key := string(m.Kind) + " " + m.Path
			switch {
			case m.From != "":
			case m.Kind != apidoc.Impl:
				members[key] = append(members[key], m)
				for j := range m.Members {
					f := &m.Members[j]
					members[string(f.Kind)+" "+f.Path] = append(members[string(f.Kind)+" "+f.Path], f)
				}
			case o.Kind == apidoc.Trait || strings.Contains(m.Path, "impl StructuralPartialEq "):
			default:
				impls[squeeze(key)] = append(impls[squeeze(key)], m)
			}
		}
		return members, impls
	}
	om, oi := list(o.Members)
	tm, ti := list(t.Members)
	s.lists(path, "member", om, tm, &s.members, func(a, b *apidoc.Symbol) { s.signature(path+" "+a.Path, a, b) })
	s.lists(path, "impl", oi, ti, &s.impls, func(a, b *apidoc.Symbol) {
		s.headers.total++
		// rustdoc's JSON marks none as unsafe.
		if strings.TrimPrefix(squeeze(lastNames(a.Signature)), "unsafe ") == strings.TrimPrefix(squeeze(lastNames(b.Signature)), "unsafe ") {
			s.headers.right++
		} else {
			s.differ("header of %s\n      ours   %s\n      theirs %s", path, oneLine(a.Signature), oneLine(b.Signature))
		}
	})
}

func (s *score) lists(path, what string, ours, theirs map[string][]*apidoc.Symbol, r *ratio, each func(a, b *apidoc.Symbol)) {
	for key, list := range theirs {
		o := ours[key]
		for i, t := range list {
			r.total++
			if i < len(o) {
				r.right++
				each(o[i], t)
			} else {
				s.differ("missing %s %s in %s", what, key, path)
			}
		}
	}
	for key, list := range ours {
		// rustdoc's JSON does not list implementations for an alias.
		if match := forType.FindStringIndex(key); what == "impl" && match != nil && s.aliases[head(key[match[1]-1:])] {
			continue
		}
		for range max(0, len(list)-len(theirs[key])) {
			r.total++
			s.differ("extra %s %s in %s", what, key, path)
		}
	}
}

// forType matches the text before the type that a trait is implemented for.
var forType = regexp.MustCompile(`[ >)\]]for[ &(\[]`)

// head returns the name at the beginning of a type.
func head(t string) string {
	t = strings.TrimLeft(t, "& ")
	if strings.HasPrefix(t, "'") {
		_, t, _ = strings.Cut(t, " ")
	}
	t = strings.TrimPrefix(t, "mut ")
	end := strings.IndexFunc(t, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if end >= 0 {
		t = t[:end]
	}
	return t
}

func (s *score) signature(path string, o, t *apidoc.Symbol) {
	s.signatures.total++
	if a, b := normal(o), normal(t); a == b {
		s.signatures.right++
	} else {
		s.differ("signature of %s\n      ours   %s\n      theirs %s", path, oneLine(o.Signature), oneLine(t.Signature))
	}
}

func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return s[:min(len(s), 500)]
}

var constant = regexp.MustCompile(`^((pub )?(const|static) [^=]*[^=<>]) = .*;$`)

// normal returns a signature without attributes, comments, white space and
// values, with only the last names of paths, as in rustdoc's pages: its JSON sometimes contains a
// path as written and sometimes the full path.
func normal(s *apidoc.Symbol) string {
	var lines []string
	for line := range strings.SplitSeq(s.Signature, "\n") {
		if t := strings.TrimSpace(line); !strings.HasPrefix(t, "#[") && !strings.HasPrefix(t, "// ") && t != "//" || s.Kind == apidoc.DeriveMacro || s.Kind == apidoc.AttributeMacro {
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, " ")
	switch s.Kind {
	case apidoc.Const, apidoc.AssocConst, apidoc.Static:
		text = constant.ReplaceAllString(text, "$1;")
	case apidoc.Macro: // rustdoc's JSON omits the visibility
		text = strings.TrimPrefix(text, "pub ")
	case apidoc.Variant:
		text, _, _ = strings.Cut(text, " = ")
	case apidoc.Enum:
		text = regexp.MustCompile(` = [^,]*,`).ReplaceAllString(text, ",")
	}
	return squeeze(lastNames(text))
}

// squeeze removes white space that separates no words, and trailing commas.
func squeeze(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	var b strings.Builder
	word := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '\''
	}
	for i := range len(s) {
		if s[i] == ' ' && (i == 0 || i+1 == len(s) || !word(s[i-1]) || !word(s[i+1])) {
			continue
		}
		b.WriteByte(s[i])
	}
	// The compiler orders the auto traits of a trait object by hashes.
	return strings.NewReplacer(",)", ")", ",>", ">", ",}", "}", ",]", "]", "+Sync+Send", "+Send+Sync").Replace(b.String())
}

var segments = regexp.MustCompile(`(\$?[A-Za-z0-9_]+|\$crate)?::`)

// lastNames replaces each path with its last name.
func lastNames(s string) string { return segments.ReplaceAllString(s, "") }
