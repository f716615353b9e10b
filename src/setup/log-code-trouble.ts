import { getLogger } from "@logtape/logtape";
import { describeFault } from "../base/errors/describe-cause.ts";
import type { CodeTrouble } from "../code/threads/create-code-pool.ts";

/** A line for each text that was not read as it should be; what it was, never what it says. */
export function logCodeTrouble({ failure, instead, characters, language }: CodeTrouble): void {
  const log = getLogger(["rightseat", "code"]);
  const facts = { characters, language, instead: readings[instead] };
  switch (failure.type) {
    case "late":
      log.warn("code: {characters} characters of {language} took too long, {instead}", facts);
      return;
    case "crashed":
      log.warn(
        "code: a thread failed at {characters} characters of {language}, {instead}: {cause}",
        {
          ...facts,
          cause: describeFault(failure.cause),
        },
      );
      return;
    case "queue-full":
      log.warn("code: too many texts wait for a thread, {instead}", facts);
      return;
    case "waited":
      log.warn("code: no thread was free in time, {instead}", facts);
      return;
    case "no-thread":
      log.error("code: no thread starts, the next try is in {pause} ms, {instead}: {cause}", {
        ...facts,
        pause: failure.pause,
        cause: describeFault(failure.cause),
      });
  }
}

const readings = {
  plain: "so it is read by lines and indentation",
  beginning: "so only its beginning is read, by lines and indentation",
};
