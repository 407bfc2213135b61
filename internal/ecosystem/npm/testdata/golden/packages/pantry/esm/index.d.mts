/** Stores jars. */
export interface Pantry { jars: import('../jars.js').Jar[] }
export declare function store<T>(x: T): Pantry;
export type * from '../jars.js';
export declare const lazy: typeof import('../jars.js');
