import type { Command } from 'commander';
import { openServices } from '../../../open-services.ts';
import { commandConfig, print } from '../../command.ts';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('Apply pending migrations of the database (see PARLEY_MIGRATE_AT_START).')
    .option('--json', 'print one JSON object and nothing else')
    .action(async ({ json }: { json?: boolean }) => {
      const { migrations, close } = await openServices(commandConfig(), { migrates: true });
      await close();
      const text =
        migrations.length > 0
          ? `Applied ${migrations.join(', ')}.`
          : 'The schema of the database is up to date.';
      print({ json: { migrations }, text }, json);
    });
}
