package main

import (
	"fmt"
	"go/format"
	"strings"
)

var estuary = service{
	nouns: nounList(`
		Sluice: a gate that lets water through a dam
		SluiceGate: one leaf of a sluice, moved by its own motor
		Gauge: an instrument that measures the height of water
		GaugeStation: the place at which gauges stand
		Dredging: work that takes silt out of a channel
		DredgingPermit: the permission for a dredging
		Buoy: a floating mark
		BuoyLight: the lamp of a buoy
		Channel: a way that ships can take
		ChannelMark: a fixed mark beside a channel
		Lock: a chamber in which ships are lifted
		LockPassage: one ship's passage of a lock
		Berth: a place at which a ship lies
		BerthBooking: the right to lie at a berth for some time
		Pilot: a person who guides ships
		PilotOrder: the request for a pilot
		Towage: the help of a tug for one ship
		Tug: a ship that tows
		Ferry: a ship that crosses to and fro
		FerryCrossing: one crossing of a ferry
		Dyke: a wall against water
		DykeSection: a part of a dyke with one warden
		Weir: a low dam that water runs over
		FishPass: a ladder by which fish pass a weir
		PumpHouse: a building with pumps
		Pump: a machine that lifts water
		Culvert: a pipe below a road or dyke
		Outfall: the place where a pipe ends in the water
		TideTable: the heights of tides that are foretold
		TideWarning: a notice of an unusual tide
		StormSurge: a flood that wind brings
		FloodWall: a wall that is set up before a flood
		SaltFront: the place up to which salt water comes
		SaltProbe: an instrument that measures salt
		SiltTrap: a pit in which silt settles
		Sounding: one measurement of depth
		SoundingLine: a row of soundings across a channel
		DepthChart: a map of depths
		IceReport: what is seen of ice
		IceBoom: a chain that holds ice back
		Mooring: a chain and anchor to which a boat is tied
		MooringField: an area with moorings
		Wreck: what is left of a sunken ship
		Salvage: work that lifts a wreck
		Spill: oil or other matter in the water
		SpillBoom: a float that keeps a spill in
		Signal: lights and balls that ships obey
		SignalMast: the mast on which signals are set
		Bridge: a bridge that opens for ships
		BridgeLift: one opening of a bridge
		Warden: a person who looks after dykes
		Patrol: one walk of a warden
		Quota: how much water somebody may take
		QuotaLease: a quota lent to somebody else
		Intake: the place where water is taken
		Catchment: an area whose water flows to one place`),
	traits: []trait{
		{"Opening", "int", "Opening is how far it is open, in percent. 0 keeps it as it is; -1 shuts it."},
		{"Hold", "time.Duration", "Hold is how long it stays so. 0 means %d minutes, a negative duration until it is changed."},
		{"Datum", "string", `Datum is the level that heights count from, "sill" if empty.`},
		{"Draught", "float64", "Draught is the deepest draught that is let through, in metres. 0 means %d decimetres."},
		{"Ramp", "time.Duration", "Ramp is how long a change takes. 0 changes at once."},
		{"Quiet", "bool", "Quiet sends no notice to subscribers."},
		{"Sector", "string", "Sector is the part of the catchment that it counts to. Empty means the sector of the caller."},
		{"Interval", "time.Duration", "Interval is the time between two readings. 0 means %d seconds."},
		{"Threshold", "float64", "Threshold is the reading at which a warning is sent, in metres above Datum. 0 sends none."},
		{"Keeper", "string", "Keeper is the account that may change it. Empty means whoever commissioned it."},
		{"Priority", "int", "Priority orders what waits, the lowest number first. 0 means %d."},
		{"Season", "Season", "Season is the part of the year in which it works. Empty means SeasonAll."},
		{"Tolerance", "float64", "Tolerance is the deviation that is still accepted, in centimetres. 0 means %d."},
		{"Fallback", "string", "Fallback is the ID of the one of the same kind that stands in for it."},
		{"Mode", "Mode", "Mode is who moves it. Empty means ModeAttended."},
		{"Capacity", "int", "Capacity is how many it holds at a time. 0 means %d."},
		{"Remark", "string", "Remark is shown to keepers, at most 200 bytes."},
	},
	verbs: []verb{
		{"Commission", "puts a new %s into service", "A second call with the same Token within an hour returns what the first made, and commissions nothing.", []trait{
			{"Name", "string", "Name is what it is called. Required."},
			{"Site", "string", "Site is where it is. Required."},
			{"Labels", "map[string]string", "Labels are for finding it again."},
			{"Token", "string", "Token makes the call safe to repeat. Empty means that it is not."},
		}, true, false},
		{"Survey", "returns one %s as it is now", "", []trait{
			{"ID", "string", "ID names it. Required."},
			{"Settled", "bool", "Settled waits for changes under way and returns what it is after them."},
		}, false, false},
		{"List", "returns a page of those of the kind %s", "What was retired is not listed unless Retired is set.", []trait{
			{"Site", "string", "Site lists only those at a site and below it."},
			{"Most", "int", "Most is how many a page holds at most. 0 means 20, more than 100 means 100."},
			{"Page", "string", "Page is Next of the page before."},
			{"Retired", "bool", "Retired lists what was retired, too."},
			{"Label", "string", `Label is "name" or "name=value".`},
		}, false, true},
		{"Amend", "changes a %s", "Fields that are zero stay as they are. It fails if Revision is not 0 and not the newest.", []trait{
			{"ID", "string", "ID names it. Required."},
			{"Revision", "int", "Revision is the one that the change is based on. 0 overwrites whatever there is."},
		}, true, false},
		{"Retire", "takes a %s out of service", "It can be restored for thirty days.", []trait{
			{"ID", "string", "ID names it. Required."},
			{"Revision", "int", "Revision is the one that the caller has seen. 0 retires whatever there is."},
			{"Orphans", "bool", "Orphans leaves in service what belongs to it. By default that is retired with it."},
		}, false, false},
		{"Suspend", "stops a %s for some time", "", []trait{
			{"ID", "string", "ID names it. Required."},
			{"Until", "time.Time", "Until is when it resumes by itself. The zero time means that it does not."},
			{"Reason", "string", "Reason is shown to keepers. Required."},
		}, false, false},
		{"Resume", "lets a suspended %s go on", "", []trait{
			{"ID", "string", "ID names it. Required."},
			{"Gradual", "bool", "Gradual takes an hour over it."},
		}, false, false},
		{"Transfer", "moves a %s to another site", "Labels are lost unless KeepLabels is set.", []trait{
			{"ID", "string", "ID names it. Required."},
			{"Site", "string", "Site is where it goes. Required."},
			{"KeepLabels", "bool", "KeepLabels takes labels along."},
		}, false, false},
		{"Inspect", "makes a report on a %s", "", []trait{
			{"ID", "string", "ID names it. Required."},
			{"Since", "time.Time", "Since is when the report begins. The zero time means a week ago."},
			{"Measures", "[]string", "Measures are what is reported. None means all."},
		}, false, false},
		{"Trace", "returns a page of what happened to a %s", "Newest first.", []trait{
			{"ID", "string", "ID names it. Required."},
			{"Most", "int", "Most is how many a page holds at most. 0 means 50."},
			{"Page", "string", "Page is Next of the page before."},
			{"Actor", "string", "Actor returns only what one account did."},
		}, false, true},
		{"Restore", "puts a retired %s back into service", "", []trait{
			{"ID", "string", "ID names it. Required."},
			{"At", "time.Time", "At is the time whose state is restored. The zero time means when it was retired."},
		}, false, false},
	},
}

