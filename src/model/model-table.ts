import type { ChatModel } from "../turn/chat-model.ts";

/** The models that a turn can be answered by, in the order in which a default is looked for. */
export interface ModelTable {
  /**
   * Finds who answers: the first of the wanted names that the table has, else whoever serves any
   * name (a default that does, or the `*` row), else the default.
   *
   * @param wanted what definition and request name, the strongest first
   */
  resolve(wanted: readonly (string | null | undefined)[]): {
    model: ChatModel;
    modelId: string | undefined;
  };
  /** The names, the default first. */
  names: readonly string[];
}

export interface NamedModel {
  /** `*` answers for every name that no other row has. */
  name: string;
  model: ChatModel;
  /** It serves models of its own under names that we do not know. */
  takesAnyName?: boolean;
}

/** @param models at least one; the first is the default */
export function createModelTable(models: readonly [NamedModel, ...NamedModel[]]): ModelTable {
  const byName = new Map(models.map(({ name, model }) => [name, model]));
  const wildcard = byName.get("*");
  const [first] = models;
  return {
    names: models.map(({ name }) => name),
    resolve(wanted) {
      let modelId: string | undefined;
      for (const name of wanted) {
        if (typeof name !== "string" || name === "" || name === "*") continue;
        const model = byName.get(name);
        if (model !== undefined) return { model, modelId: undefined };
        modelId ??= name;
      }
      const servesAny = first.takesAnyName ? first.model : wildcard;
      if (modelId === undefined || servesAny === undefined) {
        return { model: first.model, modelId: undefined };
      }
      return { model: servesAny, modelId };
    },
  };
}
