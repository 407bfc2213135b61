// Prints a declaration with TypeScript's own printer, in the form that Docent
// gives a signature: without export, declare, decorators, bodies, members and
// comments.
import ts from "typescript";

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });
const f = ts.factory;

const dropped = new Set([
	ts.SyntaxKind.ExportKeyword,
	ts.SyntaxKind.DefaultKeyword,
	ts.SyntaxKind.DeclareKeyword,
	ts.SyntaxKind.AsyncKeyword,
]);

function modifiers(node) {
	return (ts.canHaveModifiers(node) ? ts.getModifiers(node) ?? [] : []).filter((m) => !dropped.has(m.kind));
}

function bare(node) {
	const m = modifiers(node);
	switch (node.kind) {
		case ts.SyntaxKind.VariableDeclaration:
			return node.type ? f.updateVariableDeclaration(node, node.name, node.exclamationToken, node.type, undefined) : node;
		case ts.SyntaxKind.FunctionDeclaration:
			return f.updateFunctionDeclaration(node, m, undefined, node.name, node.typeParameters, node.parameters, node.type, undefined);
		case ts.SyntaxKind.ClassDeclaration:
			return f.updateClassDeclaration(node, m, node.name, node.typeParameters, node.heritageClauses, []);
		case ts.SyntaxKind.InterfaceDeclaration:
			return f.updateInterfaceDeclaration(node, m, node.name, node.typeParameters, node.heritageClauses, []);
		case ts.SyntaxKind.TypeAliasDeclaration:
			return f.updateTypeAliasDeclaration(node, m, node.name, node.typeParameters, node.type);
		case ts.SyntaxKind.EnumDeclaration:
			return f.updateEnumDeclaration(node, m, node.name, []);
		case ts.SyntaxKind.ModuleDeclaration:
			return f.updateModuleDeclaration(node, [], node.name, undefined);
		case ts.SyntaxKind.MethodDeclaration:
			return f.updateMethodDeclaration(node, m, undefined, node.name, node.questionToken, node.typeParameters, node.parameters, node.type, undefined);
		case ts.SyntaxKind.MethodSignature:
			return f.updateMethodSignature(node, m, node.name, node.questionToken, node.typeParameters, node.parameters, node.type);
		case ts.SyntaxKind.PropertyDeclaration:
			return f.updatePropertyDeclaration(node, m, node.name, node.questionToken, node.type, node.type ? undefined : node.initializer);
		case ts.SyntaxKind.GetAccessor:
			return f.updateGetAccessorDeclaration(node, m, node.name, node.parameters, node.type, undefined);
		case ts.SyntaxKind.SetAccessor:
			return f.updateSetAccessorDeclaration(node, m, node.name, node.parameters, undefined);
		case ts.SyntaxKind.Constructor:
			return f.updateConstructorDeclaration(node, m, node.parameters, undefined);
		case ts.SyntaxKind.BindingElement:
			return f.createVariableDeclaration(node.name);
	}
	return node;
}

// signature returns the text of one declaration, white space as it comes.
export function signature(node) {
	const source = node.getSourceFile();
	let prefix = "";
	if (ts.isVariableDeclaration(node) || ts.isBindingElement(node)) {
		const flags = ts.getCombinedNodeFlags(node);
		prefix = flags & ts.NodeFlags.Using ? "using " : flags & ts.NodeFlags.Const ? "const " : flags & ts.NodeFlags.Let ? "let " : "var ";
	}
	const text = printer.printNode(ts.EmitHint.Unspecified, bare(node), source);
	return (prefix + text).replace(/\s*\{\s*\}\s*$/, (m) => (hasMembers(node) ? "" : m)).replace(/;\s*$/, "");
}

function hasMembers(node) {
	return ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isEnumDeclaration(node);
}

// normal removes all white space that does not part two words.
export function normal(text) {
	return text.replace(/\s+/g, " ").replace(/ ?([^\w$ ]) ?/g, "$1").trim();
}
