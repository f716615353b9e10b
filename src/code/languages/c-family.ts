// What grammars of languages with the statements of C have in common.
import { isLogical } from "../tree/branches.ts";
import type { BranchRule } from "../tree/language-rules.ts";

export const branchesOfC: Readonly<Record<string, BranchRule>> = {
  if_statement: { kind: "if", text: "condition" },
  for_statement: { kind: "loop", text: "head" },
  while_statement: { kind: "loop", text: "condition" },
  do_statement: { kind: "loop", text: "condition" },
  throw_statement: { kind: "throw", text: "rest" },
  return_statement: { kind: "return", text: "rest" },
  conditional_expression: { kind: "ternary", text: "condition" },
  ternary_expression: { kind: "ternary", text: "condition" },
  binary_expression: { kind: "logical", text: "whole", when: isLogical },
};

export const exitsOfC: readonly string[] = [
  "return_statement",
  "throw_statement",
  "break_statement",
  "continue_statement",
];
