import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { realNow } from '../clock.ts'

/** A setting that names a file of certificates, and when that file stops being usable. */
export type CertificateEnd = { setting: string; endsAt: Temporal.Instant }

/** Files with a certificate of ours, followed by the ones that lead to its CA. */
const chains = ['NETWORK_TLS_CERT', 'SMS_TLS_CERT', 'OPERATOR_TLS_CERT']
/** Files with the CAs that we trust. */
const authorities = ['NETWORK_TLS_CA', 'SMS_TLS_CA', 'NODE_EXTRA_CA_CERTS']

/** The certificates in a text in PEM; none when any of them can't be read, as TLS takes no such file either. */
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

/** When the certificates of each setting end. A file that can't be read is left out: the check of its setting reports it. */
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

/** A chain is good until the first of its certificates ends. */
const endOfChain = (chain: X509Certificate[]): Temporal.Instant | undefined => inOrder(chain.map(endOf))[0]

/** A renewed CA may stand beside its former certificate, so the last end of each name counts. A CA that ended long ago does no harm. */
function endOfAuthorities(certificates: X509Certificate[]): Temporal.Instant | undefined {
  const byName = Map.groupBy(certificates, ({ subject }) => subject)
  const ends = inOrder([...byName.values()].flatMap((those) => inOrder(those.map(endOf)).at(-1) ?? []))
  return ends.find((end) => Temporal.Instant.compare(end, realNow()) > 0) ?? ends.at(-1)
}
