import type { ApprovalQuestion, AskApproval, Decision } from "../../../tools/tool.ts";
import type { Approvals } from "../../../workspace/approvals.ts";
import type { CodeTexts } from "../code-texts.ts";
import type { Answer, Person } from "./person.ts";
import type { Guard } from "../guard/create-guard.ts";
import type { PathTest } from "../../../workspace/search/match-glob.ts";

export interface AskParts {
  rules: WriteRules;
  approvals: Approvals;
  /** Whoever sits at the terminal; undefined where nobody does. */
  person: Person | undefined;
  texts: CodeTexts;
  /** Something was not done since nobody could be asked. */
  onRefusal: (paths: readonly string[]) => void;
  /** The person has said yes to a change of a file that is always asked for. */
  onGuarded?: (path: string) => void;
  /** The rules of the run have let a change pass. */
  onAllowed?: (diff: string) => void;
}

/** What the person has allowed before the run: source files, all or those of some paths. */
interface WriteRules {
  isYes: boolean;
  allows: PathTest;
  /** Why a file is asked for all the same; undefined for the sources that may pass. */
  guardOf: (path: string) => Promise<Guard | undefined>;
}

/**
 * Decides on changes and on secret files, by the rules of the run, else by the person. Questions come one after
 * the other. What is approved is exactly what was shown.
 */
export function createAsk(parts: AskParts): AskApproval {
  const { rules, approvals, person, texts, onRefusal, onGuarded, onAllowed } = parts;
  let last: Promise<unknown> = Promise.resolve();
  /** The person has said yes to all further changes. */
  let isAll = false;
  const refuse = (paths: readonly string[], reason: string): Decision => {
    onRefusal(paths);
    return { ok: false, reason };
  };
  const decline = ({ why }: Answer & { kind: "no" }): Decision => ({
    ok: false,
    reason: why === undefined ? texts.declined : texts.declinedBecause(why),
  });
  const decideChange = async (question: ApprovalQuestion & { kind: "change" }) => {
    const { changes, diff } = question;
    const approve = async (): Promise<Decision> => ({
      ok: true,
      approval: await approvals.approve(changes, diff),
    });
    const paths = changes.map(({ path }) => path);
    const guard = await firstGuard(paths, rules);
    const isCovered = paths.every((path) => rules.isYes || isAll || rules.allows(path));
    if (guard === undefined && isCovered && paths.length > 0) {
      onAllowed?.(diff);
      return approve();
    }
    if (person === undefined)
      return refuse(paths, guard === undefined ? texts.nobodyToAsk : texts.guarded(guard));
    const answer = await person.judgeChange(question, guard);
    if (answer.kind === "no") return decline(answer);
    if (answer.kind === "all") isAll = true;
    if (guard !== undefined) for (const path of paths) onGuarded?.(path);
    return approve();
  };
  const decideRead = async (question: ApprovalQuestion & { kind: "read" }): Promise<Decision> => {
    if (person === undefined) return refuse([question.path], texts.secret);
    const answer = await person.judgeRead(question);
    if (answer.kind === "no") return decline(answer);
    // Nothing is written with it.
    return { ok: true, approval: await approvals.approve([], "") };
  };
  return (question, signal) => {
    const mine = last.then(() => {
      signal.throwIfAborted();
      return question.kind === "read" ? decideRead(question) : decideChange(question);
    });
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** One file that is asked for is enough to ask for all. */
async function firstGuard(
  paths: readonly string[],
  { guardOf }: WriteRules,
): Promise<Guard | undefined> {
  for (const path of paths) {
    const guard = await guardOf(path);
    if (guard !== undefined) return guard;
  }
  return undefined;
}
