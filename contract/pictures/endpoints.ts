import { z } from 'zod';
import { defineEndpoint, hourSeconds } from '../define.ts';
import { id } from '../units.ts';
import { profile } from '../user/endpoints.ts';

/** The largest accepted file. */
export const maxPictureBytes = 10_000_000;
/** `maxPictureBytes` as shown to people. */
export const maxPictureSize = '10 MB';

/** `uncut`: a photo that a browser cannot open, as the server draws it, to cut an avatar from. */
export const picturePurposes = ['avatar', 'license', 'chat', 'event', 'uncut'] as const;
export type PicturePurpose = (typeof picturePurposes)[number];

export const uploadImage = defineEndpoint({
  method: 'POST',
  path: '/upload/image',
  who: 'user',
  summary:
    'Uploads one picture (multipart field `file`: JPEG, PNG, WebP or HEIC by content, up to 10 MB). The server re-encodes it as WebP without its metadata, and deletes it if it is not used within a day.',
  takesFile: true,
  limits: [
    { countedAs: 'upload', per: 'caller', most: 40, withinSeconds: hourSeconds },
    { countedAs: 'upload', per: 'network', most: 200, withinSeconds: hourSeconds },
  ],
  input: z.object({ purpose: z.enum(picturePurposes) }),
  output: z.object({
    id: z.string(),
    /** The address for its owner; that of a license photo or a chat picture expires. */
    url: z.string(),
    width: z.number().int(),
    height: z.number().int(),
  }),
  refusals: [
    'upload.none',
    'upload.tooMany',
    'upload.tooLarge',
    'upload.notPicture',
    'upload.tooManyPixels',
    'upload.damaged',
    'upload.hidesFile',
  ],
});

export const saveAvatar = defineEndpoint({
  method: 'POST',
  path: '/user/save-avatar',
  who: 'user',
  summary: 'Sets an uploaded picture as my profile photo; null removes the photo.',
  input: z.object({ picture: id.nullable() }),
  output: profile,
  refusals: ['upload.gone'],
});
