import {
  type Liquid,
  Parser,
  type Template,
  Tokenizer,
  type TopLevelToken,
  TypeGuards,
} from "liquidjs";
import { TemplateProblem } from "../template-problem.ts";
import { checkSize, countWords, maxNesting, type TemplateSize } from "../template-size.ts";

/** Parses a template that is within the limits; each is checked before the work that it bounds. */
export function parseTemplate(
  liquid: Liquid,
  text: string,
): { nodes: Template[]; size: TemplateSize } {
  const size = { characters: text.length, tags: text.match(/\{[{%]/g)?.length ?? 0, words: 0 };
  checkSize(size);
  const tokenizer = new Tokenizer(text, liquid.options.operators);
  const tokens = tokenizer.readTopLevelTokens(liquid.options);
  for (const token of tokens) {
    if (!TypeGuards.isTagToken(token) && !TypeGuards.isOutputToken(token)) continue;
    try {
      size.words += countWords(token.content);
      // Each line of a tag `liquid` is a tag of its own.
      if (TypeGuards.isTagToken(token) && token.name === "liquid")
        size.tags += token.args.match(/\n/g)?.length ?? 0;
      checkSize(size);
    } catch (thrown) {
      throw at(token, thrown);
    }
  }
  return { nodes: new NestingParser(liquid).parseTokens(tokens), size };
}

class NestingParser extends Parser {
  #depth = 0;

  override parseToken(
    token: TopLevelToken,
    rest: TopLevelToken[],
  ): ReturnType<Parser["parseToken"]> {
    this.#depth += 1;
    try {
      if (this.#depth > maxNesting && TypeGuards.isTagToken(token))
        throw new TemplateProblem(`blocks may be nested ${maxNesting} deep`);
      return super.parseToken(token, rest);
    } finally {
      this.#depth -= 1;
    }
  }
}

/** The problem with its place, which takes a look at all of the template before it. */
function at(token: TopLevelToken, thrown: unknown): unknown {
  if (!(thrown instanceof TemplateProblem)) return thrown;
  const [line, column] = token.getPosition();
  return new TemplateProblem(thrown.message, line, column);
}
