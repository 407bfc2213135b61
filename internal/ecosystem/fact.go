package ecosystem

// Fact is one line of what `docent doctor` tells about this machine.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"` // what was found; never a secret
	// Problem says what is wrong and what to do; empty if nothing is.
	Problem string `json:"problem,omitempty"`
}
