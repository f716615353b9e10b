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
  };
}

declare module "cloudflare:test" {
  export function evictDurableObject(stub: object): Promise<void>;
}
