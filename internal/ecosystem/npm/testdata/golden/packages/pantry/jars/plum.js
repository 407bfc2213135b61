/** Plums. */
export const plum = 1;
