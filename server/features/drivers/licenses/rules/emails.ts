import type { Email } from '../../../../platform/messages/email.ts';

type Language = 'en' | 'zh';
type Words = Omit<Email, 'to'>;

const text = (...paragraphs: string[]): string => `${paragraphs.join('\n\n')}\n`;

/** Tells a driver that their photos are accepted. */
export const acceptedEmail = (language: Language, url: string): Words =>
  language === 'zh'
    ? {
        subject: '您的驾驶证已通过审核',
        text: text(
          '您好！',
          '您的驾驶证照片已通过审核，乘客会在您的名字旁看到“已认证车主”标志。',
          url,
          '顺路 Sameway',
        ),
      }
    : {
        subject: 'Your driver license is accepted',
        text: text(
          'Hello,',
          'Your driver license photos are accepted. Passengers see "Verified driver" beside your name from now on.',
          url,
          'Sameway',
        ),
      };

/** Tells a driver why their photos are not accepted and where to send others. */
export const rejectedEmail = (language: Language, reason: string, url: string): Words =>
  language === 'zh'
    ? {
        subject: '您的驾驶证照片未通过审核',
        text: text(
          '您好！',
          '您的驾驶证照片未通过审核，原因：',
          reason,
          '请在这里重新上传照片：',
          url,
          '顺路 Sameway',
        ),
      }
    : {
        subject: 'Your driver license photos were not accepted',
        text: text(
          'Hello,',
          'We could not accept your driver license photos. The reason:',
          reason,
          'Please send new photos here:',
          url,
          'Sameway',
        ),
      };
