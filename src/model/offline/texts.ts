import type { LineRange } from "../../edit/edit-unit.ts";
import type { Locale } from "../../base/errors/locale.ts";
import type { CodeBranch, SymbolKind } from "../../code/code-analysis.ts";

export type OfflineTexts = ReturnType<typeof offlineTexts>;

const zhKinds: Record<SymbolKind | CodeBranch["kind"], string> = {
  function: "函数",
  method: "方法",
  constructor: "构造函数",
  class: "类",
  interface: "接口",
  struct: "结构体",
  trait: "特征",
  enum: "枚举",
  type: "类型",
  module: "模块",
  variable: "变量",
  property: "属性",
  if: "条件",
  else: "否则",
  case: "情形",
  loop: "循环",
  catch: "异常捕获",
  throw: "抛出",
  return: "返回",
  ternary: "三元",
  logical: "逻辑",
  guard: "提前退出",
};

/** What the offline model says, in Markdown. Names, paths and quotes come ready to print. */
export function offlineTexts(locale: Locale) {
  const isZh = locale === "zh";
  const say = (en: string, zh: string): string => (isZh ? zh : en);
  const lines = (first: number, last: number): string =>
    first >= last
      ? say(`line ${first}`, `第 ${first} 行`)
      : say(`lines ${first} to ${last}`, `第 ${first} 至 ${last} 行`);
  return {
    /** One line: what answers here, what it can do, and how to get a real model. */
    notice: say(
      "> This is the built-in offline model. It goes by rules: it lists what can be read off code, repairs a few known " +
        "faults, and writes the skeletons of tests and doc comments, but it does not understand what code is for. For a " +
        "real model, set `OPENAI_API_KEY` (with `OPENAI_BASE_URL` for a server of your choice), or put a `models` table " +
        "into `rightseat.json`, or set `COPILOT_SERVER_ENDPOINT`.",
      "> 这是内置的离线模型，按规则工作：它列出能从代码中直接读到的内容，修复少数几种已知错误，并生成测试和文档注释的骨架，" +
        "但不理解代码的用途。要使用真正的模型，请设置 `OPENAI_API_KEY`（如需其他服务器，再设置 `OPENAI_BASE_URL`），" +
        "或在 `rightseat.json` 中添加 `models` 表，或设置 `COPILOT_SERVER_ENDPOINT`。",
    ),
    nothingOpen: say(
      "No file is open and no code is selected. Open a file, or select the code that you mean, and ask again. " +
        "Questions without code need a real model.",
      "没有打开文件，也没有选中代码。请打开文件或选中相关代码，然后再试。不涉及代码的问题需要真正的模型。",
    ),
    noCode: (path: string) =>
      say(
        `**${path}**: there is no code in it. Open a file with code, or select the code that you mean, and ask again.`,
        `**${path}**：其中没有代码。请打开有代码的文件或选中相关代码，然后再试。`,
      ),
    freeQuestion: say(
      "Free questions need a real model; this is what the code shows.",
      "自由提问需要真正的模型；以下是能从代码中直接读到的内容。",
    ),
    passages: say(
      "**From the knowledge base**, the best passages first:",
      "**知识库中最相关的段落：**",
    ),
    unnamed: say("An unnamed text", "未命名文本"),
    more: (left: number) => say(`and ${left} more`, `另有 ${left} 项`),

    /** Which code this is: lines `first..last` of a file. */
    place: (path: string, id: string, first: number, last: number) =>
      say(
        `**${path}**${id && ` (${id})`}, ${lines(first, last)}.`,
        `**${path}**${id && `（${id}）`}，${lines(first, last)}。`,
      ),
    counts: (all: number, blank: number) =>
      say(
        `${all} line${all === 1 ? "" : "s"}, of which ${blank} blank.`,
        `共 ${all} 行，其中空行 ${blank} 行。`,
      ),
    symbol: (kind: SymbolKind, name: string, at: LineRange, above: number) => {
      const place = lines(at.startLine + above, at.endLine + above);
      return say(`${kind} ${name}, ${place}`, `${zhKinds[kind]} ${name}，${place}`);
    },
    inside: (symbol: string) => say(`**Part of** ${symbol}.`, `**所属**：${symbol}。`),
    outline: say("**Declarations:**", "**声明**："),
    plainOutline: say(
      "**Declarations**, as far as their first lines show them:",
      "**声明**（根据声明的首行识别）：",
    ),
    noOutline: say(
      "No line looks like the declaration of a function or a type.",
      "没有哪一行看起来是函数或类型的声明。",
    ),
    entry: (symbol: string, signature: string, doc: string) =>
      say(
        `${symbol}: ${signature}${doc && `, documented as ${doc}`}`,
        `${symbol}：${signature}${doc && `，文档注释：${doc}`}`,
      ),
    branches: say("**Branches and exits:**", "**分支与出口**："),
    branch: (kind: CodeBranch["kind"], text: string, line: number) =>
      `${lines(line, line)}${say(": ", "：")}${isZh ? zhKinds[kind] : kind}${text && ` ${text}`}`,
    imports: say("**Imports:**", "**导入：**"),

    faults: say("**Faults:**", "**错误：**"),
    fault: (line: number, says: Readonly<Record<Locale, string>>) =>
      say(`Line ${line}: ${says.en}`, `第 ${line} 行：${says.zh}`),
    /** Behind a fault that is not repaired. */
    faultLeft: say(
      "Not repaired: these lines look like others, or too much would change at once.",
      "未修复：这几行与其他位置相同，无法区分，或一次改动过多。",
    ),
    noFault: say(
      "None of the rules of the offline model applies here. Other faults were not looked for.",
      "离线模型的规则在这里都不适用。没有查找其他错误。",
    ),
    noOptimization: say(
      "Nothing was measured. What would help, only a real model can say.",
      "没有进行任何测量，此模型也无法判断怎样改进。请使用真正的模型。",
    ),

    caseUsual: (name: string, parameters: readonly string[]) =>
      say(
        `${name}${parameters.length === 0 ? "" : ` with usual values of ${parameters.join(", ")}`} gives the expected result`,
        `${name}${parameters.length === 0 ? "" : `（${parameters.join("、")} 取常规值）`}返回预期结果`,
      ),
    caseBranch: (kind: CodeBranch["kind"], text: string, line: number) =>
      say(
        `line ${line}: the ${kind} branch \`${text}\` is taken`,
        `第 ${line} 行：进入${zhKinds[kind]}分支 \`${text}\``,
      ),
    caseParameter: (name: string) =>
      say(`${name} is empty, missing or at its limit`, `${name} 为空、缺失或取边界值`),
    caseNone: (name: string) =>
      say(
        `the code shows no further case of ${name}; put one of your own here`,
        `从代码中看不出 ${name} 的更多用例，请在此填写自己的用例`,
      ),
    codeOfLines: (first: number, last: number) =>
      say(`the code of ${lines(first, last)}`, `${lines(first, last)}的代码`),
    /** In comments of test skeletons, without Markdown. */
    todoCheck: (name: string) =>
      say(`TODO: use ${name} and check what it gives.`, `TODO：使用 ${name} 并检查结果。`),
    skeletonNote: say(
      "A skeleton: what each test has to check is left to you.",
      "这只是骨架：每个测试要检查什么，由你填写。",
    ),

    docSummary: (name: string) =>
      say(`TODO: say what ${name} does.`, `TODO：说明 ${name} 的作用。`),
    docGo: say("does TODO.", "的作用：TODO。"),
    docPresent: say("There is a doc comment already.", "这里已有文档注释。"),
    noDoc: say(
      "There is no declaration at this place for which this model can write a doc comment.",
      "这里没有此模型能添加文档注释的声明。",
    ),
  };
}
