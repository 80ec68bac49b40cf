import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/privacy/endpoints.ts';
import * as exportCalls from '#contract/privacy/export.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { PrivacyService } from './service.ts';

export function servePrivacy(http: FastifyInstance, serve: Serve, privacy: PrivacyService): void {
  serve(calls.readPrivacy, (_, caller) => privacy.read(caller.userId));
  serve(calls.savePrivacy, (input, caller) => privacy.save(caller.userId, input));
  serve(exportCalls.startExport, (_, caller) => privacy.startExport(caller.userId), {
    changesNothingRemembered: true,
  });
  serve(exportCalls.readExport, (_, caller) => privacy.readExport(caller.userId));
  serve(exportCalls.exportData, (_, caller) => privacy.exportAddress(caller.userId));
  serve(calls.deletePreview, (_, caller) => privacy.previewLeaving(caller.userId));
  serve(calls.deleteAccount, (input, caller) => privacy.askDeletion(caller, input.password));
  serve(calls.cancelDelete, async (_, caller) => {
    await privacy.undoDeletion(caller.userId);
    return {};
  });

  // A download sends no token: the address itself contains a signed one, valid for some minutes.
  http.get('/files/export/:code', { schema: { hide: true } }, async (request, reply) => {
    const found = await privacy.openExport((request.params as { code: string }).code);
    void reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer');
    if (found === null)
      return reply
        .code(404)
        .type('text/plain; charset=utf-8')
        .send('This download is over. Please start it again in Settings.');
    return reply
      .type('application/zip')
      .header('content-length', found.bytes)
      .header('content-disposition', `attachment; filename="${found.fileName}"`)
      .send(Readable.from(found.parts, { objectMode: false }));
  });
}
