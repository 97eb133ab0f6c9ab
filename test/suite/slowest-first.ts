import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take ten seconds or more and keep a processor busy, slowest first. */
const busy = [
  'test/dashboard/pages/conversations.test.ts',
  'test/dashboard/live.test.ts',
  'src/moving/move-tenant.test.ts',
  'test/dashboard/every-page.test.ts',
  'test/dashboard/pages/contacts.test.ts',
  'test/dashboard/pages/stores.test.ts',
  'test/dashboard/first-view.test.ts',
  'src/cli/commands/service/backup.test.ts',
  'test/dashboard/sign-in/sign-in.test.ts',
  'src/cli/commands/tenants/tenant-files.test.ts',
  'test/dashboard/pages/webhook.test.ts',
  'src/bots/answering/answers.test.ts',
  'src/api-description/api-description.test.ts',
  'test/dashboard/pages/send-files.test.ts',
  'test/dashboard/keyboard.test.ts',
  'scripts/check-regular-expressions.test.ts',
  'src/cli/commands/contact.test.ts',
  'test/dashboard/pages/usage.test.ts',
  'test/dashboard/forms.test.ts',
  'src/cli/commands/tenants/tenant.test.ts',
  'test/dashboard/rare-states.test.ts',
  'test/dashboard/pages/messages.test.ts',
  'src/stores/processing/processing.test.ts',
  'src/stores/reception/reception.test.ts',
  'src/platform/embedded-postgres/embedded-postgres.test.ts',
  'test/dashboard/every-form.test.ts',
  'test/phone/chat.test.ts',
  'src/stores/processing/store-messages.test.ts',
  'test/dashboard/pages/api.test.ts',
  'src/platform/outbound/responses/hostile-responses.test.ts',
  'test/phone/messages.test.ts',
];

/** Those that wait for most of their time: for clocks, limits, and processes that start or die. */
const waiting = [
  'attack/attack.test.ts',
  'test/stories/service-processes.test.ts',
  'src/webhooks/delivering/deliveries.test.ts',
  'src/platform/listener/http2/http2-limits.test.ts',
  'src/messages/sending/rate-limit.test.ts',
  'test/stories/silence.test.ts',
  'src/limits/no-connection.test.ts',
  'test/stories/service-restarts.test.ts',
  'src/platform/listener/listen.test.ts',
  'src/tenants/api/read-databases.test.ts',
  'src/platform/migrating/migrate.test.ts',
  'src/messages/locked-tenant.test.ts',
  'src/platform/release-memory.test.ts',
  'test/stories/kill-service.test.ts',
  'src/messages/sending/shared-rate.test.ts',
];

/** Two busy files and one that waits, so that three at once use two processors. */
const slowest = busy.flatMap((file, index) => {
  const other = index % 2 === 1 ? waiting[(index - 1) / 2] : undefined;
  return other ? [file, other] : [file];
});

/**
 * Starts the slowest files first, also on a machine that has never run them. A slow file at the end would
 * keep one worker busy while the others are idle.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const named = slowest.flatMap((name) =>
      others.filter((file) => file.moduleId.endsWith(`/${name}`)),
    );
    return [...named, ...others.filter((file) => !named.includes(file))];
  }
}
