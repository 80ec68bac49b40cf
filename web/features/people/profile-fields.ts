import { profileFields, type Profile } from '#contract/user/endpoints.ts';

/** The part of a profile that its owner writes, to save it again with one thing changed. */
export const fieldsOf = (profile: Profile) => profileFields.parse(profile);
