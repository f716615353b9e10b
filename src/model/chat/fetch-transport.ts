import { AppError } from "../../base/errors/app-error.ts";
import type { UpstreamTransport } from "./upstream.ts";

/** The transport of every runtime that has fetch. */
export function createFetchTransport(fetcher: typeof fetch): UpstreamTransport {
  return {
    async send({ url, headers, body, signal }) {
      try {
        const response = await fetcher(url, {
          method: "POST",
          headers,
          body,
          signal,
          redirect: "manual",
        });
        return {
          status: response.status,
          header: (name) => response.headers.get(name) ?? undefined,
          body: response.body ?? noBody(),
          discard: () => void response.body?.cancel().catch(() => undefined),
        };
      } catch (cause) {
        if (signal.aborted) throw signal.reason;
        throw new AppError(
          "upstream_unreachable",
          { en: "The model's address could not be reached.", zh: "无法连接模型的地址。" },
          {
            cause,
          },
        );
      }
    },
  };
}

async function* noBody(): AsyncGenerator<Uint8Array> {}
