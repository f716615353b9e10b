import { type Script, type ScriptedModel, scriptedModel } from "../../src/testing.ts";
import type { CodingTask } from "./coding-task.ts";

/** A model that makes the recorded calls of a task, one in each answer, whatever they come to. */
export function recordedModel({ calls }: Pick<CodingTask, "calls">): ScriptedModel {
  const scripts = calls.map(({ tool, params }, nth): Script => {
    const call = { id: `call_${nth + 1}`, name: tool, arguments: JSON.stringify(params) };
    return [{ type: "tool-call", call }];
  });
  return scriptedModel(scripts, { name: "recorded" });
}
