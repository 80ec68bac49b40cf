import { stored } from './stored.ts';

const kept = stored('inviter', (raw) => (typeof raw === 'string' && /^[\w-]{1,200}$/.test(raw) ? raw : ''));

/** The code of the invitation that led here, until the profile is completed; empty for none. */
export const invitation = kept.read;
export const forgetInvitation = (): void => kept.write('');

/** Keeps the invitation of the link that was opened, whatever page it leads to. The latest one counts. */
export function noteInvitation(): void {
  const code = new URLSearchParams(location.search).get('inviter');
  if (code !== null && code !== '') kept.write(code);
}
