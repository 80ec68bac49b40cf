import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/privacy/endpoints.ts';
import * as exportCalls from '#contract/privacy/export.ts';
import type { App, Serve } from '../../app-type.ts';
import { askDeletion, undoDeletion } from './ask-deletion.ts';
import { startExport, readExport, exportAddress, openExport } from './exports/ask-export.ts';
import { previewLeaving } from './delete-due.ts';
import { readChoices, saveChoices } from './privacy-choices.ts';

export function servePrivacy(http: FastifyInstance, serve: Serve, app: App): void {
  serve(calls.readPrivacy, (app, _, caller) => readChoices(app, caller.userId));
  serve(calls.savePrivacy, (app, input, caller) => saveChoices(app, caller.userId, input));
  serve(exportCalls.startExport, (app, _, caller) => startExport(app, caller.userId));
  serve(exportCalls.readExport, (app, _, caller) => readExport(app, caller.userId));
  serve(exportCalls.exportData, (app, _, caller) => exportAddress(app, caller.userId));
  serve(calls.deletePreview, (app, _, caller) => previewLeaving(app, caller.userId));
  serve(calls.deleteAccount, (app, input, caller) => askDeletion(app, caller, input.password));
  serve(calls.cancelDelete, (app, _, caller) => undoDeletion(app, caller.userId));

  // A download sends no token: the address itself contains a signed one, valid for some minutes.
  http.get('/files/export/:code', { schema: { hide: true } }, async (request, reply) => {
    const found = await openExport(app, (request.params as { code: string }).code);
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
