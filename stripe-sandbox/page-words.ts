export type Language = 'en' | 'zh';

const en = {
  testMoney: 'TEST MONEY: nothing here is real. No card is charged, no money moves.',
  otherLanguage: '中文',
  cardTitle: 'Add a card',
  cardIntro: 'Only test cards work here. Never type the number of a real card.',
  number: 'Card number',
  expiry: 'Expires (MM/YY)',
  cvc: 'Security code',
  saveCard: 'Save this card',
  expiryWrong: 'Please enter the month and year like 12/34.',
  back: 'Back without changing anything',
  testCards: 'Test cards',
  cardWorks: 'works',
  cardAsks: 'asks you to confirm each payment',
  cardDeclined: 'is declined when it is saved',
  cardInsufficient: 'has insufficient funds',
  cardFailsLater: 'is saved, and declined when it is charged',
  cardDisputed: 'is charged, then taken back by its bank',
  cardWarned: 'is charged, then its bank warns of fraud',
  confirmTitle: 'Your bank asks: is this you?',
  confirmCard: 'Saving the card that ends in {last4}.',
  confirmPayment: 'A payment of {amount} with the card that ends in {last4}.',
  confirmYes: 'Yes, confirm',
  confirmNo: 'No, refuse',
  onboardingTitle: 'Your payment account',
  onboardingIntro:
    'Here a driver’s papers would be checked. Choose how the check ends; no papers and no bank account are asked for.',
  verified: 'Verified: can be paid',
  restricted: 'Restricted: something is missing',
  rejected: 'Rejected',
  goneTitle: 'This page is over',
  gone: 'It has been used already, or its time is over. Please go back to Sameway and start again.',
} as const;

type Words = Record<keyof typeof en, string>;

const zh: Words = {
  testMoney: '测试资金：这里的一切都不是真的，不会扣款，也不会转账。',
  otherLanguage: 'English',
  cardTitle: '添加银行卡',
  cardIntro: '这里只能使用测试卡。请勿输入真实的卡号。',
  number: '卡号',
  expiry: '有效期（月/年）',
  cvc: '安全码',
  saveCard: '保存此卡',
  expiryWrong: '请按 12/34 的格式输入月份和年份。',
  back: '不作更改，返回',
  testCards: '测试卡',
  cardWorks: '可以正常使用',
  cardAsks: '每次付款都要您确认',
  cardDeclined: '保存时被拒绝',
  cardInsufficient: '余额不足',
  cardFailsLater: '可以保存，扣款时被拒绝',
  cardDisputed: '扣款成功，之后被银行撤回',
  cardWarned: '扣款成功，之后银行预警欺诈',
  confirmTitle: '银行询问：是您本人吗？',
  confirmCard: '正在保存尾号为 {last4} 的银行卡。',
  confirmPayment: '使用尾号为 {last4} 的银行卡付款 {amount}。',
  confirmYes: '是的，确认',
  confirmNo: '不是，拒绝',
  onboardingTitle: '您的收款账户',
  onboardingIntro: '真实情况下，这里会审核车主的资料。请选择审核结果；不需要任何证件或银行账户。',
  verified: '已通过：可以收款',
  restricted: '受限：缺少资料',
  rejected: '已拒绝',
  goneTitle: '此页面已失效',
  gone: '页面已被使用或已过期。请返回顺路重新开始。',
};

export const pageWords: Record<Language, Words> = { en, zh };

/** The declines of cards as the API words them, in Chinese. */
const declinesInChinese: Record<string, string> = {
  insufficient_funds: '银行卡余额不足。',
  expired_card: '银行卡已过期。',
  incorrect_cvc: '安全码不正确。',
  processing_error: '处理银行卡时出错，请稍后再试。',
  incorrect_number: '卡号不正确。',
  invalid_expiry_month: '有效期的月份不正确。',
  invalid_expiry_year: '有效期的年份不正确。',
  invalid_cvc: '安全码不正确。',
};

export const declineInWords = (
  language: Language,
  { message, code, declineCode }: { message: string; code: string; declineCode: string },
): string =>
  language === 'en'
    ? message
    : (declinesInChinese[declineCode] ?? declinesInChinese[code] ?? '银行卡被拒绝。请使用下方列出的测试卡。');
