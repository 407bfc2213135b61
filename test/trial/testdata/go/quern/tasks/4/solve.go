package solve

import (
	"strings"

	quern "hollin.example/quern/v2"
	"hollin.example/quern/v2/ledger"
)

func Again(lumps []quern.Grist) (string, []quern.Grist, error) {
	m, err := quern.SetWith(quern.Dressing{Passes: 2}, quern.Burr(1))
	if err != nil {
		return "", nil, err
	}
	b, err := m.Grind(lumps)
	if err != nil {
		return "", nil, err
	}
	var text strings.Builder
	w := ledger.New(&text, ledger.Lines)
	w.Bran = true
	w.Toll = false
	if err := w.Post(b); err != nil {
		return "", nil, err
	}
	again, err := ledger.Recall(strings.NewReader(text.String()))
	return text.String(), again, err
}
