/** A change of a catalog → the answers that change with it, and no others: what does not depend on it is not looked at. */
import type { PublicConfig } from "../api/config.ts";
import { ASSETS } from "../api/endpoints.ts";
import type { Steps } from "../base/steps.ts";
import { detailBody, pageBody, pageCount, pageOf } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Allocate } from "../catalog/envelope.ts";
import type { Selection } from "../catalog/table.ts";
import { keyOf, mayHaveFile } from "../key/key.ts";
import type { SnapshotWriter } from "../snapshot/staging.ts";
import { type AffectedList, type CatalogChange, conditionsOf, createFinder, dirtyPages } from "./affected.ts";
import { bandId, planBands } from "./bands.ts";
import { fitWriter } from "./fit-writer.ts";
import { ALIASES, type DetailFamily, type Family, type ListFamily } from "./grid.ts";
import { createGrouper, type Group } from "./groups.ts";
import {
  type BandWeights,
  bandWeights,
  filesOfList,
  type Plan,
  planCatalog,
  planFromBands,
  type Reach,
  reachOf,
} from "./plan.ts";
import { queryFor } from "./queries.ts";
import { type Assets, aliasValues, askedOf, renderSingle, widgetBody } from "./render.ts";

/** Takes what changes of a snapshot. */
interface ChangeWriter extends SnapshotWriter {
  /** Takes a key out, where it is in; not where it is put as well. */
  remove(key: string): void;
  /** Memory for the answer that is put next. */
  readonly allocate: Allocate;
}

/** What became too large for the host is taken out. */
function fitChange(writer: ChangeWriter, config: PublicConfig): ChangeWriter {
  const remove = (key: string) => writer.remove(key);
  return { ...fitWriter(writer, config, remove), remove, allocate: writer.allocate };
}

const NO_REACH: Reach = { pages: { body: 0, link: 0 }, files: 0 };

/** How many files each band is after a change, of how many it was before. */
function countFiles(
  change: CatalogChange,
  before: BandWeights,
  find: (family: ListFamily) => readonly AffectedList[],
): BandWeights {
  const bands: Record<string, readonly [files: number, sizeBytes: number]> = { ...before };
  for (const band of planBands(change.after.config)) {
    const { family } = band;
    const id = bandId(band);
    let more = 0;
    if (family.kind === "detail") {
      const { put = [], deleted = [] } = change.rows.get(family.resource.name) ?? {};
      const old = change.before.table(family.resource.name);
      if (put.length > 0) more = put.filter(({ id }) => old.rowOf(id) < 0).length;
      more -= deleted.length;
    } else if (family.kind !== "single") {
      for (const { before: was, after: is } of find(family)) {
        if (is !== null) more += filesOfList(family, band, is);
        if (was !== null) more -= filesOfList(family, band, was);
      }
    }
    const [files, sizeBytes] = bands[id] ?? [0, 0];
    if (more !== 0) bands[id] = [files + more, sizeBytes];
  }
  return bands;
}

export interface ChangePorts extends Assets {
  readonly writer: ChangeWriter;
}

export interface ChangePlan {
  readonly plan: Plan;
  readonly bands: BandWeights;
}

/** Where bytes have a ceiling, all is weighed again: what bands weigh does not follow from the rows that changed. */
function weighAgain({ after }: CatalogChange, { pages }: ChangePorts): BandWeights {
  return bandWeights(planCatalog(after, pages.weight), after.config);
}

/** Renders what a change changes, an answer a step at most; `before`: what each band was before it. */
export function* renderChange(
  change: CatalogChange,
  before: BandWeights,
  ports: ChangePorts,
): Steps<ChangePlan> {
  const { config } = change.after;
  const writer = fitChange(ports.writer, config);
  const find = createFinder(change);
  const isWeighed = config.grid.maxBytes !== undefined;
  const bands = isWeighed ? weighAgain(change, ports) : countFiles(change, before, find);
  const plan = planFromBands(config, bands);
  const reaches = pairs(reachOf(planFromBands(change.before.config, before)), reachOf(plan));
  for (const { family, before, after } of reaches)
    if (family.kind === "detail") yield* new DetailChange(change, family, { before, after }, writer).render();
  const groupsOf = createGrouper(change.after);
  for (const { family, before, after } of reaches) {
    if (family.kind === "single" || family.kind === "detail") continue;
    yield* new ListChange(change, family, { before, after }, writer).render(find(family), () =>
      groupsOf(family),
    );
  }
  for (const key of ASSETS) writer.put(key, widgetBody(change.after, ports.widgets, key));
  ports.pages.putFilled(writer);
  for (const { family } of reaches) if (family.kind === "single") renderSingle(change.after, family, writer);
  return { plan, bands };
}

