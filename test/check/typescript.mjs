// Inserts mistakes into a package's TypeScript files, one at a time, and prints those that TypeScript's checker reports: one
// line of JSON for each, with the file, the line, the offset in bytes, the text that is replaced, the text that
// replaces it, and the kind of mistake:
//
//	package    two letters of an imported package's name are exchanged
//	import     the same with an imported name
//	use        the same with a name of an imported namespace, class or enum
//	field      the same with a field of an object literal in the arguments of an imported function
//	arguments  such a function is called with one more argument, or without the last one
//	member     two letters of a member's name are exchanged. It is an "own member" if the package declares it, and a
//	           "builtin member" if the language or Node.js does.
//
// All members are listed. COUNT limits the number of mistakes of each other kind; SEED selects them. KINDS are separated by
// commas; if it is empty, all kinds are printed.
//
//	node typescript.mjs TYPESCRIPT DIR COUNT SEED KINDS
import crypto from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [compiler, project, count, seed, only] = process.argv.slice(-5);
const ts = createRequire(import.meta.url)(path.resolve(compiler));
const dir = fs.realpathSync(project);
const kinds = only.split(",").filter((kind) => kind !== "");
const files = fs.readdirSync(dir, { recursive: true })
	.filter((name) => /(?<!\.d)\.[mc]?tsx?$/.test(name) && !/(^|\/)(node_modules|\.[^/]*)\//.test(name))
	.map((name) => path.join(dir, name));
const options = {
	strict: true, skipLibCheck: true, noEmit: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
	moduleResolution: ts.ModuleResolutionKind.Bundler, jsx: ts.JsxEmit.Preserve, allowImportingTsExtensions: true,
	esModuleInterop: true, experimentalDecorators: true,
};
const program = ts.createProgram(files, options);
const checker = program.getTypeChecker();

const wants = (kind) => kinds.length === 0 || kinds.includes(kind);

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

function print(source, m) {
	const lineOf = (offset) => source.getLineAndCharacterOfPosition(offset).line + 1;
	console.log(JSON.stringify({
		file: path.relative(dir, source.fileName), kind: m.kind, from: m.from, to: m.to, line: lineOf(m.last ?? m.start),
		first: lineOf(m.first ?? m.start), offset: Buffer.byteLength(source.text.slice(0, m.start)),
	}));
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

// printMember prints the mistake in a member of a value, if the checker would report it.
function printMember(node, source) {
	const from = node.name.text, to = exchanged(from);
	const type = checker.getApparentType(checker.getNonNullableType(checker.getTypeAtLocation(node.expression)));
	const member = checker.getPropertyOfType(type, from);
	if (to !== from && member && !isOpen(type) && !checker.getPropertyOfType(type, to)) {
		const kind = kindOf(member);
		if (wants(kind)) print(source, { kind, from, to, start: node.name.getStart(source) });
	}
}

const isBare = (node) => node && ts.isStringLiteral(node) && !node.text.startsWith(".") && !node.text.startsWith("/");

// specifierOf returns the node with the specifier from which an identifier is imported.
function specifierOf(identifier) {
	const declaration = checker.getSymbolAtLocation(identifier)?.declarations?.[0];
	for (let node = declaration; node; node = node.parent) {
		if (ts.isImportDeclaration(node)) return isBare(node.moduleSpecifier) ? node.moduleSpecifier : undefined;
		if (ts.isImportEqualsDeclaration(node)) return isBare(node.moduleReference.expression) ? node.moduleReference.expression : undefined;
	}
}

function rootOf(node) {
	while (ts.isPropertyAccessExpression(node) || ts.isQualifiedName(node)) node = node.expression ?? node.left;
	return ts.isIdentifier(node) ? node : undefined;
}

// isContainer reports whether a node is the name of a namespace, class or enum.
function isContainer(node) {
	let symbol = checker.getSymbolAtLocation(node);
	if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
	const { ValueModule, NamespaceModule, Enum, Class } = ts.SymbolFlags;
	return symbol && symbol.flags & (ValueModule | NamespaceModule | Enum | Class);
}

const candidates = new Map(); // by kind

function add(kind, source, mistake) {
	if (!wants(kind) || mistake.from === mistake.to) return;
	if (!candidates.has(kind)) candidates.set(kind, []);
	const order = crypto.createHash("md5").update([seed, path.relative(dir, source.fileName), mistake.start].join()).digest("hex");
	candidates.get(kind).push({ kind, source, order, ...mistake });
}

function addName(kind, source, name, range) {
	add(kind, source, { from: name.text, to: exchanged(name.text), start: name.getStart(source), ...range });
}

function addSpecifier(source, node) {
	const from = node.text.match(/^(?:node:|(?:@[^/]*\/)?[^/]*)/)[0];
	const name = from === "node:" ? node.text : from;
	add("package", source, { from: name, to: exchanged(name), start: node.getStart(source) + 1 });
}

function addCall(node, source) {
	const args = node.arguments ?? [];
	const end = node.end - 1; // of the arguments
	if (source.text[end] !== ")") return;
	const range = { first: node.getStart(source), last: end };
	const last = args.at(-1);
	const isRemoved = args.length > 0 && node.end % 2 === 0;
	if (isRemoved) {
		const start = args.at(-2)?.end ?? last.getStart(source);
		add("arguments", source, { from: source.text.slice(start, last.end), to: "", start, ...range });
	} else if (!args.some(ts.isSpreadElement)) {
		const to = (last ? ", " : "") + "undefined as never";
		add("arguments", source, { from: "", to, start: last?.end ?? end, ...range });
	}
	for (const arg of args.filter(ts.isObjectLiteralExpression)) {
		for (const property of arg.properties) {
			if (ts.isPropertyAssignment(property) && ts.isIdentifier(property.name)) addName("field", source, property.name, range);
		}
	}
}

function visit(node, source) {
	if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && isBare(node.moduleSpecifier)) {
		addSpecifier(source, node.moduleSpecifier);
		const names = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
		for (const element of names?.elements ?? []) addName("import", source, element.propertyName ?? element.name);
	}
	if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.name) || ts.isQualifiedName(node)) {
		const root = rootOf(node);
		if (root && specifierOf(root) && isContainer(node.expression ?? node.left)) {
			addName("use", source, node.name ?? node.right);
		} else if (ts.isPropertyAccessExpression(node) && ["member", "own member", "builtin member"].some(wants)) {
			printMember(node, source);
		}
	}
	if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
		const root = rootOf(node.expression);
		if (root && specifierOf(root)) addCall(node, source);
	}
	ts.forEachChild(node, (child) => visit(child, source));
}

