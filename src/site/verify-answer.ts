/** Checks one answer of a snapshot against the contract, and that the pages of a list belong together. */
import { dirname } from "node:path";
import { DEFAULT_PER_PAGE, type Endpoint } from "../api/endpoints.ts";
import { envelopeSchema, type Pagination } from "../api/envelope.ts";
import { memo } from "../base/collections.ts";
import { messageOf } from "../base/error.ts";
import { problemOf, schemaCheck } from "../base/schema.ts";
import { keyOf } from "../key/key.ts";
import { paramIndex, type Query } from "../key/query.ts";
import type { Manifest, ManifestEntry } from "./manifest.ts";

interface Envelope {
  readonly data: unknown;
  readonly pagination?: Pagination;
  readonly meta?: { readonly generated_at: string };
}

/** Problems of an answer; also adds its page to `pages`. */
export function checkAnswer(entry: ManifestEntry, query: Query, bytes: Buffer, pages: PageCheck): string[] {
  const { key } = entry;
  let answer: Envelope;
  try {
    answer = JSON.parse(bytes.toString("utf8")) as Envelope;
  } catch (error) {
    return [`${key}: is not JSON: ${messageOf(error)}`];
  }
  const isValid = checkOf(selectsOne(query))(query.endpoint);
  if (isValid !== null && !isValid(answer)) return [`${key}: ${problemOf(isValid, "")}`];
  const problems: string[] = [];
  if (answer.meta !== undefined && answer.meta.generated_at !== entry.generatedAt)
    problems.push(`${key}: its generated_at is not the manifest's`);
  const { data, pagination } = answer;
  if (pagination !== undefined) problems.push(...pages.add(key, { query, pagination, data }));
  return problems;
}

/** By whether one record is selected, and by endpoint; null for an answer that is no envelope. */
const checkOf = memo((one: boolean) =>
  memo((endpoint: Endpoint) => {
    const schema = envelopeSchema(endpoint, one);
    return schema === null ? null : schemaCheck(schema);
  }),
);

function selectsOne({ endpoint, values }: Query): boolean {
  return endpoint.params.some((param, at) => param.selects === true && values[at] !== null);
}

/** Checks pages in order of key, so that the pages of a list follow each other. */
export interface PageCheck {
  /**
   * Problems of this page, if it does not match its key or the pages of its list before it; and, if a new list begins, problems of
   * the list before.
   */
  add(key: string, page: VerifiedPage): string[];
  /** Problems of the last list. */
  finish(): string[];
}

interface VerifiedPage {
  readonly query: Query;
  readonly pagination: Pagination;
  readonly data: unknown;
}

/** A list: its first page seen, the number of pages seen, and the highest page number. */
interface VerifiedList extends VerifiedPage {
  readonly folder: string;
  seen: number;
  last: number;
}

export function createPageCheck(manifest: Pick<Manifest, "get">): PageCheck {
  let list: VerifiedList | null = null;
  const finish = () => (list === null ? [] : missingPages(manifest, list));
  return {
    add(key, page) {
      const folder = dirname(key);
      const problems = list?.folder === folder ? [] : finish();
      if (list?.folder !== folder) list = { ...page, folder, seen: 0, last: 0 };
      list.seen += 1;
      list.last = Math.max(list.last, numberOf(page.query, "page", 1));
      if (!isPageOf(list, page)) problems.push(`${key}: its pagination is wrong`);
      return problems;
    },
    finish,
  };
}

function isPageOf(list: VerifiedPage, { query, pagination, data }: VerifiedPage): boolean {
  const page = numberOf(query, "page", 1);
  const perPage = numberOf(query, "per_page", DEFAULT_PER_PAGE);
  const { total, total_pages: pages } = pagination;
  return (
    pagination.page === page &&
    pagination.per_page === perPage &&
    pages === Math.ceil(total / perPage) &&
    Array.isArray(data) &&
    data.length === Math.max(0, Math.min(perPage, total - (page - 1) * perPage)) &&
    total === list.pagination.total &&
    page <= Math.max(1, pages)
  );
}

/** A list's files may end before the list does, because the fallback answers its deeper pages; but they must have no gap. */
function missingPages(manifest: Pick<Manifest, "get">, { query, seen, last }: VerifiedList): string[] {
  // Each page has its own key: as many pages as the highest number means that none is missing.
  if (seen === last) return [];
  let page = 1;
  while (manifest.get(pageKey(query, page)) !== undefined) page += 1;
  return [`${pageKey(query, page)}: this page of its list is missing`];
}

function numberOf(query: Query, param: string, standard: number): number {
  return Number(query.values[paramIndex(query.endpoint, param)] ?? standard);
}

function pageKey(query: Query, page: number): string {
  return keyOf({ ...query, values: withPage(query.endpoint, query.values, page) });
}

function withPage(endpoint: Endpoint, values: Query["values"], page: number): (string | null)[] {
  return values.map((value, at) => (at === paramIndex(endpoint, "page") ? String(page) : value));
}
