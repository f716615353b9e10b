import * as z from "zod";

/** The schema without what makes it optional or nullable. */
export function innerSchema(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? innerSchema(schema.unwrap())
    : schema;
}
