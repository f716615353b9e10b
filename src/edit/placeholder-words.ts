// What people and models say in place of code that they leave out, in English and Chinese.

export interface PlaceholderWords {
  /** Nothing else is said. */
  isAll: boolean;
  /** One word at least says that something stays, or was left out. */
  hasKey: boolean;
  /** The first word that counts does. */
  startsWithKey: boolean;
  /** It names the code that stays: "rest of the code", "other methods remain the same". */
  isClear: boolean;
  /** How many words; a run of Chinese counts its parts. */
  count: number;
}

const keys = new Set(
  (
    "existing rest remaining remainder unchanged unmodified untouched other others same previous prior earlier " +
    "original omitted omit snip snipped snippet elided skipped skip truncated abbreviated shortened hidden " +
    "keep kept remain remains stay stays leave unaltered identical collapsed continued continues etc more current"
  ).split(" "),
);
/** What stays, or how. */
const things = new Set(
  (
    "code file files function functions method methods class classes implementation implementations logic body " +
    "content contents component components module imports import fields field properties property cases case tests test routes " +
    "route handlers handler columns column lines line part parts section sections definitions declarations statements " +
    "entries items options props arguments args parameters params variables constants members types interfaces interface " +
    "setup config configuration script styles rules markup elements block blocks values keys stuff things everything text source " +
    "template page table query schema document list form view layout object"
  ).split(" "),
);
const others = new Set(
  (
    "the your our my this that these those all any of is are was were be been as before above below here there for " +
    "brevity in on at goes go no not change changes changed needed required to from it its and or with by exactly " +
    "previously shown modified intact further else still up down nothing none off out left see again so forth like it " +
    "a an per will should must do"
  ).split(" "),
);
/** Words that say that nothing changes. */
const states = new Set(
  "unchanged unmodified untouched remain remains same omitted stay stays identical unaltered skipped elided truncated kept keep intact".split(
    " ",
  ),
);
/** Words that name the rest, before a thing. */
const rests = new Set("existing rest remaining remainder".split(" "));

/** Words that say by themselves that something was left out. */
const plain = new Set("snip snipped elided 省略".split(" "));

const chineseKeys =
  "其余 剩余 余下 剩下 其他 其它 现有 原有 已有 原来 原先 之前 此前 前面 后面 后续 省略 略 不变 未变 未改 未修改 未改动 未更改 无变化 没有变化 无需修改 无需改动 不需要修改 保持 保留 相同 一致 同上 同前 一样 照旧 原样 不动 维持".split(
    " ",
  );
const chineseThings =
  "代码 部分 内容 逻辑 方法 函数 实现 文件 类 导入 字段 属性 用例 测试 行 成员 语句 配置 路由 组件 变量 常量 参数 定义 声明 接口 类型 样式 业务 处理 流程 步骤 选项 元素 分支 模块 引用".split(
    " ",
  );
const chineseOthers =
  "的 了 与 和 以及 均 都 全部 所有 此处 这里 以上 以下 上面 下面 上述 中 在 为 是 请 并 或 等 按 仍 仍然 继续 其 原 无 没有 不 需 需要 修改 改动 变化 更改 如 如上 如下 今后 完全 任何 因 篇幅 为了 简洁 地 将 会 被 有 个 些 一些 到 从 至 第".split(
    " ",
  );
const chineseStates =
  "不变 未变 未改 未修改 未改动 未更改 无变化 没有变化 省略 保持 相同 一致 同上 无需修改 无需改动 不动 原样 保留".split(
    " ",
  );
const chineseWords = new Set([...chineseKeys, ...chineseThings, ...chineseOthers]);
const maxChinese = 5;

const quick =
  /existing|rest\b|remain|unchanged|unmodified|untouched|\bother|\bsame|previous|omit|snip|elided|skip|truncated|keep|no changes?|unaltered|identical|continue|其余|剩|余下|其他|其它|现有|原有|已有|原来|之前|省略|不变|略|未变|未改|变化|保持|保留|相同|一致|同上|同前|一样|照旧|原样|无需|不动/i;

/** A quick look, for texts of any length. */
export function hasPlaceholderWord(text: string): boolean {
  return quick.test(text);
}

/** Reads what is said in place of code. */
export function readPlaceholderWords(text: string): PlaceholderWords {
  const words = [...splitWords(text)];
  const isKey = (word: string) => keys.has(word) || chineseKeys.includes(word);
  const isThing = (word: string) => things.has(word) || chineseThings.includes(word);
  const isState = (word: string) => states.has(word) || chineseStates.includes(word);
  const isKnown = (word: string) =>
    isKey(word) ||
    isThing(word) ||
    others.has(word) ||
    chineseWords.has(word) ||
    /^\d+$/.test(word);
  const saysNoChange = /\b(?:no (?:\w+ )?changes?|not (?:changed|modified|shown))\b/i.test(text);
  const hasThing = words.some(isThing);
  const namesRest = words.some(
    (word) => rests.has(word) || /^(?:其余|剩余|余下|剩下|现有|原有|已有)$/.test(word),
  );
  const first = words.find((word) => !others.has(word) && !chineseOthers.includes(word));
  const isCode = words.some((word) =>
    /^(?:code|file|implementation|logic|body|代码|逻辑|实现)$/.test(word),
  );
  return {
    isAll: words.length > 0 && words.every(isKnown),
    hasKey: saysNoChange || words.some(isKey),
    startsWithKey: first !== undefined && isKey(first),
    isClear:
      words.some((word) => plain.has(word)) ||
      (hasThing && ((namesRest && isCode) || saysNoChange)) ||
      (words.some(isState) &&
        (hasThing || namesRest || chineseStates.includes(words.at(-2) ?? ""))),
    count: words.length,
  };
}

/** English words in lower case, Chinese ones as long as they are known, and any other sign by itself. */
function* splitWords(text: string): Iterable<string> {
  for (const [run] of text.matchAll(
    /[a-z]+(?:'[a-z]+)?|\d+|\p{Script=Han}+|[^\s\p{Script=Han}]/giu,
  )) {
    if (/^\p{Script=Han}/u.test(run)) yield* splitChinese(run);
    else if (!/^[,.:，。、：；()（）[\]`'"“”…-]$/.test(run)) yield run.toLowerCase();
  }
}

function* splitChinese(run: string): Iterable<string> {
  for (let at = 0; at < run.length;) {
    let length = Math.min(maxChinese, run.length - at);
    while (length > 1 && !chineseWords.has(run.slice(at, at + length))) length -= 1;
    yield run.slice(at, at + length);
    at += length;
  }
}
