// Written by scripts/write-openapi.ts from the API description. Do not edit.

export interface paths {
  '/messages/send': { post: operations['sendText'] };
  '/messages/media': { post: operations['sendMedia'] };
  '/messages/{message_id}': { get: operations['getMessageStatus'] };
  '/messages/template': { post: operations['sendTemplate'] };
  '/templates': { get: operations['listTemplates'] };
  '/contacts': { post: operations['createContact']; get: operations['listContacts'] };
  '/contacts/{id}': {
    get: operations['getContact'];
    put: operations['updateContact'];
    delete: operations['deleteContact'];
  };
  '/statuses': { post: operations['createStatus']; get: operations['listStatuses'] };
  '/statuses/{id}': {
    get: operations['getStatus'];
    put: operations['updateStatus'];
    delete: operations['deleteStatus'];
  };
  '/sources': { post: operations['createSource']; get: operations['listSources'] };
  '/sources/{id}': {
    get: operations['getSource'];
    put: operations['updateSource'];
    delete: operations['deleteSource'];
  };
  '/groups': { post: operations['createGroup']; get: operations['listGroups'] };
  '/groups/{id}': {
    get: operations['getGroup'];
    put: operations['updateGroup'];
    delete: operations['deleteGroup'];
  };
  '/message-bots': { get: operations['listMessageBots'] };
  '/template-bots': { get: operations['listTemplateBots'] };
}

