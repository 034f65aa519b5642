/** The files of `vitrine edge cloudfront` as data: one stack that contains the function. */
import { API_PATH, ASSETS, FILE_FOLDERS, LLMS_FILE } from "../../api/endpoints.ts";
import { RATE_LIMIT } from "../../api/errors.ts";
import {
  ALLOWED_METHODS,
  cacheControl,
  EXPOSED_HEADERS,
  type FixedResponse,
  notAllowedResponse,
  PREFLIGHT_SECONDS,
  rateLimitedResponse,
} from "../../api/responses.ts";
import {
  block,
  checkFallbacks,
  commonValues,
  type EdgeFile,
  type EdgeSettings,
  filesFrom,
  fillTemplate,
  headersWithout,
  type ReadTemplate,
  requireRoot,
  type TemplateValues,
} from "../template.ts";

/** @throws VitrineError usage, config_invalid */
export function cloudFrontFiles(settings: EdgeSettings, readTemplate: ReadTemplate): EdgeFile[] {
  requireRoot(settings.config.baseUrl);
  checkFallbacks(settings.fallbacks, "host");
  const common = commonValues(settings);
  const methods = ALLOWED_METHODS.split(", ");
  const items = (texts: readonly string[]) =>
    block(
      14,
      texts.map((text) => `- ${text}`),
    );
  const limited = rateLimitedResponse(`${settings.config.rateLimit.requests}`, `${RATE_LIMIT.windowSeconds}`);
  // The firewall cannot name the method that was used.
  const refused = notAllowedResponse("This method", cacheControl(settings.config.cache).clientError);
  const values = {
    ...common,
    SHARED_MAX_AGE_SECONDS: `${settings.config.cache.sharedMaxAgeSeconds}`,
    SITE_RESOURCES: items(
      SITE_KEYS.map((keys) => `!Sub "arn:\${AWS::Partition}:s3:::\${SiteBucket}/${keys}"`),
    ),
    METHODS: items(methods),
    EXPOSED_HEADERS: items(EXPOSED_HEADERS.split(", ")),
    PREFLIGHT_SECONDS: `${PREFLIGHT_SECONDS}`,
    RATE_LIMITED_BODY: limited.body,
    RATE_LIMITED_HEADERS: wafHeaders(limited),
    METHOD_BODY: refused.body,
    METHOD_HEADERS: wafHeaders(refused),
    WAF_METHODS: block(20, methods.flatMap(wafMethod)),
    FUNCTION_CODE: block(8, functionLines(readTemplate("aws/function.js"), common)),
  };
  return filesFrom("aws", ["template.yaml", "README.md"], values);
}

/** Keys that an edge may read from a bucket: `api/v1/*`, `widgets/*`, `explore/*`, `docs/*`, `feeds/*`, `bulk/*`, `llms.txt` */
const SITE_KEYS = [
  ...[
    API_PATH.slice(1),
    ...new Set(ASSETS.map((asset) => asset.slice(0, asset.lastIndexOf("/")))),
    ...FILE_FOLDERS,
  ].map((folder) => `${folder}/*`),
  LLMS_FILE,
];

/** Headers of a response by the firewall, to which response header policies do not apply. The body's kind sets the type. */
function wafHeaders({ headers }: FixedResponse): string {
  const items = headersWithout(headers, "Content-Type").flatMap(([name, value]) => [
    `- Name: ${name}`,
    `  Value: "${value}"`,
  ]);
  return block(18, items);
}

function wafMethod(method: string): string[] {
  return [
    "- ByteMatchStatement:",
    "    FieldToMatch:",
    "      Method: {}",
    "    PositionalConstraint: EXACTLY",
    `    SearchString: ${method}`,
    "    TextTransformations:",
    "      - Priority: 0",
    "        Type: NONE",
  ];
}

/** Without the heading: a function may have 10,240 bytes, and the stack's template names it. */
function functionLines(template: string, values: TemplateValues): string[] {
  return fillTemplate(template.replace(/^\/\/.*\n/, ""), values)
    .trimEnd()
    .split("\n");
}
