// The example messages of the plugin document, as they stand there; on Node and in workerd.
import { expect, test } from "vitest";
import { createModelTable } from "../../../src/model/model-table.ts";
import { scriptedModel } from "../../../src/testing.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { connect } from "../../helpers/plugin-client.ts";

const context = `{
    "filepath": "example\\\\\\\\game.py",
    "range": {
        "start": { "line": 33, "character": 0},
        "end" : { "line": 45, "character": 41}
    },
    "text": "..."
}`;
const place = `{
    "start": { "line": 33, "character": 0},
    "end" : { "line": 45, "character": 41}
}`;

/** Without the comments, with its text_context put in, and the commas that it forgot. */
const messages: Record<string, string> = {
  "2.2": `{ "request_id": 123, "cmd" : "list_model" }`,
  "2.3": `{ "cmd" : "exec_explain", "request_id" : 123, "language" : "en", "selected_text": ${context}, "visible_text" : ${context}, "model" : "local deepseek-r1:32b", "stream" : false }`,
  "2.4": `{ "cmd" : "exec_docstring", "request_id" : 123, "language" : "en", "selected_text": ${context}, "model" : "local deepseek-r1:32b", "stream" : false }`,
  "2.5": `{ "cmd" : "exec_optimize", "request_id" : 123, "language" : "en", "selected_text": "", "model" : "local deepseek-r1:32b", "stream" : false }`,
  "2.6": `{ "cmd" : "exec_fix", "request_id" : 123, "language" : "en", "selected_text": "", "model" : "local deepseek-r1:32b", "stream" : false }`,
  "2.7, recommend": `{ "cmd" : "exec_unittest_recommend", "request_id": 123, "language" : "en",
    "user_prompt" : "", "file_content" : "...", "filepath" : "\\\\example\\\\game.py", "func_name" : "next_turn",
    "func_location": ${place},
    "func_symbols": [ { "name": "next_turn", "kind": "Function", "range": ${place}, "children": [
      { "name": "WIDTH", "kind": "Constant", "range": ${place}, "children": [] } ] } ],
    "model" : "local deepseek-r1:32b", "stream" : false }`,
  "2.7, code": `{ "cmd" : "exec_unittest_code", "request_id" : 123, "language" : "en", "test_cases_str": "",
    "function_name" : "", "user_prompt" : "", "file_path" : "./src/test.py", "relevant_content" : "", "reference_content": "", "stream": false }`,
  "2.8": `{ "cmd" : "exec_chat", "request_id": 123, "msg" : "", "model" : "local deepseek-r1:32b", "stream" : false }`,
};

test.each(Object.entries(messages))(
  "section %s is answered without an error",
  async (_, message) => {
    const model = scriptedModel([["1. happy path: a"], ["1. happy path: a"]]);
    const modelTable = createModelTable([{ name: "local deepseek-R1:32b", model }]);
    const { app } = createTestApp({ modelTable });
    const client = await connect(app);
    client.send(message);
    const frame = await client.next();
    expect(frame).toMatchObject({ request_id: 123 });
    expect(frame).not.toHaveProperty("error");
    expect("models" in frame || typeof frame["msg"] === "string").toBe(true);
    expect(frame).not.toHaveProperty("stream_finsh");
  },
);
