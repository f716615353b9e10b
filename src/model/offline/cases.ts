// Test cases that parameters and branches show by themselves.
import type { CodeAnalysis, CodeBranch, CodeRange } from "../../code/code-analysis.ts";
import type { OfflineTexts } from "./texts.ts";

export interface OfflineCase {
  description: string;
  category: "happy path" | "edge case";
}

/** What the cases are for. */
export interface CaseSubject {
  name: string;
  parameters: readonly string[];
  range: CodeRange;
  /** Lines of the person's file above the text. */
  linesAbove: number;
}

/** Branches, and limits of parameters, that become test cases; and cases where more are wanted. */
const [maxBranches, maxParameters, maxMore] = [8, 4, 8];

/**
 * The usual case, a case for each branch and each parameter; where some are known, only others, and one at least.
 *
 * @param known descriptions of cases that are there
 */
export function proposeCases(
  subject: CaseSubject,
  { branchesIn }: CodeAnalysis,
  known: ReadonlySet<string>,
  texts: OfflineTexts,
): OfflineCase[] {
  const { name, parameters, range, linesAbove } = subject;
  const branches = conditionsOf(branchesIn(range));
  const lineOf = (branch: CodeBranch): number => branch.range.startLine + linesAbove;
  const takes = branches.map((one) => texts.caseBranch(one.kind, one.text, lineOf(one)));
  const limits = parameters.map((parameter) => texts.caseParameter(parameter));
  const edges = [...takes.slice(0, maxBranches), ...limits.slice(0, maxParameters)];
  const description = texts.caseUsual(name, parameters);
  const first: OfflineCase[] = [{ description, category: "happy path" }, ...edges.map(toEdge)];
  if (known.size === 0) return first;
  const others = branches
    .filter(({ kind }) => passable.test(kind))
    .map((one) => texts.casePassed(one.text, lineOf(one)));
  const rest = [...takes.slice(maxBranches), ...limits.slice(maxParameters), ...others];
  const all = [...first, ...[...rest, texts.caseTwice(name)].map(toEdge)];
  const fresh = all.filter((one) => !known.has(one.description));
  return fresh.length === 0 ? [toEdge(texts.caseNone(name))] : fresh.slice(0, maxMore);
}

function toEdge(description: string): OfflineCase {
  return { description, category: "edge case" };
}

/** Conditions that may as well not hold. */
const passable = /^(?:if|ternary|loop|guard)$/;

/** Branches with a text that no other one has. */
function conditionsOf(branches: readonly CodeBranch[]): CodeBranch[] {
  const known = new Set<string>();
  return branches.filter(({ kind, text }) => {
    const isNew = !/^(?:else|return|logical)$/.test(kind) && text !== "" && !known.has(text);
    known.add(text);
    return isNew;
  });
}
