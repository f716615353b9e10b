import type { MakeExample } from "../../prompt/worked-example.ts";
import { type OwnCommand, aboutCode, later, selectedCode } from "../flow.ts";

export const fix: OwnCommand = {
  name: "fix",
  description: {
    en: "Find the faults in the selected code and repair them",
    zh: "找出选中代码中的错误并修复",
  },
  ...aboutCode,
  writesCode: true,
  clickWords: { fix: { en: "Fix ", zh: "修复 " } },
  button: {
    en: {
      title: "Fix",
      message: "Look for the mistakes in this code and repair them",
      prompt: "Fix this code.",
    },
    zh: { title: "修复", message: "找出这段代码中的错误并修复", prompt: "修复这段代码。" },
  },
  plugin: { cmd: "exec_fix", needs: selectedCode, isEdit: true },
  flow: later(async () => {
    const { editCommand } = await import("../edit/edit-command.ts");
    return editCommand(() => ({ example: exampleOfFix }));
  }),
};

/** A loop that ends too early, and the right one. */
export const exampleOfFix: MakeExample = ({ code, loop: [right, wrong] }) => ({
  code: code.replace(right, () => wrong),
  search: wrong,
  replace: right,
});