func generateEstuary() map[string][]byte {
	s := &estuary
	files := map[string][]byte{}
	var faults strings.Builder
	faults.WriteString(goHead("") + "// faultTypes makes the errors of replies, by their code.\nvar faultTypes = map[string]func() fault{\n")
	for _, n := range s.nouns {
		for _, f := range []string{"Busy", "Missing", "Stale", "Refused"} {
			fmt.Fprintf(&faults, "%q: func() fault { return new(%s%sError) },\n", n.name+f, n.name, f)
		}
	}
	faults.WriteString("}\n")
	for kind, n := range s.nouns {
		estuaryTypes(files, s, kind, n)
		for _, v := range s.verbs {
			estuaryOperation(files, s, kind, n, v)
		}
	}
	files["faults.go"] = []byte(faults.String())
	for name, text := range files {
		formatted, err := format.Source(text)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err)) // This is a mistake in the generator.
		}
		files[name] = formatted
	}
	return files
}

func goHead(imports string) string {
	var head strings.Builder
	head.WriteString("// Code generated from the description of the service. DO NOT EDIT.\n\npackage estuary\n\n")
	for path := range strings.FieldsSeq(imports) {
		fmt.Fprintf(&head, "import %q\n", path)
	}
	return head.String() + "\n"
}

func goFields(b *strings.Builder, fields []trait) {
	for i, f := range fields {
		if i > 0 {
			b.WriteString("\n")
		}
		comment(b, "\t// ", f.comment)
		fmt.Fprintf(b, "\t%s %s `json:\"%s,omitzero\"`\n", f.name, f.typ, jsonName(f.name))
	}
}

