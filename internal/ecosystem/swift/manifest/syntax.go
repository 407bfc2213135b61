package manifest

// node is an expression or a statement.
type node interface{ at() int }

// line is the line on which a node begins.
type line int

func (l line) at() int { return int(l) }

// These are the expressions.
type (
	// badExpr is text that cannot be parsed or whose value is not known.
	badExpr struct{ line }

	// literalExpr is a number, true, false or nil.
	literalExpr struct {
		line
		value value
	}

	// stringExpr is a string literal, which may contain expressions.
	stringExpr struct {
		line
		literal string
		parts   []stringPart // set when it is first evaluated
	}

	nameExpr struct {
		line
		name string
	}

	// operatorExpr is an operator that is used as a function, as in sorted(by: <).
	operatorExpr struct {
		line
		op string
	}

	// implicitExpr is a member of the expected type, as in .target.
	implicitExpr struct {
		line
		name string
	}

	memberExpr struct {
		line
		base node
		name string
		// implicit is true if the chain of members and calls begins with an implicit member.
		implicit bool
	}

	callExpr struct {
		line
		callee   node
		args     []arg
		implicit bool // as in memberExpr
	}

	indexExpr struct {
		line
		base node
		args []arg
	}

	arrayExpr struct {
		line
		elems []node
	}

	dictExpr struct {
		line
		keys, values []node
	}

	tupleExpr struct {
		line
		elems []arg
	}

	closureExpr struct {
		line
		code
	}

	ternaryExpr struct {
		line
		cond, yes, no node
	}

	binaryExpr struct {
		line
		op          string
		left, right node
	}

	unaryExpr struct {
		line
		op      string
		operand node
	}

	// castExpr is "operand as typ", or a test of the type: "operand is typ".
	castExpr struct {
		line
		operand node
		typ     typ
		test    bool
	}

	keyPathExpr struct {
		line
		names []string
	}
)

// These are the statements.
type (
	// block is a list of statements with a scope of its own.
	block struct {
		line
		stmts []node
	}

	// declList represents several variables declared by one let or var, or several cases of
	// an enum.
	declList struct {
		line
		decls []node
	}

	varDecl struct {
		line
		static bool
		names  []string // more than one for a tuple
		typ    typ
		value  node  // nil if there is none
		getter *code // nil for a stored variable
	}

	// funcDecl is a function, or an initializer with the name "init".
	funcDecl struct {
		line
		static bool
		name   string
		code
	}

	// typeDecl is a struct, an enum, a class or an extension.
	typeDecl struct {
		line
		typ       typ
		extension bool
		members   *block
	}

	caseDecl struct {
		line
		name string
		raw  node // nil if there is none
	}

	ifStmt struct {
		line
		conds []node
		body  *block
		other node // the else branch, or nil
	}

	guardStmt struct {
		line
		conds []node
		body  *block
	}

	forStmt struct {
		line
		names    []string
		sequence node
		where    node // nil if there is none
		body     *block
	}

	whileStmt struct {
		line
		conds  []node
		body   *block
		repeat bool // whether the conditions follow the body
	}

	switchStmt struct {
		line
		subject node
		arms    []*switchArm
	}

	// switchArm is a case of a switch. It has no patterns if it is the default.
	switchArm struct {
		patterns []node
		body     *block
	}

	returnStmt struct {
		line
		value node // nil if there is none
	}

	// jumpStmt is break, continue, fallthrough or throw.
	jumpStmt struct {
		line
		keyword string
	}

	// assignStmt is an assignment with the operator =, +=, -= or *=.
	assignStmt struct {
		line
		op          string
		left, right node
	}

	// bindCond is the condition "let name = value".
	bindCond struct {
		line
		name  string
		value node
	}

	// availableCond is #available, which holds, or #unavailable, which does not.
	availableCond struct {
		line
		holds bool
	}
)

// code is the part of a function, a closure or a getter that is called.
type code struct {
	kind   codeKind
	params []param
	result typ
	body   *block // nil if there is none
	// second is true for a closure that uses $1. It takes the parts of a pair as two arguments.
	second bool
}

type codeKind uint8

const (
	functionCode codeKind = iota
	closureCode
	getterCode
)

type param struct {
	label string // empty for none
	name  string
	typ   typ
	value node // default value, or nil
	// variadic is true if the parameter takes any number of arguments.
	variadic bool
}

// isOptional reports whether a call may omit the argument.
func (p *param) isOptional() bool { return p.value != nil || p.variadic }

type arg struct {
	label string
	value node
}

// stringPart is text, or an expression between the text of a string literal.
type stringPart struct {
	text string
	expr node // nil for text
	size int  // length of the expression in bytes
}

// isImplicit reports whether a chain of members and calls begins with an implicit member.
func isImplicit(n node) bool {
	switch n := n.(type) {
	case *implicitExpr:
		return true
	case *memberExpr:
		return n.implicit
	case *callExpr:
		return n.implicit
	}
	return false
}
