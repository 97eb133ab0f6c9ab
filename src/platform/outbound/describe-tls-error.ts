import { type Fault, fault } from '../errors/fault.ts';
import { onOneLine } from './one-line.ts';

/**
 * Describes a TLS error in plain words; undefined if it is another error. Codes that begin with `ERR_SSL_`
 * are OpenSSL's reasons in capitals; the others come from the certificate check.
 */
export function describeTlsError(error: unknown): Fault | undefined {
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  if (typeof code !== 'string') return undefined;
  const [, text] = problems.find(([pattern]) => pattern.test(code)) ?? [];
  if (text !== undefined) return text;
  if (!/^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code)) return undefined;
  // Not the message: it contains OpenSSL's thread, source file and a line break.
  return typeof reason === 'string'
    ? fault('tls_failed_because', 'The TLS handshake failed ({why}).', { why: onOneLine(reason) })
    : fault('tls_failed', 'The TLS handshake failed.');
}

const problems: [RegExp, Fault][] = [
  [
    /^ERR_SSL_(WRONG_VERSION_NUMBER|DATA_LENGTH_TOO_LONG|PACKET_LENGTH_TOO_LONG)$/,
    fault('port_without_tls', 'This port does not speak TLS.'),
  ],
  [
    /^ERR_SSL_(SSL\/TLS|SSLV3|TLSV1|TLSV13)_ALERT_(HANDSHAKE_FAILURE|INSUFFICIENT_SECURITY)$/,
    fault(
      'tls_no_common_cipher',
      'The TLS handshake failed: the host accepts none of the offered ciphers or settings.',
    ),
  ],
  [
    /^ERR_SSL_((SSLV3|TLSV1|TLSV13)_ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW)$/,
    fault('tls_too_old', 'The host speaks only old versions of TLS. Version 1.2 or 1.3 is needed.'),
  ],
  [
    /^ERR_SSL_TLSV1_UNRECOGNIZED_NAME$/,
    fault('no_certificate_for_name', 'The host has no certificate for this name.'),
  ],
  [
    /^ERR_SSL_(TLSV13_ALERT_CERTIFICATE_REQUIRED|(SSL\/TLS|SSLV3)_ALERT_BAD_CERTIFICATE)$/,
    fault(
      'client_certificate_needed',
      'The host asks for a client certificate, which is not supported.',
    ),
  ],
  [/^CERT_HAS_EXPIRED$/, fault('certificate_expired', 'The certificate of the host has expired.')],
  [
    /^CERT_NOT_YET_VALID$/,
    fault('certificate_not_yet_valid', 'The certificate of the host is not valid yet.'),
  ],
  [/^CERT_REVOKED$/, fault('certificate_revoked', 'The certificate of the host is revoked.')],
  [
    /^ERR_TLS_CERT_ALTNAME_/,
    fault('certificate_of_other_name', 'The certificate of the host is for another name.'),
  ],
  [
    /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    fault(
      'certificate_self_signed',
      'The certificate of the host is not trusted: it is self-signed.',
    ),
  ],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT)$/,
    fault(
      'certificate_authority_unknown',
      'The certificate of the host is not trusted: its authority is unknown.',
    ),
  ],
  [
    /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)$/,
    fault(
      'certificate_chain_incomplete',
      'The certificate of the host is not trusted: its authority is unknown, or the host does not send the intermediate certificates.',
    ),
  ],
  [
    /SELF_SIGNED|^UNABLE_TO_|^CERT_|^INVALID_/,
    fault('certificate_not_trusted', 'The certificate of the host is not trusted.'),
  ],
];
