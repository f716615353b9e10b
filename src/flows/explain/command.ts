import { type OwnCommand, aboutCode, later } from "../flow.ts";

export const explain: OwnCommand = {
  name: "explain",
  description: { en: "Explain the selected code", zh: "解释选中的代码" },
  answers: "Explains the selection; without one, the function or type at the cursor; else the file",
  shows:
    "A tree of the file's symbols if all of it was explained; the knowledge tree; buttons **Fix** and **Write unit tests**",
  ...aboutCode,
  collects: aboutCode.collects.filter((name) => name !== "userInfo"),
  clickWords: { explain: { en: "Explain ", zh: "解释 " } },
  plugin: {
    cmd: "exec_explain",
    needs: [["selected_text"], ["visible_text"], ["model"]],
  },
  flow: later(async () => (await import("./explain.ts")).explain),
};
