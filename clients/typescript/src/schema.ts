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
        /** Text of your own, in ASCII and without spaces, that names this one request, such as a random UUID. A repeat with the same key and body within a day has no second effect and gets the first answer. */
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
            /** The request was carried out. */
            success: true;
            /** What was done, in one sentence. */
            message: string;
            /** The message that the network accepted. */
            data: {
              /** The network’s identifier of the message. */
              message_id: string;
              /** The phone that it was sent to. */
              phone_number: string;
              /** The network has accepted it. */
              status: 'sent';
              /** Our id of the message; `GET /messages/id:{id}` looks it up. */
              id: number;
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
        /** Text of your own, in ASCII and without spaces, that names this one request, such as a random UUID. A repeat with the same key and body within a day has no second effect and gets the first answer. */
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
            /** The request was carried out. */
            success: true;
            /** What was done, in one sentence. */
            message: string;
            /** The message that the network accepted. */
            data: {
              /** The network’s identifier of the message. */
              message_id: string;
              /** The phone that it was sent to. */
              phone_number: string;
              /** The network has accepted it. */
              status: 'sent';
              /** Our id of the message; `GET /messages/id:{id}` looks it up. */
              id: number;
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
        /** The `message_id` of the response to the send, URL-encoded or as it is; or `id:` and its `id`, such as `id:42`. */
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
            /** The request was carried out. */
            success: true;
            /** The message as far as it has come. */
            data: {
              /** The network’s identifier of the message; null only in a lookup by `id:{id}`, until it is known. */
              message_id: string | null;
              /** The furthest status that it has reached. */
              status: 'unknown' | 'sent' | 'delivered' | 'read' | 'failed';
              /** When the status was reached, UTC; if unknown, when the send began. */
              timestamp: string;
              /** Our id of the message; `GET /messages/id:{id}` looks it up. */
              id: number;
              /** Why it failed; only when it did. */
              error?: {
                /** The network’s error code; null when it gave none. */
                code: number | null;
                /** The error in a few words. */
                title: string;
                /** What the network says about it; null when it says nothing. */
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
        /** Text of your own, in ASCII and without spaces, that names this one request, such as a random UUID. A repeat with the same key and body within a day has no second effect and gets the first answer. */
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
            /** The request was carried out. */
            success: true;
            /** What was done, in one sentence. */
            message: string;
            /** The message that the network accepted. */
            data: {
              /** The network’s identifier of the message. */
              message_id: string;
              /** The phone that it was sent to. */
              phone_number: string;
              /** The network has accepted it. */
              status: 'sent';
              /** Our id of the message; `GET /messages/id:{id}` looks it up. */
              id: number;
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
            /** The request was carried out. */
            success: true;
            /** All that were asked for. */
            data: components['schemas']['Template'][];
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
  createContact: {
    parameters: {
      query?: never;
      header?: {
        /** Text of your own, in ASCII and without spaces, that names this one request, such as a random UUID. A repeat with the same key and body within a day has no second effect and gets the first answer. */
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
            /** The request was carried out. */
            success: true;
            /** The whole record. */
            data: components['schemas']['Contact'];
            /** What was done, in one sentence. */
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
        /** Number of the page, from 1. */
        page?: number;
        /** Records on a page. */
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
            /** The request was carried out. */
            success: true;
            /** All that were asked for. */
            data: components['schemas']['Contact'][];
            /** Where this page is in the whole list. */
            pagination: {
              /** Number of the page, from 1. */
              page: number;
              /** Records on a page. */
              per_page: number;
              /** Records on all pages, exactly. */
              total: number;
              /** How many pages there are. */
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
            /** The request was carried out. */
            success: true;
            /** The whole record. */
            data: components['schemas']['Contact'];
            /** What was done, in one sentence. */
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
            /** The request was carried out. */
            success: true;
            /** The whole record. */
            data: components['schemas']['Contact'];
            /** What was done, in one sentence. */
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
            /** The request was carried out. */
            success: true;
            /** What was done, in one sentence. */
            message: string;
            /** What it was that was deleted. */
            data: {
              /** Id that the record had. */
              id: number;
              /** It is gone. */
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
        /** Text of your own, in ASCII and without spaces, that names this one request, such as a random UUID. A repeat with the same key and body within a day has no second effect and gets the first answer. */
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
            /** The request was carried out. */
            success: true;
            /** The whole record. */
            data: components['schemas']['Status'];
            /** What was done, in one sentence. */
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
            /** The request was carried out. */
            success: true;
            /** All that were asked for. */
            data: components['schemas']['Status'][];
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
            /** The request was carried out. */
            success: true;
            /** The whole record. */
            data: components['schemas']['Status'];
            /** What was done, in one sentence. */
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
            /** The request was carried out. */
            success: true;
            /** The whole record. */
            data: components['schemas']['Status'];
            /** What was done, in one sentence. */
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
            /** The request was carried out. */
            success: true;
            /** What was done, in one sentence. */
            message: string;
            /** What it was that was deleted. */
            data: {
              /** Id that the record had. */
              id: number;
              /** It is gone. */
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
        /** Text of your own, in ASCII and without spaces, that names this one request, such as a random UUID. A repeat with the same key and body within a day has no second effect and gets the first answer. */
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
            /** The request was carried out. */
            success: true;
            /** The whole record. */
            data: components['schemas']['Source'];
            /** What was done, in one sentence. */
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
            /** The request was carried out. */
            success: true;
            /** All that were asked for. */
            data: components['schemas']['Source'][];
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
            /** The request was carried out. */
            success: true;
            /** The whole record. */
            data: components['schemas']['Source'];
            /** What was done, in one sentence. */
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
            /** The request was carried out. */
            success: true;
            /** The whole record. */
            data: components['schemas']['Source'];
            /** What was done, in one sentence. */
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
            /** The request was carried out. */
            success: true;
            /** What was done, in one sentence. */
            message: string;
            /** What it was that was deleted. */
            data: {
              /** Id that the record had. */
              id: number;
              /** It is gone. */
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
        /** Text of your own, in ASCII and without spaces, that names this one request, such as a random UUID. A repeat with the same key and body within a day has no second effect and gets the first answer. */
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
            /** The request was carried out. */
            success: true;
            /** The whole record. */
            data: components['schemas']['Group'];
            /** What was done, in one sentence. */
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
            /** The request was carried out. */
            success: true;
            /** All that were asked for. */
            data: components['schemas']['Group'][];
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
            /** The request was carried out. */
            success: true;
            /** The whole record. */
            data: components['schemas']['Group'];
            /** What was done, in one sentence. */
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
            /** The request was carried out. */
            success: true;
            /** The whole record. */
            data: components['schemas']['Group'];
            /** What was done, in one sentence. */
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
            /** The request was carried out. */
            success: true;
            /** What was done, in one sentence. */
            message: string;
            /** What it was that was deleted. */
            data: {
              /** Id that the record had. */
              id: number;
              /** It is gone. */
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
            /** The request was carried out. */
            success: true;
            /** All that were asked for. */
            data: components['schemas']['MessageBot'][];
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
  listTemplateBots: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** The request was carried out. */
            success: true;
            /** All that were asked for. */
            data: components['schemas']['TemplateBot'][];
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
}

export interface components {
  schemas: {
    Contact: {
      /** Id of the record, unique in the tenant. */
      id: number;
      /** First name. */
      firstname: string;
      /** Last name; null for none. */
      lastname: string | null;
      /** Phone number with country code and a leading +; no two contacts have the same. */
      phone: string;
      /** Email address; null for none. */
      email: string | null;
      /** Company; null for none. */
      company: string | null;
      /** City; null for none. */
      city: string | null;
      /** Id of the status of the contact; null for none. */
      status_id: number | null;
      /** Id of the source of the contact; null for none. */
      source_id: number | null;
      /** Ids of the groups that the contact is in. */
      group_ids: number[];
      /** When the record was made, UTC. */
      created_at: string;
      /** When the record was last changed, UTC. */
      updated_at: string;
    };
    ContactChange: {
      /** First name. */
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
      /** The request was not carried out. */
      success: false;
      /** What went wrong, in one sentence. */
      message: string;
      /** What is wrong by field; empty when no field is at fault. */
      errors: {
        [name: string]: string[];
      };
      /** A stable word for programs, on some errors. `outcome_unknown`: the message of a send may have been sent. */
      code?: string;
      /** What the code is about. Absent once the message was deleted with its contact. */
      data?: {
        /** With `outcome_unknown`: our id of the message; `GET /messages/id:{id}` tells what became of it. */
        id: number;
      };
    };
    Group: {
      /** Id of the record, unique in the tenant. */
      id: number;
      /** Name, unique in the tenant without regard to case. */
      name: string;
      /** What it is for; null for nothing. */
      description: string | null;
      /** When the record was made, UTC. */
      created_at: string;
      /** When the record was last changed, UTC. */
      updated_at: string;
    };
    GroupChange: {
      /** Unique in the tenant. Case and surrounding spaces do not count: names with the same capitals are the same. */
      name?: string;
      /** What it is for; null for nothing. */
      description?: string | null;
    };
    MessageBot: {
      /** Id of the record, unique in the tenant. */
      id: number;
      /** What the tenant calls the bot. */
      name: string;
      /** Whether it answers at present. */
      active: boolean;
      /** How the text of a message is held against the keywords, without regard to case. first_message: the first one that a phone ever writes; any: every message. */
      match: 'exact' | 'starts_with' | 'contains' | 'first_message' | 'any';
      /** Empty for first_message and any. */
      keywords: string[];
      /** The text that it answers; may hold {{firstname}} and the like. */
      reply: string;
    };
    NewContact: {
      /** First name. */
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
      /** Unique in the tenant. Case and surrounding spaces do not count: names with the same capitals are the same. */
      name: string;
      /** What it is for; null for nothing. */
      description?: string | null;
    };
    NewSource: {
      /** Unique in the tenant. Case and surrounding spaces do not count: names with the same capitals are the same. */
      name: string;
      /** What it is for; null for nothing. */
      description?: string | null;
    };
    NewStatus: {
      /** Unique in the tenant. Case and surrounding spaces do not count: names with the same capitals are the same. */
      name: string;
      /** Colour as `#rrggbb`; null for none. */
      color?: string | null;
      /** What it is for; null for nothing. */
      description?: string | null;
    };
    SendMedia: {
      /** Phone number with country code and a leading +, digits only. */
      phone_number: string;
      /** What the file is. */
      type: 'image' | 'document' | 'video' | 'audio';
      /** Public address of the file; the network fetches it from there. */
      media_url: string;
      /** Not passed on with audio, which has none. */
      caption?: string | null;
      /** Shown with a document. */
      filename?: string | null;
    };
    SendTemplate: {
      /** Phone number with country code and a leading +, digits only. */
      phone_number: string;
      /** Name of an approved template. */
      template_name: string;
      /** Language of the template, as the template has it: `en` and `en_US` are two. */
      template_language: string;
      /** Value of the placeholder {{1}}. */
      field_1?: string | null;
      /** Value of the placeholder {{2}}. */
      field_2?: string | null;
      /** Value of the placeholder {{3}}; field_4 and so on where the template has more. */
      field_3?: string | null;
      /** Public address of the file; the network fetches it from there. */
      header_media_url?: string | null;
      /** Created with the accepted message when no contact has the phone. */
      contact?: {
        /** First name. */
        firstname: string;
        /** Last name; null for none. */
        lastname?: string | null;
        /** Email address; null for none. */
        email?: string | null;
      } | null;
      /** The service makes the one-time password and answers it. */
      auto_generate_otp?: boolean | null;
      [name: `field_${number}`]: string | null | undefined;
    };
    SendText: {
      /** Phone number with country code and a leading +, digits only. */
      phone_number: string;
      /** Free text is all that this path sends. */
      type: 'text';
      /** The text, at most 4,096 characters. */
      message: string;
    };
    Source: {
      /** Id of the record, unique in the tenant. */
      id: number;
      /** Name, unique in the tenant without regard to case. */
      name: string;
      /** What it is for; null for nothing. */
      description: string | null;
      /** When the record was made, UTC. */
      created_at: string;
      /** When the record was last changed, UTC. */
      updated_at: string;
    };
    SourceChange: {
      /** Unique in the tenant. Case and surrounding spaces do not count: names with the same capitals are the same. */
      name?: string;
      /** What it is for; null for nothing. */
      description?: string | null;
    };
    Status: {
      /** Id of the record, unique in the tenant. */
      id: number;
      /** Name, unique in the tenant without regard to case. */
      name: string;
      /** Colour as `#rrggbb`; null for none. */
      color: string | null;
      /** What it is for; null for nothing. */
      description: string | null;
      /** When the record was made, UTC. */
      created_at: string;
      /** When the record was last changed, UTC. */
      updated_at: string;
    };
    StatusChange: {
      /** Unique in the tenant. Case and surrounding spaces do not count: names with the same capitals are the same. */
      name?: string;
      /** Colour as `#rrggbb`; null for none. */
      color?: string | null;
      /** What it is for; null for nothing. */
      description?: string | null;
    };
    Template: {
      /** Id of the record, unique in the tenant. */
      id: number;
      /** Used as template_name when sending. */
      name: string;
      /** Language code, used as `template_language` when sending. */
      language: string;
      /** Only approved templates are listed. */
      status: string;
      /** What the network lets the template be used for. */
      category: string;
      /** As the network has them: each with its type and, where it has one, its text. */
      components: {
        /** HEADER, BODY, FOOTER or BUTTONS. */
        type: string;
        [name: string]: unknown;
      }[];
    };
    TemplateBot: {
      /** Id of the record, unique in the tenant. */
      id: number;
      /** What the tenant calls the bot. */
      name: string;
      /** Whether it answers at present. */
      active: boolean;
      /** How the text of a message is held against the keywords, without regard to case. first_message: the first one that a phone ever writes; any: every message. */
      match: 'exact' | 'starts_with' | 'contains' | 'first_message' | 'any';
      /** Empty for first_message and any. */
      keywords: string[];
      /** Name of an approved template. */
      template_name: string;
      /** Language of the template, as the template has it: `en` and `en_US` are two. */
      template_language: string;
      /** Values of the placeholders, in order; may hold {{firstname}} and the like. */
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
      /** What happened. */
      event: 'contact.created';
      /** The whole record. */
      data: components['schemas']['Contact'];
    }
  | {
      /** What happened. */
      event: 'contact.read';
      /** The whole record. */
      data: components['schemas']['Contact'];
    }
  | {
      /** What happened. */
      event: 'contact.updated';
      /** The whole record. */
      data: components['schemas']['Contact'];
    }
  | {
      /** What happened. */
      event: 'contact.deleted';
      /** The whole record. */
      data: components['schemas']['Contact'];
    }
  | {
      /** What happened. */
      event: 'status.created';
      /** The whole record. */
      data: components['schemas']['Status'];
    }
  | {
      /** What happened. */
      event: 'status.updated';
      /** The whole record. */
      data: components['schemas']['Status'];
    }
  | {
      /** What happened. */
      event: 'status.deleted';
      /** The whole record. */
      data: components['schemas']['Status'];
    }
  | {
      /** What happened. */
      event: 'source.created';
      /** The whole record. */
      data: components['schemas']['Source'];
    }
  | {
      /** What happened. */
      event: 'source.updated';
      /** The whole record. */
      data: components['schemas']['Source'];
    }
  | {
      /** What happened. */
      event: 'source.deleted';
      /** The whole record. */
      data: components['schemas']['Source'];
    };
