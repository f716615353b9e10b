/** Ends the process with 0 when standard output is closed early, as `| head` does: that is no failure. */
export function leaveWhenNobodyReads(): void {
  process.stdout.on("error", (error) => {
    if (Reflect.get(error, "code") === "EPIPE") process.exit(0);
    throw error;
  });
}
