/** templates/operate, checked by the tools that it is written for; what they do not see, by rules of our own. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { formatMetrics } from "../../src/base/metrics.ts";
import { MetricsFile } from "../../src/cli/metrics.ts";
import { ServerMetrics } from "../../src/serve/metrics.ts";
import { anchors, wordsOf } from "../docs/markdown.ts";
import { describeWith } from "../edge/support/tools.ts";
import { vitrine } from "../support/command.ts";
import { temporaryFolder } from "../support/shop.ts";

const FOLDER = "templates/operate";
const folder = temporaryFolder();
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const tool = (name: string, args: readonly string[], cwd = ".") =>
  spawnSync(name, args, { cwd, encoding: "utf8", env: { ...process.env, FORCE_COLOR: "0" } });

const options = new Map<string, Set<string>>();

/** Options of a command, as its help lists them. */
function optionsOf(command: string): Set<string> {
  const help = () => vitrine([command, "--help", "--all"]).stdout.matchAll(/--[a-z-]+/g);
  const found = options.get(command) ?? new Set([...help()].map(([name]) => name));
  options.set(command, found);
  return found;
}

function unknownOptions(words: readonly string[]): string[] {
  const [command = ""] = words;
  const known = optionsOf(command);
  return words.filter((word) => word.startsWith("--") && !known.has(word));
}

const UNITS = readdirSync(join(FOLDER, "systemd"));
const SERVICES = UNITS.filter((name) => name.endsWith(".service"));
/** Ten times the exposure that systemd-analyze gives: 96 for a unit that says nothing, "OK" below 50. */
const MOST_EXPOSED = "20";

