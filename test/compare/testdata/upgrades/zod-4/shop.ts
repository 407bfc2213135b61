import { z, ZodError, ZodIssueCode, type ZodTypeDef } from "zod";

const item = z.object({ name: z.string().min(1), price: z.number().positive() });
const order = z.object({ items: z.array(item).nonempty(), note: z.string().optional() }).strict();
type Order = z.infer<typeof order>;

export function read(value: unknown): Order {
  return order.parse(value);
}

export function problems(value: unknown): string[] {
  const result = order.safeParse(value);
  return result.success ? [] : result.error.errors.map((e) => e.message);
}

export const stock = z.record(z.number());
export const words = z.string({ required_error: "missing" });
export const other = z.string({ invalid_type_error: "no text" });
export const address = z.string().ip();
export const merged = item.merge(z.object({ tax: z.number() }));
export const deep = order.deepPartial();
export const call = z.function().args(z.string()).returns(z.number());
export const code = ZodIssueCode.custom;
export const mapped = z.string().transform((s) => s.length);
export const colours = z.enum(["red", "green"]);
export const red = colours.Enum.red;
export const values = colours.Values;
export const refined = z.string().refine((s) => s.length > 3, (s) => ({ message: s }));
export const formatted = (e: ZodError) => e.formErrors;
export const added = (e: ZodError) => e.addIssue({ code: "custom", message: "bad", path: [] });
export type Def = ZodTypeDef;
export const literal = z.literal(Symbol("a"));
export const strip = order.strip();
export const catchall = item.catchall(z.string());
export const union = z.union([item, order]);
export const nonstrict = item.nonstrict();
export const uuid = z.string().uuid();
