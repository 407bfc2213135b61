package customs

import . "example.com/harbor/berth"

// Held is a ship that customs holds at its berth.
type Held struct {
	*Ship
	Place
	Where *Berth
}

// Kept takes over fields of many kinds.
type Kept struct {
	*Berth
}
