import { AppError } from "../../base/errors/app-error.ts";

/** One POST to a model's API. `url` comes from the settings, never from a request. */
export interface UpstreamRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

export interface UpstreamResponse {
  status: number;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
  /** The body as it comes, at the speed of whoever takes it; to be taken once. */
  body: UpstreamBody;
  /** Ends the request without reading the body. */
  discard(): void;
}

/**
 * A body is pulled, or pushed where the runtime can do that at less cost. Leaving the loop over a pulled
 * one early ends the request; it throws when the connection breaks.
 */
export type UpstreamBody = AsyncIterable<Uint8Array> | PushedBody;

/** A body that the transport pushes into a reader. */
export interface PushedBody {
  /** Begins to push. What came at once is pushed at once. */
  pipe(reader: BodyReader): void;
  /** Nothing more is pushed. A short rest may still be read, so that the connection can be used again. */
  leave(): void;
}

/** Takes a body that is pushed; it never throws. */
export interface BodyReader {
  /** @returns what to wait for before more is pushed; undefined if nothing */
  push(bytes: Uint8Array): Promise<void> | undefined;
  /**
   * The body is over. Nothing follows.
   *
   * @param broken what the connection broke with; undefined where it did not
   */
  end(broken?: unknown): void;
}

/** A port: how requests reach a model. Redirects are not followed, bodies are not decoded. */
export interface UpstreamTransport {
  /** @throws AppError `upstream_unreachable`, or the signal's reason */
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
}

/** The body as one that pushes, whatever it is. */
export function toPushed(body: UpstreamBody): PushedBody {
  return "pipe" in body ? body : new PulledBody(body);
}

/** Reads a body in a loop, at the speed of the reader. */
class PulledBody implements PushedBody {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #hasLeft = false;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#pieces = body[Symbol.asyncIterator]();
  }

  pipe(reader: BodyReader): void {
    void this.#read(reader);
  }

  leave(): void {
    this.#hasLeft = true;
    this.#pieces.return?.().catch(() => undefined);
  }

  async #read(reader: BodyReader): Promise<void> {
    try {
      while (!this.#hasLeft) {
        const { done, value } = await this.#pieces.next();
        if (this.#hasLeft) return;
        if (done === true) {
          reader.end();
          return;
        }
        const drained = reader.push(value);
        if (drained !== undefined) await drained;
      }
    } catch (broken) {
      if (!this.#hasLeft) reader.end(broken);
    }
  }
}

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
