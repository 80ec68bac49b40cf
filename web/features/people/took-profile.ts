import { readProfile, type Profile } from '#contract/user/endpoints.ts';
import { renewSession } from '../../base/api.ts';
import { keyOf } from '../../base/queries.ts';
import { queryClient } from '../../base/query-client.ts';
import { readSession, updateSession } from '../../base/session.ts';

/** Lets the whole app know a profile that was just saved, without reading it again. */
export function tookProfile(profile: Profile): void {
  const { name, lastName, phone, preferContactWith, avatar } = profile;
  if (phone !== readSession().phone) void renewSession();
  updateSession({ name, lastName, phone, preferContactWith, avatar, profileMissing: false });
  queryClient.setQueryData(keyOf(readProfile, {}), profile);
}
