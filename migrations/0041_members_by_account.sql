-- Sessions are found by the SHA-256 of their token.
update auth."session" set "token" = encode(sha256(convert_to("token", 'UTF8')), 'hex');
