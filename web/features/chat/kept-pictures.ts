/**
 * Pictures that wait to be sent, by the id of their message: stored in the browser, so that a reload loses
 * none.
 */
const shop = { database: 'sameway', store: 'waiting-pictures' };

// Private windows can refuse the database: then a picture lives as long as its page.
const inMemory = new Map<string, Blob>();

let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(shop.database, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(shop.store));
    request.addEventListener('success', () => {
      // Signing out deletes the database, which waits for every tab to close it.
      request.result.addEventListener('versionchange', () => {
        request.result.close();
        opened = null;
        inMemory.clear();
      });
      resolve(request.result);
    });
    request.addEventListener('error', () => reject(request.error ?? new Error('no database')));
  });
  return opened;
}

async function within<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const store = (await open()).transaction(shop.store, mode).objectStore(shop.store);
  return new Promise((resolve, reject) => {
    const request = work(store);
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('no database')));
  });
}

export async function keepPicture(clientId: string, picture: Blob): Promise<void> {
  inMemory.set(clientId, picture);
  await within('readwrite', (store) => store.put(picture, clientId)).catch(() => undefined);
}

export async function keptPicture(clientId: string): Promise<Blob | null> {
  const found = inMemory.get(clientId);
  if (found !== undefined) return found;
  const kept = await within<unknown>('readonly', (store) => store.get(clientId)).catch(() => undefined);
  return kept instanceof Blob ? kept : null;
}

export async function dropPicture(clientId: string): Promise<void> {
  inMemory.delete(clientId);
  await within('readwrite', (store) => store.delete(clientId)).catch(() => undefined);
}
