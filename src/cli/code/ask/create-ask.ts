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
  onRefusal(paths: readonly string[]): void;
  /** The person has said yes to a change of a file that is always asked for. */
  onGuarded(path: string): void;
}

/**
 * Decides on changes and on secret files, by the rules of the run, else by the person. Questions come one after
 * the other. What is approved is exactly what was shown.
 */
export function createAsk(parts: AskParts): AskApproval {
  let last: Promise<unknown> = Promise.resolve();
  const desk = new Desk(parts);
  return (question, signal) => {
    const mine = last.then(() => {
      signal.throwIfAborted();
      return desk.decide(question);
    });
    last = mine.catch(() => undefined);
    return mine;
  };
}

class Desk {
  readonly #parts: AskParts;
  /** The person has said yes to all further changes. */
  #isAll = false;

  constructor(parts: AskParts) {
    this.#parts = parts;
  }

  decide(question: ApprovalQuestion): Promise<Decision> {
    return question.kind === "read" ? this.#decideRead(question) : this.#decideChange(question);
  }

  async #decideChange(question: ApprovalQuestion & { kind: "change" }): Promise<Decision> {
    const { rules, approvals, person, texts } = this.#parts;
    const { changes, diff } = question;
    const approve = async (): Promise<Decision> => ({
      ok: true,
      approval: await approvals.approve(changes, diff),
    });
    const paths = changes.map(({ path }) => path);
    const verdict = await judgePaths(paths, { ...rules, isYes: rules.isYes || this.#isAll });
    if (verdict.kind === "allowed") return approve();
    const { guard } = verdict;
    if (person === undefined) return this.#refuse(paths, wordsOf(guard, texts));
    const answer = await person.judgeChange(question, guard);
    if (answer.kind === "no") return decline(answer, texts);
    if (answer.kind === "all") this.#isAll = true;
    if (guard !== undefined) for (const path of paths) this.#parts.onGuarded(path);
    return approve();
  }

  async #decideRead(question: ApprovalQuestion & { kind: "read" }): Promise<Decision> {
    const { approvals, person, texts } = this.#parts;
    if (person === undefined) return this.#refuse([question.path], texts.secret);
    const answer = await person.judgeRead(question);
    if (answer.kind === "no") return decline(answer, texts);
    // Nothing is written with it.
    return { ok: true, approval: await approvals.approve([], "") };
  }

  #refuse(paths: readonly string[], reason: string): Decision {
    this.#parts.onRefusal(paths);
    return { ok: false, reason };
  }
}

function wordsOf(guard: Guard | undefined, texts: CodeTexts): string {
  return guard === undefined ? texts.nobodyToAsk : texts.guarded(guard);
}

function decline({ why }: Answer & { kind: "no" }, texts: CodeTexts): Decision {
  return { ok: false, reason: why === undefined ? texts.declined : texts.declinedBecause(why) };
}

/** What the person has allowed before the run: source files, all or those of some paths. */
interface WriteRules {
  isYes: boolean;
  allows: PathTest;
  /** Why a file is asked for all the same; undefined for the sources that may pass. */
  guardOf: (path: string) => Promise<Guard | undefined>;
}

type Verdict =
  | { kind: "allowed" }
  /** `guard`: of the first file that is always asked for. */
  | { kind: "ask"; guard: Guard | undefined };

/** What the rules say of a change of some files. One file that is asked for is enough to ask for all. */
async function judgePaths(
  paths: readonly string[],
  { isYes, allows, guardOf }: WriteRules,
): Promise<Verdict> {
  for (const path of paths) {
    const guard = await guardOf(path);
    if (guard !== undefined) return { kind: "ask", guard };
  }
  const isAllowed = paths.length > 0 && paths.every((path) => isYes || allows(path));
  return isAllowed ? { kind: "allowed" } : { kind: "ask", guard: undefined };
}
