import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/payments/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { networkOf } from '../../platform/http/network.ts';
import { testMoneyPath } from './provider/choose-provider.ts';
import type { PaymentsService } from './service.ts';

/** Where the provider posts its events. */
export const webhookPath = '/payment/webhook';

/** Adds the calls. */
export function servePayments(serve: Serve, payments: PaymentsService): void {
  serve(calls.paymentConfig, async () => payments.terms);
  serve(calls.paymentMethods, (_input, caller) => payments.cards(caller.userId));
  serve(calls.setupIntent, (input, caller) => payments.addCard(caller.userId, input.returnTo));
  serve(calls.setDefaultMethod, (input, caller) => payments.chooseCard(caller.userId, input.id));
  serve(calls.deleteMethod, (input, caller) => payments.removeCard(caller.userId, input.id));
  serve(calls.paymentAccount, (_input, caller) => payments.account(caller.userId));
  serve(calls.onboardLink, (_input, caller) => payments.onboardLink(caller.userId));
  serve(calls.earnings, (input, caller) => payments.earnings(caller.userId, input.offset));
  serve(calls.receipts, (input, caller) => payments.receipts(caller.userId, input));
  serve(calls.openDispute, (input, caller) => payments.openClaim(caller.userId, input.bookingId, input.text));
  serve(calls.answerDispute, (input, caller) =>
    payments.answerClaim(caller.userId, input.disputeId, input.text),
  );
  serve(calls.listDisputes, (input, caller) => payments.listClaims(caller.userId, input));
  serve(calls.resolveDispute, (input, caller) => payments.resolveClaim(caller.userId, input));

  serve(calls.listMoney, (input, caller) => payments.listMoney(caller.userId, input.offset));
  serve(calls.listHolds, (input, caller) => payments.listHolds(caller.userId, input));
  serve(calls.writeOffDebt, async (input, caller) => {
    await payments.writeOffDebt(caller.userId, input);
    return {};
  });
  serve(calls.clearChargeback, async (input, caller) => {
    await payments.clearChargeback(caller.userId, input);
    return {};
  });
  serve(calls.answerChargeback, async (input, caller) => {
    await payments.answerChargeback(caller.userId, input);
    return {};
  });
  serve(calls.endAlarm, async (input, caller) => {
    await payments.endAlarm(caller.userId, input);
    return {};
  });
}

/** Adds where the provider posts, and with test money the sandbox's pages, which end with `http`. */
export async function serveWebhook(http: FastifyInstance, payments: PaymentsService): Promise<void> {
  const { sandbox } = payments;
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
      const isKnown = await payments.receive(body, signed, networkOf(request.ip));
      return reply
        .code(isKnown ? 200 : 400)
        .type('text/plain; charset=utf-8')
        .send(isKnown ? 'OK' : 'No.');
    });
  });
}
