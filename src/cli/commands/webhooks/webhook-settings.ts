import type { Command } from 'commander';
import { causesInUse } from '../../../messages/record/cause.ts';
import { messageKinds } from '../../../messages/record/message-kinds.ts';
import type { EndpointSettings } from '../../../webhooks/endpoints/checking/check-settings.ts';
import { eventSelectors, eventTypes } from '../../../webhooks/schema.ts';
import { CommandError, readSecretFile } from '../../command.ts';

export type SettingOptions = {
  url: string;
  events?: string;
  numbers?: string;
  kinds?: string;
  causes?: string;
  ordered?: boolean;
  gather?: string;
  headerFile?: string;
};

/** Adds the options for the settings of an endpoint, which `set` and `add` have in common. */
export function settingOptions(command: Command): Command {
  const further = eventSelectors.filter(
    (each) => !(eventTypes as readonly string[]).includes(each),
  );
  return command
    .requiredOption(
      '--url <url>',
      'an https:// address; http:// only to an allowed private network',
    )
    .option(
      '--events <list>',
      `comma-separated, by name or family; default: unchanged, or these for a new webhook: ${eventTypes.join(', ')}. Further ones: ${further.join(', ')}`,
    )
    .option(
      '--numbers <list>',
      'only messages of these phone number ids, comma-separated; "all" removes the filter',
    )
    .option('--kinds <list>', `only messages of these types: ${messageKinds.join(', ')}; or all`)
    .option('--causes <list>', `only sent by these: ${causesInUse.join(', ')}; or all`)
    .option('--ordered', 'deliver the events of one conversation one after another')
    .option('--no-ordered', 'deliver events as they come')
    .option(
      '--gather <seconds>',
      'inbound messages of a conversation within so many seconds (1 to 60) as one event; "off" ends it',
    )
    .option(
      '--header-file <path>',
      'additional headers, a line `Name: value` each; - for standard input. Their values are never shown.',
    );
}

/** Reads the settings of an endpoint from the options of a command. */
export async function readSettings(options: SettingOptions): Promise<EndpointSettings> {
  const { url, ordered, gather, headerFile } = options;
  return {
    url,
    events: listOf(options.events),
    numbers: filterOf(options.numbers),
    kinds: filterOf(options.kinds),
    causes: filterOf(options.causes),
    ordered,
    gatherSeconds: gather === undefined ? undefined : secondsOf(gather),
    headers: headerFile === undefined ? undefined : readHeaders(await readSecretFile(headerFile)),
  };
}

function listOf(text: string | undefined): string[] | undefined {
  return text?.split(',').map((each) => each.trim());
}

function filterOf(text: string | undefined): string[] | undefined {
  return text === 'all' ? [] : listOf(text);
}

function secondsOf(text: string): number | null {
  if (text === 'off') return null;
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
}

function readHeaders(content: string) {
  return content
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      const colon = line.indexOf(':');
      if (colon < 1)
        throw new CommandError(`Line ${index + 1} of the header file is not "Name: value".`);
      return { name: line.slice(0, colon), value: line.slice(colon + 1) };
    });
}
