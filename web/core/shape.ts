/*
 * Stored values are read with care: another version of the app may have written something else. These few
 * kinds replace zod, which comes only with the forms that check an input of the contract.
 */

/** The shape of a stored value; a schema of the contract serves as well. */
export interface Schema<T> {
  safeParse: (raw: unknown) => { success: true; data: T } | { success: false; data?: undefined };
}

export interface Shape<T> extends Schema<T> {
  nullable: () => Shape<T | null>;
  /** Reads as `instead` whatever has another shape. */
  catch: (instead: T) => Shape<T>;
}

export type Shaped<S> = S extends Schema<infer T> ? T : never;

const wrong = { success: false } as const;

function shape<T>(safeParse: Schema<T>['safeParse']): Shape<T> {
  return {
    safeParse,
    nullable: () => shape<T | null>((raw) => (raw === null ? { success: true, data: null } : safeParse(raw))),
    catch: (instead) =>
      shape((raw) => {
        const parsed = safeParse(raw);
        return parsed.success ? parsed : { success: true, data: instead };
      }),
  };
}

/** What `isSound` says yes to, as it is. */
export const valueOf = <T>(isSound: (raw: unknown) => raw is T): Shape<T> =>
  shape((raw) => (isSound(raw) ? { success: true, data: raw } : wrong));

export const text = valueOf((raw) => typeof raw === 'string');
export const figure = valueOf((raw): raw is number => Number.isFinite(raw));
export const flag = valueOf((raw) => typeof raw === 'boolean');
export const anything = valueOf((_raw): _raw is unknown => true);

/** A whole number in these bounds. */
export const whole = (least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): Shape<number> =>
  valueOf((raw): raw is number => Number.isInteger(raw) && least <= Number(raw) && Number(raw) <= most);

export const oneOf = <const T extends string>(...values: readonly T[]): Shape<T> =>
  valueOf((raw): raw is T => values.some((value) => value === raw));

/** A list, each item of one shape. */
export function list<T>(of: Schema<T>, most = Infinity): Shape<T[]> {
  return shape((raw) => {
    if (!Array.isArray(raw) || raw.length > most) return wrong;
    const data: T[] = [];
    for (const each of raw) {
      const parsed = of.safeParse(each);
      if (!parsed.success) return wrong;
      data.push(parsed.data);
    }
    return { success: true, data };
  });
}

const isObject = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

/** An object with these fields; others are left out. */
export function fields<S extends Record<string, Schema<unknown>>>(
  of: S,
): Shape<{ [K in keyof S]: Shaped<S[K]> }> {
  return shape((raw) => {
    if (!isObject(raw)) return wrong;
    const data: Record<string, unknown> = {};
    for (const [name, each] of Object.entries(of)) {
      const parsed = each.safeParse(raw[name]);
      if (!parsed.success) return wrong;
      data[name] = parsed.data;
    }
    return { success: true, data: data as { [K in keyof S]: Shaped<S[K]> } };
  });
}

/** An object of any names, each value of one shape. */
export function named<T>(of: Schema<T>): Shape<Record<string, T>> {
  return shape((raw) => {
    if (!isObject(raw)) return wrong;
    const data: Record<string, T> = {};
    for (const [name, each] of Object.entries(raw)) {
      const parsed = of.safeParse(each);
      if (!parsed.success) return wrong;
      data[name] = parsed.data;
    }
    return { success: true, data };
  });
}

/** A place as the contract has it, without the rules for what is typed. */
export const keptPlace = fields({
  name: text,
  detail: text.catch(''),
  lon: figure,
  lat: figure,
});
