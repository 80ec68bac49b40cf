import type { Email } from '../../../platform/messages/email.ts';

export type Language = 'en' | 'zh';

/** Invites somebody who may never have heard of the product. */
export const invitationEmail = (language: Language, name: string, link: string): Omit<Email, 'to'> =>
  language === 'zh'
    ? {
        subject: `${name} 邀请您一起顺路拼车`,
        text: [
          '您好！',
          `${name} 在顺路 Sameway 上拼车，想邀请您加入：去同一个方向的人，同坐一辆车。`,
          `打开下面的链接注册，你们就互为联系人：\n${link}`,
          '如果您不认识这个人，请忽略这封邮件。我们没有保存您的邮箱地址。',
          '顺路 Sameway',
        ].join('\n\n'),
      }
    : {
        subject: `${name} invites you to share rides`,
        text: [
          'Hello,',
          `${name} shares rides on Sameway and invites you: people who go the same way share a car.`,
          `Sign up with this link and you are contacts of each other:\n${link}`,
          'If you do not know this person, please ignore this letter. Your address was not kept.',
          'Sameway',
        ].join('\n\n'),
      };

/** The same, as short as a text message must be. */
export const invitationText = (language: Language, name: string, link: string): string =>
  language === 'zh'
    ? `${name} 邀请您一起顺路拼车：${link}`
    : `${name} invites you to share rides on Sameway: ${link}`;
