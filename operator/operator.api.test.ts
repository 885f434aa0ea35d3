import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { listenOnSocket } from '#app/operator/listen-on-socket.ts'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { createNextPlan } from '#quality/support/next-plan.ts'
import { failGateway, readProviderRecords } from '#quality/support/simulators.ts'
import { aTool } from '#quality/support/operator.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { call } from './send-request.ts'
import { exitCodes } from './command.ts'

const dataDir = createDataFolder('fantail-operator-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })

const { run } = aTool(dataDir)

async function anOrder(
  wishes: Parameters<typeof makeCustomer>[1] = { card: true },
): Promise<{ code: string; email: string; id: string }> {
  const { services, email } = await makeCustomer(world(), wishes)
  const code = services[0]?.orderCode ?? ''
  const { id } = await world()
    .db.selectFrom('orders')
    .select('id')
    .where('order_code', '=', code)
    .executeTakeFirstOrThrow()
  return { code, email, id }
}

const refundedOf = async (code: string) =>
  (await readProviderRecords(world(), code)).gateway.map(({ refunded }) => refunded)

describe('refunds from the command line', () => {
  test('“orders refund” asks for confirmation, and “orders show” then lists the refund with its credit note', async () => {
    const { code, email } = await anOrder()
    const { exit, said, questions } = await run(`orders refund ${code}`, { says: true })
    expect(questions).toEqual([
      expect.stringMatching(new RegExp(`^Refund \\$22\\.00 NZD to Ana Rewi \\(${email}\\) for ${code}, .+\\?$`)),
    ])
    expect({ exit, said }).toEqual({
      exit: exitCodes.done,
      said: [expect.stringMatching(/^Refunded \$22\.00 NZD\. The credit note CN\w{10} is on its way/)],
    })
    expect(await refundedOf(code)).toEqual([2200])
    const shown = await run(`orders show ${code}`)
    expect(shown.exit).toBe(exitCodes.done)
    expect(shown.said).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^refund received {2}\$22\.00 {2}\S+Z$/),
        expect.stringContaining(`invoice ${code}  $22.00`),
        expect.stringMatching(/^credit CN\w{10} {2}-\$22\.00/),
      ]),
    )
    expect(await run(`orders refund --yes ${code}`)).toMatchObject({
      exit: exitCodes.refused,
      complaints: ['This order was already refunded.'],
    })
  })

  test(
    'a full refund of a next plan is rejected and suggests orders cancel, which cancels the plan',
    { tags: ['slow'] },
    async () => {
      const { orderCode: code } = await createNextPlan(world())
      const refusal = {
        exit: exitCodes.refused,
        complaints: [expect.stringMatching(new RegExp(`cancel the next plan\\. operator orders cancel ${code}$`))],
      }
      expect(await run(`orders refund ${code} --yes`)).toMatchObject(refusal)
      expect(await run(`orders refund ${code} --amount 36.00 --yes`)).toMatchObject(refusal)
      expect((await run(`orders refund ${code} --amount 10.00 --yes`)).exit).toBe(exitCodes.done)
      expect(await run(`orders refund ${code} --amount 26.00 --yes`)).toMatchObject(refusal)
      const { exit, questions } = await run(`orders cancel ${code}`, { says: true })
      expect([exit, questions]).toEqual([
        exitCodes.done,
        [expect.stringContaining('$26.00 goes back to Visa ending 1111')],
      ])
      await pollUntil(async () => JSON.stringify(await refundedOf(code)) === '[3600]')
    },
  )

  test('a partial refund’s reason is recorded, and the next confirmation shows how much has already been refunded', async () => {
    const { code, id } = await anOrder()
    const first = await run(`orders refund ${code} --amount 5.00 --reason outage`, { says: true })
    expect(first.questions).toEqual([expect.stringMatching(/^Refund \$5\.00 NZD to /)])
    expect(first.said).toEqual([expect.stringMatching(/^Refunded \$5\.00 NZD\. The credit note CN\w{10} /)])
    const rest = await run(`orders refund ${code}`, { says: true })
    expect(rest.questions).toEqual([
      expect.stringMatching(/^\$5\.00 NZD was refunded at \S+Z \(received\)\. Refund \$17\.00 NZD to /),
    ])
    expect(await refundedOf(code)).toEqual([2200])
    const { said } = await run(`orders show ${code}`)
    expect(said.filter((line) => line.startsWith('refund '))).toEqual([
      expect.stringMatching(/^refund received {2}\$5\.00 {2}\S+Z {2}outage$/),
      expect.stringMatching(/^refund received {2}\$17\.00 {2}\S+Z$/),
    ])
    const acts = await world().db.selectFrom('refunds').select('reason').where('order_id', '=', id).execute()
    expect(acts.map(({ reason }) => reason).sort()).toEqual([null, 'outage'].sort())
  })

  test.each([
    ['5', 'Write an amount like 5.00.'],
    ['5.001', 'Write an amount like 5.00.'],
    ['1e2', 'Write an amount like 5.00.'],
    ['0.00', 'Enter an amount above $0.00.'],
    ['22.01', 'At most $22.00 of this order can still be refunded.'],
  ])('rejects %s as a refund amount', { tags: ['slow'] }, async (amount, why) => {
    const { code } = await anOrder()
    expect(await run(`orders refund ${code} --amount ${amount} --yes`)).toMatchObject({
      exit: exitCodes.refused,
      complaints: [why],
    })
    expect(await refundedOf(code)).toEqual([0])
  })

  test('a refund on the command line is not made if the operator answers no', async () => {
    const { code } = await anOrder()
    expect(await run(`orders refund ${code}`, { says: false })).toMatchObject({
      exit: exitCodes.refused,
      complaints: ['Nothing was done.'],
    })
    expect(await refundedOf(code)).toEqual([0])
  })

  test(
    'if the gateway does not respond, “orders refund” exits with status “unknown”, and the refund completes later',
    { tags: ['slow'] },
    async () => {
      const { code, id } = await anOrder()
      await failGateway(world(), { operation: 'refund', kind: 'lost_answer' })
      expect(await run(`orders refund ${code} --yes`)).toMatchObject({
        exit: exitCodes.unknown,
        said: [expect.stringContaining('The gateway hasn’t answered yet.')],
      })
      await pollUntil(
        async () =>
          (await world().db.selectFrom('refunds').select('state').where('order_id', '=', id).executeTakeFirst())
            ?.state === 'received',
      )
      expect(await refundedOf(code)).toEqual([2200])
    },
  )

  test('a refund based on an outdated refundable amount is rejected, so it cannot be made twice', async () => {
    const { code } = await anOrder()
    const give = (refundable: string) =>
      call({ dataDir }, 'POST', `/orders/${code}/refund`, { json: { amount: '5.00', refundable } })
    expect((await give('22.00')).status).toBe(200)
    expect(await give('22.00')).toEqual({
      status: 409,
      body: { why: 'The refundable amount has changed to $17.00. Refresh to see it.' },
    })
    expect((await give('17.00')).status).toBe(200)
    expect(await refundedOf(code)).toEqual([1000])
  })

  test('refunding a voucher payment or an unknown order is rejected with a message', async () => {
    const { code } = await anOrder({ services: 1 })
    expect(await run(`orders refund ${code} --yes`)).toMatchObject({
      exit: exitCodes.refused,
      complaints: ['This order was paid with a voucher, so there is no money to refund.'],
    })
    for (const none of ['FT0000000000', '../tasks', '%00', "FT'"]) {
      expect(await run(`orders refund ${none} --yes`)).toMatchObject({
        exit: exitCodes.refused,
        complaints: ['There is no order with this code.'],
      })
      expect(await run(`orders show ${none}`)).toMatchObject({
        exit: exitCodes.refused,
        complaints: ['There is no order with this code.'],
      })
    }
  })
})

