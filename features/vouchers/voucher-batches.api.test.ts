import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import type { BatchCreationLine } from '#app/operator/vouchers.routes.ts'
import { requestJsonLines, call } from '#operator/send-request.ts'
import { exitCodes } from '#operator/command.ts'
import { runOperator } from '#operator/operator.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { runCommand } from '#quality/support/operator-command.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { voucherBatchUpkeep } from './server/voucher-batches.jobs.ts'

const dataDir = createDataFolder('fantail-vouchers-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })

const run = (line: string) => runCommand(dataDir, line.split(' '))
const plan = 'plan-30-5gb'
const wish = `--plan ${plan} --expires 2027-12-31`
const look = async (code: string) => {
  const { status, body } = await world().visitor().get(`/api/vouchers/${code}/`)
  return status === 200 ? 'good' : body.type
}
const unknown = 'This voucher code is not valid.'
const codesOf = (written: string) => written.trimEnd().split('\n')
const latest = async (): Promise<string> => JSON.parse((await run('vouchers status --json')).said[0]!)[0].batch

async function make(count: number): Promise<{ codes: string[]; batch: string }> {
  const { exit, written } = await run(`vouchers make ${count} ${wish}`)
  expect(exit).toBe(exitCodes.done)
  return { codes: codesOf(written), batch: await latest() }
}

async function makeWithoutWord(count: number): Promise<{ codes: string[]; batch: string }> {
  const json = { count, plan, expires: '2027-12-31' }
  const { lines } = await requestJsonLines({ dataDir }, 'POST', '/vouchers/batches', { json })
  const told = (await Array.fromAsync(lines)).map((line) => JSON.parse(line) as BatchCreationLine)
  return {
    batch: told.flatMap((line) => ('batch' in line ? [line.batch] : []))[0]!,
    codes: told.flatMap((line) => ('codes' in line ? line.codes : [])),
  }
}
const sayArrived = (batch: string, count: number) =>
  call({ dataDir }, 'POST', `/vouchers/batches/${batch}/arrived`, { json: { count } })

describe('creating a batch of vouchers', () => {
  test('the command “vouchers make” prints one code per line, each valid to the end of the given day', async () => {
    const { exit, said, complaints, written } = await run(`vouchers make 2500 ${wish}`)
    expect({ exit, said }).toEqual({ exit: exitCodes.done, said: [] })
    expect(complaints.at(-1)).toMatch(/^Batch \w{8}: 2500 vouchers are now valid\.$/)
    expect(written).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{12}\n){2500}$/)
    const codes = codesOf(written)
    expect(new Set(codes).size).toBe(2_500)
    expect(await look(codes[0]!)).toBe('good')
    const { clock, db, market } = world().deps
    const { expires_at } = await db
      .selectFrom('vouchers')
      .select('expires_at')
      .where('batch_id', '=', await latest())
      .executeTakeFirstOrThrow()
    const end = Temporal.PlainDate.from('2028-01-01').toZonedDateTime(market.zone).toInstant()
    expect(expires_at.getTime()).toBe(end.epochMilliseconds)
    expect(Temporal.Instant.compare(clock.now(), end)).toBe(-1)
  })

  test('voucher codes are neither stored in plain text nor shown again once they have been created', async () => {
    const { codes, batch } = await make(1)
    const tables = ['vouchers', 'voucher_batches', 'audit_events'] as const
    for (const table of tables)
      expect(JSON.stringify(await world().db.selectFrom(table).selectAll().execute()).toUpperCase()).not.toContain(
        codes[0],
      )
    for (const of of [batch, codes[0]]) {
      const { said } = await run(`vouchers status ${of}`)
      expect(said.join('\n')).not.toContain(codes[0])
    }
  })

  test('the status of a voucher and of its batch shows that the voucher has been used', async () => {
    const { codes, batch } = await make(3)
    const traveller = await advanceWizardTo(world(), 'PAYMENT', { voucher: codes[0]! })
    await traveller.pay()
    const { order_code: order } = await traveller.arriveAt('SUCCESSFUL')
    await pollUntil(async () => (await run(`vouchers status ${codes[0]}`)).said[0]?.startsWith('redeemed'))
    expect((await run(`vouchers status ${codes[0]}`)).said[0]).toMatch(
      new RegExp(`^redeemed by order ${order}, for ${plan} until 2027-12-31T\\S+, of batch ${batch}$`),
    )
    expect((await run(`vouchers status ${batch}`)).said).toEqual([
      expect.stringMatching(/ complete, 3 vouchers for plan-30-5gb until 2027-12-31T\S+ {2}operator:mere$/),
      '1 redeemed, 0 held by an order, 2 unused',
    ])
    expect((await run('vouchers status')).said[0]).toContain(batch)
    expect((await run(`vouchers void ${codes[0]}`)).complaints).toEqual([`This voucher was used for order ${order}.`])
  })

  test('the audit trail records who created a batch of vouchers', async () => {
    const { batch } = await make(2)
    const acts = await world()
      .db.selectFrom('audit_events')
      .select(['actor', 'details'])
      .where('event', '=', 'vouchers_made')
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    expect(acts).toEqual([{ actor: 'operator:mere', details: { batch, count: 2, plan } }])
  })
})

