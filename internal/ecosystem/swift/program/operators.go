package program

import "github.com/docent-mcp/docent/internal/ecosystem/swift/source"

// numbers are the types of systems whose values arithmetic operators combine to one of the same type.
const numbers = " Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64 Double Float Decimal "

// binary evaluates the operators of a range and of sums after the first operand of an expression. It returns the operand if
// another operator follows.
func (w *walker) binary(operand result) result {
	lower := w.sum(operand)
	operator := w.at(lower.end)
	if operator != "..<" && operator != "..." || !w.isBinary(lower.end) {
		return lower
	}
	upper := w.sum(w.term(lower.end + 1))
	v := value{}
	if bound := commonNumber(lower.value, upper.value); bound.isKnown() {
		v = value{system: "Range", args: []value{bound}}
		if operator == "..." {
			v.system = "ClosedRange"
		}
	}
	return result{v, upper.end}
}

// sum evaluates the arithmetic operators after an operand, as far as their precedence does not matter.
func (w *walker) sum(operand result) result {
	for n := 0; n < maxCondition && w.isBinary(operand.end) && contains(" + - * / % ", w.at(operand.end)); n++ {
		operator := w.at(operand.end)
		right := w.term(operand.end + 1)
		if right.end <= operand.end+1 {
			return result{end: operand.end}
		}
		v := commonNumber(operand.value, right.value)
		switch {
		case v.isKnown():
		case operator != "+" && operator != "-":
		case operator == "+" && same(operand.value, right.value) && contains(" String Array ", operand.value.system):
			v = operand.value
		case operand.value.t != nil || right.value.t != nil:
			v = w.operated(operator, operand.value, right.value)
		}
		operand = result{v, right.end}
	}
	return operand
}

// isUndetermined reports whether an expression in parentheses contains operators between literals and a member of its value
// follows, such as (1 / 2).rounded(). The member determines the types of the literals.
func (w *walker) isUndetermined(open int) bool {
	end := w.closing[open]
	if w.at(end+1) != "." || end-open > maxCondition {
		return false
	}
	operators := false
	for i := open + 1; i < end; i++ {
		switch {
		case w.kind(i) == source.Oper:
			operators = operators || w.isBinary(i)
		case literals[w.kind(i)] == "" && w.at(i) != "(" && w.at(i) != ")":
			return false
		}
	}
	return operators
}

// term evaluates an operand of an operator.
func (w *walker) term(i int) result {
	switch {
	case literals[w.kind(i)] != "":
		return result{value{system: literals[w.kind(i)]}, i + 1}
	case w.isName(i) && !contains(" if switch nil true false super do try await ", w.at(i)), w.at(i) == "(":
		return w.chain(i)
	}
	return result{end: i}
}

// isBinary reports whether the token at i is an operator between two operands.
func (w *walker) isBinary(i int) bool {
	return w.kind(i) == source.Oper && w.tight(i) == w.tight(i+1) && !w.begins(i+1)
}

// commonNumber returns the type of two numbers if it is the same.
func commonNumber(a, b value) value {
	if same(a, b) && contains(numbers, a.system) && a.optional == 0 {
		return a
	}
	return value{}
}

// operated returns the result of an operator that is declared for operands with two types, if it is the same for all declarations
// for these types. Generic declarations are no better matches.
func (w *walker) operated(operator string, left, right value) value {
	if left.optional > 0 || right.optional > 0 || !left.isKnown() || !right.isKnown() {
		return value{}
	}
	all := w.globals(operator)
	for _, operand := range []value{left, right} {
		if operand.t != nil {
			found, _ := w.program.find(operand.t, operator)
			all = append(all, found...)
		}
	}
	if len(all) > maxCompared {
		return value{}
	}
	var returned value
	for _, m := range all {
		d := m.decl
		if d.Kind != source.Func || len(d.Params) != 2 || len(d.Generics) > 0 || !m.isVisible(w.file) ||
			!same(w.declared(d.Params[0].Type, m, value{}), left) || !same(w.declared(d.Params[1].Type, m, value{}), right) {
			continue
		}
		r := w.declared(d.Result, m, value{})
		if returned.isKnown() && !same(r, returned) {
			return value{}
		}
		returned = r
	}
	return returned
}
