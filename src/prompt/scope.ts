import { ActiveEditorOptions, narrowEditor, renderActiveEditor } from "../context/active-editor.ts";
import type { Context } from "../context/context.ts";
import { type KnowledgeBase, referencesOf } from "../context/knowledge-base.ts";
import {
  type VariableKind,
  type VariableName,
  variableNames,
  variables,
} from "../context/variables.ts";
import { withText } from "./readable.ts";

/** How much of the context goes into a prompt; everything, where a field says Infinity. */
export interface Cut {
  /** Package files that stay, from the first. */
  packageFiles: number;
  /** Knowledge references that stay, from the best. */
  references: number;
  /** Earlier messages that stay, from the latest. */
  history: number;
  /** Lines that stay on each side of the selection. */
  around: number;
}

export const noCut: Cut = {
  packageFiles: Number.POSITIVE_INFINITY,
  references: Number.POSITIVE_INFINITY,
  history: Number.POSITIVE_INFINITY,
  around: Number.POSITIVE_INFINITY,
};

/**
 * What templates see: each variable under its name, printing as its kind renders it, with its
 * fields reachable. Unknown variables come as they are.
 *
 * @param used the top-level names that the templates read
 * @param options the resolver options of each variable, as the definition gives them
 */
export function createScope(
  context: Context,
  used: ReadonlySet<string>,
  options: ReadonlyMap<string, unknown>,
  cut: Cut,
): object {
  const scope: Record<string, unknown> = Object.create(null);
  for (const [name, value] of context.others) scope[name] = value;
  for (const [name, value] of context.found ?? []) scope[name] = value;
  for (const name of variableNames) {
    if (used.has(name) && context[name] !== undefined)
      scope[name] = readable(name, context, options.get(name), cut);
  }
  return scope;
}

function readable(name: VariableName, context: Context, options: unknown, cut: Cut): unknown {
  const value = cutValue(name, context, cut);
  if (typeof value !== "object") return value;
  if (name === "activeEditor") {
    const editor = context.activeEditor ?? {};
    return withText(value, () => renderActiveEditor(editor, readOptions(options), cut.around));
  }
  // Each kind renders what its own schema accepted.
  const kind = variables[name] as VariableKind;
  return withText(value, () => kind.render(value, options));
}

/** Options of a wrong type are the lint's business; an answer without them beats none. */
function readOptions(options: unknown): ActiveEditorOptions {
  return ActiveEditorOptions.safeParse(options).data ?? {};
}

function cutValue(name: VariableName, context: Context, cut: Cut): string | object {
  const { activeEditor, knowledgeBase, packageFiles } = context;
  if (name === "packageFiles" && packageFiles !== undefined && Number.isFinite(cut.packageFiles)) {
    return packageFiles.slice(0, cut.packageFiles);
  }
  if (name === "knowledgeBase" && knowledgeBase !== undefined && Number.isFinite(cut.references)) {
    return keepBest(knowledgeBase, cut.references);
  }
  if (name === "activeEditor" && activeEditor !== undefined && Number.isFinite(cut.around)) {
    return narrowEditor(activeEditor, cut.around);
  }
  return context[name] ?? "";
}

function keepBest(bases: KnowledgeBase, count: number): KnowledgeBase {
  const best = new Set(referencesOf(bases).slice(0, count));
  return bases.map((base) => ({
    ...base,
    references: base.references?.filter((reference) => best.has(reference)),
  }));
}
