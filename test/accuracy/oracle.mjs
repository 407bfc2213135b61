// Asks TypeScript's own compiler for what packages export: for every entry
// point its exports, with kinds, members and signatures. Prints one line of
// JSON for each package.
//
//	node oracle.mjs DIR PACKAGE… > oracle.jsonl
//
// DIR holds node_modules. What a package only implements is declared by @types/….
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { signature } from "./signature.mjs";

const dir = path.resolve(process.argv[2]);
const names = process.argv.slice(3);

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

// patience is how many seconds of the processor one package may take. The entry
// points that are left then are named and not compared.
const patience = Number(process.env.PATIENCE ?? 300);
const seconds = () => process.cpuUsage().user / 1e6;

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
	if (!/\/lib\.[^/]*d\.ts$|@types\/node\//.test(f)) {
		if (!/\.d\.[cm]?ts$/.test(f)) return plainSource(f, version, ...rest);
		const text = ts.sys.readFile(f);
		return text === undefined ? undefined : ts.createSourceFile(f, bounded(f, text), version, true);
	}
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

// A method or accessor of an object literal looks like one of a class.
const isClassMember = (d) => ts.isClassElement(d) && ts.isClassLike(d.parent);

// longest is how many bytes of one type are printed: some of a query builder's have
// megabytes, and take minutes.
const longest = 4_000;
const format = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;
const typeText = (type) => checker.writeType(type, undefined, format, ts.createTextWriter(""), longest);
const signatureText = (sig) => checker.writeSignature(sig, undefined, format, undefined, ts.createTextWriter(""), longest);

function kind(s) {
	const f = s.flags;
	// What TypeScript cannot find is a property named unknown.
	if (s.escapedName === "unknown" && !s.declarations) return "other";
	if (f & F.Function) return "function";
	// var f = function is one in JavaScript, if its prototype has members.
	if (f & F.Class && (!(f & F.Variable) || s.declarations.some(ts.isClassLike))) return "class";
	if (f & F.Enum) return "enum";
	if (f & F.Variable) {
		const d = s.declarations?.find((d) => ts.isVariableDeclaration(d) || ts.isBindingElement(d));
		const n = d ? ts.getCombinedNodeFlags(d) : 0;
		return n & (ts.NodeFlags.Const | ts.NodeFlags.Using) ? "const" : n & ts.NodeFlags.Let ? "let" : "var";
	}
	if (f & F.TypeAlias) return "type";
	if (f & F.Interface) return "interface";
	if (f & F.Module) return "namespace";
	if (scripts(s) && f & (F.Property | F.Assignment)) {
		const v = s.declarations.map((d) => d.initializer ?? (ts.isBinaryExpression(d) ? d.right : ts.isBinaryExpression(d.parent) ? d.parent.right : undefined)).find(Boolean);
		if (v && (ts.isFunctionExpression(v) || ts.isArrowFunction(v))) return "function";
		if (v && ts.isClassExpression(v)) return "class";
		return "other";
	}
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
	const js = list.length > 0 && list.every((d) => ts.isSourceFileJS(d.getSourceFile()));
	if (js) return [...new Set(list.map((d) => scripted(s.name, d)).filter(Boolean))];
	return [...new Set(list.filter(written).map(signature))];
}

