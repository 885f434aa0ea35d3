import { beforeAll, describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import {
  advanceClockTo,
  formatWeekdayAndDate,
  getLastDayAtHour,
  readEmails,
  createRenewingCustomer,
  formatToMinute,
  type RenewingCustomer,
  setAutoRenewal,
  zone,
} from '#quality/support/auto-renewal.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()

const number = ({ service }: RenewingCustomer): string => formatNational(service.msisdn)
const morning = ({ expiry }: RenewingCustomer, days: number): string =>
  formatToMinute(expiry.subtract({ days }).withPlainTime({ hour: 9 }))

async function textsTo(msisdn: string): Promise<{ at: string; text: string }[]> {
  const texts = (await world().smsTo(msisdn)).toReversed()
  return texts.map(({ text, sent_at: at }) => ({
    text,
    at: formatToMinute(Temporal.Instant.from(at).toZonedDateTimeISO(zone)),
  }))
}
const textsOf = ({ service }: RenewingCustomer) => textsTo(service.msisdn)

async function mailsBeforeEnd(renewing: RenewingCustomer) {
  const { expiry } = renewing
  const from = formatToMinute(expiry.subtract({ days: 7 }))
  return (await readEmails(world(), renewing)).filter(
    ({ at, subject }) => at > from && !subject.startsWith('Welcome') && at < formatToMinute(expiry),
  )
}
const subjectsBeforeEnd = async (renewing: RenewingCustomer) =>
  (await mailsBeforeEnd(renewing)).map(({ at, subject }) => [at, subject])

const host = () => new URL(world().url).host

describe('messages sent before a plan ends', () => {
  let plain: RenewingCustomer,
    good: RenewingCustomer,
    poor: RenewingCustomer,
    late: RenewingCustomer,
    deciding: RenewingCustomer,
    renewing: RenewingCustomer,
    short: RenewingCustomer

  // All customers share one test clock, so advance it to the end of their plans once for all tests.
  beforeAll(async () => {
    const plan = 'plan-30-5gb'
    ;[plain, good, poor, late, deciding, renewing] = (await Promise.all(
      [false, true, true, true, false, false].map((enabled) => createRenewingCustomer(world(), { plan, enabled })),
    )) as [RenewingCustomer, RenewingCustomer, RenewingCustomer, RenewingCustomer, RenewingCustomer, RenewingCustomer]
    const card = (of: RenewingCustomer) => world().db.updateTable('saved_cards').where('user_id', '=', of.customer.id)
    await card(poor).set({ expiry: '01/2020' }).execute()
    await world().db.deleteFrom('saved_cards').where('user_id', '=', late.customer.id).execute()
    const { expiry } = plain
    await advanceClockTo(world(), expiry.subtract({ days: 7 }).withPlainTime({ hour: 12 }))
    short = await createRenewingCustomer(world(), { plan: 'plan-7-500mb', enabled: false })
    if (!short.expiry.equals(expiry)) throw new Error('they do not end in the same night')
    await advanceClockTo(world(), expiry.subtract({ days: 5 }).withPlainTime({ hour: 12 }))
    await setAutoRenewal(deciding, 'PUT')
    const byHand = { uuid: renewing.service.id, schedule: renewing.service.shortId, product: plan }
    const paid = await renewing.customer.visitor.post(
      '/api/orders/recharge/',
      { ...byHand, payment_method: '1', use_saved_card: true },
      { 'idempotency-key': crypto.randomUUID() },
    )
    if (paid.status !== 200) throw new Error(`the renewal answered ${paid.status}`)
    await advanceClockTo(world(), expiry.add({ minutes: 1 }))
  }, 240_000)

  test('reminds a customer without auto-renewal by email and text 7, 3 and 1 days before the plan ends', async () => {
    expect(await subjectsBeforeEnd(plain)).toEqual([
      [morning(plain, 7), `7 days left on ${number(plain)}`],
      [morning(plain, 3), `3 days left on ${number(plain)}`],
      [morning(plain, 1), `Today is the last day of your plan for ${number(plain)}`],
    ])
    const last = formatWeekdayAndDate(getLastDayAtHour(plain, 9))
    const next = `Renew before then: your next plan starts ${formatWeekdayAndDate(plain.expiry)} and you lose nothing.`
    expect(await textsOf(plain)).toEqual([
      {
        at: morning(plain, 7),
        text: `Fantail: 7 days left on ${number(plain)}, last day ${last}. ${next} Log in at ${host()}`,
      },
      {
        at: morning(plain, 3),
        text: `Fantail: 3 days left on ${number(plain)}, last day ${last}. ${next} Log in at ${host()}`,
      },
      {
        at: morning(plain, 1),
        text:
          `Fantail: today is the last day for ${number(plain)}. Data, calls and texts stop at midnight. ` +
          `We keep your number 50 days. Renew: log in at ${host()}`,
      },
    ])
  })

  test('the first plan-end email states the last day, the price and how long the number is kept, and has a renewal link', async () => {
    const [first] = await mailsBeforeEnd(plain)
    const { expiry, service } = plain
    for (const words of [
      `expires on ${formatWeekdayAndDate(expiry)}. ` +
        `${formatWeekdayAndDate(getLastDayAtHour(plain, 9))} is your last day of data, calls and texts.`,
      `Renew any time before then: the next plan starts on ${formatWeekdayAndDate(expiry)}, and you lose nothing.`,
      `If you don’t renew, we keep your Phone Number for 50 days, until ${formatWeekdayAndDate(expiry.add({ days: 49 }))}`,
      'Renewal plan: 5 GB Prepay Plan, $22.00',
    ])
      expect(first?.text).toContain(words)
    expect(first?.links).toContain(`${world().deps.publicUrl}/services/renew/${service.shortId}/`)
  })

  test('reminds a customer with a weekly plan two days before the plan ends and on its last day', async () => {
    expect(await subjectsBeforeEnd(short)).toEqual([
      [morning(short, 2), `2 days left on ${number(short)}`],
      [morning(short, 1), `Today is the last day of your plan for ${number(short)}`],
    ])
    expect((await textsOf(short)).map(({ at }) => at)).toEqual([morning(short, 2), morning(short, 1)])
  })

  test('notifies a customer with auto-renewal of the charge by email and text, but sends no countdown reminders', async () => {
    const [notice, ...more] = await mailsBeforeEnd(good)
    expect(notice).toMatchObject({ at: morning(good, 3), subject: expect.stringContaining('renews on') })
    expect(more.map(({ subject }) => subject)).toEqual([`Your Prepay Plan for ${number(good)} is renewed`])
    expect(await textsOf(good)).toEqual([
      {
        at: morning(good, 3),
        text:
          `Fantail: ${number(good)} renews on ${formatWeekdayAndDate(good.expiry)}. We charge $21.00 to your Visa ending 1111 on ` +
          `${formatWeekdayAndDate(getLastDayAtHour(good, 9))} at 9 am. Change it before then at ${host()}`,
      },
    ])
  })

  test.each([
    [
      'whose card will have expired',
      () => poor,
      /your Visa ending 1111 will have expired, so .* can't renew\. Update it by 9 am on /,
    ],
    ['without a card', () => late, /there is no card to renew .* with\. Add one by 9 am on /],
  ])(
    'warns a customer %s 7 and 3 days before the plan ends and after each failed charge',
    async (_what, who, words) => {
      expect((await subjectsBeforeEnd(who())).map(([, subject]) => subject)).toEqual([
        `Your Prepay Plan for ${number(who())} can’t renew yet`,
        `Your Prepay Plan for ${number(who())} can’t renew yet`,
        `We could not renew your Prepay Plan for ${number(who())}`,
        `We could not renew your Prepay Plan for ${number(who())}`,
        expect.stringContaining('expires on'),
      ])
      const [seven, three, ...tries] = await textsOf(who())
      for (const [text, days] of [
        [seven, 7],
        [three, 3],
      ] as const) {
        expect(text?.at).toBe(morning(who(), days))
        expect(text?.text).toMatch(words)
      }
      expect(tries.map(({ at }) => at)).toEqual(
        [9, 15, 21].map((hour) => formatToMinute(getLastDayAtHour(who(), hour))),
      )
      expect(tries.at(0)?.text).toMatch(/ by 3 pm today/)
      expect(tries.at(-1)?.text).toContain(
        `we couldn't renew ${number(who())}, so it stops at midnight tonight. You paid nothing.`,
      )
    },
  )

  test('a customer who switches auto-renewal on gets no more reminders of how many days are left', async () => {
    expect((await subjectsBeforeEnd(deciding)).map(([, subject]) => subject)).toEqual([
      `7 days left on ${number(deciding)}`,
      expect.stringContaining('Auto-renewal is on'),
      expect.stringContaining('renews on'),
      `Your Prepay Plan for ${number(deciding)} is renewed`,
    ])
    expect((await textsOf(deciding)).map(({ at }) => at)).toEqual([morning(deciding, 7), morning(deciding, 3)])
  })

  test('a customer who renews early gets no more reminders about the old plan', async () => {
    expect((await subjectsBeforeEnd(renewing)).map(([, subject]) => subject)).toEqual([
      `7 days left on ${number(renewing)}`,
      `Your Prepay Plan for ${number(renewing)} is renewed`,
    ])
    expect(await textsOf(renewing)).toHaveLength(1)
  })
})
