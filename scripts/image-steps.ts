/**
 * Executes the Dockerfile without a daemon: `npx node scripts/image-steps.ts --package FILE [--base FOLDER]`. The context is
 * the package, as `npm pack` makes it. Stages are folders in which this machine's `/usr` is mounted, with this project's Node;
 * `--base` names a system made by debootstrap to use instead. The last stage is started as its user, on a read-only root and with a
 * catalog of the demo store; its health check is called, and it is stopped. A volume belongs to the user of the image's folder, as
 * Docker makes it. Needs root, unshare and ip.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { base: { type: "string" }, package: { type: "string" } } });
const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "vitrine-image-"));
const LONGEST_START_MILLISECONDS = 60_000;
/** How this machine reaches the registry, and the certificates that it trusts. */
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const NETWORK_FILES = ["/etc/resolv.conf", "/etc/hosts", CERTIFICATES];

interface Stage {
  readonly root: string;
  workdir: string;
  user: string;
  readonly environment: Record<string, string>;
  volumes: readonly string[];
  health: readonly string[];
  entrypoint: readonly string[];
  command: readonly string[];
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: "inherit" });
}

/** The result of `FROM node:…`: a system with Node and npm. `/usr` is this machine's unless another system is named. */
function makeBase(): string {
  const base = join(folder, "base");
  if (values.base !== undefined) run("cp", "-a", `${values.base}/.`, base);
  for (const made of ["usr", "proc", "tmp", "root", "etc/ssl/certs", "opt/node/bin"])
    mkdirSync(join(base, made), { recursive: true });
  chmodSync(join(base, "tmp"), 0o1777);
  for (const name of ["bin", "lib", "lib64"])
    if (!existsSync(join(base, name))) symlinkSync(`usr/${name}`, join(base, name));
  cpSync(process.execPath, join(base, "opt/node/bin/node"));
  for (const file of NETWORK_FILES)
    if (existsSync(file)) cpSync(file, join(base, file), { recursive: true, dereference: true });
  return base;
}

function startStage(base: string): Stage {
  const root = mkdtempSync(join(folder, "stage-"));
  run("cp", "-a", `${base}/.`, root);
  mkdirSync(join(root, "dev"), { recursive: true });
  if (!existsSync(join(root, "dev/null"))) run("mknod", "-m", "666", join(root, "dev/null"), "c", "1", "3");
  const environment = {
    PATH: "/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: "/root",
  };
  return {
    root,
    workdir: "/",
    user: "0:0",
    environment,
    volumes: [],
    health: [],
    entrypoint: [],
    command: [],
  };
}

/** Instructions, each with its continued lines. */
function instructionsOf(dockerfile: string): (readonly [name: string, rest: string])[] {
  const lines = readFileSync(dockerfile, "utf8")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n");
  return lines.flatMap((line) => {
    const [, name = "", rest = ""] = /^([A-Z]+) (.*)$/.exec(line.trim()) ?? [];
    return name === "" ? [] : [[name, rest] as const];
  });
}

/** The build's context: only the package. */
function makeContext(): string {
  const context = join(folder, "context");
  if (values.package === undefined) throw new Error("--package is missing");
  cpSync(values.package, join(context, basename(values.package)));
  return context;
}

class Image {
  readonly #base = makeBase();
  readonly #context = makeContext();
  readonly #stages = new Map<string, Stage>();
  #stage: Stage | undefined;

  get last(): Stage {
    if (this.#stage === undefined) throw new Error("no FROM comes first");
    return this.#stage;
  }

  do(name: string, rest: string): void {
    console.log(`${name} ${rest}`);
    const stage = name === "FROM" ? this.#from(rest) : this.last;
    if (name === "WORKDIR") {
      stage.workdir = rest;
      mkdirSync(join(stage.root, rest), { recursive: true });
    } else if (name === "ENV") Object.assign(stage.environment, Object.fromEntries([rest.split("=")]));
    else if (name === "COPY") this.#copy(rest, stage);
    else if (name === "RUN") this.#run(rest, stage);
    else if (name === "USER") stage.user = rest;
    else if (name === "VOLUME") {
      stage.volumes = JSON.parse(rest);
      for (const path of stage.volumes) mkdirSync(join(stage.root, path), { recursive: true });
    } else if (name === "HEALTHCHECK") stage.health = JSON.parse(rest.slice(rest.indexOf("[")));
    else if (name === "ENTRYPOINT") stage.entrypoint = JSON.parse(rest);
    else if (name === "CMD") stage.command = JSON.parse(rest);
    else if (!["FROM", "EXPOSE"].includes(name)) throw new Error(`${name} is not supported here`);
  }

  #from(rest: string): Stage {
    const [, , name = ""] = rest.replace(/^--platform=\S+ /, "").split(" ");
    this.#stage = startStage(this.#base);
    this.#stages.set(name, this.#stage);
    return this.#stage;
  }

