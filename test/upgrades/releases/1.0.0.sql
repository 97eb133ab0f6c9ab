-- An installation of Parley 1.0.0, written by `npm run release:fixture`. Never edited.
-- access {"masterKey":"W9U+G5bafYycqzzpRN2tIvvTYxKKtwPvwHDrLvqSX/E=","slug":"shop-1","token":"parley_AfC83UMZkYXS7uP5hhyjGmO3UxLzR3Ro0LXUOz","email":"person-1@example.com","password":"correct horse battery","cookie":"__Secure-parley.session_token=bf8fd72f33a70d4908aa5659fe3178bd.g51MwosWzTrt7DNAB0oUBJISA1TT7JGxl6Dq%2FF5dA%2BA%3D","webhookSecret":"whsec_drtU7dTJge/NMTqXFvuAHkqSLLrhh2jca/7trAZQFTA=","storeId":1,"messageId":"wamid.HBgLMTQxNTU1NTAxMjMVAgARGBJFsDZ3PoL5MUf/d1/czEcs7fIA"}
-- migration 0001_tenants.sql 4a08b6fe5207cb156b9be7a7baecffb2a47691a47d0db5a7700dc5bd5632acbd
-- migration 0002_numbers.sql b0f1ed8eb2857e8184dc05b716cd3eb4ee480cfe4582048c9ec14f655d1ed36c
-- migration 0003_contacts.sql a62e7871b65eb59e169c19e76e25331931e63d20d54946e933afd4bddf0356ce
-- migration 0004_contact_search.sql 3f15a88e968d9b3266b2462c11dbd5f7cb5ab22b002ae0bb5d256ecbe17390a3
-- migration 0005_messages.sql ce9aed7bf2c55b34c07f05eb17e0ac603238dea1a0ddc932f66a80bbd3ef7c9e
-- migration 0006_idempotency.sql 33c6c3f9038d7a9aa5ae30a1abf8742ecaf76cca7876ae1a4bc348c790d3e659
-- migration 0007_webhooks.sql a0a3f620550a7db37757fbdf44265d19e799e50561ced22950ea6aeaa213c0a5
-- migration 0008_stores.sql 3b78017ca53a76a056642f333822927042ee27f4cd754a66e7d1b28c2d8b0377
-- migration 0009_bots.sql 1003626aa02ca1ae247d97c1a1d3be9665c705d59a2d7566ecb098e3d54d14ad
-- migration 0010_members.sql 2a8c9ca9dc5b460748ae4f3ccb69ac4eb03871ea5710e81789c3ed46575abef2

insert into auth."user" (id, name, email, "emailVerified", image, "createdAt", "updatedAt", "twoFactorEnabled") overriding system value values
  ('34f89a552c0b014b50dcee6ec660046b', 'person-2', 'person-2@example.com', 'true', NULL, '2026-11-24 18:47:37.74688+00', '2026-11-24 18:47:37.74688+00', 'true'),
  ('97bb435de2179160e09743e532781008', 'person-1', 'person-1@example.com', 'true', NULL, '2026-11-24 18:47:37.369403+00', '2026-11-24 18:47:37.369403+00', NULL);

insert into auth.verification (id, identifier, value, "expiresAt", "createdAt", "updatedAt") overriding system value values
  ('0NYGDRt7MW9I3TRPhk0c31mZ6jQebKDh', 'thitfEtcafPcL1jxb4eLKP5U2BFsY6AACi3wEXxvrrE', '34f89a552c0b014b50dcee6ec660046b', '2026-11-24 18:57:38.271+00', '2026-11-24 18:47:38.272+00', '2026-11-24 18:47:38.272+00'),
  ('JpdHeHRv8Dyks3rJJwAVzPm33Fbrg8tq', '9Haq065r_sUIWFegyurM3CEjDtMgJRXyUQHPzJkX1eg', '0', '2026-11-24 18:57:38.271+00', '2026-11-24 18:47:38.274+00', '2026-11-24 18:47:38.274+00');

insert into message_outcome_changes (tenant_id, message_id, id, day, code, change, outcome, title, at) overriding system value values
  ('1', '5', '1', '2026-11-24', '-1', '-1', 'on_the_way', NULL, NULL);

insert into message_states (tenant_id, message_id, created_at, sent_at, delivered_at, read_at, failed_at, status, network_id, error) overriding system value values
  ('1', '1', '2026-11-24 18:47:39+00', NULL, NULL, NULL, NULL, 'received', 'wamid.HBgLMTQxNTU1NTAxMjMVAgARGBLWVWHXU4wBibhefWcVFYRkaywA', NULL),
  ('1', '2', '2026-11-24 18:47:39.555904+00', '2026-11-24 18:47:39+00', '2026-11-24 18:47:39+00', NULL, NULL, 'delivered', 'wamid.HBgLMTQxNTU1NTAxMjMVAgARGBIhonaXjy55LCVlCJkQ+JauKjwA', NULL),
  ('1', '3', '2026-11-24 18:47:39.609952+00', '2026-11-24 18:47:39+00', '2026-11-24 18:47:39+00', NULL, NULL, 'delivered', 'wamid.HBgLMTQxNTU1NTAxMjMVAgARGBJFsDZ3PoL5MUf/d1/czEcs7fIA', NULL),
  ('1', '4', '2026-11-24 18:47:39.812171+00', '2026-11-24 18:47:39+00', '2026-11-24 18:47:39+00', NULL, NULL, 'delivered', 'wamid.HBgMNDkyMjE0NzcxMjM0FQIAERgSWL8yOXvrK5RWvbTpORUEQc26AA==', NULL),
  ('1', '6', '2026-11-24 18:47:40.014652+00', '2026-11-24 18:47:40+00', '2026-11-24 18:47:40+00', NULL, NULL, 'delivered', 'wamid.HBgLMTQxNTU1NTAxOTkVAgARGBIWFqFbYKZj0WTddKqiky85cKgA', NULL);

