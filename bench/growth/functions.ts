import { firstVeteranRequest, perVeteran, veterans, type Shape } from './shape.ts';

/** Towns that people live in, in addition to those of the region, where a tenth of them do. */
const towns = 200;

/**
 * SQL functions that make the same row of the same number every time, so that rows refer to each other
 * without a search. The planner inlines them: those that take part of a row's number replace a costly
 * expression.
 */
export function helpers({ people, drivers }: Shape, now: Date): string {
  const ridesOfVeterans = veterans * perVeteran.rides;
  const lastVeteranRequest = firstVeteranRequest + veterans * perVeteran.requests - 1;
  const made = (signature: string, returns: string, body: string) =>
    `create function growth.${signature} returns ${returns} language sql stable parallel safe as $$ select ${body} $$;`;
  return [
    'create schema growth;',
    made('now()', 'timestamptz', `timestamptz '${now.toISOString()}'`),
    made(
      'unit(i bigint, salt int)',
      'float8',
      '(hashint8extended(i, salt) & 1073741823)::float8 / 1073741824',
    ),
    made('pick(i bigint, salt int, n bigint)', 'bigint', 'floor(growth.unit(i, salt) * n)::bigint'),
    // As `keyOf` makes it.
    made(
      'key(kind text, i bigint)',
      'uuid',
      "overlay(overlay(md5(kind || ':' || i) placing '4' from 13) placing '8' from 17)::uuid",
    ),
    made('person(i bigint)', 'uuid', "growth.key('person', i)"),
    // Few people have very many: the square of an even number favors the first ones.
    made(
      'driver(i bigint)',
      'bigint',
      `case when i < ${ridesOfVeterans} then i % ${veterans} else ${veterans} + floor(power(growth.unit(i, 1), 2) * ${drivers - veterans})::bigint end`,
    ),
    made(
      'passenger(i bigint)',
      'bigint',
      `case when i between ${firstVeteranRequest} and ${lastVeteranRequest} then i % ${veterans} else ${veterans} + floor(power(growth.unit(i, 2), 2) * ${people - veterans})::bigint end`,
    ),
    made('is_home(i bigint)', 'boolean', `i < ${lastVeteranRequest} or growth.unit(i, 3) < 0.1`),
    made(
      'lon(i bigint, salt int)',
      'float8',
      `case when growth.is_home(i) then -122.02 else -120 + 10 * growth.unit(growth.pick(i, 4, ${towns}), 5) end + 0.2 * (growth.unit(i, salt) - 0.5)`,
    ),
    made(
      'lat(i bigint, salt int)',
      'float8',
      `case when growth.is_home(i) then 36.985 else 34 + 8 * growth.unit(growth.pick(i, 4, ${towns}), 6) end + 0.05 * (growth.unit(i, salt) - 0.5)`,
    ),
    made(
      'area(lon float8, lat float8)',
      'integer',
      '(floor((lat + 90) / 0.015) * 18000 + floor((lon + 180) / 0.02))::int',
    ),
    // Most drive to work and back.
    made(
      'minute(i bigint)',
      'bigint',
      'case when growth.unit(i, 7) < 0.4 then 840 + growth.pick(i, 8, 150) when growth.unit(i, 7) < 0.8 then growth.pick(i, 8, 180) else growth.pick(i, 8, 1440) end',
    ),
    made(
      'past(i bigint)',
      'timestamptz',
      "date_trunc('day', growth.now()) - make_interval(days => 1 + growth.pick(i, 9, 729)::int) + make_interval(mins => growth.minute(i)::int)",
    ),
    made(
      'coming(i bigint)',
      'timestamptz',
      "date_trunc('day', growth.now()) + make_interval(days => 1 + growth.pick(i, 9, 13)::int) + make_interval(mins => growth.minute(i)::int)",
    ),
    made(
      'recent(i bigint, salt int, days float8)',
      'timestamptz',
      "growth.now() - growth.unit(i, salt) * days * interval '1 day'",
    ),
    made('number(i bigint)', 'text', "'SW-' || upper(lpad(to_hex(i), 6, '0'))"),
  ].join('\n');
}
