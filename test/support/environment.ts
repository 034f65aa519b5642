/** Variables that a test sets are its own: after it, failed or not, they are what they were. */
import { afterEach, vi } from "vitest";

afterEach(() => vi.unstubAllEnvs());