insert into message_walks (name, done_to, noted_id, noted_at, horizon) overriding system value values
  ('abandoned', '0', '0', '2026-11-24 18:47:33.223635+00', NULL),
  ('outcomes', '4', '4', '2026-11-24 18:47:39.874912+00', '867');

insert into messages (tenant_id, id, number_id, created_at, direction, person, phone, kind, content, token_id, run_id) overriding system value values
  ('1', '1', '1', '2026-11-24 18:47:39+00', 'in', '+14155550123', NULL, 'text', '{"text": "What are your hours?"}', NULL, NULL),
  ('1', '2', '1', '2026-11-24 18:47:39.555904+00', 'out', '+14155550123', NULL, 'text', '{"text": "From 9 to 5."}', NULL, NULL),
  ('1', '3', '1', '2026-11-24 18:47:39.609952+00', 'out', '+14155550123', NULL, 'text', '{"text": "Your order is on its way."}', '1', '1'),
  ('1', '4', '1', '2026-11-24 18:47:39.812171+00', 'out', '+492214771234', NULL, 'template', '{"body": "Hello 1042, your order 1234.50 has left our warehouse and should reach you on processing.", "footer": "Reply to this message for help", "template": {"name": "order_update", "category": "UTILITY", "language": "en"}}', NULL, NULL),
  ('1', '6', '1', '2026-11-24 18:47:40.014652+00', 'out', '+14155550198', '+14155550199', 'text', '{"text": "Goodbye."}', '1', NULL);

