import { readProfile, type Profile } from '#contract/user/endpoints.ts';
import { renewSession } from '../../core/api.ts';
import { keyOf } from '../../core/queries.ts';
import { queryClient } from '../../core/query-client.ts';
import { readSession, updateSession } from '../../core/session.ts';

/** Lets the whole app know a profile that was just saved, without reading it again. */
export function cacheProfile(profile: Profile): void {
  const { name, lastName, phone, preferContactWith, avatar } = profile;
  if (phone !== readSession().phone) void renewSession();
  updateSession({ name, lastName, phone, preferContactWith, avatar, profileMissing: false });
  queryClient.setQueryData(keyOf(readProfile, {}), profile);
}
