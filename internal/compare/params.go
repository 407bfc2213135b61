package compare

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// param is one parameter.
type param struct {
	name  string
	flags apidoc.PartFlags
	typ   text
	typed bool
	value text   // the default
	whole string // the parameter as it is written
	place int    // its index in the list of parameters
}

func (p *param) is(f apidoc.PartFlags) bool { return p.flags&f == f }

// optional reports whether callers may omit the parameter.
func (p *param) optional() bool { return p.flags&(apidoc.Optional|apidoc.Variadic) != 0 }

// list returns the parameters of a declaration, and the text of the parameter on which a method is
// called.
func (d *declaration) list() (all []*param, self string) {
	for i := range d.Within(d.part, apidoc.ParamPart) {
		flags := d.Parts[i].Flags
		if flags&apidoc.Self != 0 {
			self = d.reduce(i).string
			continue
		}
		p := &param{name: d.ChildText(i, apidoc.NamePart), flags: flags, whole: d.PartText(i), place: len(all)}
		if label := d.ChildText(i, apidoc.LabelPart); label != "" {
			p.name = label
		}
		if t := d.TypeOf(i); t >= 0 {
			p.typ, p.typed = d.reduce(t), true
		}
		if v := d.Child(i, apidoc.DefaultPart); v >= 0 && d.Parts[v].Flags&apidoc.Unknown == 0 {
			p.value = d.reduce(v)
		}
		all = append(all, p)
	}
	return all, self
}

// params compares the parameters of two declarations.
func (c *comparison) params(old, new *declaration) (details []Detail) {
	a, selfA := old.list()
	b, selfB := new.list()
	unknown := func(p *param) bool { return p.is(apidoc.Unknown) }
	if slices.ContainsFunc(a, unknown) || slices.ContainsFunc(b, unknown) {
		return nil
	}
	if x, y := old.receiver(), new.receiver(); x.string != "" && x.string != y.string && len(y.words) > len(x.words) && slices.Equal(x.words, y.words[len(y.words)-len(x.words):]) {
		details = append(details, Detail{Aspect: Receiver, Severity: c.rules.Type, Old: x.string, New: y.string})
	}
	if !c.rules.NamedArguments && selfA != selfB {
		details = append(details, Detail{Aspect: Receiver, Severity: c.rules.Type, Old: selfA, New: selfB})
	}
	pairs := c.byPlace(a, b)
	if c.rules.NamedArguments {
		pairs = byName(a, b)
	}
	var onlyOld, onlyNew []*param
	for _, p := range a {
		if pairs[p] == nil {
			onlyOld = append(onlyOld, p)
		}
	}
	back := map[*param]*param{}
	for x, y := range pairs {
		back[y] = x
	}
	for _, p := range b {
		if back[p] == nil {
			onlyNew = append(onlyNew, p)
		}
	}
	// A parameter in the place of another, with everything else equal, was renamed.
	for i := 0; i < len(onlyOld) && c.rules.NamedArguments; i++ {
		p := onlyOld[i]
		k := slices.IndexFunc(onlyNew, func(q *param) bool {
			return p.place == q.place && p.optional() == q.optional() && p.flags&(apidoc.KeywordOnly|apidoc.Variadic) == q.flags&(apidoc.KeywordOnly|apidoc.Variadic)
		})
		if k < 0 {
			continue
		}
		q := onlyNew[k]
		pairs[p], back[q] = q, p
		if s := apidoc.Breaking; !p.is(apidoc.PositionalOnly) {
			if slices.ContainsFunc(b, func(p *param) bool { return p.is(apidoc.Variadic | apidoc.KeywordOnly) }) {
				s = apidoc.Risky
			}
			details = append(details, Detail{Aspect: ParamRenamed, Severity: s, Old: p.name, New: q.name, place: p.place + 1})
		}
		onlyOld, onlyNew = slices.Delete(onlyOld, i, i+1), slices.Delete(onlyNew, k, k+1)
		i--
	}
	details = append(details, c.removedParams(onlyOld, onlyNew, b)...)
	details = append(details, c.addedParams(onlyNew, a, b, back)...)
	details = append(details, reordered(a, pairs)...)
	for _, p := range a {
		if q := pairs[p]; q != nil {
			details = append(details, c.param(p, q)...)
		}
	}
	return details
}

