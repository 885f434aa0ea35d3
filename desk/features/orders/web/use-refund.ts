import { ApiError } from '#kit/contract/errors.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { useApi } from '#kit/web/api.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { emptyReasonValues } from '#desk/features/staff/web/ReasonFields.tsx'
import { requestRefund, type DeskOrder, refundOrder, refundOrderBody } from '../orders.contract.ts'
import { parseCents } from './refund.labels.ts'

type Options = {
  order: DeskOrder
  onDone: (text: string) => void
  onStale: () => void
}

export function useRefund({ order: { money, code, refund_all_why: notAllWhy }, onDone, onStale }: Options) {
  const api = useApi()
  const exceedsLimit = (typed: string): boolean => (parseCents(typed) ?? 0) > decimalToCents(money.alone)
  const form = useForm({
    schema: refundOrderBody,
    initial: { amount: notAllWhy === null ? money.left : '', left: money.left, ...emptyReasonValues },
    submit: (body) => withFormErrors(exceedsLimit(body.amount) ? requestApproval(body) : submitRefund(body)),
    onSuccess: onDone,
  })

  async function submitRefund(body: object): Promise<string> {
    try {
      const { data } = await api.call(refundOrder, { params: { code }, body })
      return outcomeLabels[data.outcome](data.credit_code ?? '', data.why ?? '')
    } catch (failure) {
      // After a 403 or 409 the page is out of date: someone else refunded part of this order, or this person has made other refunds.
      if (failure instanceof ApiError && (failure.status === 403 || failure.status === 409)) onStale()
      throw failure
    }
  }
  async function requestApproval(body: object): Promise<string> {
    await api.call(requestRefund, { params: { code }, body })
    return 'Request sent. You’ll see the result on the Today page.'
  }

  const cents = parseCents(form.values.amount)
  return { form, cents, needsSecond: exceedsLimit(form.values.amount) }
}

const outcomeLabels = {
  received: (creditCode: string) => `The refund is on its way, with credit note ${creditCode}.`,
  unknown: () => 'The gateway hasn’t answered yet. We’ll keep trying, and the customer won’t be refunded twice.',
  refused: (_: string, why: string) => `The gateway refused the refund: ${why}. A task was added to Today.`,
}
