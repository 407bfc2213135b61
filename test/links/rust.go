package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// rustCrate is rustdoc's JSON for a crate.
type rustCrate struct {
	Root  int
	Index map[string]rustItem
	Paths map[string]struct {
		Path []string
		Kind string
	}
	name string
	all  []judged
	// seen contains the visited modules, and public the items with a public path.
	seen   map[int]bool
	public map[int]bool
}

type rustItem struct {
	Name       string
	Visibility any
	Span       *struct {
		Filename string
		Begin    [2]int
	}
	Inner map[string]json.RawMessage
}

// rustAnswers returns rustdoc's results for the crates in rustdoc/*.json.
func rustAnswers(dir string) ([]judged, error) {
	files, err := filepath.Glob(filepath.Join(dir, "rustdoc", "*.json"))
	if err != nil {
		return nil, err
	}
	var all []judged
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		c := &rustCrate{name: strings.TrimSuffix(filepath.Base(file), ".json"), seen: map[int]bool{}, public: map[int]bool{}}
		if err := json.Unmarshal(data, c); err != nil {
			return nil, fmt.Errorf("%s is damaged: %w", file, err)
		}
		c.module(c.Root, "")
		for i := range c.all {
			for k := range c.all[i].References {
				r := &c.all[i].References[k]
				r.Hidden = r.id != 0 && !c.public[r.id]
			}
		}
		all = append(all, c.all...)
	}
	return all, nil
}

func (c *rustCrate) item(id int) rustItem { return c.Index[strconv.Itoa(id)] }

// module adds the public items of a module. prefix is the prefix of their paths.
func (c *rustCrate) module(id int, prefix string) {
	var m struct{ Items []int }
	if c.seen[id] || json.Unmarshal(c.item(id).Inner["module"], &m) != nil {
		return
	}
	c.seen[id] = true
	for _, id := range m.Items {
		it := c.item(id)
		name := it.Name
		if raw, ok := it.Inner["use"]; ok && it.Visibility == "public" {
			var use struct {
				Name string
				ID   *int
				Glob bool `json:"is_glob"`
			}
			if json.Unmarshal(raw, &use) != nil || use.ID == nil {
				continue
			}
			if name, id, it = use.Name, *use.ID, c.item(*use.ID); use.Glob {
				c.module(id, prefix)
				continue
			}
		} else if it.Visibility != "public" {
			continue
		}
		if _, ok := it.Inner["module"]; ok {
			c.module(id, prefix+name+"::")
			continue
		}
		c.public[id] = true
		c.symbol(prefix+name, &it)
	}
}

// symbol adds an item and its members.
func (c *rustCrate) symbol(path string, it *rustItem) {
	j := judged{Language: "rust", Package: c.name, Symbol: path}
	for kind, raw := range it.Inner {
		var parts struct {
			Impls, Items, Variants []int
			Kind                   any
		}
		_ = json.Unmarshal(raw, &parts) // other items have no members
		var inner any
		if json.Unmarshal(raw, &inner) != nil {
			continue
		}
		c.references(inner, &j)
		for _, id := range fieldsOf(parts.Kind) {
			if field := c.item(id); field.Visibility == "public" {
				c.symbol(path+"::"+field.Name, &field)
				j.References = append(j.References, c.all[len(c.all)-1].References...)
			}
		}
		if kind == "trait" {
			c.members(path, parts.Items, true)
		}
		for _, id := range parts.Impls {
			var impl struct {
				Trait *json.RawMessage
				Items []int
			}
			if json.Unmarshal(c.item(id).Inner["impl"], &impl) == nil && impl.Trait == nil {
				c.members(path, impl.Items, false)
			}
		}
	}
	c.all = append(c.all, j)
}

func (c *rustCrate) members(path string, ids []int, all bool) {
	for _, id := range ids {
		if it := c.item(id); it.Name != "" && (all || it.Visibility == "public") {
			c.symbol(path+"::"+it.Name, &it)
		}
	}
}

// fieldsOf returns the fields of a struct.
func fieldsOf(kind any) (ids []int) {
	members, _ := kind.(map[string]any)
	plain, _ := members["plain"].(map[string]any)
	fields, _ := plain["fields"].([]any)
	for _, f := range fields {
		if id, ok := f.(float64); ok {
			ids = append(ids, int(id))
		}
	}
	return ids
}

// references adds the types, traits and type parameters that a declaration names.
func (c *rustCrate) references(value any, j *judged) {
	switch v := value.(type) {
	case []any:
		for _, e := range v {
			c.references(e, j)
		}
	case map[string]any:
		if name, ok := v["generic"].(string); ok && name != "Self" {
			j.References = append(j.References, reference{Name: name, None: true})
		}
		path, isPath := v["path"].(string)
		if id, hasID := v["id"].(float64); isPath && hasID {
			c.refer(last(path), int(id), j)
		}
		for key, e := range v {
			if key != "impls" && key != "items" && key != "implementations" && key != "default_unstable" {
				c.references(e, j)
			}
		}
	}
}

func (c *rustCrate) refer(name string, id int, j *judged) {
	to, known := c.Paths[strconv.Itoa(id)]
	if !known || to.Kind == "primitive" {
		return
	}
	r := reference{Name: name, Declared: to.Path[len(to.Path)-1], Package: to.Path[0]}
	if r.Package == "core" || r.Package == "alloc" || r.Package == "std" {
		r.Package = "core|alloc|std"
	}
	if it := c.item(id); it.Span != nil {
		r.id = id
		r.At = []string{"/" + it.Span.Filename + ":" + strconv.Itoa(it.Span.Begin[0])}
	}
	j.References = append(j.References, r)
}
