import { createLocalApp } from "../create-local-app.ts";
import { stopOnInterrupt } from "../stop-on-interrupt.ts";
import type { CodeRun } from "./code-run.ts";
import { createCoding } from "./create-coding.ts";
import { followTurn } from "./follow-turn.ts";
import { findPerson, loadPainter, openTerminal } from "./open-screen.ts";
import { Progress } from "./progress.ts";
import { RunRecord } from "./run-record.ts";
import { tellEnd } from "./tell-end.ts";
import { terminalDoor } from "./terminal-door.ts";

/**
 * Has the agent work in the folder, in this process.
 *
 * @returns the exit code
 */
export async function runAgent(run: CodeRun): Promise<number> {
  const { signal, stop, release } = createStop();
  const terminal = openTerminal(run);
  const record = new RunRecord();
  const { texts } = run;
  const createPainter = await loadPainter(run);
  const progress = new Progress({
    terminal,
    locale: texts.locale,
    texts,
    createPainter,
    figures: () => record.figures,
    columns: () => process.stderr.columns || Infinity,
  });
  const person = findPerson(run, { terminal, signal, stop, rest: () => progress.pause() });
  const opened = await createCoding(run, { person, record, progress, signal });
  try {
    const door = terminalDoor();
    const { coding } = opened;
    const parts = { doors: [door], coding };
    const app = await createLocalApp(run.config, run.agents, process.env, undefined, parts);
    try {
      const { workspace } = coding;
      await followTurn(run, { door, workspace, record, progress, terminal, signal }).catch(
        (thrown: unknown) => {
          // Who stops before the turn has begun gets no event of it.
          if (!signal.aborted) throw thrown;
        },
      );
      const { turn } = opened;
      return await tellEnd(run, { app, turn, record, terminal, isStopped: signal.aborted });
    } finally {
      await app.close();
    }
  } finally {
    terminal.rest();
    release();
    await opened.close();
  }
}

interface Stop {
  signal: AbortSignal;
  stop: () => void;
  release: () => void;
}

/** Ctrl-C, also where a question has taken it. */
function createStop(): Stop {
  const stopped = new AbortController();
  const interrupt = stopOnInterrupt();
  const stop = (): void => stopped.abort();
  interrupt.signal.addEventListener("abort", stop);
  return { signal: stopped.signal, stop, release: interrupt.release };
}
