import { readFileSync, readdirSync } from "node:fs";

/**
 * Seconds of CPU that a process has used, all its threads together, to the nanosecond (the clock
 * ticks of /proc/PID/stat are too coarse for streams of some microseconds).
 *
 * @returns NaN where the system has no /proc; so do the others
 */
export function readCpuSeconds(pid: number): number {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`).map((task) =>
      Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]),
    );
    return nanoseconds.reduce((sum, count) => sum + count, 0) / 1e9;
  } catch {
    return Number.NaN;
  }
}

/** Bytes of memory that a process occupies. */
export function readResidentBytes(pid: number): number {
  return readNumber(`/proc/${pid}/status`, /^VmRSS:\s+(\d+)/m) * 1_024;
}

/** How many files and sockets a process may open. */
export function readFileLimit(pid: number): number {
  return readNumber(`/proc/${pid}/limits`, /^Max open files\s+(\d+)/m);
}

function readNumber(path: string, line: RegExp): number {
  try {
    return Number(line.exec(readFileSync(path, "utf8"))?.[1]);
  } catch {
    return Number.NaN;
  }
}
