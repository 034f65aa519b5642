/** Variables that a test sets are its own: after it, failed or not, they are what they were. */
import { afterEach, vi } from "vitest";
// Once a process: this module is run again for each file.
import "./threads.ts";

afterEach(() => vi.unstubAllEnvs());
