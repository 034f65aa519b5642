/** nginx (njs): the key of the request's file as a variable. Everything else is nginx's own configuration. */
import { targetKey } from "../../key/key.ts";

/** What of njs's request object is read: `$request_uri` is the target as it was sent. */
interface NginxRequest {
  readonly variables: { readonly request_uri?: string };
}

/** A path below the site's root for `try_files`; one that no file has where no file can answer. */
function file(request: NginxRequest): string {
  const key = targetKey(request.variables.request_uri as string);
  return key === null ? "/none" : `/${key}`;
}

export default { file: file };
