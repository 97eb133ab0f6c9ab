import messages from './en/members.json' with { type: 'json' };
import { translator } from './translator.ts';

export const members = translator(messages);
