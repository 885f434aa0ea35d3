import { expect } from 'vitest'
import { goodHolder, type Press } from './order-commands.ts'
import { endOf, type Holder, inDoubt, pends, priceOf, type Purchase, turnedAway } from './order-model.ts'
import { buyAddOn, renew } from './purchases.ts'
import type { Answer } from './visitor.ts'
import { loseSight, noteCancelled, orderByKey, orderOf, type Shopping, take, today } from './shopping.ts'
import { until } from './until.ts'

const refusals =
  /^(?:Your (?:bank declined this payment|payment could not be confirmed|next Prepay Plan has already started)|The network could not add)/

export async function pressNew(shopping: Shopping, command: Press): Promise<void> {
  const { world, model } = shopping
  const instead = command.do === 'renew' && command.change ? model.waiting : null
  // A delivered order is over a moment later.
  if (instead) await until(async () => (await orderOf(shopping, instead.code)).state !== 'finishing')
  shopping.last = {
    press: command.do === 'renew' && instead ? { ...command, starts: 'at_end' } : command,
    insteadOf: instead?.code ?? null,
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
  shopping: Shopping,
  { press: form, key, voucher, insteadOf }: NonNullable<Shopping['last']>,
): Promise<void> {
  const { world, customer, service, model } = shopping
  const { source } = form
  const mayBeTurnedAway = turnedAway(model, form, today(shopping), insteadOf)
  const known = await orderByKey(shopping, key)
  const holder = await holderOf(shopping, source)
  const paying = {
    product: form.do === 'renew' ? form.plan : form.product,
    key,
    saved: source.by === 'saved',
    ...(source.by === 'card' && { holder: source.holder }),
    ...(form.do === 'renew' && { body: { starts: form.starts, ...(insteadOf && { instead_of: insteadOf }) } }),
    ...(voucher && { voucher }),
  }
  const answer = await (form.do === 'renew'
    ? renew(world, customer.visitor, service, paying)
    : buyAddOn(world, customer.visitor, service, paying))
  const order = await orderByKey(shopping, key)
  if (!order) {
    expect([answer.status, mayBeTurnedAway.some((why) => wordsOf(answer).startsWith(why)), wordsOf(answer)]).toEqual([
      answer.status === 404 ? 404 : 400,
      true,
      wordsOf(answer),
    ])
    return
  }
  let purchase = model.purchases.find(({ code }) => code === order.order_code)
  if (known) expect(known.order_code).toBe(purchase?.code)
  if (!purchase) {
    // The order before it has ended unnoticed. Which of them came last is only seen when all is quiet.
    if (form.do === 'renew' && inDoubt(model).some(({ kind }) => kind === 'recharge')) loseSight(model)
    purchase = {
      code: order.order_code,
      kind: form.do === 'renew' ? 'recharge' : 'addon',
      price: priceOf(form),
      told: 'unknown',
      must: endOf(holder, model.weather),
      pends: pends(holder),
      plan: form.do === 'renew' ? form.plan : null,
      voucher,
      isRefunded: false,
      starts: form.do === 'renew' ? form.starts : 'now',
      isCancelled: false,
      insteadOf,
    }
    model.purchases.push(purchase)
    if (!model.weather.isFoul && model.life && (holder === '' || holder === goodHolder)) expect(answer.status).toBe(200)
  }
  if (answer.status === 404) expect(mayBeTurnedAway).toContain('404')
  else hear(shopping, purchase, answer)
  if (insteadOf) await noteChanged(shopping, insteadOf)
}

/** The name on the card that will pay. Each successful renewal with a new card saves that card, even if its answer comes late. */
async function holderOf({ world, customer, model }: Shopping, source: Press['source']): Promise<Holder> {
  if (source.by !== 'saved') return source.by === 'card' ? source.holder : ''
  if (inDoubt(model).some(({ kind }) => kind === 'recharge')) return null
  const { holder_name: holder } = await world.db
    .selectFrom('saved_cards')
    .select('holder_name')
    .where('user_id', '=', customer.id)
    .executeTakeFirstOrThrow()
  return holder
}

/** Records that the replaced plan is cancelled. Without failures the network answers before anything else is pressed. */
async function noteChanged(shopping: Shopping, insteadOf: string): Promise<void> {
  await noteCancelled(shopping)
  if (!shopping.model.weather.isFoul)
    await until(async () => (await orderOf(shopping, insteadOf)).state !== 'cancelling')
}

export function hear(shopping: Shopping, purchase: Purchase, answer: Answer): void {
  const told = answer.status === 200 ? 'through' : answer.status === 202 ? 'unknown' : 'nothing'
  if (told !== 'nothing') expect(answer.body).toMatchObject({ order_code: purchase.code })
  else expect([answer.status, wordsOf(answer)]).toEqual([400, expect.stringMatching(refusals)])
  if (told !== 'unknown') take(shopping, purchase, told)
}

const wordsOf = ({ status, body }: Answer): string =>
  status === 404 ? '404' : String(Object.values((body ?? {}) as object).flat()[0])
