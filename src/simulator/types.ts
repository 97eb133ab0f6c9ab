import type { RuleRequest } from './knobs.ts';

export type { RuleRequest } from './knobs.ts';

export type Log = (message: string, details?: Record<string, unknown>) => void;

/** Runs a callback after a delay in milliseconds. */
export type Later = (ms: number, run: () => void) => void;

/** A business phone number on the simulated network, with everything that its owner knows. */
export type SimulatedNumber = {
  phone_number_id: string;
  business_account_id: string;
  display_phone_number: string;
  verified_name: string;
  access_token: string;
  app_secret: string;
  callback_url: string | null;
  verify_token: string;
  /** Path of a PEM file with the certificate authority of the callback URL. */
  ca: string | null;
  limits: Limits;
  marketing: Marketing;
  /** The app that signs its callbacks with `app_secret`, and to which its token belongs. */
  app_id: string;
  token: AccessToken;
  registration: Registration;
  /** GREEN, YELLOW, RED or UNKNOWN. */
  quality_rating: string;
  /** How many people the account may write to in 24 hours, such as TIER_250. It is shown, not enforced. */
  messaging_limit: string;
  /** The network's record of what keeps the number from sending; null if nothing does. */
  health_status: JsonObject | null;
};

/** The permissions of the access token of a number. */
export type AccessToken = {
  scopes: string[];
  /** Seconds since 1970; 0 for never. */
  expires_at: number;
  /** Whether `debug_token` lists the accounts of the scopes. Without them a scope holds for all accounts. */
  names_accounts: boolean;
};

/** Whether the number is registered with the network. One that is not cannot send. */
export type Registration = {
  status: string;
  /** Asked for at the next registration; null until the first one sets it. */
  pin: string | null;
};

/** The webhook settings of an app. Only the fields that it chose are reported, to any callback URL. */
export type App = {
  id: string;
  callback_url: string | null;
  fields: string[];
};

/** An app that gets the callbacks of an account, at another address than its own if it chose one. */
export type Subscription = {
  business_account_id: string;
  app_id: string;
  override_callback_uri: string | null;
};

/** The agreement of an account with the network about marketing templates. */
export type Marketing = {
  /** Without the terms, the marketing endpoint sends as the other one does, or refuses if it must not. */
  terms_signed: boolean;
  /** Only the marketing endpoint sends marketing templates. */
  disabled_on_cloud_api: boolean;
};

export type Limits = {
  /** Inbound and outbound messages together; null disables the limit. */
  messages_per_second: number | null;
  /** One message per 6 s to the same phone, after a burst of 45. */
  pair: boolean;
  /** Allows only templates more than 24 hours after the phone's last message. */
  window: boolean;
  /** Lets marketing templates to phones of the United States fail. */
  us_marketing: boolean;
  /** Lets files with a link to a local or private address fail. */
  public_links: boolean;
};

export type TemplateStatus =
  | 'APPROVED'
  | 'PENDING'
  | 'REJECTED'
  | 'PAUSED'
  | 'DISABLED'
  | 'IN_APPEAL'
  | 'LIMIT_EXCEEDED'
  | 'PENDING_DELETION'
  | 'DELETED'
  | 'ARCHIVED';

export type TemplateButton = {
  type: string;
  text?: string;
  url?: string;
  phone_number?: string;
  otp_type?: string;
  example?: unknown;
};

export type TemplateComponent = {
  type: string;
  format?: string;
  text?: string;
  buttons?: TemplateButton[];
  add_security_recommendation?: boolean;
  code_expiration_minutes?: number;
  example?: unknown;
  /** Of a carousel. */
  cards?: { components: TemplateComponent[] }[];
  limited_time_offer?: { text?: string; has_expiration?: boolean };
};

export type Template = {
  id: string;
  business_account_id: string;
  name: string;
  language: string;
  category: string;
  status: TemplateStatus;
  parameter_format: 'POSITIONAL' | 'NAMED';
  /** Such as INVALID_FORMAT. */
  rejected_reason?: string;
  components: TemplateComponent[];
};

