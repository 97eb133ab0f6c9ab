import { Command } from 'commander';
import about from '../../package.json' with { type: 'json' };
import { findRevision } from '../platform/revision.ts';

/** The commands of each first word. Loading all takes half a second, loading one a fifth. */
const words: Record<string, () => Promise<(program: Command) => void>> = {
  serve: async () => (await import('./commands/service/serve.ts')).serveCommand,
  migrate: async () => (await import('./commands/service/migrate.ts')).migrateCommand,
  demo: async () => (await import('./commands/service/demo.ts')).demoCommand,
  tenant: async () => (await import('./commands/tenants/tenant.ts')).tenantCommands,
  token: async () => (await import('./commands/token.ts')).tokenCommands,
  number: async () => (await import('./commands/numbers/number.ts')).numberCommands,
  event: async () => (await import('./commands/event.ts')).eventCommands,
  webhook: async () => (await import('./commands/webhooks/webhook.ts')).webhookCommands,
  store: async () => (await import('./commands/stores/store.ts')).storeCommands,
  template: async () => (await import('./commands/template.ts')).templateCommands,
  bot: async () => (await import('./commands/bot.ts')).botCommands,
  member: async () => (await import('./commands/member.ts')).memberCommands,
  audit: async () => (await import('./commands/audit.ts')).auditCommand,
  message: async () => (await import('./commands/message.ts')).messageCommands,
  contact: async () => (await import('./commands/contact.ts')).contactCommands,
  top: async () => (await import('./commands/service/top.ts')).topCommand,
  cell: async () => (await import('./commands/service/cell.ts')).cellCommands,
  backup: async () => (await import('./commands/service/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/service/restore.ts')).restoreCommand,
  'master-key': async () => (await import('./commands/service/master-key.ts')).masterKeyCommands,
  doctor: async () => (await import('./commands/service/doctor.ts')).doctorCommand,
};

/**
 * Creates the program, without running anything. With a known first `word` it has only that command, for the
 * version none, otherwise all.
 */
export async function createProgram(word = ''): Promise<Command> {
  const isVersion = word === '--version' || word === '-v';
  const version = isVersion ? `${about.version} (${findRevision()})` : about.version;
  const program = new Command('parley')
    .version(version, '-v, --version', 'print the version and its revision')
    .description('Self-hosted business messaging over the WhatsApp Business Platform.')
    .configureOutput({
      // One line, like every failure.
      outputError: (text, write) =>
        write(`parley: ${text.trim().replaceAll('\n', ' ')} (add --help for the options)\n`),
    });
  const all = isVersion ? [] : Object.values(words);
  const loaders = Object.hasOwn(words, word) ? [words[word]!] : all;
  for (const add of await Promise.all(loaders.map((load) => load()))) add(program);
  return program;
}

/**
 * Runs the command that the words name. A noun alone prints its help, and `help` of an unknown word prints
 * one line. (commander would print a whole page of help as an error.)
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

/** Finds the command that the first words name, and returns it with the remaining words. */
function follow(from: Command, words: string[]): { command: Command; rest: string[] } {
  const [word, ...rest] = words;
  const next = from.commands.find((each) => each.name() === word);
  return next ? follow(next, rest) : { command: from, rest: words };
}
