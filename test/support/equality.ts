/** Bytes are compared as such: expect looks at them one by one, which takes seconds where a whole site is compared. */
import { expect } from "vitest";

expect.addEqualityTesters([
  (one, other) => (Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : undefined),
]);
