// Package ledger writes down what goes through a mill.
package ledger

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	quern "hollin.example/quern/v2"
)

// Form is how an entry is written.
type Form int

// Forms of entries.
const (
	// Plain is "label weight/coarse", one a line.
	Plain Form = iota
	// Lines is one JSON object a line, with the fields of Entry.
	Lines
)

// Entry is one lump as it is written down.
type Entry struct {
	Label  string `json:"label"`
	Weight int    `json:"weight"`
	Coarse int    `json:"coarse"`
	// Kind is "flour", "bran" or "toll".
	Kind string `json:"kind"`
}

// Writer writes entries.
type Writer struct {
	w    io.Writer
	form Form
	// Toll writes the toll of each batch as an entry of its own, labelled
	// "toll". New sets it.
	Toll bool
	// Bran writes what was set aside, too. New does not set it.
	Bran bool
}

// New makes a Writer.
func New(w io.Writer, form Form) *Writer { return &Writer{w: w, form: form, Toll: true} }

// Post writes a batch: flour, then bran, then toll if there was any.
func (w *Writer) Post(b *quern.Batch) error {
	for _, g := range b.Flour {
		if err := w.write(Entry{g.Label, g.Weight, g.Coarse, "flour"}); err != nil {
			return err
		}
	}
	if w.Bran {
		for _, g := range b.Bran {
			if err := w.write(Entry{g.Label, g.Weight, g.Coarse, "bran"}); err != nil {
				return err
			}
		}
	}
	if w.Toll && b.Toll > 0 {
		return w.write(Entry{"toll", b.Toll, 0, "toll"})
	}
	return nil
}

func (w *Writer) write(e Entry) error {
	if w.form == Plain {
		_, err := fmt.Fprintf(w.w, "%s %d/%d\n", e.Label, e.Weight, e.Coarse)
		return err
	}
	data, err := json.Marshal(e)
	if err == nil {
		_, err = w.w.Write(append(data, '\n'))
	}
	return err
}

// Recall reads entries that were written as Lines and returns the bran as
// lumps that can be ground again, tagged "recalled". Flour and toll are done
// with and not returned.
func Recall(r io.Reader) ([]quern.Grist, error) { return recall(r, "bran") }

// Reread reads entries that were written as Lines and returns the flour.
func Reread(r io.Reader) ([]quern.Grist, error) { return recall(r, "flour") }

func recall(r io.Reader, kind string) ([]quern.Grist, error) {
	var lumps []quern.Grist
	s := bufio.NewScanner(r)
	for s.Scan() {
		var e Entry
		if err := json.Unmarshal(s.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("ledger: %w", err)
		}
		if e.Kind != kind {
			continue
		}
		g := quern.Grist{Label: e.Label, Weight: e.Weight, Coarse: e.Coarse}
		if kind == "bran" {
			g = g.With("recalled")
		}
		lumps = append(lumps, g)
	}
	return lumps, s.Err()
}
