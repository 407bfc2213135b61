/** Weaves two lists into pairs. */
export declare function ribbon<A, B>(a: A[], b: B[]): [A, B][];
