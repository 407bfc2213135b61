// Asks TypeScript's own compiler which props the components take that packages export: their
// names, types and documentation. Prints one line of JSON for each package. Props are a
// component's own if a package other than its framework declares them.
//
// If ANSWERS names a file with Docent's types of the props, each of them is compared with the type of the prop by
// the checker: the two are equal if each is assignable to the other.
//
//	node components.mjs DIR PACKAGE… > components.jsonl
import path from "node:path";
import ts from "typescript";

const dir = path.resolve(process.argv[2]);
const options = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, jsx: ts.JsxEmit.Preserve, customConditions: ["svelte"], strict: true, noEmit: true, skipLibCheck: true, types: [] };
const host = ts.createCompilerHost(options, true);
const entryFile = path.join(dir, "__entry.ts");
const plainSource = host.getSourceFile.bind(host);
const plainExists = host.fileExists.bind(host);
let entryText = "";
host.getCurrentDirectory = () => dir;
host.fileExists = (f) => f === entryFile || plainExists(f);
const sources = new Map();
const appended = new Map(); // types that are added to a file to be read in its scope
host.getSourceFile = (f, version, ...rest) => {
	if (f === entryFile) return ts.createSourceFile(f, entryText, version, true);
	if (appended.has(f)) return ts.createSourceFile(f, host.readFile(f) + appended.get(f), version, true);
	if (!sources.has(f)) sources.set(f, plainSource(f, version, ...rest));
	return sources.get(f);
};

// The helper of each framework, and the packages that depend on it.
const frameworks = {
	react: `import type { ComponentProps as CP, JSXElementConstructor } from "react";\ntype Props<T> = T extends JSXElementConstructor<any> ? CP<T> : never;`,
	vue: `type Props<T> = T extends new (...args: any) => { $props: infer P } ? NonNullable<P> : T extends (props: infer P, ...args: any) => any ? P : never;`,
	svelte: `import type { ComponentProps as CP } from "svelte";\ntype Props<T> = T extends (new (...args: any) => any) | ((...args: any) => any) ? CP<T> : never;`,
	"solid-js": `import type { ComponentProps as CP, Component } from "solid-js";\ntype Props<T> = T extends (props: any) => any ? CP<T> : never;`,
};
const isFramework = (f) => /\/node_modules\/(@types\/(react|react-dom|prop-types)|react|csstype|preact|solid-js|vue|@vue\/[\w-]+|svelte|typescript)\//.test(f) && !/\/node_modules\/.*\/node_modules\/(?!@types\/react|csstype|react)/.test(f.replace(/.*\/node_modules\/(?=@?\w)/, "/node_modules/"));
const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope | ts.TypeFormatFlags.WriteArrowStyleSignature;
const returns = /\b(Element|ReactElement|ReactNode|VNode|VNodeChild|ReactPortal|JSXElement|ComponentChild|ComponentChildren|FunctionComponentElement)\b/;

function programOf(name, framework, paths, args = new Map(), more = "") {
	entryText = `import * as e from ${JSON.stringify(name)};\n${frameworks[framework]}\n` + paths.map((p, i) => `export type C${i} = Props<typeof e.${p}${args.get(p) ?? ""}>;\ndeclare const v${i}: typeof e.${p};`).join("\n") + more;
	const program = ts.createProgram([entryFile], options, host);
	return { program, checker: program.getTypeChecker(), file: program.getSourceFile(entryFile) };
}

function dependenciesOf(name) {
	const file = path.join(dir, "node_modules", name.split("/").slice(0, name.startsWith("@") ? 2 : 1).join("/"), "package.json");
	const m = JSON.parse(host.readFile(file) ?? "{}");
	return { ...m.peerDependencies, ...m.dependencies };
}

// frameworkOf returns the framework that a package or one of its dependencies depends on, or the only one that is installed.
function frameworkOf(name) {
	const find = (all) => Object.keys(frameworks).find((f) => all[f]) ?? (all["@types/react"] ? "react" : undefined);
	const all = dependenciesOf(name);
	for (const found of [find(all), ...Object.keys(all).map((d) => find(dependenciesOf(d)))]) if (found) return found;
	const installed = Object.keys(frameworks).filter((f) => plainExists(path.join(dir, "node_modules", f, "package.json")));
	return installed.length === 1 ? installed[0] : undefined;
}

