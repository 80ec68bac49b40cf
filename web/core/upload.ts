import { uploadImage, type PicturePurpose } from '#contract/pictures/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { readAnswer, withToken } from './api.ts';
import { now } from './clock.ts';
import { Offline } from './errors.ts';
import { newId } from './new-id.ts';

const timeoutMs = 60_000;

export type Uploaded = OutputOf<typeof uploadImage>;

/**
 * Sends one picture and tells how far it has come, from 0 to 1.
 * @throws Refused, ServerTrouble, Offline as `call` does; nothing is shown by itself.
 */
export const uploadPicture = (
  purpose: PicturePurpose,
  picture: Blob,
  onProgress: (share: number) => void,
): Promise<Uploaded> => withToken((token) => send(purpose, picture, token, onProgress));

// Only XMLHttpRequest tells how much has been sent.
function send(
  purpose: PicturePurpose,
  picture: Blob,
  token: string,
  onProgress: (share: number) => void,
): Promise<Uploaded> {
  const form = new FormData();
  form.set('purpose', purpose);
  form.set('signTime', String(now()));
  form.set('sign', '');
  form.set('file', picture, 'photo.jpg');
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', uploadImage.path);
    request.timeout = timeoutMs;
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('X-Request-Id', newId());
    if (token !== '') request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
    request.addEventListener('error', () => reject(new Offline(false)));
    request.addEventListener('timeout', () => reject(new Offline(true)));
    request.addEventListener('load', () => {
      try {
        const type = request.getResponseHeader('content-type') ?? '';
        resolve(readAnswer(request.status, type, request.responseText) as Uploaded);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    request.send(form);
  });
}
