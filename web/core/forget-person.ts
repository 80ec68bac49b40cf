import { device } from './device/this-device.ts';
import { queryClient } from './query-client.ts';
import { followSession, readSession, signOut } from './session.ts';
import { forgetStored, stored } from './stored.ts';

/** Who used this browser last; still known after a session was lost, when drafts wait for the same person. */
const lastPerson = stored('lastPerson', (raw) => (typeof raw === 'string' ? raw : ''));

/**
 * Signs out because the person wants to: nothing of theirs stays on the device. `/access/logout` informs the
 * server, before this. A session that merely ended keeps drafts and what waits to be sent, for the same
 * person alone.
 */
export async function leaveDevice(): Promise<void> {
  signOut();
  await forgetPerson([]);
}

/**
 * Deletes what the browser keeps of its last person: storage, pictures that wait to be sent, notifications
 * shown, push.
 */
async function forgetPerson(spared: readonly string[]): Promise<void> {
  queryClient.clear();
  forgetStored(spared);
  await Promise.all([dropDatabase(), closeNotifications()]);
}

function dropDatabase(): Promise<void> {
  return new Promise((resolve) => {
    if (!('indexedDB' in globalThis)) {
      resolve();
      return;
    }
    const request = indexedDB.deleteDatabase('sameway');
    // Blocked while another tab holds it open, which closes it when it hears of this.
    for (const end of ['success', 'error', 'blocked']) request.addEventListener(end, () => resolve());
  });
}

async function closeNotifications(): Promise<void> {
  await device().closeNotices();
  await (await device().push()).unsubscribe();
}

/**
 * A person who signs in where another one's session was lost finds nothing of theirs. Called once, at launch.
 */
export function startForgetting(): void {
  const follow = () => {
    const { id } = readSession();
    if (id === '' || id === lastPerson.read()) return;
    const another = lastPerson.read() !== '';
    lastPerson.write(id);
    // Drafts know their person themselves: those typed as a guest go on.
    if (another) void forgetPerson(['session', 'lastPerson', 'drafts', 'inviter']).catch(() => {});
  };
  follow();
  followSession(follow);
}
