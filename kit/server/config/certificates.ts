import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { realNow } from '../clock.ts'

export type CertificateEnd = { setting: string; endsAt: Temporal.Instant }

const chains = ['NETWORK_TLS_CERT', 'SMS_TLS_CERT', 'OPERATOR_TLS_CERT']
const authorities = ['NETWORK_TLS_CA', 'SMS_TLS_CA', 'NODE_EXTRA_CA_CERTS']

/** Parses the certificates of a PEM text. Returns none if any of them is malformed, because TLS also rejects such a file. */
export function certificatesIn(pem: string): X509Certificate[] {
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

/** The expiry of each setting's certificates. Unreadable files are left out, because the check of their setting reports them. */
export function readCertificateEnds(env: Readonly<Record<string, string | undefined>>): CertificateEnd[] {
  const endsOf = (setting: string, endOf: (certificates: X509Certificate[]) => Temporal.Instant | undefined) => {
    const endsAt = endOf(certificatesIn(readOrNothing(env[setting] ?? '')))
    return endsAt ? [{ setting, endsAt }] : []
  }
  return [
    ...chains.flatMap((setting) => endsOf(setting, endOfChain)),
    ...authorities.flatMap((setting) => endsOf(setting, endOfAuthorities)),
  ]
}

function readOrNothing(file: string): string {
  try {
    return file === '' ? '' : readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const endOf = ({ validToDate }: X509Certificate): Temporal.Instant => validToDate.toTemporalInstant()
const inOrder = (ends: Temporal.Instant[]): Temporal.Instant[] => ends.toSorted(Temporal.Instant.compare)

const endOfChain = (chain: X509Certificate[]): Temporal.Instant | undefined => inOrder(chain.map(endOf))[0]

/**
 * A renewed CA may stand beside its former certificate, so the latest expiry of each name counts. The result is the earliest of these that
 * is still ahead, or the last one if all have passed.
 */
function endOfAuthorities(certificates: X509Certificate[]): Temporal.Instant | undefined {
  const byName = Map.groupBy(certificates, ({ subject }) => subject)
  const ends = inOrder([...byName.values()].flatMap((those) => inOrder(those.map(endOf)).at(-1) ?? []))
  return ends.find((end) => Temporal.Instant.compare(end, realNow()) > 0) ?? ends.at(-1)
}
