/** A picture, or the tile that stands where there is none: two letters on a soft colour, as good as a picture. */
import { useState } from "preact/hooks";

/** `"Invoice Kit"` → `IK`; the first sign of a script without capitals. */
function lettersOf(title: string): string {
  const words = title.match(/[\p{L}\p{N}]+/gu) ?? [];
  const [first = "·", second = ""] = words;
  if (!/^[\p{Lu}\p{Ll}\p{N}]/u.test(first)) return [...first][0] ?? "·";
  return ([...first][0] ?? "") + ([...second][0] ?? "");
}

interface TileProps {
  readonly id: number;
  readonly title: string;
  readonly src: string;
  readonly class?: string;
}

export function Tile({ id, title, src, class: className = "" }: TileProps) {
  const [failed, setFailed] = useState("");
  if (src === "" || failed === src)
    return (
      <div class={`art h${id % 7} ${className}`} aria-hidden="true">
        <b>{lettersOf(title).toLocaleUpperCase()}</b>
      </div>
    );
  return (
    <div class={`art ${className}`}>
      <img
        src={src}
        alt=""
        loading="lazy"
        decoding="async"
        referrerpolicy="no-referrer"
        onError={() => setFailed(src)}
      />
    </div>
  );
}
