/** Work under a lease tells that it moves: each call that was answered, and each piece of a large body. */
import type { Bucket } from "./bucket.ts";
import type { Lease } from "./lease.ts";
import type { PublishPorts } from "./ports.ts";

type Call<Args extends unknown[], Result> = (...args: Args) => Promise<Result>;

function tellingBucket(bucket: Bucket, { progress }: Pick<Lease, "progress">): Bucket {
  const told =
    <Args extends unknown[], Result>(call: Call<Args, Result>): Call<Args, Result> =>
    async (...args) => {
      const result = await call(...args);
      progress();
      return result;
    };
  return {
    ...bucket,
    get: told(bucket.get),
    head: told(bucket.head),
    put: told(bucket.put),
    putIf: told(bucket.putIf),
    putFile: told((key, file, headers) => bucket.putFile(key, file, headers, progress)),
    getFile: told((key, file) => bucket.getFile(key, file, progress)),
    delete: told(bucket.delete),
    begin: told((release, present) => bucket.begin(release, present, progress)),
    expose: told(bucket.expose),
    forget: told(bucket.forget),
  };
}

/** The ports of a publish while it holds a lease. */
export function portsUnder(lease: Pick<Lease, "progress">, ports: PublishPorts): PublishPorts {
  return {
    ...ports,
    bucket: tellingBucket(ports.bucket, lease),
    cdn(spec) {
      const cdn = ports.cdn(spec);
      return {
        ...cdn,
        async purge(request, reference) {
          await cdn.purge(request, reference, lease.progress);
          lease.progress();
        },
      };
    },
  };
}
