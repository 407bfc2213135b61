package main

import (
	"fmt"
	"go/format"
	"strings"
)

func generateEstuary(s *service) map[string][]byte {
	files := map[string][]byte{}
	var faults strings.Builder
	faults.WriteString(goHead("") + "// faultTypes makes the errors of replies, by their code.\nvar faultTypes = map[string]func() fault{\n")
	for _, n := range s.Nouns {
		for _, f := range []string{"Busy", "Missing", "Stale", "Refused"} {
			fmt.Fprintf(&faults, "%q: func() fault { return new(%s%sError) },\n", n.Name+f, n.Name, f)
		}
	}
	faults.WriteString("}\n")
	for kind, n := range s.Nouns {
		estuaryTypes(files, s, kind, n)
		for _, v := range s.Verbs {
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
		comment(b, "\t// ", f.Comment)
		fmt.Fprintf(b, "\t%s %s `json:\"%s,omitzero\"`\n", f.Name, f.Type, jsonName(f.Name))
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
		if strings.HasPrefix(f.Type, "time.") {
			return " time"
		}
	}
	return ""
}

// operationName is the name of an operation: RetireSluice, ListSluices.
func operationName(n noun, v verb) string {
	switch {
	case v.Name == "List":
		return "List" + plural(n.Name)
	case v.Lists:
		return "List" + n.Name + "Events"
	}
	return v.Name + n.Name
}

func estuaryOperation(files map[string][]byte, s *service, kind int, n noun, v verb) {
	name := operationName(n, v)
	fields := s.fieldsOf(kind, v)
	var b strings.Builder
	imports := "context" + usesTime(fields)
	if v.Lists {
		imports += " iter"
	}
	b.WriteString(goHead(imports))
	comment(&b, "// ", fmt.Sprintf(name+" "+v.First+", "+n.About+". "+v.Detail+
		"\n\nIt fails with *"+n.Name+"MissingError if there is none, with *"+n.Name+"BusyError while another change is under way, "+
		"and with *"+n.Name+"RefusedError if the account may not do it."+
		"\n\nRequests are signed with the account of the client, repeated as Options.Attempts says, and counted against the limits of "+
		"the account. See the manual of the service for limits.", spoken(n.Name)))
	fmt.Fprintf(&b, "func (c *Client) %[1]s(ctx context.Context, in *%[1]sInput, options ...func(*Options)) (*%[1]sOutput, error) {\n", name)
	fmt.Fprintf(&b, "\tif in == nil {\n\t\tin = &%[1]sInput{}\n\t}\n\tout := &%[1]sOutput{}\n\tif err := c.invoke(ctx, %[1]q, in, out, options); err != nil {\n\t\treturn nil, err\n\t}\n\treturn out, nil\n}\n\n", name)
	fmt.Fprintf(&b, "// %sInput is the input of %s.\ntype %sInput struct {\n", name, name, name)
	goFields(&b, fields)
	b.WriteString("}\n\n")
	fmt.Fprintf(&b, "// %sOutput is the output of %s.\ntype %sOutput struct {\n", name, name, name)
	item := n.Name
	if v.Lists && v.Name != "List" {
		item = "Event"
	}
	if v.Lists {
		fmt.Fprintf(&b, "\t// Items are those of this page.\n\tItems []%s `json:\"items\"`\n\n\t// Next is the next page, empty after the last.\n\tNext string `json:\"next\"`\n", item)
	} else {
		fmt.Fprintf(&b, "\t// %[1]s is the %[2]s after the call.\n\t%[1]s *%[1]s `json:\"item\"`\n", n.Name, spoken(n.Name))
		if v.Name == "Inspect" {
			b.WriteString("\n\t// Report maps each measure to its readings, oldest first.\n\tReport map[string][]float64 `json:\"report\"`\n")
		}
	}
	b.WriteString("\n\t// Receipt is the number under which the service keeps the call.\n\tReceipt string `json:\"receipt\"`\n}\n")
	if v.Lists {
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
	fmt.Fprintf(&b, "// %s is %s.\ntype %s struct {\n", n.Name, n.About, n.Name)
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
	for _, f := range []struct{ Name, when string }{
		{"Busy", "another change of the %s is under way"}, {"Missing", "there is no such %s"},
		{"Stale", "the revision of the %s is not the newest"}, {"Refused", "the account may not do that with the %s"},
	} {
		when := fmt.Sprintf(f.when, spoken(n.Name))
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

`, n.Name, f.Name, when, n.Name+f.Name)
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

`, n.Name, w.name, fmt.Sprintf(w.text, spoken(n.Name)), w.state, 5+kind%20, spoken(n.Name))
	}
	files["kind_"+strings.ToLower(n.Name)+".go"] = []byte(b.String())
}
