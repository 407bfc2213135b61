package time

// A Time is a moment.
type Time struct{ wall uint64 }
