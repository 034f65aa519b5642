/** From how many bytes on a store is large enough to be worth threads that help: a smaller one is read before they start. */
export const LARGE_STORE_BYTES = 64_000_000;
