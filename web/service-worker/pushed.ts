import type { Pushed } from '#contract/notifications/push-message.ts';

/** What the worker says to the pages of the app. */
export type FromWorker = { kind: 'open'; path: string } | { kind: 'pushEnded' };

/**
 * Reads a push; for an unreadable one it still shows a general notification, because browsers end
 * subscriptions whose pushes show nothing.
 */
export function readPush(text: string): Omit<Pushed, 'unread'> & { unread: number | null } {
  let raw: Partial<Record<keyof Pushed, unknown>> = {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) raw = parsed;
  } catch {
    // A push of another version: the defaults below.
  }
  const words = (value: unknown, fallback: string) => (typeof value === 'string' ? value : fallback);
  return {
    title: words(raw.title, 'Sameway 顺路'),
    body: words(raw.body, ''),
    tag: words(raw.tag, 'news'),
    path: pathWithin(words(raw.path, '/')),
    actions: actionsOf(raw.actions),
    language: words(raw.language, 'en'),
    atMs: typeof raw.atMs === 'number' ? raw.atMs : Date.now(),
    unread: typeof raw.unread === 'number' ? raw.unread : null,
  };
}

function actionsOf(raw: unknown): Pushed['actions'] {
  if (!Array.isArray(raw)) return [];
  return raw.flatMap((each: Partial<Record<'title' | 'path', unknown>> | null) =>
    typeof each?.title === 'string' && typeof each.path === 'string'
      ? [{ title: each.title, path: pathWithin(each.path) }]
      : [],
  );
}

/** A path of this app, whatever was written: a notification never leads elsewhere. */
function pathWithin(path: string): string {
  return /^\/(?![/\\])/.test(path) ? path : '/';
}
