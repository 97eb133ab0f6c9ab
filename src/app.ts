import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { describeApi } from './api-description/describe-api.ts';
import { describeOwnApi } from './api-description/describe-own-api.ts';
import { docsRoutes } from './api-description/docs-routes.ts';
import { auditDashboardRoutes } from './audit/dashboard-routes.ts';
import { queueAnswers } from './bots/answering/queue-answers.ts';
import { botDashboardRoutes } from './bots/dashboard-routes.ts';
import { botRoutes } from './bots/routes.ts';
import { publicUrl } from './config.ts';
import { contactDashboardRoutes } from './contacts/dashboard-routes.ts';
import { contactFileRoutes } from './contacts/files/dashboard-routes.ts';
import { contactRoutes } from './contacts/routes.ts';
import { createContactCreator } from './contacts/writing/create-contact.ts';
import { dashboardFiles } from './dashboard-files.ts';
import { createEventReader } from './events/log/read-events.ts';
import { createEventWaiter } from './events/log/wait-for-events.ts';
import { eventRoutes } from './events/routes.ts';
import { createReadinessCheck } from './health/check-readiness.ts';
import { healthRoutes } from './health/routes.ts';
import { labelRoutes } from './labels/routes.ts';
import { createRequestCounter } from './limits/count-request.ts';
import { usageRoutes } from './limits/dashboard-routes.ts';
import { queueFiles } from './media/kept/queue-files.ts';
import { mediaRoutes } from './media/routes.ts';
import { dashboardApi } from './members/dashboard-api.ts';
import { memberRoutes } from './members/dashboard-routes.ts';
import { createAuth } from './members/sign-in/auth.ts';
import { authRoutes } from './members/sign-in/auth-routes.ts';
import { conversationRoutes } from './messages/conversations/dashboard-routes.ts';
import { mediaDownloadRoute } from './messages/conversations/files/media-route.ts';
import { mergeRoutes } from './messages/identities/merging/merge-routes.ts';
import { createReportApplier } from './messages/receiving/apply-reports.ts';
import { createMessageReceiver } from './messages/receiving/receive-messages.ts';
import {
  codedRecords,
  conversationListRoutes,
  type MessageRecords,
  messageListRoutes,
  plainRecords,
} from './messages/record/routes.ts';
import { messageRoutes } from './messages/routes.ts';
import { createAutomatedSender } from './messages/sending/automated/send-automated.ts';
import { createSendFinder } from './messages/sending/find-send-of-attempt.ts';
import { createMediaChecker } from './messages/sending/media/check-media.ts';
import { createMessageSender } from './messages/sending/send-message.ts';
import { logRequests } from './metrics/log-requests.ts';
import { measureRequests } from './metrics/measure-requests.ts';
import { traceRequests } from './metrics/trace-requests.ts';
import { numberDashboardRoutes } from './numbers/dashboard-routes.ts';
import { createNumberFinder } from './numbers/find-number.ts';
import { createWrongSignatureReporter } from './numbers/state/report-wrong-signatures.ts';
import { overviewRoutes } from './overview/dashboard-routes.ts';
import { noSuchPath } from './platform/errors/no-such-path.ts';
import { sendError } from './platform/errors/send-error.ts';
import { createByteBudget } from './platform/http/bodies/byte-budget.ts';
import { readJsonBodies } from './platform/http/bodies/json-bodies.ts';
import { readBody } from './platform/http/bodies/read-body.ts';
import { createPathHints } from './platform/http/faults/path-hints.ts';
import { limitUnread } from './platform/http/limit-unread.ts';
import { createRequestIds } from './platform/http/request-id.ts';
import { safeHeaders } from './platform/http/safe-headers.ts';
import { createSerializerCompiler } from './platform/http/serialization.ts';
import { createValidatorCompiler } from './platform/http/validation.ts';
import { clientNetwork } from './platform/values/networks.ts';
import { requestDashboardRoutes } from './requests/dashboard-routes.ts';
import type { Services } from './services.ts';
import { storeDashboardRoutes } from './stores/dashboard-routes.ts';
import { createPostReceiver, refusedPost } from './stores/reception/receive-post.ts';
import { storeWebhookRoutes } from './stores/reception/webhook-routes.ts';
import { templateDashboardRoutes } from './templates/dashboard-routes.ts';
import { createTemplateFinder } from './templates/find-sendable-template.ts';
import { templateRoutes } from './templates/routes.ts';
import { createConcurrencyLimit, createWritePermits } from './tenants/api/limit-concurrency.ts';
import { createReadDatabases } from './tenants/api/read-databases.ts';
import { type TenantApi, tenantApi } from './tenants/api/tenant-api.ts';
import { tenantDashboardRoutes } from './tenants/dashboard-routes.ts';
import { webhookDashboardRoutes } from './webhooks/dashboard-routes.ts';
import { endpointDashboardRoutes } from './webhooks/endpoints/dashboard-routes.ts';
import { deliveryDashboardRoutes } from './webhooks/log/dashboard-routes.ts';
import { createDroppedReadCounter } from './webhooks/quota/count-dropped-reads.ts';
import { callbackRoutes } from './whatsapp/callbacks/callback-routes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Ends the requests that wait for events, so that the service can stop. */
    endWaits(): void;
  }
}