// candidates are the exported names that begin with a capital letter, those below them, and a default export without another name.
function candidates(name, framework) {
	const { checker, file } = programOf(name, framework, []);
	const mod = checker.getSymbolAtLocation(file.statements[0].moduleSpecifier);
	const out = [];
	const target = (e) => (e.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(e) : e);
	const named = new Set();
	for (const e of mod ? checker.getExportsOfModule(mod).sort((a, b) => (a.name === "default") - (b.name === "default")) : []) {
		const s = target(e);
		if (e.name === "default" ? named.has(s) || !/^[A-Z]/.test(s.name) : !/^[A-Z]/.test(e.name)) continue;
		named.add(s);
		if (!(s.flags & ts.SymbolFlags.Value)) continue;
		out.push(e.name);
		const inner = s.flags & ts.SymbolFlags.ValueModule ? checker.getExportsOfModule(s) : checker.getPropertiesOfType(checker.getTypeOfSymbolAtLocation(s, file));
		for (const x of inner) if (/^[A-Z]\w*$/.test(x.name) && !(s.flags & (ts.SymbolFlags.Enum | ts.SymbolFlags.Class)) && (x.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(x) : x).flags & (ts.SymbolFlags.Value)) out.push(`${e.name}.${x.name}`);
	}
	return out;
}

// isComponent is stricter than JSXElementConstructor, to which functions that return text
// are assignable, too.
function isComponent(checker, type, framework) {
	const calls = checker.getSignaturesOfType(type, ts.SignatureKind.Call);
	if (framework === "svelte") return calls.some((c) => c.parameters.length === 2) || checker.getSignaturesOfType(type, ts.SignatureKind.Construct).some((c) => c.getReturnType().getProperty("$$prop_def"));
	if (calls.length) {
		const last = calls[calls.length - 1];
		return last.parameters.length <= 2 && returns.test(checker.typeToString(last.getReturnType(), undefined, flags).replace(/\{.*\}/s, ""));
	}
	return checker.getSignaturesOfType(type, ts.SignatureKind.Construct).some((c) => {
		const made = c.getReturnType();
		return framework === "vue" ? made.getProperty("$props") : made.getProperty("setState") && made.getProperty("render");
	});
}

// defaults are the type arguments with which a generic component is judged: the defaults of its parameters, or else their
// constraints, if they can be written in file. A default without values stands for an argument that is inferred.
function defaults(checker, type, file) {
	const calls = checker.getSignaturesOfType(type, ts.SignatureKind.Call);
	const params = calls.length ? (calls[calls.length - 1].typeParameters ?? []) : [];
	if (!params.some((p) => checker.getDefaultFromTypeParameter(p))) return;
	const out = new Map();
	for (const p of params) {
		let argument = checker.getDefaultFromTypeParameter(p);
		if (!argument || argument.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Never)) argument = checker.getBaseConstraintOfType(p);
		let text = argument ? checker.typeToString(argument, file, ts.TypeFormatFlags.NoTruncation) : "unknown";
		for (const [name, value] of out) text = text.replace(new RegExp(`(?<![.\\w$"])${name}(?![\\w$"])`, "g"), () => `(${value})`);
		if (text.length > 2000) return;
		out.set(p.symbol.name, text);
	}
	return `<${[...out.values()].join(", ")}>`;
}

// isNarrowed reports whether a mapped type, which does not declare it, narrows the type of a declared prop.
function isNarrowed(checker, symbol) {
	const whole = symbol.links?.containingType;
	return whole?.isIntersection() && whole.types.map((t) => checker.getPropertyOfType(t, symbol.name)).some((s) => s && !s.declarations?.length);
}

// maxRepeated is the number of components in which the type and the documentation of the same prop are compared, such
// as a style prop that all components of a library inherit.
const maxRepeated = 10;
const repeated = new Map();

// isRepeated counts the components that have a prop with the same declarations and type.
function isRepeated(declarations, types) {
	const key = declarations.map((d) => `${d.getSourceFile().fileName}:${d.pos}`).join() + types.map((t) => t.id).join();
	repeated.set(key, (repeated.get(key) ?? 0) + 1);
	return declarations.length > 0 && repeated.get(key) > maxRepeated;
}

