// A plugin whose IDE hands out files and writes them; nothing here may come from node:.
import { hashOf } from "./tool-workspace.ts";
import type { Script } from "../../src/testing.ts";
import { toolCall, unit } from "./loop-app.ts";
import { type Frame, isLast, type PluginClient } from "./plugin-client.ts";

export const root = "C:\\code\\shop";
export const shop = {
  "shop/cart.py": "def total(items):\n    return sum(item.price for item in items)\n",
  "shop/item.py": "class Item:\n    price = 0\n",
};
export const fileServices = ["/read_file", "/list_files", "/write_file"];

export const request = {
  request_id: 123,
  cmd: "exec_code",
  msg: "Rename `total` to `sum_up`, and add a note.",
  model: "",
};

const look = toolCall("read_file", { target_file: "shop/cart.py", explanation: "Look." });
export const rename = toolCall("edit_file", {
  target_file: "shop/cart.py",
  instructions: "Rename it.",
  code_edit: unit("def total(items):", "def sum_up(items):"),
});
export const addNote = toolCall("edit_file", {
  target_file: "NOTES.md",
  instructions: "Add a note.",
  code_edit: "`total` is `sum_up` now.\n",
});
export const finish = (response = "`total` is `sum_up` now."): Script => [
  toolCall("finish", { response }),
];

/** A run that changes a file and adds one. */
export const script: readonly Script[] = [
  ["I look at ", "it:\n\n```py\ntotal()\n```\n", look],
  [rename, addNote],
  finish(),
];

export interface ProjectIde {
  /** By the paths of the system. */
  texts: Map<string, string>;
  answer(path: string, params: Frame): Promise<Frame>;
}

/** @param refuses why the person does not want a file written, by its path */
export function createProjectIde(
  files: Readonly<Record<string, string>> = shop,
  refuses: Readonly<Record<string, string>> = {},
): ProjectIde {
  const own = Object.entries(files).map(([path, text]): [string, string] => [inRoot(path), text]);
  const texts = new Map(own);
  return {
    texts,
    async answer(path, params) {
      const { abspath, before_hash: before, text } = params;
      const name = String(abspath);
      const now = texts.get(name);
      if (path === "/read_file") return now === undefined ? { result: null } : { result: now };
      const head = `${name}\\`;
      const below = [...texts.keys()].filter((other) => other.startsWith(head));
      if (path === "/list_files") return { result: below.map((one) => one.slice(head.length)) };
      const refusal = refuses[name];
      if (refusal !== undefined) return { error: refusal };
      const hash = now === undefined ? null : hashOf(now);
      if (path !== "/write_file" || hash !== before) return { error: "The file has changed." };
      if (typeof text === "string") texts.set(name, text);
      else texts.delete(name);
      return { result: true };
    },
  };
}

export function inRoot(path: string): string {
  return `${root}\\${path.replaceAll("/", "\\")}`;
}

/** Sends a request, and answers what is asked back. @returns all messages of both sides, in their order */
export async function converse(
  client: Pick<PluginClient, "send" | "next">,
  asked: Frame,
  ide: Pick<ProjectIde, "answer">,
): Promise<{ said: string[]; frames: Frame[]; questions: Frame[] }> {
  const said = [`> ${JSON.stringify(asked)}`];
  const [frames, questions]: Frame[][] = [[], []];
  client.send(asked);
  for (;;) {
    const frame = await client.next();
    said.push(`< ${JSON.stringify(frame)}`);
    const { ide_request_id: id, path, params } = frame;
    if (id === undefined) {
      frames?.push(frame);
      if (isLast(frame)) return { said, frames: frames ?? [], questions: questions ?? [] };
      continue;
    }
    questions?.push({ path, params });
    const reply = { ide_request_id: id, ...(await ide.answer(String(path), params as Frame)) };
    said.push(`> ${JSON.stringify(reply)}`);
    client.send(reply);
  }
}
