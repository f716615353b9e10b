// A small project with its parser, as the terminal answers for it.
import { createInlineParser } from "../../../src/code/create-inline-parser.ts";
import { type AnswerIde, createIdeAnswers } from "../../../src/cli/ws/ide.ts";
import { loadGrammars } from "../../../src/setup/load-grammars.node.ts";
import { temporaryFolder } from "../call/temporary-folder.ts";

export const item = [
  "class Item:",
  "    def __init__(self, price):",
  "        self.price = price",
  "",
  "",
  "def discounted(price, percent):",
  "    return price - price * percent // 100",
  "",
].join("\n");

export const cart = [
  "from shop.item import Item, discounted",
  "",
  "LIMIT = 100",
  "",
  "",
  "def total(items: list[Item], percent=0):",
  '    """Adds prices; LIMIT holds."""',
  "    result = 0",
  "    for item in items:",
  "        result = result + discounted(item.price, percent)",
  "    return min(result, LIMIT)",
  "",
].join("\n");

export const parser = createInlineParser(loadGrammars(), {
  now: () => performance.now(),
  defer: (next) => void setImmediate(next),
});

/** @param files beside those of the shop */
export function openProject(files: Record<string, string | Uint8Array> = {}): {
  root: string;
  answer: AnswerIde;
} {
  const root = temporaryFolder({ "shop/item.py": item, "shop/cart.py": cart, ...files });
  return { root, answer: createIdeAnswers(root, parser) };
}
