import Database from "better-sqlite3";
import { holdFile } from "../../../src/extract/stores/held-file.ts";
import { sqliteFilesOf } from "../../../src/extract/stores/sqlite-files.ts";
import { beginPicture, type Picture } from "../../../src/extract/stores/sqlite-picture.ts";

/** A look at a store as a build takes it. */
export function lookAt<Result>(
  file: string,
  use: (db: Database.Database, picture: Picture) => Result,
): Result {
  const files = sqliteFilesOf(file);
  const main = holdFile(files.main);
  const db = new Database(file, { readonly: true });
  try {
    const picture = beginPicture(db, files, main);
    if (picture === null) throw new Error("no picture");
    return use(db, picture);
  } finally {
    db.close();
  }
}
