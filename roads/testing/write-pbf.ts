import { writeFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import type { Bounds } from '../graph/geometry.ts';
import type { OsmNode, OsmRelation, OsmWay, Tags } from '../build/osm.ts';

type Element = OsmNode | OsmWay | OsmRelation;

const UNITS_PER_DEGREE = 1e7;
const NANO = 1e9;
const MEMBER_TYPES = ['node', 'way', 'relation'];

/** Writes a small extract: elements in the order given, one block for each run of one type. */
export async function writePbf(file: string, elements: readonly Element[], bounds?: Bounds): Promise<void> {
  const header = new PbfWriter();
  if (bounds) {
    const [west, south, east, north] = bounds.map((degrees) => Math.round(degrees * NANO));
    header.writeMessage(
      1,
      (_, box) =>
        [west, east, north, south].forEach((nanoDegrees, i) => box.writeSVarintField(i + 1, nanoDegrees!)),
      null,
    );
  }
  for (const feature of ['OsmSchema-V0.6', 'DenseNodes']) header.writeStringField(4, feature);
  const runs: Element[][] = [];
  for (const element of elements) {
    if (runs.at(-1)?.[0]?.type === element.type) runs.at(-1)!.push(element);
    else runs.push([element]);
  }
  await writeFile(
    file,
    Buffer.concat([blob('OSMHeader', header.finish()), ...runs.map((run) => blob('OSMData', block(run)))]),
  );
}

function blob(type: string, content: Uint8Array): Buffer {
  const body = new PbfWriter();
  body.writeVarintField(2, content.length);
  body.writeBytesField(3, deflateSync(content));
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
  const strings = [''];
  const indexOf = (text: string) => {
    const known = strings.indexOf(text);
    return known < 0 ? strings.push(text) - 1 : known;
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
      for (const text of strings) table.writeBytesField(1, Buffer.from(text));
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
