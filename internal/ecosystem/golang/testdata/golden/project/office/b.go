// Package office is documented in its second file.
package office

// Hire returns a Clerk or a Boss.
func Hire(name string) (Clerk, Boss, error) { return Clerk{}, Boss{}, nil }

// Boss is a Clerk, too.
type Boss struct {
	Clerk
	Team []Clerk
}

//line office.y:10

// Generated is declared in a file that a tool wrote.
func Generated() {}

// Secrets are not exported.
var secrets = 1

// Helper is an alias with a method of its own.
type Helper = Clerk

// Help is declared for the alias.
func (h *Helper) Help(hours int) {}
