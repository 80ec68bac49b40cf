import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/pictures/endpoints.ts';
import type { App, Serve, ServeUpload } from '../../app-type.ts';
import { readProfile } from '../identity/service.ts';
import { readPicture, uploadPicture, saveAvatar } from './upload-picture.ts';

export function servePictures(
  { http, serve, serveUpload }: { http: FastifyInstance; serve: Serve; serveUpload: ServeUpload },
  app: App,
): void {
  serveUpload(calls.uploadImage, (app, input, file, caller) =>
    uploadPicture(app, caller.userId, input.purpose, file),
  );
  serve(calls.saveAvatar, async (app, input, caller) => {
    await saveAvatar(app, caller.userId, input.picture);
    return readProfile(app, caller.userId);
  });

  // An <img> sends no token: the address itself contains a signed token, valid for some minutes.
  http.get('/files/private/:code', { schema: { hide: true } }, async (request, reply) => {
    const bytes = await readPicture(app, (request.params as { code: string }).code);
    void reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer');
    if (bytes === null)
      return reply.code(404).type('text/plain; charset=utf-8').send('We couldn’t find this picture.');
    return reply.type('image/webp').send(bytes);
  });
}
