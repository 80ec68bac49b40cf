import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/payments/endpoints.ts';
import type { App, Serve } from '../../app-type.ts';
import { networkOf } from '../../platform/http/network.ts';
import { linkToOnboarding, showAccount } from './accounts/driver-account.ts';
import { listOpenAuthorizations, writeOffDebt } from './authorizations/open-authorizations.ts';
import { listCards, beginCard, chooseCard, removeCard } from './cards/manage-cards.ts';
import { answerClaim, resolveClaim, listClaims } from './claims/resolve-claim.ts';
import { openClaim } from './claims/open-claim.ts';
import { listMoney, clearChargeback, answerChargeback, endAlarm } from './money-admin.ts';
import { moneyTerms } from './money-terms.ts';
import { testMoneyPath } from './provider/choose-provider.ts';
import { listEarnings, listReceipts } from './receipts.ts';
import { receiveWebhook } from './webhooks/receive-events.ts';

/** Where the provider posts its events. */
export const webhookPath = '/payment/webhook';

/** Adds the calls. */
export function servePayments(serve: Serve): void {
  serve(calls.paymentConfig, async (app) => moneyTerms(app));
  serve(calls.paymentMethods, (app, _input, caller) => listCards(app, caller.userId));
  serve(calls.setupIntent, (app, input, caller) => beginCard(app, caller.userId, input.returnTo));
  serve(calls.setDefaultMethod, (app, input, caller) => chooseCard(app, caller.userId, input.id));
  serve(calls.deleteMethod, (app, input, caller) => removeCard(app, caller.userId, input.id));
  serve(calls.paymentAccount, (app, _input, caller) => showAccount(app, caller.userId));
  serve(calls.onboardLink, (app, _input, caller) => linkToOnboarding(app, caller.userId));
  serve(calls.earnings, (app, input, caller) => listEarnings(app, caller.userId, input.offset));
  serve(calls.receipts, (app, input, caller) => listReceipts(app, caller.userId, input));
  serve(calls.openDispute, (app, input, caller) =>
    openClaim(app, caller.userId, input.bookingId, input.text),
  );
  serve(calls.answerDispute, (app, input, caller) =>
    answerClaim(app, caller.userId, input.disputeId, input.text),
  );
  serve(calls.listDisputes, (app, input, caller) => listClaims(app, caller.userId, input));
  serve(calls.resolveDispute, (app, input, caller) => resolveClaim(app, caller.userId, input));

  serve(calls.listMoney, (app, input, caller) => listMoney(app, caller.userId, input.offset));
  serve(calls.listHolds, (app, input, caller) => listOpenAuthorizations(app, caller.userId, input));
  serve(calls.writeOffDebt, (app, input, caller) => writeOffDebt(app, caller.userId, input));
  serve(calls.clearChargeback, (app, input, caller) => clearChargeback(app, caller.userId, input));
  serve(calls.answerChargeback, (app, input, caller) => answerChargeback(app, caller.userId, input));
  serve(calls.endAlarm, (app, input, caller) => endAlarm(app, caller.userId, input));
}

/** Adds where the provider posts, and with test money the sandbox's pages, which end with `http`. */
export async function serveWebhook(http: FastifyInstance, app: App): Promise<void> {
  const { sandbox } = app.payments;
  if (sandbox !== null) {
    http.addHook('onClose', () => sandbox.close());
    await http.register(sandbox.pages, { prefix: testMoneyPath });
  }
  // The signature covers the body's very bytes; it is no call of the product and speaks no envelope.
  http.register(async (webhook) => {
    webhook.removeAllContentTypeParsers();
    webhook.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    webhook.post(webhookPath, { schema: { hide: true } }, async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signed = typeof signature === 'string' ? signature : '';
      const isKnown = await receiveWebhook(app, body, signed, networkOf(request.ip));
      return reply
        .code(isKnown ? 200 : 400)
        .type('text/plain; charset=utf-8')
        .send(isKnown ? 'OK' : 'No.');
    });
  });
}
