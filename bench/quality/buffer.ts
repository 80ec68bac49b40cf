import {
  greatCircleMetres,
  METRES_PER_DEGREE,
  metresPerDegreeLon,
  type LonLat,
} from '../../roads/graph/geometry.ts';

/** A line on the ground with the time at which the car passes each vertex. */
export interface TimedLine {
  lon: Float64Array;
  lat: Float64Array;
  /** Milliseconds after departure. */
  offsetMs: Float64Array;
}

/** One stretch of driving: its line, how long it takes, and how long the car has waited before it starts. */
export interface DrivenLeg {
  line: readonly (readonly [lon: number, lat: number])[];
  standsMs: number;
  milliseconds: number;
}

/** Joins legs; within each the time is taken to go evenly with the distance. */
export function timedLine(legs: readonly DrivenLeg[]): TimedLine {
  const lon: number[] = [];
  const lat: number[] = [];
  const offsetMs: number[] = [];
  let startsMs = 0;
  for (const { line, standsMs, milliseconds } of legs) {
    startsMs += standsMs;
    const along = [0];
    for (let i = 1; i < line.length; i++)
      along.push(along[i - 1]! + greatCircleMetres(atOf(line[i - 1]!), atOf(line[i]!)));
    const whole = along.at(-1)!;
    for (const [i, [x, y]] of line.entries()) {
      lon.push(x);
      lat.push(y);
      offsetMs.push(startsMs + (whole === 0 ? 0 : (milliseconds * along[i]!) / whole));
    }
    startsMs += milliseconds;
  }
  return { lon: Float64Array.from(lon), lat: Float64Array.from(lat), offsetMs: Float64Array.from(offsetMs) };
}

/** The passing of a line by two places. */
export interface Passing {
  /** Metres between the places and the line, the two added. */
  metres: number;
  /** Milliseconds after departure at which the car passes nearest to the pick-up. */
  pickupOffsetMs: number;
}

/**
 * The passing of a line by a pick-up and then a drop-off, both within a buffer; null where it does not pass,
 * or only the other way round. Where the line comes near more than once, any pair of passings in the right
 * order will do.
 */
export function passes(line: TimedLine, from: LonLat, to: LonLat, bufferMetres: number): Passing | null {
  const pickups = nearSegments(line, from, bufferMetres);
  const dropoffs = nearSegments(line, to, bufferMetres);
  const first = pickups[0];
  const last = dropoffs.at(-1);
  if (first === undefined || last === undefined) return null;
  let best: Passing | null = null;
  for (const pickup of pickups) {
    for (const dropoff of dropoffs) {
      if (dropoff.offsetMs <= pickup.offsetMs) continue;
      const metres = pickup.metres + dropoff.metres;
      if (best === null || metres < best.metres) best = { metres, pickupOffsetMs: pickup.offsetMs };
    }
  }
  return best;
}

/**
 * The nearest point of each run of segments within the buffer, and the run's ends: enough to tell any order
 * apart without pairing hundreds of segments.
 */
function nearSegments(
  line: TimedLine,
  at: LonLat,
  bufferMetres: number,
): { metres: number; offsetMs: number }[] {
  const kx = metresPerDegreeLon(at.lat);
  const ky = METRES_PER_DEGREE;
  const { lon, lat, offsetMs } = line;
  const found: { metres: number; offsetMs: number }[] = [];
  let run: { metres: number; offsetMs: number }[] = [];
  const endRun = () => {
    if (run.length === 0) return;
    const nearest = run.reduce((best, each) => (each.metres < best.metres ? each : best));
    found.push(...new Set([run[0]!, nearest, run.at(-1)!]));
    run = [];
  };
  for (let i = 1; i < lon.length; i++) {
    const ax = (lon[i - 1]! - at.lon) * kx;
    const ay = (lat[i - 1]! - at.lat) * ky;
    const dx = (lon[i]! - at.lon) * kx - ax;
    const dy = (lat[i]! - at.lat) * ky - ay;
    const square = dx * dx + dy * dy;
    const share = square === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / square));
    const metres = Math.hypot(ax + share * dx, ay + share * dy);
    if (metres <= bufferMetres)
      run.push({ metres, offsetMs: offsetMs[i - 1]! + (offsetMs[i]! - offsetMs[i - 1]!) * share });
    else endRun();
  }
  endRun();
  return found;
}

const atOf = ([lon, lat]: readonly [number, number]): LonLat => ({ lon, lat });
