import { CliError } from "../src/cli/cli-error.ts";
import type { ModelTable } from "../src/model/model-table.ts";
import type { ChatModel } from "../src/turn/chat-model.ts";

export interface ChosenModel {
  name: string;
  model: ChatModel;
  /** The id that is asked for, where the model serves several. */
  modelId: string | undefined;
}

/**
 * Finds a model by a name of the table, or by any name where a row serves all of them.
 *
 * @param name undefined for the default
 * @throws CliError listing the configured names
 */
export function chooseModel(table: ModelTable, name: string | undefined): ChosenModel {
  const { names } = table;
  const wanted = name ?? names[0] ?? "";
  const found = table.resolve([wanted]);
  const isListed = wanted !== "*" && names.includes(wanted);
  // The default row may be `*`, which has a model id of its own.
  if (name !== undefined && !isListed && found.modelId === undefined)
    throw new CliError(
      `Unknown model ${JSON.stringify(name)}. Configured are: ${names.join(", ")}.`,
    );
  return { name: wanted === "*" ? found.model.name : wanted, ...found };
}
