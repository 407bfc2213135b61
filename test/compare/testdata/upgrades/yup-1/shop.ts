import {
  array,
  type BaseSchema,
  boolean,
  date,
  isSchema,
  lazy,
  mixed,
  number,
  object,
  reach,
  ref,
  type SchemaOf,
  string,
  ValidationError,
} from "yup";

const item = object({ name: string().required(), price: number().positive() });
const order = object().shape({ items: array().of(item).required(), note: string().nullable() });

export async function read(value: unknown) {
  return order.validate(value, { abortEarly: false });
}

export const paid = boolean().isTrue();
export const day = date().min(new Date());
export const nested = lazy(() => item);
export const other = mixed().oneOf(["a", "b"]);
export const price = reach(order, "items[0].price");
export const copy = string().equals(["tea"]);
export const link = ref("name");
export const known: boolean = isSchema(item);
export const text = string().strip().label("text").meta({ a: "b" });
export const typed: SchemaOf<{ name: string }> | undefined = undefined;
export let base: BaseSchema | undefined;
export const optional = item.noUnknown().defined().optional();
export const picked = item.pick(["name"]);
export const failed = (e: unknown) => (ValidationError.isError(e) ? e.errors : []);
export const sized = array().ensure().compact().min(1);
export const unsized = string().matches(/a/, { excludeEmptyString: true });
