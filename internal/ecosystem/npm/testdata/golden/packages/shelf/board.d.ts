/** A board. */
export interface Board { length: number }
/** Saws a board. */
export declare function saw(board: Board): Board[];
declare const _default: Board;
export default _default;
