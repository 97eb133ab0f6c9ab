// Written by scripts/write-openapi.ts from the API description. Do not edit.

export interface paths {
  '/messages/send': { post: operations['sendText'] };
  '/messages/interactive': { post: operations['sendInteractive'] };
  '/messages/media': { post: operations['sendMedia'] };
  '/messages/{message_id}': { get: operations['getMessageStatus'] };
  '/messages/template': { post: operations['sendTemplate'] };
  '/messages': { get: operations['listMessages'] };
  '/templates': { get: operations['listTemplates'] };
  '/contacts': {
    post: operations['createContact'];
    get: operations['listContacts'];
    put: operations['putContact'];
  };
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
  '/events': { get: operations['listEvents'] };
  '/conversations': { get: operations['listConversations'] };
  '/conversations/{person}': { get: operations['getConversation'] };
  '/conversations/{person}/messages': { get: operations['listConversationMessages'] };
  '/media/{media_id}': { get: operations['getMedia'] };
  '/media': { post: operations['uploadMedia'] };
}

export interface operations {
  sendText: {
    parameters: {
      query?: never;
      header?: {
        /** A unique ASCII text without spaces, such as a random UUID, that identifies this request. A retry with the same key and body within a day has no second effect and gets the first response. The same key with another body is a 422. A key belongs to the token: with another token it is a new request. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['SendText'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['SentMessageResponse'] };
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
  sendInteractive: {
    parameters: {
      query?: never;
      header?: {
        /** A unique ASCII text without spaces, such as a random UUID, that identifies this request. A retry with the same key and body within a day has no second effect and gets the first response. The same key with another body is a 422. A key belongs to the token: with another token it is a new request. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['SendInteractive'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['SentMessageResponse'] };
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
        /** A unique ASCII text without spaces, such as a random UUID, that identifies this request. A retry with the same key and body within a day has no second effect and gets the first response. The same key with another body is a 422. A key belongs to the token: with another token it is a new request. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['SendMedia'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['SentMessageResponse'] };
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
        /** `message_id` from the response to the send, URL-encoded or not, or `id:` and its `id`, such as `id:42`. */
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
            /** The furthest status that the message has reached. */
            data: {
              /** The network’s id of the message; null until it is known, which only a lookup by `id:{id}` shows. */
              message_id: string | null;
              /** `unknown` until the network reports another status. */
              status: 'unknown' | 'sent' | 'delivered' | 'read' | 'failed';
              /** When the status was reached, in UTC. For `unknown`, when the send began. */
              timestamp: string;
              /** Parley’s id of the message, for `GET /messages/id:{id}`. */
              id: number;
              /** The `reference` of the send, or null. */
              reference: string | null;
              /** Why the message failed; only with the status `failed`. */
              error?: {
                /** The network’s error code, or null. */
                code: number | null;
                /** The error in a few words. */
                title: string;
                /** The network’s explanation, or null. */
                details: string | null;
                /** What the error means, in a sentence. */
                message: string;
                /** Whether the same message may succeed later without a change. */
                retryable: boolean;
              };
              /** Every status that the message has reached, in the order of their times. */
              timeline: {
                /** The status. */
                status: 'sent' | 'delivered' | 'read' | 'failed';
                /** When it was reached, in UTC. */
                at: string;
              }[];
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
        /** A unique ASCII text without spaces, such as a random UUID, that identifies this request. A retry with the same key and body within a day has no second effect and gets the first response. The same key with another body is a 422. A key belongs to the token: with another token it is a new request. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['SendTemplate'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['SentTemplateResponse'] };
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
  listMessages: {
    parameters: {
      query?: {
        /** Maximum number of records on a page, 25 if left out. */
        limit?: number;
        /** `pagination.next` of the page before, with the same filters. Leave it out for the first page. */
        after?: string;
        /** Only with this person: the phone, with its + written as %2B, or the user id. */
        phone_number?: string;
        /** Only with this contact. */
        contact_id?: number;
        /** Only of this number of yours: its phone with country code, or the network’s id of it. */
        number?: string;
        /** `out` for sent messages, `in` for received ones. */
        direction?: 'out' | 'in';
        /** Only with this status. */
        status?: 'unknown' | 'sent' | 'delivered' | 'read' | 'failed' | 'received';
        /** Only failed with this error code of the network, as in `error.code`; `none` for failures without a code. */
        error_code?: number | 'none';
        /** Only of this type, such as `text` or `template`. */
        type?: string;
        /** Only sent for this cause. */
        cause?: 'api' | 'member' | 'bot' | 'store' | 'campaign' | 'app' | 'system';
        /** Only with exactly this `reference`. */
        reference?: string;
        /** Only this message, sent or received: its `message_id`, or `id:` and its `id`, such as `id:42`. */
        message_id?: string;
        /** Only from this time on. */
        from_time?: string;
        /** Only before this time. */
        to_time?: string;
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
            /** The messages of one page. */
            data: components['schemas']['Message'][];
            /** How to go on. */
            pagination: components['schemas']['CursorPagination'];
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
    parameters: {
      query?: {
        /** Only of this number of yours: its phone with country code, or the network’s id of it. */
        number?: string;
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
            /** The approved templates of the account. */
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
        /** A unique ASCII text without spaces, such as a random UUID, that identifies this request. A retry with the same key and body within a day has no second effect and gets the first response. The same key with another body is a 422. A key belongs to the token: with another token it is a new request. */
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
            /** What was done, in one sentence. */
            message: string;
            /** The created contact. */
            data: components['schemas']['Contact'];
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
        /** Records per page. */
        per_page?: number;
        /** Part of the first name, last name, both with a space between, phone or email. Case is ignored, and no character is a wildcard. */
        search?: string;
        /** Only contacts with this status; 0 for contacts without one. */
        status_id?: number;
        /** Only contacts with this source; 0 for contacts without one. */
        source_id?: number;
        /** Only contacts with this group; 0 for contacts without one. */
        group_id?: number;
        /** Only the contact with this phone, in any of its forms. */
        phone?: string;
        /** Only contacts with exactly this email. Case is ignored. */
        email?: string;
        /** Only the contact with this id of yours. */
        external_id?: string;
        /** Only contacts that were changed after this time. */
        updated_after?: string;
        /** The order. By default `created_at`, the oldest contact first. A minus means descending. With `-last_message_at`, contacts without a message come last. */
        sort?: 'created_at' | '-created_at' | 'updated_at' | 'firstname' | '-last_message_at';
        /** `next` of the page before. Leave it out for the first page. */
        after?: string;
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
            /** The contacts of one page. */
            data: components['schemas']['Contact'][];
            /** Position of this page in the list. */
            pagination: {
              /** Number of this page, from 1. */
              page: number;
              /** Records per page. */
              per_page: number;
              /** Number of records on all pages. */
              total: number;
              /** Number of pages. */
              total_pages: number;
              /** For `after` of the next page; null on the last one. */
              next: string | null;
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
  putContact: {
    parameters: {
      query: {
        /** Phone number with country code: a leading +, then digits only. */
        phone: string;
      };
      header?: never;
      path?: never;
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
            /** What was done, in one sentence. */
            message: string;
            /** The created or updated contact. */
            data: components['schemas']['Contact'];
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
            /** The contact. */
            data: components['schemas']['Contact'];
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
            /** What was done, in one sentence. */
            message: string;
            /** The updated contact. */
            data: components['schemas']['Contact'];
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
            /** The deleted contact. */
            data: components['schemas']['Deleted'];
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
        /** A unique ASCII text without spaces, such as a random UUID, that identifies this request. A retry with the same key and body within a day has no second effect and gets the first response. The same key with another body is a 422. A key belongs to the token: with another token it is a new request. */
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
            /** What was done, in one sentence. */
            message: string;
            /** The created status. */
            data: components['schemas']['Status'];
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
            /** All statuses, without pages. */
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
            /** The status. */
            data: components['schemas']['Status'];
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
            /** What was done, in one sentence. */
            message: string;
            /** The updated status. */
            data: components['schemas']['Status'];
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
            /** The deleted status. */
            data: components['schemas']['Deleted'];
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
        /** A unique ASCII text without spaces, such as a random UUID, that identifies this request. A retry with the same key and body within a day has no second effect and gets the first response. The same key with another body is a 422. A key belongs to the token: with another token it is a new request. */
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
            /** What was done, in one sentence. */
            message: string;
            /** The created source. */
            data: components['schemas']['Source'];
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
            /** All sources, without pages. */
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
            /** The source. */
            data: components['schemas']['Source'];
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
            /** What was done, in one sentence. */
            message: string;
            /** The updated source. */
            data: components['schemas']['Source'];
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
            /** The deleted source. */
            data: components['schemas']['Deleted'];
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
        /** A unique ASCII text without spaces, such as a random UUID, that identifies this request. A retry with the same key and body within a day has no second effect and gets the first response. The same key with another body is a 422. A key belongs to the token: with another token it is a new request. */
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
            /** What was done, in one sentence. */
            message: string;
            /** The created group. */
            data: components['schemas']['Group'];
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
            /** All groups, without pages. */
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
            /** The group. */
            data: components['schemas']['Group'];
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
            /** What was done, in one sentence. */
            message: string;
            /** The updated group. */
            data: components['schemas']['Group'];
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
            /** The deleted group. */
            data: components['schemas']['Deleted'];
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
            /** All bots of this kind, including the inactive ones. */
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
            /** All bots of this kind, including the inactive ones. */
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
  listEvents: {
    parameters: {
      query?: {
        /** `next` of the response before. Leave it out at first: then the oldest events come first. */
        after?: string;
        /** Event types and families, separated by commas. Without it, all events. */
        types?: string;
        /** The maximum number of events. Long events make a response end earlier. */
        limit?: number;
        /** If there is no event yet, how many seconds to wait for one. */
        wait?: number;
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
            /** The events, oldest first. */
            data: components['schemas']['Event'][];
            /** Where to continue. */
            pagination: {
              /** `after` of the next request, also if there is no event. */
              next: string;
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
  listConversations: {
    parameters: {
      query?: {
        /** Maximum number of records on a page, 25 if left out. */
        limit?: number;
        /** `pagination.next` of the page before, with the same filters. Leave it out for the first page. */
        after?: string;
        /** Only of this number of yours: its phone with country code, or the network’s id of it. */
        number?: string;
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
            /** The conversations of one page. */
            data: components['schemas']['Conversation'][];
            /** How to go on. */
            pagination: components['schemas']['CursorPagination'];
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
  getConversation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** The person’s phone with country code, or user id. */
        person: string;
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
            /** The conversation. */
            data: components['schemas']['Conversation'];
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
  listConversationMessages: {
    parameters: {
      query?: {
        /** Maximum number of records on a page, 25 if left out. */
        limit?: number;
        /** `pagination.next` of the page before, with the same filters. Leave it out for the first page. */
        after?: string;
      };
      header?: never;
      path: {
        /** The person’s phone with country code, or user id. */
        person: string;
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
            /** The messages of one page. */
            data: components['schemas']['Message'][];
            /** How to go on. */
            pagination: components['schemas']['CursorPagination'];
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
  getMedia: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Id of the file: `content.media.id` of a message, or `media_id` of an upload. */
        media_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: { headers: { [name: string]: unknown }; content: { '*/*': string } };
      206: { headers: { [name: string]: unknown }; content: { '*/*': string } };
      400: Failure;
      401: Failure;
      403: Failure;
      404: Failure;
      416: Failure;
      429: Failure;
      500: Failure;
    };
  };
  uploadMedia: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: { content: { 'multipart/form-data': FormData } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** The request was carried out. */
            success: true;
            /** What was done, in one sentence. */
            message: string;
            /** The uploaded file. */
            data: {
              /** For `media_id` and `header_media_id` of sends, and `GET /media/{media_id}`. */
              media_id: string;
              /** What the file is sent as. */
              type: 'image' | 'document' | 'video' | 'audio';
              /** Type of the file. */
              mime_type: string;
              /** Length in bytes. */
              size: number;
              /** SHA-256 of the file, in hexadecimal. */
              sha256: string;
              /** When WhatsApp forgets the file, in UTC: 30 days after its latest upload. */
              expires_at: string;
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
}

export interface components {
  schemas: {
    Contact: {
      /** Id of the record, unique in the tenant. */
      id: number;
      /** First name. */
      firstname: string;
      /** Last name, or null. */
      lastname: string | null;
      /** Phone number with country code. No two contacts have the same. Null only for a person who wrote first and whose phone WhatsApp hides. */
      phone: string | null;
      /** Email address, or null. */
      email: string | null;
      /** Company, or null. */
      company: string | null;
      /** City, or null. */
      city: string | null;
      /** Your own id of the contact, such as that of a CRM, or null. No two contacts have the same. */
      external_id: string | null;
      /** The newest user id that WhatsApp gave the person, or null if it named none. */
      user_id: string | null;
      /** The person’s WhatsApp username, or null. */
      username: string | null;
      /** Id of the contact’s status, or null. */
      status_id: number | null;
      /** Id of the contact’s source, or null. */
      source_id: number | null;
      /** Ids of the contact’s groups. */
      group_ids: number[];
      /** Values of your own, by name: up to 50 strings of up to 500 characters. The names have 1 to 40 letters, digits, _ and -. Texts of bots use them as {{metadata.name}}. */
      metadata: {
        [name: string]: string;
      };
      /** When the record was created, in UTC. */
      created_at: string;
      /** When the record was last changed, in UTC. */
      updated_at: string;
    };
    ContactChange: {
      /** First name. */
      firstname?: string;
      /** Phone number with country code: a leading +, then digits only. */
      phone?: string;
      /** Last name, or null. */
      lastname?: string | null;
      /** Email address, or null. */
      email?: string | null;
      /** Company, or null. */
      company?: string | null;
      /** City, or null. */
      city?: string | null;
      /** Your own id of the contact, such as that of a CRM, or null. No two contacts have the same. */
      external_id?: string | null;
      /** Id of the contact’s status, or null. */
      status_id?: number | null;
      /** Id of the contact’s source, or null. */
      source_id?: number | null;
      /** Ids of the contact’s groups. */
      group_ids?: number[] | null;
      /** Values of your own, by name: up to 50 strings of up to 500 characters. The names have 1 to 40 letters, digits, _ and -. Texts of bots use them as {{metadata.name}}. */
      metadata?: {
        [name: string]: string;
      } | null;
    };
    ContactCreatedWebhook: {
      /** The type of the event. */
      event: 'contact.created';
      /** The contact. */
      data: components['schemas']['Contact'];
    };
    ContactDeletedWebhook: {
      /** The type of the event. */
      event: 'contact.deleted';
      /** The contact before it was deleted. */
      data: components['schemas']['Contact'];
    };
    ContactReadWebhook: {
      /** The type of the event. */
      event: 'contact.read';
      /** The contact. */
      data: components['schemas']['Contact'];
    };
    ContactUpdatedWebhook: {
      /** The type of the event. */
      event: 'contact.updated';
      /** The contact. */
      data: components['schemas']['Contact'];
    };
    Conversation: {
      /** The person’s phone; null if hidden. */
      phone_number: string | null;
      /** The network’s id of the person, if it is known. */
      user_id: string | null;
      /** The person’s contact, or null. */
      contact_id: number | null;
      /** Name of the contact, or null. */
      name: string | null;
      /** Your number that sent or received it. */
      number: components['schemas']['OwnNumber'];
      /** The newest message. */
      last_message: components['schemas']['Message'];
      /** Received messages that nobody has read in the dashboard. */
      unread: number;
      /** Whether somebody should answer. */
      is_open: boolean;
      /** The member who answers, or null. */
      assignee: {
        /** Id of the member. */
        id: string;
        /** Name of the member, or null. */
        name: string | null;
      } | null;
      /** Until when that number may send free text; null if the person never wrote to it. */
      window_until: string | null;
    };
    CursorPagination: {
      /** `after` of the next page; null on the last page. */
      next: string | null;
      /** The maximum number of records on this page. */
      limit: number;
    };
    Deleted: {
      /** Id of the record, unique in the tenant. */
      id: number;
      /** The record no longer exists. */
      deleted: true;
    };
    Error: {
      /** The request was not carried out. */
      success: false;
      /** What went wrong, in one sentence. */
      message: string;
      /** The faults by field; empty if no field is at fault. */
      errors: {
        [name: string]: string[];
      };
      /** A stable code for programs. Later versions may add codes. `outcome_unknown`: the message may have been sent. */
      code:
        | 'bad_request'
        | 'unauthorized'
        | 'forbidden'
        | 'not_found'
        | 'range_not_satisfiable'
        | 'validation_failed'
        | 'rate_limited'
        | 'internal_error'
        | 'quota_exceeded'
        | 'cursor_expired'
        | 'window_closed'
        | 'network_refused'
        | 'network_unavailable'
        | 'outcome_unknown'
        | 'no_connection'
        | 'tenant_moving'
        | 'read_too_slow';
      /** What a program needs to act on the code. */
      data?: {
        /** With `outcome_unknown`: the message, for `GET /messages/id:{id}`. With `validation_failed`: the contact that has the phone or the external id, if nothing else is wrong. */
        id?: number;
        /** With `cursor_expired`: the oldest cursor that still works. */
        oldest?: string;
      };
    };
    Event: {
      /** Id of the event, the same as `webhook-id` of its deliveries. */
      id: string;
      /** The type of the event. Later versions may add types. */
      event: string;
      /** When the event was recorded, in UTC. */
      created_at: string;
      /** The record, as in the `WebhookEvent` of the same type. */
      data: {
        [name: string]: unknown;
      };
    };
    Group: {
      /** Id of the record, unique in the tenant. */
      id: number;
      /** Unique in the tenant. Case and surrounding spaces are ignored. */
      name: string;
      /** Meaning of the label, or null. */
      description: string | null;
      /** When the record was created, in UTC. */
      created_at: string;
      /** When the record was last changed, in UTC. */
      updated_at: string;
    };
    GroupChange: {
      /** Unique in the tenant. Case and surrounding spaces are ignored. */
      name?: string;
      /** Meaning of the label, or null. */
      description?: string | null;
    };
    Message: {
      /** Parley’s id of the message. */
      id: number;
      /** The network’s id; null until it is known. */
      message_id: string | null;
      /** `out`: sent by you. `in`: received. */
      direction: 'out' | 'in';
      /** The network’s name of the type, such as `text`, `image` or `template`. */
      type: string;
      /** The furthest status. `received` for every message from a person. */
      status: 'unknown' | 'sent' | 'delivered' | 'read' | 'failed' | 'received';
      /** The person’s phone; null if hidden. */
      phone_number: string | null;
      /** The network’s id of the person, if it is known. */
      user_id: string | null;
      /** The person’s contact, or null. */
      contact_id: number | null;
      /** Your number that sent or received it. */
      number: components['schemas']['OwnNumber'];
      /** The `reference` of the send, or null. */
      reference: string | null;
      /** What caused the message. Null for messages from people, and if it is not known. */
      cause: {
        /** `api` for a token; `app` for the WhatsApp Business app. */
        kind: 'api' | 'member' | 'bot' | 'store' | 'campaign' | 'app' | 'system';
        /** Id of the token, bot, store or campaign; a text for a member. */
        id: number | string | null;
        /** Its name, or null. */
        name: string | null;
      } | null;
      /** What the message says. Depends on its type. */
      content: {
        /** Text of the message, or the title of the chosen button or entry. */
        text?: string;
        /** Text below a file. */
        caption?: string;
        /** The file of an image, video, audio, document or sticker. */
        media?: {
          /** Id of the file. */
          id: string;
          /** Path that serves the file. */
          link: string;
          /** The URL with which the file was sent. */
          url?: string;
          /** Type of the file. */
          mime_type?: string;
          /** Name of the file. */
          filename?: string;
          /** Size in bytes, if it is known. */
          size?: number;
          /** Whether it is a voice message. */
          voice?: boolean;
          [name: string]: unknown;
        };
        /** The button that the person tapped. */
        button?: {
          /** Id of the button. */
          id: string;
          /** Text of the button. */
          title: string;
          [name: string]: unknown;
        };
        /** The entry that the person chose from a list. */
        list?: {
          /** Id of the entry. */
          id: string;
          /** Text of the entry. */
          title: string;
          [name: string]: unknown;
        };
        /** The form that the person filled in: its `name`, and the `answer` as an object. */
        form?: {
          [name: string]: unknown;
        };
        /** `latitude`, `longitude`, and perhaps `name`, `address` and `url`. */
        location?: {
          [name: string]: unknown;
        };
        /** `catalog_id` and `product_items`, as the network sends them. */
        order?: {
          [name: string]: unknown;
        };
        /** `message_id` and `emoji`; without an emoji, the reaction was taken back. */
        reaction?: {
          [name: string]: unknown;
        };
        /** The advertisement that led the person here, as the network sends it. */
        referral?: {
          [name: string]: unknown;
        };
        /** The product that the message is about, as `catalog_id` and `product_retailer_id`. */
        referred_product?: {
          [name: string]: unknown;
        };
        /** Whether the person forwarded the message. */
        forwarded?: boolean;
        /** Whether it was forwarded many times. */
        frequently_forwarded?: boolean;
        /** Shared contacts. */
        contacts?: {
          [name: string]: unknown;
        }[];
        /** `name`, `language` and `category` of a sent template. */
        template?: {
          [name: string]: unknown;
        };
        /** Header of a sent template: `format`, and `text` or `media`. */
        header?: {
          [name: string]: unknown;
        };
        /** Text of a sent template. A one-time password is masked. */
        body?: string;
        /** Footer of a sent template. */
        footer?: string;
        /** Buttons of a sent template. */
        buttons?: {
          [name: string]: unknown;
        }[];
        [name: string]: unknown;
      };
      /** The network’s id of the message to which this one replies, or null. */
      reply_to: string | null;
      /** Why it failed, or null. */
      error: {
        /** The network’s error code, or null. */
        code: number | null;
        /** The error in a few words. */
        title: string;
        /** The network’s explanation, or null. */
        details: string | null;
        /** What the error means, in a sentence. */
        message: string;
        /** Whether the same message may succeed later without a change. */
        retryable: boolean;
      } | null;
      /** What the network reported about the price, or null. */
      pricing: {
        /** Price category. */
        category: string;
        /** `regular`, or why it is free. */
        type: string;
        /** Whether the network bills it. False if the message failed. */
        billable: boolean;
      } | null;
      /** When the message was stored, or when the person sent it. */
      created_at: string;
      /** When the network had accepted it, or null. */
      sent_at: string | null;
      /** When it was delivered, or null. */
      delivered_at: string | null;
      /** When it was read, or null. */
      read_at: string | null;
      /** When it failed, or null. */
      failed_at: string | null;
    };
    MessageBatch: {
      /** The messages, oldest first. */
      messages: components['schemas']['MessageEvent'][];
    };
    MessageBot: {
      /** Id of the record, unique in the tenant. */
      id: number;
      /** Name of the bot. */
      name: string;
      /** Whether the bot replies at present. */
      active: boolean;
      /** How the text of a message is compared with the keywords; case is ignored. `first_message`: the first message of a phone number; `any`: every message. */
      match: 'exact' | 'starts_with' | 'contains' | 'first_message' | 'any';
      /** Empty with `first_message` and `any`. */
      keywords: string[];
      /** After a reply, the bot does not reply to the same phone number for this many minutes; 0: it replies to each message that matches. */
      pause_minutes: number;
      /** The text of the reply. {{firstname}}, {{lastname}}, {{phone}}, {{email}}, {{company}}, {{city}}, {{external_id}}, {{name}}, {{message}} and {{metadata.name}} are filled in; {{firstname|there}} has a default. */
      reply: string;
    };
    MessageDeliveredWebhook: {
      /** The type of the event. */
      event: 'message.delivered';
      /** The record as it was when this happened. */
      data: components['schemas']['MessageEvent'];
    };
    MessageEvent: components['schemas']['Message'] & {
      /** Number of the event within its conversation, from 1. */
      sequence: number;
    };
    MessageFailedWebhook: {
      /** The type of the event. */
      event: 'message.failed';
      /** The record as it was when this happened. */
      data: components['schemas']['MessageEvent'];
    };
    MessageReadWebhook: {
      /** The type of the event. */
      event: 'message.read';
      /** The record as it was when this happened. */
      data: components['schemas']['MessageEvent'];
    };
    MessageReceivedBatchWebhook: {
      /** The type of the event. */
      event: 'message.received_batch';
      /** The record as it was when this happened. */
      data: components['schemas']['MessageBatch'];
    };
    MessageReceivedWebhook: {
      /** The type of the event. */
      event: 'message.received';
      /** The record as it was when this happened. */
      data: components['schemas']['MessageEvent'];
    };
    MessageSentWebhook: {
      /** The type of the event. */
      event: 'message.sent';
      /** The record as it was when this happened. */
      data: components['schemas']['MessageEvent'];
    };
    NewContact: {
      /** First name. */
      firstname: string;
      /** Phone number with country code: a leading +, then digits only. */
      phone: string;
      /** Last name, or null. */
      lastname?: string | null;
      /** Email address, or null. */
      email?: string | null;
      /** Company, or null. */
      company?: string | null;
      /** City, or null. */
      city?: string | null;
      /** Your own id of the contact, such as that of a CRM, or null. No two contacts have the same. */
      external_id?: string | null;
      /** Id of the contact’s status, or null. */
      status_id?: number | null;
      /** Id of the contact’s source, or null. */
      source_id?: number | null;
      /** Ids of the contact’s groups. */
      group_ids?: number[] | null;
      /** Values of your own, by name: up to 50 strings of up to 500 characters. The names have 1 to 40 letters, digits, _ and -. Texts of bots use them as {{metadata.name}}. */
      metadata?: {
        [name: string]: string;
      } | null;
    };
    NewGroup: {
      /** Unique in the tenant. Case and surrounding spaces are ignored. */
      name: string;
      /** Meaning of the label, or null. */
      description?: string | null;
    };
    NewSource: {
      /** Unique in the tenant. Case and surrounding spaces are ignored. */
      name: string;
      /** Meaning of the label, or null. */
      description?: string | null;
    };
    NewStatus: {
      /** Unique in the tenant. Case and surrounding spaces are ignored. */
      name: string;
      /** Color as `#rrggbb`, or null. */
      color?: string | null;
      /** Meaning of the label, or null. */
      description?: string | null;
    };
    NumberChange: {
      /** The network’s id of the number. */
      phone_number_id: string;
      /** Its phone, or null. */
      display_phone_number: string | null;
      /** Whether the number works. */
      state: 'works' | 'not_verified' | 'does_not_work';
      /** The state before. */
      previous_state: 'works' | 'not_verified' | 'does_not_work';
      /** What is wrong, or null. */
      problem: string | null;
    };
    NumberStateChangedWebhook: {
      /** The type of the event. */
      event: 'number.state_changed';
      /** The record as it was when this happened. */
      data: components['schemas']['NumberChange'];
    };
    OwnNumber: {
      /** The network’s id of the number. */
      phone_number_id: string;
      /** Its phone, or null. */
      display_phone_number: string | null;
    };
    SendInteractive: {
      /** Phone number with country code: a leading +, then digits only. Or the network’s user id of a person whose phone it hides. */
      phone_number: string;
      /** The number that sends: its phone with country code, or the network’s id of it. Otherwise the number of the latest message with the person sends, or the default number. */
      from?: string | null;
      /** Your own text, such as an order number. The response, the lookup and the list of messages have it, and the list finds messages by it. It need not be unique. */
      reference?: string | null;
      /** Checks everything that Parley can check, and sends and stores nothing. The status is `valid`. It counts against the minute, but not against the day, and ignores an Idempotency-Key. */
      dry_run?: boolean | null;
      /** With the network’s own field names. */
      interactive: {
        /** `request_contact_info`: a button by which the person shares the own phone. */
        type: 'request_contact_info';
        /** The message. */
        body: {
          /** The text above the button. */
          text: string;
        };
        /** Always this name. */
        action?: {
          /** The type. */
          name: 'request_contact_info';
        };
      };
    };
    SendMedia: {
      /** Phone number with country code: a leading +, then digits only. Or the network’s user id of a person whose phone it hides. */
      phone_number: string;
      /** The number that sends: its phone with country code, or the network’s id of it. Otherwise the number of the latest message with the person sends, or the default number. */
      from?: string | null;
      /** Your own text, such as an order number. The response, the lookup and the list of messages have it, and the list finds messages by it. It need not be unique. */
      reference?: string | null;
      /** Checks everything that Parley can check, and sends and stores nothing. The status is `valid`. It counts against the minute, but not against the day, and ignores an Idempotency-Key. */
      dry_run?: boolean | null;
      /** Kind of the file. */
      type: 'image' | 'document' | 'video' | 'audio';
      /** Public URL from which the network fetches the file. */
      media_url?: string | null;
      /** The `media_id` of an uploaded file, in place of a URL. Its number sends it. */
      media_id?: string | null;
      /** Text below the file. Not sent with audio. */
      caption?: string | null;
      /** File name, shown with a document. */
      filename?: string | null;
    };
    SendTemplate: {
      /** Phone number with country code: a leading +, then digits only. Or the network’s user id of a person whose phone it hides. */
      phone_number: string;
      /** The number that sends: its phone with country code, or the network’s id of it. Otherwise the number of the latest message with the person sends, or the default number. */
      from?: string | null;
      /** Your own text, such as an order number. The response, the lookup and the list of messages have it, and the list finds messages by it. It need not be unique. */
      reference?: string | null;
      /** Checks everything that Parley can check, and sends and stores nothing. The status is `valid`. It counts against the minute, but not against the day, and ignores an Idempotency-Key. */
      dry_run?: boolean | null;
      /** Name of an approved template. */
      template_name: string;
      /** Language of the template; `en` and `en_US` are two languages. */
      template_language: string;
      /** Value of the placeholder {{1}}. */
      field_1?: string | null;
      /** Value of the placeholder {{2}}. */
      field_2?: string | null;
      /** Value of the placeholder {{3}}. */
      field_3?: string | null;
      /** Value of the placeholder {{4}}. */
      field_4?: string | null;
      /** Value of the placeholder {{5}}. */
      field_5?: string | null;
      /** Value of the placeholder {{6}}. */
      field_6?: string | null;
      /** Value of the placeholder {{7}}. */
      field_7?: string | null;
      /** Value of the placeholder {{8}}. */
      field_8?: string | null;
      /** Value of the placeholder {{9}}. */
      field_9?: string | null;
      /** Value of the placeholder {{10}}. Further placeholders: `field_11` etc. */
      field_10?: string | null;
      /** Public URL from which the network fetches the file. */
      header_media_url?: string | null;
      /** The `media_id` of an uploaded file, in place of a URL. Its number sends it. */
      header_media_id?: string | null;
      /** File name, shown with a document in the header. Otherwise that of the upload, if it has one. */
      header_filename?: string | null;
      /** Created with the accepted message, if no contact has this phone number. After `outcome_unknown` without an `Idempotency-Key`, create the contact yourself. Not for a user id. */
      contact?: {
        /** First name. */
        firstname: string;
        /** Last name, or null. */
        lastname?: string | null;
        /** Email address, or null. */
        email?: string | null;
      } | null;
      /** Generates a one-time password and returns it as `otp`. */
      auto_generate_otp?: boolean | null;
      [name: `field_${number}`]: string | null | undefined;
    };
    SendText: {
      /** Phone number with country code: a leading +, then digits only. Or the network’s user id of a person whose phone it hides. */
      phone_number: string;
      /** The number that sends: its phone with country code, or the network’s id of it. Otherwise the number of the latest message with the person sends, or the default number. */
      from?: string | null;
      /** Your own text, such as an order number. The response, the lookup and the list of messages have it, and the list finds messages by it. It need not be unique. */
      reference?: string | null;
      /** Checks everything that Parley can check, and sends and stores nothing. The status is `valid`. It counts against the minute, but not against the day, and ignores an Idempotency-Key. */
      dry_run?: boolean | null;
      /** Always `text`. */
      type: 'text';
      /** The text, at most 4,096 characters. */
      message: string;
    };
    SentMessage: {
      /** The network’s id of the message. */
      message_id: string;
      /** Phone number or user id of the recipient. */
      phone_number: string;
      /** The network accepted the message. */
      status: 'sent';
      /** Parley’s id of the message, for `GET /messages/id:{id}`. */
      id: number;
      /** The `reference` of the send, if it has one. */
      reference?: string;
    };
    SentMessageResponse: {
      /** The request was carried out. */
      success: true;
      /** What was done, in one sentence. */
      message: string;
      /** The accepted message. Look up its status later. */
      data: components['schemas']['SentMessage'] | components['schemas']['ValidMessage'];
    };
    SentTemplate: {
      /** The network’s id of the message. */
      message_id: string;
      /** Phone number or user id of the recipient. */
      phone_number: string;
      /** The network accepted the message. */
      status: 'sent';
      /** Parley’s id of the message, for `GET /messages/id:{id}`. */
      id: number;
      /** The `reference` of the send, if it has one. */
      reference?: string;
      /** The generated password. It is not stored, so the response to a retry lacks it: then send another one with a new Idempotency-Key. */
      otp?: string;
    };
    SentTemplateResponse: {
      /** The request was carried out. */
      success: true;
      /** What was done, in one sentence. */
      message: string;
      /** The accepted message. Look up its status later. */
      data: components['schemas']['SentTemplate'] | components['schemas']['ValidMessage'];
    };
    Source: {
      /** Id of the record, unique in the tenant. */
      id: number;
      /** Unique in the tenant. Case and surrounding spaces are ignored. */
      name: string;
      /** Meaning of the label, or null. */
      description: string | null;
      /** When the record was created, in UTC. */
      created_at: string;
      /** When the record was last changed, in UTC. */
      updated_at: string;
    };
    SourceChange: {
      /** Unique in the tenant. Case and surrounding spaces are ignored. */
      name?: string;
      /** Meaning of the label, or null. */
      description?: string | null;
    };
    SourceCreatedWebhook: {
      /** The type of the event. */
      event: 'source.created';
      /** The source. */
      data: components['schemas']['Source'];
    };
    SourceDeletedWebhook: {
      /** The type of the event. */
      event: 'source.deleted';
      /** The source before it was deleted. */
      data: components['schemas']['Source'];
    };
    SourceUpdatedWebhook: {
      /** The type of the event. */
      event: 'source.updated';
      /** The source. */
      data: components['schemas']['Source'];
    };
    Status: {
      /** Id of the record, unique in the tenant. */
      id: number;
      /** Unique in the tenant. Case and surrounding spaces are ignored. */
      name: string;
      /** Color as `#rrggbb`, or null. */
      color: string | null;
      /** Meaning of the label, or null. */
      description: string | null;
      /** When the record was created, in UTC. */
      created_at: string;
      /** When the record was last changed, in UTC. */
      updated_at: string;
    };
    StatusChange: {
      /** Unique in the tenant. Case and surrounding spaces are ignored. */
      name?: string;
      /** Color as `#rrggbb`, or null. */
      color?: string | null;
      /** Meaning of the label, or null. */
      description?: string | null;
    };
    StatusCreatedWebhook: {
      /** The type of the event. */
      event: 'status.created';
      /** The status. */
      data: components['schemas']['Status'];
    };
    StatusDeletedWebhook: {
      /** The type of the event. */
      event: 'status.deleted';
      /** The status before it was deleted. */
      data: components['schemas']['Status'];
    };
    StatusUpdatedWebhook: {
      /** The type of the event. */
      event: 'status.updated';
      /** The status. */
      data: components['schemas']['Status'];
    };
    Template: {
      /** Id of the record, unique in the tenant. */
      id: number;
      /** `template_name` of a send. */
      name: string;
      /** `template_language` of a send. */
      language: string;
      /** Only approved templates are listed. */
      status: string;
      /** The network’s category. */
      category: string;
      /** The parts as the network stores them: each with its type and its text. */
      components: {
        /** `HEADER`, `BODY`, `FOOTER` or `BUTTONS`. */
        type: string;
        /** The text with its placeholders; empty if the part has none, such as buttons. */
        text: string;
        [name: string]: unknown;
      }[];
      /** Which `field_N` of a send fills which placeholder, in the order of the template. */
      fields: {
        /** The field of a send. */
        name: string;
        /** The part of the template that it fills. */
        place: 'header' | 'body' | 'button';
        /** The text between the braces; `code` for the coupon code of a button. */
        placeholder: string;
        /** The index of the button among the buttons, from 0. */
        button?: number;
        /** The field that is used if a send does not have this one. */
        or?: string;
      }[];
    };
    TemplateBot: {
      /** Id of the record, unique in the tenant. */
      id: number;
      /** Name of the bot. */
      name: string;
      /** Whether the bot replies at present. */
      active: boolean;
      /** How the text of a message is compared with the keywords; case is ignored. `first_message`: the first message of a phone number; `any`: every message. */
      match: 'exact' | 'starts_with' | 'contains' | 'first_message' | 'any';
      /** Empty with `first_message` and `any`. */
      keywords: string[];
      /** After a reply, the bot does not reply to the same phone number for this many minutes; 0: it replies to each message that matches. */
      pause_minutes: number;
      /** Name of the template. */
      template_name: string;
      /** Language of the template. */
      template_language: string;
      /** Values of `field_1`, `field_2` and so on, filled in like the reply of a message bot. */
      fields: string[];
    };
    TemplateChange: {
      /** Id of the template, unique in the tenant. */
      id: number;
      /** Name of the template. */
      name: string;
      /** Language of the template. */
      language: string;
      /** Category of the template. */
      category: string;
      /** The account of the template. */
      business_account_id: string;
      /** The status of the network. */
      status: string;
      /** The status before. */
      previous_status: string;
    };
    TemplateStatusChangedWebhook: {
      /** The type of the event. */
      event: 'template.status_changed';
      /** The record as it was when this happened. */
      data: components['schemas']['TemplateChange'];
    };
    TestData: {
      /** A text for people. */
      message: string;
      /** When the test was requested, in UTC. */
      sent_at: string;
    };
    TestWebhook: {
      /** The type of the event. */
      event: 'webhook.test';
      /** Nothing has changed. */
      data: components['schemas']['TestData'];
    };
    UploadMedia: {
      /** The number that is to send the file, as in a send: its phone or the network’s id of it. Otherwise the default number. It must come before the file. */
      from?: string;
      /** What the file is sent as. */
      type: 'image' | 'document' | 'video' | 'audio';
      /** The file, with its name and its Content-Type. With `application/octet-stream`, the type is read from the content, except for office documents. */
      file: string;
    };
    ValidMessage: {
      /** Phone number or user id of the recipient. */
      phone_number: string;
      /** The result of a `dry_run`. */
      status: 'valid';
      /** The `reference` of the send, if it has one. */
      reference?: string;
    };
    WebhookEvent:
      | components['schemas']['ContactCreatedWebhook']
      | components['schemas']['ContactReadWebhook']
      | components['schemas']['ContactUpdatedWebhook']
      | components['schemas']['ContactDeletedWebhook']
      | components['schemas']['StatusCreatedWebhook']
      | components['schemas']['StatusUpdatedWebhook']
      | components['schemas']['StatusDeletedWebhook']
      | components['schemas']['SourceCreatedWebhook']
      | components['schemas']['SourceUpdatedWebhook']
      | components['schemas']['SourceDeletedWebhook']
      | components['schemas']['MessageReceivedWebhook']
      | components['schemas']['MessageReceivedBatchWebhook']
      | components['schemas']['MessageSentWebhook']
      | components['schemas']['MessageDeliveredWebhook']
      | components['schemas']['MessageReadWebhook']
      | components['schemas']['MessageFailedWebhook']
      | components['schemas']['TemplateStatusChangedWebhook']
      | components['schemas']['NumberStateChangedWebhook']
      | components['schemas']['TestWebhook'];
  };
}

interface Failure {
  headers: { [name: string]: unknown };
  content: { 'application/json': components['schemas']['Error'] };
}

/** Every event that a webhook can receive, discriminated by `event`. */
export type WebhookEvent = components['schemas']['WebhookEvent'];
