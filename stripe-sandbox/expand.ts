import { badParameter } from './api-error.ts';
import type { Call } from './objects.ts';

const mostDepth = 4;

/**
 * Replaces ids by whole objects, as `expand[]=latest_charge.transfer` asks; in lists the paths begin with
 * `data`.
 */
export async function expandAnswer(call: Call, answer: object, paths: readonly string[]): Promise<object> {
  let whole: unknown = structuredClone(answer);
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.length > mostDepth)
      throw badParameter(
        'parameter_invalid',
        'expand',
        'You cannot expand more than 4 levels of a property.',
      );
    whole = await expandAt(call, whole, steps, path);
  }
  return whole as object;
}

async function expandAt(
  call: Call,
  value: unknown,
  steps: readonly string[],
  path: string,
): Promise<unknown> {
  if (Array.isArray(value)) {
    const all: unknown[] = [];
    for (const each of value) all.push(await expandAt(call, each, steps, path));
    return all;
  }
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (value === null) return null;
  if (typeof value !== 'object' || !(step in value))
    throw badParameter('parameter_invalid', 'expand[0]', `This property cannot be expanded (${path}).`);
  const inner: unknown = Reflect.get(value, step);
  const found =
    typeof inner === 'string'
      ? (await call.objects.find({ id: inner, kind: null, account: call.account }))?.body
      : inner;
  if (found === undefined)
    throw badParameter('parameter_invalid', 'expand[0]', `This property cannot be expanded (${path}).`);
  return { ...value, [step]: await expandAt(call, found, rest, path) };
}
