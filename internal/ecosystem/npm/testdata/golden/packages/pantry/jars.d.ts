/** A jar. */
export interface Jar { content: string; open(): void }
/** Opens. */
export declare const open: Jar['open'];
