package audit

import (
	"math"
	"strings"
)

// These are the values of the metrics of CVSS 3, as https://www.first.org/cvss/v3.1/specification-document lists them.
var (
	attackVector     = map[string]float64{"N": 0.85, "A": 0.62, "L": 0.55, "P": 0.2}
	attackComplexity = map[string]float64{"L": 0.77, "H": 0.44}
	privileges       = map[string]float64{"N": 0.85, "L": 0.62, "H": 0.27}
	privilegesScoped = map[string]float64{"N": 0.85, "L": 0.68, "H": 0.5} // if the scope changes
	interaction      = map[string]float64{"N": 0.85, "R": 0.62}
	impact           = map[string]float64{"H": 0.56, "L": 0.22, "N": 0}
)

// ratingOf returns the word for the base score of a vector of CVSS 3.0 or 3.1, or "" for any other
// text.
func ratingOf(vector string) string {
	head, rest, _ := strings.Cut(vector, "/")
	if head != "CVSS:3.0" && head != "CVSS:3.1" {
		return ""
	}
	metrics := map[string]string{}
	for part := range strings.SplitSeq(rest, "/") {
		name, value, _ := strings.Cut(part, ":")
		metrics[name] = value
	}
	known := metrics["S"] == "U" || metrics["S"] == "C"
	value := func(name string, values map[string]float64) float64 {
		v, ok := values[metrics[name]]
		known = known && ok
		return v
	}
	scoped, required := metrics["S"] == "C", privileges
	if scoped {
		required = privilegesScoped
	}
	exploitability := 8.22 * value("AV", attackVector) * value("AC", attackComplexity) * value("PR", required) * value("UI", interaction)
	base := 1 - (1-value("C", impact))*(1-value("I", impact))*(1-value("A", impact))
	score := 6.42 * base
	if scoped {
		score = 7.52*(base-0.029) - 3.25*math.Pow(base-0.02, 15)
	}
	if !known || score <= 0 {
		return ""
	}
	if score += exploitability; scoped {
		score *= 1.08
	}
	score = math.Ceil(math.Round(min(score, 10)*1e5)/1e4) / 10 // rounded up to one decimal
	switch {
	case score >= 9:
		return "critical"
	case score >= 7:
		return "high"
	case score >= 4:
		return "moderate"
	}
	return "low"
}
