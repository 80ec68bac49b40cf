import type { Email } from '../../../platform/messages/email.ts';

type Language = 'en' | 'zh';

/** An email to a contact with whom a trip is shared. */
export function shareEmail(language: Language, of: { name: string; link: string }): Omit<Email, 'to'> {
  return language === 'zh'
    ? {
        subject: `${of.name} 与您共享了行程`,
        text: `您可以实时查看 ${of.name} 的行程，直到行程结束：\n\n${of.link}\n\n顺路 Sameway\n`,
      }
    : {
        subject: `${of.name} shares a trip with you`,
        text: `You can follow ${of.name}’s trip until it ends:\n\n${of.link}\n\nSameway\n`,
      };
}

export interface Alarm {
  name: string;
  phone: string;
  /** The street; empty where the phone did not know where it was. */
  place: string;
  at: { lon: number; lat: number } | null;
  plate: string;
  car: string;
  driverName: string;
  link: string;
}

/** What a trusted contact reads in an emergency, as an email and as one text message. */
export function alarmWords(language: Language, alarm: Alarm): Omit<Email, 'to'> & { line: string } {
  const words = language === 'zh' ? zh : en;
  const subject = words.subject(alarm);
  const facts = [
    ...(alarm.at === null
      ? []
      : [
          words.place(
            [alarm.place, `https://www.google.com/maps?q=${alarm.at.lat},${alarm.at.lon}`]
              .filter(Boolean)
              .join(' '),
          ),
        ]),
    ...(alarm.plate === '' ? [] : [words.car([alarm.plate, alarm.car].filter(Boolean).join(', '))]),
    words.driver(alarm.driverName),
    ...(alarm.phone === '' ? [] : [words.call(alarm.phone)]),
    words.follow(alarm.link),
  ];
  return {
    subject,
    text: `${[subject, ...facts, words.what].join('\n\n')}\n`,
    line: [subject, ...facts].join(' '),
  };
}

const en = {
  subject: ({ name }: Alarm) => `EMERGENCY: ${name} has pressed the emergency button on a ride.`,
  place: (place: string) => `Place: ${place}`,
  car: (car: string) => `Car: ${car}`,
  driver: (name: string) => `Driver: ${name}`,
  call: (phone: string) => `Their phone: ${phone}`,
  follow: (link: string) => `Follow the trip: ${link}`,
  what: 'Please call them. If they do not answer, call the emergency services where they are.',
};

const zh: typeof en = {
  subject: ({ name }) => `紧急求助：${name} 在行程中按下了紧急按钮。`,
  place: (place) => `地点：${place}`,
  car: (car) => `车辆：${car}`,
  driver: (name) => `车主：${name}`,
  call: (phone) => `对方电话：${phone}`,
  follow: (link) => `实时查看行程：${link}`,
  what: '请立即联系对方。如无人接听，请拨打当地的紧急电话。',
};
