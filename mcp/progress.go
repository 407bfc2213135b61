package mcp

import (
	"math"

	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// Progress tells the client how far the request has progressed: progress out of total, which is 0
// if it is unknown. It does nothing if the client has not asked for progress, if progress is NaN,
// infinite or not greater than in the last call, or if the request has ended (specification:
// Progress). If there are more reports than Limits.MaxNotificationRate, some are omitted, but never
// the last.
func (r *Request) Progress(progress, total float64, message string) {
	if r.meta.progressToken == nil || math.IsNaN(progress) || math.IsInf(progress, 0) {
		return
	}
	r.mu.Lock()
	reports := r.reporting()
	if !r.mayNotify() || !(progress > reports.latest) {
		r.mu.Unlock()
		return
	}
	b := append([]byte(nil), `{"jsonrpc":"2.0","method":"notifications/progress","params":{`...)
	b = wire.Raw(b, "progressToken", r.meta.progressToken)
	b = wire.Float(wire.Name(b, "progress"), progress)
	if total > 0 && !math.IsInf(total, 0) {
		b = wire.Float(wire.Name(b, "total"), total)
	}
	if r.rev.HasProgressMessage() {
		b = wire.Optional(b, "message", message)
	}
	b = append(r.appendRelated(b), '}', '}')
	reports.latest, reports.pending = progress, nil
	send := r.mayReport(&reports.progress)
	if !send {
		reports.pending = b
	}
	r.mu.Unlock()
	if send {
		r.sendProgress(progress, b)
	}
}