for (const name of files) {
	const source = program.getSourceFile(name);
	if (source) visit(source, source);
}

// Each of the other mistakes is in a copy of its file, in the same directory. All copies belong to one program.
const copies = new Map();
for (const mistakes of candidates.values()) {
	mistakes.sort((a, b) => (a.order < b.order ? -1 : 1));
	for (const m of mistakes.slice(0, 2 * count)) {
		const { text, fileName } = m.source;
		const copy = path.join(path.dirname(fileName), `docent_mutant_${copies.size}${path.extname(fileName)}`);
		copies.set(copy, { ...m, text: text.slice(0, m.start) + m.to + text.slice(m.start + m.from.length) });
	}
}
const host = ts.createCompilerHost(options);
const { getSourceFile, fileExists, readFile } = host;
host.fileExists = (name) => copies.has(name) || fileExists(name);
host.readFile = (name) => copies.get(name)?.text ?? readFile(name);
host.getSourceFile = (name, ...rest) => copies.has(name) ? ts.createSourceFile(name, copies.get(name).text, ...rest) : program.getSourceFile(name) ?? getSourceFile(name, ...rest);
const changed = ts.createProgram([...files, ...copies.keys()], options, host);

// errors returns the errors in a range of a file.
function errors(source, start, end) {
	return changed.getSemanticDiagnostics(source)
		.filter((d) => d.category === ts.DiagnosticCategory.Error && d.start <= end && d.start + d.length >= start)
		.map((d) => ts.flattenDiagnosticMessageText(d.messageText, "\n"));
}

for (const [name, m] of copies) {
	const from = m.first ?? m.start, to = m.last ?? m.start + m.from.length;
	const before = new Set(errors(m.source, from, to));
	const isNamed = (message) => m.first !== undefined || message.includes(m.to);
	const after = errors(changed.getSourceFile(name), from, to + m.to.length - m.from.length);
	if (m.kind === "package" && before.size > 0) continue; // The package is not installed.
	if (after.some((message) => !before.has(message) && isNamed(message))) print(m.source, m);
}