// scripted prints a declaration in JavaScript with the types that its comment
// says, as the compiler understands them; nothing where there is no more than
// what an expression would have to be evaluated for.
function scripted(name, d) {
	if (ts.isClassLike(d) || d.name?.kind === ts.SyntaxKind.ComputedPropertyName) return signature(d);
	let fn = ts.isFunctionLike(d) ? d : undefined;
	let value = d.initializer;
	if (ts.isBinaryExpression(d)) value = d.right;
	else if (ts.isPropertyAccessExpression(d) || ts.isElementAccessExpression(d)) value = ts.isBinaryExpression(d.parent) ? d.parent.right : undefined;
	else if (ts.isShorthandPropertyAssignment(d) || ts.isJSDocTypedefTag(d) || ts.isJSDocCallbackTag(d) || ts.isExportAssignment(d)) return undefined;
	while (value && ts.isParenthesizedExpression(value)) value = value.expression;
	if (value && (ts.isFunctionExpression(value) || ts.isArrowFunction(value))) fn = value;
	const typed = ts.getJSDocType(d);
	if (!fn) return typed && !ts.isPropertyAccessExpression(typed) ? forms((say) => `${name}: ${say(typed, () => checker.getTypeFromTypeNode(typed))}`) : undefined;
	if (ts.isSetAccessor(fn) || ts.isConstructorDeclaration(fn)) return undefined;
	if (typed && !ts.isFunctionTypeNode(typed)) return undefined;
	const sig = checker.getSignatureFromDeclaration(fn);
	const result = ts.getJSDocReturnType(fn) ?? fn.type ?? (typed && typed.type);
	return forms((say, defaults) => {
		const params = fn.parameters.map((p) => {
			const type = p.type ?? ts.getJSDocType(p) ?? (typed && typed.parameters[fn.parameters.indexOf(p)]?.type);
			const tag = ts.getJSDocParameterTags(p)[0];
			const optional = p.questionToken || p.initializer || tag?.isBracketed || type?.kind === ts.SyntaxKind.JSDocOptionalType;
			const rest = p.dotDotDotToken ? "..." : "";
			const said = type ? ": " + say(type, () => checker.getTypeFromTypeNode(type)) : defaults && p.initializer ? ": " + say(p.name, () => checker.getTypeAtLocation(p)) : "";
			return `${rest}${p.name.getText()}${optional && !rest ? "?" : ""}${said}`;
		});
		return `${name}(${params.join(", ")})${result ? ": " + say(result, () => sig.getReturnType()) : ""}`;
	});
}

// forms gives a signature as the compiler prints its types, as the comments do,
// where they name what is not to be found, and with the types of defaults.
function forms(make) {
	const print = (node, type) => typeText(type());
	const text = (node) => node.getText().replace(/\n\s*\*/g, " ");
	return [...new Set([make(print), make(text), make(print, true)])].join("\u0001");
}

// destructured prints the property that a name in a pattern is bound to, if
// declarations say it.
function destructured(d) {
	const p = propertyOf(d);
	if (!p?.declarations?.every((x) => ts.isMethodSignature(x))) return [];
	return [...new Set(p.declarations.map((x) => "function " + d.name.getText() + signature(x).slice(x.name.getText().length)))];
}

function propertyOf(d) {
	return checker.getTypeAtLocation(d.parent).getProperty((d.propertyName ?? d.name).getText());
}

// bound says how the signature of an exported name that a pattern binds may read: as
// the declarations of the property or with the type that the compiler has for it.
// The lines of one form are its overloads. What is any has none.
function bound(s) {
	const d = s.declarations?.find(ts.isBindingElement);
	if (!d || !ts.isIdentifier(d.name)) return undefined;
	const type = checker.getTypeOfSymbol(s);
	if (type.flags & ts.TypeFlags.Any) return undefined;
	const name = d.name.text;
	const word = `${kind(s)} ${name}`;
	const out = [`${word}: ${typeText(type)}`];
	const calls = type.getCallSignatures();
	if (calls.length) out.push(calls.map((c) => `function ${name}${signatureText(c)}`).join("\n"));
	const p = propertyOf(d);
	const list = p?.declarations ?? [];
	const all = [...new Set(list.map((x) => {
		const text = signature(x).replace(/\s+/g, " ").replace(/^((public|readonly|static|get) )+/, "").slice(x.name?.getText().length ?? 0).replace(/^\?/, "");
		return ts.isMethodSignature(x) || ts.isMethodDeclaration(x) || ts.isFunctionDeclaration(x) ? `function ${name}${text.replace(/^function [\w$]+/, "")}` : word + text.replace(/^\(\): /, ": ");
	}))];
	if (all.length) out.push(all.join("\n"));
	const types = s.declarations.filter((x) => !ts.isBindingElement(x)).map((x) => "\n" + signature(x)).join("");
	return { bound: out.map((form) => form + types) };
}

