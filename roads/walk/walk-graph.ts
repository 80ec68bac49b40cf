/**
 * The ways people walk, as flat arrays in shared memory: an undirected graph whose vertices are junctions and
 * whose edges ("pieces") are the walkable ways between them, and the stops: places on drivable roads where a
 * car may wait. Plain data: passing it to another thread copies nothing. Coordinates are in
 * COORDINATE_DEGREES (graph.ts).
 */
export interface WalkArrays {
  /** Pieces that meet at junction v: `linkPiece[linkStart[v] … linkStart[v + 1] - 1]`. */
  linkStart: Uint32Array;
  linkPiece: Uint32Array;
  /** The junctions at a piece's first and last vertex. */
  pieceFrom: Uint32Array;
  pieceTo: Uint32Array;
  pieceDecimetres: Uint32Array;
  /** Vertices of piece p: `shapeStart[p] … shapeStart[p + 1] - 1`, each lon then lat. */
  shapeStart: Uint32Array;
  shapePoints: Int32Array;
  /** The boxes of the pieces: what Flatbush searches. */
  pieceBoxes: Uint8Array;
  /** Stops on piece p: `stopStart[p] … stopStart[p + 1] - 1`. */
  stopStart: Uint32Array;
  /** Where on its piece a stop lies, from the piece's first vertex. */
  stopDecimetres: Uint32Array;
  /** Lon then lat. */
  stopPoints: Int32Array;
  /** Index into `names`, -1 when nameless. */
  stopName: Int32Array;
  /** The class of its road, an index into ROAD_CLASSES (profile.ts): 0 is the most important. */
  stopRank: Uint8Array;
}

export interface WalkGraph extends WalkArrays {
  /** The street names of the stops. */
  names: string[];
}
