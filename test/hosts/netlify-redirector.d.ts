/** What is used of Netlify's own reader of `_redirects`, which has no types. */
declare module "netlify-redirector" {
  interface Match {
    readonly to: string;
    readonly status: number;
  }
  const redirector: {
    parsePlain(rules: string, options: object): Promise<{ match(request: object): Match | null }>;
  };
  export default redirector;
}
