/** What went wrong, thrown by throw. */
interface Error {
	/** The name of the type of error: "Error", "TypeError". */
	name: string;
	/** What went wrong, for people. */
	message: string;
	/** Where the error was made: the calls that led there. */
	stack?: string;
	/** The error or value that led to this one. */
	cause?: unknown;
}
interface ErrorOptions {
	/** The error or value that led to the new one. */
	cause?: unknown;
}
interface ErrorConstructor {
	new (message?: string, options?: ErrorOptions): Error;
	(message?: string, options?: ErrorOptions): Error;
	readonly prototype: Error;
}
declare var Error: ErrorConstructor;
interface EvalError extends Error {}
declare var EvalError: ErrorConstructor;
interface RangeError extends Error {}
declare var RangeError: ErrorConstructor;
interface ReferenceError extends Error {}
declare var ReferenceError: ErrorConstructor;
interface SyntaxError extends Error {}
declare var SyntaxError: ErrorConstructor;
interface TypeError extends Error {}
declare var TypeError: ErrorConstructor;
interface URIError extends Error {}
declare var URIError: ErrorConstructor;
type Parameters<T extends (...args: any) => any> = T extends (...args: infer P) => any ? P : never;
type ConstructorParameters<T extends abstract new (...args: any) => any> = T extends abstract new (...args: infer P) => any ? P : never;
type ReturnType<T extends (...args: any) => any> = T extends (...args: any) => infer R ? R : any;
