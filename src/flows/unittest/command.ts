import { type OwnCommand, aboutCode, later } from "../flow.ts";

export const unittest: OwnCommand = {
  name: "unittest",
  description: {
    en: "Recommend unit tests for the selected code",
    zh: "为选中的代码推荐单元测试",
  },
  ...aboutCode,
  writesCode: true,
  clickWords: {
    cases: { en: "Recommend test cases for ", zh: "推荐测试用例：" },
    "more-cases": {
      en: "Recommend more test cases for ",
      zh: "推荐更多测试用例：",
      above: { en: "These are written already:", zh: "以下用例已经编写：" },
    },
  },
  button: {
    en: {
      title: "Write unit tests",
      message: "Write unit tests for this code",
      prompt: "Recommend unit tests for this code.",
    },
    zh: {
      title: "编写单元测试",
      message: "为这段代码编写单元测试",
      prompt: "为这段代码推荐单元测试。",
    },
  },
  plugin: {
    cmd: "exec_unittest_recommend",
    needs: [
      ["file_content"],
      ["filepath", "file_path"],
      ["func_name", "function_name"],
      ["func_location"],
      ["func_symbols"],
      ["model"],
    ],
  },
  flow: later(async () => (await import("./unittest.ts")).unittest),
};
