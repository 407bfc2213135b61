// Asks TypeScript's own compiler for the parts of the declarations that packages export:
// parameters, results and what the names in them refer to. Prints one line of JSON for each
// package.
//
//	node declarations.mjs DIR PACKAGE… > declarations.jsonl
import path from "node:path";
import ts from "typescript";

const dir = path.resolve(process.argv[2]);
const options = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, customConditions: ["node"], strict: true, noEmit: true, skipLibCheck: true, types: ["node"] };
const host = ts.createCompilerHost(options, true);
const entryFile = path.join(dir, "__entry.ts");
const plainSource = host.getSourceFile.bind(host);
const plainExists = host.fileExists.bind(host);
let entryText = "";
host.getCurrentDirectory = () => dir;
host.fileExists = (f) => f === entryFile || plainExists(f);
host.getSourceFile = (f, version, ...rest) => f === entryFile ? ts.createSourceFile(f, entryText, version, true) : plainSource(f, version, ...rest);

let checker, program, root;

// place is the file and line of a declaration's name, with the file below its package.
function place(d) {
	const file = d.getSourceFile();
	return `${path.relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition((d.name ?? d).getStart()).line + 1}`;
}

// meaning says what a name in a declaration refers to.
function meaning(node) {
	const first = ts.isImportTypeNode(node) ? node : leftmost(node);
	let s = checker.getSymbolAtLocation(ts.isImportTypeNode(node) ? (node.qualifier ?? node.argument.literal) : node);
	if (ts.isImportTypeNode(node) && !node.argument.literal.text.startsWith(".")) return { import: node.argument.literal.text, name: node.qualifier?.getText() ?? "" };
	let start = ts.isImportTypeNode(node) ? undefined : checker.getSymbolAtLocation(first);
	const rest = ts.isImportTypeNode(node) ? "" : node.getText().slice(first.getText().length);
	for (let hops = 0; start && start.flags & ts.SymbolFlags.Alias && hops < 50; hops++) {
		const a = start.declarations?.find((x) => ts.isImportSpecifier(x) || ts.isExportSpecifier(x) || ts.isNamespaceImport(x) || ts.isImportClause(x) || ts.isImportEqualsDeclaration(x));
		const statement = a && ts.findAncestor(a, (x) => ts.isImportDeclaration(x) || ts.isExportDeclaration(x) || ts.isImportEqualsDeclaration(x));
		const spec = statement?.moduleSpecifier?.text ?? statement?.moduleReference?.expression?.text;
		if (spec && !spec.startsWith(".") && !spec.startsWith("#")) return { import: spec, name: ((ts.isNamespaceImport(a) || ts.isImportEqualsDeclaration(a) ? "" : ts.isImportClause(a) ? "default" : (a.propertyName ?? a.name).text) + rest).replace(/^\./, "") };
		start = checker.getImmediateAliasedSymbol(start);
	}
	if (s && s.flags & ts.SymbolFlags.Alias) s = checker.getAliasedSymbol(s);
	if (!s?.declarations?.length) return { unknown: true };
	if (s.flags & ts.SymbolFlags.TypeParameter || s.declarations.some((x) => ts.isParameter(x))) return { local: true };
	if (s.declarations.some((x) => program.isSourceFileDefaultLibrary(x.getSourceFile()))) return { builtin: true };
	const file = s.declarations[0].getSourceFile().fileName;
	if (!file.startsWith(root + path.sep) || file.slice(root.length).includes("/node_modules/")) return { unknown: true };
	return { at: s.declarations.map(place) };
}

function leftmost(n) {
	while (ts.isQualifiedName(n) || ts.isPropertyAccessExpression(n)) n = n.left ?? n.expression;
	return n;
}

// references lists the names in a declaration, without the members of a class or interface.
function references(d) {
	const out = [];
	const visit = (n) => {
		if (ts.isBlock(n) || n.kind === ts.SyntaxKind.JSDoc || (n.parent === d && (ts.isClassLike(d) || ts.isInterfaceDeclaration(d)) && (ts.isTypeElement(n) || ts.isClassElement(n)))) return;
		const name = ts.isTypeReferenceNode(n) ? n.typeName : ts.isTypeQueryNode(n) && !ts.isImportTypeNode(n.exprName) ? n.exprName : ts.isExpressionWithTypeArguments(n) && ts.isEntityNameExpression(n.expression) ? n.expression : ts.isImportTypeNode(n) ? n : undefined;
		if (name && name.getText() !== "const") out.push({ text: ts.isImportTypeNode(name) ? name.getText().replace(/^typeof\s+/, "").replace(/<[^]*$/, "") : name.getText(), ...meaning(name) });
		ts.forEachChild(n, visit);
	};
	ts.forEachChild(d, visit);
	return out;
}

function declaration(d) {
	const out = { references: references(d) };
	if (!ts.isFunctionLike(d)) return out;
	out.typeParams = (d.typeParameters ?? []).map((t) => ({ name: t.name.text, constraint: t.constraint?.getText() ?? "", default: t.default?.getText() ?? "" }));
	out.params = d.parameters.map((p) => ({ name: p.name.getText(), type: p.type?.getText() ?? "", optional: !!(p.questionToken || p.initializer), variadic: !!p.dotDotDotToken }));
	out.result = d.type?.getText() ?? "";
	return out;
}

// declared lists the declarations of a symbol that are in declaration files of the package.
function declared(s) {
	const all = (s.declarations ?? []).filter((d) => !ts.isModuleDeclaration(d));
	const file = (d) => d.getSourceFile();
	if (!all.length || all.some((d) => !file(d).isDeclarationFile || !file(d).fileName.startsWith(root + path.sep))) return;
	return all.map(declaration);
}

for (const name of process.argv.slice(3)) {
	root = path.join(dir, "node_modules", name);
	entryText = `import * as e from ${JSON.stringify(name)};`;
	program = ts.createProgram([entryFile], options, host);
	checker = program.getTypeChecker();
	const out = { package: name, symbols: [] };
	const mod = checker.getSymbolAtLocation(program.getSourceFile(entryFile).statements[0].moduleSpecifier);
	for (const e of mod ? checker.getExportsOfModule(mod) : []) {
		const s = e.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(e) : e;
		const add = (p, symbol) => {
			const declarations = declared(symbol);
			if (declarations) out.symbols.push({ path: p, declarations });
		};
		add(e.name, s);
		for (const table of [s.members, s.flags & ts.SymbolFlags.Class ? s.exports : undefined]) {
			table?.forEach((m, key) => {
				if (!String(key).startsWith("__") && !(m.flags & (ts.SymbolFlags.TypeParameter | ts.SymbolFlags.Prototype)) && !m.declarations?.some((d) => ts.getCombinedModifierFlags(d) & ts.ModifierFlags.Private)) add(`${e.name}.${m.name}`, m);
			});
		}
	}
	console.log(JSON.stringify(out));
}
