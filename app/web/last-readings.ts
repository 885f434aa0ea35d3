import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { formatMoment } from '#kit/contract/moments.ts'
import type { QueryClient, QueryKey } from '#kit/web/query/query-client.ts'
import { serverNow } from '#kit/web/server-time.ts'
import type { User } from '#features/auth/auth.contract.ts'
import type { Service } from '#features/services/services.contract.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { leftOf, mainOf } from '#features/usage/web/usage-words.ts'
import { keptReadings as place } from './kept-readings.ts'
import { accountKey } from './session.ts'

// What is left of each plan as the network said it last, for the page that is shown without a network. It stays on this device
// alone: its customer's as long as they are signed in here, and gone with them.

type Reading = { uuid: string; name: string; left: string; at: string }
/** `owner` tells one customer from another and says nothing of either. */
type Kept = { owner: string; readings: Reading[] }

const servicesKey: QueryKey<Record<string, Service>> = ['services']
const summaryKey = (uuid: string): QueryKey<UsageSummary> => ['usage-summary', uuid]

/** Keeps what the network says from now on, and has the worker wait for a time without it. */
export function keepLastReadings(client: QueryClient, { market }: Pick<Bootstrap, 'market'>): void {
  // Only there does a worker run, and only with one are they of any use.
  if (!('serviceWorker' in navigator)) return
  let hasKept = false
  const keep = async (): Promise<void> => {
    const account = client.getQueryData(accountKey)
    if (account === undefined) return
    if (!account.user) return localStorage.removeItem(place)
    const owner = await ownerOf(account.user)
    const before = keptOf(owner)
    // Another tab has logged out: what this one still knows is no longer to be kept.
    if (hasKept && !before) return end()
    const readings = readingsIn(client, before?.readings ?? [], market.zone)
    const after = JSON.stringify({ owner, readings } satisfies Kept)
    if (readings.length === 0) return before ? localStorage.removeItem(place) : undefined
    if (after !== localStorage.getItem(place)) localStorage.setItem(place, after)
    if (!hasKept) await navigator.serviceWorker.register('/service-worker.js')
    hasKept = true
  }
  // Storage that is switched off, or a worker that cannot be had, is as if there were none.
  const keepInTurn = inTurn(() => keep().catch(() => {}))
  const end = client.subscribe(keepInTurn)
  keepInTurn()
}

/** Has it run once more when it is asked for while it runs. */
function inTurn(act: () => Promise<void>): () => void {
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

/** What is kept; of another customer nothing is. */
function keptOf(owner: string): Kept | null {
  const text = localStorage.getItem(place)
  const kept = text === null ? null : (JSON.parse(text) as Kept)
  if (kept?.owner === owner) return kept
  localStorage.removeItem(place)
  return null
}

/** Those that were kept, but for services that are gone, and what is known now in the place of what was. */
function readingsIn(client: QueryClient, before: Reading[], zone: string): Reading[] {
  const { data: services, dataUpdatedAt: at } = client.getQueryState(servicesKey)
  // Of a long list a page comes with a part, marked by a time of 0: the others still have their readings.
  if (!services || at === 0) return before
  return Object.values(services).flatMap((service) => {
    if (service.is_expired) return []
    const summary = client.getQueryData(summaryKey(service.uuid))
    const main = summary?.read_at ? mainOf(summary.plan.entitlements ?? []) : undefined
    if (!summary?.read_at || !main) return before.filter(({ uuid }) => uuid === service.uuid)
    const at = formatMoment(summary.read_at, { zone, now: serverNow().toISOString() })
    return [{ uuid: service.uuid, name: nameOf(service), left: leftOf(main), at }]
  })
}

/** Whoever finds the device need not read the whole number. */
const nameOf = ({ name, msisdn }: Service): string => name ?? `Number ending in ${msisdn.slice(-3)}`

async function ownerOf({ email, email_verified: isVerified }: User): Promise<string> {
  const bytes = new TextEncoder().encode(`${email} ${isVerified}`)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
