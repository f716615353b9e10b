import { AppError, type ErrorCode } from "../../../src/base/errors/app-error.ts";
import { type Frame, isLast, msgOf, open } from "../../helpers/plugin-client.ts";
import { doorPromises, type ReadStream } from "../door-promises.ts";

/** Their sentences are all that the protocol has room for. */
const codes: readonly ErrorCode[] = ["upstream_truncated", "draining", "overloaded"];

function codeOf(sentence: string): string {
  const isOf = (code: ErrorCode): boolean => {
    const error = new AppError(code, "");
    return [error.sentence("en"), error.sentence("zh")].includes(sentence);
  };
  return codes.find(isOf) ?? sentence;
}

doorPromises("plugin", {
  ask(app, { key, language } = {}) {
    const headers = key === undefined ? {} : { "X-Api-Key": key };
    const opened = open(app, { headers });
    const frames: Frame[] = [];
    const asked = (async () => {
      const client = await opened;
      if (client instanceof Response) return client;
      client.send({
        request_id: 1,
        cmd: "exec_chat",
        msg: "What?",
        model: "",
        language,
        stream: true,
      });
      return client;
    })();
    const take = async (): Promise<Frame> => {
      const client = await asked;
      if (client instanceof Response) throw new Error(`refused with ${client.status}`);
      const frame = await client.next();
      frames.push(frame);
      return frame;
    };
    return {
      async refusal() {
        const client = await asked;
        if (client instanceof Response)
          return ((await client.json()) as { error: { code: string } }).error.code;
        const { error } = await take();
        return typeof error === "string" ? codeOf(error) : undefined;
      },
      async whole(): Promise<ReadStream> {
        while (!frames.some(isLast)) await take();
        const { error } = frames.at(-1) ?? {};
        const ids = frames.flatMap(({ stream_seq_id: id }) => (typeof id === "number" ? [id] : []));
        const isCounted = ids.every((id, nth) => id === nth);
        const sentence = typeof error === "string" ? error : undefined;
        return {
          text: msgOf(frames),
          isWhole: isCounted && frames.findIndex(isLast) === frames.length - 1,
          error: sentence === undefined ? undefined : { code: codeOf(sentence), sentence },
        };
      },
      async leave() {
        const client = await asked;
        if (!(client instanceof Response)) client.leave();
      },
    };
  },
});
