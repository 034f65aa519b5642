/** Random values from faker, seeded: the same draws on every machine. No clock, and only the locales named here. */
import { faker as german } from "@faker-js/faker/locale/de";
import { faker } from "@faker-js/faker/locale/en";
import { faker as french } from "@faker-js/faker/locale/fr";
import { faker as japanese } from "@faker-js/faker/locale/ja";
import { faker as norwegian } from "@faker-js/faker/locale/nb_NO";
import { faker as turkish } from "@faker-js/faker/locale/tr";

const COUNTRIES = [faker, german, french, norwegian, turkish, japanese];
const NAMES = 600;

/** Each part of the store draws from a separate stream, so that a change in one does not affect the others. */
export function reseed(seed: string, stream: string): void {
  const state = [...Buffer.from(`${seed}/${stream}`)];
  for (const one of COUNTRIES) one.seed(state);
}

/** Both ends included. */
export const between = (min: number, max: number): number => faker.number.int({ min, max });

/** True in so many of 100 cases. */
export const chance = (percent: number): boolean => faker.datatype.boolean(percent / 100);

export const pick = <T>(list: readonly T[]): T => faker.helpers.arrayElement(list);

export const sample = <T>(list: readonly T[], count: number): T[] => faker.helpers.arrayElements(list, count);

export const version = (): string => faker.system.semver();

/** Public names of people: a first name and an initial, a screen name, sometimes the full name. */
export function publicNames(): string[] {
  return Array.from({ length: NAMES }, (_, index) => {
    const { person, internet } = COUNTRIES[index % COUNTRIES.length] ?? faker;
    if (index % 10 < 6) return `${person.firstName()} ${person.lastName().slice(0, 1)}.`;
    return index % 10 < 9 ? internet.displayName() : `${person.firstName()} ${person.lastName()}`;
  });
}
