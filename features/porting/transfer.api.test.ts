import { describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { activate, portForm } from '#quality/support/activation-journey.ts'
import { clearFailures, failNetwork, readNetworkActions, newPortableNumber } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { recordNoResponse } from './server/port-response.ts'
import { findPortByExternalId } from './server/porting.store.ts'

const world = useWorld()

/**
 * Returns the emails sent to an address, except the “Reply YES” email, which depends on when the test moves the clock.
 */
const mailTo = (email: string, count: number) =>
  pollUntil(async () => {
    const mails = (await world().mailTo(email)).filter(({ subject }) => !subject.startsWith('Reply YES'))
    return mails.length >= count && mails
  })

async function transferOf(orderCode: string) {
  return world()
    .db.selectFrom('porting_requests')
    .innerJoin('orders', 'orders.id', 'porting_requests.order_id')
    .innerJoin('services', 'services.id', 'porting_requests.service_id')
    .select([
      'porting_requests.status',
      'porting_requests.failure_code',
      'porting_requests.service_id',
      'services.msisdn',
      'services.iccid',
    ])
    .where('order_code', '=', orderCode)
    .executeTakeFirstOrThrow()
}

const endTransfer = async (orderCode: string, status: string) => {
  await world().advance('PT4H')
  return pollUntil(async () => {
    const transfer = await transferOf(orderCode)
    return transfer.status === status && transfer
  })
}

describe('a number transferred during an activation', () => {
  test('a number transferred during an activation moves to the new SIM, and the welcome email lists the steps in order', async () => {
    const number = await newPortableNumber(world())
    const { done, email, orderCode, sim } = await activate(world(), { port: portForm(number) })
    expect(done).toMatchObject({ state: 'SUCCESSFUL', setup_porting: true, porting_request: { msisdn: number } })
    const started = await transferOf(orderCode)
    expect(started).toMatchObject({ msisdn: sim.msisdn, iccid: sim.iccid })
    expect(['NEW', 'SUBMITTED']).toContain(started.status)
    const [welcome] = await mailTo(email, 1)
    /*
     * Each instruction must appear once and in this order: customers have to confirm the transfer before they change
     * SIMs.
     */
    const acts = [
      `we’ve asked your current provider to transfer ${formatNational(number)}`,
      '1. Keep your old SIM in your phone',
      '2. Wait for a text from 2542',
      'Reply ‘Yes’ within 2 hours',
      '3. Then put your new SIM into your phone',
      `It works with ${formatNational(sim.msisdn)} until ${formatNational(number)} has moved`,
    ]
    const places = acts.map((act) => welcome?.text.indexOf(act) ?? -1)
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(welcome?.text.match(/into your phone/g)).toHaveLength(1)

    expect(await endTransfer(orderCode, 'COMPLETED')).toMatchObject({
      msisdn: number,
      iccid: sim.iccid,
      service_id: started.service_id,
      failure_code: null,
    })
    expect(await readNetworkActions(world(), orderCode)).toEqual([
      'activate completed',
      'add_plan completed',
      'port_in completed',
    ])
    const [moved, ...earlier] = await mailTo(email, 2)
    expect(earlier).toHaveLength(1)
    expect(moved).toMatchObject({ subject: `Your number ${formatNational(number)} is now with Fantail Mobile` })
  })

  test('when the current provider declines a transfer, the service keeps its SIM pack’s number and the email says why', async () => {
    const number = await newPortableNumber(world(), 'fails')
    const { email, orderCode, sim } = await activate(world(), { port: portForm(number) })
    expect(await endTransfer(orderCode, 'FAILED')).toMatchObject({
      msisdn: sim.msisdn,
      failure_code: 'DONOR_ACCOUNT_MISMATCH',
    })
    const [failed] = await mailTo(email, 2)
    expect(failed?.subject).toBe(`We could not transfer your number ${formatNational(number)}`)
    expect(failed?.text).toContain(
      'has not moved to Fantail Mobile. Skinny has a different SIM number for this number.',
    )
    expect(failed?.text).toContain('Check the number printed on your old SIM')
    expect(failed?.text).toContain(
      'For an eSIM, it’s the ICCID in the phone’s settings: Settings, General, About on an iPhone',
    )
    const { service_id } = await transferOf(orderCode)
    expect(failed?.links).toContain(`${world().url}/services/${service_id}/port/`)
  })

  test.each([
    ['expires', 'NO_CUSTOMER_REPLY'],
    ['cancelled', 'CUSTOMER_SAID_NO'],
  ] as const)('a transfer that ends at the network as “%s” is recorded as failed', async (behaviour, code) => {
    const { orderCode } = await activate(world(), { port: portForm(await newPortableNumber(world(), behaviour)) })
    expect(await endTransfer(orderCode, 'FAILED')).toMatchObject({ failure_code: code })
  })

  test(
    'a transfer from an account plan completes even if the current provider requests more information',
    { tags: ['slow'] },
    async () => {
      const number = await newPortableNumber(world(), 'needs_information')
      const port = {
        msisdn: formatNational(number),
        provider: 'spark',
        billing_method: 'account',
        account_number: 'AB12345',
      }
      const { orderCode } = await activate(world(), { port })
      expect((await endTransfer(orderCode, 'COMPLETED')).msisdn).toBe(number)
    },
  )

  test('an activation succeeds even if the network rejects its number transfer', async () => {
    const taken = await world().newSim()
    await world().db.deleteFrom('sim_packs').where('iccid', '=', taken.iccid).execute()
    const { done, orderCode, email } = await activate(world(), { port: portForm(taken.msisdn) })
    expect(done.state).toBe('SUCCESSFUL')
    expect(await transferOf(orderCode)).toMatchObject({ status: 'FAILED', failure_code: 'NUMBER_ON_THIS_NETWORK' })
    const mails = await mailTo(email, 2)
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      `We could not transfer your number ${formatNational(taken.msisdn)}`,
      'Welcome to Fantail Mobile: please confirm your email',
    ])
  })

  test('submits a transfer only once, even if the network’s response is lost', { tags: ['slow'] }, async () => {
    await failNetwork(world(), { operation: 'port_in', kind: 'lost_answer' })
    const { orderCode } = await activate(world(), { port: portForm(await newPortableNumber(world())) })
    expect((await readNetworkActions(world(), orderCode)).filter((line) => line.startsWith('port_in'))).toHaveLength(1)
    await endTransfer(orderCode, 'COMPLETED')
  })

  test.each(['names_other_sim', 'says_unheard_of'] as const)(
    'creates an operator task for an unusable network response about a transfer (%s), and closes it after a correct response',
    { tags: ['slow'] },
    async (kind) => {
      await failNetwork(world(), { operation: 'port_in', kind })
      const { orderCode } = await activate(world(), { port: portForm(await newPortableNumber(world())) })
      const tasks = () =>
        world()
          .db.selectFrom('operator_tasks')
          .select(['kind', 'reason', 'done_by'])
          .where('subject', '=', `${orderCode}-port-1`)
          .execute()
      const about = { kind: 'network', reason: expect.stringContaining('the transfer waits') }
      await pollUntil(async () => (await tasks()).length > 0)
      expect(await tasks()).toMatchObject([about])
      await pollUntil(async () => (await transferOf(orderCode)).status === 'SUBMITTED')
      expect(await tasks()).toEqual([{ ...about, done_by: 'system' }])
      await endTransfer(orderCode, 'COMPLETED')
    },
  )

  test(
    'an unusable response from the network creates no task if the transfer has already ended',
    { tags: ['slow'] },
    async () => {
      const { orderCode } = await activate(world(), { port: portForm(await newPortableNumber(world())) })
      await endTransfer(orderCode, 'COMPLETED')
      const port = await findPortByExternalId(world().db, `${orderCode}-port-1`)
      const answer = {
        outcome: 'unknown',
        why: 'the service order names another line',
        contradiction: 'another SIM',
      } as const
      await recordNoResponse(world().deps, port!, answer)
      const tasks = world()
        .db.selectFrom('operator_tasks')
        .select('reason')
        .where('subject', '=', `${orderCode}-port-1`)
      expect(await tasks.execute()).toEqual([])
    },
  )

  test(
    'submits a transfer later if the network is unavailable, without delaying the activation',
    { tags: ['slow'] },
    async () => {
      await failNetwork(world(), { operation: 'port_in', kind: 'error_500', times: 1000 })
      const { done, orderCode } = await activate(world(), { port: portForm(await newPortableNumber(world())) })
      expect(done.state).toBe('SUCCESSFUL')
      expect((await transferOf(orderCode)).status).toBe('NEW')
      await clearFailures(world())
      await world()
        .db.updateTable('porting_requests')
        .set({ retry_at: new Date(), tries: 0 })
        .where('status', '=', 'NEW')
        .execute()
      await pollUntil(async () =>
        (await readNetworkActions(world(), orderCode)).some((line) => line.startsWith('port_in')),
      )
    },
  )
})