interface Reaches {
  readonly before: Reach;
  readonly after: Reach;
}

/** Families by what they are: those of two plans are not the same objects. */
function pairs(
  before: ReadonlyMap<Family, Reach>,
  after: ReadonlyMap<Family, Reach>,
): (Reaches & { readonly family: Family })[] {
  const named = (map: ReadonlyMap<Family, Reach>) =>
    new Map([...map].map(([family, reach]) => [`${family.kind} ${family.name}`, { family, reach }]));
  const [old, next] = [named(before), named(after)];
  return [...new Map([...old, ...next])].map(([name, { family }]) => ({
    family,
    before: old.get(name)?.reach ?? NO_REACH,
    after: next.get(name)?.reach ?? NO_REACH,
  }));
}

/** The records of one resource, each alone. */
class DetailChange {
  readonly #change: CatalogChange;
  readonly #family: DetailFamily;
  readonly #reaches: Reaches;
  readonly #writer: ChangeWriter;

  constructor(change: CatalogChange, family: DetailFamily, reaches: Reaches, writer: ChangeWriter) {
    this.#change = change;
    this.#family = family;
    this.#reaches = reaches;
    this.#writer = writer;
  }

  *render(): Steps<void> {
    const { before, after } = this.#change;
    const { name } = this.#family.resource;
    const isWhole = (["body", "link"] as const).some(
      (form) => this.#reaches.before.pages[form] !== this.#reaches.after.pages[form],
    );
    const { put = [], deleted = [] } = this.#change.rows.get(name) ?? {};
    const ids = isWhole ? allIds(before, after, name) : [...put.map(({ id }) => id), ...deleted];
    const [slugBefore, slugAfter] = [slugsOf(before, name), slugsOf(after, name)];
    for (const id of ids) {
      const [was, is] = [slugBefore(id), slugAfter(id)];
      if (was !== is || isWhole) this.#remove(id, was);
      this.#put(id, is);
      yield;
    }
  }

  #put(id: number, slug: string | null): void {
    const { pages } = this.#reaches.after;
    const json = pages.body === 0 ? null : this.#change.after.detail(this.#family.resource, id);
    if (slug === null || json === null) return;
    this.#writer.put(this.#key({ slug }), detailBody(json, this.#writer.allocate));
    const alias = this.#alias(id);
    if (alias !== null && pages.link > 0) this.#writer.link(alias);
  }

  #remove(id: number, slug: string | null): void {
    const { pages } = this.#reaches.before;
    if (slug === null || pages.body === 0) return;
    this.#writer.remove(this.#key({ slug }));
    const alias = this.#alias(id);
    if (alias !== null && pages.link > 0) this.#writer.remove(alias);
  }

  #alias(id: number): string | null {
    const { alias } = this.#family;
    const param = alias === null ? undefined : ALIASES[alias];
    return param === undefined ? null : this.#key({ [param]: String(id) });
  }

  #key(values: Readonly<Record<string, string>>): string {
    return keyOf(queryFor(this.#family.endpoint, values));
  }
}

function slugsOf({ db }: Catalog, name: string): (id: number) => string | null {
  const slug = db.prepare<[number], string>(`SELECT slug FROM ${name} WHERE id = ?`).pluck();
  return (id) => slug.get(id) ?? null;
}

function allIds(before: Catalog, after: Catalog, name: string): number[] {
  const ids = ({ db }: Catalog) => db.prepare<[], number>(`SELECT id FROM ${name}`).pluck().all();
  return [...new Set([...ids(before), ...ids(after)])];
}

