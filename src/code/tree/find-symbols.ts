import { countWhile, foldSpaces } from "../../base/text/lines.ts";
import type { CodeSymbol, SymbolKind } from "../code-analysis.ts";
import {
  codeOf,
  type Declaration,
  type LanguageRules,
  type SymbolRule,
  commentTypes,
  decoratorTypes,
  kindOfValue,
  stringTypes,
  transparentTypes,
  wrapperTypes,
  listWords,
} from "./language-rules.ts";
import { maxLevels, maxSymbols } from "../code-facts.ts";
import type { SourceText } from "../source-text.ts";
import {
  type SyntaxNode,
  type SyntaxTree,
  childOf,
  childOfType,
  namedChildren,
} from "./syntax-tree.ts";

/** Kinds whose functions are methods, and whose variables are properties. */
const holders: ReadonlySet<SymbolKind> = new Set(["class", "interface", "struct", "trait", "enum"]);

/** Kinds that are not worth a word inside of functions. */
const valueKinds: ReadonlySet<SymbolKind> = new Set(["variable", "property"]);

/** A symbol that nodes to come may still lie inside of. */
interface Open {
  symbol: CodeSymbol;
  end: number;
  /** The node whose children are its members. */
  body: SyntaxNode | undefined;
  level: number;
  parent: Open | undefined;
}

interface Comments {
  source: SourceText;
  rules: LanguageRules;
  /** All of the text, in order. */
  comments: readonly SyntaxNode[];
}

/** Finds the declarations of a tree and nests them by their ranges. */
export function findSymbols(
  tree: SyntaxTree,
  source: SourceText,
  rules: LanguageRules,
): CodeSymbol[] {
  const comments = tree.nodes.filter(({ type }) => commentTypes.has(type));
  const from: Comments = { source, rules, comments };
  const top: CodeSymbol[] = [];
  let around: Open | undefined;
  let count = 0;
  for (const node of tree.nodes) {
    if (count === maxSymbols) break;
    for (const found of readDeclarations(node, rules)) {
      while (around !== undefined && found.node.start >= around.end) around = around.parent;
      const level = around === undefined ? 0 : around.level + 1;
      if (level === maxLevels || count === maxSymbols) continue;
      const outer = wrap(found.node);
      if (found.isLocalIgnored === true && !isMember(outer.at(-1) ?? found.node, around)) continue;
      const symbol = createSymbol(found, outer, around, from);
      (around?.symbol.children ?? top).push(symbol);
      const callable = found.callable ?? found.node;
      const end = (outer.at(-1) ?? found.node).end;
      around = { symbol, end, body: bodyOf(callable), level, parent: around };
      count += 1;
    }
  }
  return top;
}

type Found = Declaration & { node: SyntaxNode };

function readDeclarations(node: SyntaxNode, rules: LanguageRules): readonly Found[] {
  const row = node.isNamed ? rules.symbols.get(node.type) : undefined;
  if (row === undefined) return [];
  const [, kind, rule = {}] = row;
  const read = rule.read === undefined ? readByRule(node, kind, rule) : rule.read(node);
  const owner = rules.ownerOf?.(node);
  const { isLocalIgnored = valueKinds.has(kind) } = rule;
  const more = { node, isLocalIgnored, ...(owner === undefined ? {} : { owner }) };
  return [read ?? []].flat().map((found) => ({ ...more, ...found }));
}

