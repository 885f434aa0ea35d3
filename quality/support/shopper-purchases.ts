import { expect } from 'vitest'
import { validCardHolder, type PurchaseCommand } from './order-commands.ts'
import {
  endOf,
  type CardHolder,
  listPendingPurchases,
  pends,
  getPurchasePrice,
  type ModelPurchase,
  listPossibleRefusals,
} from './order-model.ts'
import { buyAddOn, renew } from './purchases.ts'
import type { Answer } from './visitor.ts'
import {
  clearModelPlan,
  recordCancelledPlans,
  readOrderByKey,
  readOrderByCode,
  type ShoppingState,
  take,
  today,
} from './shopping-state.ts'
import { pollUntil } from './poll-until.ts'

const refusalPattern =
  /^(?:Your (?:bank declined this payment|payment could not be confirmed|next Prepay Plan has already started)|The network could not add)/

export async function submitPurchase(shopping: ShoppingState, command: PurchaseCommand): Promise<void> {
  const { world, model } = shopping
  const replacedPlan = command.do === 'renew' && command.change ? model.waiting : null
  // Wait until the replaced plan's order is completed, which happens shortly after it is delivered.
  if (replacedPlan)
    await pollUntil(async () => (await readOrderByCode(shopping, replacedPlan.code)).state !== 'finishing')
  shopping.last = {
    press: command.do === 'renew' && replacedPlan ? { ...command, starts: 'at_end' } : command,
    insteadOf: replacedPlan?.code ?? null,
    key: crypto.randomUUID(),
    voucher:
      command.source.by === 'voucher'
        ? await world.newVoucher(command.do === 'renew' ? command.plan : undefined)
        : null,
  }
  await world.db.deleteFrom('refused_payments').execute()
  await press(shopping, shopping.last)
}

export async function press(
  shopping: ShoppingState,
  { press: form, key, voucher, insteadOf }: NonNullable<ShoppingState['last']>,
): Promise<void> {
  const { world, customer, service, model } = shopping
  const { source } = form
  const expectedRefusals = listPossibleRefusals(model, form, today(shopping), insteadOf)
  const known = await readOrderByKey(shopping, key)
  const holder = await chooseHolder(shopping, source)
  const paymentBody = {
    product: form.do === 'renew' ? form.plan : form.product,
    key,
    saved: source.by === 'saved',
    ...(source.by === 'card' && { holder: source.holder }),
    ...(form.do === 'renew' && { body: { starts: form.starts, ...(insteadOf && { instead_of: insteadOf }) } }),
    ...(voucher && { voucher }),
  }
  const answer = await (form.do === 'renew'
    ? renew(world, customer.visitor, service, paymentBody)
    : buyAddOn(world, customer.visitor, service, paymentBody))
  const order = await readOrderByKey(shopping, key)
  if (!order) {
    expect([
      answer.status,
      expectedRefusals.some((why) => getErrorText(answer).startsWith(why)),
      getErrorText(answer),
    ]).toEqual([answer.status === 404 ? 404 : 400, true, getErrorText(answer)])
    return
  }
  let purchase = model.purchases.find(({ code }) => code === order.order_code)
  if (known) expect(known.order_code).toBe(purchase?.code)
  if (!purchase) {
    // An earlier renewal finished, but the model did not notice. Which renewal came first can only be told once no work is in progress.
    if (form.do === 'renew' && listPendingPurchases(model).some(({ kind }) => kind === 'recharge'))
      clearModelPlan(model)
    purchase = {
      code: order.order_code,
      kind: form.do === 'renew' ? 'recharge' : 'addon',
      price: getPurchasePrice(form),
      told: 'unknown',
      must: endOf(holder, model.failures),
      pends: pends(holder),
      plan: form.do === 'renew' ? form.plan : null,
      voucher,
      isRefunded: false,
      starts: form.do === 'renew' ? form.starts : 'now',
      isCancelled: false,
      insteadOf,
    }
    model.purchases.push(purchase)
    if (!model.failures.hasFailures && model.life && (holder === '' || holder === validCardHolder))
      expect(answer.status).toBe(200)
  }
  if (answer.status === 404) expect(expectedRefusals).toContain('404')
  else hear(shopping, purchase, answer)
  if (insteadOf) await recordPlanChange(shopping, insteadOf)
}

/**
 * Returns the cardholder name on the card that will pay. Every successful renewal with a new card saves that card, even if the response
 * arrives late.
 */
async function chooseHolder(
  { world, customer, model }: ShoppingState,
  source: PurchaseCommand['source'],
): Promise<CardHolder> {
  if (source.by !== 'saved') return source.by === 'card' ? source.holder : ''
  if (listPendingPurchases(model).some(({ kind }) => kind === 'recharge')) return null
  const { holder_name: holder } = await world.db
    .selectFrom('saved_cards')
    .select('holder_name')
    .where('user_id', '=', customer.id)
    .executeTakeFirstOrThrow()
  return holder
}

/**
 * Records that the replaced plan was cancelled. Unless the run simulates failures, also waits for the network's response, so that the next
 * purchase starts only after that.
 */
async function recordPlanChange(shopping: ShoppingState, insteadOf: string): Promise<void> {
  await recordCancelledPlans(shopping)
  if (!shopping.model.failures.hasFailures)
    await pollUntil(async () => (await readOrderByCode(shopping, insteadOf)).state !== 'cancelling')
}

export function hear(shopping: ShoppingState, purchase: ModelPurchase, answer: Answer): void {
  const told = answer.status === 200 ? 'through' : answer.status === 202 ? 'unknown' : 'nothing'
  if (told !== 'nothing') expect(answer.body).toMatchObject({ order_code: purchase.code })
  else expect([answer.status, getErrorText(answer)]).toEqual([400, expect.stringMatching(refusalPattern)])
  if (told !== 'unknown') take(shopping, purchase, told)
}

const getErrorText = ({ status, body }: Answer): string =>
  status === 404 ? '404' : String(Object.values((body ?? {}) as object).flat()[0])
