package modules

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// reactTypes declares the types from React that the various forms of components need.
const reactTypes = `
export = React;
declare namespace React {
	type Key = string | number;
	type ReactNode = string | number | ReactElement | null | undefined;
	interface ReactElement { type: any }
	interface RefObject<T> { current: T }
	type Ref<T> = ((instance: T | null) => void) | RefObject<T | null> | null;
	interface Attributes { key?: Key | null }
	interface RefAttributes<T> extends Attributes { ref?: Ref<T> | undefined }
	interface FunctionComponent<P = {}> { (props: P): ReactNode; propTypes?: any; displayName?: string }
	type FC<P = {}> = FunctionComponent<P>;
	interface ExoticComponent<P = {}> { (props: P): ReactNode; readonly $$typeof: symbol }
	interface NamedExoticComponent<P = {}> extends ExoticComponent<P> { displayName?: string }
	interface ForwardRefExoticComponent<P> extends NamedExoticComponent<P> { propTypes?: any }
	type MemoExoticComponent<T extends ComponentType<any>> = NamedExoticComponent<ComponentProps<T>> & { readonly type: T };
	class Component<P, S = {}> { constructor(props: P); readonly props: Readonly<P>; state: Readonly<S>; setState(s: S): void; render(): ReactNode; context: unknown }
	interface ComponentClass<P = {}> { new (props: P): Component<P, any> }
	type ComponentType<P = {}> = ComponentClass<P> | FunctionComponent<P>;
	type JSXElementConstructor<P> = ((props: P) => ReactNode) | (new (props: P) => Component<any, any>);
	type ElementType = keyof JSX.IntrinsicElements | ComponentType<any>;
	type ComponentProps<T extends keyof JSX.IntrinsicElements | JSXElementConstructor<any>> = T extends JSXElementConstructor<infer Props> ? Props : T extends keyof JSX.IntrinsicElements ? JSX.IntrinsicElements[T] : {};
	type PropsWithoutRef<P> = P extends { ref?: any } ? Omit<P, "ref"> : P;
	type ComponentPropsWithoutRef<T extends ElementType> = PropsWithoutRef<ComponentProps<T>>;
	type PropsWithChildren<P> = P & { children?: ReactNode | undefined };
	interface CSSProperties { color?: string }
	interface DOMAttributes<T> { children?: ReactNode; onClick?: (e: T) => void }
	interface HTMLAttributes<T> extends DOMAttributes<T> { className?: string; style?: CSSProperties; color?: string }
	interface ButtonHTMLAttributes<T> extends HTMLAttributes<T> { type?: "submit" | "button"; disabled?: boolean }
	type DetailedHTMLProps<E extends HTMLAttributes<T>, T> = Attributes & E & RefAttributes<T>;
	namespace JSX {
		interface Element extends ReactElement {}
		interface IntrinsicElements {
			button: DetailedHTMLProps<ButtonHTMLAttributes<HTMLButtonElement>, HTMLButtonElement>;
			div: DetailedHTMLProps<HTMLAttributes<HTMLDivElement>, HTMLDivElement>;
		}
	}
}
`

// described lists the props of the components in a source.
func described(t *testing.T, files map[string]string) string {
	t.Helper()
	var b strings.Builder
	var list func(s []apidoc.Symbol, indent string)
	list = func(s []apidoc.Symbol, indent string) {
		for _, x := range s {
			b.WriteString(indent + string(x.Kind) + " " + strings.ReplaceAll(x.Signature, "\n", " / "))
			if x.From != "" {
				b.WriteString(" <- " + x.From)
			}
			if x.Doc != "" {
				b.WriteString(" // " + strings.ReplaceAll(x.Doc, "\n", " "))
			}
			if x.Unlisted != "" {
				b.WriteString(" + " + x.Unlisted)
			}
			b.WriteString("\n")
			list(x.Members, indent+"  ")
		}
	}
	doc := newWorld(files).read(t)
	for _, s := range doc.Symbols {
		if s.Path == "X" || strings.HasPrefix(s.Path, "X.") {
			list(s.Members, "")
			if s.Unlisted != "" {
				b.WriteString("+ " + s.Unlisted + "\n")
			}
		}
	}
	return b.String()
}

