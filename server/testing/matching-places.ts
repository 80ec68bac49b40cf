import { buildCells } from '#roads/graph/cells.ts';
import { createRoadNetwork } from '#roads/graph/graph-network.ts';
import { edgeLine, type RoadGraph } from '#roads/graph/graph.ts';
import { loadRoadGraph } from '#roads/graph/load.ts';
import { timeHierarchy } from '#roads/search/time-arcs.ts';
import { Places, type Place } from '../features/matching/engine/places.ts';
import { Question } from '../features/matching/engine/question.ts';
import { door } from '../features/matching/rules/wish.ts';
import { testRoadCache } from './cache-folder.ts';

/** The roads of Santa Cruz, and the places on them. */
export interface RoadPlaces {
  graph: RoadGraph;
  places: Places;
}

export async function openRoadPlaces(): Promise<RoadPlaces> {
  const graph = await loadRoadGraph({
    pbfFile: 'regions/santa-cruz/roads.osm.pbf',
    cacheFolder: testRoadCache,
  });
  const roads = { graph, cells: buildCells(graph), times: timeHierarchy(graph) };
  return { graph, places: new Places(createRoadNetwork(graph), roads) };
}

/** Draws points along one drawn road. */
export function pointsOfRoad(graph: RoadGraph, random: () => number) {
  const line = edgeLine(graph, Math.floor(random() * graph.edgeCount));
  const drawn = () => {
    const at = Math.floor(random() * (line.length - 1));
    const share = random();
    const [[fromLon, fromLat], [toLon, toLat]] = [line[at]!, line[at + 1]!];
    return { lon: fromLon + (toLon - fromLon) * share, lat: fromLat + (toLat - fromLat) * share };
  };
  return { line, drawn };
}

/** A request for one seat between two doors that says nothing of times. */
export const questionBetween = (places: Places, pickup: Place, dropoff: Place): Question =>
  Question.of(places, {
    seats: 1,
    pickups: [door(pickup.point)],
    dropoffs: [door(dropoff.point)],
    walkMetres: 0,
    earliestMs: 0,
    latestMs: 0,
    arriveByMs: 0,
    preferences: 0,
  })!;
