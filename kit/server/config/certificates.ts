import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { realNow } from '../clock.ts'

export type CertificateExpiry = { setting: string; endsAt: Temporal.Instant }

const chainSettings = ['NETWORK_TLS_CERT', 'SMS_TLS_CERT', 'OPERATOR_TLS_CERT']
const authoritySettings = ['NETWORK_TLS_CA', 'SMS_TLS_CA', 'NODE_EXTRA_CA_CERTS']

/** Parses the certificates in PEM text. Returns an empty list if any of them is malformed, because TLS rejects such a file too. */
export function parseCertificates(pem: string): X509Certificate[] {
  const end = '-----END CERTIFICATE-----'
  try {
    return pem
      .split(end)
      .slice(0, -1)
      .map((part) => new X509Certificate(part + end))
  } catch {
    return []
  }
}

/**
 * Returns when each setting's certificates expire. Unreadable files are skipped, because the check of their setting already reports them.
 */
export function readCertificateExpiries(env: Readonly<Record<string, string | undefined>>): CertificateExpiry[] {
  const listExpiries = (setting: string, endOf: (certificates: X509Certificate[]) => Temporal.Instant | undefined) => {
    const endsAt = endOf(parseCertificates(readFileOrEmpty(env[setting] ?? '')))
    return endsAt ? [{ setting, endsAt }] : []
  }
  return [
    ...chainSettings.flatMap((setting) => listExpiries(setting, findChainExpiry)),
    ...authoritySettings.flatMap((setting) => listExpiries(setting, findAuthorityExpiry)),
  ]
}

function readFileOrEmpty(file: string): string {
  try {
    return file === '' ? '' : readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const getExpiry = ({ validToDate }: X509Certificate): Temporal.Instant => validToDate.toTemporalInstant()
const sortInstants = (ends: Temporal.Instant[]): Temporal.Instant[] => ends.toSorted(Temporal.Instant.compare)

const findChainExpiry = (chain: X509Certificate[]): Temporal.Instant | undefined =>
  sortInstants(chain.map(getExpiry))[0]

/**
 * Returns when the certificate authorities in a file expire. The file may contain both a CA's old certificate and its renewed one, so only
 * the latest expiry for each name counts. Returns the earliest of these that is still in the future, or the last one if all have passed.
 */
function findAuthorityExpiry(certificates: X509Certificate[]): Temporal.Instant | undefined {
  const certificatesByName = Map.groupBy(certificates, ({ subject }) => subject)
  const ends = sortInstants(
    [...certificatesByName.values()].flatMap((those) => sortInstants(those.map(getExpiry)).at(-1) ?? []),
  )
  return ends.find((end) => Temporal.Instant.compare(end, realNow()) > 0) ?? ends.at(-1)
}
