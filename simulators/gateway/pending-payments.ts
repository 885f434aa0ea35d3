import { approvalChanges, refusalChanges } from './authorise.ts'
import type { Gateway } from './gateway.ts'
import type { Change, Payment } from './state.ts'

const maxTimerMs = 60_000

export function startResolvingPayments(gateway: Gateway): () => void {
  let timer: NodeJS.Timeout | undefined
  const resolvePayment = () => {
    clearTimeout(timer)
    const now = gateway.now().epochMilliseconds
    const due = pendingPayments(gateway).filter(({ resolvesAt }) => resolvesAt <= now)
    // Committing calls all listeners, including this function, which then finds no more payments due.
    if (due.length > 0) return gateway.commit(due.flatMap((pending) => resolutionChanges(gateway, pending)))
    const next = Math.min(...pendingPayments(gateway).map(({ resolvesAt }) => resolvesAt))
    // Cap the delay: a timer can run for at most 24 days, and moving the clock may call for a longer wait.
    if (Number.isFinite(next)) timer = setTimeout(resolvePayment, Math.min(next - now, maxTimerMs))
  }
  gateway.onCommit(resolvePayment)
  resolvePayment()
  return () => clearTimeout(timer)
}

type PendingPayment = { payment: Payment; resolvesAt: number; approves: boolean }

const resolutionChanges = (gateway: Gateway, { payment, approves }: PendingPayment): Change[] =>
  approves ? approvalChanges(gateway, payment) : refusalChanges(gateway, payment, 'Refused')

function pendingPayments({ store }: Gateway): PendingPayment[] {
  const payments = store.table('payments')
  return [...store.resolving()].flatMap((key) => {
    const payment = payments.get(key)
    const { resolvesAt = null, approves = false } = payment?.pending ?? {}
    return payment && resolvesAt !== null ? [{ payment, resolvesAt, approves }] : []
  })
}
