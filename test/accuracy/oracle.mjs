// Asks TypeScript's own compiler for what packages export: for every entry
// point its exports, with kinds, members and signatures. Prints one line of
// JSON for each package.
//
//	node oracle.mjs DIR [PACKAGE…] > oracle.jsonl
//
// DIR holds node_modules; without names, the packages are those of its
// package.json. What a package only implements is declared by @types/….
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { signature } from "./signature.mjs";

const dir = path.resolve(process.argv[2]);
let names = process.argv.slice(3);
if (names.length === 0) {
	names = Object.keys(JSON.parse(fs.readFileSync(path.join(dir, "package.json"), "utf8")).dependencies).filter((n) => !n.startsWith("@types/"));
}

const options = {
	target: ts.ScriptTarget.ESNext,
	module: ts.ModuleKind.ESNext,
	moduleResolution: ts.ModuleResolutionKind.Bundler,
	customConditions: ["node"],
	strict: true,
	noEmit: true,
	skipLibCheck: true,
	types: ["node"],
	allowJs: true,
	maxNodeModuleJsDepth: 5,
};

const sources = new Map();
const host = ts.createCompilerHost(options, true);
const plainSource = host.getSourceFile.bind(host);
const entryFile = path.join(dir, "__entry.ts");
let entryText = "";
host.getCurrentDirectory = () => dir;
const fileExists = host.fileExists.bind(host);
host.fileExists = (f) => f === entryFile || fileExists(f);
host.getSourceFile = (f, version, ...rest) => {
	if (f === entryFile) return ts.createSourceFile(f, entryText, version, true);
	// The library and Node.js' declarations are the same for every package.
	if (!/\/lib\.[^/]*d\.ts$|@types\/node\//.test(f)) return plainSource(f, version, ...rest);
	if (!sources.has(f)) sources.set(f, plainSource(f, version, ...rest));
	return sources.get(f);
};

// subpaths lists what users can import of a package.
function subpaths(name, root, pkg) {
	const e = pkg.exports;
	if (!e || typeof e !== "object" || Array.isArray(e) || !Object.keys(e)[0]?.startsWith(".")) return ["."];
	// A pattern may stand for more than are looked at.
	const out = Object.keys(e).filter((key) => !key.includes("*") && !key.endsWith("/"));
	for (const [key, target] of Object.entries(e)) {
		if (!key.includes("*")) continue;
		for (const t of targets(target)) {
			const [pre, post] = t.slice(2).split("*");
			if (post === undefined) continue;
			const base = path.join(root, pre.endsWith("/") ? pre : path.dirname(pre));
			for (const f of walk(base, root)) {
				if (!f.startsWith(pre)) continue;
				const rest = f.slice(pre.length);
				for (const p of [post, post.replace(/\.([cm]?)js$/, ".d.$1ts")]) {
					if (!rest.endsWith(p) || !/\.([cm]?[jt]s)$/.test(f)) continue;
					let star = rest.slice(0, rest.length - p.length);
					if (p === "") star = star.replace(/\.d\.([cm]?)ts$/, ".$1js");
					if (star) out.push(key.replace("*", star));
				}
			}
		}
	}
	return [...new Set(out)].slice(0, 400);
}

function targets(t) {
	if (typeof t === "string") return [t];
	if (t && typeof t === "object") return Object.values(t).flatMap(targets);
	return [];
}

function* walk(d, root) {
	if (!fs.existsSync(d)) return;
	for (const e of fs.readdirSync(d, { withFileTypes: true })) {
		const p = path.join(d, e.name);
		if (e.isDirectory()) {
			if (e.name !== "node_modules") yield* walk(p, root);
		} else yield path.relative(root, p);
	}
}

const F = ts.SymbolFlags;
let checker;

function kind(s) {
	const f = s.flags;
	// What TypeScript cannot find is a property named unknown.
	if (s.escapedName === "unknown" && !s.declarations) return "other";
	if (f & F.Function) return "function";
	if (f & F.Class) return "class";
	if (f & F.Enum) return "enum";
	if (f & F.Variable) {
		const d = s.declarations?.find((d) => ts.isVariableDeclaration(d) || ts.isBindingElement(d));
		const n = d ? ts.getCombinedNodeFlags(d) : 0;
		return n & (ts.NodeFlags.Const | ts.NodeFlags.Using) ? "const" : n & ts.NodeFlags.Let ? "let" : "var";
	}
	if (f & F.TypeAlias) return "type";
	if (f & F.Interface) return "interface";
	if (f & F.Module) return "namespace";
	if (f & F.Method) return "method";
	if (f & F.Accessor) return "accessor";
	if (f & F.EnumMember) return "enum value";
	if (f & F.Property) return "property";
	return "other";
}

function signatures(s) {
	// The namespace object of a module has no declaration to print, and a type
	// parameter shares its symbol with a member of the same name.
	if (s.declarations?.some((d) => ts.isSourceFile(d) || (ts.isModuleDeclaration(d) && ts.isStringLiteral(d.name)))) return [];
	let list = (s.declarations ?? []).filter((d) => !ts.isTypeParameterDeclaration(d));
	if (list.some((d) => !ts.isModuleDeclaration(d))) list = list.filter((d) => !ts.isModuleDeclaration(d));
	// The implementation of overloads is not part of them.
	if (list.some((d) => ts.isFunctionLike(d) && !d.body)) list = list.filter((d) => !ts.isFunctionLike(d) || !d.body || ts.isAccessor(d));
	const bound = list.find(ts.isBindingElement);
	if (bound) return destructured(bound);
	return [...new Set(list.filter(written).map(signature))];
}

// destructured prints the property that a name in a pattern is bound to, if
// declarations say it.
function destructured(d) {
	const of = checker.getTypeAtLocation(d.parent);
	const p = of.getProperty((d.propertyName ?? d.name).getText());
	if (!p?.declarations?.every((x) => ts.isMethodSignature(x))) return [];
	return [...new Set(p.declarations.map((x) => "function " + d.name.getText() + signature(x).slice(x.name.getText().length)))];
}

// parts counts what has no name: constructors, call and index signatures, each
// text once; and says what a namespace exports, whether there is a comment and a
// notice of deprecation, and what an alias of what nobody can name has.
function parts(s, exported) {
	const texts = (list) => new Set(list.map((x) => x.declaration).filter((d) => d && d.parent).map((d) => signature(d).replace(/^(public |protected |new |constructor)*\s*/, "").replace(/\)(: .*)?$/s, ")"))).size;
	const out = notes(s);
	const declared = (d) => !/\/lib\.[^/]*\.d\.ts$/.test(d.getSourceFile().fileName);
	if (s.flags & F.Class) out.constructors = texts(checker.getSignaturesOfType(checker.getTypeOfSymbol(s), ts.SignatureKind.Construct));
	if (s.flags & F.Interface && !(s.flags & F.Class)) {
		const t = checker.getDeclaredTypeOfSymbol(s);
		out.calls = texts(t.getCallSignatures()) + texts(t.getConstructSignatures());
		out.indexes = checker.getIndexInfosOfType(t).filter((i) => i.declaration && declared(i.declaration)).length;
	}
	if (s.flags & F.Module && !s.declarations.some(ts.isSourceFile)) out.inside = checker.getExportsOfModule(s).filter((x) => !(x.flags & (F.Prototype | F.EnumMember)) && !x.declarations?.every((d) => ts.isClassElement(d))).map((x) => x.name);
	const alias = s.declarations?.find(ts.isTypeAliasDeclaration);
	if (alias && !alias.typeParameters && (ts.isTypeReferenceNode(alias.type) || ts.isMappedTypeNode(alias.type) || ts.isIndexedAccessTypeNode(alias.type))) {
		const t = checker.getDeclaredTypeOfSymbol(s);
		const of = ts.isTypeReferenceNode(alias.type) && checker.getSymbolAtLocation(alias.type.typeName);
		const target = of && (of.flags & F.Alias ? checker.getAliasedSymbol(of) : of);
		const worked = !target || ["Partial", "Required", "Readonly", "Pick", "Omit", "Record"].includes(target.name) || (target.declarations?.every((d) => declared(d) && d.getSourceFile() === alias.getSourceFile()) && !exported.has(target));
		const has = t.symbol && exported.has(t.symbol);
		if (worked && !has && t.flags & ts.TypeFlags.Object && !checker.isArrayLikeType(t) && !t.getCallSignatures().length && t.symbol?.declarations?.every(declared)) {
			out.aliased = checker.getPropertiesOfType(t).filter((p) => !p.declarations || p.declarations.every(declared)).map(memberName);
		}
	}
	return out;
}

