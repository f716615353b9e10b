import { oneLine } from "../../../turn/context/one-line.ts";
import type { Locale } from "../../../base/errors/locale.ts";
import type { TreeAction } from "../../../turn/action.ts";
import { pluginTexts } from "../texts.ts";

/**
 * What a tree offers, as a numbered list: `1. happy path: adds two prices`. Nodes that only group others stand
 * before those.
 */
export function listTree({ data }: TreeAction, locale: Locale): string {
  const { nodes, nodeActions } = data;
  const types = new Set(nodeActions.map(({ nodeType }) => nodeType));
  const names = new Map(nodes.map(({ id, type, name }) => [id, types.has(type) ? "" : name]));
  const items = nodes.filter(({ type }) => types.has(type));
  const lines = items.map(({ name, pId }, nth) => {
    const group = names.get(pId) ?? "";
    const head = group === "" ? "" : `${oneLine(group)}${pluginTexts(locale).colon}`;
    return `${nth + 1}. ${head}${oneLine(name)}\n`;
  });
  return lines.join("");
}
