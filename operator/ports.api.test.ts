import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { portingMessages } from '#features/porting/porting.contract.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { activate, portForm, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { clearFailures, failNetwork, newPortableNumber } from '#quality/support/simulators.ts'
import { aTool } from '#quality/support/operator.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { exitCodes } from './command.ts'

const dataDir = createDataFolder('fantail-operator-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })
const { run } = aTool(dataDir)

type Behaviour = Parameters<typeof newPortableNumber>[1]

async function aTransfer(behaviour: Behaviour) {
  const customer = await makeCustomer(world(), { services: 1 })
  const number = await newPortableNumber(world(), behaviour)
  expect((await ask(customer, number)).status).toBe(200)
  return { customer, number, reference: `${customer.services[0]!.id}-port-1` }
}
const ask = ({ visitor, services: [service] }: Customer, msisdn: string, change: object = {}) =>
  visitor.post(`/api/services/port/${service!.id}/`, { ...portForm(msisdn), ...change })
const comesTo = (reference: string, wanted: { status?: string; sub_state?: string }) =>
  pollUntil(async () => {
    const port = await world()
      .db.selectFrom('porting_requests')
      .selectAll()
      .where('external_id', '=', reference)
      .executeTakeFirstOrThrow()
    return Object.entries(wanted).every(([name, value]) => Reflect.get(port, name) === value) && port
  })
async function aFailedOne(change: object = {}) {
  const customer = await makeCustomer(world(), { services: 1 })
  const number = await newPortableNumber(world(), 'fails')
  expect((await ask(customer, number, change)).status).toBe(200)
  await world().advance('PT5H')
  const reference = `${customer.services[0]!.id}-port-1`
  await comesTo(reference, { status: 'FAILED' })
  return { customer, number, reference }
}

describe('the “ports cancel” command', () => {
  test('“ports cancel” asks for confirmation and cancels a number transfer, and rejects a second cancellation', async () => {
    const { customer, number, reference } = await aTransfer('waits_for_reply')
    await comesTo(reference, { sub_state: 'awaitingCustomerReply' })
    const own = formatNational(customer.services[0]!.msisdn)
    const { exit, said, questions } = await run(`ports cancel ${reference}`, { says: true })
    expect(questions).toEqual([
      `Cancel the transfer of ${formatNational(number)} from Skinny, for Ana Rewi (${customer.email})? Their SIM keeps ${own}.`,
    ])
    expect({ exit, said }).toEqual({
      exit: exitCodes.done,
      said: [`Cancelled. ${formatNational(number)} stays with Skinny. The customer is told by email.`],
    })
    expect(await run(`ports cancel ${reference} --yes`)).toMatchObject({
      exit: exitCodes.refused,
      complaints: ['This transfer was already cancelled.'],
    })
  })

  test('“ports cancel” does nothing unless the operator answers yes', async () => {
    const { reference } = await aTransfer('waits_for_reply')
    expect(await run(`ports cancel ${reference}`, { says: false })).toMatchObject({
      exit: exitCodes.refused,
      complaints: ['Nothing was done.'],
    })
    expect((await comesTo(reference, {})).cancel_asked_at).toBeNull()
  })

  test(
    '“ports cancel” finds a transfer by its phone number, and does not cancel a confirmed transfer',
    { tags: ['slow'] },
    async () => {
      const { number, reference } = await aTransfer('waits_for_donor')
      await comesTo(reference, { sub_state: 'confirmed' })
      expect(await run(`ports cancel ${number} --yes`)).toMatchObject({
        exit: exitCodes.refused,
        complaints: [
          'The network can no longer cancel the transfer, so it continues: ' +
            'The port is confirmed and can no longer be cancelled. (CANCEL_TOO_LATE)',
        ],
      })
      const shown = (await run(`ports show ${reference}`)).said.join('\n')
      expect(shown).toMatch(/cancel_refused, SUBMITTED \(confirmed\) {2}CANCEL_TOO_LATE {2}The port is confirmed/)
    },
  )

  test(
    '“ports cancel” exits with status “unknown” while the network is unreachable, and the cancellation is retried',
    { tags: ['slow'] },
    async () => {
      const { reference } = await aTransfer('waits_for_reply')
      await comesTo(reference, { sub_state: 'awaitingCustomerReply' })
      await failNetwork(world(), { operation: 'cancel', kind: 'error_500', times: 100 })
      expect(await run(`ports cancel ${reference} --yes`)).toMatchObject({
        exit: exitCodes.unknown,
        said: [`The network hasn’t answered yet. Fantail keeps asking. To see the result: ports show ${reference}`],
      })
      expect((await run(`ports show ${reference}`)).said.join('\n')).toMatch(/no_answer, CANCELLING .*HTTP 500/)
      await clearFailures(world())
      await world()
        .db.updateTable('porting_requests')
        .set({ retry_at: new Date() })
        .where('external_id', '=', reference)
        .execute()
      await comesTo(reference, { status: 'CANCELLED' })
    },
  )

  test('“ports cancel” is rejected before the order is delivered, because no number transfer has been requested yet', async () => {
    const number = await newPortableNumber(world())
    const payer = await advanceWizardTo(world(), 'PAYMENT', { port: portForm(number) })
    expect((await payer.pay({ holder: 'HELD' })).status).toBe(202)
    const { order_code: code } = await payer.look()
    for (const name of [code, number])
      expect(await run(`ports cancel ${name} --yes`)).toMatchObject({
        exit: exitCodes.refused,
        complaints: [
          `Order ${code} is payment_unknown. The transfer starts once the SIM is active. Until then you can only cancel the order.`,
        ],
      })
  })

  test('a command can refer to a number transfer by its order code', { tags: ['slow'] }, async () => {
    const number = await newPortableNumber(world(), 'waits_for_reply')
    const { orderCode } = await activate(world(), { port: portForm(number) })
    await comesTo(`${orderCode}-port-1`, { sub_state: 'awaitingCustomerReply' })
    expect((await run(`ports show ${orderCode}`)).said[2]).toContain(`, with order ${orderCode}`)
    expect((await run(`ports cancel ${orderCode} --yes`)).exit).toBe(exitCodes.done)
  })
})

describe('the “ports resubmit” command', () => {
  test(
    '“ports resubmit” makes a new transfer request with corrections, and “ports show” lists both requests',
    { tags: ['slow'] },
    async () => {
      const { customer, number, reference } = await aFailedOne()
      const [service] = customer.services
      const next = `${service!.id}-port-2`
      const good = await newPortableNumber(world(), 'waits_for_reply')
      expect(await run(`ports resubmit ${reference} --number ${good} --sim 8964050000000017 --as Mere`)).toMatchObject({
        exit: exitCodes.done,
        said: [`Requested again: ${next}. The customer will get a text asking them to confirm it.`],
      })
      expect(await comesTo(next, { sub_state: 'awaitingCustomerReply' })).toMatchObject({
        msisdn: good,
        provider_id: 'skinny',
        billing_method: 'prepay',
        prepaid_sim_number: '8964050000000017',
        order_id: null,
      })
      expect(await comesTo(reference, {})).toMatchObject({ status: 'FAILED', msisdn: number })
      const shown = (await run(`ports show ${next}`)).said.join('\n')
      expect(shown).toContain('requested, NEW  operator:Mere')
      expect(shown).toContain('All transfer requests for this service:')
      expect(shown).toContain(`  ${reference}  `)
      expect(shown).toContain('DONOR_ACCOUNT_MISMATCH  Skinny has a different SIM number for this number.')
      expect(await run(`ports resubmit ${reference}`)).toMatchObject({
        exit: exitCodes.refused,
        complaints: [`This transfer was already requested again: ${next}.`],
      })
      expect(await run(`ports resubmit ${next}`)).toMatchObject({
        exit: exitCodes.refused,
        complaints: ['A transfer for this service is already in progress. Cancel it first.'],
      })
      await world().advance('PT5H')
      await comesTo(next, { status: 'COMPLETED' })
      expect((await run(`ports resubmit ${next}`)).complaints).toEqual([
        'This transfer is complete: the number is with us.',
      ])
    },
  )

  test(
    '“ports resubmit” validates like the customer’s form, and changes nothing if any value is invalid',
    { tags: ['slow'] },
    async () => {
      const { reference } = await aFailedOne({ billing_method: 2, account_number: 'AB12345', prepaid_sim_number: '' })
      const { msisdn } = await world().newSim()
      const { exit, complaints } = await run(
        `ports resubmit ${reference} --number ${msisdn} --provider nobody --account ?`,
      )
      expect({ exit, complaints }).toEqual({
        exit: exitCodes.refused,
        complaints: [
          `--number: ${portingMessages.taken} --provider: ${portingMessages.provider} --account: ${portingMessages.accountLength}`,
        ],
      })
      expect((await run(`ports resubmit ${reference} --sim 12`)).complaints).toEqual([
        `--sim: ${portingMessages.simLength}`,
      ])
      expect((await run(`ports resubmit ${reference} --number 12`)).complaints).toEqual([
        `--number: ${portingMessages.number}`,
      ])
      expect((await run(`ports show ${reference}`)).said.join('\n')).not.toContain('All requests')
      expect((await run(`ports resubmit ${reference} --sim 8964050000000017`)).exit).toBe(exitCodes.done)
    },
  )

  test(
    '“ports resubmit” replaces a request that was never sent, so that the network gets only the new one',
    { tags: ['slow'] },
    async () => {
      const customer = await makeCustomer(world(), { services: 1 })
      const number = await newPortableNumber(world(), 'waits_for_reply')
      const { send } = world().deps.jobs
      world().deps.jobs.send = async (trx, retries, key) => {
        if (retries.queue !== 'porting.follow') await send(trx, retries, key)
      }
      await ask(customer, number)
      world().deps.jobs.send = send
      const [service] = customer.services
      const reference = `${service!.id}-port-1`
      await world()
        .db.updateTable('porting_requests')
        .set({ retry_at: null })
        .where('external_id', '=', reference)
        .execute()
      expect((await run(`ports resubmit ${reference} --account AB12345`)).exit).toBe(exitCodes.done)
      expect((await run(`ports show ${reference}`)).said.join('\n')).toMatch(/replaced, CANCELLED {2}operator:/)
      await comesTo(`${service!.id}-port-2`, { sub_state: 'awaitingCustomerReply' })
      const { network } = await world().ledgers()
      expect(network.filter(({ external_id: id }) => id.startsWith(service!.id))).toHaveLength(1)
      expect((await world().mailTo(customer.email)).filter(({ subject }) => subject.includes('cancelled'))).toEqual([])
    },
  )
})

describe('the “ports list” and “ports show” commands', () => {
  test(
    '“ports list” shows open and failed number transfers, and filters them by status and date',
    { tags: ['slow'] },
    async () => {
      const { reference: failed } = await aFailedOne()
      const { reference: open } = await aTransfer('waits_for_reply')
      await comesTo(open, { status: 'SUBMITTED' })
      const listed = async (options: string) => (await run(`ports list${options}`)).said
      const of = (lines: string[], reference: string) => lines.some((line) => line.startsWith(`${reference}  `))
      expect([of(await listed(''), failed), of(await listed(''), open)]).toEqual([true, true])
      const opened = await listed(' --status open')
      expect([of(opened, failed), of(opened, open)]).toEqual([false, true])
      const failures = await listed(' --status failed')
      expect([of(failures, failed), of(failures, open)]).toEqual([true, false])
      expect(await listed(' --status failed --since 2999-01-01')).toEqual(['No transfers found.'])
      expect(of(await listed(' --since 2020-01-01T00:00:00Z'), open)).toBe(true)
      const { said } = await run('ports list --json')
      expect(JSON.parse(said[0] ?? '')).toMatchObject({ ports: expect.any(Array), next: null })
      for (const [options, why] of [
        ['--status lost', /^--status must be one of open, all, new, submitted,/],
        ['--since yesterday', /^Write --since like 2026-11-23/],
        ['--after nothing', /^Invalid cursor\. Copy the value after --after/],
      ] as const)
        expect(await run(`ports list ${options}`)).toMatchObject({
          exit: exitCodes.refused,
          complaints: [expect.stringMatching(why)],
        })
    },
  )

  test('“ports list” is paginated, newest number transfer first, without repeats', { tags: ['slow'] }, async () => {
    const { reference, number } = await aFailedOne()
    const { id: _, external_id: __, ...like } = await comesTo(reference, {})
    const made = Array.from({ length: 120 }, (_each, at) => `list-${String(at).padStart(3, '0')}`)
    await world()
      .db.insertInto('porting_requests')
      .values(
        made.map((external_id, at) => ({
          ...like,
          id: crypto.randomUUID(),
          external_id,
          status: 'FAILED' as const,
          created_at: new Date(Date.UTC(2001, 0, 1, 0, Math.floor(at / 7))),
        })),
      )
      .execute()
    const seen: string[] = []
    for (let after: string | null = reference; after;) {
      const { said } = await run(`ports list --status failed --json --after ${after}`)
      const page = JSON.parse(said[0] ?? '') as { ports: { reference: string; created: string }[]; next: string | null }
      expect(page.ports.length).toBeLessThanOrEqual(50)
      seen.push(...page.ports.map((port) => port.reference))
      after = page.next
    }
    const ours = seen.filter((each) => each.startsWith('list-'))
    expect(ours.toSorted()).toEqual(made)
    const minutes = ours.map((each) => Math.floor(Number(each.slice(5)) / 7))
    expect(minutes).toEqual(minutes.toSorted((one, other) => other - one))
    await world().db.deleteFrom('porting_requests').where('external_id', 'like', 'list-%').execute()
    expect((await run(`ports show ${number}`)).exit).toBe(exitCodes.done)
  })

  test(
    '“ports show” prints the transfer request, the network’s response and why the transfer failed',
    { tags: ['slow'] },
    async () => {
      const { customer, number, reference } = await aFailedOne()
      const { said } = await run(`ports show ${reference}`)
      expect(said.slice(0, 3)).toEqual([
        `${reference}  FAILED (declined)  DONOR_ACCOUNT_MISMATCH  Skinny has a different SIM number for this number.`,
        `${formatNational(number)} from Skinny, prepay, SIM ${portForm(number).prepaid_sim_number}`,
        `to ${formatNational(customer.services[0]!.msisdn)} of Ana Rewi (${customer.email})`,
      ])
      expect(said.at(-1)).toMatch(
        /failed, FAILED \(declined\) {2}DONOR_ACCOUNT_MISMATCH {2}The losing provider has no such number on that account or SIM\.$/,
      )
      expect((await run(`ports show 0${number.slice(3)}`)).said[0]).toBe(said[0])
      for (const none of ['nothing', '../tasks', '%00', '0275559999', 'a'.repeat(90)])
        expect(await run(`ports show ${none}`)).toMatchObject({
          exit: exitCodes.refused,
          complaints: ['No transfer found.'],
        })
    },
  )
})
