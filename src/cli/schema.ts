import * as z from "zod";
import { ContextVariable } from "../turn/context/context.ts";
import { variableNames, variables } from "../turn/context/variables.ts";
import { ActionFeedback, CopilotRequest } from "../doors/copilot/schema.ts";
import { AgentDefinition, CollectedVariable, CommandDefinition } from "../turn/agent-definition.ts";
import { CliError } from "./cli-error.ts";
import { type SchemaNode, describeFields } from "./schema/describe-fields.ts";
import { fieldDescriptions } from "./schema/field-descriptions.ts";

/**
 * `rightseat schema`: prints JSON Schemas, for editors and for whoever writes a client.
 *
 * @returns the exit code
 * @throws CliError if there is no such part
 */
export function runSchema(part: string | undefined): number {
  process.stdout.write(`${JSON.stringify(findSchema(part), null, 2)}\n`);
  return 0;
}

/**
 * The JSON Schemas of what comes in. A context variable that we know must have that variable's
 * value and options; others may have any.
 */
export function createSchemas() {
  const definition = toJsonSchema(describedDefinition());
  const request = toJsonSchema(describedRequest());
  // What zod prints are objects at every depth; the dialect would also allow true and false.
  describeFields(definition as SchemaNode, "agentDefinition", fieldDescriptions);
  describeFields(request as SchemaNode, "request", fieldDescriptions);
  return { definition, request };
}

function findSchema(part: string | undefined): unknown {
  const schemas = createSchemas();
  if (part === undefined) return schemas;
  if (part === "definition" || part === "request") return schemas[part];
  throw new CliError(
    `There is no schema ${JSON.stringify(part)}. There are: ${Object.keys(schemas).join(", ")}.`,
  );
}

/** Without the exclusion every wrong value of a known variable would pass as one of an unknown one. */
// oxlint-disable-next-line patterns/no-built-pattern -- of our own names.
const unknownName = z.string().regex(new RegExp(`^(?!(?:${variableNames.join("|")})$)`));

function describedDefinition() {
  const known = variableNames.map((name) => {
    const options = { ...variables[name] }.options?.nullish() ?? z.unknown().optional();
    return CollectedVariable.extend({
      name: z.literal(name),
      resolverOptions: options,
      resolveOptions: options,
    });
  });
  const unknown = CollectedVariable.extend({ name: unknownName });
  const strategy = z.looseObject({
    type: z.string().nullish(),
    contextVariables: z.array(z.union([...known, unknown])).nullish(),
  });
  const command = CommandDefinition.extend({
    contextVariableCollectionStrategy: strategy.nullish(),
  });
  return AgentDefinition.extend({ commands: z.array(command).nullish() });
}

function describedRequest() {
  const known = variableNames.map((name) =>
    ContextVariable.extend({ name: z.literal(name), value: variables[name].schema.nullish() }),
  );
  const unknown = ContextVariable.extend({ name: unknownName });
  return CopilotRequest.extend({
    ...ActionFeedback.partial().shape,
    agentDefinition: describedDefinition().nullish(),
    contextVariables: z.array(z.union([...known, unknown])).nullish(),
  });
}

function toJsonSchema(source: z.ZodType) {
  return z.toJSONSchema(source, { io: "input" });
}
