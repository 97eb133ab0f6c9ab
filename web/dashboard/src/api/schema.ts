// Written by scripts/write-openapi.ts from the API description. Do not edit.

export interface TenantPaths {
  '/messages/send': { post: operations['post /dashboard-api/{tenant}/messages/send'] };
  '/messages/interactive': {
    post: operations['post /dashboard-api/{tenant}/messages/interactive'];
  };
  '/messages/media': { post: operations['post /dashboard-api/{tenant}/messages/media'] };
  '/messages/{message_id}': {
    get: operations['get /dashboard-api/{tenant}/messages/{message_id}'];
  };
  '/messages/template': { post: operations['post /dashboard-api/{tenant}/messages/template'] };
  '/messages': { get: operations['get /dashboard-api/{tenant}/messages'] };
  '/templates': { get: operations['get /dashboard-api/{tenant}/templates'] };
  '/contacts': {
    post: operations['post /dashboard-api/{tenant}/contacts'];
    get: operations['get /dashboard-api/{tenant}/contacts'];
    put: operations['put /dashboard-api/{tenant}/contacts'];
  };
  '/contacts/{id}': {
    get: operations['get /dashboard-api/{tenant}/contacts/{id}'];
    put: operations['put /dashboard-api/{tenant}/contacts/{id}'];
    delete: operations['delete /dashboard-api/{tenant}/contacts/{id}'];
  };
  '/statuses': {
    post: operations['post /dashboard-api/{tenant}/statuses'];
    get: operations['get /dashboard-api/{tenant}/statuses'];
  };
  '/statuses/{id}': {
    get: operations['get /dashboard-api/{tenant}/statuses/{id}'];
    put: operations['put /dashboard-api/{tenant}/statuses/{id}'];
    delete: operations['delete /dashboard-api/{tenant}/statuses/{id}'];
  };
  '/sources': {
    post: operations['post /dashboard-api/{tenant}/sources'];
    get: operations['get /dashboard-api/{tenant}/sources'];
  };
  '/sources/{id}': {
    get: operations['get /dashboard-api/{tenant}/sources/{id}'];
    put: operations['put /dashboard-api/{tenant}/sources/{id}'];
    delete: operations['delete /dashboard-api/{tenant}/sources/{id}'];
  };
  '/groups': {
    post: operations['post /dashboard-api/{tenant}/groups'];
    get: operations['get /dashboard-api/{tenant}/groups'];
  };
  '/groups/{id}': {
    get: operations['get /dashboard-api/{tenant}/groups/{id}'];
    put: operations['put /dashboard-api/{tenant}/groups/{id}'];
    delete: operations['delete /dashboard-api/{tenant}/groups/{id}'];
  };
  '/message-bots': { get: operations['get /dashboard-api/{tenant}/message-bots'] };
  '/template-bots': { get: operations['get /dashboard-api/{tenant}/template-bots'] };
  '/events': { get: operations['get /dashboard-api/{tenant}/events'] };
  '/overview': { get: operations['get /dashboard-api/{tenant}/overview'] };
  '/api-settings': {
    get: operations['get /dashboard-api/{tenant}/api-settings'];
    put: operations['put /dashboard-api/{tenant}/api-settings'];
  };
  '/inbound-settings': {
    get: operations['get /dashboard-api/{tenant}/inbound-settings'];
    put: operations['put /dashboard-api/{tenant}/inbound-settings'];
  };
  '/region': { put: operations['put /dashboard-api/{tenant}/region'] };
  '/tokens': { post: operations['post /dashboard-api/{tenant}/tokens'] };
  '/tokens/{id}/revoke': { post: operations['post /dashboard-api/{tenant}/tokens/{id}/revoke'] };
  '/members': { get: operations['get /dashboard-api/{tenant}/members'] };
  '/members/invitations': { post: operations['post /dashboard-api/{tenant}/members/invitations'] };
  '/members/invitations/{id}': {
    delete: operations['delete /dashboard-api/{tenant}/members/invitations/{id}'];
  };
  '/members/{user_id}': {
    put: operations['put /dashboard-api/{tenant}/members/{user_id}'];
    delete: operations['delete /dashboard-api/{tenant}/members/{user_id}'];
  };
  '/audit': { get: operations['get /dashboard-api/{tenant}/audit'] };
  '/audit/actors': { get: operations['get /dashboard-api/{tenant}/audit/actors'] };
  '/contacts/filtered': { get: operations['get /dashboard-api/{tenant}/contacts/filtered'] };
  '/contacts/assign': { post: operations['post /dashboard-api/{tenant}/contacts/assign'] };
  '/contacts/delete': { post: operations['post /dashboard-api/{tenant}/contacts/delete'] };
  '/contacts/bulk': {
    post: operations['post /dashboard-api/{tenant}/contacts/bulk'];
    get: operations['get /dashboard-api/{tenant}/contacts/bulk'];
  };
  '/contacts/bulk/{id}/stop': {
    post: operations['post /dashboard-api/{tenant}/contacts/bulk/{id}/stop'];
  };
  '/contacts/imports': {
    get: operations['get /dashboard-api/{tenant}/contacts/imports'];
    post: operations['post /dashboard-api/{tenant}/contacts/imports'];
  };
  '/contacts/imports/{id}/refused-rows': {
    get: operations['get /dashboard-api/{tenant}/contacts/imports/{id}/refused-rows'];
  };
  '/contacts/imports/{id}/report': {
    get: operations['get /dashboard-api/{tenant}/contacts/imports/{id}/report'];
  };
  '/contacts/export': { get: operations['get /dashboard-api/{tenant}/contacts/export'] };
  '/numbers': {
    get: operations['get /dashboard-api/{tenant}/numbers'];
    post: operations['post /dashboard-api/{tenant}/numbers'];
  };
  '/numbers/visible': { post: operations['post /dashboard-api/{tenant}/numbers/visible'] };
  '/numbers/simulated': { post: operations['post /dashboard-api/{tenant}/numbers/simulated'] };
  '/numbers/{id}/verify': { post: operations['post /dashboard-api/{tenant}/numbers/{id}/verify'] };
  '/numbers/{id}': {
    put: operations['put /dashboard-api/{tenant}/numbers/{id}'];
    delete: operations['delete /dashboard-api/{tenant}/numbers/{id}'];
  };
  '/conversations': { get: operations['get /dashboard-api/{tenant}/conversations'] };
  '/conversations/unread': { get: operations['get /dashboard-api/{tenant}/conversations/unread'] };
  '/conversation': {
    get: operations['get /dashboard-api/{tenant}/conversation'];
    put: operations['put /dashboard-api/{tenant}/conversation'];
  };
  '/conversation/media/{id}': {
    get: operations['get /dashboard-api/{tenant}/conversation/media/{id}'];
  };
  '/live': { get: operations['get /dashboard-api/{tenant}/live'] };
  '/contact-merges': { get: operations['get /dashboard-api/{tenant}/contact-merges'] };
  '/contact-merges/{id}/undo': {
    post: operations['post /dashboard-api/{tenant}/contact-merges/{id}/undo'];
  };
  '/usage': { get: operations['get /dashboard-api/{tenant}/usage'] };
  '/requests': { get: operations['get /dashboard-api/{tenant}/requests'] };
  '/requests/{id}': { get: operations['get /dashboard-api/{tenant}/requests/{id}'] };
  '/request-bodies': {
    get: operations['get /dashboard-api/{tenant}/request-bodies'];
    put: operations['put /dashboard-api/{tenant}/request-bodies'];
  };
  '/webhook': {
    get: operations['get /dashboard-api/{tenant}/webhook'];
    put: operations['put /dashboard-api/{tenant}/webhook'];
    delete: operations['delete /dashboard-api/{tenant}/webhook'];
  };
  '/webhook/secret': { post: operations['post /dashboard-api/{tenant}/webhook/secret'] };
  '/webhook/test': { post: operations['post /dashboard-api/{tenant}/webhook/test'] };
  '/webhook/endpoints': {
    get: operations['get /dashboard-api/{tenant}/webhook/endpoints'];
    post: operations['post /dashboard-api/{tenant}/webhook/endpoints'];
  };
  '/webhook/pause': { put: operations['put /dashboard-api/{tenant}/webhook/pause'] };
  '/webhook/deliveries': { get: operations['get /dashboard-api/{tenant}/webhook/deliveries'] };
  '/webhook/deliveries/{id}': {
    get: operations['get /dashboard-api/{tenant}/webhook/deliveries/{id}'];
  };
  '/webhook/redeliver': { post: operations['post /dashboard-api/{tenant}/webhook/redeliver'] };
  '/stores': {
    get: operations['get /dashboard-api/{tenant}/stores'];
    post: operations['post /dashboard-api/{tenant}/stores'];
  };
  '/stores/platforms': { get: operations['get /dashboard-api/{tenant}/stores/platforms'] };
  '/stores/{id}': {
    get: operations['get /dashboard-api/{tenant}/stores/{id}'];
    put: operations['put /dashboard-api/{tenant}/stores/{id}'];
    delete: operations['delete /dashboard-api/{tenant}/stores/{id}'];
  };
  '/stores/{id}/topics/{topic}': {
    put: operations['put /dashboard-api/{tenant}/stores/{id}/topics/{topic}'];
  };
  '/stores/{id}/keys': { put: operations['put /dashboard-api/{tenant}/stores/{id}/keys'] };
  '/stores/{id}/events': { get: operations['get /dashboard-api/{tenant}/stores/{id}/events'] };
  '/stores/{id}/events/{event}': {
    get: operations['get /dashboard-api/{tenant}/stores/{id}/events/{event}'];
  };
  '/stores/{id}/events/{event}/replay': {
    post: operations['post /dashboard-api/{tenant}/stores/{id}/events/{event}/replay'];
  };
  '/stores/{id}/events/replay-failed': {
    post: operations['post /dashboard-api/{tenant}/stores/{id}/events/replay-failed'];
  };
  '/stores/{id}/preview': { post: operations['post /dashboard-api/{tenant}/stores/{id}/preview'] };
  '/stores/{id}/test': { post: operations['post /dashboard-api/{tenant}/stores/{id}/test'] };
  '/bots': {
    get: operations['get /dashboard-api/{tenant}/bots'];
    post: operations['post /dashboard-api/{tenant}/bots'];
  };
  '/bots/{id}': {
    put: operations['put /dashboard-api/{tenant}/bots/{id}'];
    delete: operations['delete /dashboard-api/{tenant}/bots/{id}'];
  };
  '/bots/try': { post: operations['post /dashboard-api/{tenant}/bots/try'] };
  '/bots/answers': { get: operations['get /dashboard-api/{tenant}/bots/answers'] };
  '/template-overview': { get: operations['get /dashboard-api/{tenant}/template-overview'] };
  '/template-overview/sync': {
    post: operations['post /dashboard-api/{tenant}/template-overview/sync'];
  };
  '/media': { post: operations['post /dashboard-api/{tenant}/media'] };
}

