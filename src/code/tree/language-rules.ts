import type { CodeLanguage, SymbolKind } from "../code-analysis.ts";
import type { Directive } from "../directives.ts";
import type { SyntaxNode } from "./syntax-tree.ts";

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
  /** What its name has before that. */
  prefix?: string;
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
  /** In place of the row's kind. */
  kindOf?: (node: SyntaxNode) => SymbolKind;
  /** In place of all of these. Undefined or empty: this node declares nothing. */
  read?: (node: SyntaxNode) => Declaration | readonly Declaration[] | undefined;
}

type SymbolRow = readonly [types: string, kind: SymbolKind, more?: SymbolRule];

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
  /** The type that a member is written apart from. */
  ownerOf?: (node: SyntaxNode) => string | undefined;
  /** Nodes that may end with a comment, which the first group of the pattern is. */
  commentsAtEnd?: Readonly<Record<string, RegExp>>;
  /** Comments that count as code; those of all languages are not among them. */
  directives?: readonly Directive[];
  /** Fits the text of a comment that documents what follows. */
  docComment: RegExp;
  /** Fits a string that documents the body, or the file, that it begins. */
  docstring?: RegExp;
  imports: readonly ImportRow[];
  /**
   * The names that an import binds: without this of each path the last part, or what it is renamed to; `alias`, only what
   * is before `=`; `path`, the name before a path in quotes, else its last part.
   */
  binds?: "alias" | "path";
}

/** What such a node imports: the children that have one of these fields or types, or what the function reads. */
type ImportRow = readonly [types: string, sources: string | ((node: SyntaxNode) => string[])];

/** The same by types of nodes. */
export interface LanguageRules extends Omit<LanguageData, "symbols" | "imports" | "grammar"> {
  grammar: string;
  symbols: ReadonlyMap<string, SymbolRow>;
  imports: ReadonlyMap<string, ImportRow>;
}

export function defineLanguage(data: LanguageData): LanguageRules {
  const { grammar = data.language, symbols, imports } = data;
  return { ...data, grammar, symbols: byType(symbols), imports: byType(imports) };
}

function byType<Row extends readonly [types: string, ...unknown[]]>(rows: readonly Row[]) {
  return new Map(rows.flatMap((row) => listWords(row[0]).map((type) => [type, row])));
}

export function listWords(words: string): string[] {
  return words.split(" ").filter((word) => word !== "");
}

// What the grammars name alike.

const typesIn = (words: string): ReadonlySet<string> => new Set(listWords(words));

/** `html_comment` is not among them: in modules `<!--` and `-->` are operators. */
export const commentTypes = typesIn("comment line_comment block_comment hash_bang_line");
/** Siblings before a declaration that belong to it; inside of it they are no part of its signature. */
export const decoratorTypes = typesIn(
  "decorator annotation marker_annotation attribute_list attribute_item attribute_declaration",
);
/** Nodes around a declaration that belong to it. */
export const wrapperTypes = typesIn(
  "export_statement expression_statement decorated_definition ambient_declaration const_declaration " +
    "constant_declaration declaration event_field_declaration field_declaration global_statement lexical_declaration " +
    "property_declaration template_declaration type_declaration var_declaration var_spec_list variable_declaration",
);
/** Nodes between a declaration and the block that it is a member of. */
export const transparentTypes = typesIn(
  "declaration_list enum_body_declarations impl_item linkage_specification preproc_elif preproc_else preproc_if " +
    "preproc_ifdef",
);
/** Also what else is taken as it stands, with its spaces: patterns, data below the code. */
export const stringTypes = typesIn(
  "string string_literal raw_string_literal interpreted_string_literal verbatim_string_literal template_string " +
    "interpolated_string_expression encapsed_string system_lib_string heredoc heredoc_body nowdoc string_array " +
    "symbol_array delimited_symbol char_literal character_literal rune_literal character regex subshell " +
    "shell_command_expression jsx_text text text_interpolation uninterpreted",
);
const functionTypes = typesIn(
  "arrow_function function_expression generator_function lambda func_literal closure_expression anonymous_function",
);

/** What a name for a value declares. */
export function kindOfValue(value: SyntaxNode | undefined): "function" | "class" | "variable" {
  if (value?.type === "class") return "class";
  return functionTypes.has(value?.type ?? "") ? "function" : "variable";
}

/** Names; those with a scope before them hold such. */
const identifierType =
  /(?<!blank_)identifier(?:_pattern)?$|^(?:name|constant|metavariable|label_name)$|_variable$/;

export function isIdentifier({ type, children }: SyntaxNode): boolean {
  const isLeaf = children.every(({ isNamed }) => !isNamed);
  return type === "variable_name" || (isLeaf && identifierType.test(type));
}

/** The text of a node; "" where there is none. */
export function codeOf(node: SyntaxNode | undefined): string {
  return node === undefined ? "" : node.source.slice(node.start, node.end);
}
