package dts

// kind is the kind of a token. A punctuation mark of one character has its
// character code; other kinds start at 128. Keywords come last, so k >= ident
// means that a token can be a name after a dot.
type kind uint8

const (
	eof      kind = iota + 128
	arrow         // =>
	ellipsis      // ...
	str           // "x", 'x'
	template      // `a${b}c`, whole
	number        // 1, 0x1f, 1n
	regex         // /x/g
	private       // #x
	ident

	kwAbstract
	kwAccessor
	kwAs
	kwAsserts
	kwAsync
	kwAwait
	kwClass
	kwConst
	kwDeclare
	kwDefault
	kwDefer
	kwDelete
	kwElse
	kwEnum
	kwExport
	kwExtends
	kwFor
	kwFrom
	kwFunction
	kwGet
	kwGlobal
	kwIf
	kwImplements
	kwImport
	kwIn
	kwInfer
	kwInstanceof
	kwInterface
	kwIs
	kwKeyof
	kwLet
	kwModule
	kwNamespace
	kwNew
	kwOut
	kwOverride
	kwPrivate
	kwProtected
	kwPublic
	kwReadonly
	kwReturn
	kwSatisfies
	kwSet
	kwStatic
	kwThis
	kwThrow
	kwTry
	kwType
	kwTypeof
	kwUnique
	kwUsing
	kwVar
	kwVoid
	kwWhile
	kwYield
)

// keyword returns the kind of a keyword, and ident for any other word.
func keyword(s string) kind {
	switch s {
	case "abstract":
		return kwAbstract
	case "accessor":
		return kwAccessor
	case "as":
		return kwAs
	case "asserts":
		return kwAsserts
	case "async":
		return kwAsync
	case "await":
		return kwAwait
	case "class":
		return kwClass
	case "const":
		return kwConst
	case "declare":
		return kwDeclare
	case "default":
		return kwDefault
	case "defer":
		return kwDefer
	case "delete":
		return kwDelete
	case "else":
		return kwElse
	case "enum":
		return kwEnum
	case "export":
		return kwExport
	case "extends":
		return kwExtends
	case "for":
		return kwFor
	case "from":
		return kwFrom
	case "function":
		return kwFunction
	case "get":
		return kwGet
	case "global":
		return kwGlobal
	case "if":
		return kwIf
	case "implements":
		return kwImplements
	case "import":
		return kwImport
	case "in":
		return kwIn
	case "infer":
		return kwInfer
	case "instanceof":
		return kwInstanceof
	case "interface":
		return kwInterface
	case "is":
		return kwIs
	case "keyof":
		return kwKeyof
	case "let":
		return kwLet
	case "module":
		return kwModule
	case "namespace":
		return kwNamespace
	case "new":
		return kwNew
	case "out":
		return kwOut
	case "override":
		return kwOverride
	case "private":
		return kwPrivate
	case "protected":
		return kwProtected
	case "public":
		return kwPublic
	case "readonly":
		return kwReadonly
	case "return":
		return kwReturn
	case "satisfies":
		return kwSatisfies
	case "set":
		return kwSet
	case "static":
		return kwStatic
	case "this":
		return kwThis
	case "throw":
		return kwThrow
	case "try":
		return kwTry
	case "type":
		return kwType
	case "typeof":
		return kwTypeof
	case "unique":
		return kwUnique
	case "using":
		return kwUsing
	case "var":
		return kwVar
	case "void":
		return kwVoid
	case "while":
		return kwWhile
	case "yield":
		return kwYield
	}
	return ident
}