func jsonName(name string) string {
	if name == "ID" {
		return "id"
	}
	return lowerFirst(name)
}

func usesTime(fields []trait) string {
	for _, f := range fields {
		if strings.HasPrefix(f.typ, "time.") {
			return " time"
		}
	}
	return ""
}

// operationName is the name of an operation: RetireSluice, ListSluices.
func operationName(n noun, v verb) string {
	switch {
	case v.name == "List":
		return "List" + plural(n.name)
	case v.lists:
		return "List" + n.name + "Events"
	}
	return v.name + n.name
}

func estuaryOperation(files map[string][]byte, s *service, kind int, n noun, v verb) {
	name := operationName(n, v)
	fields := s.fieldsOf(kind, v)
	var b strings.Builder
	imports := "context" + usesTime(fields)
	if v.lists {
		imports += " iter"
	}
	b.WriteString(goHead(imports))
	comment(&b, "// ", fmt.Sprintf(name+" "+v.first+", "+n.about+". "+v.detail+
		"\n\nIt fails with *"+n.name+"MissingError if there is none, with *"+n.name+"BusyError while another change is under way, "+
		"and with *"+n.name+"RefusedError if the account may not do it."+
		"\n\nRequests are signed with the account of the client, repeated as Options.Attempts says, and counted against the limits of "+
		"the account. See the manual of the service for limits.", spoken(n.name)))
	fmt.Fprintf(&b, "func (c *Client) %[1]s(ctx context.Context, in *%[1]sInput, options ...func(*Options)) (*%[1]sOutput, error) {\n", name)
	fmt.Fprintf(&b, "\tif in == nil {\n\t\tin = &%[1]sInput{}\n\t}\n\tout := &%[1]sOutput{}\n\tif err := c.invoke(ctx, %[1]q, in, out, options); err != nil {\n\t\treturn nil, err\n\t}\n\treturn out, nil\n}\n\n", name)
	fmt.Fprintf(&b, "// %sInput is the input of %s.\ntype %sInput struct {\n", name, name, name)
	goFields(&b, fields)
	b.WriteString("}\n\n")
	fmt.Fprintf(&b, "// %sOutput is the output of %s.\ntype %sOutput struct {\n", name, name, name)
	item := n.name
	if v.lists && v.name != "List" {
		item = "Event"
	}
	if v.lists {
		fmt.Fprintf(&b, "\t// Items are those of this page.\n\tItems []%s `json:\"items\"`\n\n\t// Next is the next page, empty after the last.\n\tNext string `json:\"next\"`\n", item)
	} else {
		fmt.Fprintf(&b, "\t// %[1]s is the %[2]s after the call.\n\t%[1]s *%[1]s `json:\"item\"`\n", n.name, spoken(n.name))
		if v.name == "Inspect" {
			b.WriteString("\n\t// Report maps each measure to its readings, oldest first.\n\tReport map[string][]float64 `json:\"report\"`\n")
		}
	}
	b.WriteString("\n\t// Receipt is the number under which the service keeps the call.\n\tReceipt string `json:\"receipt\"`\n}\n")
	if v.lists {
		fmt.Fprintf(&b, `
// %[1]sPager goes through the pages of %[1]s.
type %[1]sPager struct {
	client *Client
	in     %[1]sInput
	done   bool
}

// New%[1]sPager makes a pager. It begins at in.Page.
func New%[1]sPager(client *Client, in *%[1]sInput) *%[1]sPager {
	p := &%[1]sPager{client: client}
	if in != nil {
		p.in = *in
	}
	return p
}

// More reports whether there is another page.
func (p *%[1]sPager) More() bool { return !p.done }

// Turn returns the next page.
func (p *%[1]sPager) Turn(ctx context.Context, options ...func(*Options)) (*%[1]sOutput, error) {
	in := p.in
	out, err := p.client.%[1]s(ctx, &in, options...)
	if err != nil {
		return nil, err
	}
	p.in.Page, p.done = out.Next, out.Next == ""
	return out, nil
}

// All goes through the items of all pages. An error is the last that it yields.
func (p *%[1]sPager) All(ctx context.Context) iter.Seq2[%[2]s, error] {
	return func(yield func(%[2]s, error) bool) {
		for p.More() {
			out, err := p.Turn(ctx)
			if err != nil {
				yield(%[2]s{}, err)
				return
			}
			for _, item := range out.Items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}
`, name, item)
	}
	files["op_"+strings.ToLower(name)+".go"] = []byte(b.String())
}

