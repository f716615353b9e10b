/** What the tests use of the runtime's own module; all of @cloudflare/workers-types would replace the web's types. */
declare module "cloudflare:workers" {
  interface Objects {
    idFromName(name: string): unknown;
    get(id: unknown): { fetch(request: Request): Promise<Response> };
  }
  export const exports: { default: { fetch(request: Request): Promise<Response> } };
  export const env: {
    PLUGIN_ROOM: Objects;
    PLUGIN_QUEUE: Objects;
    SESSION_STORE: Objects;
  };
}

declare module "cloudflare:test" {
  export function evictDurableObject(
    stub: object,
    options?: { webSockets?: "close" | "hibernate" },
  ): Promise<void>;
  export function listDurableObjectIds(objects: object): Promise<unknown[]>;
  /** @returns whether there was one */
  export function runDurableObjectAlarm(stub: object): Promise<boolean>;
}
