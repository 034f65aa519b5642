/** The report's two pictures, as SVG that is complete in itself: no script draws them. */
import { hierarchy, treemap, treemapSquarify } from "d3-hierarchy";
import { formatBytes, formatCount } from "../base/log.ts";
import type { Group, SizeClass } from "./facts.ts";

const WIDTH = 1152;
const MAP_HEIGHT = 480;
const HEAD = 22;
const TILES = 6;

interface Node {
  readonly name: string;
  readonly sizeBytes: number;
  readonly files: number;
  readonly children?: readonly Node[];
}

/** Text where it fits: about 6.4 pixels a letter. */
function fitting(text: string, width: number): string {
  const room = Math.floor((width - 12) / 6.4);
  if (room < 4) return "";
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}

function layOut(groups: readonly Group[]) {
  const root: Node = {
    name: "site",
    sizeBytes: 0,
    files: 0,
    children: groups.map(({ endpoint, families, ...sum }) => ({
      name: endpoint,
      ...sum,
      children: families,
    })),
  };
  const tree = hierarchy<Node>(root, (node) => node.children?.slice()).sum((node) =>
    node.children === undefined ? Math.max(1, node.sizeBytes) : 0,
  );
  return treemap<Node>()
    .tile(treemapSquarify)
    .size([WIDTH, MAP_HEIGHT])
    .paddingInner(2)
    .paddingTop((node) => (node.depth === 1 ? HEAD : 0))
    .round(true)(tree);
}

/** Bytes by endpoint and family. The same numbers stand in the table below it. */
export function Treemap({ groups }: { readonly groups: readonly Group[] }) {
  const laid = layOut(groups).children ?? [];
  return (
    <svg
      class="map"
      viewBox={`0 0 ${WIDTH} ${MAP_HEIGHT}`}
      role="img"
      aria-label="Bytes by endpoint and family; the table below has the numbers"
    >
      {laid.map((group, at) => (
        <g key={group.data.name} class={`t${at % TILES}`}>
          <rect
            class="group"
            x={group.x0}
            y={group.y0}
            width={group.x1 - group.x0}
            height={group.y1 - group.y0}
          />
          <text class="head" x={group.x0 + 6} y={group.y0 + 15}>
            {fitting(`${group.data.name}  ${formatBytes(group.data.sizeBytes)}`, group.x1 - group.x0)}
          </text>
          {(group.children ?? []).map((tile) => (
            <g key={tile.data.name}>
              <rect class="tile" x={tile.x0} y={tile.y0} width={tile.x1 - tile.x0} height={tile.y1 - tile.y0}>
                <title>{`${group.data.name}, ${tile.data.name}: ${formatCount(tile.data.files)} files, ${formatBytes(tile.data.sizeBytes)}`}</title>
              </rect>
              {tile.y1 - tile.y0 >= 20 && (
                <text x={tile.x0 + 6} y={tile.y0 + 15}>
                  {fitting(tile.data.name, tile.x1 - tile.x0)}
                </text>
              )}
            </g>
          ))}
        </g>
      ))}
    </svg>
  );
}

const BARS_HEIGHT = 160;

/** How many files are how large, in powers of two. */
export function Histogram({ sizes }: { readonly sizes: readonly SizeClass[] }) {
  const most = Math.max(1, ...sizes.map(({ files }) => files));
  const step = WIDTH / Math.max(1, sizes.length);
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${WIDTH} ${BARS_HEIGHT + 44}`}
      role="img"
      aria-label="Files by size; the table below has the numbers"
    >
      {sizes.map(({ from, files }, at) => {
        const height = files === 0 ? 0 : Math.max(2, Math.round((BARS_HEIGHT * files) / most));
        const middle = at * step + step / 2;
        return (
          <g key={from}>
            <rect
              class="bar"
              x={at * step + 4}
              y={20 + BARS_HEIGHT - height}
              width={Math.max(1, step - 8)}
              height={height}
            />
            <text class="middle" x={middle} y={14 + BARS_HEIGHT - height}>
              {formatCount(files)}
            </text>
            <text class="middle faint" x={middle} y={BARS_HEIGHT + 38}>
              {formatBytes(from)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
