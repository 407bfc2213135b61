/// <reference types="node" />
/// <reference path="./globals.d.ts" />
import fs = require('@bakery/till');
import Default, { bake as roast, type Loaf } from '@bakery/oven';
import type * as Types from '@bakery/flour';
import Deep = Types.Flour;

export * from './board';
export * as boards from './board';
export { hook, Nail as Pin, type Wood } from './hook';
export { default } from './hook';
export { default as Hook } from './hook';
export { bake, type Degrees as Heat } from '@bakery/oven';
export { roast };
export { shelve as put, shelve };
export import Alias = Types.Flour;
export type { Types };
declare function shelve(what: Deep, where: Shelf.Place, how?: Loaf): fs.Drawer;

/** Places. */
export declare namespace Shelf {
  type Place = 'top' | 'bottom';
  /** A place of its own. */
  class Corner extends Types.Sieve { angle: number }
  enum Level { Low = 1, High }
  namespace Inner { function f(): Place; export import G = Corner; }
}
/** Has an export list, which makes all else private. */
export declare namespace Store {
  type Hidden = 1;
  export { shelve as inside };
}

declare module '@bakery/flour' {
  interface Flour { augmented: boolean }
}
declare global {
  interface Window { shelf: typeof Shelf }
  var SHELF: string;
}
