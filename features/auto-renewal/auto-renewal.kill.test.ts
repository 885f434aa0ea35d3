import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  advanceClockTo,
  getLastDayAtHour,
  readEmails,
  type AutoRenewalCustomer,
  readCustomerService,
  setAutoRenewal,
  zone,
} from '#quality/support/auto-renewal.ts'
import {
  retryAcrossRestarts,
  type KillMoment,
  createKillMoments,
  runThroughKills,
} from '#quality/support/kill-moments.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { registerCustomer } from '#quality/support/register-customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

let world: KillTestWorld
let renewing: AutoRenewalCustomer
beforeAll(async () => {
  world = await startKillTestWorld()
  const customer = await registerCustomer(world, { plan: 'plan-7-500mb' })
  const service = await readCustomerService({ customer })
  renewing = {
    customer,
    service: { id: service.uuid, shortId: service.plan_short_id },
    expiry: Temporal.Instant.from(service.expiry_date).toZonedDateTimeISO(zone),
  }
  await setAutoRenewal(renewing, 'PUT')
})
afterAll(() => world?.close())

const { lost, beforeWriting } = createKillMoments(() => world)

describe('auto-renewal when the process is killed', () => {
  test.each<[string, KillMoment[], string[]]>([
    [
      'kills at each step until the next plan has begun',
      [
        beforeWriting(/^insert into "orders"/),
        beforeWriting(/^update "auto_renewals" set "step" = .*"charge_order_id"/),
        lost('authorise'),
        beforeWriting(/^insert into "queued_plans"/),
        beforeWriting(/^delete from "queued_plans"/),
      ],
      ['captured'],
    ],
    [
      'a kill while a failed charge is reported',
      [beforeWriting(/^insert into "messages" .*auto-renewal:failed/)],
      ['cancelled', 'captured'],
    ],
  ])(
    'auto-renewal survives %s',
    async (_when, moments, payments) => {
      if (payments.includes('cancelled')) world.network.fail({ operation: 'add_plan', kind: 'fail_permanent' })
      const lines = world.ledgers().gateway.length
      const { expiry } = renewing
      await runThroughKills(world, moments, () =>
        retryAcrossRestarts(world, () => advanceClockTo(world, expiry.add({ minutes: 1 })).then(() => true)),
      )

      const next = expiry.add({ days: 7 })
      const service = await pollUntil(async () => {
        const now = await readCustomerService(renewing)
        return !now.is_expired && now
      })
      expect(service.expiry_date).toBe(next.toInstant().toString({ fractionalSecondDigits: 3 }))
      const taken = world
        .ledgers()
        .gateway.slice(lines)
        .filter(({ authorised }) => authorised > 0)
      expect(
        taken.map(({ captured, cancelled }) => (captured === 600 ? 'captured' : cancelled === 600 && 'cancelled')),
      ).toEqual(payments)
      const mails = (await readEmails(world, renewing)).filter(
        ({ at }) => at > getLastDayAtHour(renewing, 0).subtract({ days: 3 }).toPlainDateTime().toString(),
      )
      expect(mails.filter(({ subject }) => subject.includes('renews on'))).toHaveLength(1)
      expect(mails.filter(({ text }) => text.includes('We could not renew'))).toHaveLength(payments.length - 1)
      renewing = { ...renewing, expiry: next }
    },
    240_000,
  )

  test('after the process is killed repeatedly, the portal’s records match the providers’ and no error is logged', async () => {
    expect(await world.auditAfterwards()).toEqual([])
    expect(world.product.complaints()).toEqual([])
  })
})
