import { saveCannedAnswer as saveCall } from '#contract/tickets/endpoints.ts';
import { commandPlatform } from '../../server/platform/command-platform.ts';
import {
  checked,
  idOf,
  misuse,
  readWords,
  type AdminCommand,
  type Outcome,
  type Place,
} from './run-command.ts';
import {
  saveCannedAnswer,
  removeCannedAnswer,
  listCannedAnswers,
} from '../../server/features/moderation/canned-answers/canned-answers.ts';

const usage = `Answers that the team keeps, to begin one with; {name} becomes the person's first name.
  npm run admin -- answers [--json]
  npm run admin -- answers save [ID] --title TITLE --text TEXT --language en|zh [--json]   without ID a new one
  npm run admin -- answers delete ID [--json]`;

export const answers: AdminCommand = {
  usage,
  read(args) {
    const { words, given, json } = readWords(args, { most: 2, names: ['title', 'text', 'language'] });
    const [verb = 'list', target = ''] = words;
    if (verb === 'save') {
      const { title = '', text = '', language } = given;
      const id = target === '' ? null : idOf(target);
      const input = checked(saveCall.input, { id, title, text, language });
      return {
        json,
        async run(place) {
          const saved = await saveCannedAnswer(commandPlatform(place), null, input);
          return { text: `The answer ${saved.id} is kept.`, json: saved };
        },
      };
    }
    if (Object.keys(given).length > 0) misuse();
    if (verb === 'list' && target === '') return { json, run: list };
    if (verb !== 'delete') misuse();
    const id = idOf(target);
    return {
      json,
      async run(place) {
        await removeCannedAnswer(commandPlatform(place), null, id);
        return { text: `The answer ${id} is deleted.`, json: { id } };
      },
    };
  },
};

async function list(place: Place): Promise<Outcome> {
  const all = await listCannedAnswers(commandPlatform(place));
  const lines = all.map(({ id, language, title, text }) => `${id}  ${language}  ${title}: ${text}`);
  return { text: lines.length === 0 ? 'No answers are kept.' : lines.join('\n'), json: all };
}
