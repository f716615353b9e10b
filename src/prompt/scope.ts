import {
  type ActiveEditor,
  ActiveEditorOptions,
  narrowEditor,
  printActiveEditor,
  printExcerpt,
  readSource,
} from "../turn/context/active-editor.ts";
import type { Context } from "../turn/context/context.ts";
import {
  type KnowledgeBase,
  type KnowledgeReference,
  type PackageFiles,
  PackageFilesOptions,
  type VariableKind,
  type VariableName,
  printReferences,
  referencesOf,
  variableNames,
  variables,
} from "../turn/context/variables.ts";
import { type PromptFacts, noFocus, textFacts } from "../turn/focus.ts";
import { type Excerpt, type FilePlan, chooseLines } from "./plan-file.ts";
import { withText } from "./render-budget.ts";

/** How much of the context goes into a prompt; everything, where a field is absent. */
export interface Cut {
  /** Package files that stay, from the first. */
  packageFiles?: number;
  /** Knowledge references that stay, from the best. */
  references?: number;
  /** Whether the rules of the project stay: 0 or more. */
  projectRules?: number;
  /** Earlier messages that stay, from the latest. */
  history?: number;
  /** Lines that stay on each side of the selection. */
  around?: number;
  /** Estimated tokens that the file may cost where a plan says what is shown of it. */
  file?: number;
}

export const noCut: Cut = {};

export interface Reading {
  used: ReadonlySet<string>;
  /** They read others, too, whose names they find while they render. */
  isDynamic: boolean;
  /** The resolver options of each variable, as the definition gives them. */
  options: ReadonlyMap<string, unknown>;
  /** What is shown of the editor's file; then its options say nothing. */
  file?: FilePlan | undefined;
}

/**
 * A context as the templates of one prompt see it, under one cut or another; what all cuts need is looked up once.
 *
 * @param given facts, which are before variables of the same name that nobody documents
 */
export function createScopes(
  context: Context,
  { used, isDynamic, options, file: plan }: Reading,
  given: PromptFacts = noFocus.facts,
) {
  const facts = printFacts(given);
  /** The references that the templates read, the best first. */
  let best: readonly KnowledgeReference[] | undefined;
  /** What was chosen last, and under which limit. */
  let chosen: { file: number | undefined; excerpt: Excerpt } | undefined;

  /** What the plan shows of the file under a cut; undefined without a plan, and where all of it is shown. */
  const excerptUnder = ({ file }: Cut): Excerpt | undefined => {
    const editor = context.activeEditor;
    if (plan === undefined || editor === undefined) return undefined;
    if (plan.isWhole && file === undefined) return undefined;
    if (chosen !== undefined && chosen.file === file) return chosen.excerpt;
    const { lines, first } = readSource(editor);
    const excerpt = chooseLines(plan, file ?? plan.maxTokens, lines, first);
    chosen = { file, excerpt };
    return excerpt;
  };
  const readFiles = ({ packageFiles: left = Infinity }: Cut): PackageFiles => {
    const files = context.packageFiles ?? [];
    const limit = PackageFilesOptions.safeParse(options.get("packageFiles")).data?.maximumNumber;
    const most = Math.min(left, limit ?? Infinity);
    return files.length > most ? files.slice(0, most) : files;
  };
  const readEditor = (editor: ActiveEditor, cut: Cut): ActiveEditor => {
    const { around } = cut;
    if (plan !== undefined)
      return withText(editor, () => printExcerpt(editor, excerptUnder(cut)?.ranges));
    const shown = around === undefined ? editor : narrowEditor(editor, around);
    // Options of a wrong type are the lint's business; an answer without them beats none.
    const ofEditor = ActiveEditorOptions.safeParse(options.get("activeEditor")).data;
    return withText(shown, () => printActiveEditor(editor, ofEditor, around));
  };
  const readKnowledge = (bases: KnowledgeBase, count: number | undefined): KnowledgeBase => {
    const all = (best ??= referencesOf(bases));
    if (count === undefined) return withText(bases, () => printReferences(all));
    const kept = all.slice(0, count);
    return withText(keepOnly(bases, new Set(kept)), () => printReferences(kept));
  };
  const read = (name: VariableName, cut: Cut): unknown => {
    const { activeEditor, knowledgeBase } = context;
    if (name === "activeEditor" && activeEditor !== undefined) return readEditor(activeEditor, cut);
    if (name === "knowledgeBase" && knowledgeBase !== undefined)
      return readKnowledge(knowledgeBase, cut.references);
    const value = name === "packageFiles" ? readFiles(cut) : (context[name] ?? "");
    if (typeof value !== "object") return value;
    // Each kind prints what its own schema accepted.
    const kind = variables[name] as VariableKind;
    return withText(value, () => kind.print(value, options.get(name)));
  };
  return {
    excerptUnder,
    /**
     * What the templates see: each variable under its name, printing as its kind prints it, with its fields
     * reachable. Unknown variables come as they are.
     */
    under(cut: Cut): object {
      const scope: Record<string, unknown> = Object.create(null);
      for (const found of [context.others, facts])
        for (const name of isDynamic ? found.keys() : used)
          if (found.has(name)) scope[name] = found.get(name);
      for (const name of variableNames) {
        const isCut = name === "projectRules" && cut.projectRules === 0;
        if (used.has(name) && context[name] !== undefined && !isCut) scope[name] = read(name, cut);
      }
      return scope;
    },
  };
}

function keepOnly(bases: KnowledgeBase, kept: ReadonlySet<KnowledgeReference>): KnowledgeBase {
  return bases.map((base) => ({
    ...base,
    references: base.references?.filter((reference) => kept.has(reference)),
  }));
}

const nothing: ReadonlyMap<string, string> = new Map();

/** Names under which templates find facts. */
export const factNames: ReadonlySet<string> = new Set([...textFacts, "cases"]);

/** What flows have found out, as templates see it: by the variable's name, without what is blank. */
function printFacts(facts: PromptFacts): ReadonlyMap<string, string> {
  // Most turns find nothing out.
  if (facts === noFocus.facts) return nothing;
  const { chosenCases = [], openCases, knownCases: _, ...texts } = facts;
  const cases =
    chosenCases.length === 0 ? openCases : chosenCases.map(({ line }) => line).join("\n");
  const printed: Record<string, string | undefined> = { ...texts, cases };
  const found = new Map<string, string>();
  for (const [name, text] of Object.entries(printed)) {
    if (text !== undefined && text !== "") found.set(name, text);
  }
  return found;
}
