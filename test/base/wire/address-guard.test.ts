// Where requests may go whose address somebody else has chosen.
import type { LookupAddress } from "node:dns";
import { type IncomingMessage, createServer } from "node:http";
import { type AddressInfo, BlockList } from "node:net";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guardedFetch } from "../../../src/base/wire/address-guard.node.ts";
import {
  type GuardOptions,
  checkAddress,
  isHostEntry,
  listedFetch,
  mayConnect,
} from "../../../src/base/wire/address-guard.ts";
import { AppError } from "../../../src/base/errors/app-error.ts";

/** An oracle that shares nothing with the guard: Node's own, with the registry of IANA. */
const reserved = new BlockList();
for (const network of [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24",
  "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
  "168.63.129.16/32",
]
  .join(" ")
  .split(" ")) {
  const [net = "", bits] = network.split("/");
  reserved.addSubnet(net, Number(bits), "ipv4");
}

const everywhere: GuardOptions = { hosts: [], allowsPublic: true };
const byte = fc.integer({ min: 0, max: 255 });
const firsts = [0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 240, 255, 8, 93, 168];
const four = fc.tuple(fc.oneof(byte, fc.constantFrom(...firsts)), byte, byte, byte);

/** The spellings of one address of IPv4 that some parser or other takes. */
const spellings: ((bytes: readonly number[]) => string)[] = [
  (bytes) => bytes.join("."),
  (bytes) => `${bytes.join(".")}.`,
  (bytes) => String(bytes.reduce((sum, each) => sum * 256 + each, 0)),
  (bytes) => `0x${bytes.map((each) => each.toString(16).padStart(2, "0")).join("")}`,
  (bytes) => bytes.map((each) => `0x${each.toString(16)}`).join("."),
  (bytes) => bytes.map((each) => `0${each.toString(8)}`).join("."),
  ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${b * 65_536 + c * 256 + d}`,
  ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${b}.0x${(c * 256 + d).toString(16)}`,
  (bytes) => `[::ffff:${bytes.join(".")}]`,
  (bytes) => `[0:0:0:0:0:FFFF:${bytes.join(".")}]`,
  (bytes) => `[64:ff9b::${bytes.join(".")}]`,
  (bytes) =>
    bytes.join(".").replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  (bytes) => bytes.join("。"),
];

function isAllowed(address: string, options = everywhere): boolean {
  try {
    checkAddress(address, options);
    return true;
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(AppError);
    return false;
  }
}

describe("an address", () => {
  test("of IPv4 is public however it is spelt, or not", () => {
    const anyPort = fc.constantFrom("", ":80", ":8080", ":6379");
    fc.assert(
      fc.property(four, fc.constantFrom(...spellings), anyPort, (bytes, spell, port) => {
        const isPublic = !reserved.check(bytes.join("."), "ipv4");
        expect(isAllowed(`http://${spell(bytes)}${port}/v1`)).toBe(isPublic);
        expect(mayConnect(bytes.join("."), false)).toBe(isPublic);
        expect(mayConnect(`::ffff:${bytes.join(".")}`, false)).toBe(isPublic);
      }),
    );
  });

  test("of IPv6 is public only where it is global unicast", () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((each) => each.toString(16));
    const six = fc.tuple(group, group, group, group, group, group, group, group);
    fc.assert(
      fc.property(six, (groups) => {
        const [first, second] = groups;
        const start = parseInt(first, 16);
        const isSpecial =
          start === 0x2002 ||
          (start === 0x2001 && (parseInt(second, 16) < 0x200 || second === "db8")) ||
          (start === 0x3fff && parseInt(second, 16) < 0x1000);
        const isPublic = start >= 0x2000 && start < 0x4000 && !isSpecial;
        expect(isAllowed(`https://[${groups.join(":")}]/`)).toBe(isPublic);
        expect(mayConnect(`${groups.join(":")}%eth0`, false)).toBe(isPublic);
      }),
    );
    for (const address of [
      "::1",
      "::",
      "fe80::1",
      "fd00:ec2::254",
      "fc00::1",
      "ff02::1",
      "2001:db8::1",
      "2002:7f00:1::",
      "64:ff9b:1::1",
      "::127.0.0.1",
      "5f00::1",
    ])
      expect([address, isAllowed(`http://[${address}]/`)]).toEqual([address, false]);
    expect(isAllowed("http://[2606:4700:4700::1111]/")).toBe(true);
  });

  test.each([
    "http://localhost/",
    "http://LOCALHOST./",
    "http://a.localhost/",
    "http://printer.local/",
    "http://metadata.google.internal/",
    "http://redis/",
    "http://127.1/",
    "http://0/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "data:text/plain,a",
    "https://user:pass@example.com/",
    "https://user@example.com/",
    "https:///",
    "//example.com",
    "",
  ])("%s is refused", (address) => {
    expect(isAllowed(address)).toBe(false);
  });

  test("with a password is refused also where its host is listed", () => {
    const listed = { hosts: ["example.com"], allowsPublic: false };
    expect(isAllowed("https://example.com/", listed)).toBe(true);
    expect(isAllowed("https://key@example.com/", listed)).toBe(false);
  });
});