function propsOf(checker, type, file) {
	const all = new Map();
	const parts = type.isUnion() ? type.types : [type];
	if (parts.length > 60) return;
	for (const t of parts) for (const p of checker.getPropertiesOfType(t)) {
		const known = all.get(p.name);
		if (known) known.push(p);
		else all.set(p.name, [p]);
	}
	const out = [];
	for (const [name, symbols] of all) {
		const declarations = symbols.flatMap((s) => s.declarations ?? []);
		const narrowed = symbols.some((s) => isNarrowed(checker, s));
		if (!narrowed && declarations.length && declarations.every((d) => isFramework(d.getSourceFile().fileName))) continue;
		const types = symbols.map((s) => checker.getTypeOfSymbolAtLocation(s, file));
		const live = types.filter((t) => !(t.flags & (ts.TypeFlags.Never | ts.TypeFlags.Undefined)));
		if (!live.length) continue;
		const optional = symbols.length < parts.length || symbols.some((s) => s.flags & ts.SymbolFlags.Optional);
		if (isRepeated(declarations, types)) {
			out.push({ name, optional, repeated: true, types: [], files: [] });
			continue;
		}
		const expanded = new Set();
		for (const t of live) for (const m of t.isUnion() ? t.types : [t]) expanded.add(checker.typeToString(m, undefined, flags));
		const own = declarations.filter((d) => !isFramework(d.getSourceFile().fileName));
		out.push({
			name, optional, vague: declarations.every((d) => isFramework(d.getSourceFile().fileName)), files: [...new Set(own.map((d) => d.getSourceFile().fileName))],
			types: [...new Set([...live.map((t) => checker.typeToString(t, undefined, flags)), ...live.map((t) => checker.typeToString(checker.getNonNullableType(t), undefined, flags)), ...own.map((d) => d.type?.getText()).filter(Boolean)])].filter((t) => t.length < 5000),
			expanded: expanded.size <= 80 ? [...expanded] : [],
			doc: own.map((d) => (d.symbol ? ts.displayPartsToString(d.symbol.getDocumentationComment(checker)) : "")).find((x) => x) ?? "",
		});
	}
	return out;
}

// isSame reports whether two types have the same values. The first type must not contain any where the second one does not.
function isSame(checker, got, want) {
	if ((got.flags | want.flags) & ts.TypeFlags.Any) return (got.flags & want.flags & ts.TypeFlags.Any) !== 0;
	if (!checker.isTypeAssignableTo(got, want) || !checker.isTypeAssignableTo(want, got)) return false;
	const texts = [got, want].map((t) => checker.typeToString(t, undefined, flags | ts.TypeFormatFlags.InTypeAlias));
	if (/\bany\b/.test(texts[0]) && !/\bany\b/.test(texts[1])) return false;
	const names = [got, want].map((t) => checker.getPropertiesOfType(t).map((p) => p.name).sort().join());
	return names[0] === names[1];
}

// internalTypes returns the files that export the types with the given names, which programs cannot import from a package,
// unless several files do.
function internalTypes(program, names) {
	const out = new Map();
	for (const f of program.getSourceFiles()) {
		const mod = program.getTypeChecker().getSymbolAtLocation(f);
		if (!mod || isFramework(f.fileName)) continue;
		for (const [name, s] of mod.exports ?? []) {
			if (!names.has(name) || s.flags & ts.SymbolFlags.Alias || !(s.flags & (ts.SymbolFlags.Type | ts.SymbolFlags.Namespace))) continue;
			out.set(name, out.has(name) ? undefined : f.fileName.replace(/\.d\.([cm]?)ts$/, (_, kind) => (kind ? `.${kind}js` : "")));
		}
	}
	return out;
}

