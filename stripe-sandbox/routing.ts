import { z } from 'zod';
import type { ApiError } from './api-error.ts';
import { decodeForm } from './form.ts';
import { badParameter, noSuch } from './api-error.ts';
import { pageOf } from './store.ts';
import { objectOf, type Bodies, type Call, type Kind } from './objects.ts';

/** One call of the API. A returned error leaves the changes of the request, a thrown one undoes them. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** @param text the form-encoded body, or the query of a GET. */
  run(call: Call, text: string, id: string): Promise<object | ApiError>;
}

const expand = z.array(z.string().max(200)).max(20).optional();

export function route<S extends z.ZodRawShape>(
  method: Route['method'],
  path: string,
  shape: S,
  handle: (call: Call, input: z.output<z.ZodObject<S>>, id: string) => Promise<object | ApiError>,
): Route {
  const schema = z.strictObject({ ...shape, expand });
  return {
    method,
    path,
    run: (call, text, id) => handle(call, check(schema, text) as z.output<z.ZodObject<S>>, id),
  };
}

/** @throws ApiError that names the first parameter that is unknown, missing or wrong. */
function check(schema: z.ZodType, text: string): unknown {
  let source: unknown;
  try {
    source = decodeForm(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw badParameter('parameter_invalid_string', error.message, `Invalid parameter name: ${error.message}`);
  }
  const parsed = schema.safeParse(source);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw parsed.error;
  const nameOf = (path: readonly PropertyKey[]) =>
    path.map((step, position) => (position === 0 ? String(step) : `[${String(step)}]`)).join('');
  if (issue.code === 'unrecognized_keys') {
    const name = nameOf([...issue.path, issue.keys[0] ?? '']);
    throw badParameter('parameter_unknown', name, `Received unknown parameter: ${name}`);
  }
  const name = nameOf(issue.path);
  const at = issue.path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    source,
  );
  if (at === undefined) throw badParameter('parameter_missing', name, `Missing required param: ${name}.`);
  throw badParameter('parameter_invalid', name, `Invalid ${name}: ${issue.message}`);
}

/** Whole cents, as text in the form. */
export const cents = z
  .string()
  .regex(/^\d{1,8}$/, 'must be a whole number of cents')
  .transform(Number);
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const metadata = z.record(z.string().max(40), z.string().max(500)).optional();
/** Empty takes the value away. */
export const words = (most: number) =>
  z
    .string()
    .max(most)
    .transform((value) => (value === '' ? null : value))
    .optional();
export const webAddress = z.url({ protocol: /^https?$/ }).max(2000);
export const usd = z.enum(['usd', 'USD']).transform(() => 'usd');

const whole = z
  .string()
  .regex(/^\d{1,12}$/, 'must be a whole number')
  .transform(Number);

/** What every list understands. */
export const paging = {
  limit: whole.pipe(z.number().min(1).max(100)).default(10),
  starting_after: z.string().optional(),
  ending_before: z.string().optional(),
  created: z
    .union([whole.transform((at) => ({ gte: at })), z.strictObject({ gte: whole.optional() })])
    .optional(),
};

export type ListInput = z.output<z.ZodObject<typeof paging>>;

/** What a list is limited to, and the address that it names itself by. */
interface ListTerms {
  url: string;
  /** Fields of the body that must equal these. */
  where?: Record<string, string | undefined>;
  /** Only these types of events. */
  types?: readonly string[] | undefined;
}

/** A page of a kind of object in the API's list shape, the newest first. */
export async function listOf<K extends Kind>(
  call: Call,
  kind: K,
  input: ListInput,
  { url, where = {}, types }: ListTerms,
): Promise<{ object: 'list'; data: Bodies[K][]; has_more: boolean; url: string }> {
  const account = kind === 'account' ? '' : call.account;
  for (const cursor of ['starting_after', 'ending_before'] as const) {
    const id = input[cursor];
    if (id !== undefined && (await call.objects.find({ id, kind, account })) === null)
      throw noSuch(kind, id, cursor);
  }
  const { rows, hasMore } = await pageOf(await call.objects.written(), {
    kind,
    account,
    where: Object.fromEntries(
      Object.entries(where).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    ...(types === undefined ? {} : { types }),
    limit: input.limit,
    ...(input.starting_after === undefined ? {} : { startingAfter: input.starting_after }),
    ...(input.ending_before === undefined ? {} : { endingBefore: input.ending_before }),
    ...(input.created?.gte === undefined ? {} : { createdFrom: input.created.gte }),
  });
  return { object: 'list', data: rows.map((row) => objectOf(kind, row).body), has_more: hasMore, url };
}