/** How many pages of a list are files, and how many of those also under the product's id. */
interface Extent {
  readonly body: number;
  readonly link: number;
  readonly alias: Readonly<Record<string, string>> | null;
}

/** Lists of which no row changed. */
function* otherLists(
  groups: Iterable<Group>,
  affected: ReadonlyMap<string, AffectedList>,
): Generator<AffectedList> {
  for (const { values, selection } of groups) {
    if (affected.has(values.join("\n"))) continue;
    yield { values, before: selection.total, after: selection.total, rows: [] };
  }
}

/** All lists of one family. */
class ListChange {
  readonly #change: CatalogChange;
  readonly #family: ListFamily;
  readonly #reaches: Reaches;
  readonly #writer: ChangeWriter;
  readonly #size: number;

  constructor(change: CatalogChange, family: ListFamily, reaches: Reaches, writer: ChangeWriter) {
    this.#change = change;
    this.#family = family;
    this.#reaches = reaches;
    this.#writer = writer;
    this.#size = pageOf(queryFor(family.endpoint, { per_page: String(family.perPage) })).size;
  }

  /** `affected`: the lists that changed. Where the family's files reach further or less far now, all are looked at. */
  *render(affected: readonly AffectedList[], groups: () => Iterable<Group>): Steps<void> {
    const { before, after } = this.#reaches;
    const lists = new Map(affected.map((list) => [list.values.join("\n"), list]));
    if (before.pages.body !== after.pages.body || before.pages.link !== after.pages.link) {
      for (const list of otherLists(groups(), lists)) yield* this.#renderList(list);
    }
    for (const list of affected) yield* this.#renderList(list);
  }

  #extent(catalog: Catalog, values: readonly string[], total: number | null, { pages }: Reach): Extent {
    if (total === null) return { body: 0, link: 0, alias: null };
    const body = Math.min(pages.body, pageCount(this.#family.endpoint, total, this.#size));
    const asked = askedOf(this.#family, values);
    const alias = pages.link > 0 ? aliasValues(catalog, this.#family, asked) : null;
    return { body, link: alias === null ? 0 : Math.min(body, pages.link), alias };
  }

  *#renderList(list: AffectedList): Steps<void> {
    const { before, after } = this.#change;
    const was = this.#extent(before, list.values, list.before, this.#reaches.before);
    const is = this.#extent(after, list.values, list.after, this.#reaches.after);
    for (let page = 1; page <= was.body; page++) {
      if (page > is.body) this.#writer.remove(this.#key(askedOf(this.#family, list.values), page));
      const isLink = page <= is.link && sameAlias(was.alias, is.alias);
      if (was.alias !== null && page <= was.link && !isLink) this.#writer.remove(this.#key(was.alias, page));
    }
    if (is.body === 0) return;
    const pages = new Set(dirtyPages(this.#change, this.#family, list, { size: this.#size, last: is.body }));
    for (let page = was.body + 1; page <= is.body; page++) pages.add(page);
    for (let page = sameAlias(was.alias, is.alias) ? was.link + 1 : 1; page <= is.link; page++)
      pages.add(page);
    const selection = after
      .table(this.#family.resource.name)
      .select(conditionsOf(this.#family, list.values), this.#family.sort);
    for (const page of pages) {
      this.#putPage(list, page, selection, is);
      yield;
    }
  }

  #putPage({ values }: AffectedList, page: number, selection: Selection, { link, alias }: Extent): void {
    const { endpoint, resource } = this.#family;
    const query = queryFor(endpoint, { ...askedOf(this.#family, values), page: String(page) });
    const key = keyOf(query);
    if (!mayHaveFile(query, key)) return;
    this.#writer.put(key, pageBody(this.#change.after, resource, query, selection, this.#writer.allocate));
    if (alias !== null && page <= link) this.#writer.link(this.#key(alias, page));
  }

  #key(values: Readonly<Record<string, string>>, page: number): string {
    return keyOf(queryFor(this.#family.endpoint, { ...values, page: String(page) }));
  }
}

function sameAlias(a: Extent["alias"], b: Extent["alias"]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
