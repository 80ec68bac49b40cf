/** What a page asks of the worker: to keep the files it has used, or everything the app is made of. */
export interface KeepFiles {
  type: 'KEEP_FILES';
  /** Paths of the files that this page has loaded: those of a first visit came before there was a worker. */
  used: string[];
  everything: boolean;
}

export function isAsk(data: unknown): data is KeepFiles {
  return (
    typeof data === 'object' &&
    data !== null &&
    'type' in data &&
    data.type === 'KEEP_FILES' &&
    'used' in data &&
    Array.isArray(data.used) &&
    data.used.every((name) => typeof name === 'string') &&
    'everything' in data &&
    typeof data.everything === 'boolean'
  );
}
