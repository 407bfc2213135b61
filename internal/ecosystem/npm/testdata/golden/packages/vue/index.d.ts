export type PropType<T> = { new (...args: any[]): T };
export type SlotsType<T> = { slots?: T };
export type ComponentPublicInstance<P = {}, B = {}, D = {}, C = {}, M = {}, E = {}, PublicProps = {}, Defaults = {}, MakeDefaultsOptional = false, Options = {}, I = {}, S = {}> = { $props: P; $emit: E; $slots: S } & P & B;
export type DefineComponent<Props = {}, RawBindings = {}, D = {}, C = {}, M = {}, Mixin = {}, Extends = {}, E = {}, EE = string, PP = {}, P = Props, Defaults = {}, S = {}> = { new (...args: any[]): ComponentPublicInstance<P, RawBindings, D, C, M, E, PP, Defaults, true, {}, {}, S> };
export interface VNode { type: string }
