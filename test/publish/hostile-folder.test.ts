/** Folders that other users could write to or redirect are refused; in all others nothing strange is followed or waited for. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bucket, JOURNAL_KEY, POINTER_KEY } from "../../src/publish/bucket.ts";
import { openDirectory } from "../../src/publish/buckets/directory.ts";
import { refuseIfShared } from "../../src/publish/buckets/trusted-folder.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { OPTIONS, portsOf } from "../support/publishing.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

const KEY = "api/v1/store.json";
const HEADERS = { contentType: "application/json", cacheControl: "", metadata: {} };
const BODY = Buffer.from("{}");
const USER = process.getuid?.() ?? 0;
/** Another user; only root can give files away. */
const OTHER = 65_534;

let folder: string;
let rooms = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-hostile-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function makeRoom(): string {
  rooms += 1;
  const room = join(folder, `room-${rooms}`);
  mkdirSync(join(room, "srv/www"), { recursive: true });
  mkdirSync(join(room, "elsewhere"));
  return room;
}

describe("a folder that others could change", () => {
  interface Case {
    readonly name: string;
    /** Changes the room, in which `srv/www` exists; returns the place. */
    readonly make: (room: string) => string;
    /** Parts of the message below the room: path, mode and command; null if the folder is accepted. */
    readonly refused: ((room: string) => readonly string[]) | null;
    readonly isRoot?: true;
  }
  const withMode = (path: string, mode: number) => (room: string) => {
    chmodSync(join(room, path), mode);
    return join(room, "srv/www");
  };
  const link = (room: string, target: string) => {
    symlinkSync(target, join(room, "link"));
    return join(room, "link");
  };
  const cases: readonly Case[] = [
    {
      name: "is accepted if only this user can write to it",
      make: (room) => join(room, "srv/www"),
      refused: null,
    },
    {
      name: "is accepted if it does not exist yet",
      make: (room) => join(room, "srv/new/below"),
      refused: null,
    },
    { name: "is accepted if others may read it", make: withMode("srv/www", 0o755), refused: null },
    {
      name: "is accepted below a folder like /tmp",
      make: withMode("srv", 0o1777),
      refused: USER === 0 ? null : (room) => [`${room}/srv has mode 1777`],
    },
    {
      name: "is refused if it is a folder like /tmp itself",
      make: withMode("srv/www", 0o1777),
      refused: (room) => [`${room}/srv/www has mode 1777`, "folder below it"],
      isRoot: true,
    },
    {
      name: "is refused if its group may write",
      make: withMode("srv/www", 0o775),
      refused: (room) => [`${room}/srv/www has mode 0775`, `Run: chmod go-w '${room}/srv/www'.`],
    },
    {
      name: "is refused if all users may write",
      make: withMode("srv/www", 0o757),
      refused: (room) => [`${room}/srv/www has mode 0757`, `chmod go-w '${room}/srv/www'`],
    },
    {
      name: "is refused if a group may write to a folder above",
      make: withMode("srv", 0o775),
      refused: (room) => [`${room}/srv has mode 0775`, `into ${room}/srv/www`, `chmod go-w '${room}/srv'`],
    },
    {
      name: "is refused if all users may write to a folder above the missing one",
      make: (room) => {
        chmodSync(join(room, "srv"), 0o777);
        return join(room, "srv/new/below");
      },
      refused: (room) => [`${room}/srv has mode 0777`],
    },
    {
      name: "is accepted through a link of this user",
      make: (room) => link(room, join(room, "srv/www")),
      refused: null,
    },
    {
      name: "is refused if a link leads into a folder that others may write to",
      make: (room) => {
        chmodSync(join(room, "srv"), 0o777);
        return link(room, "srv/www");
      },
      refused: (room) => [`${room}/srv has mode 0777`],
    },
    {
      name: "is refused if a link leads through such a folder, by way of another link",
      make: (room) => {
        chmodSync(join(room, "elsewhere"), 0o777);
        symlinkSync("../srv", join(room, "elsewhere/srv"));
        return link(room, "./elsewhere/srv/www");
      },
      refused: (room) => [`${room}/elsewhere has mode 0777`],
    },
    {
      name: "is refused if it belongs to another user",
      make: (room) => {
        chownSync(join(room, "srv/www"), OTHER, OTHER);
        return join(room, "srv/www");
      },
      refused: (room) => [
        `${room}/srv/www has mode 0755 and belongs to user ${OTHER}`,
        `Run vitrine as user ${OTHER}. If no other user publishes there, run: chown ${USER} '${room}/srv/www'.`,
      ],
      isRoot: true,
    },
    {
      name: "is refused if a folder above belongs to another user, and is open",
      make: (room) => {
        chownSync(join(room, "srv"), OTHER, OTHER);
        chmodSync(join(room, "srv"), 0o1777);
        return join(room, "srv/www");
      },
      refused: (room) => [`run: chown ${USER} '${room}/srv' && chmod go-w '${room}/srv'`],
      isRoot: true,
    },
    {
      name: "is refused if a link in a folder like /tmp belongs to another user",
      make: (room) => {
        chmodSync(room, 0o1777);
        const path = link(room, join(room, "srv/www"));
        lchownSync(path, OTHER, OTHER);
        return path;
      },
      refused: (room) => [`${room}/link has mode 0777`, `chown -h ${USER} '${room}/link'`],
      isRoot: true,
    },
    {
      name: "is refused if a folder of answers is open to the group",
      make: (room) => {
        mkdirSync(join(room, "srv/www/api"));
        chmodSync(join(room, "srv/www/api"), 0o775);
        return join(room, "srv/www");
      },
      refused: (room) => [`${room}/srv/www/api has mode 0775`],
    },
  ];

  for (const { name, make, refused, isRoot } of cases) {
    it.skipIf(isRoot === true && USER !== 0)(name, async () => {
      const room = makeRoom();
      const place = make(room);
      const putting = openDirectory(place).put(KEY, BODY, HEADERS);
      if (refused === null) {
        await putting;
        expect(readFileSync(join(place, KEY))).toEqual(BODY);
        return;
      }
      const error = await putting.catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "guard_refused", exitCode: 6 });
      for (const words of refused(room)) expect(String(error)).toContain(words);
      expect(existsSync(join(place, KEY))).toBe(false);
    });
  }

  it.each([
    [
      "whose modes a mount decides (ntfs-3g)",
      0x65735546,
      /if the mode stays the same.*mount it with uid=\d+,umask=022/,
    ],
    ["with modes (ext4)", 0xef53, undefined],
  ])("is refused on a file system %s", (_, type, hint) => {
    const path = join(makeRoom(), "srv");
    chmodSync(path, 0o777);
    const refused = () => refuseIfShared(path, lstatSync(path), path, () => type);
    const expected = hint === undefined ? undefined : expect.stringMatching(hint);
    expect(refused).toThrow(expect.objectContaining({ code: "guard_refused", hint: expected }));
  });

  it("is not read, either", async () => {
    const room = makeRoom();
    const place = join(room, "srv/www");
    await openDirectory(place).put(POINTER_KEY, BODY, HEADERS);
    chmodSync(join(room, "srv"), 0o777);
    const bucket = openDirectory(place);
    const refused = { code: "guard_refused" };
    await expect(bucket.get(POINTER_KEY)).rejects.toMatchObject(refused);
    await expect(bucket.head(KEY)).rejects.toMatchObject(refused);
    await expect(bucket.delete([KEY])).rejects.toMatchObject(refused);
    await expect(bucket.list("")[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused);
    await expect(bucket.putIf(POINTER_KEY, BODY, HEADERS, { ifNoneMatch: "*" })).rejects.toMatchObject(
      refused,
    );
  });
});