// notes says what the comments of a symbol hold.
function notes(s) {
	const out = {};
	if (ts.displayPartsToString(s.getDocumentationComment(checker)).trim()) out.doc = true;
	if (s.getJsDocTags(checker).some((t) => t.name === "deprecated")) out.deprecated = true;
	return out;
}

// written tells whether a declaration says its type. What TypeScript infers of
// an expression in a source is in no declaration.
function written(d) {
	if (!ts.isVariableDeclaration(d) && !ts.isPropertyDeclaration(d)) return true;
	return d.type || !d.initializer || d.getSourceFile().isDeclarationFile || ts.isSourceFileJS(d.getSourceFile());
}

// memberName is the name as it is written, for a member named by a symbol.
function memberName(s) {
	if (!s.escapedName.startsWith("__@")) return s.name;
	const n = s.declarations?.map((d) => d.name).find((n) => n && ts.isComputedPropertyName(n));
	return n ? n.getText() : s.name;
}

function members(checker, s) {
	const out = [];
	const add = (list, isStatic) => {
		for (const p of list) {
			const d = p.declarations ?? [];
			if (p.escapedName.startsWith("__#") || d.some((d) => ts.getCombinedModifierFlags(d) & ts.ModifierFlags.Private)) continue;
			out.push({ name: memberName(p), kind: kind(p), static: isStatic, signatures: signatures(p), ...notes(p) });
		}
	};
	if (s.flags & (F.Class | F.Interface)) add(checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(s)), false);
	if (s.flags & F.Class) {
		// Not what a namespace of the same name adds to it.
		const own = checker.getPropertiesOfType(checker.getTypeOfSymbol(s)).filter(
			(p) => !(p.flags & F.Prototype) && p.declarations?.some((d) => ts.isClassElement(d) || ts.isTypeElement(d)));
		add(own, true);
	}
	// A variable or an alias whose type is written out.
	for (const d of s.declarations ?? []) {
		let t = d.type;
		while (t && ts.isParenthesizedTypeNode(t)) t = t.type;
		if (ts.isVariableDeclaration(d) && t && ts.isTypeLiteralNode(t)) {
			if (s.flags & F.Variable) add(checker.getPropertiesOfType(checker.getTypeOfSymbol(s)), true);
		} else if (ts.isTypeAliasDeclaration(d) && (ts.isTypeLiteralNode(t) || ts.isIntersectionTypeNode(t))) {
			// Not what a branded string has by itself.
			const type = checker.getDeclaredTypeOfSymbol(s);
			if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) continue;
			const object = (t) => (t.flags & ts.TypeFlags.Instantiable ? (checker.getBaseConstraintOfType(t) ?? t) : t).flags & (ts.TypeFlags.Object | ts.TypeFlags.Instantiable | ts.TypeFlags.UnionOrIntersection);
			const branded = type.flags & ts.TypeFlags.Intersection && type.types.some((t) => !object(t));
			add(checker.getPropertiesOfType(type).filter((p) => !branded || !p.declarations?.some((d) => /\/lib\.[^/]*\.d\.ts$/.test(d.getSourceFile().fileName))), false);
		}
	}
	if (s.flags & F.Enum) add([...(s.exports?.values() ?? [])].filter((p) => p.flags & F.EnumMember), false);
	return out;
}

