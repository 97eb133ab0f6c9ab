import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { bitString, integer, objectId, octets, sequence, tagged, yes } from './der.ts';
import { encodeNameConstraints, nameConstraintsId } from './name-constraints.ts';

/** The parts of a distinguished name that we use: common name and organizational unit. */
export type Name = { CN: string; OU: string };

export type CertificateRequest = {
  subject: Name;
  /** Its public half goes into the certificate. An EC key on P-256, as `issuerKey`. */
  key: KeyObject;
  issuer: Name;
  issuerKey: KeyObject;
  notBefore: Date;
  notAfter: Date;
  /** Host names and addresses of a server. Without them, the certificate is that of an authority. */
  names?: string[];
  /** The names that servers of the authority may have; any if absent. */
  permittedNames?: string[];
};

/**
 * Creates and signs an X.509 certificate in PEM form, by RFC 5280 with ECDSA and SHA-256. Node can read
 * certificates but not create them.
 */
export function issueCertificate(request: CertificateRequest): string {
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([0x40]), randomBytes(15)])), // the serial, positive
    ecdsaWithSha256,
    encodeName(request.issuer),
    sequence(encodeTime(request.notBefore), encodeTime(request.notAfter)),
    encodeName(request.subject),
    publicInfo(request.key),
    tagged(0xa3, sequence(...extensionsOf(request))),
  );
  const signature = sign('sha256', body, request.issuerKey);
  const der = sequence(body, ecdsaWithSha256, bitString(signature));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function extensionsOf({ key, issuerKey, names, permittedNames }: CertificateRequest): Buffer[] {
  const keyId = extension('2.5.29.14', octets(keyIdentifier(key)));
  if (!names) {
    return [
      extension('2.5.29.19', sequence(yes, integer(Buffer.from([0]))), 'critical'), // signs servers only
      extension('2.5.29.15', bitString(Buffer.from([0b0000_0110]), 1), 'critical'), // signs certificates
      ...(permittedNames
        ? [extension(nameConstraintsId, encodeNameConstraints(permittedNames), 'critical')]
        : []),
      keyId,
    ];
  }
  return [
    extension('2.5.29.19', sequence(), 'critical'), // no authority
    extension('2.5.29.15', bitString(Buffer.from([0b1000_0000]), 7), 'critical'), // signs handshakes
    extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1'))), // as a TLS server
    extension('2.5.29.17', sequence(...names.map(encodeSubjectAlternative))),
    keyId,
    extension('2.5.29.35', sequence(tagged(0x80, keyIdentifier(issuerKey)))),
  ];
}

function extension(id: string, value: Buffer, critical?: 'critical'): Buffer {
  return sequence(objectId(id), critical ? yes : Buffer.alloc(0), octets(value));
}

function encodeSubjectAlternative(name: string): Buffer {
  if (isIP(name)) return tagged(0x87, Buffer.from(ipaddr.parse(name).toByteArray()));
  return tagged(0x82, Buffer.from(name, 'ascii'));
}

function encodeName({ CN, OU }: Name): Buffer {
  const part = (id: string, text: string) =>
    tagged(0x31, sequence(objectId(id), tagged(0x0c, Buffer.from(text))));
  return sequence(part('2.5.4.11', OU), part('2.5.4.3', CN));
}

/** Uses two digits for the year until 2049, then four, as RFC 5280 requires (4.1.2.5). */
function encodeTime(time: Date): Buffer {
  const digits = `${time.toISOString().replace(/\D/g, '').slice(0, 14)}Z`;
  return time.getUTCFullYear() < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2)))
    : tagged(0x18, Buffer.from(digits));
}

function publicInfo(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ type: 'spki', format: 'der' });
}

/** The hash of the key's point, which is the last 65 bytes of its description on P-256. */
function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1').update(publicInfo(key).subarray(-65)).digest();
}

const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'));
