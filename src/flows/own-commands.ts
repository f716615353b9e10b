import { chat } from "./chat/command.ts";
import { code } from "./code/command.ts";
import { byDefault } from "./default/command.ts";
import { docstring } from "./docstring/command.ts";
import { explain } from "./explain/command.ts";
import { fix } from "./fix/command.ts";
import { optimize } from "./optimize/command.ts";
import type { OwnCommand } from "./flow.ts";
import { unittestWrite } from "./unittest-write/command.ts";
import { unittest } from "./unittest/command.ts";
import { version } from "./version/command.ts";

/** The commands that we answer in our own way; every other one is answered from its templates. */
export const ownCommands: readonly OwnCommand[] = [
  byDefault,
  version,
  explain,
  chat,
  code,
  fix,
  unittest,
  unittestWrite,
  docstring,
  optimize,
];

const byName = new Map(ownCommands.map((command) => [command.name, command]));

export function findOwnCommand(name: string): OwnCommand | undefined {
  return byName.get(name);
}