describe("a list of hosts", () => {
  const isListed = (entry: string, address: string) =>
    isAllowed(address, { hosts: ["other.example", entry], allowsPublic: false });

  test.each([
    ["api.openai.com", "https://api.openai.com/v1", true],
    ["API.openai.com", "http://api.openai.com./v1", true],
    ["api.openai.com", "https://api.openai.com:8443/v1", false],
    ["api.openai.com", "https://api.openai.com.evil.example/v1", false],
    ["api.openai.com", "https://evil-api.openai.com/v1", false],
    ["*.example.org", "https://a.b.example.org/", true],
    ["*.example.org", "https://example.org/", false],
    ["*.example.org", "https://badexample.org/", false],
    ["*.example.org:8443", "https://a.example.org:8443/", true],
    ["*.example.org:8443", "https://a.example.org/", false],
    ["localhost:8080", "http://localhost:8080/", true],
    ["localhost:8080", "http://localhost/", false],
    ["localhost:80", "http://localhost/", true],
    ["127.0.0.1:8080", "http://2130706433:8080/", true],
    ["[::1]:8080", "http://[0:0:0:0:0:0:0:1]:8080/", true],
    ["[::1]", "http://[::1]/", true],
    ["bücher.example", "https://xn--bcher-kva.example/", true],
    ["169.254.169.254", "http://169.254.169.254/latest", true],
  ])("with %s has %s: %s", (entry, address, expected) => {
    expect(isListed(entry, address)).toBe(expected);
  });

  test.each([
    "",
    "*",
    "*.",
    "http://a.example",
    "a b",
    "a/b",
    "a:99999",
    "user@a",
    "*.1.2.3.4",
    "[::1",
    "a:b",
  ])("takes no %j", (entry) => {
    expect(isHostEntry(entry)).toBe(false);
    expect(isListed(entry, "https://a.example/")).toBe(false);
  });
});

test("a name that is listed may lead to a private network, but never to a cloud's credentials", () => {
  for (const address of [
    "10.1.2.3",
    "127.0.0.1",
    "::1",
    "fd12::1",
    "::ffff:192.168.0.1",
    "8.8.8.8",
  ])
    expect(mayConnect(address, true)).toBe(true);
  for (const address of [
    "169.254.169.254",
    "169.254.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "fe80::1%eth0",
    "fd00:ec2::254",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "nonsense",
  ])
    expect([address, mayConnect(address, true)]).toEqual([address, false]);
});

