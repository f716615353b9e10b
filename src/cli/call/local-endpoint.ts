import type { LocalApp } from "../create-local-app.ts";
import { type Endpoint, toHttpRequest } from "./endpoint.ts";

/** The app inside this process as an endpoint. A key goes where the platform's model wants one. */
export function localEndpoint(local: LocalApp, key: string | undefined): Endpoint {
  const url = new URL("http://localhost/");
  return {
    isLocal: true,
    send: async (request, signal) => local.app.fetch(toHttpRequest(url, request, key, signal)),
    close: () => local.close(),
  };
}
