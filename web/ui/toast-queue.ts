export interface Toast {
  kind: 'done' | 'info' | 'error';
  words: string;
  /** How long it is shown; without end until it is closed. */
  durationMs: number;
}

let waiting: Toast[] = [];
let show: ((toast: Toast) => void) | null = null;
const askers = new Set<() => void>();

/** Shows a message, or lets it wait for what shows it and calls for that. */
export function addToast(toast: Toast): void {
  if (show !== null) show(toast);
  else {
    waiting.push(toast);
    for (const asker of askers) asker();
  }
}

/** Takes the messages that nothing has shown yet. */
export function takeToasts(): Toast[] {
  const taken = waiting;
  waiting = [];
  return taken;
}

/** From here on messages are shown by `next`; those that wait come first. Returns what ends it. */
export function showToasts(next: (toast: Toast) => void): () => void {
  show = next;
  for (const toast of takeToasts()) next(toast);
  return () => {
    show = null;
  };
}

/** Calls `load` while messages wait, now and later. Returns what ends it. */
export function whenToastsWait(load: () => void): () => void {
  if (waiting.length > 0) load();
  askers.add(load);
  return () => {
    askers.delete(load);
  };
}
