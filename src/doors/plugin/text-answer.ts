import type { Locale } from "../../base/errors/locale.ts";
import type { PlainEvent } from "../../turn/turn-event.ts";
import { FenceRemover } from "./without-fences.ts";
import { oneLine } from "../../base/errors/names.ts";
import type { TreeAction } from "../../turn/action.ts";
import { pluginTexts } from "./texts.ts";

/** Passes text on as it comes, without what the model thinks; of actions only what a tree lists is left. */
export class TextAnswer implements Answer {
  readonly #locale: Locale;
  readonly #last: string;
  /** The lines of the tree that follows have gone out. */
  #knowsTree = false;
  /** What is missing for a new paragraph after what went out. */
  #gap = "";

  /** @param last a sentence that ends the answer; "" for none */
  constructor(locale: Locale, last: string) {
    this.#locale = locale;
    this.#last = last;
  }

  take(event: PlainEvent): string {
    switch (event.type) {
      case "text-delta":
        return this.#pass(event.brief ?? event.text);
      case "tree-lines": {
        const text = this.#knowsTree ? this.#pass(event.text) : this.#block(event.text);
        this.#knowsTree = true;
        return text;
      }
      case "action":
        return event.action.action === "tree" && !this.#knowsTree
          ? this.#block(listTree(event.action, this.#locale))
          : "";
      default:
        return "";
    }
  }

  end(): string {
    return this.#block(this.#last);
  }

  #pass(text: string): string {
    if (text !== "") this.#gap = text.endsWith("\n\n") ? "" : text.endsWith("\n") ? "\n" : "\n\n";
    return text;
  }

  #block(text: string): string {
    if (text === "") return "";
    const gap = this.#gap;
    return gap + this.#pass(text);
  }
}

/**
 * Passes on the steps and words of work on files, line by line. Diffs and code come as indented blocks: a plugin
 * applies the changes that the last frame lists, and no text of the answer. Actions are left out.
 */
export class CodeAnswer implements Answer {
  readonly #lines = new FenceRemover();

  take(event: PlainEvent): string {
    return event.type === "text-delta" ? this.#lines.push(event.text) : "";
  }

  end(): string {
    return this.#lines.end();
  }
}

/** Turns the events of a turn into the text of its answer. */
export interface Answer {
  /** What goes out now; often "". */
  take(event: PlainEvent): string;
  /**
   * What goes out last, when the turn has ended well.
   *
   * @param isCut a limit of the model has ended its answer
   */
  end(isCut: boolean): string;
}

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
