import type { DefineComponent, PropType, SlotsType, ComponentPublicInstance, VNode } from 'vue';
/** A card. */
export declare const Card: DefineComponent<{ title: string; wide?: boolean }, { open(): void }, {}, {}, {}, {}, {}, { close: (reason: string) => void }>;
declare const _sfc: <T>(__VLS_props: NonNullable<Awaited<typeof __VLS_setup>>["props"], __VLS_ctx?: Pick<NonNullable<Awaited<typeof __VLS_setup>>, "attrs" | "emit" | "slots">, __VLS_expose?: NonNullable<Awaited<typeof __VLS_setup>>["expose"], __VLS_setup?: Promise<{
  props: { items: T[]; onPick?: (item: T) => any };
  expose(exposed: { clear(): void }): void;
  attrs: any;
  slots: { default(props: { item: T }): any; empty?: () => any };
  emit: ((event: 'pick', item: T) => void) & ((event: 'close') => void);
}>) => VNode & { __ctx?: Awaited<typeof __VLS_setup> };
/** Picks one of a list. */
export { _sfc as Picker };
/** A banner. */
declare const Banner: { new (...args: any[]): ComponentPublicInstance<{ text: string; onShut?: (x: number) => any }>; };
export default Banner;
