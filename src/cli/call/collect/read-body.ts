/** The bytes of a response as they come; an abort ends them, and so does leaving the loop. */
export async function* readBody(
  response: Response,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const stop = (): void => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}
