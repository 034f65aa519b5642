/** A picture, or a tile in its place: two letters on a soft colour. */
import { useState } from "preact/hooks";

/** `"Invoice Kit"` → `IK` */
function lettersOf(title: string): string {
  const words = title.match(/[\p{L}\p{N}]+/gu) ?? ["·"];
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join("");
}

interface TileProps {
  readonly id: number;
  readonly title: string;
  readonly src: string;
  readonly class?: string;
  /** True on the first screen. */
  readonly isFirst?: boolean;
}

export function Tile({ id, title, src, class: className = "", isFirst = false }: TileProps) {
  const [failed, setFailed] = useState("");
  if (src === "" || failed === src)
    return (
      <div class={`art h${id % 4} ${className}`} aria-hidden="true">
        <b>{lettersOf(title).toLocaleUpperCase()}</b>
      </div>
    );
  return (
    <div class={`art ${className}`}>
      <img
        src={src}
        alt=""
        loading={isFirst ? "eager" : "lazy"}
        decoding="async"
        referrerpolicy="no-referrer"
        onError={() => setFailed(src)}
      />
    </div>
  );
}