func TestComponent_ReactForms(t *testing.T) {
	const props = `export interface Props extends React.ButtonHTMLAttributes<HTMLButtonElement> {
	/** Looks of it. @default "text" */
	variant?: Variant;
	label: string;
}
type Variant = 'text' | 'outlined';
`
	const plain = "prop label: string\nprop variant?: \"text\" | \"outlined\" // Looks of it.  **Default:** `\"text\"`\n"
	const button = plain + "+ 7 attributes of <button> from @types/react\n"
	const withRef = plain + "+ ref (HTMLButtonElement), 7 attributes of <button> from @types/react\n"
	for _, c := range []struct{ name, src, want string }{
		{"a function", `export declare function X(props: Props): React.JSX.Element;`, button},
		{"FC", `export declare const X: React.FC<Props>;`, button},
		{"a reference is forwarded", `export declare const X: React.ForwardRefExoticComponent<Props & React.RefAttributes<HTMLButtonElement>>;`, withRef},
		{"a class", `export declare class X extends React.Component<Props, { open: boolean }> { render(): React.ReactNode; private tick(): void }`, button},
		{"memo", `declare const Inner: React.FC<Props>; export declare const X: React.MemoExoticComponent<typeof Inner>;`, button},
		{"the last overload", `export declare const X: { (props: { href: string }): React.JSX.Element; (props: Props): React.JSX.Element };`, button},
		{"the last declaration of a function", `export declare function X(props: { href: string }): React.JSX.Element; export declare function X(props: Props): React.JSX.Element;`, button},
		{"the default element", `export declare const X: <E extends React.ElementType = "button">(props: { as?: E } & Pick<Props, "label" | "variant"> & Omit<React.ComponentPropsWithoutRef<E>, "as" | "label">) => React.JSX.Element;`,
			"prop label: string\nprop as?: \"button\"\nprop variant?: \"text\" | \"outlined\" // Looks of it.  **Default:** `\"text\"`\n+ 7 attributes of <button> from @types/react\n"},
		{"literals in type arguments", `type Responsive<T> = T | { base?: T } | (string & {}); interface Variants { size: "s" | "m" } export declare const X: React.FC<{ size?: Responsive<Variants["size"]>; color?: Responsive<React.CSSProperties["color"]> }>;`,
			"prop size?: Responsive<\"s\" | \"m\">\nprop color?: Responsive<React.CSSProperties[\"color\"]>\n"},
		{"a default without values", `export declare const X: <N extends "a" | "b" = never, V = undefined>(props: { name?: N; read: (value: V) => void }) => React.JSX.Element;`,
			"prop read: (value: unknown) => void\nprop name?: \"a\" | \"b\"\n"},
		{"props of another component", `declare const Inner: React.FC<Props>; export declare const X: React.FC<Omit<React.ComponentProps<typeof Inner>, "variant">>;`, "prop label: string\n+ 7 attributes of <button> from @types/react\n"},
		{"an attribute with another type", `export declare const X: React.FC<Omit<Props, "color" | "variant"> & { color?: 'red' | 'blue' }>;`, "prop label: string\nprop color?: \"red\" | \"blue\"\n+ 6 attributes of <button> from @types/react\n"},
		{"one of two objects", `export declare const X: React.FC<{ a: string } | { a: number; b: true }>;`, "prop a: string | number\nprop b?: true\n"},
		{"parts", `declare const Item: React.FC<{ value: string }>; export declare const X: React.FC<{ open?: boolean }> & { Item: typeof Item; useX(): void };`, "prop open?: boolean\npart Item: typeof Item\n  prop value: string\nmethod useX(): void\n"},
		{"an overridable component", `interface TypeMap { props: {}; defaultComponent: React.ElementType }
type Base<M extends TypeMap> = M["props"] & { className?: string };
type Rest<M extends TypeMap> = Base<M> & DistributiveOmit<React.ComponentProps<M["defaultComponent"]>, keyof Base<M>>;
type DistributiveOmit<T, K extends keyof any> = T extends any ? Omit<T, K> : never;
interface Overridable<M extends TypeMap> { <C extends React.ElementType>(props: { component: C } & Base<M>): React.JSX.Element | null; (props: Rest<M>): React.JSX.Element | null; propTypes?: any }
type Map<D extends React.ElementType = "div"> = { props: { label: string; size?: Size }; defaultComponent: D };
type Size = Exclude<"s" | "m" | "l", "l">;
export declare const X: Overridable<Map>;`, "prop label: string\nprop size?: \"s\" | \"m\"\nprop className?: string\n+ ref (HTMLDivElement), 4 attributes of HTML elements from @types/react\n"},
		{"an object with parts", `declare const Root: React.FC<{ open?: boolean }>; export declare const X: { Root: typeof Root; version: string };`, "part Root: typeof Root\n  prop open?: boolean\nproperty version: string\n"},
		{"any is returned", `export declare const X: { <E extends React.ElementType = "div">(props: { as?: E; label: string }): any; displayName?: string };`, "prop label: string\nprop as?: \"div\"\n"},
		{"a function that returns any is no component", `export declare const X: (props: Props) => any;`, ""},
		{"a hook is no component", `export declare function X(options: Props): void;`, ""},
		{"a function that makes text is no component", `export declare const X: (props: Props) => string;`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := described(t, map[string]string{
				"package.json": `{"types":"index.d.ts"}`, "index.d.ts": `import * as React from "react";` + "\n" + props + c.src,
				"@types/react:package.json": `{"types":"index.d.ts"}`, "@types/react:index.d.ts": reactTypes,
				"react:package.json": `{"main":"index.js"}`, "react:index.js": ``,
			})
			if got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestComponent_PropsOfAnotherPackage(t *testing.T) {
	got := described(t, map[string]string{
		"package.json":              `{"types":"index.d.ts"}`,
		"index.d.ts":                `import * as React from "react"; import { LayerProps } from "layer"; export declare const X: React.FC<LayerProps & { open: boolean }>;`,
		"layer:package.json":        `{"types":"index.d.ts"}`,
		"layer:index.d.ts":          `export interface LayerProps { /** When it goes away. */ onDismiss?: () => void }`,
		"@types/react:package.json": `{"types":"index.d.ts"}`, "@types/react:index.d.ts": reactTypes,
		"react:package.json": `{"main":"index.js"}`, "react:index.js": ``,
	})
	want := "prop open: boolean\nprop onDismiss?: () => void <- layer // When it goes away.\n"
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestComponent_PropsOfAMappedType checks that props that a type of another package makes are the component's own, even if
// they narrow attributes.
func TestComponent_PropsOfAMappedType(t *testing.T) {
	got := described(t, map[string]string{
		"package.json": `{"types":"index.d.ts"}`,
		"index.d.ts": `import * as React from "react"; import { Variants } from "variants"; declare const styles: { color: { red: {}; blue: {} }; pill: { true: {} } };
export declare const X: React.FC<Variants<typeof styles> & React.HTMLAttributes<HTMLDivElement>>;`,
		"variants:package.json":     `{"types":"index.d.ts"}`,
		"variants:index.d.ts":       `type Value<K> = K extends "true" ? boolean : K; export type Variants<V> = { [K in keyof V | "size"]?: K extends keyof V ? Value<keyof V[K]> : number }`,
		"@types/react:package.json": `{"types":"index.d.ts"}`, "@types/react:index.d.ts": reactTypes,
		"react:package.json": `{"main":"index.js"}`, "react:index.js": ``,
	})
	const want = "prop color?: \"red\" | \"blue\"\nprop pill?: boolean\nprop size?: number\n+ 4 attributes of HTML elements from @types/react\n"
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestComponent_WithoutTheTypesOfReact(t *testing.T) {
	const props = `interface Props extends React.ButtonHTMLAttributes<HTMLButtonElement> { /** Looks of it. */ variant?: 'a' | 'b'; label: string }
`
	const want = "prop label: string\nprop variant?: \"a\" | \"b\" // Looks of it.\n"
	for _, c := range []struct{ name, src, want string }{
		{"a reference is forwarded", `export declare const X: React.ForwardRefExoticComponent<Props & React.RefAttributes<HTMLButtonElement>>;`, want},
		{"an imported name", `export declare const X: FC<Props>;`, want},
		{"a class", `export declare class X extends React.Component<Props> { render(): React.ReactNode }`, want},
		{"a function", `export declare function X(props: Props): React.JSX.Element;`, want},
		{"another type", `export declare const X: React.Context<Props>;`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := described(t, map[string]string{
				"package.json": `{"types":"index.d.ts"}`, "index.d.ts": `import * as React from "react"; import { FC } from "react";` + "\n" + props + c.src,
			})
			if got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

// TestComponent_CommentsOfOverriddenProps checks that a comment with tags but without text is completed with the text of the
// overridden prop, without the tags of that one.
func TestComponent_CommentsOfOverriddenProps(t *testing.T) {
	const base = `import * as React from "react";
interface Base {
	/** Whether it blocks the page.
	 * @default true */ modal?: boolean;
	/** Whether it moves. */ animated?: boolean;
}
`
	for _, c := range []struct{ name, src, want string }{
		{"a default", "interface Props extends Base { /** @default false */ modal?: boolean }", "Whether it blocks the page.  **Default:** `false`"},
		{"text", "interface Props extends Base { /** Blocks. @default false */ modal?: boolean }", "Blocks.  **Default:** `false`"},
		{"a description in a tag", "interface Props extends Base { /** @description Blocks. */ modal?: boolean }", "Blocks."},
		{"no comment", "interface Props extends Base { modal?: boolean }", "Whether it blocks the page.  **Default:** `true`"},
		{"two levels", "interface Middle extends Base { /** @default false */ modal?: boolean }\ninterface Props extends Middle { /** @see other */ modal?: boolean }", "Whether it blocks the page.  **See:** other"},
		{"a deprecation", "interface Props extends Base { /** @deprecated No longer necessary. */ animated?: boolean }", "Whether it moves."},
		{"the type of the overridden prop", "type Props = Omit<Base, 'modal'> & { /** @default false */ modal?: boolean }", "**Default:** `false`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := described(t, map[string]string{
				"package.json": `{"types":"index.d.ts"}`, "index.d.ts": base + c.src + "\nexport declare const X: React.FC<Props>;",
				"@types/react:package.json": `{"types":"index.d.ts"}`, "@types/react:index.d.ts": reactTypes, "react:package.json": `{"main":"index.js"}`, "react:index.js": ``,
			})
			name := "modal"
			if strings.Contains(c.name, "deprecation") {
				name = "animated"
			}
			for line := range strings.Lines(got) {
				if rest, ok := strings.CutPrefix(line, "prop "+name+"?: boolean"); ok {
					if doc := strings.TrimSpace(strings.TrimPrefix(rest, " // ")); doc != c.want {
						t.Errorf("the comment is %q, want %q", doc, c.want)
					}
					return
				}
			}
			t.Errorf("there is no %s in\n%s", name, got)
		})
	}
}
