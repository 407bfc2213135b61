// Asks TypeScript's own compiler which exported types the parameters of a
// package's functions and methods name. Prints a line of JSON for each function.
//
//	node params.mjs DIR PACKAGE… > params.jsonl
import path from "node:path";
import ts from "typescript";

const dir = path.resolve(process.argv[2]);
const options = {
	target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
	customConditions: ["node"], noEmit: true, skipLibCheck: true, types: [],
};
const host = ts.createCompilerHost(options, true);
const entry = path.join(dir, "__entry.ts");
let text = "";
host.getCurrentDirectory = () => dir;
const { fileExists, getSourceFile } = { fileExists: host.fileExists.bind(host), getSourceFile: host.getSourceFile.bind(host) };
host.fileExists = (f) => f === entry || fileExists(f);
host.getSourceFile = (f, version, ...rest) => (f === entry ? ts.createSourceFile(f, text, version, true) : getSourceFile(f, version, ...rest));

for (const name of process.argv.slice(3)) {
	text = `import * as m from ${JSON.stringify(name)}; export { m };`;
	const program = ts.createProgram([entry], options, host);
	const checker = program.getTypeChecker();
	const specifier = program.getSourceFile(entry).statements[0].moduleSpecifier;
	const module = checker.getSymbolAtLocation(specifier);
	if (!module) throw new Error(`${name} cannot be resolved`);
	const follow = (s) => (s.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(s) : s);
	const exported = new Map(); // names by symbol
	const all = checker.getExportsOfModule(module);
	for (const s of all) if (s.name !== "default" && !exported.has(follow(s))) exported.set(follow(s), s.name);

	// needed are the exported types that the parameters of declarations name.
	const needed = (declarations, own) => {
		const found = new Set();
		const visit = (node) => {
			if (ts.isTypeReferenceNode(node)) {
				const at = checker.getSymbolAtLocation(node.typeName);
				const type = at && exported.get(follow(at));
				if (type && type !== own) found.add(type);
			}
			ts.forEachChild(node, visit);
		};
		for (const d of declarations) {
			// The implementation of overloads is no part of them.
			if (d.body && declarations.some((other) => !other.body)) continue;
			for (const p of d.parameters ?? []) if (p.type) visit(p.type);
		}
		return [...found];
	};
	const print = (path, types) => types.length && console.log(JSON.stringify({ package: name, path, types }));
	for (const s of all) {
		const target = follow(s);
		if (s.name === "default" || exported.get(target) !== s.name) continue;
		const declared = target.declarations ?? [];
		if (target.flags & ts.SymbolFlags.Function) print(s.name, needed(declared.filter(ts.isFunctionDeclaration), s.name));
		if (target.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) {
			const methods = new Map();
			for (const d of declared.filter((d) => ts.isClassDeclaration(d) || ts.isInterfaceDeclaration(d))) {
				for (const m of d.members) {
					if (!ts.isMethodDeclaration(m) && !ts.isMethodSignature(m)) continue;
					if (!ts.isIdentifier(m.name) || ts.getCombinedModifierFlags(m) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) continue;
					methods.set(m.name.text, [...(methods.get(m.name.text) ?? []), m]);
				}
			}
			for (const [method, list] of methods) print(`${s.name}.${method}`, needed(list, s.name));
		}
	}
}
