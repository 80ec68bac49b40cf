import { Link } from '@tanstack/react-router';
import { Mail, MessageCircle, Phone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { InputOf } from '#contract/define.ts';
import type { noteContact } from '#contract/rides/endpoints.ts';
import { buttonVariants } from '../../ui/button.tsx';

/**
 * Chat, and a call or an email where the other person's number or address is shown to me. The way they prefer
 * comes first.
 */
export function ContactButtons({
  name,
  phone,
  email,
  roomId,
  prefers,
  onContact,
}: {
  name: string;
  /** Empty while it is not mine to see. */
  phone: string;
  /** Empty unless they want to be written to, and while it is not mine to see. */
  email: string;
  roomId: string | null;
  prefers?: 'phone' | 'email' | 'chat';
  /** Called with the way in which the other person is about to be contacted. */
  onContact?: (kind: InputOf<typeof noteContact>['kind']) => void;
}) {
  const { t } = useTranslation('rides');
  const look = buttonVariants({ tone: 'quiet', small: true });
  const chat = roomId !== null && (
    <Link
      to="/pages/chat/message"
      search={{ roomid: roomId }}
      className={look}
      aria-label={t('contact.chatWith', { name })}
      onClick={() => onContact?.('message')}
    >
      <MessageCircle aria-hidden className="size-5" />
      {t('contact.chat')}
    </Link>
  );
  const call = phone !== '' && (
    <a
      href={`tel:${phone}`}
      className={look}
      aria-label={t('contact.callName', { name })}
      onClick={() => onContact?.('call')}
    >
      <Phone aria-hidden className="size-5" />
      {t('contact.call')}
    </a>
  );
  const write = email !== '' && (
    <a
      href={`mailto:${email}`}
      className={look}
      aria-label={t('contact.emailName', { name })}
      onClick={() => onContact?.('email')}
    >
      <Mail aria-hidden className="size-5" />
      {t('contact.email')}
    </a>
  );
  if (!chat && !call && !write) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {write}
      {prefers === 'phone' && call}
      {chat}
      {prefers !== 'phone' && call}
    </div>
  );
}
