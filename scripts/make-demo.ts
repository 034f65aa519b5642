/**
 * `node scripts/make-demo.ts`: makes the store and the pictures of `examples/demo` from the texts in `scripts/demo`. Run it when
 * a text changes, and commit what it made.
 */
import { makePictures } from "./demo/pictures.ts";
import { makeStore } from "./demo/store.ts";

const FOLDER = "examples/demo";

makeStore(`${FOLDER}/store.sqlite`);
const { count, sizeBytes } = await makePictures(`${FOLDER}/media`);
process.stdout.write(`${FOLDER}: store.sqlite and ${count} pictures, ${Math.round(sizeBytes / 1000)} kB\n`);
