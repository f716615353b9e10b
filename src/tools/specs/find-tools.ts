// Two tools in place of very many: one finds them, one calls them. All rules of the tools themselves hold.
import * as z from "zod";
import { listNames } from "../../base/errors/names.ts";
import { runCall } from "../run-call.ts";
import { type AnyTool, Toolbox, defineTool, fail, foldName } from "../tool.ts";

/** More than that, and a model chooses badly: it looks for them by `find_tool`. */
const maxShown = 64;
/** Tools that an answer describes. */
const maxFound = 8;

/**
 * The tools as they are where they are few.
 *
 * @param taken names that are in use, as `foldName` has them
 */
export function findByTools(
  tools: readonly AnyTool[],
  taken: ReadonlySet<string>,
): readonly AnyTool[] {
  if (tools.length <= maxShown) return tools;
  const toolbox = new Toolbox(tools);
  const name = (wish: string): string => (taken.has(foldName(wish)) ? `${wish}_of_api` : wish);
  const [findName, callName] = [name("find_tool"), name("call_tool")];
  const find = defineTool({
    name: findName,
    description: {
      en: `Finds tools by words: there are ${tools.length}. Answers with their names and arguments; call one with ${callName}.`,
      zh: `按关键词查找工具，共有 ${tools.length} 个。返回其名称和参数；用 ${callName} 调用。`,
    },
    fields: {
      query: {
        schema: z.string().max(1_000),
        en: "Words of what you want to do, in the language of the API.",
        zh: "描述要做的事的关键词，使用接口描述的语言。",
      },
    },
    effect: "read",
    async run({ query }, { locale }) {
      const found = rank(tools, query).slice(0, maxFound);
      if (found.length === 0)
        return fail(locale, "nothing-found", {
          en: `No tool fits. Some of them: ${listNames(toolbox.names)}. Try other words.`,
          zh: `没有匹配的工具。部分工具：${listNames(toolbox.names, "zh")}。请换其他关键词。`,
        });
      return { success: true, tools: new Toolbox(found).offer(locale) };
    },
  });
  const call = defineTool({
    name: callName,
    description: {
      en: `Calls a tool that ${findName} has found.`,
      zh: `调用 ${findName} 找到的工具。`,
    },
    fields: {
      name: { schema: z.string().max(200), en: "Name of the tool.", zh: "工具名称。" },
      arguments: {
        schema: z.unknown().optional(),
        en: "Its arguments, an object.",
        zh: "工具的参数，一个对象。",
      },
    },
    effect: "write",
    // What it calls may only read.
    mayRepeat: true,
    isBare: true,
    async run({ name: wanted, arguments: given = {} }, use) {
      const json = typeof given === "string" ? given : JSON.stringify(given);
      return (await runCall({ id: "", name: wanted, arguments: json }, toolbox, use)).outcome;
    },
  });
  // A model that knows a name may call it at once. These are on this side of their schemas.
  const hidden = tools.map((tool) => Object.create(tool, { isHidden: { value: true } }) as AnyTool);
  return [find, call, ...hidden];
}

/** The best first; of words that many tools have each counts less. */
function rank(tools: readonly AnyTool[], query: string): AnyTool[] {
  const texts = tools.map((tool) => ({
    tool,
    name: ` ${wordsOf(tool.name).join(" ")} `,
    text: ` ${wordsOf(`${tool.name} ${tool.description.en}`).join(" ")} `,
  }));
  const words = [...new Set(wordsOf(query))].slice(0, 50).map((word) => {
    const stem = ` ${word.length > 3 ? word.replace(/(?:ies|y|es|s|ing|ed)$/, "") : word}`;
    const count = texts.filter(({ text }) => text.includes(stem)).length;
    return { stem, weight: Math.log(1 + tools.length / (1 + count)) };
  });
  const ranked = texts
    .map(({ tool, name, text }) => {
      const score = words.reduce(
        (sum, { stem, weight }) =>
          sum + (name.includes(stem) ? 3 * weight : text.includes(stem) ? weight : 0),
        0,
      );
      // Of equals the shorter name: it is the plainer thing.
      return { tool, score: score === 0 ? 0 : score - name.length / 1_000 };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const best = ranked[0]?.score ?? 0;
  // What shares but a common word with the query is left out where others fit.
  return ranked.flatMap(({ tool, score }) => (score * 4 >= best ? [tool] : []));
}

/** In lower case; `listPets` is two, and each sign of Chinese is one. */
function wordsOf(text: string): string[] {
  return (
    text
      .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ")
      .toLowerCase()
      .match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? []
  );
}
