import { type OwnCommand, aboutCode, later } from "../flow.ts";

export const explain: OwnCommand = {
  name: "explain",
  description: { en: "Explain the selected code", zh: "解释选中的代码" },
  ...aboutCode,
  clickWords: { explain: { en: "Explain ", zh: "解释 " } },
  plugin: {
    cmd: "exec_explain",
    needs: [["selected_text"], ["visible_text"], ["model"]],
  },
  flow: later(async () => (await import("./explain.ts")).explain),
};
