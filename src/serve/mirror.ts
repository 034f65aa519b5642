/**
 * Threads that answer from the lists of a catalog which another thread follows. Numbers and fragments stand once in memory,
 * which all have in common; each thread has its own connection to the copy, and its own texts of the values.
 */
import type { MessagePort } from "node:worker_threads";
import { finishSteps } from "../base/steps.ts";
import { type Catalog, type CatalogChange, openCatalog } from "../catalog/catalog.ts";
import type { Piece } from "../catalog/pieces.ts";
import { RESOURCES, type ResourceName } from "../catalog/resources.ts";

type MirrorOrder =
  /** Go on reading the copy as it is, until told to use the next catalog, or to release it. */
  | { readonly kind: "hold" | "release" }
  /** The next catalog is that of a file; or the present one with other `meta`. Pieces of it follow. */
  | { readonly kind: "open"; readonly file: string }
  | { readonly kind: "change"; readonly meta: CatalogChange["meta"] }
  | { readonly kind: "piece"; readonly piece: Piece }
  /** All pieces are there. */
  | { readonly kind: "use" };

/** What follows a catalog for others. Each promise is kept when all have done it. */
export interface Mirror {
  hold(): Promise<void>;
  release(): Promise<void>;
  /** Another catalog, whose copy is another file, or was read anew. */
  replace(next: Catalog, file: string): Promise<void>;
  /** The catalog that a change makes of the one before it. */
  change(next: Catalog, change: CatalogChange): Promise<void>;
}

/** Nobody else answers. */
export const NO_MIRROR: Mirror = {
  hold: () => Promise.resolve(),
  release: () => Promise.resolve(),
  replace: () => Promise.resolve(),
  change: () => Promise.resolve(),
};

/** Tells threads by a port each; they do one order after the other, and say so. */
export function mirrorIn(ports: readonly MessagePort[]): Mirror {
  const tell = async (order: MirrorOrder): Promise<void> => {
    const done = ports.map((port) => new Promise((resolve) => port.once("message", resolve)));
    for (const port of ports) port.postMessage(order);
    await Promise.all(done);
  };
  const tellAll = async (pieces: Iterable<Piece>): Promise<void> => {
    for (const piece of pieces) await tell({ kind: "piece", piece });
    await tell({ kind: "use" });
  };
  return {
    hold: () => tell({ kind: "hold" }),
    release: () => tell({ kind: "release" }),
    async replace(next, file) {
      const names = RESOURCES.map(({ name }) => name);
      await tell({ kind: "open", file });
      await tellAll(next.pieces(names, true));
    },
    async change(next, { meta, changes, words }) {
      await tell({ kind: "change", meta });
      await tellAll(next.pieces(Object.keys(changes) as ResourceName[], words !== undefined));
    },
  };
}

/** In a thread: the catalog as it is told. Undefined until the first one is there. */
export function mirroredCatalog(port: MessagePort): () => Catalog | undefined {
  let current: Catalog | undefined;
  let next: Catalog | undefined;
  const take = (order: MirrorOrder): void => {
    if (order.kind === "hold") current?.hold();
    else if (order.kind === "release") current?.release();
    else if (order.kind === "open") next = openCatalog(order.file);
    else if (order.kind === "change")
      next = current && finishSteps(current.nextInSteps({ changes: {}, meta: order.meta }));
    else if (order.kind === "piece") next?.take(order.piece);
    else {
      if (current !== undefined && current.db !== next?.db) current.close();
      else current?.release();
      current = next;
    }
  };
  port.on("message", (order: MirrorOrder) => {
    take(order);
    port.postMessage("done");
  });
  return () => current;
}
