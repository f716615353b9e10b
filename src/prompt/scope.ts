import type { Steps } from "../edit/steps.ts";
import { ActiveEditorOptions } from "../context/active-editor.ts";
import { narrowEditor, printActiveEditor } from "../context/print-active-editor.ts";
import type { Context } from "../context/context.ts";
import {
  type KnowledgeBase,
  type KnowledgeReference,
  printReferences,
  sortReferences,
} from "../context/knowledge-base.ts";
import { TextLines } from "../context/text-lines.ts";
import {
  type VariableKind,
  type VariableName,
  variableNames,
  variables,
} from "../context/variables.ts";
import { noFocus, type PromptFacts } from "../turn/focus.ts";
import { printFacts } from "./print-facts.ts";
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

/** What the templates of a command read of the context. */
export interface Reading {
  /** The top-level names that they read. */
  used: ReadonlySet<string>;
  /** They read others, too, whose names they find while they render. */
  isDynamic: boolean;
  /** The resolver options of each variable, as the definition gives them. */
  options: ReadonlyMap<string, unknown>;
}

/**
 * Prepares a context for its templates: what is looked at in every rendering is looked through once.
 *
 * @param facts stand before variables of the same name that nobody documents
 * @returns makes what templates see under a cut: each variable under its name, printing as its kind prints
 *   it, with its fields reachable. Unknown variables come as they are.
 */
export function* prepareScopes(
  context: Context,
  reading: Reading,
  facts: PromptFacts = noFocus.facts,
): Steps<(cut: Cut) => object> {
  const { used, isDynamic, options } = reading;
  const { activeEditor, knowledgeBase, others } = context;
  const found = printFacts(facts);
  const names = isDynamic ? [...others.keys(), ...found.keys()] : [...used];
  const plain = names.filter((name) => others.has(name) || found.has(name));
  const best = used.has("knowledgeBase") ? yield* sortReferences(knowledgeBase ?? []) : [];
  const content = used.has("activeEditor") ? activeEditor?.content : undefined;
  const lines = yield* TextLines.scan(content ?? "");
  const readable = (name: VariableName, cut: Cut): unknown => {
    if (name === "activeEditor" && activeEditor !== undefined) {
      const { around } = cut;
      const isWhole = !Number.isFinite(around);
      return withText(isWhole ? activeEditor : narrowEditor(activeEditor, around, lines), () =>
        printActiveEditor(activeEditor, readOptions(options.get(name)), around, lines),
      );
    }
    if (name === "knowledgeBase" && knowledgeBase !== undefined) {
      const isWhole = !Number.isFinite(cut.references);
      const kept = isWhole ? best : best.slice(0, cut.references);
      const bases = isWhole ? knowledgeBase : keepOnly(knowledgeBase, new Set(kept));
      return withText(bases, () => printReferences(kept));
    }
    const value = cutValue(name, context, cut);
    if (typeof value !== "object") return value;
    // Each kind prints what its own schema accepted.
    const kind = variables[name] as VariableKind;
    return withText(value, () => kind.print(value, options.get(name)));
  };
  return (cut) => {
    const scope: Record<string, unknown> = Object.create(null);
    for (const name of plain) scope[name] = found.has(name) ? found.get(name) : others.get(name);
    for (const name of variableNames) {
      if (used.has(name) && context[name] !== undefined) scope[name] = readable(name, cut);
    }
    return scope;
  };
}

/** Options of a wrong type are the lint's business; an answer without them beats none. */
function readOptions(options: unknown): ActiveEditorOptions {
  return ActiveEditorOptions.safeParse(options).data ?? {};
}

function cutValue(name: VariableName, context: Context, cut: Cut): string | object {
  const { packageFiles } = context;
  if (name === "packageFiles" && packageFiles !== undefined && Number.isFinite(cut.packageFiles))
    return packageFiles.slice(0, cut.packageFiles);
  return context[name] ?? "";
}

function keepOnly(bases: KnowledgeBase, kept: ReadonlySet<KnowledgeReference>): KnowledgeBase {
  return bases.map((base) => ({
    ...base,
    references: base.references?.filter((reference) => kept.has(reference)),
  }));
}
