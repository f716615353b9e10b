/**
 * What is known of a model's refusal, or of a connection to it that failed: for the log of the operator and
 * for a person who runs the agent in their own terminal, never for clients of a server. It holds no secret.
 */
export interface UpstreamFacts {
  /** Host and port of the model's address. */
  host: string;
  /** The model id that was asked for. */
  model: string;
  /** HTTP status of the answer; absent where none came. */
  status?: number;
  code?: string;
  type?: string;
  /** The parameter at fault. */
  param?: string;
  /** What the model's server said, at most 300 characters; it may quote the prompt, so logs hold it at debug level only. */
  message?: string;
  /** Why no answer came, in our own words: `the connection was refused (ECONNREFUSED)`. */
  connection?: string;
}

/** The facts without what the model's server said: for a log. */
export function withoutMessage({ message: _, ...facts }: UpstreamFacts): UpstreamFacts {
  return facts;
}

/** The facts in one line: `gpt-4.1 at api.openai.com: HTTP 400, code x, type y, param z, message`. */
export function describeUpstream(facts: UpstreamFacts): string {
  const { host, model, status, code, type, param, message, connection } = facts;
  const parts = [
    status === undefined ? undefined : `HTTP ${status}`,
    connection,
    code === undefined ? undefined : `code ${code}`,
    type === undefined ? undefined : `type ${type}`,
    param === undefined ? undefined : `param ${param}`,
    message,
  ].filter((part) => part !== undefined);
  return `${model} at ${host}: ${parts.join(", ")}`;
}
