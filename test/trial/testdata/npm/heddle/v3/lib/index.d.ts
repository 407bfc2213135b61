export * from './loom.js';
export { pleat, hem, full, type PleatOptions, type HemOptions } from './finish.js';
export * as drafts from './drafts.js';
export { weaveAll as weaveLists } from './loom.js';
