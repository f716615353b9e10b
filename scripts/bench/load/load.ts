// The load generator, a process of its own so that nothing else costs time in it. It takes one
// command at a time over node's IPC channel and answers each with one reply.
import { holdStreams } from "./hold-streams.ts";
import type { Command, LoadResult, Reply } from "./messages.ts";
import { runLoad, verify } from "./run-load.ts";

process.on("message", (command: Command) => {
  execute(command).then(
    (result) => reply({ ok: true, result }),
    (thrown: unknown) => reply({ ok: false, problem: String(thrown) }),
  );
});
process.on("disconnect", () => process.exit());

async function execute(command: Command): Promise<LoadResult> {
  const body = JSON.stringify(command.settings);
  await fetch(`${command.upstreamUrl}/settings`, { method: "POST", body });
  switch (command.kind) {
    case "verify":
      return verify(command);
    case "run":
      return runLoad(command);
    case "hold":
      return holdStreams(command);
  }
}

function reply(message: Reply): void {
  process.send?.(message);
}
