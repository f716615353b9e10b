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
