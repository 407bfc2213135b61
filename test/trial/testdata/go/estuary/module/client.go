// Package estuary is the client of the Estuary service, which watches over the
// mouth of a river.
//
// A [Client] has a method for each operation. There are eleven for each kind
// of thing: for sluices CommissionSluice, SurveySluice, ListSluices,
// AmendSluice, RetireSluice, SuspendSluice, ResumeSluice, TransferSluice,
// InspectSluice, ListSluiceEvents and RestoreSluice.
//
// # Pages
//
// Operations that list return pages. A pager (NewListSluicesPager) turns them.
//
// # Waiting
//
// Changes take time. A waiter (NewSluiceSettledWaiter) waits for their end.
package estuary

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Parcel is a request or a reply.
type Parcel struct {
	Operation string
	// Header holds "account", "attempt" (from 1), "rehearse" ("yes") and the
	// Marks of a request; "fault", the code of an error, of a reply.
	Header map[string]string
	Body   []byte // JSON
}

// Carrier takes a request to the service and brings the reply.
type Carrier interface {
	Carry(context.Context, Parcel) (Parcel, error)
}

// Options configure a client or one call.
type Options struct {
	// Carrier takes requests to the service. Required.
	Carrier Carrier
	// Account signs requests. Required.
	Account string
	// Attempts is how often a request is tried whose carrier fails or whose
	// reply is busy. 0 means 3.
	Attempts int
	// Rest is the time between attempts. 0 means 200 ms; it doubles each time.
	Rest time.Duration
	// Rehearse lets changes be checked but not made. See the README.
	Rehearse bool
	// Marks are added to the headers of requests, each with "mark-" before its
	// name.
	Marks map[string]string
	// OnParcel sees each request before it is carried, and may change it.
	OnParcel func(*Parcel)
}

// Client calls the service. It is safe for concurrent use.
type Client struct{ options Options }

// Errors of clients and waiters.
var (
	ErrOptions = errors.New("estuary: Carrier and Account are required")
	ErrWaited  = errors.New("estuary: waited long enough")
)

// Fault is an error that the service replies with.
type Fault interface {
	error
	// Code is the kind and what is wrong: "SluiceBusy".
	Code() string
}

type fault = Fault

// CarrierError is a failure of the carrier at every attempt.
type CarrierError struct {
	Attempts int
	Last     error
}

func (e *CarrierError) Error() string {
	return fmt.Sprintf("estuary: carrier failed %d times: %v", e.Attempts, e.Last)
}

// Unwrap returns the last failure.
func (e *CarrierError) Unwrap() error { return e.Last }

// State is what a thing does.
type State string

// States.
const (
	StateChanging  State = "changing"
	StateSettled   State = "settled"
	StateSuspended State = "suspended"
	StateRetired   State = "retired"
)

// Season is a part of the year.
type Season string

// Seasons.
const (
	SeasonAll    Season = "all"
	SeasonIce    Season = "ice"
	SeasonSpate  Season = "spate"
	SeasonSummer Season = "summer"
)

// Mode is who moves a thing.
type Mode string

// Modes.
const (
	ModeAttended Mode = "attended"
	ModeRemote   Mode = "remote"
	ModeTidal    Mode = "tidal"
)

// Event is something that happened to a thing.
type Event struct {
	At    time.Time `json:"at"`
	Actor string    `json:"actor"`
	What  string    `json:"what"`
}

// New makes a client.
func New(o Options, options ...func(*Options)) (*Client, error) {
	for _, f := range options {
		f(&o)
	}
	if o.Carrier == nil || o.Account == "" {
		return nil, ErrOptions
	}
	return &Client{o}, nil
}

// reads is true for operations that change nothing.
func reads(operation string) bool {
	return strings.HasPrefix(operation, "Survey") || strings.HasPrefix(operation, "List") || strings.HasPrefix(operation, "Inspect")
}

func (c *Client) invoke(ctx context.Context, operation string, in, out any, options []func(*Options)) error {
	o := c.options
	for _, f := range options {
		f(&o)
	}
	if o.Attempts == 0 {
		o.Attempts = 3
	}
	if o.Rest == 0 {
		o.Rest = 200 * time.Millisecond
	}
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		p := Parcel{operation, map[string]string{"account": o.Account, "attempt": fmt.Sprint(attempt)}, body}
		if o.Rehearse && !reads(operation) {
			p.Header["rehearse"] = "yes"
		}
		for name, value := range o.Marks {
			p.Header["mark-"+name] = value
		}
		if o.OnParcel != nil {
			o.OnParcel(&p)
		}
		reply, err := o.Carrier.Carry(ctx, p)
		if err == nil {
			err = replyError(reply)
			if err == nil {
				return json.Unmarshal(reply.Body, out)
			}
			if !strings.HasSuffix(reply.Header["fault"], "Busy") || attempt >= o.Attempts {
				return err
			}
		} else if attempt >= o.Attempts {
			return &CarrierError{attempt, err}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(o.Rest << (attempt - 1)):
		}
	}
}

func replyError(reply Parcel) error {
	code := reply.Header["fault"]
	if code == "" {
		return nil
	}
	make := faultTypes[code]
	if make == nil {
		return fmt.Errorf("estuary: %s: %s", code, reply.Body)
	}
	f := make()
	_ = json.Unmarshal(reply.Body, f)
	return f
}

func missing(err error) bool {
	var f Fault
	return errors.As(err, &f) && strings.HasSuffix(f.Code(), "Missing")
}

func wait[T any](ctx context.Context, pause, usual, most time.Duration, look func() (T, bool, error)) (T, error) {
	if pause == 0 {
		pause = usual
	}
	end := time.Now().Add(most)
	for {
		last, done, err := look()
		if done || err != nil {
			return last, err
		}
		if !time.Now().Add(pause).Before(end) {
			return last, ErrWaited
		}
		select {
		case <-ctx.Done():
			return last, ctx.Err()
		case <-time.After(pause):
		}
	}
}