// parts counts what has no name: constructors, call and index signatures, each
// text once; and says what a namespace exports, whether there is a comment and a
// notice of deprecation, and what an alias of what nobody can name has.
function parts(s, exported) {
	const texts = (list) => new Set(list.map((x) => x.declaration).filter((d) => d && d.parent).map((d) => signature(d).replace(/^(public |protected |new |constructor)*\s*/, "").replace(/\)(: .*)?$/s, ")"))).size;
	const out = notes(s);
	const declared = (d) => !libFile.test(d.getSourceFile().fileName);
	// A function of JavaScript with which new makes objects has one signature.
	if (s.flags & F.Class && !(s.flags & F.Function) && (!scripts(s) || s.declarations.some(ts.isClassLike))) out.constructors = texts(checker.getSignaturesOfType(checker.getTypeOfSymbol(s), ts.SignatureKind.Construct));
	if (s.flags & F.Interface && !(s.flags & F.Class)) {
		const t = checker.getDeclaredTypeOfSymbol(s);
		// A value of the same name whose type is written out has its own.
		const value = s.declarations.some((d) => ts.isVariableDeclaration(d) && d.type && ts.isTypeLiteralNode(d.type)) && checker.getTypeOfSymbol(s);
		out.calls = [t, ...(value ? [value] : [])].reduce((n, t) => n + texts(t.getCallSignatures()) + texts(t.getConstructSignatures()), 0);
		// One for PropertyKey is three to the compiler.
		out.indexes = new Set(checker.getIndexInfosOfType(t).map((i) => i.declaration).filter(Boolean)).size;
	}
	if (s.flags & F.Module && !s.declarations.some(ts.isSourceFile)) out.inside = checker.getExportsOfModule(s).filter((x) => !(x.flags & (F.Prototype | F.EnumMember)) && x.name !== "prototype" && !x.name.startsWith("__bound_") && !x.declarations?.every(isClassMember) && !(scripts(s) && followed(x) === s)).map((x) => x.name);
	// A value of the same name has members too.
	if (s.flags & F.Interface && s.flags & F.Variable) out.may = checker.getPropertiesOfType(checker.getTypeOfSymbol(s)).map(memberName);
	// What new makes of a value is listed with it.
	if (s.flags & F.Variable && !scripts(s)) {
		const type = checker.getTypeOfSymbol(s);
		const made = type.getConstructSignatures().flatMap((c) => checker.getPropertiesOfType(c.getReturnType())).map(memberName);
		if (made.length) out.may = [...(out.may ?? []), ...made];
	}
	Object.assign(out, bound(s));
	if (s.flags & F.Class && scripts(s)) out.may = s.declarations.flatMap(assigned);
	const alias = s.declarations?.find(ts.isTypeAliasDeclaration);
	if (alias) {
		Object.assign(out, aliased(s, alias, exported), possible(s, alias));
		// An intersection is listed with what it has of the library.
		if (ts.isIntersectionTypeNode(alias.type)) out.may = [...(out.may ?? []), ...checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(s)).map(memberName)];
	}
	return out;
}

// aliased says which members an alias has, as name and whether it is optional
// or read-only, and which it may have. One of an exported or a foreign type, and
// a union of exported ones, is described with these; one of a list or a function
// is used as such.
function aliased(s, alias, exported) {
	const t = checker.getDeclaredTypeOfSymbol(s);
	const object = (t) => t.flags & ts.TypeFlags.UnionOrIntersection ? t.types.every(object) : t.flags & ts.TypeFlags.Object && !checker.isArrayLikeType(t) && !t.getCallSignatures().length && !t.getConstructSignatures().length;
	if (!object(t) || (t.symbol && exported.has(t.symbol) && t.symbol !== s)) return {};
	let node = alias.type;
	const known = (n) => ts.isUnionTypeNode(n) ? n.types.every(known) : ts.isTypeReferenceNode(n) && !evaluated.has(n.typeName.getText()) && exported.has(followed(checker.getSymbolAtLocation(n.typeName)));
	if (ts.isUnionTypeNode(node) && known(node)) return {};
	while (ts.isParenthesizedTypeNode(node) || (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword)) node = node.type;
	if (ts.isTypeReferenceNode(node) || ts.isImportTypeNode(node)) {
		const target = followed(checker.getSymbolAtLocation(ts.isImportTypeNode(node) ? (node.qualifier ?? node) : node.typeName));
		if (!target || (target !== s && exported.has(target))) return {};
		const lib = target.declarations?.every((d) => libFile.test(d.getSourceFile().fileName));
		if (lib ? !evaluated.has(target.name) : !target.declarations?.every((d) => packageOf(d) === packageOf(alias))) return {};
	}
	if (t.symbol && !(t.symbol.flags & (F.TypeLiteral | F.ObjectLiteral)) && packageOf(t.symbol.declarations?.[0] ?? alias) !== packageOf(alias)) return {};
	const named = t.symbol && t.symbol.flags & (F.Class | F.Interface);
	const declared = (p) => named || !p.declarations || !p.declarations.every((d) => libFile.test(d.getSourceFile().fileName));
	const list = (t) => checker.getPropertiesOfType(t).filter(declared);
	const out = { aliased: list(t).map((p) => ({ name: memberName(p), optional: !!(p.flags & F.Optional), readonly: readonly(p) })) };
	return out;
}

