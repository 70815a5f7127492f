import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useStateOfTheme } from "./parts";
import type { Sample } from "./values";
import { short } from "./format";

const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

export interface Line { label: string; color: string; fill?: boolean; stepped?: boolean; bars?: boolean; scale?: string }
export interface ChartProps {
  name: string;
  data: uPlot.AlignedData;
  lines: Line[];
  time?: boolean;
  height?: number;
  window?: [number, number]; // of x
  units?: Record<string, string>; // of the scales y, z: "°C"
}

// A chart of uPlot that keeps its object while data come.
export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const dark = useStateOfTheme();
  const shape = JSON.stringify([props.lines, props.time, props.height, dark]);
  const range = useRef(props.window);
  range.current = props.window;
  useEffect(() => {
    const box = place.current!;
    const height = props.height ?? 170;
    const axis = { stroke: color("soft"), grid: { stroke: color("line"), width: 1 }, ticks: { show: false }, font: "11px system-ui" };
    const scales = [...new Set(props.lines.map((line) => line.scale ?? "y"))];
    const made = new uPlot({
      width: Math.max(200, box.clientWidth), height,
      legend: { show: props.lines.length > 1, live: false },
      cursor: { y: false, drag: { x: false, y: false } },
      scales: {
        x: { time: props.time ?? false, range: (_, low, high) => range.current ?? (low === high ? [low - 1, high + 1] : [low, high]) },
        ...Object.fromEntries(scales.map((scale) => [scale, { range: (_: uPlot, __: number, high: number) => [0, high > 0 ? high * 1.08 : 1] as [number, number] }])),
      },
      axes: [
        { ...axis, size: 28, ...(props.time
          ? { space: 90, values: (_: uPlot, at: number[]) => at.map((s) => new Date(s * 1000).toLocaleTimeString("en-GB")) }
          : { values: (_: uPlot, at: number[]) => at.map((v) => short(v)) }) },
        ...scales.map((scale, i) => ({
          ...axis, scale, side: i === 0 ? 3 : 1, size: 58, grid: { ...axis.grid, show: i === 0 },
          values: (_: uPlot, at: number[]) => at.map((v) => `${short(v)}${props.units?.[scale] ?? ""}`),
        })),
      ],
      series: [
        {},
        ...props.lines.map((line) => ({
          label: line.label, scale: line.scale ?? "y", stroke: color(line.color), width: 1.5, spanGaps: false, points: { show: false },
          ...(line.fill ? { fill: color(line.color) + "55" } : {}),
          ...(line.stepped ? { paths: uPlot.paths.stepped!({ align: 1 }) } : {}),
          ...(line.bars ? { paths: uPlot.paths.bars!({ size: [0.92, 80], align: 1 }), fill: color(line.color) + "aa", width: 0 } : {}),
        })),
      ],
    }, props.data, box);
    plot.current = made;
    const sizes = new ResizeObserver(() => {
      if (box.clientWidth > 50) made.setSize({ width: box.clientWidth, height });
    });
    sizes.observe(box);
    return () => {
      sizes.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape]);
  useEffect(() => plot.current?.setData(props.data), [props.data]);
  return <div class="chart" ref={place} role="img" aria-label={props.name} />;
}

export const END_COLORS: Record<string, string> = {
  RETURNED: "good", EXITED: "accent", TRAPPED: "bad", OUT_OF_FUEL: "warm", OUTPUT_LIMIT: "violet",
  DEADLINE: "violet", EXPIRED: "violet", ENGINE_FAILED: "bad", JOB_OUT_OF_FUEL: "warm", RESULTS_LIMIT: "violet",
};
export const endColor = (end: string) => END_COLORS[end] ?? "soft";

function rgb(name: string): [number, number, number] {
  const hex = color(name).slice(1);
  return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
}

// Low is dark blue, high is yellow: the same for eyes that see fewer colours.
const RAMP = [[38, 24, 96], [44, 80, 150], [34, 140, 150], [90, 195, 110], [250, 230, 70]];
function ramp(part: number): [number, number, number] {
  const at = Math.min(0.9999, Math.max(0, part)) * (RAMP.length - 1);
  const i = Math.floor(at);
  return [0, 1, 2].map((c) => Math.round(RAMP[i][c] + (at - i) * (RAMP[i + 1][c] - RAMP[i][c]))) as [number, number, number];
}

export type Shown = "ends" | "fuel" | number;
export const columnOf = (sample: Sample, shown: Shown) =>
  shown === "fuel" ? sample.fuel : typeof shown === "number" ? sample.values[shown] : null;

export function extent(column: Float64Array, rows: number): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < rows; ++i) {
    if (column[i] < low) low = column[i];
    if (column[i] > high) high = column[i];
  }
  return low <= high ? [low, high] : [0, 0];
}

// A cell for each instance, or for several of them: the last one wins, a failure over all.
export function HeatMap({ sample, instances, shown, width }: { sample: Sample; instances: number; shown: Shown; width: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = useStateOfTheme();
  const perCell = Math.max(1, Math.ceil(instances / 65_536));
  const cells = Math.max(1, Math.ceil(instances / perCell));
  const across = width > 0 ? Math.min(width, cells) : Math.max(1, Math.ceil(Math.sqrt(cells * 2.5)));
  const down = Math.ceil(cells / across);
  useEffect(() => {
    const context = canvas.current!.getContext("2d")!;
    const image = context.createImageData(across, down);
    const ground = rgb("empty");
    for (let cell = 0; cell < across * down; ++cell) image.data.set(cell < cells ? [...ground, 255] : [0, 0, 0, 0], 4 * cell);
    const ends = sample.endNames.map((name) => rgb(endColor(name)));
    const column = columnOf(sample, shown);
    const [low, high] = column ? extent(column, sample.rows) : [0, 0];
    const failed = new Uint8Array(cells);
    for (let row = 0; row < sample.rows; ++row) {
      const cell = Math.floor(sample.instances[row] / perCell);
      const returned = sample.endNames[sample.ends[row]] === "RETURNED";
      if (!column && failed[cell]) continue;
      if (!column && !returned) failed[cell] = 1;
      const value = column ? column[row] : 0;
      if (Number.isNaN(value)) continue;
      image.data.set(column ? ramp(high > low ? (value - low) / (high - low) : 0.5) : ends[sample.ends[row]], 4 * cell);
    }
    context.putImageData(image, 0, 0);
  }, [sample, sample.rows, instances, shown, across, down, dark]);
  return <canvas ref={canvas} class="heat" width={across} height={down} role="img"
    aria-label={`Instances by ${typeof shown === "number" ? `result ${shown + 1}` : shown}, a cell for each${perCell > 1 ? ` ${perCell}` : ""}`} />;
}

// [left edges, counts], of at most 48 bars.
export function histogram(column: Float64Array, rows: number): uPlot.AlignedData {
  const [low, high] = extent(column, rows);
  const bars = high > low ? 48 : 1;
  const size = (high - low) / bars || 1;
  const counts = new Array<number>(bars).fill(0);
  for (let i = 0; i < rows; ++i) {
    if (Number.isFinite(column[i])) ++counts[Math.min(bars - 1, Math.floor((column[i] - low) / size))];
  }
  return [counts.map((_, i) => low + i * size), counts];
}
