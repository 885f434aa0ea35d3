import { expect, test } from 'vitest'
import { theSystem } from '#kit/server/actor.ts'
import { faultsWhenQuiet } from '#testing/reconciliation.ts'
import { activate } from '#testing/journey.ts'
import { failGateway, linesOf } from '#testing/simulators.ts'
import { until } from '#testing/until.ts'
import { useWorld } from '#testing/world.ts'
import { findRefundOf } from './server/refunds.store.ts'
import { refundOrder, resolveRefund } from './server/refunds.ts'

const world = useWorld()
const orderId = async (code: string) =>
  (await world().db.selectFrom('orders').select('id').where('order_code', '=', code).executeTakeFirstOrThrow()).id
const notesOf = async (code: string) =>
  world()
    .db.selectFrom('invoices')
    .select('id')
    .where('order_id', '=', await orderId(code))
    .where('document_type', '=', 'credit')
    .execute()

test('twenty refunds of one order at once give its money back once', async () => {
  const { orderCode } = await activate(world())
  const answers = await Promise.all(Array.from({ length: 20 }, () => refundOrder(world().deps, orderCode, theSystem)))
  expect(answers.filter(({ outcome }) => outcome === 'received')).toHaveLength(1)
  expect(answers.filter(({ outcome }) => outcome === 'impossible')).toHaveLength(19)
  expect((await linesOf(world(), orderCode)).gateway).toMatchObject([{ captured: 2200, refunded: 2200 }])
  expect(await notesOf(orderCode)).toHaveLength(1)
})

test('twenty who ask about one refund without an answer make one note, and all are told of it', async () => {
  const { orderCode } = await activate(world())
  await failGateway(world(), { operation: 'refund', kind: 'lost_answer' })
  expect(await refundOrder(world().deps, orderCode, theSystem)).toEqual({ outcome: 'unknown' })
  const refund = await findRefundOf(world().db, await orderId(orderCode))
  if (!refund) throw new Error('there is no refund')
  const answers = await Promise.all(Array.from({ length: 20 }, () => resolveRefund(world().deps, refund)))
  const codes = answers.flatMap((answer) => (answer.outcome === 'received' ? [answer.creditCode] : []))
  expect(codes.length).toBeGreaterThan(0)
  expect(new Set(codes).size).toBe(1)
  await until(async () => (await findRefundOf(world().db, refund.order_id))?.state === 'received')
  expect((await linesOf(world(), orderCode)).gateway).toMatchObject([{ captured: 2200, refunded: 2200 }])
  expect(await notesOf(orderCode)).toHaveLength(1)
})

test('and all books agree', async () => expect(await faultsWhenQuiet(world())).toEqual([]))
