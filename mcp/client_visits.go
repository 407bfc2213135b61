package mcp

import (
	"errors"
	"slices"
	"sync"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// visits contains the IDs of pages that the server has asked the user to visit and has not yet
// reported as completed (specification 2025-11-25: Elicitation, URL mode). Its zero value is empty.
type visits struct {
	limit int

	mu  sync.Mutex
	ids []string
}

// maxVisitID is the maximum length in bytes of an ID that is stored. The completion of pages with
// longer IDs is not reported.
const maxVisitID = 1024

// begin stores an ID. At the limit, it drops the oldest one.
func (v *visits) begin(id string) {
	if id == "" || len(id) > maxVisitID || v.limit <= 0 {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if slices.Contains(v.ids, id) {
		return
	}
	if len(v.ids) >= v.limit {
		v.ids = slices.Delete(v.ids, 0, 1)
	}
	v.ids = append(v.ids, id)
}

// end removes an ID. It returns false if the ID is not stored.
func (v *visits) end(id string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	i := slices.Index(v.ids, id)
	if i < 0 {
		return false
	}
	v.ids = slices.Delete(v.ids, i, i+1)
	return true
}

// require stores the IDs of the pages in an error that requires visits.
func (v *visits) require(err error) {
	e, ok := errors.AsType[*Error](err)
	if !ok || !revision.RequiresVisits(e.Code) {
		return
	}
	var data struct {
		Elicitations []jsonValue `json:"elicitations"`
	}
	if len(e.Data) == 0 || decode(e.Data, &data) != nil {
		return
	}
	for _, one := range data.Elicitations {
		if id, ok := jsonrpc.String(member(one, "elicitationId")); ok {
			v.begin(id)
		}
	}
}
