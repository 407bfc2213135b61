import { weave } from 'heddle-loom';

export const ribbon = (a, b) => weave({ a, b }).map((row) => [row.a, row.b]);