describe("modes", () => {
  it("are open for answers and private for .vitrine/, whatever the umask and the folder's creator", async () => {
    const place = join(makeRoom(), "srv/www");
    mkdirSync(join(place, ".vitrine"));
    chmodSync(join(place, ".vitrine"), 0o755);
    const umask = process.umask(0o077);
    try {
      const bucket = openDirectory(place);
      await bucket.put(KEY, BODY, HEADERS);
      await bucket.put(".vitrine/objects/1.gz", BODY, HEADERS);
      await bucket.putIf(JOURNAL_KEY, BODY, HEADERS, { ifNoneMatch: "*" });
    } finally {
      process.umask(umask);
    }
    const modes = Object.fromEntries(
      readdirSync(place, { recursive: true, encoding: "utf8" })
        .sort()
        .map((name) => [name, (statSync(join(place, name)).mode & 0o777).toString(8)]),
    );
    expect(modes).toEqual({
      ".vitrine": "700",
      ".vitrine/journal.json": "600",
      ".vitrine/lock.sqlite": "600",
      ".vitrine/objects": "700",
      ".vitrine/objects/1.gz": "600",
      api: "755",
      "api/v1": "755",
      "api/v1/store.json": "644",
    });
  });
});

describe("things that Vitrine never puts into a folder:", () => {
  let shop: TinyShop;
  let snapshot: Snapshot;
  let ready: string;
  beforeAll(async () => {
    shop = createTinyShop();
    snapshot = await shop.build("hostile");
  });
  afterAll(() => shop.close());

  /** A published place, another user's folder, and whether anything in it has changed. */
  async function makePlace() {
    const room = makeRoom();
    ready = join(room, "srv/www");
    const victim = join(room, "elsewhere");
    await publish(snapshot, OPTIONS, portsOf(openDirectory(ready)));
    mkdirSync(join(victim, "v1"));
    for (const name of ["v1/store.json", "file"]) writeFileSync(join(victim, name), "not yours");
    const state = () =>
      readdirSync(victim, { recursive: true, encoding: "utf8" })
        .sort()
        .map((name) => {
          const { ino, mtimeMs, mode } = lstatSync(join(victim, name));
          return `${name} ${ino} ${mtimeMs} ${mode}`;
        });
    const before = state();
    return { place: ready, victim, expectUntouched: () => expect(state()).toEqual(before) };
  }

  const replace = (path: string, target: string) => {
    rmSync(path, { recursive: true, force: true });
    symlinkSync(target, path);
  };
  const publishTo = (place: string) => publish(snapshot, OPTIONS, portsOf(openDirectory(place)));
  const refused = { code: "remote_invalid", exitCode: 5 };

  it.each(["api", ".vitrine"])("a link in the place of the folder %s is not followed", async (name) => {
    const { place, victim, expectUntouched } = await makePlace();
    replace(join(place, name), victim);
    const bucket = openDirectory(place);
    const key = name === "api" ? KEY : `${name}/v1/store.json`;
    await expect(bucket.put(key, BODY, HEADERS)).rejects.toMatchObject(refused);
    await bucket.delete([key]);
    const found: string[] = [];
    for await (const each of bucket.list(`${name}/`)) found.push(each);
    expect(found).toEqual([]);
    expectUntouched();
  });

  it.each(["current.json", "journal.json", "lock.sqlite"])(
    "a link in the place of %s is refused",
    async (name) => {
      const { place, victim, expectUntouched } = await makePlace();
      replace(join(place, ".vitrine", name), join(victim, "file"));
      const bucket = openDirectory(place);
      const condition = { ifNoneMatch: "*" } as const;
      await expect(bucket.putIf(`.vitrine/${name}`, BODY, HEADERS, condition)).rejects.toMatchObject({
        ...refused,
        message: expect.stringContaining(name),
      });
      expectUntouched();
    },
  );

  it("a pipe does not block a reader", async () => {
    for (const name of ["current.json", "journal.json"]) {
      const { place } = await makePlace();
      rmSync(join(place, ".vitrine", name), { force: true });
      execFileSync("mkfifo", [join(place, ".vitrine", name)]);
      await expect(publishTo(place), name).rejects.toMatchObject({
        ...refused,
        message: expect.stringContaining(name),
      });
    }
    const { place } = await makePlace();
    rmSync(join(place, ".vitrine/lock.sqlite"));
    execFileSync("mkfifo", [join(place, ".vitrine/lock.sqlite")]);
    const writing = openDirectory(place).putIf(JOURNAL_KEY, BODY, HEADERS, { ifNoneMatch: "*" });
    await expect(writing).rejects.toMatchObject(refused);
  });

  it.each([
    "../elsewhere/file",
    ".vitrine/../../elsewhere/file",
    "api/../../../../elsewhere/file",
    "/etc/hostname",
    "api//v1.json",
    "api/./v1.json",
    "api\\..\\v1.json",
    "api/v1\0.json",
    "",
  ])("a key that leads out is refused: %j", async (key) => {
    const { place, expectUntouched } = await makePlace();
    const bucket: Bucket = openDirectory(place);
    await expect(bucket.put(key, BODY, HEADERS)).rejects.toMatchObject(refused);
    await expect(bucket.putIf(key, BODY, HEADERS, { ifNoneMatch: "*" })).rejects.toMatchObject(refused);
    await expect(bucket.delete([key])).rejects.toMatchObject(refused);
    await expect(bucket.get(key)).rejects.toMatchObject(refused);
    await expect(bucket.head(key)).rejects.toMatchObject(refused);
    expectUntouched();
  });
});
