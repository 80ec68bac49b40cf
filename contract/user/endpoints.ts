import { z } from 'zod';
import { staffRoles } from '../admin/roles.ts';
import { defineEndpoint } from '../define.ts';
import { nameLine, oneLine, words } from '../units.ts';

export const genders = ['male', 'female', 'prefer not to say'] as const;
export const contactTypes = ['phone', 'email', 'chat'] as const;

/** A person as others on a ride see them. */
export const person = z.object({
  id: z.string(),
  name: z.string(),
  avatar: z.string(),
  /** Mean of published stars, null before the first review. */
  rating: z.number().nullable(),
  ratingCount: z.number().int(),
  completedRides: z.number().int(),
  verifiedDriver: z.boolean(),
});
export type Person = z.output<typeof person>;

export const profileFields = z.object({
  name: nameLine(60, 'Please enter your name.'),
  firstName: oneLine(60).default(''),
  lastName: oneLine(60).default(''),
  gender: z.enum(genders).default('prefer not to say'),
  interests: words(300).default(''),
  phone: z.string().trim().max(32).default(''),
  language: z.enum(['en', 'zh']).default('en'),
});

export const profile = profileFields.extend({
  id: z.string(),
  /** Empty until the profile is completed. */
  name: z.string(),
  email: z.string(),
  avatar: z.string(),
  /** Whether the phone was verified by a code. */
  phoneVerified: z.boolean(),
  preferContactWith: z.enum(contactTypes),
  /** When the account will be deleted, once its owner has asked for it. */
  deletionDueAt: z.iso.datetime().nullable(),
  rating: z.number().nullable(),
  ratingCount: z.number().int(),
  completedRides: z.number().int(),
  sharedMetres: z.number().int(),
  /** Grams of CO₂ that shared miles saved. */
  savedCo2Grams: z.number().int(),
  license: z.enum(['none', 'Reviewing', 'Accepted', 'Reject']),
  /** An owner or an admin. */
  isAdmin: z.boolean(),
  /** Null for a person who is not of the staff. */
  staffRole: z.enum(staffRoles).nullable(),
});
export type Profile = z.output<typeof profile>;

export const createUser = defineEndpoint({
  method: 'POST',
  path: '/user/create',
  who: 'user',
  summary:
    'Completes the profile after the first sign-in. A person who signed up through an invitation becomes a contact of its sender.',
  input: profileFields.extend({
    /** The code of an invitation link, or empty. */
    inviter: z.string().max(200).default(''),
  }),
  output: profile,
  refusals: ['access.phoneInvalid', 'user.phoneTaken'],
});

export const readProfile = defineEndpoint({
  method: 'GET',
  path: '/user/profile',
  who: 'user',
  summary: 'The signed-in person’s own profile.',
  input: z.object({}),
  output: profile,
  refusals: [],
});

export const saveProfile = defineEndpoint({
  method: 'POST',
  path: '/user/save-profile',
  who: 'user',
  summary: 'Saves the profile. It can remove the phone number; `/access/update-phone` changes it.',
  input: profileFields,
  output: profile,
  refusals: ['access.phoneInvalid', 'user.phoneTaken', 'user.phoneNeedsCode', 'session.stepUp'],
});

/** Milliseconds since 1970 on the device's own clock. */
const deviceTime = z.number().min(0).max(Date.UTC(2100, 0));

export const registerDevice = defineEndpoint({
  method: 'POST',
  path: '/user/register-device',
  who: 'user',
  summary: 'Registers the device when the app starts.',
  input: z.object({
    pushCid: z.string().max(500).default(''),
    lastLaunchTime: deviceTime,
    createTime: deviceTime,
    clientType: z.string().max(20).default('H5'),
    platform: z.string().max(100).default(''),
    userAgent: z.string().max(500).default(''),
    language: z.string().max(20).default(''),
    screen: z.string().max(40).default(''),
  }),
  output: z.object({}),
  refusals: [],
});

export const changeContactType = defineEndpoint({
  method: 'POST',
  path: '/user/change-contact-type',
  who: 'user',
  summary: 'How the person prefers to be contacted.',
  input: z.object({ prefer: z.enum(contactTypes) }),
  output: z.object({ prefer: z.enum(contactTypes) }),
  refusals: [],
});
