// The words by which models name what a test case consists of, in English and Chinese.
import { oneLine } from "../../../base/errors/names.ts";
import type { TestCase } from "../../../turn/focus.ts";

/** A case as it was written; its category may not be named. */
export interface FoundCase {
  description: string;
  category: string | undefined;
}

export type CaseField = "description" | "name" | "category" | "input" | "expected";

const fields: ReadonlyMap<string, CaseField> = new Map(
  (
    [
      ["description", "description desc summary behaviour behavior 描述 用例描述 说明 测试描述"],
      [
        "name",
        "name title test testcase testname testcasename case casename scenario testscenario what 名称 用例 用例名称 测试用例 测试场景 场景 标题 测试点 测试项",
      ],
      [
        "category",
        "category type kind group path casetype testtype class 类别 类型 分类 用例类型 测试类型",
      ],
      ["input", "input inputs given arguments args 输入 输入值 输入数据 参数"],
      [
        "expected",
        "expected expect expectedoutput expectedresult expectedbehavior expectedbehaviour output outcome result then 期望 预期 预期结果 期望结果 预期输出 期望输出 输出 结果",
      ],
    ] as const
  ).flatMap(([field, words]) => words.split(" ").map((word) => [word, field] as const)),
);

/** What a key, or the head of a column, names; undefined for all others. */
export function fieldOf(key: string): CaseField | undefined {
  return fields.get(key.toLowerCase().replaceAll(/[\s_*`-]/g, ""));
}

const wordsOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const happy = wordsOf(
  "happy normal positive basic typical usual standard main success successful regular common valid",
);
const edge = wordsOf(
  "edge edges border boundary corner error errors exception exceptions exceptional negative invalid failure failures unusual special limit limits",
);
const nouns = wordsOf(
  "path paths case cases scenario scenarios test tests input inputs flow flows handling condition conditions value values and",
);
const happyZh =
  /^(?:正常|常规|基本|基础|主要|成功|正向|正面|典型|快乐|理想)(?:路径|情况|用例|场景|流程|测试|输入)*$/;
const edgeZh =
  /^(?:边界|边缘|异常|错误|特殊|极端|负向|反向|负面|失败|临界)(?:路径|情况|用例|场景|流程|测试|输入|条件|值|处理)*$/;

/** One of our two categories, if the text is nothing but a name of one. */
export function categoryOf(label: string): string | undefined {
  if (label.length > 60) return undefined;
  const plain = label
    .toLowerCase()
    .replaceAll(/[*_`#[\]【】"'-]+/g, " ")
    .replace(/\((?:[^()]*)\)|（[^（）]*）/, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/[:：]$/, "")
    .trim();
  const words = plain.split(" ");
  const [first = ""] = words;
  const isLabel = words.slice(1).every((word) => nouns.has(word) || edge.has(word));
  if ((happy.has(first) && isLabel) || happyZh.test(plain)) return "happy path";
  return (edge.has(first) && isLabel) || edgeZh.test(plain) ? "edge case" : undefined;
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
export function describeCase(known: Partial<Record<CaseField, string>>): string {
  const { description = "", name = "", input = "", expected = "" } = known;
  if (description !== "") return description;
  const given = input === "" || expected === "" ? input || expected : `${input} → ${expected}`;
  if (name === "" || given === "") return name || given;
  return `${name} (${given})`;
}
