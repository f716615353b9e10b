import { type ArgsDef, defineCommand } from "citty";
import * as z from "zod";
import { ContextVariable } from "../context/context.ts";
import { variableNames, variables } from "../context/variables.ts";
import { CopilotRequest } from "../doors/copilot/schema.ts";
import { AgentDefinition } from "../turn/agent-definition.ts";
import { checkArguments } from "./check-arguments.ts";
import { CliError } from "./cli-error.ts";
import { failWith } from "./fail-with.ts";

const args = {
  part: {
    type: "positional",
    description: "definition or request; both where absent",
    required: false,
  },
} satisfies ArgsDef;

/** `rightseat schema`: prints JSON Schemas, for editors and for whoever writes a client. */
export const schema = defineCommand({
  meta: { name: "schema", description: "Print the JSON Schema of agent definitions and requests" },
  args,
  run({ args: given }) {
    try {
      checkArguments(given, args, 1);
      process.stdout.write(`${JSON.stringify(findSchema(given.part), null, 2)}\n`);
    } catch (thrown) {
      failWith(thrown);
    }
  },
});

/**
 * The JSON Schemas of what comes in. A context variable that we know must have that variable's
 * value; others may have any.
 */
export function createSchemas() {
  return { definition: toJsonSchema(AgentDefinition), request: toJsonSchema(describedRequest()) };
}

function findSchema(part: string | undefined): unknown {
  const schemas = createSchemas();
  if (part === undefined) return schemas;
  if (part === "definition" || part === "request") return schemas[part];
  throw new CliError(
    `There is no schema ${JSON.stringify(part)}. There are: ${Object.keys(schemas).join(", ")}.`,
  );
}

function describedRequest() {
  const known = variableNames.map((name) =>
    ContextVariable.extend({ name: z.literal(name), value: variables[name].schema.nullish() }),
  );
  // Without the exclusion every wrong value of a known variable would pass as an unknown one.
  const unknown = ContextVariable.extend({
    name: z.string().meta({ not: { enum: variableNames } }),
  });
  return CopilotRequest.extend({
    contextVariables: z.array(z.union([...known, unknown])).nullish(),
  });
}

function toJsonSchema(source: z.ZodType) {
  return z.toJSONSchema(source, { io: "input" });
}