// receiver returns the type of a method's receiver in reduced form.
func (d *declaration) receiver() text {
	i := d.Child(d.part, apidoc.ReceiverPart)
	if i < 0 {
		return text{}
	}
	if t := d.Child(i, apidoc.TypePart); t >= 0 {
		i = t
	}
	return d.reduce(i)
}

// removedParams returns details for parameters that the new declaration lacks.
func (c *comparison) removedParams(removed, added, new []*param) (details []Detail) {
	for _, p := range removed {
		s := apidoc.Breaking
		if p.is(apidoc.Variadic|apidoc.KeywordOnly) && slices.ContainsFunc(new, func(q *param) bool { return q.is(apidoc.KeywordOnly) }) {
			s = apidoc.Risky // the accepted names may now be declared
		}
		if c.rules.NamedArguments && p.is(apidoc.Variadic) && slices.ContainsFunc(added, func(q *param) bool {
			return p.is(apidoc.KeywordOnly) || !q.is(apidoc.KeywordOnly)
		}) {
			s = apidoc.Risky // the additional parameters may be those that it took
		}
		if c.rules.NamedArguments && slices.ContainsFunc(new, func(q *param) bool {
			return q.is(apidoc.Variadic) && (q.is(apidoc.KeywordOnly) || !p.is(apidoc.KeywordOnly))
		}) {
			s = apidoc.Risky // another parameter takes the arguments passed for it
		}
		details = append(details, Detail{Aspect: ParamRemoved, Severity: s, Name: p.name, Old: p.whole, place: p.place + 1, flags: p.flags})
	}
	return details
}

// optionalParam describes an additional parameter that calls need not pass, and requiredParam one that
// they must pass.
const optionalParam, requiredParam = "optional", "required"

// addedParams returns details for parameters that the old declaration lacks. A parameter that is
// added before others shifts these, so positional arguments change their meaning.
func (c *comparison) addedParams(added, old, new []*param, back map[*param]*param) (details []Detail) {
	takesAny := slices.ContainsFunc(old, func(p *param) bool { return p.is(apidoc.Variadic) && !p.is(apidoc.KeywordOnly) })
	for _, p := range added {
		d := Detail{Aspect: ParamAdded, Severity: c.rules.OptionalParam, Name: p.name, New: p.whole}
		moves := !p.is(apidoc.KeywordOnly) && !p.is(apidoc.Variadic) && slices.ContainsFunc(new, func(q *param) bool {
			return q.place > p.place && back[q] != nil && !q.is(apidoc.KeywordOnly) && !q.is(apidoc.Variadic)
		})
		switch {
		case !p.optional():
			d.Severity = apidoc.Breaking
			d.New = requiredParam
		case moves:
			d.Severity = apidoc.Breaking
			d.New = "optional, before others"
		default:
			d.New = optionalParam
		}
		if takesAny && c.rules.NamedArguments && !p.is(apidoc.KeywordOnly) {
			d.Severity = min(d.Severity, apidoc.Risky) // Callers may already pass the argument.
		}
		details = append(details, d)
	}
	return details
}

// reordered returns a detail if the order of the positional parameters has changed.
func reordered(old []*param, pairs map[*param]*param) []Detail {
	last := -1
	var before, after []*param
	sorted := true
	for _, p := range old {
		q := pairs[p]
		if q == nil || p.flags&(apidoc.KeywordOnly|apidoc.Variadic) != 0 || q.flags&(apidoc.KeywordOnly|apidoc.Variadic) != 0 {
			continue
		}
		before, after = append(before, p), append(after, q)
		sorted = sorted && q.place > last
		last = q.place
	}
	if sorted {
		return nil
	}
	slices.SortFunc(after, func(a, b *param) int { return a.place - b.place })
	return []Detail{{Aspect: ParamsReordered, Severity: apidoc.Breaking, Old: names(before), New: names(after)}}
}

func names(params []*param) string {
	all := make([]string, len(params))
	for i, p := range params {
		all[i] = p.name
	}
	return strings.Join(all, ", ")
}

