package mcp

// flight is the list of requests that a connection or session has taken and
// not answered yet. They are linked by themselves, so that a call costs no
// further allocation.
type flight struct {
	first *Request
	n     int
}

func (f *flight) add(r *Request) {
	if r.next = f.first; r.next != nil {
		r.next.prev = r
	}
	f.first = r
	f.n++
}

func (f *flight) remove(r *Request) {
	if r.next != nil {
		r.next.prev = r.prev
	}
	if r.prev != nil {
		r.prev.next = r.next
	} else {
		f.first = r.next
	}
	r.prev, r.next = nil, nil
	f.n--
}
