/** Water. */
export class Water { constructor(readonly litres: number) { } }
/** Makes dough rise. */
export interface Yeast { fresh: boolean }
