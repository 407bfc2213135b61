// Asks TypeScript's checker for the members in a package's TypeScript files whose name it would report if two letters
// were exchanged. Prints one line of JSON for each: the file, the line, the offset in bytes, both names, and the kind of
// mistake, after where the member is declared: "member" of another package's type, "own member" of the package, and
// "builtin member" of the language or Node.js.
//
//	node members.mjs TYPESCRIPT DIR
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [compiler, project] = process.argv.slice(-2);
const ts = createRequire(import.meta.url)(path.resolve(compiler));
const dir = fs.realpathSync(project);
const files = fs.readdirSync(dir, { recursive: true })
	.filter((name) => /(?<!\.d)\.[mc]?tsx?$/.test(name) && !/(^|\/)(node_modules|\.[^/]*)\//.test(name))
	.map((name) => path.join(dir, name));
const program = ts.createProgram(files, {
	strict: true, skipLibCheck: true, noEmit: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
	moduleResolution: ts.ModuleResolutionKind.Bundler, jsx: ts.JsxEmit.Preserve, allowImportingTsExtensions: true,
	esModuleInterop: true, experimentalDecorators: true,
});
const checker = program.getTypeChecker();

// exchanged is the function of the same name in main.go.
function exchanged(name) {
	const letters = [...name];
	for (let i = letters.length - 2; i > 0; i--) {
		const [a, b] = [letters[i], letters[i + 1]];
		if (/[a-zA-Z]/.test(a) && /[a-zA-Z]/.test(b) && a !== b) {
			[letters[i], letters[i + 1]] = [b, a];
			return letters.join("");
		}
	}
	return name;
}

// isOpen reports whether a type may have members of any name.
function isOpen(type) {
	const { Any, Unknown, Never } = ts.TypeFlags;
	if (type.isUnion()) return type.types.some(isOpen);
	if (type.flags & (Any | Unknown | Never)) return true;
	const closed = ts.TypeFlags.Number | ts.TypeFlags.ESSymbol;
	return checker.getIndexInfosOfType(checker.getApparentType(type)).some((index) => !(index.keyType.flags & closed));
}

function kindOf(member) {
	const file = member.declarations?.[0]?.getSourceFile();
	if (!file || !path.relative(dir, file.fileName).match(/^(\.\.|node_modules)\//)) return "own member";
	return program.isSourceFileDefaultLibrary(file) || file.fileName.includes("/@types/node/") ? "builtin member" : "member";
}

function visit(node, source, file) {
	if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.name)) {
		const from = node.name.text, to = exchanged(from);
		const type = checker.getApparentType(checker.getNonNullableType(checker.getTypeAtLocation(node.expression)));
		const member = checker.getPropertyOfType(type, from);
		if (to !== from && member && !isOpen(type) && !checker.getPropertyOfType(type, to)) {
			const start = node.name.getStart(source);
			const line = source.getLineAndCharacterOfPosition(start).line + 1;
			const offset = Buffer.byteLength(source.text.slice(0, start));
			console.log(JSON.stringify({ file, line, offset, from, to, kind: kindOf(member) }));
		}
	}
	ts.forEachChild(node, (child) => visit(child, source, file));
}

for (const name of files) {
	const source = program.getSourceFile(name);
	if (source) visit(source, source, path.relative(dir, name));
}
