import { useEffect, useEffectEvent } from 'react';
import { dropDraft, keepDraft, readDraft } from './drafts.ts';
import { useSession } from './use-session.ts';
import * as shape from './shape.ts';

/*
 * The button that a guest tapped before they were led to sign in. Like a draft, it becomes theirs with the
 * sign-in, and the page that they come back to goes on with it.
 */

const draftName = 'kept-tap';
/** After this, going on by itself would be a surprise. */
const keptForMs = 30 * 60_000;
const tap = shape.fields({ name: shape.text, atMs: shape.figure });

/** Keeps which button was tapped. `name` says which, and about what: `ask.<ride>`. The latest one counts. */
export function keepTap(name: string): void {
  keepDraft(draftName, { name, atMs: Date.now() });
}

/** The stored tap of the person who is signed in; null where there is none, or none of the last half hour. */
export function readKeptTap(): string | null {
  const kept = tap.safeParse(readDraft(draftName));
  return kept.success && Date.now() - kept.data.atMs < keptForMs ? kept.data.name : null;
}

/** It was gone on with. */
export const dropKeptTap = (): void => dropDraft(draftName);

/**
 * Goes on with a tap of before the sign-in, once.
 * @param prefix what the tap's name begins with: the buttons that this part of the page has.
 * @param go what the tap does, given the rest of its name; it says whether that was possible: false keeps
 * the tap for when the page has loaded more.
 */
export function useKeptTap(prefix: string, go: (rest: string) => boolean): void {
  const { signedIn } = useSession();
  const goOn = useEffectEvent(() => {
    const name = signedIn ? readKeptTap() : null;
    if (name === null || !name.startsWith(prefix)) return;
    if (go(name.slice(prefix.length))) dropKeptTap();
  });
  // Checks after each drawing: the subject of the tap may only now be there.
  useEffect(() => goOn());
}
