import { realNow } from '#kit/server/clock.ts'
import type { CertificateExpiry } from '#kit/server/config/certificates.ts'
import type { Log } from '#kit/server/log.ts'

/**
 * A certificate with fewer than this many days left is logged as a warning. Must match the first certificate alert
 * (deploy/prometheus/alerts.yml).
 */
const warningDays = 30

export const daysLeft = ({ endsAt }: CertificateExpiry): number => endsAt.since(realNow()).total({ unit: 'hours' }) / 24

export function logCertificates(log: Log, certificates: readonly CertificateExpiry[]): void {
  for (const certificate of certificates) {
    const { setting, endsAt } = certificate
    const days = Math.floor(daysLeft(certificate))
    const facts = { setting, ends_at: endsAt.toString(), days_left: days }
    if (daysLeft(certificate) <= 0) log.error(facts, `a certificate of ${setting} has expired: calls that need it fail`)
    else if (days < warningDays) log.warn(facts, `a certificate of ${setting} expires in ${days} days`)
    else log.info(facts, `the certificates of ${setting} are valid for ${days} days`)
  }
}
