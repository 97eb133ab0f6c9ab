export type Log = (message: string, details?: Record<string, unknown>) => void;

/** Runs something after so many milliseconds. */
export type Later = (ms: number, run: () => void) => void;

/** A business phone number on the simulated network, with all that its owner would know of it. */
export interface SimulatedNumber {
  phone_number_id: string;
  business_account_id: string;
  display_phone_number: string;
  verified_name: string;
  access_token: string;
  app_secret: string;
  callback_url: string | null;
  verify_token: string;
  /** Path of a PEM file with the authority that signed the callback address's certificate. */
  ca: string | null;
  limits: Limits;
}

export interface Limits {
  /** In and out together; null switches the limit off. */
  messages_per_second: number | null;
  /** One message in 6 s to the same phone, after a burst of 45. */
  pair: boolean;
  /** Only templates more than 24 hours after the phone's last message. */
  window: boolean;
}

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

export interface TemplateButton {
  type: string;
  text?: string;
  url?: string;
  phone_number?: string;
  otp_type?: string;
  example?: unknown;
}

export interface TemplateComponent {
  type: string;
  format?: string;
  text?: string;
  buttons?: TemplateButton[];
  add_security_recommendation?: boolean;
  code_expiration_minutes?: number;
  example?: unknown;
}

export interface Template {
  id: string;
  business_account_id: string;
  name: string;
  language: string;
  category: string;
  status: TemplateStatus;
  parameter_format: 'POSITIONAL' | 'NAMED';
  components: TemplateComponent[];
}

export type NewTemplate = Omit<Template, 'id' | 'business_account_id'>;

export type JsonObject = Record<string, unknown>;

export type MessageStatus = 'accepted' | 'sent' | 'delivered' | 'read' | 'failed';

/** One message of a conversation. `direction` is seen from the business. Times are milliseconds. */
export interface ChatMessage {
  wamid: string;
  direction: 'outbound' | 'inbound';
  phone_number_id: string;
  phone: string;
  at: number;
  type: string;
  /** Outbound: the body as it was posted. Inbound: the message as it went into the callback. */
  payload: JsonObject;
  rendered?: RenderedTemplate;
  status: MessageStatus;
  statuses: { status: MessageStatus; at: number }[];
  error?: StatusError;
  /** Outbound template messages: what the statuses' pricing says. */
  category?: string;
  /** Inbound: the business has marked it as read. */
  seen?: boolean;
}

export interface RenderedTemplate {
  name: string;
  language: string;
  header?: { format: string; text?: string; link?: string; id?: string; filename?: string };
  body: string;
  footer?: string;
  buttons: { type: string; text: string; url?: string; payload?: string; code?: string }[];
}

/** The error inside a `failed` status. */
export interface StatusError {
  code: number;
  title: string;
  message: string;
  error_data: { details: string };
  href: string;
}

export interface Phone {
  phone: string;
  name: string;
  /** Stands for the phone where the network hides it. */
  user_id: string;
  /** A phone that is off gets nothing until it is on again. */
  on: boolean;
}

/** The messages between one business number and one phone, oldest first. */
export interface Chat {
  phone_number_id: string;
  phone: string;
  messages: ChatMessage[];
  last_inbound_at: number | null;
}

/** One change that a callback will carry. */
export interface Update {
  phone_number_id: string;
  kind: 'status' | 'message' | 'template';
  /** The status, the message, or the whole value of a template's change. */
  content: JsonObject;
  /** Goes with a message: who wrote it. */
  contact?: JsonObject;
}