func estuaryTypes(files map[string][]byte, s *service, kind int, n noun) {
	var b strings.Builder
	traits := s.traitsOf(kind)
	b.WriteString(goHead("context time"))
	fmt.Fprintf(&b, "// %s is %s.\ntype %s struct {\n", n.name, n.about, n.name)
	goFields(&b, append([]trait{
		{"ID", "string", "ID names it for ever."},
		{"Name", "string", "Name is what it is called."},
		{"Site", "string", "Site is where it is."},
		{"State", "State", "State is what it does now."},
		{"Revision", "int", "Revision counts its changes from 1."},
		{"Changed", "time.Time", "Changed is when it was changed last."},
		{"Labels", "map[string]string", "Labels are those that it was given."},
	}, traits...))
	b.WriteString("}\n\n")
	for _, f := range []struct{ name, when string }{
		{"Busy", "another change of the %s is under way"}, {"Missing", "there is no such %s"},
		{"Stale", "the revision of the %s is not the newest"}, {"Refused", "the account may not do that with the %s"},
	} {
		when := fmt.Sprintf(f.when, spoken(n.name))
		fmt.Fprintf(&b, `// %[1]s%[2]sError says that %[3]s.
type %[1]s%[2]sError struct {
	// Message is what the service says, for people.
	Message string `+"`json:\"message\"`"+`

	// ID is the one that was asked for.
	ID string `+"`json:\"id\"`"+`

	// Holder is the account whose change is under way, if it is that.
	Holder string `+"`json:\"holder\"`"+`

	// Newest is the newest revision, if it is that.
	Newest int `+"`json:\"newest\"`"+`
}

func (e *%[1]s%[2]sError) Error() string { return "%[3]s: " + e.Message }

// Code returns the code of the error in replies.
func (e *%[1]s%[2]sError) Code() string { return %[4]q }

`, n.name, f.name, when, n.name+f.name)
	}
	for _, w := range []struct{ name, state, text string }{
		{"Settled", "StateSettled", "no change of the %s is under way"},
		{"Retired", "StateRetired", "the %s is out of service"},
	} {
		fmt.Fprintf(&b, `// %[1]s%[2]sWaiterOptions configures a %[1]s%[2]sWaiter.
type %[1]s%[2]sWaiterOptions struct {
	// Pause is the time between two looks. 0 means %[5]d seconds.
	Pause time.Duration

	// Accept overrides when the wait is over.
	Accept func(*%[1]s) bool

	// Missing ends the wait without an error if there is no such %[6]s.
	Missing bool
}

// %[1]s%[2]sWaiter waits until %[3]s.
type %[1]s%[2]sWaiter struct {
	client  *Client
	options %[1]s%[2]sWaiterOptions
}

// New%[1]s%[2]sWaiter makes a waiter.
func New%[1]s%[2]sWaiter(client *Client, options ...func(*%[1]s%[2]sWaiterOptions)) *%[1]s%[2]sWaiter {
	w := &%[1]s%[2]sWaiter{client: client}
	for _, o := range options {
		o(&w.options)
	}
	return w
}

// Wait looks again and again, for as long as most at the most, and returns what
// was seen last. It fails with ErrWaited after that time.
func (w *%[1]s%[2]sWaiter) Wait(ctx context.Context, in *Survey%[1]sInput, most time.Duration) (*%[1]s, error) {
	return wait(ctx, w.options.Pause, %[5]d*time.Second, most, func() (*%[1]s, bool, error) {
		out, err := w.client.Survey%[1]s(ctx, in)
		if missing(err) && w.options.Missing {
			return nil, true, nil
		}
		if err != nil {
			return nil, false, err
		}
		if w.options.Accept != nil {
			return out.%[1]s, w.options.Accept(out.%[1]s), nil
		}
		return out.%[1]s, out.%[1]s.State == %[4]s, nil
	})
}

`, n.name, w.name, fmt.Sprintf(w.text, spoken(n.name)), w.state, 5+kind%20, spoken(n.name))
	}
	files["kind_"+strings.ToLower(n.name)+".go"] = []byte(b.String())
}