describe("a guarded fetch", () => {
  const asked: {
    url: string;
    method: string;
    headers: IncomingMessage["headers"];
    body: string;
  }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      asked.push({
        url: request.url ?? "",
        method: request.method ?? "",
        headers: request.headers,
        body,
      });
      const to = /^\/to\/(\d+)\/(.*)$/.exec(request.url ?? "");
      if (to === null) response.end("here");
      else response.writeHead(Number(to[1]), { location: decodeURIComponent(to[2] ?? "") }).end();
    });
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  /** Every name leads to what it says, this machine as a rule. */
  const open = (hosts: readonly string[], leads: Record<string, string[]> = {}, more = {}) =>
    guardedFetch({
      hosts: hosts.map((host) => `${host}:${port}`),
      allowsPublic: true,
      connectTimeout: 5_000,
      lookUp: (name, done) => {
        const addresses = leads[name] ?? ["127.0.0.1"];
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
        );
      },
      ...more,
    });
  const codeOf = async (answer: Promise<Response>): Promise<string> => {
    try {
      return await (await answer).text();
    } catch (thrown) {
      return thrown instanceof AppError ? thrown.code : String(thrown);
    }
  };

  test("connects to a name that is listed, wherever it leads", async () => {
    expect(await codeOf(open(["inside.example"])(`http://inside.example:${port}/`))).toBe("here");
  });

  test("connects to no private address under a public name", async () => {
    const before = asked.length;
    for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "169.254.169.254"]) {
      const fetcher = open([], { "public.example": [address] });
      expect(await codeOf(fetcher(`http://public.example:${port}/`))).toBe("host_forbidden");
    }
    expect(asked).toHaveLength(before);
  });

  test("connects to what it looked at, though the name leads elsewhere a moment later", async () => {
    let count = 0;
    const fetcher = open(
      ["rebound.example"],
      {},
      {
        lookUp: (_: string, done: (error: null, found: LookupAddress[]) => void) => {
          count += 1;
          done(null, [{ address: count === 1 ? "127.0.0.1" : "169.254.169.254", family: 4 }]);
        },
      },
    );
    expect(await codeOf(fetcher(`http://rebound.example:${port}/`))).toBe("here");
    expect(count).toBe(1);
  });

  test("follows a redirect to an allowed address only", async () => {
    const fetcher = open(["a.example", "b.example"]);
    const to = (status: number, place: string) =>
      codeOf(fetcher(`http://a.example:${port}/to/${status}/${encodeURIComponent(place)}`));
    expect(await to(302, "/plain")).toBe("here");
    expect(await to(302, `http://b.example:${port}/x`)).toBe("here");
    const before = asked.length;
    expect(await to(302, `http://127.0.0.1:${port}/secret`)).toBe("host_forbidden");
    expect(await to(307, `http://localhost:${port}/secret`)).toBe("host_forbidden");
    expect(await to(301, `http://c.example:${port}/secret`)).toBe("host_forbidden");
    expect(await to(301, `http://u:p@a.example:${port}/secret`)).toBe("invalid_request");
    expect(await to(301, "file:///etc/passwd")).toBe("invalid_request");
    expect(await to(301, "http://[")).toBe("invalid_request");
    expect(asked.slice(before).map(({ url }) => url.startsWith("/to/"))).not.toContain(false);
  });

  test("goes round in no circle", async () => {
    const before = asked.length;
    const path = "/to/302/";
    const circle = `http://a.example:${port}${path}`;
    const answer = open(["a.example"])(`${circle}${encodeURIComponent(path)}`);
    expect(await codeOf(answer)).toBe("host_forbidden");
    expect(asked.length - before).toBeLessThan(8);
  });

  test("takes no header but harmless ones to another origin, and no body", async () => {
    const fetcher = open(["a.example", "b.example"]);
    const send = async (method: string, status: number, place: string) => {
      const target = `http://a.example:${port}/to/${status}/${encodeURIComponent(place)}`;
      const headers = {
        authorization: "Bearer planted-secret",
        cookie: "planted-secret",
        "x-api-key": "planted-secret",
        "x-own": "planted-secret",
        "accept-language": "zh",
        "content-type": "application/json",
      };
      const body = method === "POST" ? { body: '{"a":"planted-secret"}' } : {};
      const code = await codeOf(fetcher(target, { method, headers, ...body }));
      return { code, last: asked.at(-1) };
    };
    const elsewhere = `http://b.example:${port}/x`;
    for (const [method, status] of [
      ["GET", 301],
      ["GET", 307],
      ["POST", 302],
      ["POST", 303],
    ] as const) {
      const { code, last } = await send(method, status, elsewhere);
      expect(code).toBe("here");
      expect(last).toMatchObject({
        url: "/x",
        method: "GET",
        headers: { "accept-language": "zh" },
      });
      expect(JSON.stringify(last)).not.toContain("planted-secret");
    }
    for (const status of [307, 308]) {
      const { code, last } = await send("POST", status, elsewhere);
      expect(code).toBe("host_forbidden");
      expect(last?.url).not.toBe("/x");
      const here = await send("POST", status, "/x");
      expect(here.last).toMatchObject({ method: "POST", body: '{"a":"planted-secret"}' });
      expect(here.last?.headers["x-api-key"]).toBe("planted-secret");
    }
    const { last } = await send("POST", 303, "/x");
    expect(last).toMatchObject({ method: "GET", body: "" });
    expect(last?.headers).not.toHaveProperty("content-type");
  });

  test("leaves a redirect to the caller who wants it", async () => {
    const target = `http://a.example:${port}/to/302/${encodeURIComponent("http://127.0.0.1/")}`;
    const answer = await open(["a.example"])(target, { redirect: "manual" });
    expect(answer.status).toBe(302);
  });

  test("takes a Request as fetch does", async () => {
    const request = new Request(`http://a.example:${port}/r`, { method: "PUT", body: "text" });
    expect(await codeOf(open(["a.example"])(request))).toBe("here");
    expect(asked.at(-1)).toMatchObject({ method: "PUT", body: "text", url: "/r" });
  });

  test("ends with its signal", async () => {
    const answer = open(["a.example"])(`http://a.example:${port}/`, {
      signal: AbortSignal.abort(),
    });
    await expect(answer).rejects.toHaveProperty("name", "AbortError");
  });
});

test("where nothing is looked up, only hosts that are listed are asked", async () => {
  const asked: string[] = [];
  const fetcher = listedFetch(["api.example"], async (input) => {
    asked.push(input instanceof Request ? input.url : input.toString());
    return new Response("here");
  });
  expect(await (await fetcher("https://api.example/a")).text()).toBe("here");
  await expect(fetcher("https://public.example/a")).rejects.toHaveProperty(
    "code",
    "host_forbidden",
  );
  expect(asked).toEqual(["https://api.example/a"]);
});
