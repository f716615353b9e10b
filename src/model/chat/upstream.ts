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
  /**
   * The body as it comes, read at the speed of whoever iterates. Leaving the loop early ends the
   * request. Throws when the connection breaks.
   */
  body: AsyncIterable<Uint8Array>;
  /** Ends the request without reading the body. */
  discard(): void;
}

/** A port: how requests reach a model. Redirects are not followed, bodies are not decoded. */
export interface UpstreamTransport {
  /** @throws AppError `upstream_unreachable`, or the signal's reason */
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
}
