import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useSlowNotice } from '#kit/web/router/use-slow-notice.ts'
import { ErrorScreen } from '#kit/web/screens/ErrorScreen.tsx'
import { longWaitMs } from '#kit/web/widgets/LongWait.tsx'
import { ProgressSteps } from '#kit/web/widgets/ProgressSteps.tsx'
import { type ActivationStage, activationStages } from '../activation.states.ts'
import { activationPollQuery } from './activation.queries.ts'

const stageMessages: Record<ActivationStage, string> = {
  NOT_STARTED: 'Starting... Connecting to the Network',
  ACTIVATING_SIM: 'Activating',
  ADDING_PLAN: 'Adding Prepay Plan',
  PROCESSING_PAYMENT: 'Processing Payment',
  FINISHING: 'Just a few moments left',
}
const messages = activationStages.map((stage) => stageMessages[stage])

/** If all polls have failed for this many milliseconds, the page says that the server cannot be reached. */
const unreachableAfterMs = 8_000

export default function ProcessingPage() {
  // Do not retry a failed poll, because the next poll is due soon anyway.
  const { data, dataUpdatedAt, errorUpdatedAt, isError } = useQuery({ ...activationPollQuery(useApi()), retry: false })
  const index = useMessageIndex(data?.activation_state ?? 'NOT_STARTED', dataUpdatedAt)
  const isTakingLong = useSlowNotice(true, longWaitMs)
  if (isError && !data) return <ErrorScreen onRetry={() => location.reload()} />

  const isUnreachable = isError && errorUpdatedAt - dataUpdatedAt > unreachableAfterMs
  const note = isUnreachable
    ? 'We can’t reach our server right now, but we’ll keep trying. Your activation continues in the meantime.'
    : isTakingLong &&
      'The network is taking a little longer than usual to set up your SIM. ' +
        `You can leave this page open or close it: we’ll email ${data?.email || 'you'} when it’s done.`
  const orderCode = data?.order_code && `Order code ${data.order_code}`
  return <ProgressSteps messages={messages} index={index} note={[note, orderCode].filter(Boolean).join(' · ')} />
}

/**
 * Returns the index of the message to show. Each poll of an activation in progress moves on to the next message until
 * the last one is reached (specification 4). The message never falls behind the known stage.
 */
function useMessageIndex(stage: ActivationStage, polledAt: number): number {
  const stageIndex = activationStages.indexOf(stage)
  const [shownMessage, setShownMessage] = useState({ index: stageIndex, polledAt })
  if (shownMessage.polledAt !== polledAt) {
    const nextIndex =
      stage === 'NOT_STARTED' ? shownMessage.index : Math.min(shownMessage.index + 1, messages.length - 1)
    setShownMessage({ index: Math.max(nextIndex, stageIndex), polledAt })
  }
  return shownMessage.index
}
