import type { FastifyInstance } from 'fastify'
import { type RefusedPaymentStats, readRefusedPayments } from '#features/refused-payments/server/refused-payments.ts'
import type { Deps } from '../deps.ts'

export type RefusedPaymentsView = ReturnType<typeof presentRefusedPayments>

export function refusedPaymentRoutes(app: FastifyInstance, { db }: Deps): void {
  app.get('/refused-payments', async () => presentRefusedPayments(await readRefusedPayments(db)))
}

/** Builds the response about refused payments. `what` is a hashed IP address, a SIM's ICCID or an account's id. */
function presentRefusedPayments({
  lastHour,
  threshold,
  isWave,
  hours,
  addresses,
  sims,
  accounts,
}: RefusedPaymentStats) {
  const createCountPresenter =
    (of: 'address' | 'SIM' | 'account') =>
    ({ what, refused, latest }: RefusedPaymentStats['sims'][number]) => ({
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
    most: [
      ...addresses.map(createCountPresenter('address')),
      ...sims.map(createCountPresenter('SIM')),
      ...accounts.map(createCountPresenter('account')),
    ],
  }
}
