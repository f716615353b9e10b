/** The exit code of a program that Ctrl-C has stopped. */
export const exitStopped = 130;

/**
 * Aborts a signal on Ctrl-C. Who presses it twice does not want to wait for the end of anything: the
 * process ends.
 *
 * @returns the signal, and what lets go of Ctrl-C again
 */
export function stopOnInterrupt(): { signal: AbortSignal; release: () => void } {
  const stopped = new AbortController();
  const stop = (): void => {
    if (stopped.signal.aborted) process.exit(exitStopped);
    stopped.abort();
  };
  process.on("SIGINT", stop);
  return { signal: stopped.signal, release: () => process.off("SIGINT", stop) };
}
