import { Command } from "commander";
import { runAction } from "./command-parts.ts";

/** `rightseat schema`: prints JSON Schemas, for editors and for people who write a client. */
export function schemaCommand(): Command {
  return new Command("schema")
    .description("Print the JSON Schema of agent definitions and requests")
    .argument("[PART]", "definition or request (default: both)")
    .action((part: string | undefined) =>
      runAction(async () => {
        const { runSchema } = await import("../schema.ts");
        return runSchema(part);
      }),
    );
}
