import type { InputOf } from '#contract/define.ts';
import type { Profile, saveProfile } from '#contract/user/endpoints.ts';

/** The part of a profile that its owner writes, to save it again with one thing changed. */
export const fieldsOf = ({
  name,
  firstName,
  lastName,
  gender,
  interests,
  phone,
  language,
}: Profile): InputOf<typeof saveProfile> => ({
  name,
  firstName,
  lastName,
  gender,
  interests,
  phone,
  language,
});