describeWith(["systemd-analyze"], "units", () => {
  const units = mkdtempSync(join(folder, "units-"));
  for (const name of UNITS) {
    // It looks for the program and the user, which are not here.
    const text = read(`systemd/${name}`).replace(/^ExecStart=\S+/gm, "ExecStart=/bin/true");
    writeFileSync(join(units, name), text.replace(/^User=.*/gm, "User=root"));
  }

  it("are valid for systemd, without an unknown word", () => {
    const { status, stdout, stderr } = tool(
      "systemd-analyze",
      ["verify", ...UNITS.map((name) => `./${name}`)],
      units,
    );
    // It also finds fault with units of the machine's packages.
    const ours = stderr.split("\n").filter((line) => !line.startsWith("/lib/systemd/system/"));
    expect([stdout, ours.join("\n"), status]).toEqual(["", "", 0]);
  });

  it("have a home, where credentials and settings are searched", () => {
    for (const name of SERVICES) {
      const text = read(`systemd/${name}`);
      // A user that is made for the run has none where the machine does not look dynamic users up.
      expect(/^Environment=HOME=\//m.test(text), name).toBe(/^DynamicUser=yes$/m.test(text));
    }
  });

  it.each(SERVICES)("%s has few rights", (name) => {
    const flags = ["security", "--offline=yes", `--threshold=${MOST_EXPOSED}`, `./${name}`];
    expect(tool("systemd-analyze", flags, units)).toMatchObject({ status: 0 });
  });
});

describeWith(["unshare"], "units that publish", () => {
  const SCRIPT = `import("./src/base/process-mark.ts").then(({ markOfThisProcess }) => console.log(markOfThisProcess().machine))`;

  // Else a publisher that was killed is believed alive until its lease ends: a minute without a publish after each restart.
  it.each(["vitrine-publish.service", "vitrine-watch.service"])(
    "%s sees that a process has ended",
    (name) => {
      // systemd mounts a /proc of this kind for the unit: with "pid" it has no /proc/sys, and so not the boot's id.
      const [, subset = "all"] = /^ProcSubset=(\S+)/m.exec(read(`systemd/${name}`)) ?? [];
      const mount = subset === "all" ? "true" : `mount -t proc -o subset=${subset} proc /proc`;
      const node = `exec "$0" --eval '${SCRIPT}'`;
      const seen = tool("unshare", ["--mount", "sh", "-c", `${mount} && ${node}`, process.execPath]);
      expect([seen.stderr, seen.stdout]).toEqual(["", expect.stringMatching(/^[0-9a-f]{16}\n$/)]);
    },
  );
});

describe("commands in units, containers and schedules", () => {
  const lines = [
    ...SERVICES.flatMap((name) => read(`systemd/${name}`).match(/^ExecStart=.*$/gm) ?? []),
    ...(read("github/publish.yml").match(/npx --yes vitrine@\S+ .*$/gm) ?? []),
    ...(read("gitlab/publish.yml").match(/npx --yes vitrine@\S+ .*$/gm) ?? []),
  ].map((line) => wordsOf(line.replace(/^.*?vitrine(?:@\S+)? /, "")));
  const compose = parse(read("container/compose.yaml"), { merge: true }) as {
    services: Record<string, { command?: string[]; logging?: { driver?: string } }>;
  };
  const [dockerCommand = "[]"] = /(?<=^CMD ).*$/m.exec(read("container/Dockerfile")) ?? [];
  const args = [
    JSON.parse(dockerCommand) as string[],
    ...Object.values(compose.services).flatMap(({ command }) => (command === undefined ? [] : [command])),
    ...["fallback", "publish"].flatMap((name) => containersOf(name).map(({ args }) => args)),
  ];

  it("have existing options", () => {
    expect(lines.length + args.length).toBeGreaterThanOrEqual(11);
    for (const words of [...lines, ...args])
      expect([words.join(" "), unknownOptions(words)]).toEqual([words.join(" "), []]);
  });

  // By default Docker keeps each line that a container has ever written (docs.docker.com/engine/logging/configure).
  it("bound the logs of their containers: a fallback writes a line for each request", () => {
    const drivers = Object.entries(compose.services).map(([name, { logging }]) => [name, logging?.driver]);
    expect(drivers).toEqual(Object.keys(compose.services).map((name) => [name, "local"]));
  });
});

interface Container {
  readonly args: string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
}

function manifestsOf(name: string): { apiVersion: string; kind: string }[] {
  return parseAllDocuments(read(`kubernetes/${name}.yaml`)).map(
    (document) => document.toJS() as { apiVersion: string; kind: string },
  );
}

function containersOf(name: string): Container[] {
  const found: Container[] = [];
  JSON.stringify(manifestsOf(name), (key, value: unknown) => {
    if (key === "containers") found.push(...(value as Container[]));
    return value;
  });
  return found;
}

describe("Kubernetes manifests", () => {
  /** Types of the API, so that an unknown key is an error, which no JSON schema of it says. */
  function complaints(change: (text: string) => string): string {
    const into = mkdtempSync(join(folder, "kubernetes-"));
    const objects = ["fallback", "publish"].flatMap(manifestsOf);
    const lines = objects.map((object, at) => {
      const type = `import("kubernetes-types/${object.apiVersion.includes("/") ? object.apiVersion : `core/${object.apiVersion}`}").${object.kind}`;
      return `export const object${at}: ${type} = ${change(JSON.stringify(object))};\n`;
    });
    writeFileSync(join(into, "manifests.ts"), lines.join(""));
    writeFileSync(
      join(into, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          noEmit: true,
          strict: true,
          skipLibCheck: true,
          types: [],
          module: "nodenext",
          target: "es2023",
          paths: { "kubernetes-types/*": [resolve("node_modules/kubernetes-types/*.d.ts")] },
        },
        files: ["manifests.ts"],
      }),
    );
    return tool(resolve("node_modules/.bin/tsc"), ["-p", join(into, "tsconfig.json")]).stdout;
  }

  it("are valid for the API, key by key", () => {
    expect(complaints((text) => text)).toBe("");
    // That they are looked at at all.
    expect(complaints((text) => text.replace("readinessProbe", "readynessProbe"))).toContain(
      "readynessProbe",
    );
    expect(complaints((text) => text.replace("averageUtilization", "averageUtilisation"))).not.toBe("");
  });

  // With a number, each `kubectl apply` sets the pods back to it under load, until the autoscaler has scaled again.
  it("leave the number of pods to the autoscaler", () => {
    interface Scaled {
      readonly kind: string;
      readonly metadata: { readonly name: string };
      readonly spec: {
        readonly replicas?: number;
        readonly scaleTargetRef: { name: string };
        minReplicas: number;
      };
    }
    const all = manifestsOf("fallback") as unknown as Scaled[];
    const scalers = all.filter(({ kind }) => kind === "HorizontalPodAutoscaler");
    expect(scalers.map(({ spec }) => spec.minReplicas)).toEqual([2]);
    for (const { spec } of scalers) {
      const name = spec.scaleTargetRef.name;
      const target = all.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === name);
      expect([name, target?.spec.replicas]).toEqual(["vitrine-fallback", undefined]);
    }
  });

  it("run nothing as root, and nothing that writes outside its volumes", () => {
    for (const container of ["fallback", "publish"].flatMap(containersOf)) {
      expect(container).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
      });
    }
  });
});