// possible says which members an alias may have. Where type parameters decide
// which there are, those are right that there are if each is its constraint.
function possible(s, alias) {
	const bound = alias.typeParameters && alias.getSourceFile().locals?.get(ts.escapeLeadingUnderscores(boundName(alias)));
	if (bound) return { may: checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(bound.exportSymbol ?? bound)).map(memberName) };
	// A value of the same name has members too.
	return s.flags & F.Variable ? { may: checker.getPropertiesOfType(checker.getTypeOfSymbol(s)).map(memberName) } : undefined;
}

function followed(s) {
	return s && s.flags & F.Alias ? checker.getAliasedSymbol(s) : s;
}

const libFile = /\/lib\.[^/]*\.d\.ts$/;
const evaluated = new Set(["Partial", "Required", "Readonly", "Pick", "Omit", "Record", "Exclude", "Extract", "NonNullable", "ReturnType", "Parameters", "InstanceType", "Awaited", "ConstructorParameters", "NoInfer"]);

// packageOf is the folder of the package that declares something.
function packageOf(d) {
	const f = d.getSourceFile().fileName;
	const end = f.lastIndexOf("/node_modules/");
	return end < 0 ? f : f.slice(0, end) + f.slice(end).split("/").slice(0, f.slice(end)[14] === "@" ? 4 : 3).join("/");
}

// readonly tells whether a property is; of a mapped one the check flags say it.
function readonly(p) {
	const flags = p.links?.checkFlags ?? 0;
	if (flags & ts.CheckFlags.Readonly) return true;
	return !(flags & ts.CheckFlags.Mapped) && !!p.declarations?.some((d) => ts.getCombinedModifierFlags(d) & ts.ModifierFlags.Readonly);
}

// boundName names the alias that bounded adds for a generic one.
function boundName(alias) {
	return "__bound_" + alias.name.text;
}

// bounded adds to a declaration file, for each generic alias at its top, one in
// which the type parameters are their constraints: what is inferred from a
// generic function.
function bounded(file, text) {
	if (!/^(export )?(declare )?type [\w$]+</m.test(text)) return text;
	const added = [];
	for (const st of ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, false).statements) {
		if (!ts.isTypeAliasDeclaration(st) || !st.typeParameters) continue;
		const params = st.typeParameters.map((p) => text.slice(p.pos, p.end)).join(",");
		const args = st.typeParameters.map((p) => p.name.text).join(",");
		added.push(`type ${boundName(st)} = (<${params}>() => ${st.name.text}<${args}>) extends () => infer R ? R : never;`);
	}
	// In a module that exports nothing by a word, all is exported.
	return added.length ? text + "\n" + added.join("\n") : text;
}

// worked prints a member that a mapped type or an intersection makes of another
// one, with the modifiers and the type that it has there; the forms of a type are
// compared as those in JavaScript.
function worked(p) {
	const flags = p.links?.checkFlags ?? 0;
	const d = p.declarations?.[0];
	const optional = !!(p.flags & F.Optional);
	// In an intersection another part may require it.
	const changed = d && p.declarations.some((d) => !!d.questionToken !== optional || readonly(p) !== !!(ts.getCombinedModifierFlags(d) & ts.ModifierFlags.Readonly));
	const template = flags & ts.CheckFlags.Mapped && p.links.mappedType?.declaration.type;
	if ((flags & ts.CheckFlags.Instantiated && !template || template && ts.isIndexedAccessTypeNode(template)) && d && !changed) {
		// With the type arguments of the type, or as it is declared.
		const type = checker.getTypeOfSymbol(p);
		const calls = type.getCallSignatures().map((c) => memberName(p) + (d.questionToken ? "?" : "") + signatureText(c));
		const whole = memberName(p) + (d.questionToken ? "?" : "") + ": " + typeText(type);
		const ofThis = d.type?.getText() === "this" ? calls.map((c) => c.slice(0, c.lastIndexOf("): ") + 3) + "this") : [];
		return { signatures: [[...signatures(p), ...calls, ...ofThis, whole].join("\u0001")], script: true };
	}
	// A part of a union or an intersection may have type arguments.
	const parts = flags & ts.CheckFlags.SyntheticProperty && !changed ? (p.links.containingType?.types ?? []).map((t) => checker.getPropertyOfType(t, p.name)).filter((x) => x?.links?.checkFlags & ts.CheckFlags.Instantiated) : [];
	if (parts.length) return { signatures: [[...signatures(p), ...parts.flatMap((x) => worked(x)?.signatures ?? [])].join("\u0001")], script: true };
	if (!(changed && (ts.isPropertySignature(d) || ts.isPropertyDeclaration(d) || ts.isMethodSignature(d) || ts.isAccessor(d))) && !(template && !ts.isIndexedAccessTypeNode(template))) return undefined;
	let type = checker.getTypeOfSymbol(p);
	if (optional) type = checker.getNonOptionalType(type);
	const own = d && !(template && !ts.isIndexedAccessTypeNode(template)) && d.type ? d.type.getText() : undefined;
	const say = (t) => `${readonly(p) ? "readonly " : ""}${memberName(p)}${optional ? "?" : ""}: ${t}`;
	const printed = say(typeText(type));
	if (d && ts.isMethodSignature(d) && own) return { signatures: [say("(" + d.parameters.map((x) => x.getText()).join(", ") + ") => " + own) + "\u0001" + printed], script: true };
	const forms = [printed];
	if (own) forms.push(say(own));
	// As the mapped type has it, for this name.
	if (template) forms.push(say(template.getText().replace(new RegExp(`\\b${template.parent.typeParameter.name.text}\\b`, "g"), () => JSON.stringify(p.name))));
	// With the type that another property has, where the mapped type says T["x"].
	if (template) forms.push(say(template.getText().replace(/(\w+)\[\w+\]|\(([^()]*)\)\[\w+\]/g, (text) => accessText(template, text, p.name) ?? text)));
	return { signatures: [forms.join("\u0001")], script: true };
}

