// Asks TypeScript's checker what the names in the declarations of packages mean. Prints one line
// of JSON for each export and each public member of a class or interface.
//
//	node npm.mjs DIR PACKAGE… >> judge.jsonl
import { createRequire } from "node:module";
import path from "node:path";

const dir = path.resolve(process.argv[2]);
const ts = createRequire(path.join(dir, "package.json"))("typescript");
const options = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, customConditions: ["node"], strict: true, noEmit: true, skipLibCheck: true, types: ["node"] };
const host = ts.createCompilerHost(options, true);
const entryFile = path.join(dir, "__entry.ts");
const plainSource = host.getSourceFile.bind(host);
const plainExists = host.fileExists.bind(host);
let entryText = "", checker, program, root;
host.getCurrentDirectory = () => dir;
host.fileExists = (f) => f === entryFile || plainExists(f);
host.getSourceFile = (f, version, ...rest) => f === entryFile ? ts.createSourceFile(f, entryText, version, true) : plainSource(f, version, ...rest);

function place(d) {
	const file = d.getSourceFile();
	return `${file.fileName}:${file.getLineAndCharacterOfPosition((d.name ?? d).getStart()).line + 1}`;
}

function last(text) {
	return text.replace(/<[^]*$/, "").split(".").pop().trim();
}

// meaning says what a name means: the declarations of what all aliases lead to.
function meaning(node) {
	let s = checker.getSymbolAtLocation(ts.isImportTypeNode(node) ? (node.qualifier ?? node.argument.literal) : node);
	if (s && s.flags & ts.SymbolFlags.Alias) s = checker.getAliasedSymbol(s);
	if (!s?.declarations?.length) return;
	if (s.flags & ts.SymbolFlags.TypeParameter || s.declarations.some((x) => ts.isParameter(x))) return { none: true };
	if (s.declarations.some((x) => program.isSourceFileDefaultLibrary(x.getSourceFile()))) return { none: true };
	// What no file exports is no part of the interface.
	return { at: s.declarations.map(place), declared: s.name, hidden: !s.declarations.some((d) => exported(d)) };
}

const seen = new Map();
// exported reports whether an entry point of a package leads to a declaration.
function exported(d) {
	const file = d.getSourceFile();
	if (!ts.isExternalModule(file)) return true;
	if (!seen.has(entryText)) {
		const all = new Set();
		const mod = checker.getSymbolAtLocation(program.getSourceFile(entryFile).statements[0].moduleSpecifier);
		const add = (m, depth) => {
			for (const e of checker.getExportsOfModule(m)) {
				const s = e.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(e) : e;
				for (const x of s.declarations ?? []) all.add(x);
				if (depth < 4 && s.flags & ts.SymbolFlags.Module) add(s, depth + 1);
			}
		};
		if (mod) add(mod, 0);
		seen.set(entryText, all);
	}
	return !file.fileName.startsWith(root + path.sep) || seen.get(entryText).has(d);
}

// references lists the names in a declaration, without the members of a class or interface.
function references(d) {
	const out = [];
	const visit = (n) => {
		if (ts.isBlock(n) || n.kind === ts.SyntaxKind.JSDoc || (n.parent === d && (ts.isClassLike(d) || ts.isInterfaceDeclaration(d)) && (ts.isTypeElement(n) || ts.isClassElement(n)))) return;
		const name = ts.isTypeReferenceNode(n) ? n.typeName : ts.isExpressionWithTypeArguments(n) && ts.isEntityNameExpression(n.expression) ? n.expression : ts.isImportTypeNode(n) && n.qualifier ? n : undefined;
		const what = name && name.getText() !== "const" && meaning(name);
		if (what) out.push({ name: last(ts.isImportTypeNode(name) ? name.qualifier.getText() : name.getText()), ...what });
		ts.forEachChild(n, visit);
	};
	ts.forEachChild(d, visit);
	return out;
}

// declared lists the declarations of a symbol that are in declaration files of the package.
function declared(s) {
	const all = (s.declarations ?? []).filter((d) => !ts.isModuleDeclaration(d));
	const file = (d) => d.getSourceFile();
	if (!all.length || all.some((d) => !file(d).isDeclarationFile || !file(d).fileName.startsWith(root + path.sep))) return;
	return all.flatMap(references);
}

for (const name of process.argv.slice(3)) {
	root = path.join(dir, "node_modules", name);
	if (!plainExists(path.join(root, "package.json"))) continue;
	entryText = `import * as e from ${JSON.stringify(name)};`;
	program = ts.createProgram([entryFile], options, host);
	checker = program.getTypeChecker();
	const mod = checker.getSymbolAtLocation(program.getSourceFile(entryFile).statements[0].moduleSpecifier);
	for (const e of mod ? checker.getExportsOfModule(mod) : []) {
		const s = e.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(e) : e;
		const add = (symbol, of) => {
			const all = declared(of);
			if (all?.length) console.log(JSON.stringify({ language: "npm", package: name, symbol, references: all }));
		};
		add(e.name, s);
		for (const table of [s.members, s.flags & ts.SymbolFlags.Class ? s.exports : undefined]) {
			table?.forEach((m, key) => {
				if (!String(key).startsWith("__") && !(m.flags & (ts.SymbolFlags.TypeParameter | ts.SymbolFlags.Prototype)) && !m.declarations?.some((d) => ts.getCombinedModifierFlags(d) & ts.ModifierFlags.Private)) add(`${e.name}.${m.name}`, m);
			});
		}
	}
}
