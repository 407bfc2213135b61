package audit

import "testing"

// TestRatingOf compares ratings with the scores of https://www.first.org/cvss/calculator/3.1.
func TestRatingOf(t *testing.T) {
	for vector, want := range map[string]string{
		"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H":                    "critical", // 9.8
		"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H":                    "critical", // 10.0
		"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H":                    "high",     // 7.5
		"CVSS:3.0/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H":                    "high",     // 7.8
		"CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:C/C:H/I:N/A:N":                    "moderate", // 6.8
		"CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N":                    "moderate", // 6.1
		"CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N/E:P":                "low",      // 3.1
		"CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N":                    "low",      // 1.6
		"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N":                    "",         // 0.0
		"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H":                        "",
		"CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H":                    "",
		"CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N": "",
		"": "",
	} {
		if got := ratingOf(vector); got != want {
			t.Errorf("%s is %q, want %q", vector, got, want)
		}
	}
}