test('control characters in customers’ names are removed from command-line output', async () => {
  const { code, id } = await anOrder({ services: 1 })
  await world().db.updateTable('orders').set({ full_name: 'Ana\u001B[2J\u202ERewi' }).where('id', '=', id).execute()
  expect((await run(`orders show ${code}`)).said.join('\n')).toContain('Ana[2JRewi')
})

test('the command line lists open tasks by kind, and can complete a task once, with a note', async () => {
  const { code, id } = await anOrder({ services: 1 })
  expect(await run('tasks list')).toMatchObject({ exit: exitCodes.done, said: ['No open tasks.'] })
  await createTask(world().db, {
    kind: 'network',
    orderId: id,
    reason: 'the network would not deactivate the SIM',
  })
  const [line = ''] = (await run('tasks list')).said
  expect(line).toMatch(new RegExp(`^[\\da-f-]{36}  .+Z  ${code}  the network would not deactivate the SIM$`))
  expect((await run('tasks list --kind network')).said).toEqual([line])
  expect((await run('tasks list --kind refund')).said).toEqual(['No open tasks.'])
  expect(await run('tasks list --kind none')).toMatchObject({
    exit: exitCodes.refused,
    complaints: [expect.stringMatching(/^--kind must be one of order, /)],
  })
  const task = line.split(' ')[0]
  expect(await run(`tasks done ${task} --note called --as Mere`)).toMatchObject({
    exit: exitCodes.done,
    said: ['Done.'],
  })
  expect(await run(`tasks done ${task}`)).toMatchObject({
    exit: exitCodes.refused,
    complaints: ['There is no open task with this ID.'],
  })
  expect(await run('tasks done 7')).toMatchObject({ exit: exitCodes.refused })
  expect((await run('tasks list')).said).toEqual(['No open tasks.'])
  expect(
    await world().db.selectFrom('audit_events').select('details').where('event', '=', 'operator_task_done').execute(),
  ).toEqual([{ details: { task } }])
  const rows = await world()
    .db.selectFrom('operator_tasks')
    .select(['done_by', 'note'])
    .where('id', '=', task ?? '')
    .execute()
  expect(rows).toEqual([{ done_by: 'operator:Mere', note: 'called' }])
})

