import { Command } from 'commander';
import about from '../../package.json' with { type: 'json' };

/** What adds each first word to the program: loading them all takes half a second, one a fifth. */
const words: Record<string, () => Promise<(program: Command) => void>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  demo: async () => (await import('./demo.ts')).demoCommand,
  tenant: async () => (await import('./tenant.ts')).tenantCommands,
  token: async () => (await import('./token.ts')).tokenCommands,
  number: async () => (await import('./number.ts')).numberCommands,
  webhook: async () => (await import('./webhook.ts')).webhookCommands,
  store: async () => (await import('./store.ts')).storeCommands,
  template: async () => (await import('./template.ts')).templateCommands,
  bot: async () => (await import('./bot.ts')).botCommands,
  member: async () => (await import('./member.ts')).memberCommands,
  contact: async () => (await import('./contact.ts')).contactCommands,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
};

/**
 * The command; nothing runs until it parses. With a first `word` that it knows, only that one is in
 * it, for its version none, and with any other word, or without one, all of them.
 */
export async function createProgram(word = ''): Promise<Command> {
  const program = new Command('parley')
    .version(about.version, '-v, --version', 'which Parley this is')
    .description('Self-hosted business messaging over the WhatsApp Business Platform.')
    .configureOutput({
      // One line, as every failure.
      outputError: (text, write) =>
        write(`parley: ${text.trim().replaceAll('\n', ' ')} (add --help for the options)\n`),
    });
  const all = word === '--version' || word === '-v' ? [] : Object.values(words);
  const asked = Object.hasOwn(words, word) ? [words[word]!] : all;
  for (const add of await Promise.all(asked.map((load) => load()))) add(program);
  return program;
}

/**
 * Runs the command that the words name. Where commander would answer with a whole page of help as an
 * error, a noun alone gets the page as if asked for, and `help` of a word that is none gets one line.
 */
export async function runProgram(program: Command, words: string[]): Promise<void> {
  const { command, rest } = follow(program, words);
  const [word, ...topics] = rest;
  const isNoun = command.commands.length > 0;
  if (isNoun && word === undefined) command.help();
  if (isNoun && word === 'help') {
    const topic = follow(
      command,
      topics.filter((each) => !each.startsWith('-')),
    );
    if (topic.rest.length > 0) command.error(`error: unknown command '${topic.rest[0]}'`);
    topic.command.help();
  }
  await program.parseAsync(words, { from: 'user' });
}

/** The command that the first words name, and the words after it. */
function follow(from: Command, words: string[]): { command: Command; rest: string[] } {
  const [word, ...rest] = words;
  const next = from.commands.find((each) => each.name() === word);
  return next ? follow(next, rest) : { command: from, rest: words };
}
