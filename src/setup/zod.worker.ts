// What Workers get for "zod": there is no compiling of schemas in that runtime, and its code would only be weight.
import type { ZodType } from "zod/v4";

export * from "zod/v4";

export function compile<Schema extends ZodType>(schema: Schema): Schema {
  return schema;
}
