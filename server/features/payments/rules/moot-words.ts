/** The decision that both sides read of a claim about a booking that goes on after all. */
export const mootWords = (language: 'en' | 'zh'): string =>
  language === 'zh'
    ? '乘客后来上了车，行程照常，本次争议就此结束。'
    : 'The passenger is on board after all and the ride goes on, so this dispute is closed.';
