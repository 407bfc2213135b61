package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

type entity struct {
	Name         string   `json:"name" jsonschema:"minLength=1,maxLength=200"`
	Type         string   `json:"entityType" jsonschema:"maxLength=200"`
	Observations []string `json:"observations" jsonschema:"facts about the entity"`
}

type relation struct {
	From string `json:"from" jsonschema:"name of an entity,maxLength=200"`
	To   string `json:"to" jsonschema:"name of an entity,maxLength=200"`
	Type string `json:"relationType" jsonschema:"maxLength=200"`
}

type observed struct {
	Name     string   `json:"entityName" jsonschema:"maxLength=200"`
	Contents []string `json:"contents" jsonschema:"facts about the entity"`
}

// knowledge is a graph.
type knowledge struct {
	Entities  []entity   `json:"entities"`
	Relations []relation `json:"relations"`
}

// maxFile is the maximum size of the file in bytes.
const maxFile = 8 << 20

// graph is the knowledge in a file.
type graph struct {
	file string
	mu   sync.Mutex
	now  knowledge
}

// open reads the graph in a file, which need not exist.
func open(file string) (*graph, error) {
	g := &graph{file: file, now: knowledge{Entities: []entity{}, Relations: []relation{}}}
	info, err := os.Stat(file) //nolint:gosec // the user names the file
	if errors.Is(err, fs.ErrNotExist) {
		return g, nil
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s has %d bytes; the limit is %d", file, info.Size(), maxFile)
	}
	data, err := os.ReadFile(file) //nolint:gosec // the user names the file
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &g.now); err != nil {
		return nil, fmt.Errorf("%s does not contain a graph: %w", file, err)
	}
	return g, nil
}

// change applies a change and writes the file. It returns text with the number of changes that
// apply reports. If the file cannot be written, the graph does not change.
func (g *graph) change(apply func(*knowledge) int) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	next := g.now.clone()
	n := apply(&next)
	data, err := json.Marshal(next)
	if err != nil {
		return "", err
	}
	if len(data) > maxFile {
		return "", errors.New("the memory is full; delete what is no longer needed")
	}
	if err := replace(g.file, data); err != nil {
		return "", fmt.Errorf("the memory cannot be written: %w", err)
	}
	g.now = next
	return fmt.Sprintf("%d changed", n), nil
}

// replace writes a file atomically.
func replace(name string, data []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(name), ".memory-*") // CreateTemp makes the file readable only by the user.
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(data)
	if err = errors.Join(err, temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), name) //nolint:gosec // the user names the file
}

func (g *graph) all() knowledge {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.now.clone()
}

func (g *graph) search(query string) knowledge {
	query = strings.ToLower(query)
	has := func(text string) bool { return strings.Contains(strings.ToLower(text), query) }
	all := g.all()
	return all.keep(func(e entity) bool { return has(e.Name) || has(e.Type) || slices.ContainsFunc(e.Observations, has) })
}

func (g *graph) open(names []string) knowledge {
	all := g.all()
	return all.keep(func(e entity) bool { return slices.Contains(names, e.Name) })
}

func (k *knowledge) clone() knowledge {
	c := knowledge{slices.Clone(k.Entities), slices.Clone(k.Relations)}
	for i := range c.Entities {
		c.Entities[i].Observations = slices.Clone(c.Entities[i].Observations)
	}
	return c
}

// keep returns the entities for which f returns true, and the relations between
// them.
func (k *knowledge) keep(f func(entity) bool) knowledge {
	found := knowledge{Entities: []entity{}, Relations: []relation{}}
	for _, e := range k.Entities {
		if f(e) {
			found.Entities = append(found.Entities, e)
		}
	}
	for _, r := range k.Relations {
		if found.find(r.From) != nil && found.find(r.To) != nil {
			found.Relations = append(found.Relations, r)
		}
	}
	return found
}

func (k *knowledge) find(name string) *entity {
	for i := range k.Entities {
		if k.Entities[i].Name == name {
			return &k.Entities[i]
		}
	}
	return nil
}

func (k *knowledge) addEntities(all []entity) (n int) {
	for _, e := range all {
		if k.find(e.Name) == nil {
			k.Entities = append(k.Entities, e)
			n++
		}
	}
	return n
}

func (k *knowledge) addRelations(all []relation) (n int) {
	for _, r := range all {
		if k.find(r.From) != nil && k.find(r.To) != nil && !slices.Contains(k.Relations, r) {
			k.Relations = append(k.Relations, r)
			n++
		}
	}
	return n
}

func (k *knowledge) addObservations(all []observed) (n int) {
	for _, o := range all {
		e := k.find(o.Name)
		for _, fact := range o.Contents {
			if e != nil && !slices.Contains(e.Observations, fact) {
				e.Observations = append(e.Observations, fact)
				n++
			}
		}
	}
	return n
}

func (k *knowledge) removeEntities(names []string) int {
	before := len(k.Entities)
	k.Entities = slices.DeleteFunc(k.Entities, func(e entity) bool { return slices.Contains(names, e.Name) })
	k.Relations = slices.DeleteFunc(k.Relations, func(r relation) bool { return slices.Contains(names, r.From) || slices.Contains(names, r.To) })
	return before - len(k.Entities)
}

func (k *knowledge) removeObservations(all []observed) (n int) {
	for _, o := range all {
		if e := k.find(o.Name); e != nil {
			before := len(e.Observations)
			e.Observations = slices.DeleteFunc(e.Observations, func(fact string) bool { return slices.Contains(o.Contents, fact) })
			n += before - len(e.Observations)
		}
	}
	return n
}

func (k *knowledge) removeRelations(all []relation) int {
	before := len(k.Relations)
	k.Relations = slices.DeleteFunc(k.Relations, func(r relation) bool { return slices.Contains(all, r) })
	return before - len(k.Relations)
}
