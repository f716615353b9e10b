/** Has a thing closed at the end of the block: `await using folder = closing(await openFolder(root))`. */
export function closing<Thing extends { close(): unknown }>(thing: Thing): Thing & AsyncDisposable {
  return Object.assign(thing, {
    async [Symbol.asyncDispose]() {
      await thing.close();
    },
  });
}
