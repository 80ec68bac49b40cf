import type { RoadGraph } from '../graph/graph.ts';
import type { RoadPoint } from '../graph/point.ts';

/** Time and length, added separately. */
export interface TextbookLabel {
  milliseconds: number;
  decimetres: number;
}

/**
 * Textbook Dijkstra over pairs of time and length, on the graph's plain arrays, without the code under test.
 */
export function textbookLabels(graph: RoadGraph, from: RoadPoint): (TextbookLabel | undefined)[] {
  const settled: (TextbookLabel | undefined)[] = [];
  const queue: (TextbookLabel & { edge: number })[] = [];
  const before = (a: TextbookLabel, b: TextbookLabel) =>
    a.milliseconds - b.milliseconds || a.decimetres - b.decimetres;
  const push = (entry: TextbookLabel & { edge: number }) => {
    let i = queue.push(entry) - 1;
    while (i > 0 && before(queue[i]!, queue[(i - 1) >> 1]!) < 0) {
      [queue[i], queue[(i - 1) >> 1]] = [queue[(i - 1) >> 1]!, queue[i]!];
      i = (i - 1) >> 1;
    }
  };
  const pop = () => {
    const top = queue[0]!;
    const last = queue.pop()!;
    if (queue.length === 0) return top;
    queue[0] = last;
    for (let i = 0; ;) {
      let least = i;
      for (const child of [2 * i + 1, 2 * i + 2]) {
        if (child < queue.length && before(queue[child]!, queue[least]!) < 0) least = child;
      }
      if (least === i) return top;
      [queue[i], queue[least]] = [queue[least]!, queue[i]!];
      i = least;
    }
  };
  const leave = (edge: number, at: TextbookLabel) => {
    for (let a = graph.arcStart[edge]!; a < graph.arcStart[edge + 1]!; a++) {
      const milliseconds = at.milliseconds + graph.arcMilliseconds[a]!;
      push({ edge: graph.arcTo[a]!, milliseconds, decimetres: at.decimetres });
    }
  };
  for (const { edge, fraction } of from.arrivals) {
    const part = partOf(graph, edge, fraction);
    leave(edge, {
      milliseconds: graph.edgeMilliseconds[edge]! - part.milliseconds,
      decimetres: graph.edgeDecimetres[edge]! - part.decimetres,
    });
  }
  while (queue.length > 0) {
    const { edge, ...label } = pop();
    if (settled[edge]) continue;
    settled[edge] = label;
    leave(edge, {
      milliseconds: label.milliseconds + graph.edgeMilliseconds[edge]!,
      decimetres: label.decimetres + graph.edgeDecimetres[edge]!,
    });
  }
  return settled;
}

function partOf(graph: RoadGraph, edge: number, fraction: number): TextbookLabel {
  return {
    milliseconds: Math.round(graph.edgeMilliseconds[edge]! * fraction),
    decimetres: Math.round(graph.edgeDecimetres[edge]! * fraction),
  };
}

/** The answer that the labels give for a target. */
export function textbookTravel(
  graph: RoadGraph,
  labels: (TextbookLabel | undefined)[],
  from: RoadPoint,
  to: RoadPoint,
) {
  const options: TextbookLabel[] = [];
  for (const { edge, fraction } of to.arrivals) {
    const end = partOf(graph, edge, fraction);
    const label = labels[edge];
    if (label) {
      options.push({
        milliseconds: label.milliseconds + end.milliseconds,
        decimetres: label.decimetres + end.decimetres,
      });
    }
    const start = from.arrivals.find((arrival) => arrival.edge === edge);
    const begin = start && partOf(graph, edge, start.fraction);
    // Points less than half a unit apart are the same point, in either order.
    if (begin && begin.milliseconds <= end.milliseconds && begin.decimetres <= end.decimetres) {
      options.push({
        milliseconds: end.milliseconds - begin.milliseconds,
        decimetres: end.decimetres - begin.decimetres,
      });
    }
  }
  options.sort((a, b) => a.milliseconds - b.milliseconds || a.decimetres - b.decimetres);
  const best = options[0];
  return (
    best && { milliseconds: best.milliseconds, metres: Math.round(best.decimetres / 10), estimated: false }
  );
}
