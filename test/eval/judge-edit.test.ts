// What the flows would not let pass: answers that are put together by hand.
import { expect, test } from "vitest";
import type { EvalCase } from "../../eval/eval-case.ts";
import { judgeEdit } from "../../eval/judge-edit.ts";
import type { Answer } from "../../eval/read-answer.ts";
import { isSound } from "../../eval/verdict.ts";
import { code, fileEdit } from "./scripted-eval.ts";

const asked: EvalCase = {
  command: "docstring",
  path: "src/half.py",
  content: "def half(value):\n    return value / 2\n",
};

/** An answer whose button carries an edit. */
function offering(prompt: string): Answer {
  const data = { title: "Apply", prompt };
  return {
    text: "",
    actions: [{ action: "confirm", data }],
    edits: [],
    finishReason: "stop",
    failure: undefined,
  };
}

function judge(edit: string, proposed = edit) {
  const prompt = `Show the whole file with this change\n\n\`\`\`diff\nfile -\n${edit}\n\`\`\``;
  return judgeEdit(asked, offering(prompt), [{ text: proposed }], code);
}

test("a doc comment that reaches the person and changes code is unsound", async () => {
  const verdict = await judge(
    fileEdit("src/half.py", "    return value / 2", '    """Half."""\n    return value // 2'),
  );
  expect(verdict).toMatchObject({ edit: "first", isSyntaxKept: true, isCodeSame: false });
  expect(isSound(verdict)).toBe(false);
});

test("a doc comment that reaches the person and changes none is sound", async () => {
  const verdict = await judge(
    fileEdit("src/half.py", "    return value / 2", '    """Half."""\n    return value / 2'),
  );
  expect(verdict).toMatchObject({ edit: "first", isSyntaxKept: true, isCodeSame: true });
});

test("a button that changes something else than the model has proposed is a failed turn", async () => {
  const edit = fileEdit("src/half.py", "    return value / 2", "    return value / 3");
  const verdict = await judge(edit, edit.replace("/ 3", "/ 4"));
  expect(verdict.failure).toMatch(/not the one that the model has proposed/);
});

test("a button whose change does not fit the file is a failed turn", async () => {
  const verdict = await judge(fileEdit("src/half.py", "    return 17", "    return 18"));
  expect(verdict.failure).toMatch(/does not fit/);
});

test("an edit that could be applied and is not offered counts as refused", async () => {
  const edit = fileEdit("src/half.py", "    return value / 2", "    return value / 3");
  const answer = { ...offering(""), actions: [] };
  const verdict = await judgeEdit(asked, answer, [{ text: edit }], code);
  expect(verdict).toMatchObject({
    edit: "refused",
    reasons: [expect.stringContaining("The flow")],
  });
});
