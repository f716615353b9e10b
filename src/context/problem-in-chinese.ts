const kinds: ReadonlyMap<string, string> = new Map([
  ["string", "字符串"],
  ["number", "数字"],
  ["int", "整数"],
  ["boolean", "布尔值"],
  ["array", "数组"],
  ["object", "对象"],
  ["record", "对象"],
]);

/** The texts of zod that a person may read: its other languages would weigh too much. */
const forms: readonly [RegExp, (...parts: string[]) => string][] = [
  [/^Invalid input: expected (\w+)/, (kind = "") => `应为${kinds.get(kind) ?? ` ${kind}`}`],
  [
    /^Invalid option: expected one of (.+)$/,
    (list = "") => `应为 ${list.replaceAll("|", "、")} 之一`,
  ],
  [
    /^Too small: expected \w+ to (?:have )?(?:be )?>(=?)(\d+)/,
    (equal, least = "") => `应${equal ? "不小于" : "大于"} ${least}`,
  ],
  [
    /^Too big: expected \w+ to (?:have )?(?:be )?<(=?)(\d+)/,
    (equal, most = "") => `应${equal ? "不大于" : "小于"} ${most}`,
  ],
];

/** What zod says of a value, in Chinese. */
export function problemInChinese(message: string): string {
  for (const [form, print] of forms) {
    const parts = form.exec(message);
    if (parts !== null) return print(...parts.slice(1));
  }
  return "值无效";
}
