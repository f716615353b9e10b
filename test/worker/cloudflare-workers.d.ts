/** What the tests use of the runtime's own module; all of @cloudflare/workers-types would replace the web's types. */
declare module "cloudflare:workers" {
  export const exports: { default: { fetch(request: Request): Promise<Response> } };
  export const env: {
    PLUGIN_ROOM: { idFromName(name: string): unknown; get(id: unknown): object };
  };
}

declare module "cloudflare:test" {
  export function evictDurableObject(stub: object): Promise<void>;
}
