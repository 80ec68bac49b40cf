import emailsEn from './en/emails.json' with { type: 'json' };
import legalEn from './en/legal.json' with { type: 'json' };
import maintenanceEn from './en/maintenance.json' with { type: 'json' };
import noticesEn from './en/notices.json' with { type: 'json' };
import previewsEn from './en/previews.json' with { type: 'json' };
import smsEn from './en/sms.json' with { type: 'json' };
import emailsZh from './zh/emails.json' with { type: 'json' };
import legalZh from './zh/legal.json' with { type: 'json' };
import maintenanceZh from './zh/maintenance.json' with { type: 'json' };
import noticesZh from './zh/notices.json' with { type: 'json' };
import previewsZh from './zh/previews.json' with { type: 'json' };
import smsZh from './zh/sms.json' with { type: 'json' };

/**
 * Every namespace that the server uses for its own messages to people, by language. The web app never loads
 * them, except the legal texts: an export contains the same list of kept data as the privacy page.
 */
export const words = {
  en: {
    emails: emailsEn,
    legal: legalEn,
    maintenance: maintenanceEn,
    notices: noticesEn,
    previews: previewsEn,
    sms: smsEn,
  },
  zh: {
    emails: emailsZh,
    legal: legalZh,
    maintenance: maintenanceZh,
    notices: noticesZh,
    previews: previewsZh,
    sms: smsZh,
  },
};
