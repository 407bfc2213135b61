// Asks TypeScript's compiler for the exports of a package's main entry point:
// kinds, types, members, comments.
//
//	node compiler.mjs PACKAGE
import path from "node:path";
import ts from "typescript";

const options = {
	target: ts.ScriptTarget.ESNext,
	module: ts.ModuleKind.ESNext,
	moduleResolution: ts.ModuleResolutionKind.Bundler,
	strict: true,
	noEmit: true,
	skipLibCheck: true,
	types: ["node"],
};
const entry = path.resolve("__entry.ts");
const host = ts.createCompilerHost(options, true);
const [fileExists, getSourceFile] = [host.fileExists.bind(host), host.getSourceFile.bind(host)];
host.fileExists = (f) => f === entry || fileExists(f);
host.getSourceFile = (f, ...rest) =>
	f === entry ? ts.createSourceFile(f, `import * as all from ${JSON.stringify(process.argv[2])};`, ...rest) : getSourceFile(f, ...rest);

const program = ts.createProgram({ rootNames: [entry], options, host });
const checker = program.getTypeChecker();
const said = (s) => ({
	name: s.name,
	flags: s.flags,
	type: checker.typeToString(s.flags & ts.SymbolFlags.Value ? checker.getTypeOfSymbol(s) : checker.getDeclaredTypeOfSymbol(s)),
	doc: ts.displayPartsToString(s.getDocumentationComment(checker)),
});
const mod = checker.getSymbolAtLocation(program.getSourceFile(entry).statements[0].moduleSpecifier);
const out = checker.getExportsOfModule(mod).map((e) => {
	const s = e.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(e) : e;
	const of = s.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias) ? checker.getDeclaredTypeOfSymbol(s) : checker.getTypeOfSymbol(s);
	return { ...said(s), name: e.name, members: checker.getPropertiesOfType(of).map(said) };
});
console.log(JSON.stringify(out));
