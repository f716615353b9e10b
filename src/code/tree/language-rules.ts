import type {
  CodeBranch,
  CodeImport,
  CodeLanguage,
  CodeParameter,
  SymbolKind,
} from "../code-analysis.ts";
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
  /** Counts only as a member or at the top level: not inside of functions. */
  isLocalIgnored?: boolean;
}

interface SymbolRule {
  kind: SymbolKind;
  isLocalIgnored?: boolean;
  /** Undefined or empty: this node declares nothing. Without `read` the field `name` names it. */
  read?(node: SyntaxNode, textOf: TextOf): Declaration | readonly Declaration[] | undefined;
}

export interface BranchRule {
  kind: CodeBranch["kind"];
  /**
   * Where the text is: a field; or `head` (from the first token to the body), `lead` (the same with
   * the first token), `rest` (all but the first token), `whole` or `nothing`. A node without the field
   * has its head read.
   */
  text: string;
  /** Says that a node of this type is no branch after all. */
  when?(node: SyntaxNode, textOf: TextOf): boolean;
}

/** Where fields of a parameter are; a parameter of several names gives one for each. */
export interface ParameterRule {
  name: readonly string[];
  type?: string;
  /** A field, or a token after which the default value stands. */
  default?: string;
}

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

/** Everything that is particular to a language; node types are those of its grammar. */
export interface LanguageRules {
  language: CodeLanguage;
  /** `tree-sitter-<grammar>.wasm` */
  grammar: string;
  /** Language ids of editors, in lower case. */
  ids: readonly string[];
  /** File endings, in lower case, without the dot. */
  endings: readonly string[];
  symbols: Readonly<Record<string, SymbolRule>>;
  /** Nodes around a declaration that belong to it. */
  wrappers: readonly string[];
  /** Nodes between a declaration and the block that it is a member of. */
  transparent?: readonly string[];
  /** Siblings before a declaration that belong to it; inside of it they are no part of its signature. */
  decorators: readonly string[];
  /** Nodes that are modifiers or hold some. */
  modifiers: readonly string[];
  /** Fields of parameters, result and body, the first that is there. */
  parameterList: readonly string[];
  returnType: readonly string[];
  body: readonly string[];
  parameters: Readonly<Record<string, ParameterRule>>;
  /** Reads parameters that the table cannot describe; undefined leaves them to the table. */
  readParameter?(node: SyntaxNode, textOf: TextOf): readonly CodeParameter[] | undefined;
  /** Reads a result that is more than one field. */
  readReturnType?(callable: SyntaxNode, textOf: TextOf): string | undefined;
  /** The first parameter of a method if it is the object itself. */
  receivers?: readonly string[];
  comments: readonly string[];
  /** Nodes that may end with a comment, which the first group of the pattern is. */
  commentsAtEnd?: Readonly<Record<string, RegExp>>;
  /** Comments that count as code; those of all languages are not among them. */
  directives?: readonly Directive[];
  /** Also what else is taken as it stands, with its blanks: patterns, data below the code. */
  strings: readonly string[];
  identifiers: readonly string[];
  /** Fits the text of a comment that documents what follows. */
  docComment: RegExp;
  /** Fits a string that documents the body, or the file, that it begins. */
  docstring?: RegExp;
  branches: Readonly<Record<string, BranchRule>>;
  /** Statements that leave a block. */
  exits: readonly string[];
  imports: Readonly<
    Record<string, (node: SyntaxNode, textOf: TextOf) => readonly Omit<CodeImport, "range">[]>
  >;
  /** Names that the file exports apart from their declarations; read once a file. */
  exportedNames?(root: SyntaxNode, textOf: TextOf): ReadonlySet<string>;
  isExported(visibility: Visibility): boolean;
  /** Says which nodes change what is visible of their siblings below, such as `private:`. */
  isAccessMark?(node: SyntaxNode, textOf: TextOf): boolean;
}

/** `a.b` of a quoted text. */
export function unquote(text: string): string {
  return text.replace(/^["'`<]|["'`>]$/g, "");
}

/** What stands after the last separator. */
export function lastPart(text: string): string {
  return text.split(/[.:/\\]/).at(-1) ?? text;
}
