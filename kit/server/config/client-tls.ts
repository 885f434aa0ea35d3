import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { realNow } from '../clock.ts'
import { parseCertificates } from './certificates.ts'

/** Our client certificate and key, and the CA that we trust, as PEM text; `null` if not set. */
export type ClientTls = { cert: string | null; key: string | null; ca: string | null }

type ReportFault = (line: string) => void
type NamedFile = { name: string; file: string; text: string }

export function readClientTls(
  env: Readonly<Record<string, string | undefined>>,
  service: string,
  fault: ReportFault,
): ClientTls {
  const [certName, keyName] = [`${service}_TLS_CERT`, `${service}_TLS_KEY`]
  for (const [one, other] of [
    [certName, keyName],
    [keyName, certName],
  ] as const)
    if (env[one] && !env[other]) fault(`${other} is missing: set it together with ${one}.`)
  const read = (name: string): NamedFile | null => readNamedFile(name, env[name] ?? '', fault)
  const [cert, key, ca] = [read(certName), read(keyName), read(`${service}_TLS_CA`)]
  const certificate = cert && firstCertificate(cert, fault)
  const privateKey = key && parsePrivateKey(key, fault)
  if (certificate && privateKey && !certificate.checkPrivateKey(privateKey))
    fault(`${keyName} is not the private key for ${certName}.`)
  if (ca) checkAuthorities(ca, fault)
  return { cert: cert?.text ?? null, key: key?.text ?? null, ca: ca?.text ?? null }
}

function readNamedFile(name: string, file: string, fault: ReportFault): NamedFile | null {
  if (!file) return null
  try {
    return { name, file, text: readFileSync(file, 'utf8') }
  } catch (error) {
    fault(
      `${name}: ${file} cannot be read (${error instanceof Error && 'code' in error ? error.code : 'unknown reason'}).`,
    )
    return null
  }
}

/**
 * Returns the first certificate in the file, which is our own; the rest of the file is its chain. An expired certificate is not a
 * configuration fault, because only this one service becomes unavailable.
 */
function firstCertificate({ name, file, text }: NamedFile, fault: ReportFault): X509Certificate | null {
  const [certificate] = parseCertificates(text)
  if (!certificate) {
    fault(`${name}: ${file} contains no certificate in PEM format.`)
    return null
  }
  const validFrom = certificate.validFromDate.toTemporalInstant()
  if (Temporal.Instant.compare(validFrom, realNow()) > 0)
    fault(`${name}: the certificate is not valid before ${validFrom}.`)
  return certificate
}

function parsePrivateKey({ name, file, text }: NamedFile, fault: ReportFault): KeyObject | null {
  try {
    return createPrivateKey(text)
  } catch {
    fault(`${name}: ${file} contains no private key in PEM format, or its key is protected by a password.`)
    return null
  }
}

function checkAuthorities({ name, file, text }: NamedFile, fault: ReportFault): void {
  if (parseCertificates(text).length === 0) fault(`${name}: ${file} contains no certificate in PEM format.`)
}
