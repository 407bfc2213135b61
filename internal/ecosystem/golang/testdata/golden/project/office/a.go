package office

type Clerk struct{ Name string }

func (c Clerk) Work() {}

var Desk, Chair = 1, "wood"

const Hours = 8
