import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { ProgressSteps } from '#kit/web/widgets/ProgressSteps.tsx'
import type { ActivationStage } from '../activation.states.ts'
import { activationPoll } from './activation.queries.ts'

const messages = ['Starting... Connecting to the Network', 'Activating', 'Adding Prepay Plan', 'Processing Payment', 'Just a few moments left']

/** The message of each stage: the page never tells less than is known. */
const messageOf: Record<ActivationStage, number> = { NOT_STARTED: 0, ACTIVATING_SIM: 1, ADDING_PLAN: 2, PROCESSING_PAYMENT: 3, FINISHING: 4 }

const longWaitMs = 10_000

/** Waits for the activation; where it ends, the pages' redirect leads. */
export default function ProcessingPage() {
  const { data: activation, dataUpdatedAt, isError } = useQuery(activationPoll(useApi()))
  const index = useMessage(activation?.activation_state ?? 'NOT_STARTED', dataUpdatedAt)
  const long = useLongWait()
  const note = isError
    ? 'We can’t reach our server just now, and keep trying. Your activation goes on in the meantime.'
    : long && 'The network is taking a little longer than usual. You can leave this page open, or close it: we’ll email you when your SIM is active.'
  return <ProgressSteps messages={messages} index={index} note={note} />
}

/** Each poll of an activation under way moves the message on, up to the last one (spec 4). */
function useMessage(stage: ActivationStage, polledAt: number): number {
  const [shown, setShown] = useState({ index: messageOf[stage], polledAt })
  if (shown.polledAt !== polledAt) {
    const next = stage === 'NOT_STARTED' ? shown.index : shown.index + 1
    setShown({ index: Math.min(Math.max(next, messageOf[stage]), messages.length - 1), polledAt })
  }
  return shown.index
}

function useLongWait(): boolean {
  const [long, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longWaitMs)
    return () => clearTimeout(timer)
  }, [])
  return long
}
