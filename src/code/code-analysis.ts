import type { CodeRange, SourceText } from "./source-text.ts";
import type { RunCodeEdit } from "../edit/apply-code-edit.ts";
import type { Prose, Stretches } from "../edit/find/guess-prose.ts";

export type { Stretches } from "../edit/find/guess-prose.ts";
export type { CodeRange } from "./source-text.ts";

/** The languages that a grammar reads. */
export type CodeLanguage =
  | "javascript"
  | "typescript"
  | "tsx"
  | "python"
  | "go"
  | "java"
  | "rust"
  | "c"
  | "cpp"
  | "csharp"
  | "ruby"
  | "php";

export type SymbolKind =
  | "function"
  | "method"
  | "constructor"
  | "class"
  | "interface"
  | "struct"
  | "trait"
  | "enum"
  | "type"
  | "module"
  | "variable"
  | "property";

export interface CodeSymbol {
  /** `default` where a default export has no name of its own. */
  name: string;
  kind: SymbolKind;
  /** The whole declaration with decorators, annotations and `export`, without its doc comment. */
  range: CodeRange;
  nameRange: CodeRange;
  /** The head as written, on one line, without body, decorators and comments. */
  signature: string;
  /** The comment, or Python docstring, that documents it. */
  docComment?: CodeRange;
  /** With its braces, where it has some. */
  body?: CodeRange;
  /**
   * Names of the enclosing symbols, joined by `.`. What is written apart from its type (Go methods,
   * Rust `impl`, `Foo::bar` of C++) carries the type's name here and is beside it in the tree.
   */
  container?: string;
  /** Symbols whose range lies inside of this one's, in the order of the text. */
  children: CodeSymbol[];
}

/** A place that the grammar could not read. */
export interface CodeProblem {
  range: CodeRange;
  kind: "missing" | "unexpected" | "unexpected-end";
  /** What is missing, or what was not expected, as one short quoted line; empty at an unexpected end. */
  text: string;
}

export interface CodeImport {
  range: CodeRange;
  source: string;
}

export interface CodeBranch {
  /** 1-based. */
  line: number;
  kind: "if" | "guard" | "else" | "case" | "loop" | "catch" | "throw" | "return";
  /** The condition or expression on one line, at most 120 characters; of the last case `default`. */
  text: string;
}

/** What a pattern of a query has found. */
export interface CodeMatch {
  /** The number of the pattern in the query, from 0. */
  pattern: number;
  /** Where each captured node starts, and the offset after its end; of several under a name the first. */
  captures: Readonly<Record<string, readonly [start: number, end: number]>>;
}

/**
 * What was read off a text; valid for as long as one likes, and the same for all who ask, so nobody may
 * change it.
 */
export interface CodeAnalysis {
  /** Undefined: no grammar was used, and everything below is a guess from lines and indentation. */
  readonly language: CodeLanguage | undefined;
  /** The text that was read. */
  readonly source: SourceText;
  /**
   * Top level, with children, in the order of the text; at most 20,000 in all, and 100 levels deep: what
   * comes after them, and what is nested deeper, is left out.
   */
  readonly symbols: CodeSymbol[];
  /** Of the file itself: the docstring of a Python module. */
  readonly docComment?: CodeRange;
  /** At most 5,000. */
  readonly imports: CodeImport[];
  /** False if we cannot tell what is a comment and what a string; then neither is listed. */
  readonly areCommentsKnown: boolean;
  /** `directives` are those comments that change what the code does, such as `#!/bin/sh` or `//go:build linux`. */
  readonly offsets: { comments: Stretches; directives: Stretches; strings: Stretches };
  /** At most 20, in the order of the text. */
  readonly problems: CodeProblem[];
  /** What the query of the options has found, at most 5,000; nothing without a query or a grammar. */
  readonly matches: readonly CodeMatch[];
  /** Whether one comment holds all of these lines; both are 1-based and inclusive. */
  isCommented: (startLine: number, endLine: number) => boolean;
  /** Distinct identifiers used inside a range, in order of first use, without keywords; at most 10,000. */
  identifiersIn: (range: CodeRange) => string[];
  /** Every identifier inside a range with its offset, in the order of the text. */
  placesIn: (range: CodeRange) => Iterable<{ name: string; start: number }>;
  /** The distinct ones, where they are used first. */
  usesIn: (range: CodeRange) => { name: string; start: number }[];
  /** Branches that begin on the lines of a range, in their order; at most 20,000. */
  branchesIn: (range: CodeRange) => CodeBranch[];
}

export interface AnalyzeOptions {
  /** Whoever aborts it is told at once; work that nobody else waits for ends then. */
  signal?: AbortSignal;
  /** Patterns of tree-sitter for the text's language; what they find are the `matches` of the analysis. */
  query?: string;
}

/** Reads source code. Texts that no grammar reads, or not in time, get the plain analysis. */
export interface CodeParser {
  /**
   * @param language the editor's language id; where it says nothing, the ending of the path does
   * @throws nothing but the reason of the signal, once that is aborted
   */
  analyze(
    text: string,
    language: string | undefined,
    path?: string,
    options?: AnalyzeOptions,
  ): Promise<CodeAnalysis>;
  /** Applies code to files that are too large for the loop, where it has threads. */
  applyCode?: RunCodeEdit;
}

/** The comments and strings of a text as the edit engine takes them; undefined where they are not known. */
export function proseOf({ areCommentsKnown, offsets }: CodeAnalysis): Prose | undefined {
  return areCommentsKnown ? offsets : undefined;
}
