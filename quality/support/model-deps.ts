import { formatNational } from '#kit/contract/phone.ts'
import { markets } from '#kit/server/markets.ts'
import { endPendingRequests, reassignAccountData } from '#app/accounts.ts'
import { findContactPhone } from '#features/account/server/contact-phone.store.ts'
import { readAccountWithoutParts } from './account-parts.ts'
import { withHashCache } from './claims-model.ts'
import type { ModelDeps } from './claim-model-state.ts'
import { fantailProvider } from './provider.ts'
import type { RouteServer } from './route-server.ts'

export function createModelDeps({
  db,
  clock,
  secrets,
  passwords,
}: Pick<RouteServer, 'db' | 'clock' | 'secrets' | 'passwords'>): ModelDeps {
  const phone = (msisdn: string | null) => (msisdn ? { phone: msisdn, phone_display: formatNational(msisdn) } : null)
  return {
    db,
    clock,
    secrets,
    passwords: withHashCache(passwords),
    // Replace the job queue: model-based tests run each job themselves, and read messages directly from the outbox.
    jobs: {
      send: async () => {},
      takeOver: () => {},
      fetchMore: () => {},
      sendInMemory: () => true,
      work: () => {},
      unfinished: async () => 0,
      backlog: async () => [],
      isLively: () => false,
      wants: () => 0,
      stop: async () => {},
    },
    log: { info() {}, warn() {}, error() {} },
    brandName: fantailProvider.brand.name,
    brandShortName: fantailProvider.brand.shortName,
    colours: fantailProvider.look.colours,
    help: fantailProvider.brand.help,
    publicUrl: 'https://portal.example.nz',
    market: markets.NZ,
    accountParts: {
      card: async () => null,
      phone: async (userId, trx) => phone(await findContactPhone(trx ?? db, userId)),
      whole: readAccountWithoutParts,
      reassignAll: reassignAccountData,
      endRequests: (trx, userId) => endPendingRequests(trx, userId, clock.now()),
    },
  } as ModelDeps
}
