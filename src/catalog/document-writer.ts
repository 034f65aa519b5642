/** Writes the texts for search: the stored documents, and the words of the full-text index. */
import type { Sql, SqlStatement } from "../base/sql.ts";
import { documentId, textWords } from "../search/search-texts.ts";
import type { ResourceName } from "./resources.ts";
import type { StoredDocument } from "./row.ts";

/**
 * Up to this many deleted documents are removed from the index one by one, 6 to 37 ms each. With more of them the whole index
 * is rewritten at the end, which also leaves no trace of deleted words.
 */
const MAX_SECURE_DELETIONS = 50;

/** Segments of a new index, a megabyte each, that may wait to be merged: SQLite allows 2000. */
const MAX_SEGMENTS = 1000;

export class DocumentWriter {
  readonly #db: Sql;
  readonly #isNew: boolean;
  readonly #insert: SqlStatement;
  readonly #insertWords: SqlStatement;
  readonly #delete: SqlStatement<[number]>;
  readonly #deleteWords: SqlStatement;
  readonly #get: SqlStatement<[number], StoredDocument>;
  #deletions = 0;

  /** `isNew`: the catalog has no documents. */
  constructor(db: Sql, isNew: boolean) {
    this.#db = db;
    this.#isNew = isNew;
    this.#insert = db.prepare("INSERT INTO document VALUES (?, ?, ?, ?)");
    this.#insertWords = db.prepare(
      "INSERT INTO document_text (rowid, title, excerpt, text) VALUES (?, ?, ?, ?)",
    );
    this.#delete = db.prepare<[number]>("DELETE FROM document WHERE id = ?");
    this.#deleteWords = db.prepare(
      "INSERT INTO document_text (document_text, rowid, title, excerpt, text) VALUES ('delete', ?, ?, ?, ?)",
    );
    this.#get = db.prepare<[number], StoredDocument>(
      "SELECT title_words AS titleWords, excerpt, text FROM document WHERE id = ?",
    );
    // Merging all at the end is faster than merging while inserting.
    if (isNew) this.#configure("automerge", 0);
    if (isNew) this.#configure("crisismerge", MAX_SEGMENTS);
  }

  /** Replaces the document of a record that has documents; null deletes it. An equal one is not written. */
  put(resource: ResourceName, recordId: number, next: StoredDocument | null): void {
    const id = documentId(resource, recordId);
    const old = this.#isNew ? undefined : this.#get.get(id);
    if (old !== undefined) {
      const { titleWords, excerpt, text } = old;
      if (next?.titleWords === titleWords && next.excerpt === excerpt && next.text === text) return;
      this.#remove(id, old);
    }
    if (next === null) return;
    this.#insert.run(id, next.titleWords, next.excerpt, next.text);
    this.#insertWords.run(id, next.titleWords, textWords(next.excerpt), textWords(next.text));
  }

  /** The index removes a document only if it is given exactly the words that it was given before. */
  #remove(id: number, { titleWords, excerpt, text }: StoredDocument): void {
    if (this.#deletions === 0) this.#configure("secure-delete", 1);
    if (this.#deletions === MAX_SECURE_DELETIONS) this.#configure("secure-delete", 0);
    this.#deletions += 1;
    this.#delete.run(id);
    this.#deleteWords.run(id, titleWords, textWords(excerpt), textWords(text));
  }

  finish(): void {
    if (!this.#isNew && this.#deletions <= MAX_SECURE_DELETIONS) return;
    this.#db.exec("INSERT INTO document_text (document_text) VALUES ('optimize')");
    if (!this.#isNew) return;
    this.#configure("automerge", 4);
    this.#configure("crisismerge", 16);
  }

  /** With a literal: a bound number is a REAL, which the index refuses. */
  #configure(option: string, value: number): void {
    this.#db.exec(`INSERT INTO document_text (document_text, rank) VALUES ('${option}', ${value})`);
  }
}