describe("the Dockerfile", () => {
  const text = read("container/Dockerfile");

  it("is valid for Docker, by its language server", () => {
    const file = join(folder, "Dockerfile");
    writeFileSync(file, text);
    const lint = (path: string) => tool(resolve("node_modules/.bin/dockerfile-utils"), ["lint", path]);
    expect(lint(file)).toMatchObject({ status: 0 });
    writeFileSync(file, text.replace("WORKDIR /app", "WORKDR /app"));
    expect(lint(file).status).not.toBe(0);
  });

  it("keeps hadolint's important rules: a pinned base, no sudo, no cd, commands as lists, an unprivileged user at the end", () => {
    const lines = text.split("\n");
    const of = (instruction: string) => lines.filter((line) => line.startsWith(`${instruction} `));
    for (const from of of("FROM")) expect(from).toMatch(/:\d+-[a-z-]+(?: AS \w+)?$/);
    for (const run of of("RUN")) expect(run).not.toMatch(/\bsudo\b|\bcd /);
    for (const start of [...of("CMD"), ...of("ENTRYPOINT")]) expect(start).toMatch(/^\w+ \[".*"\]$/);
    expect(of("USER").at(-1)).toBe("USER 65532:65532");
  });

  it("gives its volume to its user, as Docker leaves a volume to root whose folder no step made", () => {
    const volumes = JSON.parse(/^VOLUME (.*)$/m.exec(text)?.[1] ?? "[]") as string[];
    expect(volumes).toEqual(["/cache"]);
    for (const path of volumes)
      expect(text).toMatch(new RegExp(`^COPY --from=build --chown=65532:65532 ${path} ${path}$`, "m"));
  });
});

describe("schedules", () => {
  it("of GitHub are valid", () => {
    const lint = (path: string) => tool(resolve("node_modules/.bin/action-validator"), [path]);
    for (const file of [join(FOLDER, "github/publish.yml"), ".github/workflows/release.yml"])
      expect(lint(file)).toMatchObject({ status: 0 });
    const broken = join(folder, "broken.yml");
    writeFileSync(broken, read("github/publish.yml").replace("runs-on:", "run-on:"));
    expect(lint(broken).status).not.toBe(0);
  });

  // GitHub's runners have no Node 20 since September 2026; checkout, setup-node and cache want Node 24 from v5 on.
  it("of GitHub use actions for a Node that its runners have, as the workflow for releases does", () => {
    const majors = (text: string) =>
      new Map(
        [...text.matchAll(/uses: (\S+)@.*?v(\d+)/g)].map(([, name = "", major]) => [name, Number(major)]),
      );
    const ours = majors(readFileSync(".github/workflows/release.yml", "utf8"));
    const shipped = majors(read("github/publish.yml"));
    expect([...shipped.keys()]).toEqual(["actions/checkout", "actions/setup-node", "actions/cache"]);
    for (const [name, major] of shipped) {
      expect([name, major]).toEqual([name, ours.get(name) ?? major]);
      expect(major, name).toBeGreaterThanOrEqual(5);
    }
  });

  it("for releases publish a tag with provenance and build an image for both architectures, with only the necessary rights", () => {
    interface Job {
      readonly permissions: Record<string, string>;
      readonly steps: readonly { readonly run?: string; readonly uses?: string; readonly with?: object }[];
    }
    const text = readFileSync(".github/workflows/release.yml", "utf8");
    const { on, permissions, jobs } = parse(text) as {
      readonly on: object;
      readonly permissions: object;
      readonly jobs: Record<"package" | "image", Job>;
    };
    expect([on, permissions]).toEqual([{ push: { tags: [expect.any(String)] } }, { contents: "read" }]);
    expect(jobs.package.permissions).toEqual({ contents: "read", "id-token": "write" });
    expect(jobs.image.permissions).toEqual({ contents: "read", packages: "write" });
    expect(jobs.package.steps.at(-1)?.run).toContain("npm publish --provenance");
    expect(jobs.package.steps.map(({ run = "" }) => run).join()).toContain(
      "npm sbom --sbom-format cyclonedx",
    );
    const used = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
    expect(used.length).toBeGreaterThan(5);
    expect(
      used.filter((action = "") => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)),
    ).toEqual([]);
    expect(jobs.image.steps.at(-1)?.with).toMatchObject({
      file: `${FOLDER}/container/Dockerfile`,
      platforms: "linux/amd64,linux/arm64",
      push: true,
    });
    for (const { run = "" } of [...jobs.package.steps, ...jobs.image.steps]) {
      const [, script] = /^npm run (\S+)$/.exec(run) ?? [];
      const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
      if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
    }
  });

  it("of GitLab have one job, at most one at a time, that retries only failures that may pass", () => {
    expect(parse(read("gitlab/publish.yml"))).toMatchObject({
      "publish-catalog": { resource_group: "vitrine-publish", retry: { exit_codes: [5] } },
    });
  });
});

