/** Writes the texts that search looks at: what is stored of them, and the words of the full-text index. */
import type Database from "better-sqlite3";
import { documentId, hasDocuments } from "../search/documents.ts";
import type { ResourceName } from "./resources.ts";
import { type DocumentWords, type StoredDocument, storedWords } from "./row.ts";

/**
 * Documents whose words are taken out of the index on the spot: 6 to 37 ms each. For more of them the whole index is
 * written anew at the end, which leaves nothing of what was deleted either.
 */
const MOST_SECURE_DELETIONS = 50;

/** Pieces of a new index, of a megabyte each, that wait to be merged: SQLite allows for 2000. */
const MOST_SEGMENTS = 1000;

export class DocumentWriter {
  readonly #db: Database.Database;
  readonly #isNew: boolean;
  readonly #insert: Database.Statement;
  readonly #insertWords: Database.Statement;
  readonly #deleteDocument: Database.Statement<[number]>;
  readonly #deleteWords: Database.Statement;
  readonly #get: Database.Statement<[number], StoredDocument>;
  #deletions = 0;
  #changed = false;

  constructor(db: Database.Database, isNew: boolean) {
    this.#db = db;
    this.#isNew = isNew;
    this.#insert = db.prepare("INSERT INTO document VALUES (?, ?, ?, ?)");
    this.#insertWords = db.prepare(
      "INSERT INTO document_text (rowid, title, excerpt, text) VALUES (?, ?, ?, ?)",
    );
    this.#deleteDocument = db.prepare<[number]>("DELETE FROM document WHERE id = ?");
    this.#deleteWords = db.prepare(
      "INSERT INTO document_text (document_text, rowid, title, excerpt, text) VALUES ('delete', ?, ?, ?, ?)",
    );
    this.#get = db.prepare<[number], StoredDocument>(
      "SELECT title_words AS titleWords, excerpt, text FROM document WHERE id = ?",
    );
    // Merging what is inserted as one goes takes longer than doing it once at the end.
    if (isNew) this.#configure("automerge", 0);
    if (isNew) this.#configure("crisismerge", MOST_SEGMENTS);
  }

  /** True once a document came, changed or went. */
  get changed(): boolean {
    return this.#changed;
  }

  get(resource: ResourceName, id: number): StoredDocument | null {
    return hasDocuments(resource) ? (this.#get.get(documentId(resource, id)) ?? null) : null;
  }

  /** Puts a document in the place of its former self; null where there was none. */
  put(
    resource: ResourceName,
    id: number,
    next: StoredDocument,
    words: DocumentWords,
    old: StoredDocument | null,
  ): void {
    const place = documentId(resource, id);
    if (old !== null) {
      const { titleWords, excerpt, text } = old;
      if (next.titleWords === titleWords && next.excerpt === excerpt && next.text === text) return;
      this.delete(resource, id, old);
    }
    this.#changed = true;
    this.#insert.run(place, next.titleWords, next.excerpt, next.text);
    this.#insertWords.run(place, words.title, words.excerpt, words.text);
  }

  /** The index forgets a document only where it is given the very words that it was given before. */
  delete(resource: ResourceName, id: number, old: StoredDocument): void {
    if (this.#deletions === 0) this.#configure("secure-delete", 1);
    if (this.#deletions === MOST_SECURE_DELETIONS) this.#configure("secure-delete", 0);
    this.#deletions += 1;
    this.#changed = true;
    const place = documentId(resource, id);
    this.#deleteDocument.run(place);
    const words = storedWords(old);
    this.#deleteWords.run(place, words.title, words.excerpt, words.text);
  }

  finish(): void {
    if (!this.#isNew && this.#deletions <= MOST_SECURE_DELETIONS) return;
    this.#db.exec("INSERT INTO document_text (document_text) VALUES ('optimize')");
    if (!this.#isNew) return;
    this.#configure("automerge", 4);
    this.#configure("crisismerge", 16);
  }

  /** As a literal: a bound number is a REAL, and no value for the index. */
  #configure(option: string, value: number): void {
    this.#db.exec(`INSERT INTO document_text (document_text, rank) VALUES ('${option}', ${value})`);
  }
}
