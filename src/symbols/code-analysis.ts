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

/**
 * A stretch of text. Lines are 1-based; columns are 1-based UTF-16 code units, as editors count
 * them. `endLine` belongs to the range, `endColumn` is the one after the last.
 */
export interface CodeRange {
  startLine: number;
  startColumn: number;
  endLine: number;
  endColumn: number;
}

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

export interface CodeParameter {
  /** As written, a pattern included; without the `...` or `*` of a rest parameter. */
  name: string;
  type?: string;
  /** Whether a caller may leave it out because of a default value. */
  hasDefault: boolean;
}

export interface CodeSymbol {
  /** `default` where a default export has no name of its own. */
  name: string;
  kind: SymbolKind;
  /** The whole declaration with decorators, annotations and `export`, without its doc comment. */
  range: CodeRange;
  nameRange: CodeRange;
  /** The head as written, on one line, without body, decorators and comments. */
  signature: string;
  /** Without `self` and its like. */
  parameters: CodeParameter[];
  returnType?: string;
  isAsync: boolean;
  /** Whether other files may use it; a member only if what holds it is exported, too. */
  isExported: boolean;
  /** The comment, or Python docstring, that documents it. */
  docComment?: CodeRange;
  /** With its braces, where it has some. */
  body?: CodeRange;
  /**
   * Names of the enclosing symbols, joined by `.`. What is written apart from its type (Go methods,
   * Rust `impl`, `Foo::bar` of C++) carries the type's name here and stands beside it in the tree.
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

export interface CodeBranch {
  range: CodeRange;
  /** `guard`: a condition that leaves early, or one that narrows a case. */
  kind:
    | "if"
    | "else"
    | "case"
    | "loop"
    | "catch"
    | "throw"
    | "return"
    | "ternary"
    | "logical"
    | "guard";
  /**
   * The condition or expression on one line, at most 120 characters; of an `else` the condition that
   * did not hold, of the last case `default`.
   */
  text: string;
}

export interface CodeImport {
  range: CodeRange;
  source: string;
  /** The names that the import binds in this file; empty where the source does not tell. */
  names: string[];
}

/** What was read off a text: plain data, valid for as long as one likes. */
export interface CodeAnalysis {
  /** Undefined: no grammar was used, and everything below is a guess from lines and indentation. */
  language: CodeLanguage | undefined;
  /** Top level, with children, in the order of the text. */
  symbols: CodeSymbol[];
  /** Of the file itself: the docstring of a Python module. */
  docComment?: CodeRange;
  imports: CodeImport[];
  /** False where it cannot be told what is a comment or a string; then none is listed. */
  areCommentsKnown: boolean;
  comments: CodeRange[];
  /** Those comments that change what the code does, such as `#!/bin/sh` or `//go:build linux`. */
  directives: CodeRange[];
  strings: CodeRange[];
  /** At most 20, in the order of the text. */
  problems: CodeProblem[];
  /** Distinct identifiers used inside a range, in order of first use, without keywords. */
  identifiersIn: (range: CodeRange) => string[];
  /** Branches that start inside a range, in the order of the text. */
  branchesIn: (range: CodeRange) => CodeBranch[];
}

/** Reads source code. Texts that no grammar reads, or not in time, get the plain analysis. */
export interface CodeParser {
  /**
   * Never throws.
   *
   * @param language the editor's language id; where it says nothing, the ending of the path does
   */
  analyze(text: string, language: string | undefined, path?: string): Promise<CodeAnalysis>;
}
