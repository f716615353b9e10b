import { Command } from "commander";
import type { ServeOptions } from "../serve.ts";
import { runAction, valueOption } from "./command-parts.ts";

/** `rightseat serve`: starts the Node server and says what it is and how to try it. */
export function serveCommand(): Command {
  return new Command("serve")
    .description("Serve the endpoint")
    .addOption(valueOption("--port <PORT>", "the port to listen on (stronger than the settings)"))
    .addOption(valueOption("--host <HOST>", "the address to listen on"))
    .action((options: ServeOptions) =>
      runAction(async () => {
        const { runServe } = await import("../serve.ts");
        return runServe(options);
      }),
    );
}