export interface AuthPaths {
  '/session': { get: operations['get /auth/session'] };
  '/invitation': { post: operations['post /auth/invitation'] };
  '/invitation/accept': { post: operations['post /auth/invitation/accept'] };
  '/sign-in/email': { post: operations['post /auth/sign-in/email'] };
  '/change-password': { post: operations['post /auth/change-password'] };
  '/sign-out': { post: operations['post /auth/sign-out'] };
  '/two-factor/verify-totp': { post: operations['post /auth/two-factor/verify-totp'] };
  '/two-factor/verify-backup-code': {
    post: operations['post /auth/two-factor/verify-backup-code'];
  };
  '/revoke-sessions': { post: operations['post /auth/revoke-sessions'] };
  '/update-user': { post: operations['post /auth/update-user'] };
  '/two-factor/enable': { post: operations['post /auth/two-factor/enable'] };
  '/two-factor/disable': { post: operations['post /auth/two-factor/disable'] };
  '/two-factor/generate-backup-codes': {
    post: operations['post /auth/two-factor/generate-backup-codes'];
  };
}

export interface operations {
  'get /auth/session': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: null | {
              email: string;
              name: string;
              two_factor: boolean;
              tenants: {
                slug: string;
                name: string;
                role: 'owner' | 'staff';
                /** The BCP 47 tag of the language in whose way numbers and times are written. */
                locale: string;
                /** An IANA time zone; null for that of each person's browser. */
                time_zone: string | null;
              }[];
            };
          };
        };
      };
    };
  };
  'post /auth/invitation': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          secret: string;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              email: string;
              role: 'owner' | 'staff';
              tenant_name: string;
              accept_by: 'join' | 'reset';
            };
          };
        };
      };
    };
  };
  'post /auth/invitation/accept': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          secret: string;
          name?: string;
          password: string;
          /** Whether the password is that of an existing account. */
          has_account?: boolean;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              email: string;
              tenant: string;
            };
          };
        };
      };
    };
  };
  'post /auth/sign-in/email': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          email: string;
          password: string;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              twoFactorRedirect?: boolean;
            };
          };
        };
      };
    };
  };
  'post /auth/change-password': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          currentPassword: string;
          newPassword: string;
          revokeOtherSessions?: boolean;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: Record<string, never>;
          };
        };
      };
    };
  };
  'post /auth/sign-out': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: Record<string, never>;
          };
        };
      };
    };
  };
  'post /auth/two-factor/verify-totp': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          code: string;
          trustDevice?: boolean;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: Record<string, never>;
          };
        };
      };
    };
  };
  'post /auth/two-factor/verify-backup-code': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          code: string;
          trustDevice?: boolean;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: Record<string, never>;
          };
        };
      };
    };
  };
  'post /auth/revoke-sessions': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: Record<string, never>;
          };
        };
      };
    };
  };
  'post /auth/update-user': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          name: string;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: Record<string, never>;
          };
        };
      };
    };
  };
  'post /auth/two-factor/enable': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          password: string;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              totpURI: string;
              backupCodes: string[];
            };
          };
        };
      };
    };
  };
  'post /auth/two-factor/disable': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          password: string;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: Record<string, never>;
          };
        };
      };
    };
  };
  'post /auth/two-factor/generate-backup-codes': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          password: string;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              backupCodes: string[];
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/messages/send': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: { content: { 'application/json': components['schemas']['SendText'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['SentMessageResponse'] };
      };
    };
  };
  'post /dashboard-api/{tenant}/messages/interactive': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: { content: { 'application/json': components['schemas']['SendInteractive'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['SentMessageResponse'] };
      };
    };
  };
  'post /dashboard-api/{tenant}/messages/media': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: { content: { 'application/json': components['schemas']['SendMedia'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['SentMessageResponse'] };
      };
    };
  };
  'get /dashboard-api/{tenant}/messages/{message_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        message_id: string | number;
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
    };
  };
  'post /dashboard-api/{tenant}/messages/template': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: { content: { 'application/json': components['schemas']['SendTemplate'] } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['SentTemplateResponse'] };
      };
    };
  };
  'get /dashboard-api/{tenant}/messages': {
    parameters: {
      query?: {
        limit?: number;
        after?: string;
        phone_number?: string;
        contact_id?: number;
        number?: string;
        direction?: 'out' | 'in';
        status?: 'unknown' | 'sent' | 'delivered' | 'read' | 'failed' | 'received';
        error_code?: number | 'none';
        type?: string;
        cause?: 'api' | 'member' | 'bot' | 'store' | 'campaign' | 'app' | 'system';
        reference?: string;
        message_id?: string;
        from_time?: string;
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
            data: components['schemas']['CodedMessage'][];
            /** How to go on. */
            pagination: components['schemas']['CursorPagination'];
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/templates': {
    parameters: {
      query?: {
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
    };
  };
  'post /dashboard-api/{tenant}/contacts': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
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
    };
  };
  'get /dashboard-api/{tenant}/contacts': {
    parameters: {
      query?: {
        page?: number;
        per_page?: number;
        search?: string;
        status_id?: number;
        source_id?: number;
        group_id?: number;
        phone?: string;
        email?: string;
        external_id?: string;
        updated_after?: string;
        sort?: 'created_at' | '-created_at' | 'updated_at' | 'firstname' | '-last_message_at';
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
    };
  };
  'put /dashboard-api/{tenant}/contacts': {
    parameters: {
      query: {
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
    };
  };
  'get /dashboard-api/{tenant}/contacts/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
    };
  };
  'put /dashboard-api/{tenant}/contacts/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
    };
  };
  'delete /dashboard-api/{tenant}/contacts/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
    };
  };
  'post /dashboard-api/{tenant}/statuses': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
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
    };
  };
  'get /dashboard-api/{tenant}/statuses': {
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
    };
  };
  'get /dashboard-api/{tenant}/statuses/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
    };
  };
  'put /dashboard-api/{tenant}/statuses/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
    };
  };
  'delete /dashboard-api/{tenant}/statuses/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
    };
  };
  'post /dashboard-api/{tenant}/sources': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
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
    };
  };
  'get /dashboard-api/{tenant}/sources': {
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
    };
  };
  'get /dashboard-api/{tenant}/sources/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
    };
  };
  'put /dashboard-api/{tenant}/sources/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
    };
  };
  'delete /dashboard-api/{tenant}/sources/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
    };
  };
  'post /dashboard-api/{tenant}/groups': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
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
    };
  };
  'get /dashboard-api/{tenant}/groups': {
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
    };
  };
  'get /dashboard-api/{tenant}/groups/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
    };
  };
  'put /dashboard-api/{tenant}/groups/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
    };
  };
  'delete /dashboard-api/{tenant}/groups/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
    };
  };
  'get /dashboard-api/{tenant}/message-bots': {
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
    };
  };
  'get /dashboard-api/{tenant}/template-bots': {
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
    };
  };
  'get /dashboard-api/{tenant}/events': {
    parameters: {
      query?: {
        after?: string;
        types?: string;
        limit?: number;
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
    };
  };
  'get /dashboard-api/{tenant}/overview': {
    parameters: {
      query?: {
        days?: 7 | 14 | 30 | 90;
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
            data: {
              days: {
                /** UTC. */
                day: string;
                /** Reached the phone, including those that were read. */
                delivered: number;
                /** Accepted by the network, without a report since. */
                on_the_way: number;
                failed: number;
                /** It is unknown whether they were sent. */
                unknown: number;
                received: number;
              }[];
              failures: {
                code: number | null;
                /** In plain words. */
                title: string;
                title_says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                messages: number;
                last_at: string;
              }[];
              steps: {
                /** A number is connected. */
                number: boolean;
                /** API access is on and a token works. */
                token: boolean;
                /** A message was sent. */
                message: boolean;
              };
              /** The default number if it is one of the simulator. */
              simulated_sender: string | null;
              number_problems: {
                phone: string;
                problem: string;
                problem_says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
              }[];
              tokens_seen_in_clear: string[];
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/api-settings': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              api_access: boolean;
              /** The start of every URL of the tenant. */
              base_url: string;
              abilities: {
                category: string;
                abilities: string[];
              }[];
              tokens: {
                id: number;
                name: string;
                /** The last four characters. */
                hint: string;
                state: 'pending' | 'active' | 'expired' | 'revoked';
                abilities: string[];
                created_at: string;
                expires_at: string | null;
                last_used_at: string | null;
                revoked_at: string | null;
                seen_in_clear_at: string | null;
              }[];
            };
          };
        };
      };
    };
  };
  'put /dashboard-api/{tenant}/api-settings': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          api_access: boolean;
          /** Ids of the pending tokens to activate. */
          activate: number[];
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              api_access: boolean;
              /** The start of every URL of the tenant. */
              base_url: string;
              abilities: {
                category: string;
                abilities: string[];
              }[];
              tokens: {
                id: number;
                name: string;
                /** The last four characters. */
                hint: string;
                state: 'pending' | 'active' | 'expired' | 'revoked';
                abilities: string[];
                created_at: string;
                expires_at: string | null;
                last_used_at: string | null;
                revoked_at: string | null;
                seen_in_clear_at: string | null;
              }[];
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/inbound-settings': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              /** Whether a message from an unknown phone creates a contact. */
              contacts_from_inbound: boolean;
              /** How many days messages are kept; null for as long as the installation keeps them. */
              message_retention_days: number | null;
              /** How many days the installation keeps messages; 0 for as long as their contact. */
              max_message_retention_days: number;
              /** How many days the files of received messages are kept; 0 if they are not. */
              keep_files_days: number;
              /** Whether files can be kept: all processes have one folder for them, or a bucket. */
              can_keep_files: boolean;
              kept_files: number;
              kept_bytes: number;
            };
          };
        };
      };
    };
  };
  'put /dashboard-api/{tenant}/inbound-settings': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          /** Whether a message from an unknown phone creates a contact. */
          contacts_from_inbound?: boolean;
          /** How many days the files of received messages are kept; 0 if they are not. */
          keep_files_days?: number;
          /** How many days messages are kept; null for as long as the installation keeps them. */
          message_retention_days?: number | null;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              /** Whether a message from an unknown phone creates a contact. */
              contacts_from_inbound: boolean;
              /** How many days messages are kept; null for as long as the installation keeps them. */
              message_retention_days: number | null;
              /** How many days the installation keeps messages; 0 for as long as their contact. */
              max_message_retention_days: number;
              /** How many days the files of received messages are kept; 0 if they are not. */
              keep_files_days: number;
              /** Whether files can be kept: all processes have one folder for them, or a bucket. */
              can_keep_files: boolean;
              kept_files: number;
              kept_bytes: number;
            };
          };
        };
      };
    };
  };
  'put /dashboard-api/{tenant}/region': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          /** The BCP 47 tag of the language in whose way numbers and times are written. */
          locale: string;
          /** An IANA time zone; null for that of each person's browser. */
          time_zone: string | null;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              /** The BCP 47 tag of the language in whose way numbers and times are written. */
              locale: string;
              /** An IANA time zone; null for that of each person's browser. */
              time_zone: string | null;
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/tokens': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          name: string;
          abilities: string[];
          expires_at?: string | null;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              /** Shown only once. */
              value: string;
              token: {
                id: number;
                name: string;
                /** The last four characters. */
                hint: string;
                state: 'pending' | 'active' | 'expired' | 'revoked';
                abilities: string[];
                created_at: string;
                expires_at: string | null;
                last_used_at: string | null;
                revoked_at: string | null;
                seen_in_clear_at: string | null;
              };
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/tokens/{id}/revoke': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
              id: number;
              name: string;
              /** The last four characters. */
              hint: string;
              state: 'pending' | 'active' | 'expired' | 'revoked';
              abilities: string[];
              created_at: string;
              expires_at: string | null;
              last_used_at: string | null;
              revoked_at: string | null;
              seen_in_clear_at: string | null;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/members': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              members: {
                user_id: string;
                email: string;
                name: string;
                role: 'owner' | 'staff';
                two_factor: boolean;
                is_you: boolean;
                created_at: string;
                last_seen_at: string | null;
              }[];
              invitations: {
                id: number;
                email: string;
                role: 'owner' | 'staff';
                created_at: string;
                expires_at: string;
              }[];
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/members/invitations': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          email: string;
          role: 'owner' | 'staff';
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              url: string;
              invitation: {
                id: number;
                email: string;
                role: 'owner' | 'staff';
                created_at: string;
                expires_at: string;
              };
            };
          };
        };
      };
    };
  };
  'delete /dashboard-api/{tenant}/members/invitations/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
          };
        };
      };
    };
  };
  'put /dashboard-api/{tenant}/members/{user_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        user_id: string | number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          role: 'owner' | 'staff';
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            message: string;
          };
        };
      };
    };
  };
  'delete /dashboard-api/{tenant}/members/{user_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        user_id: string | number;
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
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/audit': {
    parameters: {
      query?: {
        kind?:
          | 'tenant'
          | 'member'
          | 'token'
          | 'webhook'
          | 'number'
          | 'store'
          | 'bot'
          | 'label'
          | 'contacts';
        actor?: string;
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
            success: true;
            data: {
              entries: {
                id: number;
                at: string;
                actor: {
                  kind: 'member' | 'token' | 'operator' | 'system';
                  id: string | null;
                  name: string | null;
                  email: string | null;
                };
                action: string;
                subject: {
                  id: string | null;
                  name: string | null;
                } | null;
                changes: {
                  field: string;
                  before?: unknown;
                  after?: unknown;
                  /** The name of the record whose id is `after`. */
                  after_name?: string;
                }[];
              }[];
              after: string | null;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/audit/actors': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              actors: {
                kind: 'member' | 'token' | 'operator' | 'system';
                id: string | null;
                name: string | null;
                email: string | null;
              }[];
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/contacts/filtered': {
    parameters: {
      query?: {
        page?: number;
        per_page?: number;
        search?: string;
        status_id?: number;
        source_id?: number;
        group_id?: number;
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
              /** Number of this page, from 1. */
              page: number;
              /** Records per page. */
              per_page: number;
              /** Number of records on all pages. */
              total: number;
              /** Number of pages. */
              total_pages: number;
              /** There are more contacts than `total`. */
              more: boolean;
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/contacts/assign': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          ids: number[];
          status_id?: number | null;
          source_id?: number | null;
          add_group_id?: number;
          remove_group_id?: number;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              /** How many of them exist. */
              contacts: number;
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/contacts/delete': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          ids: number[];
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              /** How many of them exist. */
              contacts: number;
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/contacts/bulk': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          filter: {
            /** Part of the first name, last name, both with a space between, phone or email. Case is ignored, and no character is a wildcard. */
            search?: string;
            status_id?: number;
            source_id?: number;
            group_id?: number;
          };
          change:
            | {
                delete: true;
              }
            | {
                status_id?: number | null;
                source_id?: number | null;
                add_group_id?: number;
                remove_group_id?: number;
              };
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              id: number;
              state: 'running' | 'done' | 'stopped' | 'failed';
              problem: string | null;
              problem_says: {
                code: string;
                values?: {
                  [name: string]: unknown;
                };
              } | null;
              deletes: boolean;
              /** The contacts of the tenant when the change began. */
              contacts: number;
              looked_at: number;
              changed: number;
              started_at: string;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/contacts/bulk': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              id: number;
              state: 'running' | 'done' | 'stopped' | 'failed';
              problem: string | null;
              problem_says: {
                code: string;
                values?: {
                  [name: string]: unknown;
                };
              } | null;
              deletes: boolean;
              /** The contacts of the tenant when the change began. */
              contacts: number;
              looked_at: number;
              changed: number;
              started_at: string;
            }[];
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/contacts/bulk/{id}/stop': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/contacts/imports': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              id: number;
              filename: string;
              bytes: number;
              bytes_read: number;
              state: 'running' | 'done' | 'failed';
              problem: string | null;
              problem_says: {
                code: string;
                values?: {
                  [name: string]: unknown;
                };
              } | null;
              created: number;
              updated: number;
              unchanged: number;
              refused: number;
              /** Imported rows with the phone of an earlier row. */
              same_phone: number;
              /** The rows that could be imported, if the file was only checked. */
              checked_rows: number | null;
              read_columns: {
                heading: string;
                column: string;
              }[];
              /** At most the first 100. */
              ignored_columns: string[];
              missing_labels: {
                label: 'status' | 'source' | 'group';
                name: string;
                rows: number;
              }[];
              has_report: boolean;
              started_at: string;
            }[];
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/contacts/imports': {
    parameters: {
      query: {
        filename: string;
        phones?: 'without_plus';
        labels?: 'create';
        check?: 'only';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'text/csv': Blob } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              id: number;
              filename: string;
              bytes: number;
              bytes_read: number;
              state: 'running' | 'done' | 'failed';
              problem: string | null;
              problem_says: {
                code: string;
                values?: {
                  [name: string]: unknown;
                };
              } | null;
              created: number;
              updated: number;
              unchanged: number;
              refused: number;
              /** Imported rows with the phone of an earlier row. */
              same_phone: number;
              /** The rows that could be imported, if the file was only checked. */
              checked_rows: number | null;
              read_columns: {
                heading: string;
                column: string;
              }[];
              /** At most the first 100. */
              ignored_columns: string[];
              missing_labels: {
                label: 'status' | 'source' | 'group';
                name: string;
                rows: number;
              }[];
              has_report: boolean;
              started_at: string;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/contacts/imports/{id}/refused-rows': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
              line: number;
              reasons: {
                field: string | null;
                text: string;
                says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
              }[];
            }[];
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/contacts/imports/{id}/report': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: { 200: { headers: { [name: string]: unknown }; content: { 'text/csv': Blob } } };
  };
  'get /dashboard-api/{tenant}/contacts/export': {
    parameters: {
      query?: {
        search?: string;
        status_id?: number;
        source_id?: number;
        group_id?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: { 200: { headers: { [name: string]: unknown }; content: { 'text/csv': Blob } } };
  };
  'get /dashboard-api/{tenant}/numbers': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              numbers: {
                id: number;
                phone_number_id: string;
                business_account_id: string;
                display_phone_number: string | null;
                simulator: boolean;
                callback_url: string;
                /** Empty unless the member is an owner. */
                verify_token: string;
                problem: string | null;
                problem_says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                /** Whether it sends to people with whom there are no messages yet. */
                default: boolean;
                /** Whether marketing templates go to the network’s endpoint for them. */
                marketing_endpoint: boolean;
                /** The name that people see. */
                verified_name: string | null;
                /** A number works if a message arrived since it was connected and nothing is known to be wrong. */
                state: 'works' | 'not_verified' | 'does_not_work';
                /** What the last check found wrong, and why messages fail or nothing is heard. */
                faults: {
                  name: string;
                  found: string;
                  found_says?: {
                    code: string;
                    values?: {
                      [name: string]: unknown;
                    };
                  } | null;
                  /** What to do about it. */
                  fix: string;
                  fix_says?: {
                    code: string;
                    values?: {
                      [name: string]: unknown;
                    };
                  } | null;
                }[];
                checked_at: string | null;
                /** When the access token ends, as the last check found it. Null if never. */
                token_expires_at: string | null;
                /** When WhatsApp last reported anything, to the minute. */
                heard_at: string | null;
                created_at: string;
              }[];
              /** Null if no simulator runs; then simulated numbers are not listed. */
              simulator_url: string | null;
              /** Numbers about which WhatsApp reports to this tenant, which has not connected them. */
              unconnected: {
                phone_number_id: string;
                display_phone_number: string | null;
                /** Messages and statuses that were lost. */
                reports: number;
                first_at: string;
                last_at: string;
              }[];
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/numbers': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          access_token: string;
          app_secret: string;
          business_account_id?: string;
          phone_number_id?: string;
          /** Registers the number, if it is not registered. */
          pin?: string;
          /** Take the callbacks of the number from another program. */
          take_over?: boolean;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            message: string;
            data: {
              id: number;
              phone_number_id: string;
              business_account_id: string;
              display_phone_number: string | null;
              simulator: boolean;
              callback_url: string;
              /** Empty unless the member is an owner. */
              verify_token: string;
              problem: string | null;
              problem_says: {
                code: string;
                values?: {
                  [name: string]: unknown;
                };
              } | null;
              /** Whether it sends to people with whom there are no messages yet. */
              default: boolean;
              /** Whether marketing templates go to the network’s endpoint for them. */
              marketing_endpoint: boolean;
              /** The name that people see. */
              verified_name: string | null;
              /** A number works if a message arrived since it was connected and nothing is known to be wrong. */
              state: 'works' | 'not_verified' | 'does_not_work';
              /** What the last check found wrong, and why messages fail or nothing is heard. */
              faults: {
                name: string;
                found: string;
                found_says?: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                /** What to do about it. */
                fix: string;
                fix_says?: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
              }[];
              checked_at: string | null;
              /** When the access token ends, as the last check found it. Null if never. */
              token_expires_at: string | null;
              /** When WhatsApp last reported anything, to the minute. */
              heard_at: string | null;
              created_at: string;
              checks: {
                name: string;
                ok: boolean;
                found: string;
                found_says?: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                fix?: string;
                fix_says?: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
              }[];
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/numbers/visible': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          access_token: string;
          app_secret: string;
          business_account_id?: string;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              numbers: {
                phone_number_id: string;
                business_account_id: string;
                display_phone_number: string | null;
                verified_name: string | null;
                /** Whether the tenant has connected it. */
                connected: boolean;
              }[];
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/numbers/simulated': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
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
              phone_number_id: string;
              business_account_id: string;
              display_phone_number: string | null;
              simulator: boolean;
              callback_url: string;
              /** Empty unless the member is an owner. */
              verify_token: string;
              problem: string | null;
              problem_says: {
                code: string;
                values?: {
                  [name: string]: unknown;
                };
              } | null;
              /** Whether it sends to people with whom there are no messages yet. */
              default: boolean;
              /** Whether marketing templates go to the network’s endpoint for them. */
              marketing_endpoint: boolean;
              /** The name that people see. */
              verified_name: string | null;
              /** A number works if a message arrived since it was connected and nothing is known to be wrong. */
              state: 'works' | 'not_verified' | 'does_not_work';
              /** What the last check found wrong, and why messages fail or nothing is heard. */
              faults: {
                name: string;
                found: string;
                found_says?: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                /** What to do about it. */
                fix: string;
                fix_says?: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
              }[];
              checked_at: string | null;
              /** When the access token ends, as the last check found it. Null if never. */
              token_expires_at: string | null;
              /** When WhatsApp last reported anything, to the minute. */
              heard_at: string | null;
              created_at: string;
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/numbers/{id}/verify': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** Registers the number, if it is not registered. */
          pin?: string;
          /** Take the callbacks of the number from another program. */
          take_over?: boolean;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            message: string;
            data: {
              id: number;
              phone_number_id: string;
              business_account_id: string;
              display_phone_number: string | null;
              simulator: boolean;
              callback_url: string;
              /** Empty unless the member is an owner. */
              verify_token: string;
              problem: string | null;
              problem_says: {
                code: string;
                values?: {
                  [name: string]: unknown;
                };
              } | null;
              /** Whether it sends to people with whom there are no messages yet. */
              default: boolean;
              /** Whether marketing templates go to the network’s endpoint for them. */
              marketing_endpoint: boolean;
              /** The name that people see. */
              verified_name: string | null;
              /** A number works if a message arrived since it was connected and nothing is known to be wrong. */
              state: 'works' | 'not_verified' | 'does_not_work';
              /** What the last check found wrong, and why messages fail or nothing is heard. */
              faults: {
                name: string;
                found: string;
                found_says?: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                /** What to do about it. */
                fix: string;
                fix_says?: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
              }[];
              checked_at: string | null;
              /** When the access token ends, as the last check found it. Null if never. */
              token_expires_at: string | null;
              /** When WhatsApp last reported anything, to the minute. */
              heard_at: string | null;
              created_at: string;
              checks: {
                name: string;
                ok: boolean;
                found: string;
                found_says?: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                fix?: string;
                fix_says?: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
              }[];
            };
          };
        };
      };
    };
  };
  'put /dashboard-api/{tenant}/numbers/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          default?: true;
          marketing_endpoint?: boolean;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            message: string;
            data: {
              id: number;
              phone_number_id: string;
              business_account_id: string;
              display_phone_number: string | null;
              simulator: boolean;
              callback_url: string;
              /** Empty unless the member is an owner. */
              verify_token: string;
              problem: string | null;
              problem_says: {
                code: string;
                values?: {
                  [name: string]: unknown;
                };
              } | null;
              /** Whether it sends to people with whom there are no messages yet. */
              default: boolean;
              /** Whether marketing templates go to the network’s endpoint for them. */
              marketing_endpoint: boolean;
              /** The name that people see. */
              verified_name: string | null;
              /** A number works if a message arrived since it was connected and nothing is known to be wrong. */
              state: 'works' | 'not_verified' | 'does_not_work';
              /** What the last check found wrong, and why messages fail or nothing is heard. */
              faults: {
                name: string;
                found: string;
                found_says?: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                /** What to do about it. */
                fix: string;
                fix_says?: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
              }[];
              checked_at: string | null;
              /** When the access token ends, as the last check found it. Null if never. */
              token_expires_at: string | null;
              /** When WhatsApp last reported anything, to the minute. */
              heard_at: string | null;
              created_at: string;
            };
          };
        };
      };
    };
  };
  'delete /dashboard-api/{tenant}/numbers/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
              phone_number_id: string;
              business_account_id: string;
              display_phone_number: string | null;
              simulator: boolean;
              callback_url: string;
              /** Empty unless the member is an owner. */
              verify_token: string;
              problem: string | null;
              problem_says: {
                code: string;
                values?: {
                  [name: string]: unknown;
                };
              } | null;
              /** Whether it sends to people with whom there are no messages yet. */
              default: boolean;
              /** Whether marketing templates go to the network’s endpoint for them. */
              marketing_endpoint: boolean;
              /** The name that people see. */
              verified_name: string | null;
              /** A number works if a message arrived since it was connected and nothing is known to be wrong. */
              state: 'works' | 'not_verified' | 'does_not_work';
              /** What the last check found wrong, and why messages fail or nothing is heard. */
              faults: {
                name: string;
                found: string;
                found_says?: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                /** What to do about it. */
                fix: string;
                fix_says?: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
              }[];
              checked_at: string | null;
              /** When the access token ends, as the last check found it. Null if never. */
              token_expires_at: string | null;
              /** When WhatsApp last reported anything, to the minute. */
              heard_at: string | null;
              created_at: string;
              /** Where its messages go now. */
              callbacks: {
                to: 'other_program' | 'parley' | 'nobody' | 'unknown';
                url: string | null;
              };
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/conversations': {
    parameters: {
      query?: {
        before?: number;
        search?: string;
        view?: 'unread' | 'unassigned' | 'mine';
        number?: number;
        status_id?: number;
        source_id?: number;
        group_id?: number;
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
            data: {
              conversations: {
                /** The key of the conversation, the same for every form of the phone. */
                person: string;
                phone: string;
                /** Id of the number of the latest message. */
                number_id: number;
                name: string | null;
                contact_id: number | null;
                /** The labels are those of the contact. */
                status_id: number | null;
                source_id: number | null;
                group_ids: number[];
                last: {
                  id: number;
                  network_id: string | null;
                  direction: 'out' | 'in';
                  /** Id of the number that sent or received it. */
                  number_id: number;
                  kind: string;
                  cause: 'member' | 'bot' | 'store' | 'campaign' | 'app' | 'system' | null;
                  /** The account of the member who wrote it. */
                  member: string | null;
                  content: {
                    text?: string;
                    caption?: string;
                    filename?: string | null;
                    media_url?: string;
                    media_id?: string;
                    mime_type?: string;
                    voice?: boolean;
                    payload?: string;
                    reply_to?: string;
                    template?: {
                      name: string;
                      language: string;
                      category: string;
                    };
                    header?: {
                      format: string;
                      text?: string;
                      media_url?: string;
                      media_id?: string;
                      filename?: string;
                    };
                    body?: string;
                    footer?: string;
                    buttons?: {
                      type: string;
                      text: string;
                      url?: string;
                    }[];
                    [name: string]: unknown;
                  };
                  status:
                    | 'accepting'
                    | 'unknown'
                    | 'sent'
                    | 'failed'
                    | 'delivered'
                    | 'read'
                    | 'received';
                  failure: {
                    code: number | null;
                    words: string;
                    words_says: {
                      code: string;
                      values?: {
                        [name: string]: unknown;
                      };
                    } | null;
                    details: string | null;
                  } | null;
                  created_at: string;
                  sent_at: string | null;
                  delivered_at: string | null;
                  read_at: string | null;
                  failed_at: string | null;
                };
                /** Until when that number may send free text. */
                window_until: string | null;
                /** Inbound messages that nobody has read in the dashboard. */
                unread: number;
                /** Whether somebody should answer. */
                is_open: boolean;
                assignee: string | null;
              }[];
              more: boolean;
              /** The id of the newest message of the tenant before this was read; 0 if it has none. */
              newest: number;
              /** The `before` of the next page; null after the last one and for a search. A page by a label can be short or empty and have a next one. */
              next: number | null;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/conversations/unread': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              /** Conversations with unread messages. 100 means as many or more. */
              count: number;
              /** The id of the newest message of the tenant before this was read; 0 if it has none. */
              newest: number;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/conversation': {
    parameters: {
      query: {
        phone: string;
        before?: number;
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
            data: {
              /** The key of the conversation, the same for every form of the phone. */
              person: string;
              /** As requested. */
              phone: string;
              /** As in the list of conversations. It differs if the request has a user id, and the phone is known by now. */
              shown_phone: string;
              name: string | null;
              contact_id: number | null;
              /** Id of the number that sends if the send names none; null without a number. */
              number_id: number | null;
              /** Until when the numbers to which the person wrote may send free text. */
              windows: {
                number_id: number;
                window_until: string;
              }[];
              /** Inbound messages that nobody has read in the dashboard. */
              unread: number;
              /** Whether somebody should answer. */
              is_open: boolean;
              assignee: string | null;
              /** Newest first. */
              messages: {
                id: number;
                network_id: string | null;
                direction: 'out' | 'in';
                /** Id of the number that sent or received it. */
                number_id: number;
                kind: string;
                cause: 'member' | 'bot' | 'store' | 'campaign' | 'app' | 'system' | null;
                /** The account of the member who wrote it. */
                member: string | null;
                content: {
                  text?: string;
                  caption?: string;
                  filename?: string | null;
                  media_url?: string;
                  media_id?: string;
                  mime_type?: string;
                  voice?: boolean;
                  payload?: string;
                  reply_to?: string;
                  template?: {
                    name: string;
                    language: string;
                    category: string;
                  };
                  header?: {
                    format: string;
                    text?: string;
                    media_url?: string;
                    media_id?: string;
                    filename?: string;
                  };
                  body?: string;
                  footer?: string;
                  buttons?: {
                    type: string;
                    text: string;
                    url?: string;
                  }[];
                  [name: string]: unknown;
                };
                status:
                  | 'accepting'
                  | 'unknown'
                  | 'sent'
                  | 'failed'
                  | 'delivered'
                  | 'read'
                  | 'received';
                failure: {
                  code: number | null;
                  words: string;
                  words_says: {
                    code: string;
                    values?: {
                      [name: string]: unknown;
                    };
                  } | null;
                  details: string | null;
                } | null;
                created_at: string;
                sent_at: string | null;
                delivered_at: string | null;
                read_at: string | null;
                failed_at: string | null;
              }[];
              more: boolean;
              /** The id of the newest message of the tenant before this was read; 0 if it has none. */
              newest: number;
            };
          };
        };
      };
    };
  };
  'put /dashboard-api/{tenant}/conversation': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          phone: string;
          read?: true;
          is_open?: boolean;
          assignee?: string | null;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/conversation/media/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: { 200: { headers: { [name: string]: unknown }; content: { '*/*': Blob } } };
  };
  'get /dashboard-api/{tenant}/live': {
    parameters: {
      query?: {
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
          'text/event-stream':
            | {
                kind: 'ready';
                email: string;
                user_id: string;
                newest: number;
              }
            | {
                kind: 'resumed';
                email: string;
                user_id: string;
              }
            | {
                kind: 'restarted';
                email: string;
                user_id: string;
              }
            | {
                kind: 'reload';
              }
            | {
                kind: 'changed';
                conversations: {
                  /** The key of the conversation, the same for every form of the phone. */
                  person: string;
                  phone: string;
                  /** Id of the number of the latest message. */
                  number_id: number;
                  name: string | null;
                  contact_id: number | null;
                  /** The labels are those of the contact. */
                  status_id: number | null;
                  source_id: number | null;
                  group_ids: number[];
                  last: {
                    id: number;
                    network_id: string | null;
                    direction: 'out' | 'in';
                    /** Id of the number that sent or received it. */
                    number_id: number;
                    kind: string;
                    cause: 'member' | 'bot' | 'store' | 'campaign' | 'app' | 'system' | null;
                    /** The account of the member who wrote it. */
                    member: string | null;
                    content: {
                      text?: string;
                      caption?: string;
                      filename?: string | null;
                      media_url?: string;
                      media_id?: string;
                      mime_type?: string;
                      voice?: boolean;
                      payload?: string;
                      reply_to?: string;
                      template?: {
                        name: string;
                        language: string;
                        category: string;
                      };
                      header?: {
                        format: string;
                        text?: string;
                        media_url?: string;
                        media_id?: string;
                        filename?: string;
                      };
                      body?: string;
                      footer?: string;
                      buttons?: {
                        type: string;
                        text: string;
                        url?: string;
                      }[];
                      [name: string]: unknown;
                    };
                    status:
                      | 'accepting'
                      | 'unknown'
                      | 'sent'
                      | 'failed'
                      | 'delivered'
                      | 'read'
                      | 'received';
                    failure: {
                      code: number | null;
                      words: string;
                      words_says: {
                        code: string;
                        values?: {
                          [name: string]: unknown;
                        };
                      } | null;
                      details: string | null;
                    } | null;
                    created_at: string;
                    sent_at: string | null;
                    delivered_at: string | null;
                    read_at: string | null;
                    failed_at: string | null;
                  };
                  /** Until when that number may send free text. */
                  window_until: string | null;
                  /** Inbound messages that nobody has read in the dashboard. */
                  unread: number;
                  /** Whether somebody should answer. */
                  is_open: boolean;
                  assignee: string | null;
                }[];
                messages: {
                  id: number;
                  network_id: string | null;
                  direction: 'out' | 'in';
                  /** Id of the number that sent or received it. */
                  number_id: number;
                  kind: string;
                  cause: 'member' | 'bot' | 'store' | 'campaign' | 'app' | 'system' | null;
                  /** The account of the member who wrote it. */
                  member: string | null;
                  content: {
                    text?: string;
                    caption?: string;
                    filename?: string | null;
                    media_url?: string;
                    media_id?: string;
                    mime_type?: string;
                    voice?: boolean;
                    payload?: string;
                    reply_to?: string;
                    template?: {
                      name: string;
                      language: string;
                      category: string;
                    };
                    header?: {
                      format: string;
                      text?: string;
                      media_url?: string;
                      media_id?: string;
                      filename?: string;
                    };
                    body?: string;
                    footer?: string;
                    buttons?: {
                      type: string;
                      text: string;
                      url?: string;
                    }[];
                    [name: string]: unknown;
                  };
                  status:
                    | 'accepting'
                    | 'unknown'
                    | 'sent'
                    | 'failed'
                    | 'delivered'
                    | 'read'
                    | 'received';
                  failure: {
                    code: number | null;
                    words: string;
                    words_says: {
                      code: string;
                      values?: {
                        [name: string]: unknown;
                      };
                    } | null;
                    details: string | null;
                  } | null;
                  created_at: string;
                  sent_at: string | null;
                  delivered_at: string | null;
                  read_at: string | null;
                  failed_at: string | null;
                  person: string;
                }[];
              }
            | {
                kind: 'touched';
                topics: (
                  | 'webhook'
                  | 'stores'
                  | 'answers'
                  | 'usage'
                  | 'requests'
                  | 'imports'
                  | 'bulk_changes'
                  | 'numbers'
                )[];
              };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/contact-merges': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              id: number;
              merged_at: string;
              contact_id: number | null;
              earlier_identity: string;
              identity: string;
              /** The name of the contact that was merged. */
              merged_name: string | null;
            }[];
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/contact-merges/{id}/undo': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/usage': {
    parameters: {
      query?: {
        days?: 7 | 14 | 30 | 90;
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
            data: {
              plan: string;
              requests_per_minute: number;
              messages_per_day: number | null;
              plans: {
                plan: string;
                requests_per_minute: number;
                messages_per_day: number | null;
              }[];
              /** UTC; the day’s limit resets at midnight. */
              today: string;
              tokens: {
                id: number;
                name: string;
                days: {
                  day: string;
                  requests: number;
                  /** Requests with a 4xx response. */
                  refusals: number;
                  /** Requests with a 5xx response. */
                  failures: number;
                  texts: number;
                  media: number;
                  templates: number;
                  /** Messages that count against the day’s limit. */
                  messages: number;
                }[];
              }[];
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/requests': {
    parameters: {
      query?: {
        status?: number;
        method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
        path?: string;
        token?: number;
        request_id?: string;
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
            success: true;
            data: {
              requests: {
                id: number;
                at: string;
                method: string;
                /** After the tenant, with the query. Unknown values are masked. */
                path: string;
                status: number;
                duration_ms: number;
                token: {
                  id: number;
                  name: string;
                };
                request_id: string;
                error: {
                  code: string;
                  message: string;
                } | null;
                /** Further requests of the same second that are not listed. */
                left_out: number;
              }[];
              after: string | null;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/requests/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
              id: number;
              at: string;
              method: string;
              /** After the tenant, with the query. Unknown values are masked. */
              path: string;
              status: number;
              duration_ms: number;
              token: {
                id: number;
                name: string;
              };
              request_id: string;
              error: {
                code: string;
                message: string;
              } | null;
              /** Further requests of the same second that are not listed. */
              left_out: number;
              request_body: string | null;
              response_body: string | null;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/request-bodies': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              bodies_until: string | null;
            };
          };
        };
      };
    };
  };
  'put /dashboard-api/{tenant}/request-bodies': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          /** For how long bodies are logged from now on; 0 to stop. */
          minutes: number;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              bodies_until: string | null;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/webhook': {
    parameters: {
      query?: {
        endpoint?: number;
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
            data: {
              webhook: {
                /** The default endpoint has 0. */
                id: number;
                name: string;
                url: string;
                events: string[];
                numbers: string[] | null;
                kinds: string[] | null;
                causes: string[] | null;
                ordered: boolean;
                gather_seconds: number | null;
                header_names: string[];
                on: boolean;
                paused_since: string | null;
                off_reason: string | null;
                off_says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                off_since: string | null;
                failing_since: string | null;
                previous_secret_until: string | null;
              } | null;
              quota: {
                max_waiting: number;
                max_mb: number;
                /** Which of the chosen events are recorded. `changes` is all except contact.read. */
                recording: 'all' | 'changes' | 'none';
                full_of: 'waiting' | 'bytes' | null;
                dropped: {
                  events: number;
                  since: string;
                  until: string | null;
                } | null;
              };
              event_types: (
                | 'contact.created'
                | 'contact.read'
                | 'contact.updated'
                | 'contact.deleted'
                | 'status.created'
                | 'status.updated'
                | 'status.deleted'
                | 'source.created'
                | 'source.updated'
                | 'source.deleted'
              )[];
              all_event_types: (
                | 'contact.created'
                | 'contact.read'
                | 'contact.updated'
                | 'contact.deleted'
                | 'status.created'
                | 'status.updated'
                | 'status.deleted'
                | 'source.created'
                | 'source.updated'
                | 'source.deleted'
                | 'message.received'
                | 'message.received_batch'
                | 'message.sent'
                | 'message.delivered'
                | 'message.read'
                | 'message.failed'
                | 'template.status_changed'
                | 'number.state_changed'
              )[];
              message_kinds: string[];
              message_causes: string[];
            };
          };
        };
      };
    };
  };
  'put /dashboard-api/{tenant}/webhook': {
    parameters: {
      query?: {
        endpoint?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name?: string;
          on: boolean;
          url: string;
          events: string[];
          numbers?: string[];
          kinds?: string[];
          causes?: string[];
          ordered?: boolean;
          gather_seconds?: number | null;
          headers?: {
            name: string;
            value: string;
          }[];
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              webhook: {
                /** The default endpoint has 0. */
                id: number;
                name: string;
                url: string;
                events: string[];
                numbers: string[] | null;
                kinds: string[] | null;
                causes: string[] | null;
                ordered: boolean;
                gather_seconds: number | null;
                header_names: string[];
                on: boolean;
                paused_since: string | null;
                off_reason: string | null;
                off_says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                off_since: string | null;
                failing_since: string | null;
                previous_secret_until: string | null;
              };
              /** The secret of a new webhook, which is shown only once. */
              secret: string | null;
            };
          };
        };
      };
    };
  };
  'delete /dashboard-api/{tenant}/webhook': {
    parameters: {
      query?: {
        endpoint?: number;
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
            data: Record<string, never>;
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/webhook/secret': {
    parameters: {
      query?: {
        endpoint?: number;
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
            data: {
              secret: string;
              previous_secret_until: string | null;
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/webhook/test': {
    parameters: {
      query?: {
        endpoint?: number;
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
            data: {
              id: number;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/webhook/endpoints': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              endpoints: {
                /** The default endpoint has 0. */
                id: number;
                name: string;
                url: string;
                events: string[];
                numbers: string[] | null;
                kinds: string[] | null;
                causes: string[] | null;
                ordered: boolean;
                gather_seconds: number | null;
                header_names: string[];
                on: boolean;
                paused_since: string | null;
                off_reason: string | null;
                off_says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                off_since: string | null;
                failing_since: string | null;
                previous_secret_until: string | null;
                /** Waiting deliveries; 1,000 for more. */
                waiting: number;
                /** Which of the chosen events are recorded. `changes` is all except contact.read. */
                recording: 'all' | 'changes' | 'none';
                last: {
                  event: string;
                  state: 'waiting' | 'delivered' | 'failed';
                  created_at: string;
                } | null;
              }[];
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/webhook/endpoints': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          name: string;
          on: boolean;
          url: string;
          events: string[];
          numbers?: string[];
          kinds?: string[];
          causes?: string[];
          ordered?: boolean;
          gather_seconds?: number | null;
          headers?: {
            name: string;
            value: string;
          }[];
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              webhook: {
                /** The default endpoint has 0. */
                id: number;
                name: string;
                url: string;
                events: string[];
                numbers: string[] | null;
                kinds: string[] | null;
                causes: string[] | null;
                ordered: boolean;
                gather_seconds: number | null;
                header_names: string[];
                on: boolean;
                paused_since: string | null;
                off_reason: string | null;
                off_says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                off_since: string | null;
                failing_since: string | null;
                previous_secret_until: string | null;
              };
              /** The secret of a new webhook, which is shown only once. */
              secret: string | null;
            };
          };
        };
      };
    };
  };
  'put /dashboard-api/{tenant}/webhook/pause': {
    parameters: {
      query?: {
        endpoint?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          paused: boolean;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              webhook: {
                /** The default endpoint has 0. */
                id: number;
                name: string;
                url: string;
                events: string[];
                numbers: string[] | null;
                kinds: string[] | null;
                causes: string[] | null;
                ordered: boolean;
                gather_seconds: number | null;
                header_names: string[];
                on: boolean;
                paused_since: string | null;
                off_reason: string | null;
                off_says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                off_since: string | null;
                failing_since: string | null;
                previous_secret_until: string | null;
              };
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/webhook/deliveries': {
    parameters: {
      query?: {
        endpoint?: number;
        id?: string;
        event?: string;
        state?: 'waiting' | 'delivered' | 'failed';
        since?: string;
        until?: string;
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
            success: true;
            data: {
              deliveries: {
                id: number;
                webhook_id: string;
                event: string;
                state: 'waiting' | 'delivered' | 'failed';
                reason: string | null;
                reason_says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                created_at: string;
                next_try_at: string | null;
                subject: {
                  name: string | null;
                  contact_id: number | null;
                };
                attempts: {
                  number: number;
                  started_at: string;
                  duration_ms: number;
                  status: number | null;
                  reason: string | null;
                  reason_says: {
                    code: string;
                    values?: {
                      [name: string]: unknown;
                    };
                  } | null;
                  answer: string | null;
                  next_try_at: string | null;
                }[];
              }[];
              /** Where the next page begins; null on the last one. */
              after: string | null;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/webhook/deliveries/{id}': {
    parameters: {
      query?: {
        endpoint?: number;
      };
      header?: never;
      path: {
        id: string | number;
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
              url: string;
              headers: {
                name: string;
                value: string;
              }[];
              body: string | null;
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/webhook/redeliver': {
    parameters: {
      query?: {
        endpoint?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          id?: number;
          since?: string;
          until?: string;
          failed?: boolean;
          waiting?: boolean;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              deliveries: number;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/stores': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              id: number;
              name: string;
              platform: 'woocommerce' | 'shopify' | 'custom';
              /** The address that the store posts to. */
              url: string;
              country: string | null;
              /** Id of the number that sends its messages; null for the rule of every send. */
              number_id: number | null;
              has_secret: boolean;
              authentication: 'header' | 'basic' | null;
              /** Since when its posts wait, because the operator of the service has paused it. */
              paused_since: string | null;
              /** What the operator says about the pause. */
              pause_reason: string | null;
              created_at: string;
              received: number;
              refused: number;
              repeated: number;
              done: number;
              nothing_to_do: number;
              skipped: number;
              failed: number;
              messages_sent: number;
              last_seen_at: string | null;
              last_refusal: string | null;
              quiet_since: string | null;
            }[];
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/stores': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          platform: 'woocommerce' | 'shopify' | 'custom';
          name: string;
          country?: string;
          /** Id of the number that sends its messages; null for the rule of every send. */
          number_id?: number | null;
          /** Generated if left out; null for none. */
          secret?: string | null;
          authentication?:
            | {
                type: 'header';
                name: string;
                value: string;
              }
            | {
                type: 'basic';
                username: string;
                password: string;
              };
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              id: number;
              url: string;
              secret: string | null;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/stores/platforms': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              name: 'woocommerce' | 'shopify' | 'custom';
              /** The name that people see. */
              title: string;
              set_up_steps: {
                text: string;
                says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
              }[];
              /** Where to find the secret of a platform that signs with a secret of its own; null if the owner chooses it. */
              own_secret: string | null;
              own_secret_says: {
                code: string;
                values?: {
                  [name: string]: unknown;
                };
              } | null;
            }[];
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/stores/{id}': {
    parameters: {
      query?: {
        days?: 7 | 14 | 30 | 90;
      };
      header?: never;
      path: {
        id: string | number;
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
              store: {
                id: number;
                name: string;
                platform: 'woocommerce' | 'shopify' | 'custom';
                /** The address that the store posts to. */
                url: string;
                country: string | null;
                /** Id of the number that sends its messages; null for the rule of every send. */
                number_id: number | null;
                has_secret: boolean;
                authentication: 'header' | 'basic' | null;
                /** Since when its posts wait, because the operator of the service has paused it. */
                paused_since: string | null;
                /** What the operator says about the pause. */
                pause_reason: string | null;
                created_at: string;
                received: number;
                refused: number;
                repeated: number;
                done: number;
                nothing_to_do: number;
                skipped: number;
                failed: number;
                messages_sent: number;
                last_seen_at: string | null;
                last_refusal: string | null;
                quiet_since: string | null;
              };
              topics: {
                topic: string;
                action: {
                  contact: {
                    mode: 'automatic' | 'upsert' | 'fill' | 'none';
                    source_id?: number;
                    group_ids?: number[];
                  };
                  template?: {
                    name: string;
                    language: string;
                    fields: {
                      /** Place in the payload: names and list positions with dots, such as line_items.0.name, line_items.last.name, or line_items.*.name for all; or a field of the buyer, such as buyer.first_name. */
                      path: string;
                      /** Used if the payload has nothing there. */
                      default?: string;
                      format?: 'money' | 'date' | 'first_word';
                    }[];
                    header_media_path?: string;
                    only_if?: {
                      /** Place in the payload, as for a field. */
                      path: string;
                      /** It must have one of these there, ignoring case. An empty list: anything. */
                      values: string[];
                    };
                  };
                };
                is_set: boolean;
                /** Its posts never have a phone. */
                has_no_buyer: boolean;
              }[];
              days: {
                day: string;
                received: number;
                refused: number;
                repeated: number;
                done: number;
                nothing_to_do: number;
                skipped: number;
                failed: number;
                messages_sent: number;
              }[];
            };
          };
        };
      };
    };
  };
  'put /dashboard-api/{tenant}/stores/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name?: string;
          /** Two letters (ISO 3166); null for none. */
          country?: string | null;
          /** Id of the number that sends its messages; null for the rule of every send. */
          number_id?: number | null;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              id: number;
            };
          };
        };
      };
    };
  };
  'delete /dashboard-api/{tenant}/stores/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
              id: number;
            };
          };
        };
      };
    };
  };
  'put /dashboard-api/{tenant}/stores/{id}/topics/{topic}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
        topic: string | number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          contact: {
            mode: 'automatic' | 'upsert' | 'fill' | 'none';
            source_id?: number;
            group_ids?: number[];
          };
          template?: {
            name: string;
            language: string;
            fields: {
              /** Place in the payload: names and list positions with dots, such as line_items.0.name, line_items.last.name, or line_items.*.name for all; or a field of the buyer, such as buyer.first_name. */
              path: string;
              /** Used if the payload has nothing there. */
              default?: string;
              format?: 'money' | 'date' | 'first_word';
            }[];
            header_media_path?: string;
            only_if?: {
              /** Place in the payload, as for a field. */
              path: string;
              /** It must have one of these there, ignoring case. An empty list: anything. */
              values: string[];
            };
          };
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              id: number;
            };
          };
        };
      };
    };
  };
  'put /dashboard-api/{tenant}/stores/{id}/keys': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** Kept if left out; null for none. */
          secret?: string | null;
          /** Generates a secret, in place of `secret`. */
          new_secret?: boolean;
          /** Kept if left out; null for none. */
          authentication?:
            | {
                type: 'header';
                name: string;
                value: string;
              }
            | {
                type: 'basic';
                username: string;
                password: string;
              }
            | null;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              id: number;
              url: string;
              secret: string | null;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/stores/{id}/events': {
    parameters: {
      query?: {
        before?: number;
        state?: 'waiting' | 'done' | 'nothing_to_do' | 'skipped' | 'failed';
        search?: string;
      };
      header?: never;
      path: {
        id: string | number;
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
              events: {
                id: number;
                topic: string | null;
                state: 'waiting' | 'done' | 'nothing_to_do' | 'skipped' | 'failed';
                reason: string | null;
                reason_says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                attempts: number;
                next_try_at: string | null;
                received_at: string;
                is_sample: boolean;
                replay_of: number | null;
                /** The number of an order, or the id of another resource. */
                resource_number: string | null;
                /** The phone of the buyer. */
                phone: string | null;
                contact_id: number | null;
                message_id: string | null;
                /** Whether a replay sends its message once more, because it was sent or may have been. */
                sends_again: boolean;
                /** Why the message failed after the network had accepted it. */
                message_failure: string | null;
                message_failure_says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
              }[];
              more: boolean;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/stores/{id}/events/{event}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
        event: string | number;
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
              /** The body as it was received. */
              payload: string;
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/stores/{id}/events/{event}/replay': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
        event: string | number;
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
              id: number;
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/stores/{id}/events/replay-failed': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
              replayed: number;
              /** Whether there are more that can be replayed. */
              more: boolean;
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/stores/{id}/preview': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          topic: string;
          action: {
            contact: {
              mode: 'automatic' | 'upsert' | 'fill' | 'none';
              source_id?: number;
              group_ids?: number[];
            };
            template?: {
              name: string;
              language: string;
              fields: {
                /** Place in the payload: names and list positions with dots, such as line_items.0.name, line_items.last.name, or line_items.*.name for all; or a field of the buyer, such as buyer.first_name. */
                path: string;
                /** Used if the payload has nothing there. */
                default?: string;
                format?: 'money' | 'date' | 'first_word';
              }[];
              header_media_path?: string;
              only_if?: {
                /** Place in the payload, as for a field. */
                path: string;
                /** It must have one of these there, ignoring case. An empty list: anything. */
                values: string[];
              };
            };
          };
          /** A stored event; if left out, a sample of the topic. */
          event_id?: number;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              preview: {
                state: 'to_do' | 'nothing_to_do' | 'skipped' | 'failed';
                reason: string | null;
                reason_says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                buyer: {
                  [name: string]: string;
                };
                contact: {
                  /** First name. */
                  firstname: string;
                  /** Last name, or null. */
                  lastname: string | null;
                  /** Phone number with country code. No two contacts have the same. */
                  phone: string;
                  /** Email address, or null. */
                  email: string | null;
                  /** Company, or null. */
                  company: string | null;
                  /** City, or null. */
                  city: string | null;
                  /** Your own id of the contact, such as that of a CRM, or null. No two contacts have the same. */
                  external_id: string | null;
                  mode: 'upsert' | 'fill';
                  outcome: 'created' | 'updated' | 'unchanged';
                  changes: string[];
                } | null;
                message: {
                  phone: string;
                  template: string;
                  language: string;
                  fields: string[];
                  shown: {
                    template: {
                      name: string;
                      language: string;
                      category: string;
                    };
                    header?: {
                      format: string;
                      text?: string;
                      media_url?: string;
                      media_id?: string;
                      filename?: string;
                    };
                    body: string;
                    footer?: string;
                    buttons?: {
                      type: string;
                      text: string;
                      url?: string;
                    }[];
                  } | null;
                  /** Why it is not to be sent: the payload does not meet the condition. */
                  withheld: string | null;
                  withheld_says: {
                    code: string;
                    values?: {
                      [name: string]: unknown;
                    };
                  } | null;
                  problem: string | null;
                  problem_says: {
                    code: string;
                    values?: {
                      [name: string]: unknown;
                    };
                  } | null;
                } | null;
              };
              payload: string;
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/stores/{id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          topic: string;
          phone?: string;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              status: number;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/bots': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
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
              kind: 'message' | 'template';
              /** The text of the reply. {{firstname}}, {{lastname}}, {{phone}}, {{email}}, {{company}}, {{city}}, {{external_id}}, {{name}}, {{message}} and {{metadata.name}} are filled in; {{firstname|there}} has a default. */
              reply?: string;
              template_name?: string;
              template_language?: string;
              fields?: string[];
              /** Why it cannot answer at the moment; null if it can. */
              problem: string | null;
              problem_says: {
                code: string;
                values?: {
                  [name: string]: unknown;
                };
              } | null;
            }[];
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/bots': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          kind: 'message' | 'template';
          name: string;
          active?: boolean;
          /** How the text of a message is compared with the keywords; case is ignored. `first_message`: the first message of a phone number; `any`: every message. */
          match: 'exact' | 'starts_with' | 'contains' | 'first_message' | 'any';
          keywords?: string[];
          pause_minutes?: number;
          reply?: string;
          template_name?: string;
          template_language?: string;
          fields?: string[];
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
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
              kind: 'message' | 'template';
              /** The text of the reply. {{firstname}}, {{lastname}}, {{phone}}, {{email}}, {{company}}, {{city}}, {{external_id}}, {{name}}, {{message}} and {{metadata.name}} are filled in; {{firstname|there}} has a default. */
              reply?: string;
              template_name?: string;
              template_language?: string;
              fields?: string[];
            };
          };
        };
      };
    };
  };
  'put /dashboard-api/{tenant}/bots/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name?: string;
          active?: boolean;
          /** How the text of a message is compared with the keywords; case is ignored. `first_message`: the first message of a phone number; `any`: every message. */
          match?: 'exact' | 'starts_with' | 'contains' | 'first_message' | 'any';
          keywords?: string[];
          pause_minutes?: number;
          reply?: string;
          template_name?: string;
          template_language?: string;
          fields?: string[];
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
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
              kind: 'message' | 'template';
              /** The text of the reply. {{firstname}}, {{lastname}}, {{phone}}, {{email}}, {{company}}, {{city}}, {{external_id}}, {{name}}, {{message}} and {{metadata.name}} are filled in; {{firstname|there}} has a default. */
              reply?: string;
              template_name?: string;
              template_language?: string;
              fields?: string[];
            };
          };
        };
      };
    };
  };
  'delete /dashboard-api/{tenant}/bots/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | number;
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
              id: number;
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/bots/try': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': {
          text: string;
          is_first?: boolean;
        };
      };
    };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              bot: string | null;
              keyword: string | null;
              answer: {
                text?: string;
                caption?: string;
                filename?: string | null;
                media_url?: string;
                media_id?: string;
                mime_type?: string;
                voice?: boolean;
                payload?: string;
                reply_to?: string;
                template?: {
                  name: string;
                  language: string;
                  category: string;
                };
                header?: {
                  format: string;
                  text?: string;
                  media_url?: string;
                  media_id?: string;
                  filename?: string;
                };
                body?: string;
                footer?: string;
                buttons?: {
                  type: string;
                  text: string;
                  url?: string;
                }[];
                [name: string]: unknown;
              } | null;
              problems: {
                bot: string;
                problem: string;
                problem_says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
              }[];
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/bots/answers': {
    parameters: {
      query?: {
        before?: number;
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
            data: {
              answers: {
                inbound_id: number;
                phone: string;
                name: string | null;
                text: string;
                state: string;
                reason: string | null;
                reason_says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
                bot_name: string | null;
                created_at: string;
              }[];
              more: boolean;
            };
          };
        };
      };
    };
  };
  'get /dashboard-api/{tenant}/template-overview': {
    parameters: {
      query?: {
        number?: number;
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
            data: {
              synced_at: string | null;
              problem: string | null;
              problem_says: {
                code: string;
                values?: {
                  [name: string]: unknown;
                };
              } | null;
              templates: {
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
                components: {
                  type: string;
                  format?: string;
                  text?: string;
                  buttons?: {
                    type: string;
                    text?: string;
                    url?: string;
                    [name: string]: unknown;
                  }[];
                  [name: string]: unknown;
                }[];
                /** The network’s word for why it rejected the template, such as `SCAM`. */
                rejected_reason: string | null;
                slots: {
                  place: 'header' | 'body' | 'button';
                  placeholder: string;
                  fields: number[];
                  button?: {
                    index: number;
                    kind: 'url' | 'copy_code';
                  };
                }[];
                header_format: string | null;
                /** Why Parley cannot send it, even if it is approved. */
                cannot_send: string | null;
                cannot_send_says: {
                  code: string;
                  values?: {
                    [name: string]: unknown;
                  };
                } | null;
              }[];
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/template-overview/sync': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            success: true;
            data: {
              templates: number;
              approved: number;
            };
          };
        };
      };
    };
  };
  'post /dashboard-api/{tenant}/media': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
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
    };
  };
}

export interface components {
  schemas: {
    CodedMessage: {
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
        message_says: {
          code: string;
          values?: {
            [name: string]: unknown;
          };
        } | null;
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
      contact_name: string | null;
    };
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
    ValidMessage: {
      /** Phone number or user id of the recipient. */
      phone_number: string;
      /** The result of a `dry_run`. */
      status: 'valid';
      /** The `reference` of the send, if it has one. */
      reference?: string;
    };
  };
}
