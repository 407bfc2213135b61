package source

// Availability is the content of an @available attribute about one platform.
type Availability struct {
	// Domain is a platform (such as macOS or iOSApplicationExtension), "swift",
	// "*" for all platforms, "_PackageDescription", or the name of an
	// availability macro.
	Domain string
	// Introduced, Deprecated and Obsoleted are versions, or "" if not specified.
	Introduced, Deprecated, Obsoleted string
	// IsDeprecated is true for "deprecated" with or without a version.
	IsDeprecated bool
	Unavailable  bool
	NoAsync      bool
	// Renamed and Message are the values of the arguments with these names.
	Renamed, Message string
	// Conditions are the #if conditions around the attribute.
	Conditions []*Condition
}

// Availability returns the contents of the @available attributes, in their
// order. The short form (macOS 12, iOS 15, *) yields one value for each
// platform, but none for the star.
func (d *Decl) Availability() []Availability {
	var all []Availability
	for i := range d.Attributes {
		if a := &d.Attributes[i]; a.Name == "available" {
			for _, v := range ParseAvailability(a.Args) {
				v.Conditions = a.Conditions
				all = append(all, v)
			}
		}
	}
	return all
}

// ParseAvailability reads the arguments of an @available attribute.
func ParseAvailability(args string) []Availability {
	s := Scanner{Text: args}
	var all []Availability
	for first := true; ; first = false {
		t := s.Next()
		if t.Kind == EOF {
			return all
		}
		if t.Kind != Ident && t.Byte != '*' {
			continue
		}
		a := Availability{Domain: s.TokenText(t)}
		t = s.Next()
		for t.Kind == Punct && t.Byte == '.' { // The name is dotted.
			name := s.Next()
			a.Domain += "." + s.TokenText(name)
			t = s.Next()
		}
		if t.Kind == Integer || t.Kind == Float {
			a.Introduced, t = s.version(t)
			all = append(all, a)
		} else if first && t.Kind == Punct && t.Byte == ',' {
			return append(all, s.longAvailability(a))
		} else if a.Domain != "*" {
			all = append(all, a)
		}
		for t.Kind != EOF && (t.Kind != Punct || t.Byte != ',') {
			t = s.Next()
		}
	}
}

// longAvailability reads the arguments after the platform in the long form. A
// list that begins with the name of an availability macro is returned in the
// short form.
func (s *Scanner) longAvailability(a Availability) Availability {
	for {
		t := s.Next()
		word := s.TokenText(t)
		if t.Kind == EOF {
			return a
		}
		t = s.Next()
		var version, text string
		if t.Kind == Punct && t.Byte == ':' || t.Kind == Oper && t.Byte == '=' {
			t = s.Next()
			switch t.Kind {
			case String:
				text, _ = Unquote(s.TokenText(t))
				t = s.Next()
			case Integer, Float:
				version, t = s.version(t)
			}
		}
		switch word {
		case "introduced":
			a.Introduced = version
		case "deprecated":
			a.Deprecated, a.IsDeprecated = version, true
		case "obsoleted":
			a.Obsoleted = version
		case "unavailable":
			a.Unavailable = true
		case "noasync":
			a.NoAsync = true
		case "renamed":
			a.Renamed = text
		case "message":
			a.Message = text
		}
		for t.Kind != EOF && (t.Kind != Punct || t.Byte != ',') {
			t = s.Next()
		}
	}
}

// version reads a version that begins with a number, and then the next token.
func (s *Scanner) version(t Token) (version string, next Token) {
	start, end := t.Start, t.End
	for t = s.Next(); !t.Space && (t.Kind == Punct && t.Byte == '.' || t.Kind == Integer || t.Kind == Float); t = s.Next() {
		end = t.End
	}
	return s.Text[start:end], t
}
