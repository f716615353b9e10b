import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ConfigError } from "../../src/setup/config.ts";
import { readProxies } from "../../src/setup/read-proxies.node.ts";

const names = fc.constantFrom("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy");

test("a proxy is read from either case of its name, the lower one first, with or without http://", () => {
  const host = fc.constantFrom("proxy.example:3128", "10.0.0.1:8080", "ada:word@proxy.example:1");
  const scheme = fc.constantFrom("", "http://", "https://");
  fc.assert(
    fc.property(fc.dictionary(names, fc.tuple(scheme, host)), (given) => {
      const environment = Object.fromEntries(
        Object.entries(given).map(([name, [before, rest]]) => [name, ` ${before}${rest}`]),
      );
      const expected = (name: string): string => {
        const found = given[name.toLowerCase()] ?? given[name];
        return found === undefined ? "" : `${found[0] || "http://"}${found[1]}`;
      };
      const [httpProxy, httpsProxy] = [expected("HTTP_PROXY"), expected("HTTPS_PROXY")];
      const found = readProxies(environment);
      if (httpProxy === "" && httpsProxy === "") expect(found).toBeUndefined();
      else expect(found).toMatchObject({ httpProxy, httpsProxy });
    }),
  );
});

test.each(["ftp://proxy.example", "http://", "http://:pass-word@", "a b"])(
  "%s is no proxy, and the error says so without it",
  (value) => {
    const read = (): unknown => readProxies({ HTTPS_PROXY: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(
      /^HTTPS_PROXY: is not the address of a proxy\. Write http:\/\/HOST:PORT\.$/,
    );
  },
);

test("this machine is reached without a proxy unless NO_PROXY is set to nothing", () => {
  const read = (more: object): string | undefined =>
    readProxies({ HTTP_PROXY: "p:1", ...more })?.noProxy;
  expect(read({})).toBe("localhost,127.0.0.1,[::1]");
  expect(read({ NO_PROXY: "a.example" })).toBe("a.example,localhost,127.0.0.1,[::1]");
  expect(read({ no_proxy: "*", NO_PROXY: "a.example" })).toBe("*");
  expect(read({ NO_PROXY: "" })).toBe("");
});
