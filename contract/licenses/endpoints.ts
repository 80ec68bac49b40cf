import { z } from 'zod';
import { daySeconds, defineEndpoint } from '../define.ts';
import { id, instant, mostPerPage, reasonLength, words } from '../units.ts';
import { person } from '../user/endpoints.ts';

/** The most earlier decisions shown with waiting photos. */
export const mostEarlier = 20;
export const licenseStatuses = ['Reviewing', 'Accepted', 'Reject'] as const;
export const verdicts = ['Accepted', 'Reject'] as const;

/** A driver license as its owner sees it. */
export const license = z.object({
  id: z.string(),
  status: z.enum(licenseStatuses),
  /** The reason of a rejection; empty otherwise. */
  result: z.string(),
  sentAt: instant,
  decidedAt: instant.nullable(),
  /** Signed addresses of the photos, valid for some minutes; null once the photos are removed. */
  front: z.string().nullable(),
  back: z.string().nullable(),
});
export type License = z.output<typeof license>;

/** A driver license waiting for an admin. */
export const waitingLicence = license.extend({
  person,
  /** The name as the person entered it, to compare with the photos. */
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  /** The decisions about the person's earlier photos, newest first. */
  earlier: z.array(license.pick({ id: true, status: true, result: true, decidedAt: true })).max(mostEarlier),
});
export type WaitingLicence = z.output<typeof waitingLicence>;

export const latestLicense = defineEndpoint({
  method: 'GET',
  path: '/user/latest-driver-license',
  who: 'user',
  summary: 'The driver license I last submitted, with the state of its review.',
  input: z.object({}),
  output: z.object({ license: license.nullable() }),
  refusals: [],
});

const photo = z.uuid('Please choose an image first.');

export const saveLicense = defineEndpoint({
  method: 'POST',
  path: '/user/save-driver-license',
  who: 'user',
  summary:
    'Submits driver license photos (ids of uploaded pictures) for review. They replace photos that are still waiting.',
  limits: [{ countedAs: 'license', per: 'caller', most: 10, withinSeconds: daySeconds }],
  input: z.object({ front: photo, back: photo }),
  output: z.object({ license }),
  refusals: ['upload.gone', 'license.samePhoto'],
});

export const waitingLicenses = defineEndpoint({
  method: 'GET',
  path: '/user/wait-verify-licenses',
  who: 'admin',
  permission: 'licenses.read',
  summary: 'Driver licenses waiting for review, the oldest first.',
  input: z.object({}),
  output: z.object({ licenses: z.array(waitingLicence).max(mostPerPage), total: z.number().int() }),
  refusals: [],
});

export const saveVerdict = defineEndpoint({
  method: 'POST',
  path: '/user/save-verify-result',
  who: 'admin',
  permission: 'licenses.decide',
  summary: 'Accepts driver license photos, or denies them with a reason that the driver sees.',
  input: z.object({
    id,
    status: z.enum(verdicts),
    result: words(reasonLength).default(''),
  }),
  output: z.object({}),
  refusals: ['license.reasonMissing', 'license.movedOn'],
});
