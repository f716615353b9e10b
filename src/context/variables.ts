import type * as z from "zod";
import { ActiveEditor, ActiveEditorOptions, renderActiveEditor } from "./active-editor.ts";
import { GlobalPrompts, renderGlobalPrompts } from "./global-prompts.ts";
import {
  KnowledgeBase,
  KnowledgeBaseOptions,
  referencesOf,
  renderKnowledgeBase,
} from "./knowledge-base.ts";
import { PackageFiles, PackageFilesOptions, renderPackageFiles } from "./package-files.ts";
import { UserInfo, renderUserInfo } from "./user-info.ts";
import { estimateTokens } from "./tokens.ts";
import { UserInputPrompt } from "./user-input-prompt.ts";
import { Vcs, cleanVcs, renderVcs } from "./vcs.ts";

/** What every kind of context variable knows about itself. */
export interface VariableKind<Value = unknown, Options = unknown> {
  schema: z.ZodType<Value>;
  /** Absent where the platform document gives the variable no resolver options. */
  options?: z.ZodType<Options>;
  /** Takes out what must travel no further; absent where nothing can stand in the value. */
  clean?(value: Value): Value;
  /** Prints the value for a model; what `{{ name }}` stands for in a template. */
  render(value: Value, options: Options): string;
  /** What the whole value would cost in a prompt, in estimated tokens. */
  cost(value: Value): number;
}

const define = <Value, Options>(kind: VariableKind<Value, Options>): VariableKind<Value, Options> =>
  kind;

/** Every context variable that the platform documents (platform document, ContextVariable). */
export const variables = {
  userInputPrompt: define({
    schema: UserInputPrompt,
    render: (text) => text,
    cost: estimateTokens,
  }),
  userInfo: define({
    schema: UserInfo,
    render: renderUserInfo,
    cost: (user) => estimateTokens(renderUserInfo(user)),
  }),
  vcs: define({
    schema: Vcs,
    clean: cleanVcs,
    render: renderVcs,
    cost: (vcs) => estimateTokens(renderVcs(vcs)),
  }),
  knowledgeBase: define({
    schema: KnowledgeBase,
    options: KnowledgeBaseOptions,
    render: renderKnowledgeBase,
    cost: (bases) => sum(referencesOf(bases).map((reference) => estimateTokens(reference.chunk))),
  }),
  activeEditor: define({
    schema: ActiveEditor,
    options: ActiveEditorOptions,
    render: renderActiveEditor,
    cost: (editor) => estimateTokens(editor.content ?? ""),
  }),
  globalPrompts: define({
    schema: GlobalPrompts,
    render: renderGlobalPrompts,
    cost: (prompts) => sum(prompts.map((prompt) => estimateTokens(prompt.content))),
  }),
  packageFiles: define({
    schema: PackageFiles,
    options: PackageFilesOptions,
    render: renderPackageFiles,
    cost: (files) => sum(files.map((file) => estimateTokens(file.content))),
  }),
};

export type VariableName = keyof typeof variables;

export const variableNames = Object.keys(variables) as VariableName[];

export function isVariableName(name: string): name is VariableName {
  return Object.hasOwn(variables, name);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
