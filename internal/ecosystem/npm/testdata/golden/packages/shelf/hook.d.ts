export declare function hook(): void;
export declare class Nail { bend(): void }
export type Wood = 'oak';
/** The default. */
export default function hang(where: string): void;
