/** A value of a form-encoded request: Stripe nests with `a[b][0]=c`. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue };

const mostDepth = 6;

/**
 * Reads `a[b][0]=c&a[b][1]=d` (or `a[b][]=c`) as `{ a: { b: ['c', 'd'] } }`.
 * @throws RangeError for names that nest too deeply or contradict each other, and for zero characters, which
 *   PostgreSQL cannot store.
 */
export function decodeForm(text: string): Record<string, FormValue> {
  if (/%00|\0/.test(text)) throw new RangeError('a zero character');
  const root = Object.create(null) as Tree;
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.matchAll(/^[^[\]]+|\[([^[\]]*)\]/g)].map(([whole, inner]) => inner ?? whole);
    if (path.length === 0 || path.length > mostDepth) throw new RangeError(name);
    let at = root;
    for (const [position, step] of path.entries()) {
      const key = step === '' ? String(Object.keys(at).length) : step;
      if (position === path.length - 1) {
        at[key] = value;
        break;
      }
      const next = (at[key] ??= Object.create(null) as Tree);
      if (typeof next === 'string') throw new RangeError(name);
      at = next;
    }
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, settle(value)]));
}

interface Tree {
  [name: string]: string | Tree;
}

/** A tree whose names are 0, 1, 2 … is a list. */
function settle(value: string | Tree): FormValue {
  if (typeof value === 'string') return value;
  const names = Object.keys(value);
  if (names.every((name, position) => name === String(position)))
    return names.map((name) => settle(value[name]!));
  return Object.fromEntries(names.map((name) => [name, settle(value[name]!)]));
}
