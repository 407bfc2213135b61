package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// rustJudge compares the JSON that rustdoc writes of both versions. The format is unstable, but
// RUSTC_BOOTSTRAP makes a stable toolchain write it.
func rustJudge(s *settings, name, old, new string) (verdicts, error) {
	var apis [2]*rustAPI
	for i, version := range []string{old, new} {
		dir := filepath.Join(s.dir, "rust", name+"-"+version)
		if err := os.MkdirAll(filepath.Join(dir, "src"), 0o700); err != nil {
			return nil, err
		}
		manifest := fmt.Sprintf("[package]\nname = \"judge\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[dependencies]\n%s = \"=%s\"\n[workspace]\n", name, version)
		for file, text := range map[string]string{"Cargo.toml": manifest, "src/lib.rs": ""} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				return nil, err
			}
		}
		env := []string{"CARGO_TARGET_DIR=" + filepath.Join(dir, "target"), "RUSTC_BOOTSTRAP=1", "RUSTDOCFLAGS=--cap-lints=allow"}
		if _, err := output(dir, env, "cargo", "rustdoc", "-q", "-p", name, "--lib", "--", "-Z", "unstable-options", "--output-format", "json"); err != nil {
			return nil, err
		}
		var err error
		if apis[i], err = readRustAPI(filepath.Join(dir, "target", "doc", strings.ReplaceAll(name, "-", "_")+".json")); err != nil {
			return nil, err
		}
	}
	crate := strings.ReplaceAll(name, "-", "_")
	all := verdicts{}
	for path, was := range apis[0].items {
		if apis[1].isForeign(path) {
			continue
		}
		full := crate + ": " + strings.TrimPrefix(path, crate+"::")
		is, found := apis[1].items[path]
		switch {
		case !found:
			all[full] = verdict{Removed: true, Text: was.text}
		case was.text != is.text:
			all[full] = verdict{Text: was.text + " → " + is.text}
		default:
			for _, trait := range was.traits {
				if !slices.Contains(is.traits, trait) {
					all[full] = verdict{Text: "no trait " + trait}
				}
			}
		}
	}
	for path, is := range apis[1].items {
		parent := path[:max(strings.LastIndex(path, "::"), 0)]
		if was := apis[0].items[parent]; is.required && apis[0].items[path] == nil && was != nil && !strings.HasPrefix(was.text, closed) {
			all[crate+": "+strings.TrimPrefix(path, crate+"::")] = verdict{Text: "added " + is.text}
		}
	}
	return all, nil
}

// rustAPI is the public interface of a crate by rustdoc's JSON.
type rustAPI struct {
	index map[string]*rustItem
	items map[string]*rustDeclaration // by path
}

// isForeign reports whether an item comes from another crate, which the JSON does not describe.
func (a *rustAPI) isForeign(path string) bool {
	for ; path != ""; path = path[:max(strings.LastIndex(path, "::"), 0)] {
		if one := a.items[path]; one != nil && one.text == foreign {
			return true
		}
	}
	return false
}

// foreign is the text of items of other crates.
const foreign = "use"

// rustItem is an item of the JSON. Inner has one property, which is named like the kind of the item.
type rustItem struct {
	Name       string
	Visibility any
	Inner      map[string]map[string]any
	closed     bool // whether it is #[non_exhaustive]
}

// rustDeclaration is what the judge compares of an item.
type rustDeclaration struct {
	text   string
	traits []string // the traits that a type implements
	// required is true for variants and the methods of traits without a body: programs that match or
	// implement do not have an additional one.
	required bool
}

// closed begins the text of items that are #[non_exhaustive].
const closed = "non_exhaustive "