export type NewTemplate = Omit<Template, 'id' | 'business_account_id'>;

export type JsonObject = Record<string, unknown>;

export type MessageStatus = 'accepted' | 'sent' | 'delivered' | 'read' | 'played' | 'failed';

/**
 * One message of a chat. `direction` is the business's point of view. Times are in milliseconds. An inbound
 * message is `sent`, and `delivered` when the receiver of the callbacks has accepted it.
 */
export type ChatMessage = {
  wamid: string;
  direction: 'outbound' | 'inbound';
  phone_number_id: string;
  phone: string;
  at: number;
  type: string;
  /** Outbound: the posted body. Inbound: the message as the callback has it. */
  payload: JsonObject;
  rendered?: RenderedTemplate;
  status: MessageStatus;
  statuses: { status: MessageStatus; at: number }[];
  error?: StatusError;
  /** Outbound template messages: the category for the pricing in statuses, `MARKETING_LITE` by that endpoint. */
  category?: string;
  /** Outbound: what a behaviour decided about the price, and the id of the conversation of a free entry point. */
  price?: { type?: string; category?: string; conversation?: string };
  /** Inbound: whether the business has marked it as read. */
  seen?: boolean;
};

export type RenderedTemplate = RenderedCard & {
  name: string;
  language: string;
  footer?: string;
  /** `ends_at` is in milliseconds since 1970. */
  offer?: { text: string; ends_at?: number };
  cards?: RenderedCard[];
};

/** What a template and a card of a carousel have in common. */
export type RenderedCard = {
  header?: { format: string; text?: string; link?: string; id?: string; filename?: string };
  body: string;
  buttons: {
    type: string;
    text: string;
    url?: string;
    payload?: string;
    code?: string;
    /** What the business named this use of a form. */
    flow_token?: string;
  }[];
};

/** The error inside a `failed` status. */
export type StatusError = {
  code: number;
  title: string;
  message: string;
  error_data: { details: string };
  href: string;
};

export type Phone = {
  phone: string;
  name: string;
  /** Replaces the phone if the network hides it. */
  user_id: string;
  /** A phone that is off receives nothing until it is switched on. */
  on: boolean;
  /** A person with a username may hide the phone. */
  username: string | null;
  hidden: boolean;
};

/** A phone with what a list of phones shows. */
export type PhoneSummary = Phone & {
  /** Messages that reached the phone and were not read on it. */
  unread: number;
  /** The last message that the phone shows; null if there is none. */
  last: ChatMessage | null;
};

/** A number as the people who write to it know it. */
export type BusinessNumber = Pick<
  SimulatedNumber,
  'phone_number_id' | 'display_phone_number' | 'verified_name'
> & {
  /** Whether free text is refused more than 24 hours after the person's last message. */
  window: boolean;
  us_marketing: boolean;
  public_links: boolean;
  /** Whether the account may send nothing. */
  blocked: boolean;
};

/** A change that is streamed to the page of the phones. After `reload` everything may be different. */
export type Change =
  | { kind: 'message'; message: ChatMessage }
  | { kind: 'phone'; phone: PhoneSummary }
  | { kind: 'typing'; phone: string; phone_number_id: string }
  | { kind: 'behaviour'; rules: RuleRequest[] }
  | { kind: 'reload' };

/** The messages between one business number and one phone, oldest first. */
export type Chat = {
  phone_number_id: string;
  phone: string;
  messages: ChatMessage[];
  last_inbound_at: number | null;
};

/** One change to report in a callback. */
export type Update = {
  phone_number_id: string;
  kind: 'status' | 'message' | 'change';
  /** The status, the message, or the value of another change. */
  content: JsonObject;
  /** The sender of a message, or the recipient of one with a status. */
  contact?: JsonObject;
  /** The field of a change; that of a status and a message is `messages`. */
  field?: string;
};
