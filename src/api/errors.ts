/** Error codes of the API: permanent, each with its HTTP status. */

/** Separate constants for CloudFront's function, which has no bytes to spare for the table. */
export const NOT_FOUND = 404;
export const METHOD_NOT_ALLOWED = 405;

export const ERROR_STATUS = {
  invalid_parameter: 400,
  missing_parameter: 400,
  not_found: NOT_FOUND,
  unknown_endpoint: NOT_FOUND,
  method_not_allowed: METHOD_NOT_ALLOWED,
  request_timeout: 408,
  precondition_failed: 412,
  uri_too_long: 414,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503,
} as const;

export type ApiErrorCode = keyof typeof ERROR_STATUS;

/** The parts of the rate limit that are the same for every store. */
export const RATE_LIMIT = { windowSeconds: 60, message: "Too many requests." } as const;

/** Default of `rateLimit` in the configuration, and its largest `requests`. */
export const DEFAULT_RATE_LIMIT = { requests: 120 } as const;
export const MAX_RATE = 10_000;
/** The longest window, and the longest wait for the next one: generated clients refuse more. */
export const MAX_WINDOW_SECONDS = 3600;