// markSame sets same in the props whose type in Docent's answer is the type of the prop.
function markSame(out, paths, args, answers, exported, before) {
	const questions = [];
	const imports = new Set();
	const importsOf = (f) => {
		const declared = new Set(before.getTypeChecker().getSymbolsInScope(before.getSourceFile(f), ts.SymbolFlags.Type | ts.SymbolFlags.Namespace).map((s) => s.name));
		const missing = [...exported].filter((word) => !declared.has(word) && word !== "default");
		let text = missing.length ? `\nimport type { ${missing.join(", ")} } from ${JSON.stringify(out.package)};` : "";
		for (const word of words) if (!declared.has(word) && !exported.has(word) && internal.get(word)) text += `\nimport type { ${word} } from ${JSON.stringify(internal.get(word))};`;
		return text;
	};
	const textOf = (c, p) => answers?.[c.path]?.[p.name];
	const words = new Set(out.components.flatMap((c) => c.props.flatMap((p) => (textOf(c, p) ?? "").match(/[A-Za-z_$][\w$]*/g) ?? [])));
	const internal = internalTypes(before, words);
	let more = `\ntype Get<P, K extends PropertyKey> = P extends unknown ? (K extends keyof P ? P[K] : never) : never;`;
	for (const c of out.components)
		for (const p of c.props) {
			const text = textOf(c, p);
			if (!text || p.repeated || p.types.includes(text) || ts.createSourceFile("x.ts", `type X = ${text};`, ts.ScriptTarget.ESNext).parseDiagnostics.length) continue;
			const n = questions.length;
			more += `\nexport type Q${n} = Exclude<Get<C${paths.indexOf(c.path)}, ${JSON.stringify(p.name)}>, undefined>;`;
			const answer = `\ntype __Answer${n} = Exclude<${text}, undefined>;`;
			const files = new Set([...p.files, ...c.files]);
			for (const f of files) appended.set(f, (appended.get(f) ?? importsOf(f)) + answer);
			for (const word of text.match(/[A-Za-z_$][\w$]*/g) ?? []) if (exported.has(word)) imports.add(word);
			more += answer;
			questions.push({ prop: p, files: [...files, entryFile] });
		}
	if (!questions.length) return;
	for (const word of ["Props", "CP", "Get", "Component", "JSXElementConstructor"]) imports.delete(word);
	more += `\nimport type { ${[...imports].join(", ")} } from ${JSON.stringify(out.package)};`;
	const { program, checker, file } = programOf(out.package, out.framework, paths, args, more);
	const aliases = (f) => new Map(f.statements.filter(ts.isTypeAliasDeclaration).map((a) => [a.name.text, a]));
	const wanted = aliases(file);
	const given = new Map([...appended.keys(), entryFile].map((f) => [f, aliases(program.getSourceFile(f))]));
	appended.clear();
	questions.forEach(({ prop, files }, n) => {
		const want = checker.getTypeAtLocation(wanted.get(`Q${n}`));
		prop.same = files.some((f) => isSame(checker, checker.getTypeAtLocation(given.get(f).get(`__Answer${n}`)), want));
	});
}

const answers = new Map((process.env.ANSWERS ? host.readFile(process.env.ANSWERS).trim().split("\n") : []).map((l) => JSON.parse(l)).map((a) => [a.Package, a.Components]));
for (const name of process.argv.slice(3)) {
	const framework = frameworkOf(name);
	if (!framework) continue;
	const paths = candidates(name, framework);
	let { program, checker, file } = programOf(name, framework, paths);
	const args = new Map();
	for (const s of file.statements.filter(ts.isVariableStatement)) {
		const d = s.declarationList.declarations[0];
		const given = isComponent(checker, checker.getTypeAtLocation(d), framework) && defaults(checker, checker.getTypeAtLocation(d), file);
		if (given) args.set(paths[Number(d.name.text.slice(1))], given);
	}
	if (args.size) {
		({ program, checker, file } = programOf(name, framework, paths, args));
		const before = args.size;
		for (const d of program.getSemanticDiagnostics(file)) {
			const declared = /(?:type C|const v)(\d+)\b/.exec(file.text.slice(0, file.text.indexOf("\n", d.start)).split("\n").pop());
			if (declared) args.delete(paths[Number(declared[1])]); // the arguments cannot be written in this file
		}
		if (args.size < before) ({ program, checker, file } = programOf(name, framework, paths, args));
	}
	const out = { package: name, framework, components: [] };
	repeated.clear();
	const aliases = new Map(file.statements.filter(ts.isTypeAliasDeclaration).map((a) => [a.name.text, a]));
	const values = new Map(file.statements.filter(ts.isVariableStatement).map((v) => [v.declarationList.declarations[0].name.text, v.declarationList.declarations[0]]));
	paths.forEach((p, i) => {
		const value = checker.getTypeAtLocation(values.get(`v${i}`));
		if (!isComponent(checker, value, framework)) return;
		const type = checker.getTypeAtLocation(aliases.get(`C${i}`));
		const calls = checker.getSignaturesOfType(value, ts.SignatureKind.Call);
		const generic = calls.length > 0 && (calls[calls.length - 1].typeParameters ?? []).length > 0;
		if (type.flags & (ts.TypeFlags.Never | ts.TypeFlags.Any)) return;
		const props = propsOf(checker, type, file);
		const files = (value.aliasSymbol ?? value.symbol)?.declarations ?? [];
		if (props) out.components.push({ path: p, generic, props, files: [...new Set(files.map((d) => d.getSourceFile().fileName).filter((f) => !isFramework(f)))] });
	});
	const mod = checker.getSymbolAtLocation(file.statements[0].moduleSpecifier);
	markSame(out, paths, args, answers.get(name), new Set(mod ? checker.getExportsOfModule(mod).map((s) => s.name) : []), program);
	console.log(JSON.stringify(out));
}