describe('voucher batches whose codes have not all been received', () => {
  test('voucher codes become valid only once all of them are confirmed as received', async () => {
    const { batch, codes } = await makeWithoutWord(1_200)
    expect(await look(codes[0]!)).toBe(unknown)
    expect((await sayArrived(batch, 1_199)).status).toBe(409)
    expect((await run(`vouchers void ${batch}`)).complaints).toEqual([
      'This batch is still being created, and none of its codes is valid yet.',
    ])
    expect((await sayArrived(batch, 1_200)).status).toBe(200)
    expect((await sayArrived(batch, 1_200)).status).toBe(200)
    expect(await look(codes[0]!)).toBe('good')
  })

  test('voucher codes never become valid if confirming their receipt takes too long', async () => {
    const { batch, codes } = await makeWithoutWord(1)
    const { db } = world()
    await db.updateTable('voucher_batches').set({ retry_at: new Date() }).where('id', '=', batch).execute()
    await voucherBatchUpkeep({ db }).run()
    expect((await sayArrived(batch, 1)).status).toBe(409)
    expect(await look(codes[0]!)).toBe(unknown)
    expect((await run(`vouchers status ${batch}`)).said[1]).toContain('1 not valid')
    expect((await run(`vouchers void ${batch}`)).exit).toBe(exitCodes.refused)
  })

  test('a voucher batch is abandoned if its codes cannot be written to the output', { tags: ['slow'] }, async () => {
    const failures: string[] = []
    const exit = await runOperator(['vouchers', 'make', '50000', ...wish.split(' ')], {
      dataDir,
      print() {},
      printError: (line) => failures.push(line),
      write: async () => {
        throw new Error('No space left')
      },
      ask: async () => false,
    })
    expect({ exit, failures }).toEqual({
      exit: exitCodes.refused,
      failures: expect.arrayContaining(['No space left', expect.stringContaining('none of them will be valid')]),
    })
    const batch = await latest()
    await pollUntil(async () => (await run(`vouchers status ${batch}`)).said[0]?.includes('broken_off'))
  })
})

describe('voiding vouchers', () => {
  test('voiding a batch makes its unused vouchers invalid', async () => {
    const { codes, batch } = await make(2)
    const voided = await run(`vouchers void ${batch}`)
    expect(voided).toMatchObject({
      exit: exitCodes.done,
      said: [expect.stringContaining(' void, 2 vouchers'), expect.any(String)],
    })
    expect(await look(codes[0]!)).toBe(unknown)
    expect((await run(`vouchers void ${batch}`)).complaints).toEqual(['This batch or voucher is already void.'])
    expect((await run(`vouchers status ${codes[0]!.toLowerCase()}`)).said[0]).toMatch(/^void, for /)
  })

  test('voiding one voucher leaves the other vouchers of its batch valid', async () => {
    const { codes } = await make(2)
    expect((await run(`vouchers void ${codes[0]}`)).said[0]).toMatch(/^void, for /)
    expect([await look(codes[0]!), await look(codes[1]!)]).toEqual([unknown, 'good'])
    expect((await run(`vouchers void ${codes[0]}`)).complaints).toEqual(['This batch or voucher is already void.'])
  })

  test('a voucher that is voided during checkout no longer pays for the order', async () => {
    const { codes, batch } = await make(1)
    const traveller = await advanceWizardTo(world(), 'PAYMENT', { voucher: codes[0]! })
    expect((await run(`vouchers void ${batch}`)).exit).toBe(exitCodes.done)
    expect((await traveller.pay()).status).toBe(400)
  })
})

test.each([
  ['0', wish],
  ['1000001', wish],
  ['1', `--plan none --expires 2027-12-31`],
  ['1', `--plan extra-2gb --expires 2027-12-31`],
  ['1', `--plan ${plan} --expires 2027-02-30`],
  ['1', `--plan ${plan} --expires 2020-01-01`],
  ['1', `--plan ${plan} --expires 2999-01-01`],
  ['1', `--plan ${plan} --expires tomorrow`],
])('rejects a batch of %s vouchers with the options “%s” and says why', async (count, wish) => {
  const { exit, complaints, written } = await run(`vouchers make ${count} ${wish}`)
  expect({ exit, complaints, written }).toEqual({
    exit: exitCodes.refused,
    complaints: [expect.stringMatching(/\.$/)],
    written: '',
  })
})

test('missing options for “vouchers make” are a usage error, and an unknown batch or voucher is reported', async () => {
  for (const line of ['vouchers make 5', 'vouchers make many --plan a --expires 2027-01-01'])
    expect((await run(line)).exit).toBe(exitCodes.usage)
  for (const of of ['NONE0000', 'NONE00000000', '../tasks', 'x'])
    for (const act of ['status', 'void'])
      expect(await run(`vouchers ${act} ${of}`)).toMatchObject({
        exit: exitCodes.refused,
        complaints: ['No batch or voucher found.'],
      })
})
