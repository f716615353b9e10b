// The words by which models name what a test case consists of, and what is none, in English and Chinese.
import { oneLine } from "../../base/errors/names.ts";
import { trimEndSigns } from "../../base/text/lines.ts";
import type { TestCase } from "../../turn/focus.ts";

/** A case as it was written; its category may not be named. */
export interface FoundCase {
  description: string;
  category: string | undefined;
}

const fieldWords = {
  description: "description desc summary behaviour behavior 描述 用例描述 说明 测试描述",
  name: "name title test testcase testname testcasename case casename scenario testscenario what 名称 用例 用例名称 测试用例 测试场景 场景 标题 测试点 测试项",
  category:
    "category type kind group path casetype testtype class 类别 类型 分类 用例类型 测试类型",
  input: "input inputs given arguments args 输入 输入值 输入数据 参数",
  expected:
    "expected expect expectedoutput expectedresult expectedbehavior expectedbehaviour output outcome result then 期望 预期 预期结果 期望结果 预期输出 期望输出 输出 结果",
};
export type CaseField = keyof typeof fieldWords;
export type KnownFields = Partial<Record<CaseField, string>>;

const fields: ReadonlyMap<string, CaseField> = new Map(
  Object.entries(fieldWords).flatMap(([field, words]) =>
    words.split(" ").map((word) => [word, field as CaseField] as const),
  ),
);

/** What a key, or the head of a column, names; undefined for all others. */
export function caseFieldOf(key: string): CaseField | undefined {
  return fields.get(key.toLowerCase().replaceAll(/[\s_*`-]/g, ""));
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const happy = setOf(
  "happy normal positive basic typical usual standard main success successful regular common valid",
);
const edge = setOf(
  "edge edges border boundary corner error errors exception exceptions exceptional negative invalid failure failures unusual special limit limits",
);
const nouns = setOf(
  "path paths case cases scenario scenarios test tests input inputs flow flows handling condition conditions value values and",
);
const happyZh =
  /^(?:正常|常规|基本|基础|主要|成功|正向|正面|典型|快乐|理想)(?:路径|情况|用例|场景|流程|测试|输入)*$/;
const edgeZh =
  /^(?:边界|边缘|异常|错误|特殊|极端|负向|反向|负面|失败|临界)(?:路径|情况|用例|场景|流程|测试|输入|条件|值|处理)*$/;

/** `2.`, `二、`, `Part B:`, and signs. */
const numeral =
  /^[^\p{L}\p{N}]*(?:(?:(?:part|section|group|category|type|第)(?: ?(?:\d{1,3}|[a-z]))?|\d{1,3}|[一二三四五六七八九十]{1,3}|[ivx]{1,4}|[a-h])[部分类组]{0,2}[.)、．:：] ?)*/u;

function plainLabel(label: string): string {
  const plain = label
    .toLowerCase()
    .replaceAll(/[*_`#[\]【】"'-]+/g, " ")
    .replace(/\((?:[^()]*)\)|（[^（）]*）/, " ")
    .replaceAll(/\s+/g, " ")
    .replace(numeral, "");
  return trimEndSigns(plain, " :：.!");
}

/** In characters; a longer text names nothing. */
const maxLabel = 60;

/** One of our two categories, if the text is nothing but a name of one. */
export function categoryOf(label: string): string | undefined {
  if (label.length > maxLabel) return undefined;
  const plain = plainLabel(label);
  const words = plain.split(" ");
  const [first = ""] = words;
  const isLabel = words.slice(1).every((word) => nouns.has(word) || edge.has(word));
  if ((happy.has(first) && isLabel) || happyZh.test(plain)) return "happy path";
  return (edge.has(first) && isLabel) || edgeZh.test(plain) ? "edge case" : undefined;
}

const asides =
  "set ?up|preparations?|prerequisites?|preconditions?|environment|fixtures?|mock(?:s|ing)?|dependenc(?:y|ies)|imports?|questions?|clarifications?|assumptions?|notes?|remarks?|comments?|caveats?|hints?|tips?|limitations?|issues?|bugs?|problems?|faults?|defects?|flaws?|risks?|concerns?|observations?|findings?|why|reasons?|reasoning|rationale|explanations?|priority|purpose|next steps|out of scope|not (?:covered|tested|included)|left out|excluded|skipped|how to run|running|commands?";
const asidesZh =
  "准备(?:工作)?|前置条件|前提(?:条件)?|环境(?:准备)?|依赖|模拟|疑问|待确认|问题|假设|备注|注|说明|总结|小结|建议|注意(?:事项)?|提示|缺陷|风险|观察|发现|原因|理由|为什么|目的|优先级|不包含|未覆盖|不测试|后续步骤|下一步|运行方式";
const about = "(?:about|for|on|in|to|of|with|that|which|before|i|you|we)\\b";
// oxlint-disable-next-line patterns/no-built-pattern -- of the words above only.
const asidePattern = new RegExp(
  `^(?:\\p{L}+ ){0,3}?(?:${asides})(?: ${about}.*)?$|^.{0,8}?(?:${asidesZh})$`,
  "u",
);

/** Whether a heading, or the word before a colon, names something that is no case: setup, questions, faults, remarks. */
export function isAside(label: string): boolean {
  return label.length <= maxLabel && asidePattern.test(plainLabel(label)) && !categoryOf(label);
}

const unusual =
  /\b(?:throws?|raises?|errors?|exceptions?|invalid|empty|null|undefined|none|nil|nan|negative|zero|overflow|fails?|without|missing|rejects?|boundary|limit|border|largest|smallest)\b|抛|异常|错误|为空|空(?:的|列表|数组|字符串|值|输入)|负|零|无效|失败|边界|缺|超出|溢出/i;

/** The case as it is shown; where nothing names its category, its words do. */
export function toTestCase({ description, category }: FoundCase): TestCase | undefined {
  const text = oneLine(description.trim()).trim();
  if (text === "") return undefined;
  const named = category === undefined ? "" : oneLine(category.trim()).trim();
  const guess = unusual.test(text) ? "edge case" : "happy path";
  return { description: text, category: (categoryOf(named) ?? named) || guess };
}

/** One sentence of what is known of a case; "" if that is nothing. */
export function describeCase(known: KnownFields): string {
  const { description = "", name = "", input = "", expected = "" } = known;
  if (description !== "") return description;
  const given = input === "" || expected === "" ? input || expected : `${input} → ${expected}`;
  if (name === "" || given === "") return name || given;
  return `${name} (${given})`;
}

/** A call that carries a title; what is around tests is a group. */
const titledCall =
  /^\s*@?(?:await )?(?:\]\)|(?:\w{1,20}\.)?(?:(?<group>[fx]?(?:describe|context|feature|group)|suite)|[fx]?(?:it|test|specify|scenario)|subtest|Run|test_that|testWidgets|testset|SCENARIO|SECTION|TEST_CASE)(?:\.\w{1,20}){0,3}(?:\(\[.{0,500}?\]\))?)[\s(]{1,3}(?:"(?<double>(?:[^"\\]|\\.)+)"|'(?<single>(?:[^'\\]|\\.)+)'|`(?<back>[^`]+)`)/;