/** The limit of the body of an API request. */
const maxBodyBytes = 1024 * 1024;

/** Builds the HTTP side of the service. It does not listen, so tests can inject requests. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const app = createApp(services);
  describeApi(app);
  describeOwnApi(app);

  const numbers = createNumberFinder(services);
  const findTemplate = createTemplateFinder({ ...services, numbers });
  const checkMedia = createMediaChecker(services.files);
  const countRequest = createRequestCounter(services);
  const sendMessage = createMessageSender({ ...services, countRequest });
  const sending = { ...services, numbers, findTemplate, checkMedia, countRequest, sendMessage };
  const sender = createAutomatedSender(sending);
  const createContact = createContactCreator(services);
  const receiveMessages = createMessageReceiver({ ...services, queueAnswers, queueFiles });
  const writePermits = createWritePermits(services.config);
  const applyReport = createReportApplier({
    ...services,
    numbers,
    receiveMessages,
    writePermits,
  });
  const findSend = createSendFinder(services);
  const auth = createAuth(services);
  const bodyBudget = createByteBudget();
  const droppedReads = createDroppedReadCounter(services);
  app.addHook('onClose', () => droppedReads.flush());
  const eventWaiter = createEventWaiter(services);
  app.decorate('endWaits', eventWaiter.close);
  app.addHook('preClose', async () => eventWaiter.close());
  services.stopping.addEventListener('abort', () => eventWaiter.close());
  const readEvents = createEventReader(eventWaiter, services.vault);
  const limitConcurrency = createConcurrencyLimit(services.config, writePermits);
  const readDatabases = createReadDatabases(services);
  const limits = { limitConcurrency, readDatabases };
  const { holds } = services;

  /** Routes that the API serves by token and the dashboard by session. */
  const publicRoutes = (api: TenantApi, records: MessageRecords) => {
    messageRoutes(api, sending);
    messageListRoutes(api, services, records);
    mediaRoutes(api, { ...services, numbers });
    templateRoutes(api, { numbers });
    contactRoutes(api, { ...services, createContact, droppedReads });
    labelRoutes(api, services);
    botRoutes(api);
    eventRoutes(api, { readEvents });
  };
  tenantApi(app, { ...services, countRequest, findSend, ...limits }, (api) => {
    publicRoutes(api, plainRecords);
    // The dashboard has a list of its own.
    conversationListRoutes(api, services);
    mediaDownloadRoute(api, { ...services, numbers });
  });
  const storeReport: typeof applyReport = (number, report) =>
    holds.write(number.tenantId, () => applyReport(number, report));
  callbackRoutes(app, {
    find: numbers.byCallback,
    onReport: storeReport,
    onWrongSignature: createWrongSignatureReporter(services),
    bodyBudget,
  });
  storeWebhookRoutes(app, createPostReceiver(services), bodyBudget);
  authRoutes(app, { ...services, auth, bodyBudget });
  dashboardApi(app, { ...services, auth, countRequest, findSend, ...limits }, (api) => {
    publicRoutes(api, codedRecords);
    overviewRoutes(api, { ...services, numbers });
    tenantDashboardRoutes(api, services);
    memberRoutes(api, services);
    auditDashboardRoutes(api, services);
    contactDashboardRoutes(api, services);
    contactFileRoutes(api, services);
    numberDashboardRoutes(api, { ...services, numbers });
    conversationRoutes(api, { ...services, numbers });
    mergeRoutes(api, services);
    usageRoutes(api, services);
    requestDashboardRoutes(api, services);
    webhookDashboardRoutes(api, services);
    endpointDashboardRoutes(api, services);
    deliveryDashboardRoutes(api, services);
    storeDashboardRoutes(api, { ...services, app, numbers, sender });
    botDashboardRoutes(api, { ...services, numbers, findTemplate, sender });
    templateDashboardRoutes(api, { ...services, numbers });
  });
  docsRoutes(app, publicUrl(services.config));
  healthRoutes(app, createReadinessCheck(services), { withReason: false });
  await dashboardFiles(app);
  return app;
}