insert into new_search_texts (tenant_id, contact_id, text) overriding system value values
  ('1', '8', 'margaret
+14155550166');

insert into password_attempts (key, since, attempts) overriding system value values
  (E'\\x23b70f188b1a3138361f743554d1c680fe23e3a8e52ccc46b0552422bf546dac', '2026-11-24 18:47:38.489193+00', '0'),
  (E'\\xa9441239d404a341291ff702cbe0a17537c82973372dced4a7e65882d32b2d34', '2026-11-24 18:47:38.056389+00', '0'),
  (E'\\xb2901322577665690386ba794ab9bc15c617e78c2f76eba6f61f2e4194c37ef2', '2026-11-24 18:47:37.793608+00', '0'),
  (E'\\xf00491f06f7f4716ef00b75f339aef94d0736e42e99bd2ba3d656ccf5c29402d', '2026-11-24 18:47:37.793608+00', '0'),
  (E'\\xf5d414798be0c1c518b345ae77e35fd9f08b50a9f23dbed9121696b429d43679', '2026-11-24 18:47:38.489193+00', '0'),
  (E'\\xf967d6c58ae1cdce326ebde7b144ddaeb36c87bc8de5457e4e13f176f1cf4ade', '2026-11-24 18:47:38.056389+00', '0'),
  (E'\\xfb3f94bba729715e5da2eb5ec527600372b03c7b23798b5bc7e82e291078b4c5', '2026-11-24 18:47:37.793608+00', '0');

insert into search_texts (tenant_id, contact_id, text) overriding system value values
  ('1', '1', 'ada lovelace
+14155550123
ada@example.com'),
  ('1', '2', 'zoë
+4915123456780'),
  ('1', '3', 'grace
+14155550177'),
  ('1', '5', 'jürgen gross
+492214771234
juergen@example.org');

insert into tenants (id, slug, name, plan, api_access, contacts_from_inbound, created_at) overriding system value values
  ('1', 'shop-1', 'shop-1', 'pro', 'true', 'true', '2026-11-24 18:47:37.033504+00');

insert into auth."twoFactor" (id, secret, "backupCodes", "userId", verified, "failedVerificationCount", "lockedUntil") overriding system value values
  ('KIsqi6OIASdnO5T8AqEccQapD2c21CAl', '858d8ac82715dc11a23e979a2acfe3e940dcee2770c17fa7e9beaefb50eb1759572e607385746fcb084cd074badedd6d7b89c019003c8b296a6a4294e99571d427c96747ec56fd84', 'adbc9bdf37f94ed40e1a48447cc5f3da3ed95a6bac15bb060888d008f721c338750c43508552575b7c6f27f47646eabfa1b4c7d273184fd67e8095e5f6d32e2e77de8be572c50a410679c04032ef83b13498a811f4869480511615e34a64625ca95ad1f4f68178013938204017886cf1ee3e1619db694b5c2949c015686b7197a29d404ae2e0e67c9a4bca8918567c5098e1649dddb661df98ded19b7e7952a0105787dae496dff9c18891dab175e08ef2a783ccde', '34f89a552c0b014b50dcee6ec660046b', 'false', '0', NULL);

insert into auth.account (id, "accountId", "providerId", "userId", "accessToken", "refreshToken", "idToken", "accessTokenExpiresAt", "refreshTokenExpiresAt", scope, password, "createdAt", "updatedAt") overriding system value values
  ('1d41279f033781994d6c51edbda258fa', '97bb435de2179160e09743e532781008', 'credential', '97bb435de2179160e09743e532781008', NULL, NULL, NULL, NULL, NULL, NULL, '630d2724ac96d6b04e0ce9d144441e91:74931df8f1c08e00678f8671cb168e0167e27dcd27cb8f2e319d78cc23444b1da97f83c733987397a4b1b673052908a75261cf84fdab59ce20541cee6ecd1c8c', '2026-11-24 18:47:37.369403+00', '2026-11-24 18:47:37.369403+00'),
  ('9439db3caff574cc3107c081d27e6c06', '34f89a552c0b014b50dcee6ec660046b', 'credential', '34f89a552c0b014b50dcee6ec660046b', NULL, NULL, NULL, NULL, NULL, NULL, 'f581670131d59be12724171d05320f73:51728ad2fc7f43c008079e8ee059205ceedab62b01d531ca9676c1ab2a4865af01c36c69fe69f2a88bc024876de1bafeaf3e4b46d410ce53ae9ad94e1c24735a', '2026-11-24 18:47:37.74688+00', '2026-11-24 18:47:37.74688+00');

insert into auth.session (id, "expiresAt", token, "createdAt", "updatedAt", "ipAddress", "userAgent", "userId") overriding system value values
  ('25df078f131836fb09f99a5c3ee69904', '2026-12-24 18:47:37.782913+00', 'fc9380da56375dfd4008665bc5e4c942b7456723f07b912e3692c9d53befe9fd', '2026-11-24 18:47:37.782913+00', '2026-11-24 18:47:37.782913+00', NULL, NULL, '34f89a552c0b014b50dcee6ec660046b'),
  ('Ci0pErbcMSvljiQnr0Fbv8gsOpL5JIW6', '2026-12-24 18:47:38.715+00', '0e1e50a7d542c9d38871d0a911f4297d49e0b12e63ba33bad166d2f62f32d4f6', '2026-11-24 18:47:38.715+00', '2026-11-24 18:47:38.715+00', '127.0.0.1', 'lightMyRequest', '97bb435de2179160e09743e532781008'),
  ('fd61288f045e9472577c6260274ea582', '2026-12-24 18:47:37.379301+00', '199306c80e3a84da4341914772a4879b1c8b699502cb0d9b11e466385ad143b0', '2026-11-24 18:47:37.379301+00', '2026-11-24 18:47:37.379301+00', NULL, NULL, '97bb435de2179160e09743e532781008');

insert into bot_answers (tenant_id, inbound_id, created_at, attempts, phone, state, due_at, settled_at, bot_id, bot_name, message_id, answered_at, reason) overriding system value values
  ('1', '1', '2026-11-24 18:47:39.497101+00', '1', '+14155550123', 'sent', NULL, '2026-11-24 18:47:39.572266+00', '1', 'From 9 to 5.', '2', '2026-11-24 18:47:39.555904+00', NULL);

insert into bots (tenant_id, id, created_at, updated_at, active, kind, name, match, keywords, reply, template_name, template_language, fields) overriding system value values
  ('1', '1', '2026-11-24 18:47:39.479926+00', '2026-11-24 18:47:39.479926+00', 'true', 'message', 'From 9 to 5.', 'contains', '{hours}', 'From 9 to 5.', NULL, NULL, NULL);

insert into contact_bulk_changes (tenant_id, id, started_at, up_to_id, after_id, contacts, looked_at, changed, filter, change, state, problem, ended_at) overriding system value values
  ('1', '1', '2026-11-24 18:47:39.425378+00', '3', '3', '3', '3', '1', '{"search": "grace"}', '{"add_group_id": 1}', 'done', NULL, '2026-11-24 18:47:39.458292+00');

insert into contact_counts (tenant_id, span, first_id, shard, contacts) overriding system value values
  ('1', '1024', '0', '0', '5'),
  ('1', '1048576', '0', '0', '5');

insert into contact_imports (tenant_id, id, started_at, heard_at, bytes, bytes_read, created, updated, unchanged, refused, filename, state, problem, report) overriding system value values
  ('1', '1', '2026-11-24 18:47:39.187546+00', '2026-11-24 18:47:39.194667+00', '42', '42', '1', '0', '0', '1', 'people.csv', 'done', NULL, 'line,reason,name,phone
3,"phone must be a phone number with country code: a leading +, then digits only, such as +14155550123",Nobody,none
');

insert into conversation_aliases (tenant_id, identity, person) overriding system value values
  ('1', '+14155550199', '+14155550198');

insert into conversation_watches (tenant_id, until) overriding system value values
  ('1', '2026-11-24 18:48:39.91936+00');

insert into groups (tenant_id, id, created_at, updated_at, name, description, deleted_at) overriding system value values
  ('1', '1', '2026-11-24 18:47:39.012549+00', '2026-11-24 18:47:39.012549+00', 'Newsletter', NULL, NULL);

insert into invitations (tenant_id, id, created_at, expires_at, by_operator, role, email, token_hash, used_at) overriding system value values
  ('1', '1', '2026-11-24 18:47:37.741887+00', '2026-12-01 18:47:37.741887+00', 'false', 'owner', 'grace@example.com', E'\\x0afa35577b9813b5ed38de844896e7e49bddcbcd582c25bca02c49234086bac2', NULL);

insert into members (tenant_id, user_id, created_at, role) overriding system value values
  ('1', '34f89a552c0b014b50dcee6ec660046b', '2026-11-24 18:47:37.74688+00', 'staff'),
  ('1', '97bb435de2179160e09743e532781008', '2026-11-24 18:47:37.369403+00', 'owner');

insert into message_outcomes (tenant_id, day, outcome, code, messages, title, last_at) overriding system value values
  ('1', '2026-11-24', 'delivered', '-1', '2', NULL, '2026-11-24 18:47:39.609952+00'),
  ('1', '2026-11-24', 'on_the_way', '-1', '1', NULL, '2026-11-24 18:47:39.812171+00'),
  ('1', '2026-11-24', 'received', '-1', '1', NULL, '2026-11-24 18:47:39+00');

insert into numbers (tenant_id, id, created_at, simulator, phone_number_id, business_account_id, callback_id, verify_token, display_phone_number, access_token, app_secret, messages_per_second, problem, disconnected_at) overriding system value values
  ('1', '1', '2026-11-24 18:47:37.091034+00', 'false', '982847934193073', '748268624147226', 'bGoA0HUMyigNCd4hg2mM9S55FGfutJ1m', 'b2HKGPlcsFxyqa7VH5GJwHcZBqWyRqiX', '+1 555 635 9924', E'\\x8cef857e3fe9feee9cd4ecf40204427a33876fddd8f9ae70583bcbbf4f2a159f1ea8808225e51bbe648007adfc4b4467f05e9b98f1473b10ff022d2dfb674752bb0955334f9e5fbbe13c3bd69310eec32b8e5bd12862732cdf24b961c076c62ee13ce9eb680e9fc6670a21e27dd232856b2c80b0ebf273d9ed4613dbc7a624c67ff620ab23e5f9bd125820ea92cd10809a126eee84e0fa', E'\\x4d211cfae595748009789e54f710ef2825842b567e620125fccd634fbf406acf024503026eb120bb6a79eb430489a8da0767c8b4cf2042af86ad27b7', NULL, NULL, NULL);

insert into sources (tenant_id, id, created_at, updated_at, name, description, deleted_at) overriding system value values
  ('1', '1', '2026-11-24 18:47:38.989377+00', '2026-11-24 18:47:38.989377+00', 'Web shop', NULL, NULL);

insert into statuses (tenant_id, id, created_at, updated_at, name, color, description, deleted_at) overriding system value values
  ('1', '1', '2026-11-24 18:47:38.927805+00', '2026-11-24 18:47:38.927805+00', 'Customer', '#22c55e', NULL, NULL);

insert into stores (tenant_id, id, created_at, webhook_id, platform, name, secret, authentication, country) overriding system value values
  ('1', '1', '2026-11-24 18:47:39.773295+00', '25i4RUmu2l9m9z67NQrX3TwiCGyoVxCU', 'woocommerce', 'Shop', E'\\xd51edf1a0cc9eb61d097b47587ccfcc64db071e4d75228a5df5e274a53989a98d0461d280a6c7ca6267f06947516c6dd', NULL, NULL);

insert into template_syncs (tenant_id, due_at, synced_at, problem) overriding system value values
  ('1', '2026-11-24 18:47:37.098628+00', '2026-11-24 18:47:37.73018+00', NULL);

insert into templates (tenant_id, id, listed_at, business_account_id, network_id, name, language, status, category, parameter_format, components) overriding system value values
  ('1', '1', '2026-11-24 18:47:37.713+00', '748268624147226', '8787979866333663', 'appointment_reminder', 'en', 'APPROVED', 'UTILITY', 'NAMED', '[{"text": "See you on {{day}}", "type": "HEADER", "format": "TEXT"}, {"text": "Dear {{customer_name}}, we look forward to your visit on {{day}} at {{time}}.", "type": "BODY"}, {"type": "BUTTONS", "buttons": [{"text": "Confirm", "type": "QUICK_REPLY"}, {"text": "Change the time", "type": "QUICK_REPLY"}]}]'),
  ('1', '2', '2026-11-24 18:47:37.713+00', '748268624147226', '9244384204245507', 'free_money', 'en', 'REJECTED', 'MARKETING', 'POSITIONAL', '[{"text": "You have won! Answer now to collect your prize.", "type": "BODY"}]'),
  ('1', '3', '2026-11-24 18:47:37.713+00', '748268624147226', '9591582041829243', 'hello_world', 'en_US', 'APPROVED', 'UTILITY', 'POSITIONAL', '[{"text": "Hello World", "type": "HEADER", "format": "TEXT"}, {"text": "Welcome and congratulations!! This message demonstrates your ability to send a message notification from the Cloud API.", "type": "BODY"}, {"text": "A sample message", "type": "FOOTER"}]'),
  ('1', '4', '2026-11-24 18:47:37.713+00', '748268624147226', '3364136550659073', 'invoice_ready', 'en', 'APPROVED', 'UTILITY', 'POSITIONAL', '[{"type": "HEADER", "format": "DOCUMENT"}, {"text": "Your invoice {{1}} is ready. Thank you for shopping with us.", "type": "BODY"}]'),
  ('1', '5', '2026-11-24 18:47:37.713+00', '748268624147226', '6377889880507187', 'login_code', 'en_US', 'APPROVED', 'AUTHENTICATION', 'POSITIONAL', '[{"text": "*{{1}}* is your verification code. For your security, do not share this code.", "type": "BODY", "example": {"body_text": [["123456"]]}, "add_security_recommendation": true}, {"text": "This code expires in 10 minutes.", "type": "FOOTER", "code_expiration_minutes": 10}, {"type": "BUTTONS", "buttons": [{"url": "https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}", "text": "Copy code", "type": "URL", "example": ["https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp123456"]}]}]'),
  ('1', '6', '2026-11-24 18:47:37.713+00', '748268624147226', '6118502601155052', 'order_update', 'en', 'APPROVED', 'UTILITY', 'POSITIONAL', '[{"text": "Hello {{1}}, your order {{2}} has left our warehouse and should reach you on {{3}}.", "type": "BODY", "example": {"body_text": [["Amina", "#1042", "Friday"]]}}, {"text": "Reply to this message for help", "type": "FOOTER"}]'),
  ('1', '7', '2026-11-24 18:47:37.713+00', '748268624147226', '1045573234206638', 'order_update', 'ur', 'APPROVED', 'UTILITY', 'POSITIONAL', '[{"text": "السلام علیکم {{1}}، آپ کا آرڈر {{2}} روانہ ہو چکا ہے اور {{3}} تک پہنچ جائے گا۔", "type": "BODY", "example": {"body_text": [["آمنہ", "#1042", "جمعہ"]]}}]'),
  ('1', '8', '2026-11-24 18:47:37.713+00', '748268624147226', '4472291591054533', 'spring_offer', 'en', 'APPROVED', 'MARKETING', 'POSITIONAL', '[{"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["https://example.com/a.jpg"]}}, {"text": "Hi {{1}}, the spring collection is here. Use *{{2}}* for 15 % off until Sunday.", "type": "BODY", "example": {"body_text": [["Amina", "SPRING15"]]}}, {"text": "Not interested? Tap Stop offers", "type": "FOOTER"}, {"type": "BUTTONS", "buttons": [{"url": "https://shop.example.com/spring/{{1}}", "text": "See the collection", "type": "URL", "example": ["https://shop.example.com/spring/amina"]}, {"text": "Stop offers", "type": "QUICK_REPLY"}]}]'),
  ('1', '9', '2026-11-24 18:47:37.713+00', '748268624147226', '8844736238319745', 'winter_sale', 'en', 'PENDING', 'MARKETING', 'POSITIONAL', '[{"text": "Hi {{1}}, our winter sale starts on {{2}}.", "type": "BODY"}]');

insert into token_days (tenant_id, token_id, day, messages, granted, requests, asked, minute_limit, day_limit, minute) overriding system value values
  ('1', '1', '2026-11-24', '3', '1', '23', '1', '300', '15000', '2026-11-24 18:47:00+00');

insert into tokens (tenant_id, id, created_at, internal, name, hash, hint, abilities, activated_at, expires_at, revoked_at, last_used_at, seen_in_clear_at) overriding system value values
  ('1', '1', '2026-11-24 18:47:37.041235+00', 'false', 'test', E'\\x3ebad4c643cd141b3aa421a97155a37a69f857cb792919345ffeac012136a2c6', 'XUOz', '{contacts:create,contacts:read,contacts:update,contacts:delete,statuses:create,statuses:read,statuses:update,statuses:delete,sources:create,sources:read,sources:update,sources:delete,groups:create,groups:read,groups:update,groups:delete,templates:read,message-bots:read,template-bots:read,messages:text,messages:media,messages:template}', '2026-11-24 18:47:37.041235+00', NULL, NULL, '2026-11-24 18:47:40.063+00', NULL);

insert into webhooks (tenant_id, created_at, failures_in_row, url, secret, events, recording, previous_secret, previous_secret_until, failing_since, failed_at, off_since, off_reason) overriding system value values
  ('1', '2026-11-24 18:47:37.704896+00', '0', 'http://127.0.0.1:43429', E'\\xa1f08dec3f9d054488189b86a2601f1008d617df015d569408b01440542b020b662ae0dd47face9d1cf6b6aad61cd45bfa1e47671023d10961fd6613c559d265528f10fa67335ba5439c3a631f6e', NULL, 'all', NULL, NULL, NULL, NULL, NULL, NULL);

insert into contacts (tenant_id, id, created_at, updated_at, status_id, source_id, firstname, phone, lastname, email, company, city) overriding system value values
  ('1', '1', '2026-11-24 18:47:39.032769+00', '2026-11-24 18:47:39.032769+00', '1', '1', 'Ada', '+14155550123', 'Lovelace', 'ada@example.com', NULL, NULL),
  ('1', '2', '2026-11-24 18:47:39.093662+00', '2026-11-24 18:47:39.133656+00', NULL, NULL, 'Zoë', '+4915123456780', NULL, NULL, NULL, NULL),
  ('1', '3', '2026-11-24 18:47:39.256023+00', '2026-11-24 18:47:39.434714+00', NULL, NULL, 'Grace', '+14155550177', NULL, NULL, NULL, NULL),
  ('1', '5', '2026-11-24 18:47:39.812171+00', '2026-11-24 18:47:39.812171+00', NULL, NULL, 'Jürgen', '+492214771234', 'Groß', 'juergen@example.org', NULL, 'Köln'),
  ('1', '8', '2026-11-24 18:47:40.030627+00', '2026-11-24 18:47:40.030627+00', NULL, NULL, 'Margaret', '+14155550166', NULL, NULL, NULL, NULL);

insert into conversations (tenant_id, number_id, last_message_id, first_inbound_id, removed_to, unread, is_open, person, phone, assignee) overriding system value values
  ('1', '1', '3', '1', NULL, '1', 'true', '+14155550123', NULL, NULL),
  ('1', '1', '4', NULL, NULL, '0', 'false', '+492214771234', NULL, NULL),
  ('1', '1', NULL, NULL, '6', '0', 'false', '+14155550198', '+14155550199', NULL);

insert into deliveries (tenant_id, id, created_at, due_at, state, tries, attempts, event, body, leased_until, leased_by, finished_at, reason) overriding system value values
  ('1', '1', '2026-11-24 18:47:38.927805+00', '2026-11-24 18:47:38.927805+00', 'delivered', '1', '1', 'status.created', '{"event":"status.created","data":{"id" : 1, "name" : "Customer", "color" : "#22c55e", "description" : null, "created_at" : "2026-11-24T18:47:38.927Z", "updated_at" : "2026-11-24T18:47:38.927Z"}}', NULL, '1990682245', '2026-11-24 18:47:39.101147+00', NULL),
  ('1', '10', '2026-11-24 18:47:39.973859+00', '2026-11-24 18:47:39.973859+00', 'waiting', '0', '0', 'contact.deleted', '{"event":"contact.deleted","data":{"id" : 6, "firstname" : "Gone", "lastname" : null, "phone" : "+14155550188", "email" : null, "company" : null, "city" : null, "status_id" : null, "source_id" : null, "group_ids" : [], "created_at" : "2026-11-24T18:47:39.921Z", "updated_at" : "2026-11-24T18:47:39.921Z"}}', NULL, NULL, NULL, NULL),
  ('1', '11', '2026-11-24 18:47:40.00719+00', '2026-11-24 18:47:40.00719+00', 'waiting', '0', '0', 'contact.created', '{"event":"contact.created","data":{"id" : 7, "firstname" : "Gone", "lastname" : null, "phone" : "+14155550199", "email" : null, "company" : null, "city" : null, "status_id" : null, "source_id" : null, "group_ids" : [], "created_at" : "2026-11-24T18:47:40.007Z", "updated_at" : "2026-11-24T18:47:40.007Z"}}', NULL, NULL, NULL, NULL),
  ('1', '12', '2026-11-24 18:47:40.02619+00', '2026-11-24 18:47:40.02619+00', 'waiting', '0', '0', 'contact.deleted', '{"event":"contact.deleted","data":{"id" : 7, "firstname" : "Gone", "lastname" : null, "phone" : "+14155550199", "email" : null, "company" : null, "city" : null, "status_id" : null, "source_id" : null, "group_ids" : [], "created_at" : "2026-11-24T18:47:40.007Z", "updated_at" : "2026-11-24T18:47:40.007Z"}}', NULL, NULL, NULL, NULL),
  ('1', '13', '2026-11-24 18:47:40.030627+00', '2026-11-24 18:47:40.030627+00', 'waiting', '0', '0', 'contact.created', '{"event":"contact.created","data":{"id" : 8, "firstname" : "Margaret", "lastname" : null, "phone" : "+14155550166", "email" : null, "company" : null, "city" : null, "status_id" : null, "source_id" : null, "group_ids" : [], "created_at" : "2026-11-24T18:47:40.030Z", "updated_at" : "2026-11-24T18:47:40.030Z"}}', NULL, NULL, NULL, NULL),
  ('1', '2', '2026-11-24 18:47:38.989377+00', '2026-11-24 18:47:38.989377+00', 'delivered', '1', '1', 'source.created', '{"event":"source.created","data":{"id" : 1, "name" : "Web shop", "description" : null, "created_at" : "2026-11-24T18:47:38.989Z", "updated_at" : "2026-11-24T18:47:38.989Z"}}', NULL, '1990682245', '2026-11-24 18:47:39.109557+00', NULL),
  ('1', '3', '2026-11-24 18:47:39.032769+00', '2026-11-24 18:47:39.032769+00', 'delivered', '1', '1', 'contact.created', '{"event":"contact.created","data":{"id" : 1, "firstname" : "Ada", "lastname" : "Lovelace", "phone" : "+14155550123", "email" : "ada@example.com", "company" : null, "city" : null, "status_id" : 1, "source_id" : 1, "group_ids" : [1], "created_at" : "2026-11-24T18:47:39.032Z", "updated_at" : "2026-11-24T18:47:39.032Z"}}', NULL, '1990682245', '2026-11-24 18:47:39.109557+00', NULL),
  ('1', '4', '2026-11-24 18:47:39.093662+00', '2026-11-24 18:47:39.093662+00', 'delivered', '1', '1', 'contact.created', '{"event":"contact.created","data":{"id" : 2, "firstname" : "Zoë", "lastname" : null, "phone" : "+4915123456789", "email" : null, "company" : null, "city" : null, "status_id" : null, "source_id" : null, "group_ids" : [], "created_at" : "2026-11-24T18:47:39.093Z", "updated_at" : "2026-11-24T18:47:39.093Z"}}', NULL, '1990682245', '2026-11-24 18:47:39.135585+00', NULL),
  ('1', '5', '2026-11-24 18:47:39.133656+00', '2026-11-24 18:47:39.133656+00', 'delivered', '1', '1', 'contact.updated', '{"event":"contact.updated","data":{"id":2,"firstname":"Zoë","lastname":null,"phone":"+4915123456780","email":null,"company":null,"city":null,"status_id":null,"source_id":null,"group_ids":[],"created_at":"2026-11-24T18:47:39.093Z","updated_at":"2026-11-24T18:47:39.133Z"}}', NULL, '1990682245', '2026-11-24 18:47:39.179496+00', NULL),
  ('1', '6', '2026-11-24 18:47:39.256023+00', '2026-11-24 18:47:39.256023+00', 'delivered', '1', '1', 'contact.created', '{"event":"contact.created","data":{"id" : 3, "firstname" : "Grace", "lastname" : null, "phone" : "+14155550177", "email" : null, "company" : null, "city" : null, "status_id" : null, "source_id" : null, "group_ids" : [], "created_at" : "2026-11-24T18:47:39.256Z", "updated_at" : "2026-11-24T18:47:39.256Z"}}', NULL, '1990682245', '2026-11-24 18:47:39.279571+00', NULL),
  ('1', '7', '2026-11-24 18:47:39.434714+00', '2026-11-24 18:47:39.434714+00', 'delivered', '1', '1', 'contact.updated', '{"event":"contact.updated","data":{"id" : 3, "firstname" : "Grace", "lastname" : null, "phone" : "+14155550177", "email" : null, "company" : null, "city" : null, "status_id" : null, "source_id" : null, "group_ids" : [1], "created_at" : "2026-11-24T18:47:39.256Z", "updated_at" : "2026-11-24T18:47:39.434Z"}}', NULL, '1990682245', '2026-11-24 18:47:39.448254+00', NULL),
  ('1', '8', '2026-11-24 18:47:39.812171+00', '2026-11-24 18:47:39.812171+00', 'delivered', '1', '1', 'contact.created', '{"event":"contact.created","data":{"id" : 5, "firstname" : "Jürgen", "lastname" : "Groß", "phone" : "+492214771234", "email" : "juergen@example.org", "company" : null, "city" : "Köln", "status_id" : null, "source_id" : null, "group_ids" : [], "created_at" : "2026-11-24T18:47:39.812Z", "updated_at" : "2026-11-24T18:47:39.812Z"}}', NULL, '1990682245', '2026-11-24 18:47:39.836415+00', NULL),
  ('1', '9', '2026-11-24 18:47:39.921982+00', '2026-11-24 18:47:39.921982+00', 'waiting', '0', '0', 'contact.created', '{"event":"contact.created","data":{"id" : 6, "firstname" : "Gone", "lastname" : null, "phone" : "+14155550188", "email" : null, "company" : null, "city" : null, "status_id" : null, "source_id" : null, "group_ids" : [], "created_at" : "2026-11-24T18:47:39.921Z", "updated_at" : "2026-11-24T18:47:39.921Z"}}', NULL, NULL, NULL, NULL);

insert into delivery_usage (tenant_id, measured_id, kept_bytes, recounted_at, waiting, trimmed_id, dropped, dropped_since, dropped_until, waiting_counted_at, full_of) overriding system value values
  ('1', '8', '2209', '2026-11-24 18:47:39.850021+00', '8', '0', '0', NULL, NULL, NULL, NULL);

insert into event_batches (tenant_id, id, created_at, event, data) overriding system value values
  ('1', '1', '2026-11-24 18:47:40.036756+00', 'contact.read', '[{"id" : 1, "firstname" : "Ada", "lastname" : "Lovelace", "phone" : "+14155550123", "email" : "ada@example.com", "company" : null, "city" : null, "status_id" : 1, "source_id" : 1, "group_ids" : [1], "created_at" : "2026-11-24T18:47:39.032Z", "updated_at" : "2026-11-24T18:47:39.032Z"},{"id" : 2, "firstname" : "Zoë", "lastname" : null, "phone" : "+4915123456780", "email" : null, "company" : null, "city" : null, "status_id" : null, "source_id" : null, "group_ids" : [], "created_at" : "2026-11-24T18:47:39.093Z", "updated_at" : "2026-11-24T18:47:39.133Z"},{"id" : 3, "firstname" : "Grace", "lastname" : null, "phone" : "+14155550177", "email" : null, "company" : null, "city" : null, "status_id" : null, "source_id" : null, "group_ids" : [1], "created_at" : "2026-11-24T18:47:39.256Z", "updated_at" : "2026-11-24T18:47:39.434Z"},{"id" : 5, "firstname" : "Jürgen", "lastname" : "Groß", "phone" : "+492214771234", "email" : "juergen@example.org", "company" : null, "city" : "Köln", "status_id" : null, "source_id" : null, "group_ids" : [], "created_at" : "2026-11-24T18:47:39.812Z", "updated_at" : "2026-11-24T18:47:39.812Z"},{"id" : 8, "firstname" : "Margaret", "lastname" : null, "phone" : "+14155550166", "email" : null, "company" : null, "city" : null, "status_id" : null, "source_id" : null, "group_ids" : [], "created_at" : "2026-11-24T18:47:40.030Z", "updated_at" : "2026-11-24T18:47:40.030Z"}]');

insert into idempotency_keys (tenant_id, token_id, run_id, created_at, held_until, without_effect, written, message_gone, key, fingerprint, answer) overriding system value values
  ('1', '1', '1', '2026-11-24 18:47:39.600839+00', '2026-11-25 18:47:39.600839+00', 'false', 'true', 'false', 'order-1042', E'\\x9199a37e5f57bf518e810d30d2d87f7efd1f0e8921186e8a22f7d3907aa63a22', '{"body":{"success":true,"message":"The network accepted the message.","data":{"message_id":"wamid.HBgLMTQxNTU1NTAxMjMVAgARGBJFsDZ3PoL5MUf/d1/czEcs7fIA","phone_number":"+14155550123","status":"sent","id":3}}}');

insert into store_events (tenant_id, store_id, id, received_at, attempts, state, dedup_key, headers, body, topic, replay_of, due_at, processed_at, contact_id, message_id, reason) overriding system value values
  ('1', '1', '1', '2026-11-24 18:47:39.788484+00', '1', 'done', E'\\xae30c4211e054316781082281219b569a3c8453e04099ac6ca53e7e47d641d38', '{"user-agent": "WooCommerce/9.9.5 Hookshot (WordPress/6.8.1)", "content-type": "application/json", "x-wc-webhook-id": "3", "x-wc-webhook-event": "created", "x-wc-webhook-topic": "order.created", "x-wc-webhook-source": "https://shop.example/", "x-wc-webhook-resource": "order", "x-wc-webhook-delivery-id": "delivery1"}', E'\\x7b0a2020226964223a20323134373438333939392c0a202022706172656e745f6964223a20302c0a202022737461747573223a202270726f63657373696e67222c0a20202263757272656e6379223a2022455552222c0a20202276657273696f6e223a2022392e392e35222c0a2020227072696365735f696e636c7564655f746178223a20747275652c0a202022646174655f63726561746564223a2022323032362d31312d30325431303a31353a3030222c0a202022646174655f6d6f646966696564223a2022323032362d31312d30325431303a31353a3037222c0a202022646973636f756e745f746f74616c223a2022302e3030222c0a2020227368697070696e675f746f74616c223a2022342e3930222c0a202022746f74616c223a2022313233342e3530222c0a202022637573746f6d65725f6964223a20302c0a2020226f726465725f6b6579223a202277635f6f726465725f614233222c0a20202262696c6c696e67223a207b0a202020202266697273745f6e616d65223a20224a5c75303066637267656e222c0a20202020226c6173745f6e616d65223a202247726f5c7530306466222c0a2020202022636f6d70616e79223a2022222c0a2020202022616464726573735f31223a20224861757074737472615c7530306466652035222c0a2020202022616464726573735f32223a2022222c0a202020202263697479223a20224b5c75303066366c6e222c0a20202020227374617465223a202244452d4e57222c0a2020202022706f7374636f6465223a20223530363637222c0a2020202022636f756e747279223a20224445222c0a2020202022656d61696c223a20226a75657267656e406578616d706c652e6f7267222c0a202020202270686f6e65223a202230323231205c2f20343737203132203334220a20207d2c0a2020227368697070696e67223a207b0a202020202266697273745f6e616d65223a2022222c0a20202020226c6173745f6e616d65223a2022222c0a2020202022636f6d70616e79223a2022222c0a2020202022616464726573735f31223a2022222c0a2020202022616464726573735f32223a2022222c0a202020202263697479223a2022222c0a20202020227374617465223a2022222c0a2020202022706f7374636f6465223a2022222c0a2020202022636f756e747279223a2022222c0a202020202270686f6e65223a2022220a20207d2c0a2020227061796d656e745f6d6574686f64223a2022636f64222c0a2020227061796d656e745f6d6574686f645f7469746c65223a20224e6163686e61686d65222c0a202022646174655f637265617465645f676d74223a2022323032362d31312d30325430393a31353a3030222c0a202022646174655f6d6f6469666965645f676d74223a2022323032362d31312d30325430393a31353a3037222c0a202022646174655f70616964223a206e756c6c2c0a2020226e756d626572223a202231303432222c0a2020226d6574615f64617461223a205b5d2c0a2020226c696e655f6974656d73223a205b0a202020207b0a202020202020226964223a2037372c0a202020202020226e616d65223a202247725c75303066636e657220546565222c0a2020202020202270726f647563745f6964223a2031322c0a202020202020227175616e74697479223a20322c0a20202020202022746f74616c223a2022313232392e3630222c0a202020202020227072696365223a203631342e382c0a20202020202022696d616765223a207b20226964223a20223133222c2022737263223a202268747470733a5c2f5c2f73686f702e6578616d706c655c2f77702d636f6e74656e745c2f7465652e6a706722207d0a202020207d0a20205d2c0a20202263757272656e63795f73796d626f6c223a20225c7532306163222c0a2020225f6c696e6b73223a207b202273656c66223a205b7b202268726566223a202268747470733a5c2f5c2f73686f702e6578616d706c655c2f77702d6a736f6e5c2f77635c2f76335c2f6f72646572735c2f3231343734383339393922207d5d207d0a7d0a', 'order.created', NULL, NULL, '2026-11-24 18:47:39.837654+00', '5', '4', NULL);

insert into store_hours (tenant_id, store_id, hour, verified, repeated, refused, pings, done, nothing_to_do, skipped, failed, messages_sent, last_seen_at, last_refusal) overriding system value values
  ('1', '1', '2026-11-24 18:00:00+00', '1', '0', '0', '0', '1', '0', '0', '0', '1', '2026-11-24 18:47:39.788484+00', NULL);

insert into store_resources (tenant_id, store_id, kind, resource_id, changed_at, deleted) overriding system value values
  ('1', '1', 'buyer', '+492214771234', '2026-11-02 09:15:07+00', 'false'),
  ('1', '1', 'order', '2147483999', '2026-11-02 09:15:07+00', 'false'),
  ('1', '1', 'told', 'order.created 2147483999', '2026-11-24 18:47:39.825+00', 'false');

insert into store_topics (tenant_id, store_id, topic, action) overriding system value values
  ('1', '1', 'order.created', '{"contact": {"mode": "automatic"}, "template": {"name": "order_update", "fields": [{"path": "number"}, {"path": "total"}, {"path": "status"}], "language": "en"}}');

insert into token_usage (tenant_id, token_id, day, requests, refusals, failures, texts, media, templates) overriding system value values
  ('1', '1', '2026-11-24', '23', '0', '0', '3', '0', '0');

insert into contact_groups (tenant_id, contact_id, group_id) overriding system value values
  ('1', '1', '1'),
  ('1', '3', '1');

insert into conversation_windows (tenant_id, number_id, last_inbound_at, person) overriding system value values
  ('1', '1', '2026-11-24 18:47:39+00', '+14155550123');

insert into delivery_attempts (tenant_id, delivery_id, number, duration_ms, started_at, status, reason, answer, next_try_at) overriding system value values
  ('1', '1', '1', '24', '2026-11-24 18:47:39.074+00', '204', NULL, NULL, NULL),
  ('1', '2', '1', '25', '2026-11-24 18:47:39.076+00', '204', NULL, NULL, NULL),
  ('1', '3', '1', '27', '2026-11-24 18:47:39.079+00', '204', NULL, NULL, NULL),
  ('1', '4', '1', '8', '2026-11-24 18:47:39.126+00', '204', NULL, NULL, NULL),
  ('1', '5', '1', '3', '2026-11-24 18:47:39.175+00', '204', NULL, NULL, NULL),
  ('1', '6', '1', '3', '2026-11-24 18:47:39.276+00', '204', NULL, NULL, NULL),
  ('1', '7', '1', '2', '2026-11-24 18:47:39.445+00', '204', NULL, NULL, NULL),
  ('1', '8', '1', '5', '2026-11-24 18:47:39.83+00', '204', NULL, NULL, NULL);

insert into earlier_conversations (tenant_id, contact_id, up_to_id, person) overriding system value values
  ('1', '2', '0', '+4915123456789');

select setval('public.bots_id_seq', 1);
select setval('public.contact_bulk_changes_id_seq', 1);
select setval('public.contact_imports_id_seq', 1);
select setval('public.contacts_id_seq', 8);
select setval('public.deliveries_id_seq', 13);
select setval('public.event_batches_id_seq', 1);
select setval('public.groups_id_seq', 1);
select setval('public.idempotency_runs', 1);
select setval('public.invitations_id_seq', 1);
select setval('public.message_outcome_changes_id_seq', 1);
select setval('public.messages_id_seq', 6);
select setval('public.numbers_id_seq', 1);
select setval('public.sources_id_seq', 1);
select setval('public.statuses_id_seq', 1);
select setval('public.store_events_id_seq', 1);
select setval('public.stores_id_seq', 1);
select setval('public.templates_id_seq', 9);
select setval('public.tenants_id_seq', 1);
select setval('public.tokens_id_seq', 1);

update auth."session" set "expiresAt" = now() + interval '30 days';
update idempotency_keys set created_at = now(), held_until = now() + interval '1 day';
