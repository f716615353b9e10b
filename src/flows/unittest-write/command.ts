import { type OwnCommand, aboutCode, later } from "../flow.ts";

export const unittestWrite: OwnCommand = {
  name: "unittest-write",
  description: { en: "Write the unit tests of chosen cases", zh: "为选定的用例编写单元测试" },
  ...aboutCode,
  writesCode: true,
  // What is to be written is below the sentence.
  clickWords: { tests: { en: "Write tests for ", zh: "编写测试：", isSilent: true } },
  plugin: {
    cmd: "exec_unittest_code",
    needs: [["test_cases_str"]],
    needsAlso: "a `task_id` or `relevant_content` with `file_path`, `function_name`",
  },
  flow: later(async () => (await import("./unittest-write.ts")).unittestWrite),
};