/** Creates an app without routes: headers, errors and parsers of all requests. */
function createApp({ config, log, metrics, tracing }: Services): FastifyInstance {
  const headers = {
    ...safeHeaders,
    // Not for a local address: it would apply to every other program there.
    ...(config.baseUrl && { 'strict-transport-security': 'max-age=31536000' }),
  };
  const app = fastify({
    loggerInstance: sharedByRequests(log),
    genReqId: createRequestIds(config.trustedProxies),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    routerOptions: { maxParamLength: 512 },
    // A path that cannot be decoded, or has a segment of over 512 characters, does not exist.
    frameworkErrors: (_error, request, reply) => {
      reply.headers(headers).header('x-request-id', request.id);
      const toStore = request.url.startsWith('/api/webhooks/');
      return sendError(toStore ? refusedPost() : noSuchPath(request.url), request, reply);
    },
  });
  if (config.metricsPort !== undefined) measureRequests(app, metrics);
  logRequests(app, log, config.requestLog);
  traceRequests(app, tracing, config.trustedProxies);
  app.setValidatorCompiler(createValidatorCompiler());
  app.setSerializerCompiler(createSerializerCompiler());
  app.setErrorHandler(sendError);
  const hintAt = createPathHints(app);
  const unknownPath = ({ method, url }: FastifyRequest) => hintAt(method, url) ?? noSuchPath(url);
  app.setNotFoundHandler((request) => {
    throw unknownPath(request);
  });
  // No path contains a NUL, which PostgreSQL refuses. (Posts of stores are refused by their own rule.) An
  // unknown path is refused before the body is read.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    if (request.is404) done(unknownPath(request));
    else done(hasNul(request.url) ? noSuchPath(request.url) : undefined);
  });
  const limit = limitUnread(({ caller, ip }) =>
    caller ? `tenant ${caller.tenantId}` : clientNetwork(ip),
  );
  app.addHook('onRoute', (route) => {
    // Not added to writes, whose responses it would let pass.
    if (route.method === 'GET') route.onSend = [limit, ...[route.onSend ?? []].flat()];
  });
  readJsonBodies(app, (request, payload, done) => readBody(request, payload, maxBodyBytes, done));
  return app;
}

function hasNul(url: string): boolean {
  const at = url.indexOf('%00');
  return at >= 0 && !url.startsWith('/api/webhooks/') && !url.slice(0, at).includes('?');
}

/** Fastify wants a logger for each request, which would take 35 of its 80 microseconds here. */
function sharedByRequests(log: Services['log']): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.create(log, { child: { value: () => shared } });
  return shared;
}
