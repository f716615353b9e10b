import type { CodeImport, CodeLanguage, CodeParameter, SymbolKind } from "../code-analysis.ts";
import type { Directive } from "../directives.ts";
import type { SyntaxNode } from "./syntax-tree.ts";

/** Tells the text of a node. */
export type TextOf = (node: SyntaxNode | undefined) => string;

/** What a node declares. */
export interface Declaration {
  kind: SymbolKind;
  /** Whose range is the name's. */
  nameNode: SyntaxNode;
  /** Where the name is not what the node says. */
  name?: string;
  /** The node that is the declaration, if it is not the rule's own node. */
  node?: SyntaxNode;
  /** The node with parameters, result and body, such as the function that a constant holds. */
  callable?: SyntaxNode;
  /** The type that it belongs to, if it is declared outside of it. */
  owner?: string;
  /** Counts only as a member or at the top level: values unless this says otherwise. */
  isLocalIgnored?: boolean;
}

/**
 * How a node declares something; without more its field `name` names it. What gives a name to a function or a class
 * declares that.
 */
export interface SymbolRule extends Pick<Declaration, "isLocalIgnored"> {
  /** The fields that may name it. */
  name?: string;
  /** What the node that names it must be; without such a field, the child that is one. */
  nameType?: string;
  /** One of these must be the node around it, or the one around that. */
  within?: string;
  /** A field without which it declares nothing. */
  needs?: string;
  /** It declares something only where it names a function. */
  isFunction?: true;
  /** The name that is its type's constructor. */
  constructorName?: string;
  /** In place of all of these. Undefined or empty: this node declares nothing. */
  read?: (node: SyntaxNode, textOf: TextOf) => Declaration | readonly Declaration[] | undefined;
}

type SymbolRow = readonly [types: string, kind: SymbolKind, more?: SymbolRule];

/** What decides whether other files see a symbol. */
export interface Visibility {
  name: string;
  kind: SymbolKind;
  modifiers: ReadonlySet<string>;
  /** Types of the nodes around it that belong to it. */
  wrappers: readonly string[];
  node: SyntaxNode;
  /** The kind of the symbol that it is a member of. */
  holder: SymbolKind | undefined;
  exportedNames: ReadonlySet<string>;
  textOf: TextOf;
  /** The last sibling above a node that is an access mark; found without going through all of them. */
  markAbove: (node: SyntaxNode) => SyntaxNode | undefined;
}

/** Everything that is particular to a language; types of nodes are those of its grammar, with spaces between them. */
interface LanguageData {
  language: CodeLanguage;
  /** `tree-sitter-<grammar>.wasm`; the language where it is absent. */
  grammar?: string;
  /** Language ids of editors, in lower case. */
  ids: readonly string[];
  /** File endings, in lower case, without the dot. */
  endings: readonly string[];
  symbols: readonly SymbolRow[];
  /** Nodes around a declaration that belong to it. */
  wrappers?: string;
  /** Nodes between a declaration and the block that it is a member of. */
  transparent?: string;
  /** The type that a member is written apart from. */
  ownerOf?: (node: SyntaxNode, textOf: TextOf) => string | undefined;
  /** Reads parameters whose grammar is unlike the others; undefined leaves them to what all share. */
  readParameter?: (node: SyntaxNode, textOf: TextOf) => readonly CodeParameter[] | undefined;
  /** Reads a result that is more than one field. */
  readReturnType?: (callable: SyntaxNode, textOf: TextOf) => string | undefined;
  /** Nodes that may end with a comment, which the first group of the pattern is. */
  commentsAtEnd?: Readonly<Record<string, RegExp>>;
  /** Comments that count as code; those of all languages are not among them. */
  directives?: readonly Directive[];
  /** Also what else is taken as it stands, with its spaces: patterns, data below the code. */
  strings: string;
  identifiers: string;
  /** Fits the text of a comment that documents what follows. */
  docComment: RegExp;
  /** Fits a string that documents the body, or the file, that it begins. */
  docstring?: RegExp;
  imports: Readonly<
    Record<string, (node: SyntaxNode, textOf: TextOf) => readonly Omit<CodeImport, "range">[]>
  >;
  /** Names that the file exports apart from their declarations; read once a file. */
  exportedNames?: (root: SyntaxNode, textOf: TextOf) => ReadonlySet<string>;
  isExported: (visibility: Visibility) => boolean;
  /** Says which nodes change what is visible of their siblings below, such as `private:`. */
  isAccessMark?: (node: SyntaxNode, textOf: TextOf) => boolean;
}

const wordLists = {
  wrappers: "",
  transparent: "",
  strings: "",
  identifiers: "",
};
type WordList = keyof typeof wordLists;

/** The same by types of nodes. */
export interface LanguageRules
  extends
    Omit<LanguageData, WordList | "symbols" | "grammar">,
    Readonly<Record<WordList, readonly string[]>> {
  grammar: string;
  symbols: ReadonlyMap<string, SymbolRow>;
}

export function defineLanguage(data: LanguageData): LanguageRules {
  const listOf = (name: WordList): string[] => wordsOf(data[name] ?? wordLists[name]);
  const lists = Object.keys(wordLists).map((name) => [name, listOf(name as WordList)]);
  return {
    ...data,
    ...(Object.fromEntries(lists) as Record<WordList, string[]>),
    grammar: data.grammar ?? data.language,
    symbols: byType(data.symbols),
  };
}

function byType<Row extends readonly [types: string, ...unknown[]]>(rows: readonly Row[]) {
  return new Map(rows.flatMap((row) => wordsOf(row[0]).map((type) => [type, row] as const)));
}

export function wordsOf(words: string): string[] {
  return words.split(" ").filter((word) => word !== "");
}

// What the grammars name alike.

/** `html_comment` is not among them: in modules `<!--` and `-->` are operators. */
export const commentTypes: ReadonlySet<string> = new Set(
  wordsOf("comment line_comment block_comment hash_bang_line"),
);
/** Siblings before a declaration that belong to it; inside of it they are no part of its signature. */
export const decoratorTypes: ReadonlySet<string> = new Set(
  wordsOf(
    "decorator annotation marker_annotation attribute_list attribute_item attribute_declaration",
  ),
);

/** `a.b` of a quoted text. */
export function unquote(text: string): string {
  return text.replace(/^["'`<]|["'`>]$/g, "");
}

/** What is after the last separator. */
export function lastPart(text: string): string {
  return text.split(/[.:/\\]/).at(-1) ?? text;
}
