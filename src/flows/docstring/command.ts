import { type OwnCommand, aboutCode, later, selectedCode } from "../flow.ts";

export const docstring: OwnCommand = {
  name: "docstring",
  description: {
    en: "Write the doc comment of the code at the cursor",
    zh: "为光标处的代码编写文档注释",
  },
  ...aboutCode,
  writesCode: true,
  clickWords: { docstring: { en: "Document ", zh: "编写文档注释：" } },
  plugin: { cmd: "exec_docstring", needs: selectedCode, isEdit: true },
  flow: later(async () => (await import("./docstring.ts")).docstring),
};
