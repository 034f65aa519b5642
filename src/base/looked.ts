/** Looks at something that is followed, and what is told of each. */
import { messageOf } from "./error.ts";

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

/**
 * Looks again and again, each time so long after the last look has ended. What goes wrong is told once for as long as it stays
 * so. To be ended by who begins it.
 */
export function lookEvery(
  milliseconds: number,
  look: () => Promise<unknown>,
  looked: Looked | undefined,
  tell: (error: string) => void,
): { end(): Promise<void> } {
  let looking = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  let told = "";
  const ended = (error: string) => {
    if (error !== "" && error !== told) tell(error);
    told = error;
    if (!isEnded) later();
  };
  const later = () => {
    timer = setTimeout(() => {
      looking = tellOfLook(look, looked).then(
        () => ended(""),
        (error: unknown) => ended(messageOf(error)),
      );
    }, milliseconds).unref();
  };
  later();
  return {
    end: async () => {
      isEnded = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