// exportedName is the name by which a module exports a symbol. One that is
// renamed and added to elsewhere TypeScript lists by the name it had before.
function exportedName(checker, mod, s) {
	if (checker.tryGetMemberInModuleExports(s.name, mod)) return s.name;
	const seen = new Set();
	const find = (m) => {
		if (!m?.exports || seen.has(m)) return;
		seen.add(m);
		for (const [name, e] of m.exports) if (e === s || checker.getMergedSymbol(e) === s) return ts.unescapeLeadingUnderscores(name);
		for (const d of m.exports.get("__export")?.declarations ?? []) {
			const name = find(checker.getSymbolAtLocation(d.moduleSpecifier));
			if (name) return name;
		}
	};
	return find(mod) ?? s.name;
}

for (const name of names) {
	const root = path.join(dir, "node_modules", name);
	const pkg = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
	const subs = subpaths(name, root, pkg);
	entryText = subs.map((s, i) => `import * as e${i} from ${JSON.stringify(name + s.slice(1))};`).join("\n");
	const start = performance.now();
	const program = ts.createProgram({ rootNames: [entryFile], options, host });
	checker = program.getTypeChecker();
	const entries = [];
	program.getSourceFile(entryFile).statements.forEach((st, i) => {
		const mod = checker.getSymbolAtLocation(st.moduleSpecifier);
		const file = mod?.declarations?.[0]?.getSourceFile().fileName;
		if (!mod || file?.endsWith(".json")) return;
		const exports = [];
		const exported = new Set(checker.getExportsOfModule(mod).map((s) => (s.flags & F.Alias ? checker.getAliasedSymbol(s) : s)));
		for (const s of checker.getExportsOfModule(mod)) {
			const t = s.flags & F.Alias ? checker.getAliasedSymbol(s) : s;
			// The static side of a class that is the module by export =.
			if (t.flags & F.Prototype || t.declarations?.length && t.declarations.every((d) => ts.isClassElement(d))) continue;
			if (s.escapedName === "export=" || t.flags & F.EnumMember) continue;
			exports.push({ name: exportedName(checker, mod, s), kind: kind(t), signatures: signatures(t), members: members(checker, t), ...parts(t, exported) });
		}
		entries.push({ subpath: subs[i], file: file && path.relative(dir, file), exports });
	});
	const ms = Math.round(performance.now() - start);
	console.log(JSON.stringify({ package: name, version: pkg.version, ms, entries }));
	console.error(name, entries.length, "entries", entries.reduce((n, e) => n + e.exports.length, 0), "exports", ms, "ms");
}
