export const plain = (_, names) => names;
export const tabby = (row, names) => [names[row % names.length]];
export const twill = (over) => (row, names) => names.length ? Array.from({ length: over }, (_, i) => names[(row + i) % names.length]) : [];
export const stripes = (rows, ...drafts) => (row, names) => drafts[Math.floor(row / rows) % drafts.length](row, names);
export const always = (fixed, rest) => (row, names) => [...fixed, ...rest(row, names.filter((n) => !fixed.includes(n)))];
