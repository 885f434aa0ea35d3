/* @module-tag slow */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '#quality/support/reconciliation.ts'
import { useWorld } from '#quality/support/world.ts'
import { type AuditWorld, createAuditedWorld } from './audited-world.ts'
import { audit, auditWithTasks } from './auditor.ts'
import { corruptions } from './corruptions/all-corruptions.ts'
import { type Corruption, type CorruptionTarget, withCorruption } from './corruptions/corruption.ts'
import { describeOrderHistory } from './order-history.ts'

const world = useWorld()
let filled: AuditWorld
beforeAll(async () => {
  filled = await createAuditedWorld(world())
}, 240_000)

const found = (spoil: (site: CorruptionTarget) => Promise<unknown> | void) => withCorruption(filled, spoil, audit)

const partWith = (code: string | null): string | null =>
  Object.entries(filled.codes).find(([, each]) => each === code)?.[0] ?? null

test('the audit finds nothing wrong with correct orders of every kind', async () => {
  const { books } = filled
  expect(books.texts).not.toEqual([])
  expect(await audit(books)).toEqual([])
  // The only open task is about a disputed payment.
  expect(await reconcile(books.db, books)).toEqual([
    expect.stringMatching(/^the operator is to look at: the bank disputes \$22\.00/),
  ])
})

describe('faults that the audit must report', () => {
  test.each(corruptions)(
    'the audit reports that $what, as $kind',
    async ({ plant, kind, of, says, besides = [] }: Corruption) => {
      const findings = (await found(plant)).map(({ order_code: code, ...finding }) => ({
        ...finding,
        of: partWith(code),
      }))
      expect(findings).toContainEqual({ kind, of, text: expect.stringMatching(says) })
      // The audit must not report any correct orders.
      expect([of, null, ...besides]).toEqual(expect.arrayContaining(findings.map((finding) => finding.of)))
    },
  )

  test('once all planted faults have been removed, the audit finds nothing wrong with the same data', async () => {
    expect(await audit(filled.books)).toEqual([])
    expect(new Set(corruptions.map(({ what }) => what)).size).toBe(corruptions.length)
    expect(corruptions.length).toBeGreaterThan(45)
  })
})

describe('irregularities that the audit tolerates', () => {
  test('the audit tolerates an email that arrives twice with the same Message-ID', async () =>
    expect(await found(({ mails }) => void mails.push(...mails.map((mail) => ({ ...mail }))))).toEqual([]))

  test('the audit tolerates an order that was accepted and failed afterwards, if the customer was notified', async () =>
    expect(
      await found(({ promised, codes }) => {
        for (const promise of promised) if (promise.order_code === codes.undoneCard) promise.said = 'accepted'
      }),
    ).toEqual([]))

  test('the audit ignores orders that were created before its start time', async () => {
    const { books } = filled
    expect(
      await withCorruption(
        filled,
        ({ trx, ids }) => trx.updateTable('orders').set({ state: 'finishing' }).where('id', '=', ids.card).execute(),
        (spoiled) => audit({ ...spoiled, promised: [], since: new Date(Date.now() + 10 * 365 * 86_400_000) }),
      ),
    ).toEqual([])
    expect(books.since).toBeUndefined()
  })
})

describe('faults for which a staff task is already open', () => {
  const addTask = ({ trx, ids }: CorruptionTarget, part: keyof CorruptionTarget['ids'], kind: 'payment' | 'finding') =>
    trx
      .insertInto('operator_tasks')
      .values({
        id: randomUUID(),
        kind,
        order_id: ids[part],
        subject: null,
        reason: 'look at it',
        created_at: new Date(),
        due_at: null,
        done_at: null,
      })
      .execute()
  const named = (what: string, part: keyof CorruptionTarget['ids'], kind: 'payment' | 'finding') =>
    found(async (site) => {
      await corruptions.find((each) => each.what === what)?.plant(site)
      await addTask(site, part, kind)
    })

  test('the audit does not report an unconfirmed capture if a staff task about the order is open', async () =>
    expect(await named('a delivered order has nothing captured', 'card', 'finding')).toEqual([]))

  test('the audit does not report money held or taken for a failed order if a staff task about the order is open', async () => {
    for (const what of ['stays reserved', 'is taken for an order']) {
      const full = corruptions.find((each) => each.what.includes(what))?.what ?? ''
      expect(await named(full, 'undoneCard', 'payment')).toEqual([])
    }
  })

  test('the audit reports a fault in one order even if a staff task about a different order is open', async () =>
    expect(await named('a delivered order has nothing captured', 'addon', 'payment')).toMatchObject([
      { kind: 'unconfirmed', order_code: filled.codes.card },
    ]))

  test('the audit reports a lost plan or a duplicate payment even if a staff task about the order is open', async () => {
    expect(await named('a payment is captured twice', 'card', 'payment')).toContainEqual(
      expect.objectContaining({ kind: 'doubled', order_code: filled.codes.card }),
    )
    expect(await named('a plan that waited is gone', 'next', 'finding')).toContainEqual(
      expect.objectContaining({ kind: 'lost', order_code: filled.codes.next }),
    )
  })
})

