/** What is told of each look at something that is followed. */

interface Look {
  readonly seconds: number;
  /** Null where it succeeded. */
  readonly error: unknown;
}

export type Looked = (look: Look) => void;

/** Looks, and tells how it went. @throws as the look does */
export async function tellOfLook<Result>(
  look: () => Promise<Result>,
  looked: Looked | undefined,
): Promise<Result> {
  const started = performance.now();
  const tell = (error: unknown) => looked?.({ seconds: (performance.now() - started) / 1000, error });
  try {
    const result = await look();
    tell(null);
    return result;
  } catch (error) {
    tell(error);
    throw error;
  }
}