/** Names of all metrics, in the older format, which names families like their samples. */
function metricNames(): Set<string> {
  const file = join(folder, "vitrine.prom");
  const metrics = new MetricsFile(file, ["build", "publish"]);
  metrics.live(3);
  metrics.stayAlive();
  const text = formatMetrics(new ServerMetrics().families(), "text") + readFileSync(file, "utf8");
  const names = [...text.matchAll(/^(\w+)/gm)].map(([, name = ""]) => name);
  const others = readFileSync("docs/metrics.md", "utf8").matchAll(/`((?:vitrine|process)_\w+)`/g);
  return new Set([...names, ...[...others].map(([, name = ""]) => name)]);
}

interface Panel {
  readonly id: number;
  readonly targets: readonly { readonly expr: string }[];
}

interface PromtoolTests {
  readonly tests: readonly { readonly alert_rule_test: readonly { readonly eval_time: string }[] }[];
}

describeWith(["promtool"], "alerts and the dashboard", () => {
  const rules = (
    parse(read("prometheus/alerts.yml")) as {
      groups: { rules: { alert: string; expr: string; annotations: { runbook: string } }[] }[];
    }
  ).groups.flatMap((group) => group.rules);
  const { panels } = JSON.parse(read("grafana/vitrine.json")) as { panels: Panel[] };
  const shown = panels
    .flatMap(({ targets }) => targets.map(({ expr }) => expr))
    .map((expr) => expr.replaceAll("$__rate_interval", "5m").replaceAll("$job", "x"));

  it("are valid for Prometheus, and the alerts pass their tests", () => {
    const at = resolve(FOLDER, "prometheus");
    expect(tool("promtool", ["check", "rules", "alerts.yml"], at)).toMatchObject({ status: 0 });
    expect(tool("promtool", ["check", "config", "prometheus.yml"], at)).toMatchObject({ status: 0 });
    const { tests, ...rest } = parse(read("prometheus/alerts.test.yml")) as PromtoolTests;
    const isLong = (test: PromtoolTests["tests"][number]) => test.alert_rule_test.at(-1)?.eval_time === "26h";
    // A day of rules that are evaluated each minute takes as long as all other tests.
    for (const [name, group, interval] of [
      ["hours", tests.filter((test) => !isLong(test)), "1m"],
      ["day", tests.filter(isLong), "30m"],
    ] as const) {
      const file = join(folder, `${name}.yml`);
      const rule_files = [join(at, "alerts.yml")];
      writeFileSync(file, stringify({ ...rest, rule_files, evaluation_interval: interval, tests: group }));
      const { status, stdout, stderr } = tool("promtool", ["test", "rules", file]);
      expect([group.length > 0, status, stdout + stderr]).toEqual([
        true,
        0,
        expect.stringContaining("SUCCESS"),
      ]);
    }
    const recorded = shown.map((expr, at) => ({ record: `shown:${at}`, expr }));
    const file = join(folder, "shown.yml");
    writeFileSync(file, JSON.stringify({ groups: [{ name: "shown", rules: recorded }] }));
    expect(tool("promtool", ["check", "rules", file])).toMatchObject({ status: 0 });
  });

  it("use only existing metrics", () => {
    const existing = metricNames();
    const asked = [...rules.map(({ expr }) => expr), ...shown].flatMap(
      (expr) => expr.match(/\bvitrine_\w+/g) ?? [],
    );
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter((name) => !existing.has(name))).toEqual([]);
  });

  // Pods found by the annotations prometheus.io/scrape get the job of that search: VitrineGone would page for ever, VitrineDown never.
  it("know the job's name of each fallback, also in Kubernetes", () => {
    const at = resolve(FOLDER, "prometheus");
    const kubernetes = read("prometheus/kubernetes.yml");
    const [first] = parse(kubernetes).scrape_configs as {
      job_name: string;
      relabel_configs: { source_labels: string[]; regex?: string }[];
    }[];
    expect(rules.map(({ expr }) => expr).join()).toContain(`absent(up{job="${first?.job_name}"})`);
    const file = join(folder, "kubernetes.yml");
    // Debian builds promtool without the search in Kubernetes.
    const known = kubernetes.replace(/kubernetes_sd_configs:\n +- role: pod/, "static_configs: []");
    writeFileSync(file, known.replace("- alerts.yml", `- ${join(at, "alerts.yml")}`));
    expect(tool("promtool", ["check", "config", file])).toMatchObject({ status: 0 });
    const [deployment] = manifestsOf("fallback") as unknown as {
      spec: { template: { metadata: { labels: { app: string }; annotations?: object } } };
    }[];
    const pod = deployment?.spec.template.metadata;
    const [port] = containersOf("fallback").flatMap(({ ports = [] }) =>
      ports.filter(({ containerPort }) => containerPort === 9464),
    );
    expect(first?.relabel_configs[0]?.regex).toBe(`${pod?.labels.app};${port?.name}`);
    expect(Object.keys(pod?.annotations ?? {})).toEqual([]);
  });

  it("are for the fallbacks of the compose file there, with no address to change", () => {
    interface Service {
      readonly image: string;
      readonly volumes?: readonly string[];
    }
    const { services } = parse(read("container/compose.yaml"), { merge: true }) as {
      services: Record<string, Service>;
    };
    const mounts = services["prometheus"]?.volumes?.join("\n") ?? "";
    const [, file = ""] =
      /^\.\.\/prometheus\/(\S+):\/etc\/prometheus\/prometheus\.yml:ro$/m.exec(mounts) ?? [];
    const { scrape_configs } = parse(read(`prometheus/${file}`)) as {
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
    };
    const fallbacks = Object.keys(services).filter((name) => services[name]?.image === "vitrine");
    expect(
      scrape_configs.map(({ job_name, static_configs }) => [
        job_name,
        static_configs.flatMap(({ targets }) => targets),
      ]),
    ).toEqual([["vitrine-fallback", fallbacks.map((name) => `${name}:9464`)]]);
    expect(tool("promtool", ["check", "config", file], resolve(FOLDER, "prometheus"))).toMatchObject({
      status: 0,
    });
  });

  it("each name a runbook section that exists", () => {
    const known = anchors("docs/operations.md");
    for (const { alert, annotations } of rules) {
      const [page, anchor = ""] = annotations.runbook.split("#");
      expect([alert, page, known.includes(anchor)]).toEqual([alert, "docs/operations.md", true]);
    }
  });

  it("are in a dashboard that any Grafana can import", () => {
    expect(JSON.parse(read("grafana/vitrine.json"))).toMatchObject({ id: null, uid: "vitrine" });
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});