describe('staff tasks that the audit considers unnecessary', () => {
  const addTask = (part: keyof CorruptionTarget['ids'], reason: string) => (site: CorruptionTarget) =>
    site.trx
      .insertInto('operator_tasks')
      .values({
        id: randomUUID(),
        kind: 'payment',
        order_id: site.ids[part],
        subject: null,
        reason,
        created_at: new Date(),
        due_at: null,
        done_at: null,
      })
      .execute()
  const needless = (plant: (site: CorruptionTarget) => Promise<unknown>, warrants: RegExp[] = []) =>
    withCorruption(filled, plant, async (books) => (await auditWithTasks(books, warrants)).needless)

  test('a staff task is unnecessary if the ledgers of all systems agree about its order', async () =>
    expect(await needless(addTask('card', 'CANCELLATION failed'))).toEqual([
      `payment: CANCELLATION failed (${filled.codes.card})`,
    ]))

  test('a staff task is necessary if it is justified by a fault that was injected during the run', async () =>
    expect(await needless(addTask('card', 'CANCELLATION failed'), [/^CANCELLATION/])).toEqual([]))

  test('a staff task is necessary if something is wrong with its order', async () =>
    expect(
      await needless(async (site) => {
        await corruptions.find(({ what }) => what === 'a delivered order has nothing captured')?.plant(site)
        await addTask('card', 'nothing is captured')(site)
      }),
    ).toEqual([]))
})

describe('an order’s history, for investigating faults', () => {
  test('an order’s history lists what all systems recorded and what the customer was told, in chronological order', async () => {
    const { books, codes } = filled
    const lines = await describeOrderHistory(books, codes.partly)
    const at = (says: RegExp): number => lines.findIndex((line) => says.test(line))
    const story = [
      /order \w+: activation of plan-30-5gb for 2200 cents by card/,
      /operation \w+-sim-1 begun/,
      /operation \w+-plan-1 completed/,
      /name finished, from finishing, to completed/,
      /refund \w+-1-refund: 700 cents, received by now/,
      /email <\S+> about refund:\S+ sent; 1 came/,
      /was told: delivered \(activation, 2200 cents, card\)/,
      /at the gateway: reference \w+-1, .*captured 2200, refunded 700/,
      /at the network: external_id \w+-sim-1, action activate, state completed/,
    ].map(at)
    expect(story).not.toContain(-1)
    expect(story).toEqual(story.toSorted((one, other) => one - other))
    const times = lines.flatMap((line) => /^\d{4}-\S+Z(?= )/.exec(line)?.[0] ?? [])
    expect(times).toEqual(times.toSorted())
    expect(await describeOrderHistory(books, codes.disputed)).toContainEqual(
      expect.stringMatching(/task: the bank disputes/),
    )
  })

  test('the history of an order unknown to Fantail lists what the customer was told and what the gateway recorded', async () => {
    const lines = await withCorruption(
      filled,
      ({ promised, gateway, codes }) => {
        for (const each of [...promised, ...gateway])
          if ('order_code' in each) each.order_code = each.order_code.replace(codes.card, 'FTGONE')
          else each.reference = each.reference.replace(codes.card, 'FTGONE')
      },
      (spoiled) => describeOrderHistory(spoiled, 'FTGONE'),
    )
    expect(lines).toEqual([
      'FTGONE is unknown to Fantail',
      expect.stringContaining('was told: delivered'),
      expect.stringContaining('at the gateway: reference FTGONE-1'),
    ])
  })
})
