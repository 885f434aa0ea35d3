import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { formatMoment } from '#kit/contract/format-moment.ts'
import type { QueryClient, QueryKey } from '#kit/web/query/query-client.ts'
import { getServerTime } from '#kit/web/server-time.ts'
import type { User } from '#features/auth/auth.contract.ts'
import type { Service } from '#features/services/services.contract.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { getRemainingLabel, findMainEntitlement } from '#features/usage/web/usage.labels.ts'
import { readingsStorageKey as place } from './readings-storage-key.ts'
import { accountKey } from './session.ts'

/*
 * Stores each plan's last known allowance for the offline page. The data never leaves this device. It belongs to the
 * signed-in customer, and is removed when they sign out.
 */

type UsageReading = { uuid: string; name: string; left: string; at: string }
/** One customer's stored allowances. `owner` is a hash that tells customers apart without revealing who they are. */
type StoredReadings = { owner: string; readings: UsageReading[] }

const servicesKey: QueryKey<Record<string, Service>> = ['services']
const summaryKey = (uuid: string): QueryKey<UsageSummary> => ['usage-summary', uuid]

export function storeLastReadings(client: QueryClient, { market }: Pick<Bootstrap, 'market'>): void {
  if (!('serviceWorker' in navigator)) return
  let hasKept = false
  const storeReadings = async (): Promise<void> => {
    const account = client.getQueryData(accountKey)
    if (account === undefined) return
    if (!account.user) return localStorage.removeItem(place)
    const owner = await hashOwner(account.user)
    const storedReadings = readStoredReadings(owner)
    /*
     * If the stored usage readings have disappeared, the customer has logged out in a different tab, so this tab must stop storing its
     * cached data.
     */
    if (hasKept && !storedReadings) return end()
    const readings = updateReadings(client, storedReadings?.readings ?? [], market.zone)
    const updatedJson = JSON.stringify({ owner, readings } satisfies StoredReadings)
    if (readings.length === 0) return storedReadings ? localStorage.removeItem(place) : undefined
    if (updatedJson !== localStorage.getItem(place)) localStorage.setItem(place, updatedJson)
    if (!hasKept) await navigator.serviceWorker.register('/service-worker.js')
    hasKept = true
  }
  // Errors are ignored: if storage is disabled or the service worker cannot be registered, there is simply no offline page.
  const storeSerially = runSerially(() => storeReadings().catch(() => {}))
  const end = client.subscribe(storeSerially)
  storeSerially()
}

function runSerially(act: () => Promise<void>): () => void {
  let asked = false
  let running = false
  return async () => {
    asked = true
    if (running) return
    running = true
    while (asked) {
      asked = false
      await act()
    }
    running = false
  }
}

function readStoredReadings(owner: string): StoredReadings | null {
  const text = localStorage.getItem(place)
  const kept = text === null ? null : (JSON.parse(text) as StoredReadings)
  if (kept?.owner === owner) return kept
  localStorage.removeItem(place)
  return null
}

function updateReadings(client: QueryClient, before: UsageReading[], zone: string): UsageReading[] {
  const { data: services, dataUpdatedAt: at } = client.getQueryState(servicesKey)
  /*
   * A page may contain only part of a long list of services; such a list has the update time 0. Services that are missing from the list
   * keep their stored usage readings.
   */
  if (!services || at === 0) return before
  return Object.values(services).flatMap((service) => {
    if (service.is_expired) return []
    const summary = client.getQueryData(summaryKey(service.uuid))
    const main = summary?.read_at ? findMainEntitlement(summary.plan.entitlements ?? []) : undefined
    if (!summary?.read_at || !main) return before.filter(({ uuid }) => uuid === service.uuid)
    const at = formatMoment(summary.read_at, { zone, now: getServerTime().toISOString() })
    return [{ uuid: service.uuid, name: getDisplayName(service), left: getRemainingLabel(main), at }]
  })
}

/** A service's name on the offline page. Only a number's last digits are shown, because anyone with the device can read the page. */
const getDisplayName = ({ name, msisdn }: Service): string => name ?? `Number ending in ${msisdn.slice(-3)}`

async function hashOwner({ email, email_verified: isVerified }: User): Promise<string> {
  const bytes = new TextEncoder().encode(`${email} ${isVerified}`)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