func readRustAPI(file string) (*rustAPI, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var doc struct {
		Root  int
		Index map[string]struct {
			Name       *string
			Visibility any
			Attrs      []any
			Inner      map[string]any
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	api := &rustAPI{index: map[string]*rustItem{}, items: map[string]*rustDeclaration{}}
	for id, i := range doc.Index {
		item := &rustItem{Visibility: i.Visibility, Inner: map[string]map[string]any{}, closed: slices.Contains(i.Attrs, any("non_exhaustive"))}
		if i.Name != nil {
			item.Name = *i.Name
		}
		for kind, inner := range i.Inner {
			item.Inner[kind], _ = inner.(map[string]any) // The value of a macro is a text.
		}
		api.index[id] = item
	}
	root := strconv.Itoa(doc.Root)
	if api.index[root] == nil {
		return nil, fmt.Errorf("%s has no root", file)
	}
	api.module(api.index[root].Name, root, nil)
	return api, nil
}

// ids returns the items that a property lists.
func ids(list any) (all []string) {
	items, _ := list.([]any)
	for _, one := range items {
		if n, ok := one.(float64); ok { // A null represents a field that is not public.
			all = append(all, strconv.Itoa(int(n)))
		}
	}
	return all
}

// module adds the public items of a module. around are the modules that are being added.
func (a *rustAPI) module(path, id string, around []string) {
	module := a.index[id]
	if module == nil || slices.Contains(around, id) {
		return
	}
	around = append(slices.Clip(around), id)
	inner := module.Inner["module"]
	if inner == nil {
		inner = module.Inner["enum"] // whose variants an import with * has, too
	}
	for _, child := range append(ids(inner["items"]), ids(inner["variants"])...) {
		item := a.index[child]
		if item == nil || item.Visibility != "public" && item.Inner["variant"] == nil {
			continue
		}
		name := item.Name
		if use := item.Inner["use"]; use != nil {
			target, _ := use["id"].(float64)
			child = strconv.Itoa(int(target))
			if use["is_glob"] == true {
				a.module(path, child, around)
				continue
			}
			name, _ = use["name"].(string)
			if item = a.index[child]; item == nil {
				a.items[path+"::"+name] = &rustDeclaration{text: foreign}
				continue
			}
		}
		a.item(path+"::"+name, child, around)
	}
}

// item adds an item with its members.
func (a *rustAPI) item(path, id string, around []string) {
	item := a.index[id]
	if item == nil {
		return
	}
	for kind, inner := range item.Inner {
		if kind == "module" {
			a.module(path, id, around)
			continue
		}
		text := &rustText{params: map[string]string{}}
		text.generics(inner)
		declaration := &rustDeclaration{text: kind + " " + text.of(inner, ""), required: kind == "variant" || kind == "function" && inner["has_body"] == false}
		if item.closed {
			declaration.text = closed + declaration.text
		}
		a.items[path] = declaration
		members := ids(inner["items"])
		members = append(members, ids(inner["variants"])...)
		members = append(members, ids(inner["fields"])...)
		if shape, ok := inner["kind"].(map[string]any); ok { // These are the fields of a struct or a variant.
			for _, fields := range shape {
				if plain, ok := fields.(map[string]any); ok {
					members = append(members, ids(plain["fields"])...)
				} else {
					for i, field := range ids(fields) {
						declaration.text += fmt.Sprintf(" %d: %s", i, text.of(a.index[field].Inner["struct_field"], ""))
					}
				}
			}
		}
		for _, impl := range ids(inner["impls"]) {
			block := a.index[impl].Inner["impl"]
			if block == nil || block["is_synthetic"] == true || block["blanket_impl"] != nil {
				continue
			}
			if trait, ok := block["trait"].(map[string]any); ok {
				inner := &rustText{params: map[string]string{}}
				inner.generics(block)
				declaration.traits = append(declaration.traits, inner.of(trait, ""))
				continue
			}
			for _, m := range ids(block["items"]) {
				if a.index[m].Visibility == "public" {
					members = append(members, m)
				}
			}
		}
		for _, m := range members {
			if one := a.index[m]; one != nil && one.Name != "" {
				a.item(path+"::"+one.Name, m, around)
			}
		}
	}
}

// rustText writes a declaration in a form in which equal ones are equal texts.
type rustText struct {
	params map[string]string // the type parameters, and their places
}

func (t *rustText) generics(inner map[string]any) {
	generics, _ := inner["generics"].(map[string]any)
	params, _ := generics["params"].([]any)
	for i, p := range params {
		if p, ok := p.(map[string]any); ok {
			if name, ok := p["name"].(string); ok {
				t.params[name] = "$" + strconv.Itoa(i)
			}
		}
	}
}

// notCompared are properties that are not part of a declaration, or are items of their own.
var notCompared = []string{"id", "impls", "implementations", "items", "variants", "fields", "is_stripped", "has_body", "is_dyn_compatible", "lifetime", "generic_params", "expr", "is_literal", "outlives"}

// of returns a value of the JSON as text. Paths are cut to the last name, and lifetimes are left out.
func (t *rustText) of(value any, key string) string {
	switch v := value.(type) {
	case map[string]any:
		if kind, ok := v["kind"].(map[string]any); ok && kind["lifetime"] != nil || v["outlives"] != nil {
			return ""
		}
		if kind, ok := v["kind"].(map[string]any); ok && kind["plain"] != nil { // Fields are separate items.
			v = map[string]any{"kind": "plain", "generics": v["generics"]}
		} else if ok && kind["tuple"] != nil {
			v = map[string]any{"kind": "tuple", "generics": v["generics"]}
		}
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if slices.Contains(notCompared, name) || v[name] == nil || v[name] == false {
				continue
			}
			text := t.of(v[name], name)
			if text == "" || text == "{}" || text == "[]" {
				continue
			}
			parts = append(parts, name+":"+text)
		}
		if len(parts) == 0 {
			return ""
		}
		return "{" + strings.Join(parts, " ") + "}"
	case []any:
		var parts []string
		for _, one := range v {
			if pair, ok := one.([]any); ok && key == "inputs" && len(pair) == 2 {
				parts = append(parts, t.of(pair[1], "")) // without the name
			} else if text := t.of(one, ""); text != "" || key == "inputs" {
				parts = append(parts, text)
			}
		}
		if key == "bounds" || key == "where_predicates" {
			slices.Sort(parts)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		if place := t.params[v]; place != "" {
			return place
		}
		if key == "path" {
			return v[strings.LastIndex(v, ":")+1:]
		}
		if strings.HasPrefix(v, "'") {
			return ""
		}
		return v
	case nil:
		return ""
	}
	return fmt.Sprint(value)
}
