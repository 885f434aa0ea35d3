import { approval, refusal } from './authorise.ts'
import type { Gateway } from './gateway.ts'
import type { Change, Payment } from './state.ts'

const longestTimerMs = 60_000

export function startResolving(gateway: Gateway): () => void {
  let timer: NodeJS.Timeout | undefined
  const resolve = () => {
    clearTimeout(timer)
    const now = gateway.now().epochMilliseconds
    const due = waiting(gateway).filter(({ resolvesAt }) => resolvesAt <= now)
    // A commit calls all listeners, so this function runs again and then finds nothing due.
    if (due.length > 0) return gateway.commit(due.flatMap((pending) => resolution(gateway, pending)))
    const next = Math.min(...waiting(gateway).map(({ resolvesAt }) => resolvesAt))
    // A timer is limited to 24 days, and a moved clock may require more.
    if (Number.isFinite(next)) timer = setTimeout(resolve, Math.min(next - now, longestTimerMs))
  }
  gateway.onCommit(resolve)
  resolve()
  return () => clearTimeout(timer)
}

type Waiting = { payment: Payment; resolvesAt: number; approves: boolean }

const resolution = (gateway: Gateway, { payment, approves }: Waiting): Change[] =>
  approves ? approval(gateway, payment) : refusal(gateway, payment, 'Refused')

function waiting({ store }: Gateway): Waiting[] {
  const payments = store.table('payments')
  return [...store.resolving()].flatMap((key) => {
    const payment = payments.get(key)
    const { resolvesAt = null, approves = false } = payment?.pending ?? {}
    return payment && resolvesAt !== null ? [{ payment, resolvesAt, approves }] : []
  })
}