// param compares two corresponding parameters.
func (c *comparison) param(old, new *param) (details []Detail) {
	name := new.name
	add := func(aspect Aspect, s apidoc.Severity, a, b string) {
		details = append(details, Detail{Aspect: aspect, Severity: s, Name: name, Old: a, New: b, place: old.place + 1})
	}
	switch was, is := old.optional(), new.optional(); {
	case was && !is:
		add(ParamRequired, apidoc.Breaking, "", "")
	case !was && is:
		add(ParamOptional, c.rules.OptionalParam, "", "")
	}
	const passing = apidoc.Variadic | apidoc.KeywordOnly | apidoc.PositionalOnly
	if a, b := old.flags&passing, new.flags&passing; a != b {
		s := apidoc.Breaking
		if b&^a == 0 && a&apidoc.Variadic == 0 {
			s = apidoc.Compatible // callers have more ways to pass it
		} else if b&^a == apidoc.Variadic {
			s = c.rules.OptionalParam
		}
		add(ParamPassing, s, flagNames(a), flagNames(b))
		details[len(details)-1].flags = b
	}
	if old.typed && new.typed && !old.typ.equal(new.typ) {
		add(ParamType, c.typeSeverity(old.typ, new.typ, true), old.declared(), new.declared())
		last := &details[len(details)-1]
		last.packages, last.before, last.after = old.typ.otherPackages(new.typ), &old.typ, &new.typ
	} else if old.typed != new.typed && c.rules.Type == apidoc.Breaking {
		add(ParamType, apidoc.Risky, old.declared(), new.declared())
	}
	if a, b := &old.value, &new.value; a.string != b.string && old.optional() && new.optional() && a.source != "" && b.source != "" {
		add(Default, apidoc.Risky, a.source, b.source)
	}
	return details
}

func flagNames(f apidoc.PartFlags) string {
	if f == 0 {
		return "ordinary"
	}
	return f.String()
}

// declared returns the type of a parameter as it is written.
func (p *param) declared() string {
	if !p.typed {
		return "not declared"
	}
	return p.typ.source
}

// byName returns, for each old parameter, the new parameter that has the same name, or that takes
// any number of arguments in the same way.
func byName(old, new []*param) map[*param]*param {
	pairs := map[*param]*param{}
	used := map[*param]bool{}
	for _, p := range old {
		for _, q := range new {
			if used[q] || p.is(apidoc.Variadic) != q.is(apidoc.Variadic) {
				continue
			}
			if p.is(apidoc.Variadic) && p.is(apidoc.KeywordOnly) == q.is(apidoc.KeywordOnly) || !p.is(apidoc.Variadic) && p.name == q.name {
				pairs[p], used[q] = q, true
				break
			}
		}
	}
	return pairs
}

// maxAligned is the maximum number of parameters that are aligned. In longer lists, parameters
// correspond by position.
const maxAligned = 64

// byPlace aligns two lists of parameters at the lowest cost. A pair with equal names and types
// costs nothing, a pair with only one of them equal costs 2, and a parameter without a counterpart
// costs 2.
func (c *comparison) byPlace(old, new []*param) map[*param]*param {
	pairs := map[*param]*param{}
	if len(old) > maxAligned || len(new) > maxAligned {
		for i := range min(len(old), len(new)) {
			pairs[old[i]] = new[i]
		}
		return pairs
	}
	match := func(p, q *param) int {
		n := 0
		if p.name != q.name && p.name != "" && q.name != "" {
			n++
		}
		if !p.typ.equal(q.typ) {
			n += 2
		}
		if p.is(apidoc.Variadic) != q.is(apidoc.Variadic) {
			n++
		}
		return n
	}
	const alone = 2
	costs := make([][]int, len(old)+1) // costs[i][k] is the lowest cost of the lists that begin at i and k.
	for i := len(old); i >= 0; i-- {
		costs[i] = make([]int, len(new)+1)
		for k := len(new); k >= 0; k-- {
			switch {
			case i == len(old):
				costs[i][k] = alone * (len(new) - k)
			case k == len(new):
				costs[i][k] = alone * (len(old) - i)
			default:
				costs[i][k] = min(costs[i+1][k+1]+match(old[i], new[k]), costs[i+1][k]+alone, costs[i][k+1]+alone)
			}
		}
	}
	for i, k := 0, 0; i < len(old) && k < len(new); {
		switch costs[i][k] {
		case costs[i+1][k+1] + match(old[i], new[k]):
			pairs[old[i]] = new[k]
			i, k = i+1, k+1
		case costs[i][k+1] + alone:
			k++
		default:
			i++
		}
	}
	return pairs
}