describe('declined cards on the command line', () => {
  const refuse = (rows: { minutesAgo: number; address: string; iccid?: string; user?: string }[]) =>
    world()
      .db.insertInto('refused_payments')
      .values(
        rows.map(({ minutesAgo, address, iccid = null, user = null }) => {
          const at = new Date(Date.now() - minutesAgo * 60_000)
          return {
            reference: crypto.randomUUID(),
            kind: 'activation' as const,
            asked_at: at,
            refused_at: at,
            address_hash: address,
            session_id: null,
            iccid,
            user_id: user,
          }
        }),
      )
      .execute()
  const deleteRefusedPayments = () => world().db.deleteFrom('refused_payments').execute()

  test('“refused-payments” lists declined cards by hour, address, SIM and account, or says that there are none', async () => {
    await deleteRefusedPayments()
    expect(await run('refused-payments')).toMatchObject({
      exit: exitCodes.done,
      said: ['No cards were declined in the last day.'],
    })
    const { id } = await makeCustomer(world())
    await refuse([
      { minutesAgo: 130, address: 'a1', iccid: '8964' },
      { minutesAgo: 130, address: 'a1', iccid: '8965', user: id },
      { minutesAgo: 1, address: 'a2' },
      { minutesAgo: 25 * 60, address: 'old' },
    ])
    const { exit, said } = await run('refused-payments')
    expect({ exit, said }).toEqual({
      exit: exitCodes.done,
      said: [
        expect.stringMatching(/^\S+:00:00\.000Z  1 declined, from 1 address, with 0 SIMs, for 0 accounts$/),
        expect.stringMatching(/^\S+:00:00\.000Z  2 declined, from 1 address, with 2 SIMs, for 1 account$/),
        expect.stringMatching(/^address a1  2, latest at \S+Z$/),
        expect.stringMatching(/^address a2  1, /),
        expect.stringMatching(/^SIM 896[45]  1, /),
        expect.stringMatching(/^SIM 896[45]  1, /),
        expect.stringMatching(new RegExp(`^account ${id}  1, `)),
      ],
    })
    expect((await run('tasks list')).said.join()).not.toContain('DECLINED')
  })

  test('an unusual number of declined cards is announced above the list of tasks and the list of declined cards', async () => {
    await deleteRefusedPayments()
    await refuse(Array.from({ length: 19 }, () => ({ minutesAgo: 5, address: 'a1' })))
    expect((await run('tasks list')).said.join()).not.toContain('DECLINED')
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    expect((await traveller.pay({ holder: 'DECLINED' })).status).toBe(400)
    for (const command of ['tasks list', 'refused-payments']) {
      expect((await run(command)).said[0]).toBe(
        'MANY CARDS ARE BEING DECLINED: 20 in an hour, where 20 is unusual. ' +
          'Someone may be testing stolen cards: operator refused-payments',
      )
    }
    await deleteRefusedPayments()
  })

  test('the number of declined cards that triggers the warning depends on the usual number', async () => {
    await deleteRefusedPayments()
    await refuse(Array.from({ length: 24 }, () => ({ minutesAgo: 5, address: 'a1' })))
    expect((await run('tasks list')).said[0]).toContain('24 in an hour')
    await refuse(
      Array.from({ length: 1_680 }, (_, index) => ({ minutesAgo: 25 * 60 + index * 6 - 5, address: `a${index}` })),
    )
    expect((await run('tasks list')).said.join()).not.toContain('DECLINED')
    await deleteRefusedPayments()
  })
})

