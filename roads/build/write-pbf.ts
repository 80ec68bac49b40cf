import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { deflateSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import type { Bounds } from '../graph/geometry.ts';
import type { OsmNode, OsmRelation, OsmWay, Tags } from '../build/osm.ts';

type Element = OsmNode | OsmWay | OsmRelation;

const UNITS_PER_DEGREE = 1e7;
const NANO = 1e9;
const MEMBER_TYPES = ['node', 'way', 'relation'];
/** The elements of a block, as osmium writes them: far below the 32 MiB that a block may have. */
const MAX_BLOCK_ELEMENTS = 8_000;

/**
 * Writes an extract, elements in the order given.
 * @param bounds the bounding box for the file's header; without it the header states none.
 */
export async function writePbf(
  file: string,
  elements: Iterable<Element> | AsyncIterable<Element>,
  bounds?: Bounds,
): Promise<void> {
  await pipeline(blobs(elements, bounds), createWriteStream(file));
}

async function* blobs(elements: Iterable<Element> | AsyncIterable<Element>, bounds: Bounds | undefined) {
  yield blob('OSMHeader', header(bounds));
  let run: Element[] = [];
  for await (const element of elements) {
    if (run.length === MAX_BLOCK_ELEMENTS || (run.length > 0 && run[0]!.type !== element.type)) {
      yield blob('OSMData', block(run));
      run = [];
    }
    run.push(element);
  }
  if (run.length > 0) yield blob('OSMData', block(run));
}

function header(bounds: Bounds | undefined): Uint8Array {
  const pbf = new PbfWriter();
  if (bounds) {
    const [west, south, east, north] = bounds.map((degrees) => Math.round(degrees * NANO));
    pbf.writeMessage(
      1,
      (_, box) =>
        [west, east, north, south].forEach((nanoDegrees, i) => box.writeSVarintField(i + 1, nanoDegrees!)),
      null,
    );
  }
  for (const feature of ['OsmSchema-V0.6', 'DenseNodes']) pbf.writeStringField(4, feature);
  return pbf.finish();
}

function blob(type: string, content: Uint8Array): Buffer {
  const body = new PbfWriter();
  body.writeVarintField(2, content.length);
  body.writeBytesField(3, deflateSync(content, { level: 9 }));
  const bytes = body.finish();
  const head = new PbfWriter();
  head.writeStringField(1, type);
  head.writeVarintField(3, bytes.length);
  const headBytes = head.finish();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(headBytes.length);
  return Buffer.concat([length, headBytes, bytes]);
}

function block(run: readonly Element[]): Uint8Array {
  const strings = new Map([['', 0]]);
  const indexOf = (text: string) => {
    const index = strings.get(text) ?? strings.size;
    strings.set(text, index);
    return index;
  };
  const group = new PbfWriter();
  const nodes = run.filter((element) => element.type === 'node');
  if (nodes.length > 0) group.writeMessage(2, writeDense, { nodes, indexOf });
  for (const element of run) {
    if (element.type === 'way') group.writeMessage(3, writeWay, { way: element, indexOf });
    if (element.type === 'relation') group.writeMessage(4, writeRelation, { relation: element, indexOf });
  }
  const content = group.finish();
  const pbf = new PbfWriter();
  pbf.writeMessage(
    1,
    (_, table) => {
      for (const text of strings.keys()) table.writeBytesField(1, Buffer.from(text));
    },
    null,
  );
  pbf.writeBytesField(2, content);
  return pbf.finish();
}

type IndexOf = (text: string) => number;

function writeDense({ nodes, indexOf }: { nodes: OsmNode[]; indexOf: IndexOf }, pbf: PbfWriter): void {
  pbf.writePackedSVarint(1, deltas(nodes.map(({ id }) => id)));
  pbf.writePackedSVarint(8, deltas(nodes.map(({ lat }) => Math.round(lat * UNITS_PER_DEGREE))));
  pbf.writePackedSVarint(9, deltas(nodes.map(({ lon }) => Math.round(lon * UNITS_PER_DEGREE))));
  pbf.writePackedVarint(
    10,
    nodes.flatMap(({ tags = {} }) => [...Object.entries(tags).flat().map(indexOf), 0]),
  );
}

function writeTags(tags: Tags | undefined, indexOf: IndexOf, pbf: PbfWriter): void {
  const entries = Object.entries(tags ?? {});
  pbf.writePackedVarint(
    2,
    entries.map(([key]) => indexOf(key)),
  );
  pbf.writePackedVarint(
    3,
    entries.map(([, value]) => indexOf(value)),
  );
}

function writeWay({ way, indexOf }: { way: OsmWay; indexOf: IndexOf }, pbf: PbfWriter): void {
  pbf.writeVarintField(1, way.id);
  writeTags(way.tags, indexOf, pbf);
  pbf.writePackedSVarint(8, deltas(way.refs));
}

function writeRelation(
  { relation, indexOf }: { relation: OsmRelation; indexOf: IndexOf },
  pbf: PbfWriter,
): void {
  pbf.writeVarintField(1, relation.id);
  writeTags(relation.tags, indexOf, pbf);
  const { members } = relation;
  pbf.writePackedVarint(
    8,
    members.map(({ role }) => indexOf(role)),
  );
  pbf.writePackedSVarint(9, deltas(members.map(({ ref }) => ref)));
  pbf.writePackedVarint(
    10,
    members.map(({ type }) => MEMBER_TYPES.indexOf(type)),
  );
}

function deltas(numbers: readonly number[]): number[] {
  return numbers.map((number, i) => number - (numbers[i - 1] ?? 0));
}