// accessText is the type that T[K] in a mapped type stands for, for one name.
function accessText(template, text, name) {
	let found;
	const visit = (n) => {
		if (ts.isIndexedAccessTypeNode(n) && n.getText() === text) {
			const x = checker.getPropertyOfType(checker.getTypeFromTypeNode(n.objectType), name);
			found ??= x && typeText(checker.getTypeOfSymbol(x));
		}
		ts.forEachChild(n, visit);
	};
	visit(template);
	return found;
}

// elsewhere tells whether a property of what a module of JavaScript exports is
// no export of it: one that its class inherits, one of another package, or one of
// a module in a bundle, where exports is a variable.
function elsewhere(s, mod) {
	const whole = checker.resolveExternalModuleSymbol(mod);
	if (whole.flags & F.Class && !whole.exports?.has(s.escapedName) && !mod.exports.has(s.escapedName)) return true;
	const variable = (x) => (ts.isParameter(x) && !wraps(x.parent)) || ts.isVariableDeclaration(x);
	const shadowed = (d) => (ts.isExpression(d) || ts.isObjectLiteralElement(d)) && ["exports", "module"].some((name) => checker.resolveName(name, d, F.Value, false)?.declarations?.some(variable));
	return s.declarations?.length && s.declarations.every((d) => packageOf(d) !== packageOf(mod.declarations[0]) || shadowed(d));
}

// wraps tells whether a function wraps a whole module, for several module systems.
function wraps(fn) {
	let n = fn.parent;
	while (n && (ts.isParenthesizedExpression(n) || ts.isCallExpression(n) || ts.isPrefixUnaryExpression(n))) n = n.parent;
	return n && ts.isExpressionStatement(n) && ts.isSourceFile(n.parent);
}

// assigned lists members of what new makes that JavaScript writes and the compiler
// passes over: this.x = void 0, and a.fn = a.prototype = {…}.
function assigned(d) {
	const names = [];
	const visit = (n) => {
		if (ts.isBinaryExpression(n) && ts.isPropertyAccessExpression(n.left)) {
			if (n.left.expression.kind === ts.SyntaxKind.ThisKeyword) names.push(n.left.name.text);
		}
		ts.forEachChild(n, visit);
	};
	visit(d);
	for (const st of d.getSourceFile().statements) {
		let n = ts.isExpressionStatement(st) ? st.expression : undefined;
		let found = false;
		for (; n && ts.isBinaryExpression(n); n = n.right) found ||= n.left.getText() === `${d.name?.text}.prototype`;
		if (found && n && ts.isObjectLiteralExpression(n)) names.push(...n.properties.map((p) => p.name?.text).filter(Boolean));
	}
	return names;
}

// scripts tells whether JavaScript alone declares a symbol.
function scripts(s) {
	return s.declarations?.length && s.declarations.every((d) => ts.isSourceFileJS(d.getSourceFile())) || undefined;
}

