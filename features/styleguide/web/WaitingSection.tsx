import { useId } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { LongWait } from '#kit/web/widgets/LongWait.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { UnavailableLine } from '#kit/web/widgets/UnavailableLine.tsx'
import { Section, State, States } from './Section.tsx'

const noResponseError = new ApiError(0, undefined)
const doNothing = () => {}

export function WaitingSection() {
  const id = useId()
  return (
    <Section
      title="Loading and errors"
      note="A skeleton reserves space for content that is loading. After 10 seconds, it says that loading is slow."
    >
      <States wide>
        <State name="Skeleton with one line">
          <Skeleton lines={1} />
        </State>
        <State name="Skeleton with six lines">
          <Skeleton lines={6} />
        </State>
        <State name="Message after waiting for 10 seconds">
          <div role="status">
            <LongWait />
          </div>
        </State>
        <State name="Unavailable, without a reason">
          <Unavailable what="Your data usage is not available at the moment" onRetry={doNothing} />
        </State>
        <State name="Unavailable, with a reason">
          <Unavailable what="Your purchases didn’t load." error={noResponseError} onRetry={doNothing} />
        </State>
        <State name="Unavailable, below a field">
          <p id={id} tabIndex={-1}>
            <UnavailableLine what="The list of providers didn’t load." control={id} onRetry={doNothing} />
          </p>
        </State>
      </States>
    </Section>
  )
}
