/**
 * Ends the process with 0 when somebody stops to read what it prints, as `| head` does: that is no
 * failure. Holds for every command, and for standard error too (`2>&1 | head`).
 */
export function leaveWhenNobodyReads(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (Reflect.get(error, "code") === "EPIPE") process.exit(0);
      throw error;
    });
  }
}
