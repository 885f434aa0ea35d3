import { createApprovalChanges, createRefusalChanges } from './authorise.ts'
import type { Gateway } from './gateway.ts'
import type { TableChange, Payment } from './state.ts'

const maxTimerMs = 60_000

export function startResolvingPayments(gateway: Gateway): () => void {
  let timer: NodeJS.Timeout | undefined
  const resolveDuePayments = () => {
    clearTimeout(timer)
    const now = gateway.now().epochMilliseconds
    const due = listPendingPayments(gateway).filter(({ resolvesAt }) => resolvesAt <= now)
    // Committing calls all listeners, including this function, which then finds no more payments due.
    if (due.length > 0) return gateway.commit(due.flatMap((pending) => createResolutionChanges(gateway, pending)))
    const next = Math.min(...listPendingPayments(gateway).map(({ resolvesAt }) => resolvesAt))
    // Cap the delay: a timer can run for at most 24 days, and moving the clock may call for a longer wait.
    if (Number.isFinite(next)) timer = setTimeout(resolveDuePayments, Math.min(next - now, maxTimerMs))
  }
  gateway.onCommit(resolveDuePayments)
  resolveDuePayments()
  return () => clearTimeout(timer)
}

type PendingPayment = { payment: Payment; resolvesAt: number; approves: boolean }

const createResolutionChanges = (gateway: Gateway, { payment, approves }: PendingPayment): TableChange[] =>
  approves ? createApprovalChanges(gateway, payment) : createRefusalChanges(gateway, payment, 'Refused')

function listPendingPayments({ store }: Gateway): PendingPayment[] {
  const payments = store.table('payments')
  return [...store.resolving()].flatMap((key) => {
    const payment = payments.get(key)
    const { resolvesAt = null, approves = false } = payment?.pending ?? {}
    return payment && resolvesAt !== null ? [{ payment, resolvesAt, approves }] : []
  })
}
