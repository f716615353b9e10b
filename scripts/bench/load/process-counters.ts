import { readFileSync, readdirSync } from "node:fs";

/**
 * Seconds of CPU that a process has used, all its threads together, to the nanosecond (the clock
 * ticks of /proc/PID/stat are too coarse for streams of some microseconds).
 *
 * @returns undefined where the system has no /proc
 */
export function readCpuSeconds(pid: number): number | undefined {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const nanoseconds = tasks.map((task) =>
      Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]),
    );
    return nanoseconds.reduce((sum, count) => sum + count, 0) / 1e9;
  } catch {
    return undefined;
  }
}

/** Bytes of memory that a process occupies, undefined where the system has no /proc. */
export function readResidentBytes(pid: number): number | undefined {
  const kibibytes = readLine(`/proc/${pid}/status`, /^VmRSS:\s+(\d+)/m);
  return kibibytes === undefined ? undefined : kibibytes * 1_024;
}

/** How many files and sockets a process may open, undefined where the system has no /proc. */
export function readFileLimit(pid: number): number | undefined {
  return readLine(`/proc/${pid}/limits`, /^Max open files\s+(\d+)/m);
}

function readLine(path: string, line: RegExp): number | undefined {
  try {
    const value = line.exec(readFileSync(path, "utf8"))?.[1];
    return value === undefined ? undefined : Number(value);
  } catch {
    return undefined;
  }
}