const declaration =
  /^[^"']{0,120}?\b(?:(?<group>class|mod|struct)|def|fun|func|function|fn|sub|void|Task|proc)(?:<[^>]{0,40}>)?\s+(?:\([^)]{0,80}\)\s*)?(?<name>`[^`]{1,200}`|\w{1,200})|^\s*(?:TEST(?:_\w)?|BOOST_AUTO_TEST_CASE|TEST_METHOD)\((?:\w{1,80},\s*)?(?<macro>\w{1,200})\)/;
const testMark =
  /^\s*(?:@|#?\[|\/?\*{1,2}\s*@)(?:\w{1,40}(?:::|\.))*(?:(?:Parameterized|Repeated)?Test(?:Method|Case)?|Fact|Theory|test|test_case|rstest)\b/;
const displayName =
  /^(?=\s*(?:@|#?\[)).{0,80}?(?:DisplayName|TestDox|@Test)\s*[=(]\s*["'](?<title>[^"']+)["']/;
const codeComment = /^\s*(?:\/\/|\/?\*|#(?!\[)|--|;|<!--)/;

/** Reads code line by line for the tests that it declares, and what is written above and around them. */
export class TestNames {
  #isMarked = false;
  #title = "";

  take(line: string): { kind: "comment" | "group" | "test"; title: string } | undefined {
    this.#isMarked ||= testMark.test(line);
    this.#title = displayName.exec(line)?.groups?.["title"] ?? this.#title;
    if (codeComment.test(line)) {
      const words = line.replace(/^[^\p{L}\p{N}]+(?:(?:region|MARK)\b\W*)?/u, "");
      return { kind: "comment", title: trimEndSigns(words, " */=>-\r") };
    }
    const { group, double, single, back } = titledCall.exec(line)?.groups ?? {};
    const title = (double ?? single ?? back)?.replaceAll(/\\(.)/g, "$1");
    if (title !== undefined) return { kind: group === undefined ? "test" : "group", title };
    const declared = declaration.exec(line)?.groups;
    const name = declared?.["name"] ?? declared?.["macro"];
    if (declared === undefined || name === undefined) return undefined;
    const isTest =
      this.#isMarked || declared["macro"] !== undefined || /^[Tt]est(?![a-z])/.test(name);
    const named = { title: this.#title || wordsOf(name) };
    this.#isMarked = false;
    this.#title = "";
    if (declared["group"] !== undefined) return { kind: "group", ...named };
    return isTest ? { kind: "test", ...named } : undefined;
  }
}

/** `test_gives_null`, `TestGivesNull` and `givesNull` as `gives null`. */
function wordsOf(name: string): string {
  if (name.startsWith("`")) return name.slice(1, -1);
  const bare = name.replace(/^[Tt]est(?![a-z])_*(?=.)/, "");
  const words = bare.split(/_+|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  return words
    .map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(" ")
    .trim();
}
