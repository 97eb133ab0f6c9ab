import type { DataOf, InputOf, Method, OperationOf, PathOf } from './call-types.ts';
import type { AuthPaths, TenantPaths } from './schema.ts';

/** The data of the responses by their names in the dashboard. All are derived from the routes. */

type Data<Path extends PathOf<TenantPaths, Name>, Name extends Method = 'get'> = DataOf<
  OperationOf<TenantPaths, Path, Name>
>;
type AuthData<Path extends PathOf<AuthPaths, Name>, Name extends Method = 'get'> = DataOf<
  OperationOf<AuthPaths, Path, Name>
>;

/** The body of a call. */
export type BodyFor<Path extends PathOf<TenantPaths, Name>, Name extends Method> = NonNullable<
  InputOf<OperationOf<TenantPaths, Path, Name>>['body']
>;

export type SessionData = AuthData<'/session'>;
export type InvitationData = AuthData<'/invitation', 'post'>;

export type OverviewData = Data<'/overview'>;
export type UsageData = Data<'/usage'>;
export type AuditData = Data<'/audit'>['entries'][number];
export type RequestData = Data<'/requests'>['requests'][number];

export type ApiSettingsData = Data<'/api-settings'>;
export type TokenData = ApiSettingsData['tokens'][number];

export type NumberData = Data<'/numbers'>['numbers'][number];
export type CheckedNumberData = Data<'/numbers', 'post'>;
export type VisibleNumberData = Data<'/numbers/visible', 'post'>['numbers'][number];

export type ContactData = Data<'/contacts/{id}'>;
export type BulkChangeData = Data<'/contacts/bulk'>[number];
export type ContactImportData = Data<'/contacts/imports'>[number];

/** A status, source or group. Only statuses have a color. */
export type LabelData = Data<'/groups'>[number] & { color?: string | null };

export type TemplateData = Data<'/template-overview'>['templates'][number];

export type ConversationData = Data<'/conversations'>['conversations'][number];
export type ConversationsData = Data<'/conversations'>;
export type ConversationsFilter = NonNullable<
  InputOf<OperationOf<TenantPaths, '/conversations', 'get'>>['query']
>;
export type ThreadData = Data<'/conversation'>;
/** A message as the API lists it. */
export type MessageRecordData = Data<'/messages'>[number];
export type MessageData = ThreadData['messages'][number];

/** An event of the live stream. */
export type LiveEvent = OperationOf<
  TenantPaths,
  '/live',
  'get'
>['responses'][200]['content']['text/event-stream'];

/** A topic, besides conversations, whose changes the live stream reports. */
export type LiveTopic = Extract<LiveEvent, { kind: 'touched' }>['topics'][number];

export type BotData = Data<'/bots'>[number];
export type TriedBotsData = Data<'/bots/try', 'post'>;

export type StoreData = Data<'/stores'>[number];
export type StoreDetailsData = Data<'/stores/{id}'>;
export type StoreEventData = Data<'/stores/{id}/events'>['events'][number];
export type StoreWithSecretData = Data<'/stores', 'post'>;
export type PlatformData = Data<'/stores/platforms'>[number];
export type TopicAction = StoreDetailsData['topics'][number]['action'];

export type MergeData = Data<'/contact-merges'>[number];

export type WebhookSettingsData = Data<'/webhook'>;
export type WebhookData = NonNullable<WebhookSettingsData['webhook']>;
export type EndpointData = Data<'/webhook/endpoints'>['endpoints'][number];
export type QuotaData = WebhookSettingsData['quota'];
export type DeliveryData = Data<'/webhook/deliveries'>['deliveries'][number];

export type MembersData = Data<'/members'>;
export type Role = MembersData['members'][number]['role'];

export type TopicPreviewData = Data<'/stores/{id}/preview', 'post'>;
