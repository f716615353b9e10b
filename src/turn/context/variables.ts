import * as z from "zod";
import { ActiveEditor, ActiveEditorOptions } from "./active-editor.ts";
import {
  KnowledgeBase,
  KnowledgeBaseOptions,
  findUnreadBases,
  printKnowledgeBase,
} from "./knowledge-base.ts";
import { PackageFiles, PackageFilesOptions, printPackageFiles } from "./package-files.ts";
import { printActiveEditor } from "./print-active-editor.ts";
import { recoverRanges } from "./recover-ranges.ts";
import type { Fault } from "./repair-value.ts";
import { UserInfo, renderUserInfo } from "./user-info.ts";
import { estimateTokens } from "./tokens.ts";
import { Vcs, cleanVcs, renderVcs } from "./vcs.ts";

/** Rules that come before the person's question, in the order in which they are to be read. */
const GlobalPrompts = z.array(z.looseObject({ role: z.string().nullish(), content: z.string() }));

/** What the person typed, as they typed it. */
const UserInputPrompt = z.string();

/** What every kind of context variable knows about itself. */
export interface VariableKind<Value = unknown, Options = unknown> {
  schema: z.ZodType<Value>;
  /** Absent where the platform document gives the variable no resolver options. */
  options?: z.ZodType<Options>;
  /** Takes out what must travel no further, and puts in what can be told; absent where there is neither. */
  prepare?(value: Value): Value;
  /** Finds what a value brings that nobody reads, of values that fit and of others; absent: by its schema. */
  findUnread?(value: unknown): Fault[];
  /** Prints the value for a model; what `{{ name }}` stands for in a template. */
  print(value: Value, options: Options): string;
  /** What the whole value would cost in a prompt, in estimated tokens. */
  cost(value: Value): number;
}

const define = <Value, Options>(kind: VariableKind<Value, Options>): VariableKind<Value, Options> =>
  kind;

/** Every context variable that the platform documents (platform document, ContextVariable). */
export const variables = {
  userInputPrompt: define({
    schema: UserInputPrompt,
    print: (text) => text,
    cost: estimateTokens,
  }),
  userInfo: define({
    schema: UserInfo,
    print: renderUserInfo,
    cost: (user) => estimateTokens(renderUserInfo(user)),
  }),
  vcs: define({
    schema: Vcs,
    prepare: cleanVcs,
    print: renderVcs,
    cost: (vcs) => estimateTokens(renderVcs(vcs)),
  }),
  knowledgeBase: define({
    schema: KnowledgeBase,
    options: KnowledgeBaseOptions,
    findUnread: (value) => (Array.isArray(value) ? findUnreadBases(value) : []),
    print: printKnowledgeBase,
    cost: (bases) =>
      sum(bases, ({ references }) => sum(references ?? [], ({ chunk }) => estimateTokens(chunk))),
  }),
  activeEditor: define({
    schema: ActiveEditor,
    options: ActiveEditorOptions,
    prepare: recoverRanges,
    print: printActiveEditor,
    cost: (editor) => estimateTokens(editor.content ?? ""),
  }),
  globalPrompts: define({
    schema: GlobalPrompts,
    print: (prompts) => prompts.map(({ content }) => content).join("\n\n"),
    cost: (prompts) => sum(prompts, ({ content }) => estimateTokens(content)),
  }),
  packageFiles: define({
    schema: PackageFiles,
    options: PackageFilesOptions,
    print: printPackageFiles,
    cost: (files) => sum(files, ({ content }) => estimateTokens(content)),
  }),
};

export type VariableName = keyof typeof variables;

export const variableNames = Object.keys(variables) as VariableName[];

export function isVariableName(name: string): name is VariableName {
  return Object.hasOwn(variables, name);
}

function sum<Item>(items: readonly Item[], costOf: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += costOf(item);
  return total;
}