// notes says what the comments of a symbol hold.
function notes(s) {
	const out = {};
	if (ts.displayPartsToString(s.getDocumentationComment(checker)).trim()) out.doc = true;
	// One deprecated overload does not make the others so.
	const overloads = (s.declarations ?? []).filter((d) => ts.isFunctionLike(d) && !d.body);
	const some = overloads.filter((d) => ts.getJSDocDeprecatedTag(d)).length;
	if (s.getJsDocTags(checker).some((t) => t.name === "deprecated") && (some === 0 || some === overloads.length)) out.deprecated = true;
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
			if (p.escapedName.startsWith("__#") || (scripts(p) && (p.escapedName.startsWith("__@") || p.name === "constructor")) || d.some((d) => ts.getCombinedModifierFlags(d) & ts.ModifierFlags.Private)) continue;
			out.push({ name: memberName(p), kind: kind(p), static: isStatic, ...(worked(p) ?? { signatures: signatures(p), script: scripts(p) }), ...notes(p) });
		}
	};
	if (s.flags & (F.Class | F.Interface)) add(checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(s)), false);
	if (s.flags & F.Class) {
		// Not what a namespace of the same name adds to it, or of a base class:
		// that is described with the namespace.
		const own = checker.getPropertiesOfType(checker.getTypeOfSymbol(s)).filter(
			(p) => !(p.flags & F.Prototype) && p.declarations?.some((d) => isClassMember(d) || ts.isTypeElement(d)));
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
	const before = seconds();
	const program = ts.createProgram({ rootNames: [entryFile], options, host });
	checker = program.getTypeChecker();
	const entries = [];
	const skipped = [];
	const late = () => seconds() - before > patience;
	program.getSourceFile(entryFile).statements.forEach((st, i) => {
		const mod = checker.getSymbolAtLocation(st.moduleSpecifier);
		const file = mod?.declarations?.[0]?.getSourceFile().fileName;
		if (!mod || file?.endsWith(".json")) return;
		if (late()) return void skipped.push(subs[i]);
		const exports = [];
		const exported = new Set(checker.getExportsOfModule(mod).map(followed));
		for (const s of [...exported]) if (s.flags & F.Module && !s.declarations?.some(ts.isSourceFile)) for (const x of checker.getExportsOfModule(s)) exported.add(followed(x));
		// What module.exports is assigned in JavaScript has properties.
		const script = mod.declarations[0] && ts.isSourceFileJS(mod.declarations[0].getSourceFile());
		const whole = checker.resolveExternalModuleSymbol(mod);
		if (whole !== mod && whole.flags & (F.Function | F.Class) && !(whole.flags & F.ValueModule && whole.declarations.some(ts.isSourceFile)))
			exports.push({ name: "export=", kind: kind(whole), signatures: signatures(whole), members: members(checker, whole), script: scripts(whole), ...notes(whole) });
		// What a call or a constructor gives is in no declaration.
		const given = script && whole !== mod && checker.getTypeOfSymbol(whole).symbol;
		const literal = !given || !(given.flags & (F.Class | F.Interface)) || checker.getTypeOfSymbol(whole).getCallSignatures().length || checker.getTypeOfSymbol(whole).getConstructSignatures().length;
		for (const s of script && literal ? checker.getExportsAndPropertiesOfModule(mod) : checker.getExportsOfModule(mod)) {
			if (script && exports.some((x) => x.name === s.name)) continue;
			if (s.escapedName === "___esModule" || s.escapedName.startsWith("__@")) continue;
			const t = s.flags & F.Alias ? checker.getAliasedSymbol(s) : s;
			// The static side of a class that is the module by export =.
			if (s.name.startsWith("__bound_")) continue;
			if (script && elsewhere(s, mod)) continue;
			if (t.flags & F.Prototype || t.declarations?.length && t.declarations.every(isClassMember)) continue;
			if (s.escapedName === "export=" || t.flags & F.EnumMember) continue;
			if (late()) return void skipped.push(subs[i]);
			exports.push({ name: exportedName(checker, mod, s), kind: script && kind(t) === "method" ? "function" : kind(t), signatures: signatures(t), members: members(checker, t), script: scripts(t), ...parts(t, exported) });
		}
		entries.push({ subpath: subs[i], file: file && path.relative(dir, file), exports });
	});
	const ms = Math.round(performance.now() - start);
	console.log(JSON.stringify({ package: name, version: pkg.version, ms, entries, skipped }));
	console.error(name, entries.length, "entries", entries.reduce((n, e) => n + e.exports.length, 0), "exports", ms, "ms", skipped.length ? `${skipped.length} skipped` : "");
}
