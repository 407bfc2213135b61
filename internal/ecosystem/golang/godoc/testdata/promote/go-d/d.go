package d

// D is D.
type D struct{ OfD int }

func (D) Self() D { return D{} }
