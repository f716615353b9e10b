// Requests as the plugin document writes them; nothing here may come from node:.
import type { Frame } from "./plugin-client.ts";

export const file = [
  "import os",
  "",
  "",
  "def total(items):",
  "    result = 0",
  "    for item in items:",
  "        result = result + item.price",
  "    return result",
  "",
].join("\n");

/** Lines 4 to 8, without the line break of the last one. */
export const selected = file.split("\n").slice(3, 8).join("\n");
export const selectedRange = {
  start: { line: 3, character: 0 },
  end: { line: 7, character: 17 },
};
const filepath = "shop\\cart.py";

const selectedText = { filepath, range: selectedRange, text: selected };
export const visibleText = {
  filepath,
  range: { start: { line: 0, character: 0 }, end: { line: 8, character: 0 } },
  text: file,
};

const base = { request_id: 123, model: "" };
const unittest = {
  filepath,
  file_content: file,
  func_name: "total",
  func_location: selectedRange,
  func_symbols: [
    {
      name: "total",
      kind: "Function",
      range: selectedRange,
      children: [
        {
          name: "result",
          kind: "Variable",
          range: { start: { line: 4, character: 4 }, end: { line: 4, character: 14 } },
          children: [],
        },
      ],
    },
  ],
};

/** One request of each command, without `stream` and `language`. */
export const requests = {
  list_model: { request_id: 123, cmd: "list_model" },
  exec_explain: {
    ...base,
    cmd: "exec_explain",
    selected_text: selectedText,
    visible_text: visibleText,
  },
  exec_docstring: { ...base, cmd: "exec_docstring", selected_text: selectedText },
  exec_optimize: { ...base, cmd: "exec_optimize", selected_text: selectedText },
  exec_fix: { ...base, cmd: "exec_fix", selected_text: selectedText },
  exec_unittest_recommend: { ...base, cmd: "exec_unittest_recommend", ...unittest },
  exec_unittest_code: {
    request_id: 123,
    cmd: "exec_unittest_code",
    test_cases_str: "1. happy path: adds two prices\n2. edge case: an empty list gives 0\n",
    function_name: "total",
    file_path: "./shop/cart.py",
    relevant_content: selected,
    reference_content: "def test_reference():\n    assert REFERENCE_MARK\n",
  },
  exec_chat: { ...base, cmd: "exec_chat", msg: "What is a cart?" },
} satisfies Record<string, Frame>;

/** An answer of a model that changes one line of {@link selected}. */
export function editOf(search: string, replace: string, path = "shop/cart.py"): string {
  return `<file-edit filePath="${path}">\n------- SEARCH\n${search}\n=======\n${replace}\n+++++++ REPLACE\n</file-edit>\n`;
}

/** The text of the first fenced block, without the line break before its end; undefined where there is none. */
export function firstBlock(msg: string): string | undefined {
  return /^(`{3,}|~{3,})[^\n]*\n([^]*?)\n\1[ \t]*$/m.exec(msg)?.[2];
}
