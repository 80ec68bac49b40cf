import type { Email } from '../../../../platform/messages/email.ts';

type Language = 'en' | 'zh';
type Words = Omit<Email, 'to'>;

const text = (...paragraphs: string[]): string => `${paragraphs.join('\n\n')}\n`;

/** Tells somebody that they cannot use Sameway for now, and why. */
export const suspendedEmail = (
  language: Language,
  {
    reason,
    appealAt,
  }: { reason: string; /** Where to say that it is wrong, without signing in. */ appealAt: string },
): Words =>
  language === 'zh'
    ? {
        subject: '您的顺路账号已被停用',
        text: text(
          '您好！',
          '您的顺路账号已被停用，原因：',
          reason,
          '您已在所有设备上退出登录，尚未开始的行程已取消。如有异议，可在此申诉：',
          appealAt,
          '顺路 Sameway',
        ),
      }
    : {
        subject: 'Your Sameway account is suspended',
        text: text(
          'Hello,',
          'Your Sameway account is suspended. The reason:',
          reason,
          'You are signed out on every device, and rides that had not begun are cancelled. If you think this is wrong, tell us here and somebody will look at it:',
          appealAt,
          'Sameway',
        ),
      };

/** Tells somebody that they are welcome again. */
export const unsuspendedEmail = (language: Language): Words =>
  language === 'zh'
    ? {
        subject: '您的顺路账号已恢复',
        text: text('您好！', '您的顺路账号已恢复，可以重新登录。', '顺路 Sameway'),
      }
    : {
        subject: 'Your Sameway account is open again',
        text: text('Hello,', 'Your Sameway account is open again. You can sign in.', 'Sameway'),
      };

const quoted = (message: string): string => message.replaceAll(/^/gm, '> ');

/** An admin's answer to a message, with the message below it. */
export const answerEmail = (
  language: Language,
  { subject, message, answer }: { subject: string; message: string; answer: string },
): Words =>
  language === 'zh'
    ? {
        subject: `回复：${subject}`,
        text: text('您好！', answer, '顺路 Sameway', '您写给我们的：', quoted(message)),
      }
    : {
        subject: `Re: ${subject}`,
        text: text('Hello,', answer, 'Sameway', 'You wrote:', quoted(message)),
      };