test('the “errors” command lists browser errors, latest first, or says that there are none', async () => {
  expect(await run('errors')).toMatchObject({ exit: exitCodes.done, said: ['No browser errors reported.'] })
  const broken = {
    kind: 'render',
    name: 'TypeError',
    message: 'x is not a function',
    frames: ['/static/build/a1.js:1:20'],
    page: '/services/:uuid/',
    request_id: null,
    build: 'entry-client-a1.js',
    browser: 'Firefox 140',
  }
  const visitor = world().visitor()
  for (const report of [broken, { ...broken, message: 'y is not a function', frames: [] }, broken])
    expect((await visitor.post('/api/errors/', report)).status).toBe(200)
  const { exit, said } = await run('errors')
  expect({ exit, said }).toEqual({
    exit: exitCodes.done,
    said: [
      expect.stringMatching(/^\S+Z  2 × on \/services\/:uuid\/, render, since \S+Z$/),
      '  TypeError: x is not a function',
      expect.stringMatching(/^ {2}\/static\/build\/a1\.js:1:20 {2}[\da-f]{32}$/),
      expect.stringMatching(/^\S+Z  1 × on /),
      '  TypeError: y is not a function',
      expect.stringMatching(/^ {2}location unknown {2}[\da-f]{32}$/),
    ],
  })
})

test.each([
  '',
  'orders',
  'orders refund',
  'orders show A B',
  'tasks done',
  'tasks list all',
  'errors all',
  'constructor',
  '--yes',
  '--as',
  'orders show A --at now',
  'constructor x',
])('the invalid operator command "%s" prints the usage', async (line) => {
  expect(await run(line)).toMatchObject({
    exit: exitCodes.usage,
    complaints: expect.arrayContaining(['Usage: operator COMMAND']),
  })
})

test('the “help” command succeeds, and can be limited to one topic', async () => {
  for (const line of ['help', '--help', 'orders show --help'])
    expect(await run(line)).toMatchObject({ exit: exitCodes.done, complaints: [] })
  const { said } = await run('help orders')
  expect(said.join('\n')).toContain('orders refund ORDER')
  expect(said.join('\n')).not.toContain('tasks list')
})