function readByRule(node: SyntaxNode, kind: SymbolKind, rule: SymbolRule): Declaration | undefined {
  const { name = "name", prefix = "", nameType, within, needs, isFunction } = rule;
  const named = childOf(node, ...listWords(name)) ?? childOfType(node, nameType ?? "");
  const nameNode = withoutList(named);
  const around = [node.parent?.type ?? "", node.parent?.parent?.type ?? ""];
  const isPlace = within === undefined || listWords(within).some((type) => around.includes(type));
  if (nameNode === undefined || nameNode.type.endsWith("_pattern") || !isPlace) return undefined;
  if (nameType !== undefined && nameNode.type !== nameType) return undefined;
  if (needs !== undefined && childOf(node, needs) === undefined) return undefined;
  const written = foldSpaces(codeOf(nameNode)).replace(/^(["'`])(.*)\1$/, "$2");
  const found = { nameNode, name: prefix + written };
  const callable = withoutList(childOf(node, "value", "right"));
  const held = kindOfValue(callable);
  if (callable !== undefined && held === "function")
    return {
      ...found,
      kind: isFunction === true ? kind : "function",
      callable,
      isLocalIgnored: false,
    };
  if (isFunction === true) return undefined;
  if (callable !== undefined && held === "class")
    return { ...found, kind: held, callable, isLocalIgnored: false };
  if (found.name === rule.constructorName) return { ...found, kind: "constructor" };
  return { ...found, kind: rule.kindOf?.(node) ?? kind };
}

/** The first of several names, or values. */
function withoutList(node: SyntaxNode | undefined): SyntaxNode | undefined {
  return node?.type === "expression_list" ? namedChildren(node)[0] : node;
}

/** The nodes around a declaration that belong to it alone, innermost first. */
function wrap(node: SyntaxNode): SyntaxNode[] {
  const all = wrappersOf(node);
  const shared = all.findIndex((wrapper, index) => holdsOthers(wrapper, all[index - 1] ?? node));
  return shared === -1 ? all : all.slice(0, shared);
}

/** The same, and those that it shares with others, as in `const a = 1, b = 2`. */
function wrappersOf(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  let { parent } = node;
  for (; parent !== undefined && wrapperTypes.has(parent.type); { parent } = parent)
    found.push(parent);
  return found;
}

function holdsOthers({ children }: SyntaxNode, { type, field }: SyntaxNode): boolean {
  const isAlike = (child: SyntaxNode): boolean =>
    child.type === type || (field === "declarator" && child.field === field);
  const first = children.findIndex(isAlike);
  return children.some((child, place) => place > first && isAlike(child));
}

function isFirst({ parent, type, place }: SyntaxNode): boolean {
  return (
    parent === undefined || parent.children.findIndex((child) => child.type === type) === place
  );
}

/** Whether a declaration is directly in the file or in the body of the symbol around it. */
function isMember(outer: SyntaxNode, around: Open | undefined): boolean {
  let place = outer.parent;
  while (
    place !== undefined &&
    place !== around?.body &&
    (wrapperTypes.has(place.type) || transparentTypes.has(place.type))
  )
    place = place.parent;
  if (around === undefined) return place === undefined || place.parent === undefined;
  const { kind } = around.symbol;
  return place === around.body && (holders.has(kind) || kind === "module");
}

function createSymbol(
  found: Found,
  outer: readonly SyntaxNode[],
  around: Open | undefined,
  from: Comments,
): CodeSymbol {
  const { source } = from;
  const { node, nameNode, owner } = found;
  const callable = found.callable ?? node;
  const name = found.name ?? foldSpaces(codeOf(nameNode));
  const isInside = around !== undefined && holders.has(around.symbol.kind);
  const kind = kindAsMember(found.kind, isInside || owner !== undefined);
  const whole = outer.at(-1) ?? node;
  const start = startWithDecorators(whole);
  const body = bodyOf(callable);
  const outside = around?.symbol;
  const container = [outside?.container, outside?.name, owner].filter(Boolean).join(".");
  const docComment = findDocComment(start, node, body, from);
  return {
    name,
    kind,
    range: source.rangeOf(start, whole.end),
    nameRange: source.rangeOf(nameNode.start, nameNode.end),
    signature: readSignature(whole, headEnd(whole, found, body)),
    ...(docComment === undefined ? {} : { docComment: source.rangeOf(...docComment) }),
    ...(body === undefined ? {} : { body: source.rangeOf(body.start, body.end) }),
    ...(container === "" ? {} : { container }),
    children: [],
  };
}

function kindAsMember(kind: SymbolKind, isInside: boolean): SymbolKind {
  if (!isInside) return kind;
  if (kind === "function") return "method";
  return kind === "variable" ? "property" : kind;
}

function bodyOf(callable: SyntaxNode): SyntaxNode | undefined {
  return childOf(callable, "body", "accessors") ?? childOfType(callable, "field_declaration_list");
}

function startWithDecorators(node: SyntaxNode): number {
  let { start } = node;
  for (let place = node.place - 1; place >= 0; place--) {
    const before = node.parent?.children[place];
    if (before === undefined) break;
    if (decoratorTypes.has(before.type)) ({ start } = before);
    else if (!commentTypes.has(before.type)) break;
  }
  return start;
}

/** Where the body begins, or the value that a variable gets. */
function headEnd(whole: SyntaxNode, found: Found, body: SyntaxNode | undefined): number {
  const { kind, node, callable = node } = found;
  if (body !== undefined) return body.start;
  const isValue = kind === "variable" || kind === "property";
  if (isValue && callable !== node) return callable.start;
  const sign = isValue ? "=" : "{";
  const place =
    childOfType(callable, sign) ??
    (isValue ? childOfType(childOf(node, "declarator"), sign) : undefined);
  return place?.start ?? whole.end;
}

/** In characters as written: what one reads at a glance is far shorter. */
const maxSignature = 4_000;

/** The text up to an offset, on one line, without the comments and decorators inside. */
function readSignature(whole: SyntaxNode, end: number): string {
  const { source } = whole;
  const last = Math.min(end, whole.start + maxSignature);
  let text = "";
  let place = whole.start;
  // With a stack of its own: types and default values may nest deeper than calls can.
  const nodes = whole.children.toReversed();
  for (let node = nodes.pop(); node !== undefined && node.start < last; node = nodes.pop()) {
    if (commentTypes.has(node.type) || decoratorTypes.has(node.type)) {
      text += `${source.slice(place, node.start)} `;
      place = node.end;
    } else if (!stringTypes.has(node.type)) {
      for (let at = node.children.length - 1; at >= 0; at--) {
        const child = node.children[at];
        if (child !== undefined && child.start < last) nodes.push(child);
      }
    }
  }
  text += source.slice(place, Math.max(place, last));
  return foldSpaces(text)
    .replace(/(?:=>|=|\{|:|;|,)$/, "")
    .trimEnd();
}

/** The offsets of the comment that is directly above a declaration, or of its docstring. */
function findDocComment(
  start: number,
  node: SyntaxNode,
  body: SyntaxNode | undefined,
  from: Comments,
): readonly [start: number, end: number] | undefined {
  if (from.rules.docstring !== undefined) return findDocstring(body, from.rules);
  // A grammar may put the comment before the decorators, between them, or inside of a wrapper.
  const all = isFirst(node) ? wrappersOf(node) : [];
  for (const place of [start, ...all.map((wrapper) => wrapper.start), node.start]) {
    const found = commentAbove(place, from);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The offsets of the string that a body, or a file, begins with. */
export function findDocstring(
  body: SyntaxNode | undefined,
  { docstring }: LanguageRules,
): readonly [number, number] | undefined {
  const first = body === undefined ? undefined : namedChildren(body)[0];
  const text = first === undefined ? undefined : namedChildren(first)[0];
  if (text === undefined || text.start !== first?.start || text.end !== first.end) return undefined;
  const isDocstring = stringTypes.has(text.type) && docstring?.test(codeOf(text));
  return isDocstring === true ? [text.start, text.end] : undefined;
}

function commentAbove(
  place: number,
  { source, rules, comments }: Comments,
): readonly [number, number] | undefined {
  let last = countWhile(comments.length, (nth) => (comments[nth]?.start ?? 0) < place) - 1;
  const end = comments[last]?.end;
  let start: number | undefined;
  for (let below = place; last >= 0; last--) {
    const comment = comments[last];
    if (comment === undefined || !isAbove(comment, below, source)) break;
    const words = codeOf(comment);
    if (!rules.docComment.test(words)) break;
    const isBlock = words.startsWith("/*") || words.startsWith("=");
    // A block documents alone, and lines belong together.
    if (isBlock && start !== undefined) break;
    ({ start } = comment);
    below = start;
    if (isBlock) break;
  }
  return start === undefined || end === undefined ? undefined : [start, end];
}

/** Whether nothing but the end of a line, or blanks, is between a comment and what is below it. */
function isAbove({ start, end }: SyntaxNode, below: number, source: SourceText): boolean {
  const { text } = source;
  // Some grammars count the line break to the comment.
  const between = text.slice(start, below).slice(text.slice(start, end).trimEnd().length);
  const isNext = /^[ \t]*(?:(?:\r\n|\r|\n)[ \t]*)?$/.test(between);
  const { startColumn } = source.rangeOf(start, start);
  return isNext && text.slice(start - startColumn + 1, start).trim() === "";
}
