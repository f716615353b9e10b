// Stands in for @types/node in tsconfig.core.json, because liquidjs's types ask for it by
// `/// <reference types="node" />` and would bring all of Node into the core.
declare namespace NodeJS {
  interface ReadableStream {
    readable: boolean;
  }
}