export interface operations {
  sendText: {
    parameters: {
      query?: never;
      header?: {
        /** Any text of your own that names this one request, such as a random UUID. A repeat with the same key and body within a day has no second effect and gets the first answer. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['SendText'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            message: string;
            data: {
              /** The network’s identifier of the message. */
              message_id: string;
              phone_number: string;
              status: 'sent';
            };
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      422: Failure;
      429: Failure;
      500: Failure;
    };
  };
  sendMedia: {
    parameters: {
      query?: never;
      header?: {
        /** Any text of your own that names this one request, such as a random UUID. A repeat with the same key and body within a day has no second effect and gets the first answer. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['SendMedia'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            message: string;
            data: {
              /** The network’s identifier of the message. */
              message_id: string;
              phone_number: string;
              status: 'sent';
            };
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      422: Failure;
      429: Failure;
      500: Failure;
    };
  };
  getMessageStatus: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** The `message_id` that the send answered, URL-encoded. */
        message_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              message_id: string;
              status: 'sent' | 'delivered' | 'read' | 'failed';
              /** When the status was reached, UTC. */
              timestamp: string;
              error?: {
                /** The network’s error code. */
                code: number;
                title: string;
                details: string | null;
              };
            };
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      429: Failure;
      500: Failure;
    };
  };
  sendTemplate: {
    parameters: {
      query?: never;
      header?: {
        /** Any text of your own that names this one request, such as a random UUID. A repeat with the same key and body within a day has no second effect and gets the first answer. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['SendTemplate'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            message: string;
            data: {
              /** The network’s identifier of the message. */
              message_id: string;
              phone_number: string;
              status: 'sent';
              /** With auto_generate_otp: six digits, shown here only. */
              otp?: string;
            };
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      422: Failure;
      429: Failure;
      500: Failure;
    };
  };
  listTemplates: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Template'][];
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      429: Failure;
      500: Failure;
    };
  };
  createContact: {
    parameters: {
      query?: never;
      header?: {
        /** Any text of your own that names this one request, such as a random UUID. A repeat with the same key and body within a day has no second effect and gets the first answer. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['NewContact'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Contact'];
            message?: string;
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      422: Failure;
      429: Failure;
      500: Failure;
    };
  };
  listContacts: {
    parameters: {
      query?: {
        page?: number;
        per_page?: number;
        /** Part of the first name, last name, both with a space between, phone or email; case does not matter, and no character has a special meaning. */
        search?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Contact'][];
            pagination: {
              page: number;
              per_page: number;
              total: number;
              total_pages: number;
            };
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      422: Failure;
      429: Failure;
      500: Failure;
    };
  };
  getContact: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Id of the record. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Contact'];
            message?: string;
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      429: Failure;
      500: Failure;
    };
  };
  updateContact: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Id of the record. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['ContactChange'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Contact'];
            message?: string;
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      422: Failure;
      429: Failure;
      500: Failure;
    };
  };
  deleteContact: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Id of the record. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            message: string;
            data: {
              id: number;
              deleted: true;
            };
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      429: Failure;
      500: Failure;
    };
  };
  createStatus: {
    parameters: {
      query?: never;
      header?: {
        /** Any text of your own that names this one request, such as a random UUID. A repeat with the same key and body within a day has no second effect and gets the first answer. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['NewStatus'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Status'];
            message?: string;
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      422: Failure;
      429: Failure;
      500: Failure;
    };
  };
  listStatuses: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Status'][];
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      429: Failure;
      500: Failure;
    };
  };
  getStatus: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Id of the record. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Status'];
            message?: string;
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      429: Failure;
      500: Failure;
    };
  };
  updateStatus: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Id of the record. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['StatusChange'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Status'];
            message?: string;
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      422: Failure;
      429: Failure;
      500: Failure;
    };
  };
  deleteStatus: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Id of the record. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            message: string;
            data: {
              id: number;
              deleted: true;
            };
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      429: Failure;
      500: Failure;
    };
  };
  createSource: {
    parameters: {
      query?: never;
      header?: {
        /** Any text of your own that names this one request, such as a random UUID. A repeat with the same key and body within a day has no second effect and gets the first answer. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['NewSource'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Source'];
            message?: string;
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      422: Failure;
      429: Failure;
      500: Failure;
    };
  };
  listSources: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Source'][];
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      429: Failure;
      500: Failure;
    };
  };
  getSource: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Id of the record. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Source'];
            message?: string;
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      429: Failure;
      500: Failure;
    };
  };
  updateSource: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Id of the record. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['SourceChange'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Source'];
            message?: string;
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      422: Failure;
      429: Failure;
      500: Failure;
    };
  };
  deleteSource: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Id of the record. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            message: string;
            data: {
              id: number;
              deleted: true;
            };
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      429: Failure;
      500: Failure;
    };
  };
  createGroup: {
    parameters: {
      query?: never;
      header?: {
        /** Any text of your own that names this one request, such as a random UUID. A repeat with the same key and body within a day has no second effect and gets the first answer. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['NewGroup'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Group'];
            message?: string;
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      422: Failure;
      429: Failure;
      500: Failure;
    };
  };
  listGroups: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Group'][];
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      429: Failure;
      500: Failure;
    };
  };
  getGroup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Id of the record. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Group'];
            message?: string;
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      429: Failure;
      500: Failure;
    };
  };
  updateGroup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Id of the record. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['GroupChange'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['Group'];
            message?: string;
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      422: Failure;
      429: Failure;
      500: Failure;
    };
  };
  deleteGroup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Id of the record. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            message: string;
            data: {
              id: number;
              deleted: true;
            };
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      429: Failure;
      500: Failure;
    };
  };
  listMessageBots: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['MessageBot'][];
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      429: Failure;
      500: Failure;
    };
  };
  listTemplateBots: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: components['schemas']['TemplateBot'][];
          };
        };
      };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      429: Failure;
      500: Failure;
    };
  };
}

export interface components {
  schemas: {
    Contact: {
      id: number;
      firstname: string;
      lastname: string | null;
      phone: string;
      email: string | null;
      company: string | null;
      city: string | null;
      status_id: number | null;
      source_id: number | null;
      group_ids: number[];
      created_at: string;
      updated_at: string;
    };
    ContactChange: {
      firstname?: string;
      /** Phone number with country code and a leading +, digits only. */
      phone?: string;
      /** Last name; null for none. */
      lastname?: string | null;
      /** Email address; null for none. */
      email?: string | null;
      /** Company; null for none. */
      company?: string | null;
      /** City; null for none. */
      city?: string | null;
      /** Id of the status to assign; null for none. */
      status_id?: number | null;
      /** Id of the source to assign; null for none. */
      source_id?: number | null;
      /** Ids of the groups to be in; replaces those it is in. */
      group_ids?: number[] | null;
    };
    Error: {
      success: false;
      /** What went wrong, in one sentence. */
      message: string;
      /** What is wrong by field; empty when no field is at fault. */
      errors: {
        [name: string]: string[];
      };
    };
    Group: {
      id: number;
      name: string;
      description: string | null;
      created_at: string;
      updated_at: string;
    };
    GroupChange: {
      /** Unique in the tenant, without regard to case. */
      name?: string;
      description?: string | null;
    };
    MessageBot: {
      id: number;
      name: string;
      active: boolean;
      /** How the text of a message is held against the keywords, without regard to case. first_message: the first one that a phone ever writes; any: every message. */
      match: 'exact' | 'starts_with' | 'contains' | 'first_message' | 'any';
      /** Empty for first_message and any. */
      keywords: string[];
      reply: string;
    };
    NewContact: {
      firstname: string;
      /** Phone number with country code and a leading +, digits only. */
      phone: string;
      /** Last name; null for none. */
      lastname?: string | null;
      /** Email address; null for none. */
      email?: string | null;
      /** Company; null for none. */
      company?: string | null;
      /** City; null for none. */
      city?: string | null;
      /** Id of the status to assign; null for none. */
      status_id?: number | null;
      /** Id of the source to assign; null for none. */
      source_id?: number | null;
      /** Ids of the groups to be in; replaces those it is in. */
      group_ids?: number[] | null;
    };
    NewGroup: {
      /** Unique in the tenant, without regard to case. */
      name: string;
      description?: string | null;
    };
    NewSource: {
      /** Unique in the tenant, without regard to case. */
      name: string;
      description?: string | null;
    };
    NewStatus: {
      /** Unique in the tenant, without regard to case. */
      name: string;
      color?: string | null;
      description?: string | null;
    };
    SendMedia: {
      /** Phone number with country code and a leading +, digits only. */
      phone_number: string;
      type: 'image' | 'document' | 'video' | 'audio';
      /** Public address of the file; the network fetches it from there. */
      media_url: string;
      /** Not passed on with audio, which has none. */
      caption?: string;
      /** Shown with a document. */
      filename?: string;
    };
    SendTemplate: {
      /** Phone number with country code and a leading +, digits only. */
      phone_number: string;
      /** Name of an approved template. */
      template_name: string;
      template_language: string;
      /** Value of the placeholder {{1}}. */
      field_1?: string;
      /** Value of the placeholder {{2}}. */
      field_2?: string;
      /** Value of the placeholder {{3}}; field_4 and so on where the template has more. */
      field_3?: string;
      /** Public address of the file; the network fetches it from there. */
      header_media_url?: string;
      /** Created with the accepted message when no contact has the phone. */
      contact?: {
        firstname: string;
        /** Last name; null for none. */
        lastname?: string | null;
        /** Email address; null for none. */
        email?: string | null;
      };
      /** The service makes the one-time password and answers it. */
      auto_generate_otp?: boolean;
      [name: `field_${number}`]: string | undefined;
    };
    SendText: {
      /** Phone number with country code and a leading +, digits only. */
      phone_number: string;
      type: 'text';
      /** The text, at most 4,096 characters. */
      message: string;
    };
    Source: {
      id: number;
      name: string;
      description: string | null;
      created_at: string;
      updated_at: string;
    };
    SourceChange: {
      /** Unique in the tenant, without regard to case. */
      name?: string;
      description?: string | null;
    };
    Status: {
      id: number;
      name: string;
      color: string | null;
      description: string | null;
      created_at: string;
      updated_at: string;
    };
    StatusChange: {
      /** Unique in the tenant, without regard to case. */
      name?: string;
      color?: string | null;
      description?: string | null;
    };
    Template: {
      id: number;
      /** Used as template_name when sending. */
      name: string;
      language: string;
      status: string;
      category: string;
      /** As the network has them: each with its type and, where it has one, its text. */
      components: {
        type: string;
        [name: string]: unknown;
      }[];
    };
    TemplateBot: {
      id: number;
      name: string;
      active: boolean;
      /** How the text of a message is held against the keywords, without regard to case. first_message: the first one that a phone ever writes; any: every message. */
      match: 'exact' | 'starts_with' | 'contains' | 'first_message' | 'any';
      /** Empty for first_message and any. */
      keywords: string[];
      template_name: string;
      template_language: string;
      fields: string[];
    };
  };
}

interface Failure {
  headers: { [name: string]: unknown };
  content: { 'application/json': components['schemas']['Error'] };
}

/** Every event that a webhook can be told, told apart by `event`. */
export type WebhookEvent =
  | {
      event: 'contact.created';
      data: components['schemas']['Contact'];
    }
  | {
      event: 'contact.read';
      data: components['schemas']['Contact'];
    }
  | {
      event: 'contact.updated';
      data: components['schemas']['Contact'];
    }
  | {
      event: 'contact.deleted';
      data: components['schemas']['Contact'];
    }
  | {
      event: 'status.created';
      data: components['schemas']['Status'];
    }
  | {
      event: 'status.updated';
      data: components['schemas']['Status'];
    }
  | {
      event: 'status.deleted';
      data: components['schemas']['Status'];
    }
  | {
      event: 'source.created';
      data: components['schemas']['Source'];
    }
  | {
      event: 'source.updated';
      data: components['schemas']['Source'];
    }
  | {
      event: 'source.deleted';
      data: components['schemas']['Source'];
    };
