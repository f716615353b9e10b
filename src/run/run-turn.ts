import type { CommandTable } from "../flows/commands.ts";
import type { Services } from "../flows/flow.ts";
import { settle } from "../turn/settle.ts";
import { measureModel } from "./measure-model.ts";
import type { Turn } from "../turn/turn.ts";
import type { TurnEvent } from "../turn/turn-event.ts";
import type { Admission } from "./admissions.ts";

/**
 * Runs the command of a turn; its events keep the contract of `settle`. When they are over, or whoever
 * reads them leaves, the admission ends. Nothing happens before the first event is asked for.
 */
export function runTurn(
  admission: Admission,
  turn: Turn,
  commands: CommandTable,
  services: Services,
): AsyncGenerator<TurnEvent, void, void> {
  const { figures } = admission;
  const flow = commands.resolve(turn);
  const measured = { ...turn, model: measureModel(turn.model, figures) };
  const focus = turn.given === undefined ? undefined : { facts: turn.given };
  return settle(flow(measured, services, focus), turn.signal, (failure, reason) => {
    figures.reason = reason;
    admission.end(turn, failure);
  });
}
