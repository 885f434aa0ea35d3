import { approval, refusal } from './authorise.ts'
import type { Gateway } from './gateway.ts'
import type { Change, Payment } from './state.ts'

const longestTimerMs = 60_000

/**
 * Settles pending payments when the simulator's clock reaches their time, also after a restart and when it is moved.
 * Returns what stops it.
 */
export function startSettling(gateway: Gateway): () => void {
  let timer: NodeJS.Timeout | undefined
  const settle = () => {
    clearTimeout(timer)
    const now = gateway.now().epochMilliseconds
    const due = waiting(gateway).filter(({ settlesAt }) => settlesAt <= now)
    // Comes back here with nothing due, because a commit calls all who listen.
    if (due.length > 0) return gateway.commit(due.flatMap((pending) => settlement(gateway, pending)))
    const next = Math.min(...waiting(gateway).map(({ settlesAt }) => settlesAt))
    // A timer cannot run for more than 24 days, and a clock that is moved may ask for that.
    if (Number.isFinite(next)) timer = setTimeout(settle, Math.min(next - now, longestTimerMs))
  }
  gateway.onCommit(settle)
  settle()
  return () => clearTimeout(timer)
}

type Waiting = { payment: Payment; settlesAt: number; approves: boolean }

const settlement = (gateway: Gateway, { payment, approves }: Waiting): Change[] =>
  approves ? approval(gateway, payment) : refusal(gateway, payment, 'Refused')

function waiting(gateway: Gateway): Waiting[] {
  return gateway.store
    .table('payments')
    .values()
    .flatMap((payment) => {
      const { settlesAt = null, approves = false } = payment.pending ?? {}
      return settlesAt === null ? [] : [{ payment, settlesAt, approves }]
    })
    .toArray()
}
