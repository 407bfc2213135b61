package jsonschema

// digits parses n decimal digits at the start of s. ok is false if s does not
// start with them.
func digits(s []byte, n int) (x int, ok bool) {
	if len(s) < n {
		return 0, false
	}
	for _, c := range s[:n] {
		if !isDigit(c) {
			return 0, false
		}
		x = x*10 + int(c-'0')
	}
	return x, true
}

// isDate reports whether s is a full-date according to RFC 3339.
func isDate(s []byte) bool {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return false
	}
	y, ok1 := digits(s, 4)
	m, ok2 := digits(s[5:], 2)
	d, ok3 := digits(s[8:], 2)
	if !ok1 || !ok2 || !ok3 || m < 1 || m > 12 || d < 1 {
		return false
	}
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[m-1]
	if m == 2 && y%4 == 0 && (y%100 != 0 || y%400 == 0) {
		days = 29
	}
	return d <= days
}

// isTime reports whether s is a full-time according to RFC 3339. A leap second is
// valid only at 23:59:60 UTC.
func isTime(s []byte) bool {
	if len(s) < 9 || s[2] != ':' || s[5] != ':' {
		return false
	}
	h, ok1 := digits(s, 2)
	m, ok2 := digits(s[3:], 2)
	sec, ok3 := digits(s[6:], 2)
	if !ok1 || !ok2 || !ok3 || h > 23 || m > 59 || sec > 60 {
		return false
	}
	s = s[8:]
	if s[0] == '.' {
		n := countDigits(s[1:])
		if n == 0 {
			return false
		}
		s = s[1+n:]
	}
	offset := 0
	switch {
	case len(s) == 1 && s[0]|0x20 == 'z':
	case len(s) == 6 && (s[0] == '+' || s[0] == '-') && s[3] == ':':
		oh, ok1 := digits(s[1:], 2)
		om, ok2 := digits(s[4:], 2)
		if !ok1 || !ok2 || oh > 23 || om > 59 {
			return false
		}
		if offset = oh*60 + om; s[0] == '-' {
			offset = -offset
		}
	default:
		return false
	}
	const day = 24 * 60
	return sec < 60 || (h*60+m-offset+day)%day == day-1
}

func isDateTime(s []byte) bool {
	return len(s) > 11 && isDate(s[:10]) && s[10]|0x20 == 't' && isTime(s[11:])
}
