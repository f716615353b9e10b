import { CliError } from "../../cli-error.ts";
import type { Step } from "../find-steps.ts";
import { ideServices, servicesForFiles } from "../ide/answer-ide.ts";
import { type CollectedCode, requireFunction } from "./collect-code.ts";

export interface RequestSources {
  /** As the person named it. */
  command: string;
  language: string;
  /** "" leaves the choice to the agent. */
  model: string;
  stream: boolean;
  /** What the person asks, wishes or, for `exec_unittest_code`, wants tested. */
  prompt: string | undefined;
  code: CollectedCode | undefined;
  /** The folder of the project. */
  root: string;
  /** The agent may ask for writes. */
  writes: boolean;
}

/** Recommended cases, and the task that they belong to. */
export interface Recommended {
  cases: string;
  taskId: string | number | undefined;
}

/**
 * The request of one step, as the protocol writes it.
 *
 * @param recommended what the step before came to
 * @throws CliError when something that the step needs was not given
 */
export function buildRequest(
  { cmd, needs }: Step,
  id: number,
  sources: RequestSources,
  recommended?: Recommended,
): Record<string, unknown> {
  const { language, model, stream, prompt, root, writes } = sources;
  const head = { request_id: id, cmd };
  if (needs === "nothing") return head;
  const shared = { ...head, language, model, stream, queue_place: true };
  if (needs === "question") return { ...shared, msg: prompt };
  if (needs === "work")
    return { ...shared, ide_services: servicesForFiles(writes), root, msg: prompt };
  const asking = { ...shared, ide_services: ideServices, root };
  const wishes = prompt === undefined ? {} : { user_prompt: prompt };
  if (needs === "cases") return { ...asking, ...toTests(sources, recommended) };
  const code = requireCode(sources);
  if (needs === "function") return { ...asking, ...wishes, ...toFunction(code) };
  return { ...asking, ...wishes, selected_text: code.selected, visible_text: code.visible };
}

function requireCode({ code, command }: RequestSources): CollectedCode {
  if (code !== undefined) return code;
  throw new CliError(
    `ws ${command} needs code. Name a file, such as ws ${command} src/app.ts:10-20.`,
  );
}

function toFunction(code: CollectedCode): object {
  const { name, range, symbols } = requireFunction(code);
  return {
    file_content: code.content,
    filepath: code.filepath,
    func_name: name,
    func_location: range,
    func_symbols: symbols,
  };
}

/** The fields of the function go along, too: a server may have forgotten the task. */
function toTests(sources: RequestSources, recommended: Recommended | undefined): object {
  const { prompt, command } = sources;
  const code = requireCode(sources);
  const { name, range } = requireFunction(code);
  const fields = {
    function_name: name,
    func_location: range,
    file_path: code.filepath,
    relevant_content: code.content,
  };
  if (recommended === undefined) {
    if (prompt === undefined)
      throw new CliError(
        `ws ${command} needs test cases. Give them with --prompt TEXT, or pipe them in.`,
      );
    return { ...fields, test_cases_str: prompt };
  }
  const { cases, taskId } = recommended;
  return {
    ...fields,
    test_cases_str: cases,
    ...(prompt === undefined ? {} : { user_prompt: prompt }),
    ...(taskId === undefined ? {} : { task_id: taskId }),
  };
}