test('an operator command prints JSON with --json, and records the name given with --as when it changes something', async () => {
  const { code, id } = await anOrder()
  const { exit, said } = await run(`orders show ${code} --json`)
  expect([exit, said.length]).toEqual([exitCodes.done, 1])
  expect(JSON.parse(said[0] ?? '')).toMatchObject({ order_code: code, state: 'completed', amount: '22.00' })
  expect((await run(`orders refund ${code} --yes --as Mere`)).exit).toBe(exitCodes.done)
  const { user_id } = await world()
    .db.selectFrom('orders')
    .select('user_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const acts = await world()
    .db.selectFrom('audit_events')
    .select(['event', 'actor'])
    .where('user_id', '=', user_id)
    .where('event', '=', 'refund_requested')
    .execute()
  expect(acts).toEqual([{ event: 'refund_requested', actor: 'operator:Mere' }])
})

describe.skipIf(process.platform === 'win32')('the operator socket', () => {
  test('the operator socket is accessible only to the system user that runs the application', () =>
    expect(statSync(join(dataDir, 'operator.sock')).mode & 0o777).toBe(0o600))

  test('a socket left by a dead process does not count as a running application, and the next process replaces the socket', async () => {
    const other = mkdtempSync(join(tmpdir(), 'fantail-operator-'))
    const notRunning = {
      exit: exitCodes.notRunning,
      complaints: [expect.stringMatching(/^Fantail is not running with DATA_DIR .+ Start it first/)],
    }
    expect(await run('tasks list', { at: other })).toMatchObject(notRunning)
    writeFileSync(join(other, 'operator.sock'), '')
    expect(await run('tasks list', { at: other })).toMatchObject(notRunning)
    const heard = await listenOnSocket(world().deps, other)
    expect((await run('tasks list', { at: other })).exit).toBe(exitCodes.done)
    await heard.close()
    rmSync(other, { recursive: true, force: true })
  })

  test('a running process keeps its operator socket when a second process tries to open it', async () => {
    const warnings: unknown[] = []
    const log = { info() {}, error() {}, warn: (...words: unknown[]) => void warnings.push(words) }
    const deps = { ...world().deps, log }
    await (await listenOnSocket(deps, dataDir)).close()
    expect(warnings).toHaveLength(1)
    expect((await run('tasks list')).exit).toBe(exitCodes.done)
  })

  test('operator commands are not served on the portal’s HTTP port, and the portal’s API is not served on the socket', async () => {
    const visitor = world().visitor()
    for (const path of ['/tasks', '/orders/FT0000000000']) expect((await visitor.get(path)).status).toBe(404)
    expect((await call({ dataDir }, 'GET', '/api/products/')).status).toBe(404)
  })
})

test(
  'run as a program, the operator tool reads the confirmation from its input and sets its exit code',
  { tags: ['slow'] },
  async () => {
    const { code } = await anOrder()
    const program = (args: string[], typed: string) =>
      new Promise<{ exit: unknown; text: string }>((resolve) => {
        const child = execFile(
          process.execPath,
          [join(import.meta.dirname, 'main.ts'), ...args],
          { env: { ...process.env, DATA_DIR: dataDir } },
          (error, out, err) => resolve({ exit: error ? error.code : 0, text: out + err }),
        )
        child.stdin?.end(typed)
      })
    expect(await program(['orders', 'refund', code], '')).toMatchObject({
      exit: exitCodes.refused,
      text: expect.stringContaining('Nothing was done.'),
    })
    expect(await program(['orders', 'refund', code], 'n\n')).toMatchObject({ exit: exitCodes.refused })
    expect(await refundedOf(code)).toEqual([0])
    expect(await program(['orders', 'refund', code], 'y\n')).toMatchObject({
      exit: exitCodes.done,
      text: expect.stringContaining('Refunded $22.00 NZD.'),
    })
    expect(await refundedOf(code)).toEqual([2200])
  },
)
