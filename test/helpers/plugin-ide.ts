// A plugin whose IDE answers what the agent asks back; nothing here may come from node:.
import { textOfMessage } from "../../src/turn/chat-message.ts";
import { createTestApp } from "./create-test-app.ts";
import { createManualTimers } from "./manual-timers.ts";
import type { Frame, PluginClient } from "./plugin-client.ts";
import { requests, selectedRange } from "./plugin-requests.ts";

export const cases = JSON.stringify({
  test_cases: [{ description: "adds two prices", category: "happy path" }],
});
const all = [
  "/get_document_symbols",
  "/find_def_locations",
  "/find_type_def_locations",
  "/read_file",
];
const itemFile = "class Item:\n    price: int = 0  # ITEM_MARK\n\n\nclass Other:\n    pass\n";
export const recommend = {
  ...requests.exec_unittest_recommend,
  func_symbols: [],
  ide_services: all,
  root: "C:\\code\\shop\\",
};
export const symbols = [
  {
    name: "total",
    kind: "com.example.psi.PyFunctionImpl",
    range: selectedRange,
    children: [
      {
        name: "item",
        kind: "?",
        range: { start: { line: 5, character: 8 }, end: { line: 5, character: 12 } },
        children: [],
      },
    ],
  },
];
export const itemPlace = {
  abspath: "C:\\code\\shop\\item.py",
  range: { start: { line: 0, character: 0 }, end: { line: 1, character: 18 } },
};

export type Answer = (path: string, params: Frame) => Frame | undefined;

export const willing: Answer = (path) => {
  if (path === "/get_document_symbols") return { result: symbols };
  if (path === "/find_def_locations") return { error: "No provider" };
  if (path === "/find_type_def_locations") return { result: [itemPlace] };
  return { result: itemFile };
};

/** Answers what the agent asks until the answer to the request has come. */
export async function askWith(client: PluginClient, request: Frame, answer: Answer) {
  const asked: Frame[] = [];
  client.send(request);
  for (;;) {
    const frame = await client.next();
    if (frame["ide_request_id"] === undefined) return { asked, last: frame };
    asked.push({ path: frame["path"], params: frame["params"] });
    const reply = answer(String(frame["path"]), frame["params"] as Frame);
    if (reply !== undefined) client.send({ ide_request_id: frame["ide_request_id"], ...reply });
  }
}

export function createIdeApp(timers = createManualTimers()) {
  const { app, model } = createTestApp({ models: [[cases], ["tests"], [cases]], timers });
  const promptOf = (nth: number): string =>
    (model.requests[nth]?.messages ?? []).map(textOfMessage).join("\n");
  return { app, promptOf, timers };
}
