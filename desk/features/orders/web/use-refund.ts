import { ApiError } from '#kit/contract/errors.ts'
import { fromWire } from '#kit/contract/money.ts'
import { useApi } from '#kit/web/api.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { noReason } from '#desk/features/staff/web/ReasonFields.tsx'
import { askRefund, type DeskOrder, refundOrder, refundWish } from '../orders.contract.ts'
import { centsTyped } from './refund-words.ts'

type Options = {
  order: DeskOrder
  onDone: (words: string) => void
  onStale: () => void
}

export function useRefund({ order: { money, code, refund_all_why: notAllWhy }, onDone, onStale }: Options) {
  const api = useApi()
  const isAbove = (typed: string): boolean => (centsTyped(typed) ?? 0) > fromWire(money.alone)
  const form = useForm({
    schema: refundWish,
    initial: { amount: notAllWhy === null ? money.left : '', left: money.left, ...noReason },
    submit: (body) => inWords(isAbove(body.amount) ? ask(body) : give(body)),
    onSuccess: onDone,
  })

  async function give(body: object): Promise<string> {
    try {
      const { data } = await api.call(refundOrder, { params: { code }, body })
      return outcomeWords[data.outcome](data.credit_code ?? '', data.why ?? '')
    } catch (failure) {
      // The page is outdated: somebody else refunded part of this order, or this person made other refunds.
      if (failure instanceof ApiError && (failure.status === 403 || failure.status === 409)) onStale()
      throw failure
    }
  }
  async function ask(body: object): Promise<string> {
    await api.call(askRefund, { params: { code }, body })
    return 'Request sent. The result will appear on Today.'
  }

  const cents = centsTyped(form.values.amount)
  return { form, cents, needsSecond: isAbove(form.values.amount) }
}

const outcomeWords = {
  received: (creditCode: string) => `The refund is on its way, with credit note ${creditCode}.`,
  unknown: () => 'The gateway hasn’t answered yet. We’ll keep trying; the refund is made only once.',
  refused: (_: string, why: string) => `The gateway refused the refund: ${why}. A task was added to Today.`,
}
