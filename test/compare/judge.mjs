// Prints the paths of what a package in node_modules exports, as TypeScript's checker sees
// it, each with its type: exports, their members, and members of namespaces.
import ts from "typescript";
import path from "node:path";

const name = process.argv[2];
const file = path.resolve("docent-entry.ts");
const text = `import * as all from ${JSON.stringify(name)}; export { all };`;
const options = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  skipLibCheck: true,
  esModuleInterop: true,
  types: [],
};
const host = ts.createCompilerHost(options);
const { getSourceFile, fileExists, readFile } = host;
host.getSourceFile = (f, ...rest) => (f === file ? ts.createSourceFile(f, text, ts.ScriptTarget.ES2022, true) : getSourceFile.call(host, f, ...rest));
host.fileExists = (f) => f === file || fileExists.call(host, f);
host.readFile = (f) => (f === file ? text : readFile.call(host, f));
const program = ts.createProgram([file], options, host);
const checker = program.getTypeChecker();
const specifier = program.getSourceFile(file).statements[0].moduleSpecifier;
const module = checker.getSymbolAtLocation(specifier);
const names = new Map();

function isOurs(symbol) {
  return (symbol.declarations ?? []).some((d) => !/node_modules\/typescript\/|@types\/node\//.test(d.getSourceFile().fileName));
}

const typed = ts.SymbolFlags.Function | ts.SymbolFlags.Method | ts.SymbolFlags.Property | ts.SymbolFlags.Variable | ts.SymbolFlags.Accessor;

// plain replaces the names of type parameters by numbers, and removes the numbers that bundlers append
// to names that are declared twice, as in Item$1.
function plain(text, declarations) {
  const names = [];
  const find = (node) => {
    if (ts.isTypeParameterDeclaration(node) && !names.includes(node.name.text)) names.push(node.name.text);
    ts.forEachChild(node, find);
  };
  declarations.forEach(find);
  return text.replace(/[\p{L}_$][\p{L}\p{N}_$]*/gu, (word) => (names.includes(word) ? `$${names.indexOf(word)}` : word.replace(/(?<=.)\$\d+$/, "")));
}

// Callers cannot use the names of parameters.
const parameterNames = /(?<=[(,] ?(\.\.\.)?)(?!this\b)[\w$]+(?=\??: )/g;

// typeOf returns the type of a value and its declaration, or nothing for types and inherited members.
function typeOf(symbol, owner) {
  if (!(symbol.flags & typed) || symbol.flags & (ts.SymbolFlags.Type | ts.SymbolFlags.Namespace)) return ["", ""];
  const written = (symbol.declarations ?? []).map((d) => d.getText().replace(/\s+/g, " "));
  const within = (d) => [d.parent, d.parent?.parent].some((p) => owner?.declarations?.includes(p));
  if (owner && !symbol.declarations?.some(within)) return ["", ""];
  const type = checker.typeToString(checker.getTypeOfSymbol(symbol), undefined, ts.TypeFormatFlags.NoTruncation);
  return [plain(type.replace(parameterNames, "_"), symbol.declarations ?? []), plain(written.join(" "), symbol.declarations ?? [])];
}

function visit(symbol, prefix, depth, name = symbol.name) {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const own = prefix + name;
  names.set(own, typeOf(target));
  if (depth > 3) return;
  const literal = target.declarations?.some((d) => ts.isTypeAliasDeclaration(d) && (ts.isTypeLiteralNode(d.type) || ts.isIntersectionTypeNode(d.type)));
  if (target.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface) || literal) {
    for (const p of checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(target))) {
      if (isOurs(p) && !/^(__|#)/.test(p.name) && p.name !== "constructor" && !(ts.getCombinedModifierFlags(p.declarations?.[0] ?? {}) & ts.ModifierFlags.Private)) names.set(`${own}.${p.name}`, typeOf(p, target));
    }
  }
  else if (target.flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Variable)) names.set(`${own}.*`, ["", ""]); // its members depend on arguments or on other types
  if (target.flags & ts.SymbolFlags.Class) {
    for (const p of checker.getPropertiesOfType(checker.getTypeOfSymbol(target))) {
      if (isOurs(p) && p.name !== "prototype" && !/^(__|#)/.test(p.name) && !names.has(`${own}.${p.name}`)) names.set(`${own}.${p.name}`, typeOf(p, target));
    }
  }
  if (name !== "export=" && target.flags & (ts.SymbolFlags.Enum | ts.SymbolFlags.Namespace)) {
    for (const e of checker.getExportsOfModule(target)) if (e !== symbol && e.name !== symbol.name) visit(e, own + ".", depth + 1);
  }
}

// The whole package under another name adds nothing.
const whole = new Set(["default", "module.exports"]);
const all = module ? checker.getExportsOfModule(module) : [];
const targetOf = (e) => (e.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(e) : e);
const twin = (e) => all.some((o) => o !== e && targetOf(o) === targetOf(e));

for (const e of all.filter((e) => e.name !== "prototype")) {
  if (!whole.has(e.name) || !(twin(e) || targetOf(e).flags & ts.SymbolFlags.ValueModule)) visit(e, "", 0);
  else if (e.name === "default") names.set(e.name, ["", ""]).set("default.*", ["", ""]);
}
// The symbol of a module that assigns to its exports is what it assigns, or contains it.
const assigned = module && !module.declarations?.some(ts.isSourceFile) ? module : module?.exports?.get("export=");
if (assigned && !(assigned.flags & ts.SymbolFlags.ValueModule)) visit(assigned, "", 3, "export=");
console.log(JSON.stringify(Object.fromEntries(names)));
