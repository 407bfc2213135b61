export = React;
export as namespace React;
declare namespace React {
  type ReactNode = ReactElement | string | number | boolean | null | undefined;
  interface ReactElement<P = any> { type: string; props: P; key: string | null }
  interface Attributes { key?: string | null }
  interface RefAttributes<T> extends Attributes { ref?: Ref<T> }
  type Ref<T> = ((instance: T | null) => void) | { current: T | null } | null;
  interface AriaAttributes { 'aria-label'?: string }
  interface DOMAttributes<T> { onClick?: (event: { target: T }) => void; children?: ReactNode }
  interface HTMLAttributes<T> extends AriaAttributes, DOMAttributes<T> { className?: string; id?: string }
  interface FunctionComponent<P = {}> { (props: P): ReactNode; displayName?: string }
  type FC<P = {}> = FunctionComponent<P>;
  interface ExoticComponent<P = {}> { (props: P): ReactNode; readonly $$typeof: symbol }
  interface NamedExoticComponent<P = {}> extends ExoticComponent<P> { displayName?: string }
  interface ForwardRefExoticComponent<P> extends NamedExoticComponent<P> { defaultProps?: Partial<P> }
  type ComponentType<P = {}> = ComponentClass<P> | FunctionComponent<P>;
  interface ComponentClass<P = {}> { new (props: P): Component<P, any>; defaultProps?: Partial<P> }
  type ComponentProps<T> = T extends ComponentType<infer P> ? P : never;
  type MemoExoticComponent<T extends ComponentType<any>> = NamedExoticComponent<ComponentProps<T>> & { readonly type: T };
  class Component<P = {}, S = {}> { constructor(props: P); props: Readonly<P>; state: Readonly<S>; setState(state: S): void; render(): ReactNode }
  type Dispatch<A> = (value: A) => void;
  type SetStateAction<S> = S | ((prev: S) => S);
  interface Context<T> { Provider: ExoticComponent<{ value: T; children?: ReactNode }>; Consumer: ExoticComponent<{ children: (value: T) => ReactNode }>; displayName?: string }
  namespace JSX { interface Element extends ReactElement<any> {} interface IntrinsicElements { div: HTMLAttributes<HTMLDivElement> } }
}
