import { useCallback, useEffect, useRef, useState } from 'react';
import type { DefaultValues, FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { followSession, readSession } from './session.ts';
import * as shape from './shape.ts';
import { stored, type Stored } from './stored.ts';

/*
 * What people have typed and not sent yet, by form. It outlives a reload, a newer version and a lost session,
 * and is shown to the person who typed it alone, for a day. Signing out deletes it.
 */

const keptForMs = 24 * 60 * 60_000;

const draft = shape.fields({
  /** Empty for a guest: the person who then signs in goes on with it. */
  userId: shape.text,
  savedAtMs: shape.figure,
  value: shape.anything,
});
type Kept = Readonly<Record<string, shape.Shaped<typeof draft>>>;

const kept = stored('drafts', (raw): Kept => {
  const parsed = shape.named(draft).safeParse(raw);
  return parsed.success ? parsed.data : {};
});

const isFresh = ({ savedAtMs }: Kept[string]) => Date.now() - savedAtMs < keptForMs;

/** The stored draft of a form, for the person who is signed in; undefined where there is none. */
export function readDraft(name: string): unknown {
  const found = kept.read()[name];
  return found !== undefined && found.userId === readSession().id && isFresh(found) ? found.value : undefined;
}

/** Keeps what a form holds now. `name` says which form, and what it is about: `report.<person>`. */
export function keepDraft(name: string, value: unknown): void {
  kept.write({ ...kept.read(), [name]: { userId: readSession().id, savedAtMs: Date.now(), value } });
}

/** The form was sent, or emptied by hand. */
export function dropDraft(name: string): void {
  const { [name]: dropped, ...others } = kept.read();
  if (dropped !== undefined) kept.write(others);
}

/**
 * Deletes drafts older than a day, and those of all but the person who signs in; what was typed as a guest
 * becomes theirs. Called once, at launch.
 */
export function startDrafts(): void {
  const sweep = () => {
    const { id } = readSession();
    const all = Object.entries(kept.reread());
    const left = all
      .filter(([, each]) => isFresh(each) && (id === '' || each.userId === '' || each.userId === id))
      .map(([name, each]) => [name, { ...each, userId: each.userId || id }] as const);
    if (JSON.stringify(left) !== JSON.stringify(all)) kept.write(Object.fromEntries(left));
  };
  sweep();
  let reader = readSession().id;
  followSession(() => {
    const { id } = readSession();
    if (id === reader) return;
    reader = id;
    sweep();
  });
}

/**
 * A draft that several pages share, as a stored value: `parse` turns the stored value, or null, into a sound
 * one.
 */
export function draftStore<T>(name: string, parse: (raw: unknown) => T): Stored<T> & { drop: () => void } {
  // The same value as long as nothing has changed, so that components can depend on it.
  let last: { raw: unknown; value: T } | null = null;
  const read = (): T => {
    const raw = readDraft(name);
    if (last === null || last.raw !== raw) last = { raw, value: parse(raw ?? null) };
    return last.value;
  };
  return {
    read,
    reread: () => {
      kept.reread();
      return read();
    },
    write: (value) => {
      last = { raw: value, value };
      keepDraft(name, value);
    },
    drop: () => {
      last = null;
      dropDraft(name);
    },
    subscribe: (listener) => {
      const stop = [kept.subscribe(listener), followSession(listener)];
      return () => {
        for (const each of stop) each();
      };
    },
  };
}

/**
 * `useState` that is stored as a draft; a value equal to `initial` is none. Call the third one when the form
 * was sent.
 * @param schema the shape of a stored value; another version of the app may have stored something else.
 */
export function useDraft<T>(
  name: string,
  initial: T,
  schema: shape.Schema<T>,
): [T, (next: T | ((before: T) => T)) => void, () => void] {
  const begin = () => {
    const parsed = schema.safeParse(readDraft(name));
    return { name, start: initial, value: parsed.success ? parsed.data : initial };
  };
  const [held, setHeld] = useState(begin);
  // A dialog that serves several people or rides begins from scratch with each.
  const current = held.name === name ? held : begin();
  if (current !== held) setHeld(current);
  const latest = useRef(current);
  useEffect(() => {
    latest.current = current;
  });
  const change = useCallback((next: T | ((before: T) => T)) => {
    const { name: of, start, value: before } = latest.current;
    const value = typeof next === 'function' ? (next as (before: T) => T)(before) : next;
    latest.current = { name: of, start, value };
    setHeld(latest.current);
    if (JSON.stringify(value) === JSON.stringify(start)) dropDraft(of);
    else keepDraft(of, value);
  }, []);
  const drop = useCallback(() => {
    latest.current = { ...latest.current, value: latest.current.start };
    setHeld(latest.current);
    dropDraft(latest.current.name);
  }, []);
  return [current.value, change, drop];
}

/** A draft of a few words. */
export const useTextDraft = (name: string, initial = '') => useDraft(name, initial, shape.text);

/**
 * Stores what is typed in a form of react-hook-form, and fills it in again. Stores only fields that differ
 * from the form's defaults. Call the returned function when the form was sent.
 * @param secret fields that are never stored, such as passwords.
 */
export function useFormDraft<T extends FieldValues, C, O>(
  form: UseFormReturn<T, C, O>,
  name: string,
  secret: readonly Path<T>[] = [],
): () => void {
  const { setValue, subscribe, reset, getValues, formState } = form;
  const defaults = useRef<Readonly<DefaultValues<T>> | undefined>(undefined);
  useEffect(() => {
    defaults.current = formState.defaultValues as Readonly<DefaultValues<T>> | undefined;
  });
  const secrets = secret.join(' ');
  useEffect(() => {
    const found = readDraft(name);
    const known = Object.keys(defaults.current ?? {});
    if (typeof found === 'object' && found !== null)
      for (const [field, value] of Object.entries(found))
        if (known.includes(field))
          setValue(field as Path<T>, value as PathValue<T, Path<T>>, { shouldDirty: true });
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        const typed = Object.entries(values).filter(
          ([field, value]) =>
            !secrets.split(' ').includes(field) &&
            JSON.stringify(value) !== JSON.stringify((defaults.current as FieldValues | undefined)?.[field]),
        );
        if (typed.length === 0) dropDraft(name);
        else keepDraft(name, Object.fromEntries(typed));
      },
    });
  }, [name, secrets, setValue, subscribe]);
  return useCallback(() => {
    // What was sent is what the form starts from now, should it stay open.
    const sent = getValues();
    defaults.current = sent as Readonly<DefaultValues<T>>;
    reset(sent);
    dropDraft(name);
  }, [name, reset, getValues]);
}

/**
 * Stores all values of a form in a draft that other pages share, and follows what they, and other tabs, write
 * there.
 * @param isOwn whether the stored draft belongs to this form: a draft can be of another thing.
 */
export function useSharedDraft<T extends FieldValues, C, O>(
  form: UseFormReturn<T, C, O>,
  draft: Stored<T>,
  isOwn: (kept: T, shown: T) => boolean,
): void {
  const { subscribe, getValues, reset } = form;
  const own = useRef(isOwn);
  useEffect(() => {
    const isSame = (a: T, b: T) => JSON.stringify(a) === JSON.stringify(b);
    const keep = (values: T) => {
      if (!isSame(values, draft.read())) draft.write(values);
    };
    const stopKeeping = subscribe({ formState: { values: true }, callback: ({ values }) => keep(values) });
    const stopFollowing = draft.subscribe(() => {
      const [kept, shown] = [draft.read(), getValues()];
      if (own.current(kept, shown) && !isSame(kept, shown)) reset(kept, { keepErrors: true });
    });
    return () => {
      stopKeeping();
      stopFollowing();
    };
  }, [draft, subscribe, getValues, reset]);
}
