import type { FastifyInstance } from 'fastify'
import { type RefusedPayments, viewRefusedPayments } from '#features/refused-payments/server/refused-payments.ts'
import type { Deps } from '../deps.ts'

export type RefusedPaymentsView = ReturnType<typeof present>

export function refusedPaymentRoutes(app: FastifyInstance, { db }: Deps): void {
  app.get('/refused-payments', async () => present(await viewRefusedPayments(db)))
}

/** The refused payments of the last day; `what` is an address by its hash, a SIM by its ICCID or an account by its id. */
function present({ lastHour, threshold, isWave, hours, addresses, sims, accounts }: RefusedPayments) {
  const all =
    (of: 'address' | 'SIM' | 'account') =>
    ({ what, refused, latest }: RefusedPayments['sims'][number]) => ({
      of,
      what,
      refused,
      latest: latest.toISOString(),
    })
  return {
    last_hour: lastHour,
    threshold,
    wave: isWave,
    hours: hours.map(({ hour, ...counts }) => ({ hour: hour.toISOString(), ...counts })),
    most: [...addresses.map(all('address')), ...sims.map(all('SIM')), ...accounts.map(all('account'))],
  }
}
