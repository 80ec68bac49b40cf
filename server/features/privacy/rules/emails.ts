import { deletionDays } from '#contract/privacy/endpoints.ts';
import type { Email } from '../../../platform/messages/email.ts';

type Language = 'en' | 'zh';
type Words = Omit<Email, 'to'>;

/** What others read when a ride ends because its owner leaves Sameway; it names nobody. */
export const leavingReason = 'The account is being deleted. · 账号正在注销。';

const letter = (language: Language, subject: string, ...paragraphs: string[]): Words => ({
  subject,
  text: `${[...paragraphs, language === 'zh' ? '顺路 Sameway' : 'Sameway'].join('\n\n')}\n`,
});

/** The day of deletion, in UTC: the email is read wherever the person is. */
const dayOf = (language: Language, at: Date): string =>
  new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-US', {
    dateStyle: 'long',
    timeZone: 'UTC',
  }).format(at);

export const deletionAskedEmail = (language: Language, dueAt: Date): Words =>
  language === 'zh'
    ? letter(
        'zh',
        '您的顺路账号将被注销',
        '您好！',
        `我们已收到注销申请。您的账号将在 ${deletionDays} 天后（${dayOf('zh', dueAt)}）注销，未完成的行程已取消。`,
        '在此之前，登录后打开“设置”即可撤销。如果不是您本人操作，请立即撤销并修改密码。',
      )
    : letter(
        'en',
        'Your Sameway account will be deleted',
        'Hello,',
        `You asked us to delete your account. It goes in ${deletionDays} days, on ${dayOf('en', dueAt)}. Your open rides are cancelled.`,
        'Until then you can undo this: sign in and open Settings. If this was not you, please undo it at once and change your password.',
      );

export const deletionUndoneEmail = (language: Language): Words =>
  language === 'zh'
    ? letter('zh', '您的顺路账号已保留', '您好！', '注销申请已撤销，您的账号保持不变。')
    : letter(
        'en',
        'Your Sameway account stays',
        'Hello,',
        'The deletion is undone. Your account stays as it is.',
      );

export const deletedEmail = (language: Language): Words =>
  language === 'zh'
    ? letter('zh', '您的顺路账号已注销', '您好！', '您的账号及个人资料已删除。感谢同行，一路顺风。')
    : letter(
        'en',
        'Your Sameway account is deleted',
        'Hello,',
        'Your account and your personal data are gone. Thank you for riding along.',
      );
