// Loaded before the server, so that its memory can be read without what nobody holds any more.
process.on("SIGUSR2", () => globalThis.gc?.());
