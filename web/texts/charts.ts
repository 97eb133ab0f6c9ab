import messages from './en/charts.json' with { type: 'json' };
import { translator } from './translator.ts';

export const charts = translator(messages);
