/** Types for a package that has none. */
declare module "@adobe/structured-data-validator" {
  export default class Validator {
    /** Items by type, by the format in which they were found. */
    validate(data: {
      readonly jsonld: Readonly<Record<string, readonly object[]>>;
    }): Promise<{ readonly severity: "ERROR" | "WARNING"; readonly issueMessage: string }[]>;
  }
}