  #copy(rest: string, stage: Stage): void {
    const words = rest.split(" ");
    const flagOf = (name: string) => words.find((word) => word.startsWith(`--${name}=`))?.split("=")[1];
    const from = flagOf("from");
    const source = from === undefined ? this.#context : this.#stages.get(from)?.root;
    if (source === undefined) throw new Error(`there is no stage ${from}`);
    const paths = words.filter((word) => !word.startsWith("--"));
    const target = join(stage.root, resolve(stage.workdir, paths.pop() ?? ""));
    for (const path of paths) run("sh", "-c", `cp -a ${join(source, path)} "$1"`, "sh", target);
    const owner = flagOf("chown");
    if (owner !== undefined) run("chown", "-R", owner, target);
  }

  #run(command: string, stage: Stage): void {
    const certificates = { NPM_CONFIG_CAFILE: CERTIFICATES, NODE_EXTRA_CA_CERTS: CERTIFICATES };
    const env = { ...stage.environment, ...certificates };
    const inside = ["/bin/sh", "-c", `cd ${stage.workdir} && ${command}`];
    const [program, ...args] = within(stage, [], "0:0", inside);
    execFileSync(program, args, { env, stdio: "inherit" });
  }
}

/** A command line that runs another one in the stage, as a user, in a separate mount namespace. */
function within(
  { root }: Stage,
  mounts: readonly string[],
  user: string,
  command: readonly string[],
): [program: string, ...args: string[]] {
  const steps = [
    `mount --bind '${root}' '${root}'`,
    `cd '${root}'`,
    ...(values.base === undefined ? ["mount --bind /usr usr", "mount -o remount,ro,bind usr"] : []),
    "mount -t proc proc proc",
    ...mounts,
    `exec chroot --userspec=${user} . "$@"`,
  ];
  return ["unshare", "--mount", "--propagation", "private", "sh", "-c", steps.join(" && "), "sh", ...command];
}

/** Starts a command in the stage as its user, where only /tmp and what the volumes let it are writable. */
function startIn(stage: Stage, catalog: string, command: readonly string[]): ChildProcess {
  const mounts = [
    `mkdir -p catalog && mount --bind '${catalog}' catalog`,
    "mount -o remount,ro,bind .",
    "mount -t tmpfs -o mode=1777 tmpfs tmp",
    ...stage.volumes.map((path) => mountOfVolume(path.slice(1))),
  ];
  const [program, ...args] = within(stage, ["ip link set lo up", ...mounts], stage.user, command);
  // It has a separate network, so its ports are free.
  return spawn(program, ["--net", ...args], { env: stage.environment, stdio: "inherit" });
}

/** A new volume has the owner and the rights of the image's folder; a folder that no step made is root's. */
function mountOfVolume(path: string): string {
  return `mount -t tmpfs -o "$(stat -c mode=%a,uid=%u,gid=%g ${path})" tmpfs ${path}`;
}

/** Starts a command beside another one, as `docker exec` does. */
function startBeside(
  { pid }: ChildProcess,
  { user, environment }: Stage,
  command: readonly string[],
): ChildProcess {
  const [setuid, setgid] = user.split(":");
  const args = [
    `--target=${pid}`,
    "--mount",
    "--net",
    "--root",
    `--setuid=${setuid}`,
    `--setgid=${setgid}`,
    "--",
  ];
  return spawn("nsenter", [...args, ...command], { env: environment, stdio: "inherit" });
}

async function codeOf(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}

async function main(): Promise<void> {
  const image = new Image();
  for (const [name, rest] of instructionsOf("templates/operate/container/Dockerfile")) image.do(name, rest);
  const stage = image.last;
  const catalog = join(folder, "catalog");
  mkdirSync(catalog, { mode: 0o755 });
  run(process.execPath, "scripts/seed-store.ts", "--products", "150", "--out", join(folder, "store.sqlite"));
  run(
    process.execPath,
    "scripts/make-catalog.ts",
    join(folder, "store.sqlite"),
    join(catalog, "catalog.sqlite"),
  );
  const to = stage.command.indexOf("--to");
  const command = [
    ...stage.entrypoint,
    ...stage.command.toSpliced(to, 2, "--catalog", "/catalog/catalog.sqlite"),
  ];
  console.log(`as ${stage.user}: ${command.join(" ")}`);
  const server = startIn(stage, catalog, command);
  const ended = codeOf(server);
  let health: number | null = 1;
  const deadline = performance.now() + LONGEST_START_MILLISECONDS;
  while (health !== 0 && performance.now() < deadline && server.exitCode === null) {
    await sleep(500);
    health = await codeOf(startBeside(server, stage, stage.health));
  }
  console.log(`the health check ends with ${health}`);
  for (const path of stage.volumes) {
    const code = await codeOf(startBeside(server, stage, ["test", "-w", path]));
    console.log(`its user ${code === 0 ? "may" : "may not"} write to ${path}`);
    if (code !== 0) process.exitCode = 1;
  }
  server.kill("SIGTERM");
  const code = await ended;
  console.log(`stopped, it ends with ${code}`);
  if (health !== 0 || code !== 0) process.exitCode = 1;
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
